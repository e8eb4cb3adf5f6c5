// SPDX-License-Identifier: Apache-2.0
/*
 * Event-based branches: gates, routes, counters that are held still (docs/rulings.md, EBB gates).
 */
#include "pmu_internal.h"

bool gp_plain_user(const struct gp *pmu, unsigned priv, bool v) {
    return priv == GP_U && !(pmu->cfg.hyp && v);
}

/* docs/rulings.md, EBB gates */
bool gp_ebb_supervisor(const struct gp *pmu, const struct gp_env *env) {
    return pmu->cfg.ebb && pmu->ebb.mctl & TALLY_MEBBCTL_EN_MASK && gp_mstateen0(pmu, env) & STATEEN_C;
}

bool gp_ebb_user(const struct gp *pmu, const struct gp_env *env) {
    bool enabled = !pmu->cfg.smstateen || env->sstateen0 & TALLY_SSTATEEN0_C_MASK;

    return gp_ebb_supervisor(pmu, env) && pmu->ebb.sctl & TALLY_SEBBCTL_EN_MASK && enabled;
}

/* While S-mode's gate is closed sebbctl acts as 0; a counter that is not delegated is not routed. */
uint32_t gp_routed(const struct gp *pmu, const struct gp_env *env) {
    return gp_ebb_supervisor(pmu, env) ? pmu->ebb.sctl & gp_delegated(pmu, env) : 0;
}

/* Routed counters count in U-mode with V=0 only; FZ stops them while PMEO is 1 (docs/rulings.md, EBB
 * overflow; EBB window). */
uint32_t gp_ebb_still(const struct gp *pmu, const struct gp_in *in) {
    uint32_t routed = gp_routed(pmu, &in->env);

    if (!gp_plain_user(pmu, in->mode.priv, in->mode.v) ||
        (pmu->ebb.scr & TALLY_UBESCR_FZ_MASK && pmu->ebb.scr & TALLY_UBESCR_PMEO_MASK))
        return routed;
    return routed & pmu->ebb.inhibit;
}
