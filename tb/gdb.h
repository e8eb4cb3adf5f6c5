// SPDX-License-Identifier: Apache-2.0
/*
 * A debugger (GDB's remote protocol) on a machine that runs in lockstep: it reads the golden state, which is
 * that of the RTL between two instructions, caches and store queue included, and writes to both. A hart is a
 * thread.
 */
#ifndef TALLY_GDB_H
#define TALLY_GDB_H

#include "error.h"
#include "gdb_machine.h"

struct gdb;

/* Listen at `address` (gdb_link.h). The machine is copied. NULL after filling `error`. */
struct gdb *gdb_new(const char *address, const struct gdb_machine *machine, struct error *error);
void gdb_free(struct gdb *gdb);

/* An instruction retired, or a trap was taken: must the machine stop behind it? */
bool gdb_event(struct gdb *gdb, unsigned hart, const struct gh_retire *done);
/* Between slices of the run: has a debugger come, or does it want the machine to stop? */
bool gdb_asks(struct gdb *gdb);

enum gdb_order { GDB_RUN, GDB_KILL };
/* The machine has stopped, or has not begun (`wait` then waits for a debugger): serve the debugger
 * until it lets the machine run. If it disconnects, the machine runs on. */
enum gdb_order gdb_stopped(struct gdb *gdb, bool wait);
/* The run has ended with this status. */
void gdb_ended(struct gdb *gdb, int status);

#endif
