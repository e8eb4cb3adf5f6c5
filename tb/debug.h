// SPDX-License-Identifier: Apache-2.0
/*
 * The machine of tally-sim for a debugger: stops and writes.
 *
 * It stops before the clock edge that follows an instruction. A debugger that only reads leaves no trace: the
 * run goes on with that edge. For the first write the harts are held between two instructions, until stores
 * have left and nothing is under way; then RTL and golden models get the same value.
 */
#ifndef TALLY_DEBUG_H
#define TALLY_DEBUG_H

#include "cycles.h"
#include "gdb.h"
#include "lockstep.h"

struct debug;

/* Listen at `address`; `wait`: stop in the first cycle and wait for a debugger. `cycles`: of each hart, or
 * NULL. NULL after filling `error`. */
struct debug *debug_open(struct sim *sim, const struct machine *machine, struct lockstep *lockstep,
                         struct cycles *const *cycles, const char *address, bool wait, struct error *error);
void debug_free(struct debug *debug);

/* In every cycle for every hart, by the observer: pauses the simulation where the machine must stop. */
void debug_cycle(struct debug *debug, unsigned hart, bool event);
/* Between slices of the run: does a debugger want the machine to stop? */
void debug_poll(struct debug *debug);
/* After SIM_PAUSED: serve the debugger, and nothing else; `flags` are those of the run. True: it ends
 * the run. */
bool debug_turn(struct debug *debug, unsigned flags);
/* Has the program ended during the turn? */
bool debug_exited(const struct debug *debug);
/* The run has ended with this status. */
void debug_ended(struct debug *debug, int status);

#endif
