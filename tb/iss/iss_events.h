// SPDX-License-Identifier: Apache-2.0
/*
 * The event wires of a machine that does one instruction a cycle, without caches, TLBs or prediction: what an
 * instruction is, and no misses.
 */
#ifndef TALLY_ISS_EVENTS_H
#define TALLY_ISS_EVENTS_H

#include "tally_hart.h"

/* Bits TALLY_EVR_x of what retired in this step; 0 if it was a trap. */
uint64_t iss_retire_events(unsigned xlen, const struct gh_retire *step);

/* Bits TALLY_EVC_x of the cycle of this step. */
uint64_t iss_cycle_events(unsigned xlen, const struct gh_retire *step);

#endif
