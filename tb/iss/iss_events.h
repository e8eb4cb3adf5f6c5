// SPDX-License-Identifier: Apache-2.0
/*
 * The event wires of a machine with one instruction per cycle, without caches, TLBs or prediction: the type
 * of the instruction, and no misses.
 */
#ifndef TALLY_ISS_EVENTS_H
#define TALLY_ISS_EVENTS_H

#include "tally_hart.h"

/* Does an instruction retire in this step (no trap, no event-based branch)? */
static inline bool iss_retires(const struct gh_retire *step) { return !step->trap && !step->ebb; }

/* Bits TALLY_EVR_x of the instruction that retired in this step; 0 if none does. */
uint64_t iss_retire_events(unsigned xlen, const struct gh_retire *step);

/* Bits TALLY_EVC_x of the cycle of this step. */
uint64_t iss_cycle_events(unsigned xlen, const struct gh_retire *step);

#endif
