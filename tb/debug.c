// SPDX-License-Identifier: Apache-2.0
#include "debug.h"

#include "gdb_state.h"
#include "terminal.h"

#include "tally_spec.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PC = GDB_PC, MODE = GDB_MODE, M_MODE = 3 };
enum {
    IDLE = 4096,        /* cycles without an instruction, after which a hart is stopped where it is */
    REST = 128,         /* cycles in which nothing may be under way, besides the latency of memory */
    REST_LIMIT = 20000, /* ... and how long to wait for them */
    DECODE = 3,         /* cycles from a CSR's number to its access */
    FOLLOW = 4,         /* cycles until all logic has seen what was written */
    EMPTY = 96,         /* cycles until a cache is empty: its sets, and some */
};

struct debug {
    struct gdb *gdb;
    struct sim *sim;
    struct cycles *const *cycles;
    struct lockstep_state golden[SOC_HARTS_MAX];
    unsigned flags;
    bool event[SOC_HARTS_MAX]; /* an instruction retired, or a trap was taken, in this cycle */
    bool first, asked;         /* stop: in the first cycle, at the next instruction */
    uint64_t asked_at;
    bool held, stale, failed, exited; /* stale: caches and translations are to be emptied */
    char refusal[160];
};

static uint64_t cycle(void *ctx) {
    const struct debug *d = ctx;
    return d->sim->cycle;
}

static const char *why(void *ctx) {
    const struct debug *d = ctx;
    return d->refusal;
}

__attribute__((format(printf, 2, 3))) static bool refuse(struct debug *d, const char *format, ...) {
    va_list args;
    va_start(args, format);
    /* NOLINTNEXTLINE(clang-analyzer-valist.Uninitialized): va_start is the line above */
    vsnprintf(d->refusal, sizeof d->refusal, format, args);
    va_end(args);
    return false;
}

/* --- held harts --- */

static bool run_on(struct debug *d, unsigned cycles) {
    const uint64_t until = d->sim->cycle + cycles;
    while (!d->failed && d->sim->cycle < until) {
        const enum sim_stop stop = d->sim->ops->run(d->sim, until, d->flags);
        d->exited |= stop == SIM_EXIT;
        d->failed = stop == SIM_OBSERVER;
    }
    return !d->failed || refuse(d, "lockstep has found a difference");
}

static bool rest(struct debug *d) {
    const unsigned enough = REST + 2 * d->sim->ops->mem_latency;
    for (unsigned waited = 0, quiet = 0; quiet < enough; waited++) {
        if (waited == REST_LIMIT)
            return refuse(d, "the machine does not come to rest");
        if (!run_on(d, 1))
            return false;
        quiet = d->sim->ops->idle(d->sim) ? quiet + 1 : 0;
    }
    return true;
}

static void let_go(struct debug *d) {
    if (d->stale) {
        d->sim->ops->forget(d->sim, true);
        run_on(d, 1);
        d->sim->ops->forget(d->sim, false);
        run_on(d, EMPTY);
        for (unsigned h = 0; h < d->sim->harts; h++)
            gh_forget_translations(d->golden[h].hart);
    }
    if (d->held)
        run_on(d, FOLLOW);
    d->sim->ops->hold(d->sim, false);
    d->held = d->stale = false;
}

static bool hold(struct debug *d) {
    if (d->held)
        return !d->failed;
    for (unsigned h = 0; h < d->sim->harts; h++)
        if (!d->event[h] && !d->sim->ops->may_hold(d->sim, h))
            return refuse(d,
                          "hart %u has begun what it can't take back (an atomic operation, a device, a CSR): "
                          "step it first",
                          h);
    d->sim->ops->hold(d->sim, true);
    d->held = true;
    if (rest(d))
        return true;
    let_go(d);
    return false;
}

/* --- writes --- */

static bool write_reg(void *ctx, unsigned hart, unsigned i, uint64_t value) {
    struct debug *d = ctx;
    struct gh *model = d->golden[hart].hart;
    if (i == PC && value & 1)
        return refuse(d, "the pc is even");
    if (i == MODE && (value > M_MODE || value == 2))
        return refuse(d, "the mode is 0 (U), 1 (S) or 3 (M)");
    if (!hold(d))
        return false;
    if (i == PC && d->cycles[hart])
        cycles_moved(d->cycles[hart], gh_pc(model));
    d->sim->ops->set_reg(d->sim, hart, i, value);
    if (i == PC)
        gh_set_pc(model, value);
    else if (i == MODE)
        gh_set_priv(model, (unsigned)value);
    else
        gh_set_reg(model, i, value);
    d->stale |= i == MODE;
    return true;
}

