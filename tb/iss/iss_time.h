// SPDX-License-Identifier: Apache-2.0
/*
 * tally-iss --timed: about how many cycles the RTL's hart takes for an instruction, from what its predictor,
 * caches and translations would have missed (iss_warm.h).
 *
 * The figures are a fit to whole runs on the RTL (default sizes, MEM_LATENCY 40; how near they come:
 * docs/farm.md). Not modelled: how instructions wait for each other's results.
 */
#ifndef TALLY_ISS_TIME_H
#define TALLY_ISS_TIME_H

#include "tally_hart.h"
#include "warm.h"

/* Of an instruction or trap, at least 1 */
unsigned iss_time_cycles(const struct warm_seen *seen, const struct gh_retire *step);

#endif
