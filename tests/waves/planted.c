// SPDX-License-Identifier: Apache-2.0
/*
 * A tally-sim whose lockstep finds a difference: the first value that is written to a register after so many
 * calls is shown with a wrong bit. Linked with --wrap=lockstep_cycle.
 */
#include "lockstep.h"

enum { PLANTED = 1100000 }; /* after the second copy of --wave-last */

bool __real_lockstep_cycle(struct lockstep *l, unsigned hart, const struct sim_probe *event,
                           const struct gp_in *pmu_in, const struct gp_out *pmu_out);
bool __wrap_lockstep_cycle(struct lockstep *l, unsigned hart, const struct sim_probe *event,
                           const struct gp_in *pmu_in, const struct gp_out *pmu_out);

bool __wrap_lockstep_cycle(struct lockstep *l, unsigned hart, const struct sim_probe *event,
                           const struct gp_in *pmu_in, const struct gp_out *pmu_out) {
    static unsigned calls;
    struct sim_probe wrong;
    if (++calls > PLANTED && event && event->retire && event->rd_we) {
        wrong = *event;
        wrong.rd_val ^= 1;
        event = &wrong;
    }
    return __real_lockstep_cycle(l, hart, event, pmu_in, pmu_out);
}
