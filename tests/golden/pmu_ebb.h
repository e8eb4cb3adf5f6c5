// SPDX-License-Identifier: Apache-2.0
/*
 * Event-based branches on the bench: counter 3, and others, routed to a program in U-mode.
 */
#ifndef PMU_EBB_H
#define PMU_EBB_H

#include "pmu_rig.h"

#define GE ((uint64_t)TALLY_UBESCR_GE_MASK)
#define FZ ((uint64_t)TALLY_UBESCR_FZ_MASK)
#define PME ((uint64_t)TALLY_UBESCR_PME_MASK)
#define PMEO ((uint64_t)TALLY_UBESCR_PMEO_MASK)
#define EN ((uint64_t)TALLY_SEBBCTL_EN_MASK)
#define WIN ((uint64_t)TALLY_SEBBCTL_WIN_MASK)
#define HANDLER UINT64_C(0x4000)

/* A unit of the configuration `cfg`, with CDE and sstateen0 set */
static inline void begin(void) {
    start();
    in.env.cde = true;
    in.env.sstateen0 = UINT32_MAX;
}

static inline void everything(void) {
    gp_config_default(&cfg);
    cfg.ebb = cfg.sspesa = cfg.smpdis = cfg.hyp = true;
    begin();
}

/* The gates are open, counters 3 to 10 delegated, `routes` routed. */
static inline void open_gates(uint64_t routes) {
    w(TALLY_CSR_MCOUNTEREN, 0x7F8);
    w(TALLY_CSR_MEBBCTL, 1);
    w(TALLY_CSR_SEBBCTL, EN | WIN | routes);
    w(TALLY_CSR_UEBBHR, HANDLER);
}

static inline void routed(uint64_t routes) {
    everything();
    open_gates(routes);
}

static inline uint64_t escr(void) { return peek(TALLY_CSR_UBESCR); }
static inline bool of(unsigned i) { return peek(event(i)) >> 63; }

/* The outputs in this cycle, which does not end. */
static inline const struct gp_out *look(void) {
    gp_eval(pmu, &in, &out);
    return &out;
}

static inline bool requests(void) { return look()->ebb_req; }

/* Counter i wraps in a cycle of U-mode, in which the CSR instruction of `in` (if any) is performed. */
static inline void wrap(unsigned i) {
    run_in(M);
    program(i, UINT64_MAX, TALLY_EV_CYCLES_HART);
    run_in(U);
    tick();
}

#endif
