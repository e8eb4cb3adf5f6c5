// SPDX-License-Identifier: Apache-2.0
/*
 * Event-based branches: the events of routed overflows, delivery, uebret (docs/rulings.md, Event-based
 * branches).
 */
#include "pmu_internal.h"

#include <stddef.h>

enum { PMEO = TALLY_UBESCR_PMEO_MASK, PME = TALLY_UBESCR_PME_MASK };
#define GE ((uint32_t)TALLY_UBESCR_GE_MASK)

/* ---- the event */

/* The pc of the cause; without one that of the oldest instruction that retires, else of the next to retire,
 * whose mode lane 0 shows then. One that is not of U-mode with V=0 is not shown. */
static uint64_t cause(const struct gp *pmu, const struct gp_in *in, const struct gp_step *step) {
    unsigned lane = step->cause[__builtin_ctz(step->ebb)];

    if (lane == GP_NO_LANE)
        lane = gp_oldest_lane(pmu, in);
    const struct gp_retire_lane *l = &in->retire[lane == GP_NO_LANE ? 0 : lane];
    if (!gp_plain_user(pmu, l->mode & 3, l->mode >> 2))
        return 0;
    return lane == GP_NO_LANE ? in->ret_next_pc : l->pc;
}

/* The request and the answer to uebret: of state only. */
bool gp_ebb_request(const struct gp *pmu, const struct gp_mode *mode, const struct gp_env *env,
                    uint64_t *target) {
    *target = pmu->ebb.handler;
    return pmu->ebb.scr & GE && pmu->ebb.scr & PMEO && gp_ebb_user(pmu, env) &&
           gp_plain_user(pmu, mode->priv, mode->v) && !mode->debug;
}

enum gp_answer gp_uebret_answer(const struct gp *pmu, const struct gp_mode *mode, const struct gp_env *env,
                                uint64_t *target) {
    bool guest = pmu->cfg.hyp && mode->v && mode->priv != GP_M;

    if (target)
        *target = pmu->ebb.ret;
    if (guest)
        return gp_ebb_supervisor(pmu, env) ? GP_CSR_VIRTUAL : GP_CSR_ILLEGAL;
    return mode->priv == GP_U && gp_ebb_user(pmu, env) ? GP_CSR_OK : GP_CSR_ILLEGAL;
}

static void deliver(struct gp_ebb *e, uint64_t pc) {
    e->scr &= ~GE;
    e->ret = pc;
}

/* The clock edge, but for the cycle's write and its effects on ubescr. */
void gp_ebb_clock(struct gp *pmu, const struct gp_cycle *cycle, const struct gp_step *step) {
    const struct gp_in *in = cycle->in;
    struct gp_ebb *e = &pmu->ebb;
    uint64_t target;

    if (!pmu->cfg.ebb)
        return;
    uint32_t ready = e->scr & PME, unheard = ready ? 0 : step->ebb;
    bool delivered = in->ebb_ack && gp_ebb_request(pmu, &in->mode, &in->env, &target);
    bool returns = in->ret_uebret && gp_uebret_answer(pmu, &in->mode, &in->env, NULL) == GP_CSR_OK;

    if (delivered)
        deliver(e, in->ret_next_pc & gp_word_bits(pmu, GP_PC));
    if (returns)
        e->scr = (e->scr & ~GE) | (in->ret_uebret_ge ? GE : 0);
    if (pmu->cfg.sspesa && ready && step->ebb && !gp_writes(cycle, REG_UEBBSPC)) /* a write wins */
        e->pc = cause(pmu, in, step) & gp_word_bits(pmu, GP_PC);
    /* Events count in the next cycle in which the core clock runs, as sampling's. */
    if (delivered || !in->mode.halted)
        e->delivered = delivered;
    if (unheard || !in->mode.halted)
        e->unheard = unheard != 0;
}

/* The cycle's write. */
void gp_ebb_store(struct gp *pmu, const struct gp_cycle *cycle) {
    const struct gp_write *write = &cycle->write;
    struct gp_ebb *e = &pmu->ebb;

    switch (write->to.reg) {
    case REG_MEBBCTL:
        e->mctl = (uint32_t)gp_merge(e->mctl, write);
        break;
    case REG_SEBBCTL:
        e->sctl = (uint32_t)gp_merge(e->sctl, write);
        break;
    case REG_UBESCR:
        e->scr = (uint32_t)gp_merge(e->scr, write);
        break;
    case REG_UEBBHR:
        e->handler = gp_merge(e->handler, write);
        break;
    case REG_UEBBRR:
        e->ret = gp_merge(e->ret, write);
        break;
    case REG_UEBBINH:
        e->inhibit = (uint32_t)gp_merge(e->inhibit, write);
        break;
    case REG_UEBBSEL:
        e->select = (uint8_t)gp_merge(e->select, write);
        break;
    case REG_UEBBSPC:
        e->pc = gp_merge(e->pc, write);
        break;
    default:
        break;
    }
}

/* An overflow that finds PME=1 is an event, for any write of PME and PMEO. So is a PME that is written
 * 1 while a routed counter's OF is 1. `routed` and `pme_before` are those before the clock edge. */
void gp_ebb_event(struct gp *pmu, const struct gp_cycle *cycle, const struct gp_step *step, uint32_t routed,
                  bool pme_before) {
    struct gp_ebb *e = &pmu->ebb;
    bool arms = gp_writes(cycle, REG_UBESCR) && !pme_before && e->scr & PME;

    if ((pme_before && step->ebb) || (arms && routed & gp_overflow_flags(pmu)))
        e->scr = (e->scr & ~(uint32_t)PME) | PMEO;
}
