// SPDX-License-Identifier: Apache-2.0
#include "held.h"

#include "tally_spec.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum {
    REST = 128,         /* idle cycles required, besides the latency of memory */
    REST_LIMIT = 20000, /* ... and the longest wait for them */
    DECODE = 3,         /* cycles from a CSR's number to its access */
    READY = 2,          /* ... and until it is performed, at most */
    EMPTY = 96,         /* cycles until a cache is empty: its sets and a margin */
};

void held_init(struct held *h, struct sim *sim, struct lockstep *lockstep, struct cycles *const *cycles) {
    *h = (struct held){.sim = sim, .cycles = cycles, .refusal = "nothing was refused"};
    for (unsigned i = 0; i < sim->harts; i++)
        h->golden[i] = lockstep_state(lockstep, i);
}

bool held_refuse(struct held *h, const char *format, ...) {
    va_list args;
    va_start(args, format);
    /* NOLINTNEXTLINE(clang-analyzer-valist.Uninitialized): va_start is the line above */
    vsnprintf(h->refusal, sizeof h->refusal, format, args);
    va_end(args);
    return false;
}

/* --- held harts --- */

bool held_run(struct held *h, unsigned cycles) {
    const uint64_t until = h->sim->cycle + cycles;
    while (!h->failed && h->sim->cycle < until) {
        const enum sim_stop stop = h->sim->ops->run(h->sim, until, h->flags);
        h->exited |= stop == SIM_EXIT;
        h->failed = stop == SIM_OBSERVER;
    }
    return !h->failed || held_refuse(h, "lockstep has found a difference");
}

static bool rest(struct held *h) {
    const unsigned enough = REST + 2 * h->sim->ops->mem_latency;
    for (unsigned waited = 0, quiet = 0; quiet < enough; waited++) {
        if (waited == REST_LIMIT)
            return held_refuse(h, "the machine does not come to rest");
        if (!held_run(h, 1))
            return false;
        quiet = h->sim->ops->idle(h->sim) ? quiet + 1 : 0;
    }
    return true;
}

void held_forget(struct held *h) {
    if (!h->stale)
        return;
    h->stale = false;
    h->sim->ops->forget(h->sim, true);
    held_run(h, 1);
    h->sim->ops->forget(h->sim, false);
    held_run(h, EMPTY);
    for (unsigned i = 0; i < h->sim->harts; i++)
        gh_forget_translations(h->golden[i].hart);
}

void held_end(struct held *h) {
    held_forget(h);
    if (h->on)
        held_run(h, HELD_FOLLOW);
    h->sim->ops->hold(h->sim, false);
    h->on = false;
}

bool held_begin(struct held *h) {
    if (h->on)
        return !h->failed;
    for (unsigned i = 0; i < h->sim->harts; i++)
        if (!h->event[i] && !h->sim->ops->may_hold(h->sim, i))
            return held_refuse(
                h,
                "hart %u has begun what it can't take back (an atomic operation, a device, a CSR): "
                "step it first",
                i);
    h->sim->ops->hold(h->sim, true);
    h->on = true;
    if (rest(h))
        return true;
    held_end(h);
    return false;
}

/* --- writes --- */

bool held_reg(struct held *h, unsigned hart, unsigned i, uint64_t value) {
    struct gh *model = h->golden[hart].hart;
    if (i == HELD_PC && value & 1)
        return held_refuse(h, "the pc is even");
    if (i == HELD_MODE && (value > TALLY_PRIV_M || value == 2))
        return held_refuse(h, "the mode is 0 (U), 1 (S) or 3 (M)");
    if (!held_begin(h))
        return false;
    if (i == HELD_PC && h->cycles[hart])
        cycles_moved(h->cycles[hart], gh_pc(model));
    h->sim->ops->set_reg(h->sim, hart, i, value);
    if (i == HELD_PC)
        gh_set_pc(model, value);
    else if (i == HELD_MODE)
        gh_set_priv(model, (unsigned)value);
    else
        gh_set_reg(model, i, value);
    h->stale |= i == HELD_MODE;
    return true;
}

/* Does it exist, and may M-mode write it? `*pmu`: it is the unit's. */
static bool writable(const struct held *h, unsigned hart, unsigned num, uint64_t value, bool *pmu) {
    const struct gp_csr access = {.valid = true, .op = 1, .priv = GP_M, .num = (uint16_t)num, .wdata = value};
    const struct gp_env env = {.time = 0};
    uint64_t ignored;
    bool known = false;
    const enum gp_answer answer = gp_csr_answer(h->golden[hart].pmu, &access, &env, &ignored);
    *pmu = answer != GP_CSR_NOT_MINE;
    if (!*pmu)
        gh_csr_peek(h->golden[hart].hart, num, &known);
    return answer == GP_CSR_OK || (known && num >> 10 != 3);
}

/* The RTL makes the access as an instruction of M-mode would; the golden PMU sees it at its ports. */
bool held_csr(struct held *h, unsigned hart, unsigned num, uint64_t value) {
    const struct sim_ops *ops = h->sim->ops;
    const struct lockstep_state *golden = &h->golden[hart];
    bool pmu;
    if (!writable(h, hart, num, value, &pmu))
        return held_refuse(h, "a CSR that can't be written");
    if (!held_begin(h))
        return false;
    ops->set_reg(h->sim, hart, HELD_MODE, TALLY_PRIV_M);
    ops->drive_csr(h->sim, hart, num, value, false);
    bool ok = held_run(h, DECODE);
    ops->drive_csr(h->sim, hart, num, value, true);
    ok = ok && held_run(h, 1);
    ops->drive_csr(h->sim, hart, num, value, false);
    ok = ok && held_run(h, READY) && (pmu || gh_csr_poke(golden->hart, num, value));
    ops->drive_csr(h->sim, hart, 0, 0, false);
    ops->set_reg(h->sim, hart, HELD_MODE, gh_priv(golden->hart));
    *golden->csrs_due = true;
    h->stale = true;
    return ok && held_run(h, HELD_FOLLOW);
}

bool held_ram(struct held *h, uint64_t offset, const uint8_t *bytes, uint64_t n) {
    if (!held_begin(h))
        return false;
    memcpy(h->sim->ram + offset, bytes, n);
    memcpy(h->golden[0].ram + offset, bytes, n);
    for (unsigned i = 0; i < h->sim->harts; i++)
        gh_forget_translations(h->golden[i].hart);
    return h->stale = true;
}
