// SPDX-License-Identifier: Apache-2.0
/* A run of tally-sim: the machine, its observers, and the conditions of actions. */
#ifndef TALLY_RUN_H
#define TALLY_RUN_H

#include "run_state.h"

double run_seconds(const struct run *run);   /* since it began */
uint64_t run_retired(const struct run *run); /* instructions of all harts */

/* struct sim_observer's, and the receiver of the console */
bool run_observe(void *run, unsigned hart, const struct sim_probe *event, const struct gp_in *pmu_in,
                 const struct gp_out *pmu_out);
bool run_printed(void *run, uint8_t byte);
/* relay_receiver: the golden models and the oracles */
bool run_check(void *run, struct sim *seen, unsigned hart, const struct sim_probe *event,
               const struct gp_in *pmu_in, const struct gp_out *pmu_out);

int run_loop(struct run *run, struct error *error); /* until its end; returns the exit status */

#endif
