// SPDX-License-Identifier: Apache-2.0
/*
 * A debugger (GDB's remote protocol) on a machine that runs in lockstep: it reads the golden state, which is
 * that of the RTL between two instructions, caches and store queue included, and writes to both. A hart is a
 * thread.
 */
#ifndef TALLY_GDB_H
#define TALLY_GDB_H

#include "error.h"
#include "soc.h"
#include "tally_hart.h"
#include "tally_pmu_model.h"

#include <stdbool.h>
#include <stdint.h>

/* The debugged machine */
struct gdb_machine {
    unsigned harts;
    const struct gh *hart[SOC_HARTS_MAX];
    const struct gp *pmu[SOC_HARTS_MAX];
    const uint8_t *ram;
    uint64_t ram_size;
    const uint64_t *rom; /* SOC_ROM_WORDS */
    /* Writes, to RTL and golden models alike. False: it cannot be done, and why() says why. */
    void *ctx;
    bool (*write_reg)(void *ctx, unsigned hart, unsigned i, uint64_t value); /* 1 to 31; 32: pc; 33: mode */
    bool (*write_csr)(void *ctx, unsigned hart, unsigned num, uint64_t value);
    bool (*write_ram)(void *ctx, uint64_t offset, const uint8_t *bytes, uint64_t n);
    const char *(*why)(void *ctx); /* a line about the last refusal */
    bool (*quit)(void);            /* does the user want to end the run? */
    uint64_t (*cycle)(void *ctx);
};

struct gdb;

/* Listen at `address` (gdb_link.h). The machine is copied. NULL after filling `error`. */
struct gdb *gdb_new(const char *address, const struct gdb_machine *machine, struct error *error);
void gdb_free(struct gdb *gdb);

/* An instruction retired, or a trap was taken: must the machine stop behind it? */
bool gdb_event(struct gdb *gdb, unsigned hart, const struct gh_retire *done);
/* Between slices of the run: has a debugger come, or does it want the machine to stop? */
bool gdb_asks(struct gdb *gdb);

enum gdb_order { GDB_RUN, GDB_KILL };
/* The machine has stopped, or has not begun (`wait` then waits for a debugger): do what the debugger says
 * until it wants the machine to run. If it goes, the machine runs on. */
enum gdb_order gdb_stopped(struct gdb *gdb, bool wait);
/* The run has ended with this status. */
void gdb_ended(struct gdb *gdb, int status);

#endif
