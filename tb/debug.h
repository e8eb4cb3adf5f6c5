// SPDX-License-Identifier: Apache-2.0
/* The machine of tally-sim for a debugger. */
#ifndef TALLY_DEBUG_H
#define TALLY_DEBUG_H

#include "gdb.h"
#include "lockstep.h"

/* Listen at `address`. NULL after filling `error`. */
struct gdb *debug_open(struct sim *sim, const struct machine *machine, struct lockstep *lockstep,
                       const char *address, struct error *error);

#endif
