// SPDX-License-Identifier: Apache-2.0
/*
 * Where the cycles go: every cycle of a hart is attributed to an instruction by the rules of
 * time-proportional attribution, from the commit trace and what the pipeline shows beside it.
 *
 *   committing  an instruction retires: it
 *   stalled     none does, but there is an oldest one: it, which is the next to retire or to trap
 *   flushed     the pipeline is empty, because a misprediction, a trap or what acts at commit emptied it, and
 *               nothing has been dispatched since: the instruction that did that; of an interrupt, the one
 * that it came before drained     it is empty for want of instructions: the next one to retire or to trap
 *
 * This is the oracle of Sspesa. The unit's ports say of every cycle where an overflow in it would be
 * attributed to; this is held against the oracle's pc, in every cycle, and so is the pc beside each event of
 * a retiring instruction. What will retire next is seen when it does, so the verdict on a cycle comes later.
 * Plain C; knows no simulator.
 */
#ifndef TALLY_CYCLES_H
#define TALLY_CYCLES_H

#include "oracle.h"
#include "tally_pmu_model.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum cycle_kind { CYCLE_COMMITTING, CYCLE_STALLED, CYCLE_FLUSHED, CYCLE_DRAINED, CYCLE_KINDS };

struct cycles;

/* stream: NULL or where every cycle goes, 7 words of 64 bits: the pcs of the oracle, of the unit's ports, of
 * what retired last, of what retires now or next, of what an interrupt would stop, of what is decoded (0:
 * nothing), and enum cycle_kind | mode << 4 | halted << 8. where: count pcs for cycles_report. NULL if memory
 * is short. */
struct cycles *cycles_new(FILE *stream, bool where);
void cycles_free(struct cycles *cycles);

/* One cycle. `epc` is of a trap. NULL if the unit's ports say what the oracle says, else what is wrong (valid
 * until the next call). */
const char *cycles_cycle(struct cycles *cycles, const struct oracle_in *in, const struct gp_in *pmu,
                         uint64_t epc);

/* A line a pc and mode: how many cycles each of the stream's pcs was it, how often it retired, and how often
 * it did behind a control transfer or a trap; then a line a wire of ev_retire: how often it was seen. */
void cycles_report(const struct cycles *cycles, unsigned hart, FILE *out);

#endif