/* Does it exist, and may M-mode write it? `*pmu`: it is the unit's. */
static bool writable(const struct debug *d, unsigned hart, unsigned num, uint64_t value, bool *pmu) {
    const struct gp_csr access = {.valid = true, .op = 1, .priv = GP_M, .num = (uint16_t)num, .wdata = value};
    const struct gp_env env = {.time = 0};
    uint64_t ignored;
    bool known = false;
    const enum gp_answer answer = gp_csr_answer(d->golden[hart].pmu, &access, &env, &ignored);
    *pmu = answer != GP_CSR_NOT_MINE;
    if (!*pmu)
        gh_csr_peek(d->golden[hart].hart, num, &known);
    return answer == GP_CSR_OK || (known && num >> 10 != 3);
}

/* The RTL makes the access as an instruction of M-mode would; the golden PMU sees it at its ports. */
static bool write_csr(void *ctx, unsigned hart, unsigned num, uint64_t value) {
    struct debug *d = ctx;
    const struct sim_ops *ops = d->sim->ops;
    const struct lockstep_state *golden = &d->golden[hart];
    bool pmu;
    if (!writable(d, hart, num, value, &pmu))
        return refuse(d, "a CSR that can't be written");
    if (!hold(d))
        return false;
    ops->set_reg(d->sim, hart, MODE, M_MODE);
    ops->drive_csr(d->sim, hart, num, value, false);
    bool ok = run_on(d, DECODE);
    ops->drive_csr(d->sim, hart, num, value, true);
    ok = ok && run_on(d, 1);
    ops->drive_csr(d->sim, hart, num, value, false);
    ok = ok && run_on(d, 1) && (pmu || gh_csr_poke(golden->hart, num, value));
    ops->drive_csr(d->sim, hart, 0, 0, false);
    ops->set_reg(d->sim, hart, MODE, gh_priv(golden->hart));
    *golden->csrs_due = true;
    d->stale = true;
    return ok && run_on(d, FOLLOW);
}

static bool write_ram(void *ctx, uint64_t offset, const uint8_t *bytes, uint64_t n) {
    struct debug *d = ctx;
    if (!hold(d))
        return false;
    memcpy(d->sim->ram + offset, bytes, n);
    memcpy(d->golden[0].ram + offset, bytes, n);
    for (unsigned h = 0; h < d->sim->harts; h++)
        gh_forget_translations(d->golden[h].hart);
    return d->stale = true;
}

/* --- stops --- */

void debug_cycle(struct debug *d, unsigned hart, bool event) {
    d->event[hart] = event;
    if (d->held)
        return;
    if (event && gdb_event(d->gdb, hart, d->golden[hart].done))
        d->sim->pause = true;
    if (d->first || (d->asked && (event || d->sim->cycle - d->asked_at > IDLE)))
        d->sim->pause = true;
}

void debug_poll(struct debug *d) {
    if (d->asked || !gdb_asks(d->gdb))
        return;
    d->asked = true;
    d->asked_at = d->sim->cycle;
}

bool debug_turn(struct debug *d, unsigned flags) {
    const bool wait = d->first;
    d->first = d->asked = false;
    d->flags = flags & ~(unsigned)SIM_WATCH;
    const enum gdb_order order = gdb_stopped(d->gdb, wait);
    let_go(d);
    return order == GDB_KILL || terminal_interrupted();
}

bool debug_exited(const struct debug *d) { return d->exited; }

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
    d->sim = sim;
    d->cycles = cycles;
    d->first = wait;
    strcpy(d->refusal, "nothing was refused");
    for (unsigned h = 0; h < m.harts; h++) {
        d->golden[h] = lockstep_state(lockstep, h);
        m.hart[h] = d->golden[h].hart;
        m.pmu[h] = d->golden[h].pmu;
        m.ram = d->golden[h].ram;
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
