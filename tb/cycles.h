// SPDX-License-Identifier: Apache-2.0
/*
 * Attribution of cycles: every cycle of a hart is attributed to an instruction by the rules of
 * time-proportional attribution, from the commit trace and signals of the pipeline (docs/accuracy.md).
 *
 *   committing  an instruction retires: to it
 *   stalled     none retires: to the oldest, which is the next to retire or to trap
 *   flushed     empty pipeline, no dispatch since the flush: to its cause (of an interrupt: the next pc)
 *   drained     empty pipeline for lack of instructions: to the next to retire or to trap
 *
 * This is the oracle of Sspesa (event sampling draft; docs/rulings.md, Cycle attribution). For every cycle
 * the unit's ports give the instruction to which an overflow would be attributed; it is compared with the
 * oracle's pc, as is the pc of each event of a retiring instruction. The next instruction to retire is known
 * only when it retires, so the result of a cycle comes later. Plain C, without a simulator.
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

/* stream: NULL, or output of every cycle, 7 words of 64 bits: the pcs of the oracle, of the unit's ports, of
 * the instruction that retired last, that retires now or next, that an interrupt would stop, that is decoded
 * (0: none), and enum cycle_kind | mode << 4 | halted << 8. where: count pcs for cycles_report(). NULL if
 * memory is short. */
struct cycles *cycles_new(FILE *stream, bool where);
void cycles_free(struct cycles *cycles);
void cycles_clear(struct cycles *cycles); /* all counts become 0 */

/* One cycle. `epc` is of a trap. NULL if the unit's ports agree with the oracle, else a description of the
 * difference (valid until the next call). */
const char *cycles_cycle(struct cycles *cycles, const struct oracle_in *in, const struct gp_in *pmu,
                         uint64_t epc);

/* A debugger moves the hart elsewhere: the cycles before were those of `pc`, which was next. Likewise. */
const char *cycles_moved(struct cycles *cycles, uint64_t pc);

/* One line for each pc and mode: the number of cycles in which each of the stream's pcs was this one, how
 * often it retired, and how often it did so after a control transfer or a trap. Then one line for each wire
 * of ev_retire ("event") and of ev_cycle ("cycle"): how often it was set. */
void cycles_report(const struct cycles *cycles, unsigned hart, FILE *out);

#endif
