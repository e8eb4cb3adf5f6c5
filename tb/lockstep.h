// SPDX-License-Identifier: Apache-2.0
/*
 * Lockstep of the golden models with the RTL: the golden PMU cycle by cycle, the golden hart instruction by
 * instruction.
 *
 * Taken from the RTL, because they depend on the machine: the time at which an interrupt is taken, the
 * interrupt lines, time, the PMU's inputs (events of the pipeline), the answers of devices to loads, the
 * registers after reset; with more than one hart also the values that a load, LR or AMO reads from RAM and
 * the success of an SC. The models decide everything else, and it is compared: pc, instruction, register,
 * value, addresses and data of memory accesses, causes of traps, privilege, every CSR after a change; every
 * output of the PMU in every cycle; and that an enabled interrupt is taken in bounded time.
 */
#ifndef TALLY_LOCKSTEP_H
#define TALLY_LOCKSTEP_H

#include "error.h"
#include "machine.h"
#include "sim.h"
#include "tally_hart.h"

#include <stdio.h>

struct lockstep;

/* NULL after filling `error`. */
struct lockstep *lockstep_new(const struct machine *machine, unsigned harts, struct error *error);
void lockstep_free(struct lockstep *lockstep);

/* The machine that runs, just out of reset. Reset does not change registers, so the models start with its
 * values. */
void lockstep_attach(struct lockstep *lockstep, const struct sim *sim);

/* From the next cycle on the machine is read from here: a copy of the same one (relay.h). */
void lockstep_follow(struct lockstep *lockstep, const struct sim *sim);

/* The state written to machine and models is the beginning of the run: cycle 0 is next. */
void lockstep_begin(struct lockstep *lockstep);

/* One cycle of one hart, as sim_observer.cycle. false: a difference, which has been printed. */
bool lockstep_cycle(struct lockstep *lockstep, unsigned hart, const struct sim_probe *event,
                    const struct gp_in *pmu_in, const struct gp_out *pmu_out);

/* It reads the machine's CSRs in the cycle after such an event, and mip in a cycle that divides by
 * LOCKSTEP_MIP_INTERVAL. */
enum { LOCKSTEP_MIP_INTERVAL = 64 };
static inline bool lockstep_reads_csrs(const struct sim_probe *event) {
    enum { OPCODE = 0x7F, SYSTEM = 0x73 };
    return event->trap || event->ebb || event->csr_changed || (event->insn & OPCODE) == SYSTEM;
}

/* The fate of a hart's samples, in the format of crosses_report() */
void lockstep_samples(const struct lockstep *lockstep, unsigned hart, FILE *out);

/* After the end: has no store retired in the last `cycles` cycles? */
bool lockstep_quiet(const struct lockstep *lockstep, uint64_t cycles);
/* Compare the whole RAM; only with one hart and no store outstanding. false: a difference, which has been
 * printed. */
bool lockstep_compare_ram(struct lockstep *lockstep);

/* The golden models of a hart, its last instruction, and their RAM: for a debugger */
struct lockstep_state {
    struct gh *hart;
    struct gp *pmu;
    const struct gh_retire *done;
    uint8_t *ram;
    bool *csrs_due;               /* compare all CSRs in the next cycle */
    const struct gp_out *pmu_out; /* of the PMU, in the last cycle */
};
struct lockstep_state lockstep_state(struct lockstep *lockstep, unsigned hart);

/* The golden state of a hart, for waves. */
void lockstep_view(const struct lockstep *lockstep, unsigned hart, struct sim_golden *view);

#endif
