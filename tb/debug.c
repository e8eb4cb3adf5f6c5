// SPDX-License-Identifier: Apache-2.0
#include "debug.h"

#include "gdb_state.h"
#include "held.h"
#include "terminal.h"

#include <stdlib.h>

_Static_assert((int)GDB_PC == (int)HELD_PC && (int)GDB_MODE == (int)HELD_MODE, "numbers of registers");

enum { IDLE = 4096 }; /* cycles without an instruction, after which a hart is stopped where it is */

struct debug {
    struct gdb *gdb;
    struct held held;
    bool first, asked; /* stop: in the first cycle, at the next instruction */
    uint64_t asked_at;
};

static uint64_t cycle(void *ctx) {
    const struct debug *d = ctx;
    return d->held.sim->cycle;
}

static const char *why(void *ctx) {
    const struct debug *d = ctx;
    return d->held.refusal;
}

static bool write_reg(void *ctx, unsigned hart, unsigned i, uint64_t value) {
    return held_reg(&((struct debug *)ctx)->held, hart, i, value);
}

static bool write_csr(void *ctx, unsigned hart, unsigned num, uint64_t value) {
    return held_csr(&((struct debug *)ctx)->held, hart, num, value);
}

static bool write_ram(void *ctx, uint64_t offset, const uint8_t *bytes, uint64_t n) {
    return held_ram(&((struct debug *)ctx)->held, offset, bytes, n);
}

/* --- stops --- */

void debug_cycle(struct debug *d, unsigned hart, bool event) {
    struct sim *const sim = d->held.sim;
    d->held.event[hart] = event;
    if (d->held.on)
        return;
    if (event && gdb_event(d->gdb, hart, d->held.golden[hart].done))
        sim->pause = true;
    if (d->first || (d->asked && (event || sim->cycle - d->asked_at > IDLE)))
        sim->pause = true;
}

void debug_poll(struct debug *d) {
    if (d->asked || !gdb_asks(d->gdb))
        return;
    d->asked = true;
    d->asked_at = d->held.sim->cycle;
}

bool debug_turn(struct debug *d, unsigned flags) {
    const bool wait = d->first;
    d->first = d->asked = false;
    d->held.flags = flags & ~(unsigned)SIM_WATCH;
    const enum gdb_order order = gdb_stopped(d->gdb, wait);
    held_end(&d->held);
    return order == GDB_KILL || terminal_interrupted();
}

bool debug_exited(const struct debug *d) { return d->held.exited; }

void debug_ended(struct debug *d, int status) { gdb_ended(d->gdb, status); }

struct debug *debug_open(struct sim *sim, const struct machine *machine, struct lockstep *lockstep,
                         struct cycles *const *cycles, const char *address, bool wait, struct error *error) {
    struct debug *d = calloc(1, sizeof *d);
    struct gdb_machine m = {.harts = sim->harts,
                            .ram_size = machine->memory.size,
                            .rom = machine->rom,
                            .ctx = d,
                            .write_reg = write_reg,
                            .write_csr = write_csr,
                            .write_ram = write_ram,
                            .why = why,
                            .quit = terminal_interrupted,
                            .cycle = cycle};
    if (!d) {
        error_set(error, "not enough memory for the debugger");
        return NULL;
    }
    held_init(&d->held, sim, lockstep, cycles);
    d->first = wait;
    for (unsigned h = 0; h < m.harts; h++) {
        m.hart[h] = d->held.golden[h].hart;
        m.pmu[h] = d->held.golden[h].pmu;
        m.ram = d->held.golden[h].ram;
    }
    d->gdb = gdb_new(address, &m, error);
    if (d->gdb)
        return d;
    free(d);
    return NULL;
}

void debug_free(struct debug *d) {
    if (d)
        gdb_free(d->gdb);
    free(d);
}
