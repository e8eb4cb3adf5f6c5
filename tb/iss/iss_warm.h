// SPDX-License-Identifier: Apache-2.0
/*
 * tally-iss --warm: what predictor, caches and translations of the RTL would hold after the instructions that
 * have retired. Instructions on wrong paths leave no trace here, and the order of misses is the program's.
 * Not modelled: translations of M-mode's accesses with MPRV; the turn of the target buffer behind
 * mispredictions; a new place of a data entry whose D bit is set.
 */
#ifndef TALLY_ISS_WARM_H
#define TALLY_ISS_WARM_H

#include "iss_hart.h"

/* Before the first cycle */
void iss_warm_begin(struct iss *iss);

/* After a cycle, for the harts that moved; RV64 */
void iss_warm_cycle(struct iss *iss, unsigned moved, const struct gh_retire *step);

#endif
