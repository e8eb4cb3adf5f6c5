// SPDX-License-Identifier: Apache-2.0
#ifndef TALLY_ISS_PREDICTOR_H
#define TALLY_ISS_PREDICTOR_H

#include "tally_hart.h"
#include "warm.h"

/* An instruction has retired: if it is a control transfer, the predictor learns it. */
void iss_predictor_learn(struct warm *warm, const struct gh_retire *step, uint64_t satp);

#endif
