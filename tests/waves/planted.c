// SPDX-License-Identifier: Apache-2.0
/*
 * A tally-sim whose lockstep finds a difference: from cycle N on something that the machine shows its
 * observer is wrong. PLANTED=KIND:N in the environment selects it; without it, a value that is written to a
 * register, after the second copy of --wave-last. Linked with --wrap=run_observe.
 */
#include "run.h"

#include "tally_spec.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool __real_run_observe(void *run, unsigned hart, const struct sim_probe *event, const struct gp_in *pmu_in,
                        const struct gp_out *pmu_out);
bool __wrap_run_observe(void *run, unsigned hart, const struct sim_probe *event, const struct gp_in *pmu_in,
                        const struct gp_out *pmu_out);

/* The faults, and their cycles */
#define FAULTS(X)                                                                                            \
    X(value, event && event->retire && event->rd_we, e->rd_val ^= 1)                                         \
    X(pc, event && event->retire, e->pc ^= 2)                                                                \
    X(store, event && event->mem_op == SIM_MEM_STORE, e->mem_wdata ^= 1)                                     \
    X(amo, event && event->mem_op == SIM_MEM_AMO, e->mem_result ^= 1)                                        \
    X(epc, event && event->trap, e->epc ^= 4)                                                                \
    X(mode, true, in->mode.priv ^= 1)                                                                        \
    X(irq, true, out->irq_lcofi = true)                                                                      \
    X(wire, true, in->ev_cycle[0] ^= 1ull << TALLY_EVC_L1I_RD)                                               \
    X(tag, true, in->track.dispatched ^= 1)                                                                  \
    X(port, !event, (in->ret_next_pc ^= 4, in->ret_flush_pc ^= 4))                                           \
    X(csr, true, spoil_csrs(run->sim))                                                                       \
    X(ram, run->sim->cycle == planted.cycle, run->sim->ram[run->sim->ram_size / 2] ^= 1)                     \
    X(stuck, true, event = NULL)

static struct {
    const char *kind;
    uint64_t cycle;
} planted = {"value", 1100000};

static const struct sim_ops *real_ops;

static bool wrong_csr(const struct sim *sim, unsigned hart, unsigned num, uint64_t *value) {
    const bool known = real_ops->csr(sim, hart, num, value);
    *value ^= num == TALLY_CSR_MEPC ? 4 : 0;
    return known;
}

static void spoil_csrs(struct sim *sim) {
    static struct sim_ops ops;
    if (real_ops)
        return;
    real_ops = sim->ops;
    ops = *real_ops;
    ops.csr = wrong_csr;
    sim->ops = &ops;
}

static void read_environment(void) {
    static bool done;
    char *words = getenv("PLANTED"), *colon = words ? strchr(words, ':') : NULL;
    if (!done && colon) {
        planted.kind = strndup(words, (size_t)(colon - words));
        planted.cycle = strtoull(colon + 1, NULL, 0);
    }
    done = true;
}

bool __wrap_run_observe(void *ctx, unsigned hart, const struct sim_probe *event, const struct gp_in *pmu_in,
                        const struct gp_out *pmu_out) {
    static struct sim_probe probe;
    static struct gp_in in[1];
    static struct gp_out out[1];
    struct run *run = ctx;
    struct sim_probe *e = &probe;
    bool known = false;
    read_environment();
    if (run->sim->cycle < planted.cycle)
        return __real_run_observe(ctx, hart, event, pmu_in, pmu_out);
    if (event)
        probe = *event;
    *in = *pmu_in;
    *out = *pmu_out;
#define PLANT(name, when, change)                                                                            \
    if (strcmp(planted.kind, #name) == 0) {                                                                  \
        known = true;                                                                                        \
        if (when)                                                                                            \
            (void)(change);                                                                                  \
    }
    FAULTS(PLANT)
#undef PLANT
    if (!known) {
        fprintf(stderr, "PLANTED: there is no fault '%s'\n", planted.kind);
        exit(2);
    }
    return __real_run_observe(ctx, hart, event ? e : NULL, in, out);
}
