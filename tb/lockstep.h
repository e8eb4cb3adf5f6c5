// SPDX-License-Identifier: Apache-2.0
/*
 * The golden models beside the RTL: the golden PMU cycle by cycle, the golden hart instruction by
 * instruction.
 *
 * Taken from the RTL, because only a machine can know it: when an interrupt is taken, the interrupt lines,
 * time, the PMU's inputs (what happens in the pipeline), what a device answers to a load, what the registers
 * hold after reset; with more than one hart also what a load, LR or AMO reads from RAM and whether an SC
 * succeeds. Everything else is decided by the models and compared: pc, instruction, register, value,
 * addresses and data of memory accesses, causes of traps, privilege, every CSR after a change; every output
 * of the PMU in every cycle; and that an enabled interrupt is taken in bounded time.
 */
#ifndef TALLY_LOCKSTEP_H
#define TALLY_LOCKSTEP_H

#include "error.h"
#include "machine.h"
#include "sim.h"

#include <stdio.h>

struct lockstep;

/* NULL after filling `error`. */
struct lockstep *lockstep_new(const struct machine *machine, unsigned harts, struct error *error);
void lockstep_free(struct lockstep *lockstep);

/* Tell which machine runs, just out of reset: which does not change registers, so the models take over what
 * they hold. */
void lockstep_attach(struct lockstep *lockstep, const struct sim *sim);

/* One cycle of one hart, as sim_observer.cycle. false: a difference, which has been printed. */
bool lockstep_cycle(struct lockstep *lockstep, unsigned hart, const struct sim_probe *event,
                    const struct gp_in *pmu_in, const struct gp_out *pmu_out);

/* What became of a hart's samples, as crosses_report() writes it. */
void lockstep_samples(const struct lockstep *lockstep, unsigned hart, FILE *out);

/* After the end: has no store retired in the last `cycles` cycles? */
bool lockstep_quiet(const struct lockstep *lockstep, uint64_t cycles);
/* Compare the whole RAM; only with one hart and no store on its way. false: a difference, which has been
 * printed. */
bool lockstep_compare_ram(struct lockstep *lockstep);

/* The golden state of a hart, for waves. */
void lockstep_view(const struct lockstep *lockstep, unsigned hart, struct sim_golden *view);

#endif
