// SPDX-License-Identifier: Apache-2.0
/* State of the golden models of a hart, for waves. */
#ifndef TALLY_GOLDEN_STATE_H
#define TALLY_GOLDEN_STATE_H

#include "sim.h"
#include "tally_hart.h"

/* The part of it that is architectural state */
void golden_state(const struct gh *hart, const struct gp *pmu, struct sim_golden *view);

#endif
