// SPDX-License-Identifier: Apache-2.0
/*
 * Attribution of overflows (event sampling draft, Sspesa and Ssplcofi; docs/sampling.md).
 */
#include "pmu_internal.h"

/* OF and LCOFIP both go from 0 to 1. With CDE=1 only delegated counters capture (docs/rulings.md, Capture).
 */
bool gp_captures(const struct gp *pmu, const struct gp_in *in, const struct gp_step *step,
                 unsigned *counter) {
    uint32_t eligible = step->lcofi & (gp_cde(pmu, &in->env) ? pmu->mcounteren : UINT32_MAX);

    if (!pmu->cfg.sspesa || !eligible || in->env.lcofip)
        return false;
    *counter = (unsigned)__builtin_ctz(eligible);
    return true;
}

unsigned gp_oldest_lane(const struct gp *pmu, const struct gp_in *in) {
    for (unsigned lane = 0; lane < pmu->cfg.retire_w; lane++)
        if (in->retire[lane].valid)
            return lane;
    return GP_NO_LANE;
}

/* docs/rulings.md, Cycle attribution */
static uint64_t exposed_pc(const struct gp *pmu, const struct gp_in *in) {
    unsigned lane = gp_oldest_lane(pmu, in);

    if (lane != GP_NO_LANE)
        return in->retire[lane].pc;
    return in->ret_flushed && !pmu->cfg.spesa_next ? in->ret_flush_pc : in->ret_next_pc;
}

/* The causal pc itself (docs/rulings.md, Exact attribution) */
uint64_t gp_captured_pc(const struct gp *pmu, const struct gp_in *in, const struct gp_step *step,
                        unsigned counter) {
    unsigned lane = step->cause[counter];

    return lane == GP_NO_LANE ? exposed_pc(pmu, in) : in->retire[lane].pc;
}

/* The number of lanes that may retire: at most as many as a counter has steps up to its wrap, so that the
 * instruction that wraps it is the last (event sampling draft, Ssplcofi). */
unsigned gp_retire_limit(const struct gp *pmu) {
    unsigned limit = pmu->cfg.retire_w;

    if (pmu->cfg.smpdis &&
        pmu->pdis.seen.track.retired) /* until the sample is judged: its interrupt has no skid */
        return 0;
    if (!pmu->cfg.sspesa || limit == 1)
        return limit;
    uint32_t armed = pmu->hpm & ~pmu->inhibit & ~gp_overflow_flags(pmu);
    for (; armed && limit > 1; armed &= armed - 1) {
        unsigned i = (unsigned)__builtin_ctz(armed);
        uint64_t steps = gp_counter_max(pmu, i) - pmu->counter[i]; /* before the one that wraps */

        if (gp_counts_retirement(pmu, i) && steps < limit)
            limit = (unsigned)steps + 1 < limit ? (unsigned)steps + 1 : limit;
    }
    return limit;
}
