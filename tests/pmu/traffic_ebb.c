// SPDX-License-Identifier: Apache-2.0
/* Event-based branches: gates, routes, overflows in the cycle of a write, deliveries, uebret */
#include "traffic_parts.h"

#include <string.h>

static const struct gp_mode user = {.priv = GP_U}, supervisor = {.priv = GP_S};

static const uint16_t numbers[] = {TALLY_CSR_UBESCR,  TALLY_CSR_UEBBHR,   TALLY_CSR_UEBBRR,
                                   TALLY_CSR_UEBBOVF, TALLY_CSR_UEBBINH,  TALLY_CSR_UEBBSEL,
                                   TALLY_CSR_UEBBCNT, TALLY_CSR_UEBBCNTH, TALLY_CSR_UEBBSPC,
                                   TALLY_CSR_SEBBCTL, TALLY_CSR_MEBBCTL};
enum { N_NUMBERS = sizeof(numbers) / sizeof(numbers[0]) };
enum { ALL_BITS = TALLY_UBESCR_PMEO_MASK | TALLY_UBESCR_PME_MASK | TALLY_UBESCR_FZ_MASK };

/* ubescr: any of its bits, mostly. */
static uint64_t some_status(struct traffic *t) {
    uint64_t bits = rng_64(&t->rng);

    return rng_chance(&t->rng, 240) ? bits & (ALL_BITS | TALLY_UBESCR_GE_MASK) : bits;
}

/* sebbctl: EN and WIN mostly 1. */
static uint64_t some_control(struct traffic *t) {
    uint64_t routes = rng_dense(&t->rng, 4 + rng_below(&t->rng, 12)) & UINT32_MAX & ~UINT64_C(7);
    unsigned chance = t->mood.open ? 240 : 128;

    return routes | (rng_chance(&t->rng, chance) ? TALLY_SEBBCTL_EN_MASK : 0) |
           (rng_chance(&t->rng, chance) ? TALLY_SEBBCTL_WIN_MASK : 0) | rng_below(&t->rng, 2) << 1;
}

/* A value for one of the numbers, and often one that matters there. */
static uint64_t some_content(struct traffic *t, unsigned num) {
    switch (num) {
    case TALLY_CSR_UBESCR:
        return some_status(t);
    case TALLY_CSR_SEBBCTL:
        return some_control(t);
    case TALLY_CSR_MEBBCTL:
        return rng_chance(&t->rng, t->mood.open ? 240 : 128);
    case TALLY_CSR_UEBBSEL:
        return some_counter(t);
    case TALLY_CSR_UEBBCNT:
        return near_overflow(t);
    case TALLY_CSR_UEBBINH:
        return rng_dense(&t->rng, 3);
    case TALLY_CSR_UEBBSPC:
        return some_pc(t);
    default:
        return some_value(t);
    }
}

/* An access in M-mode that prepares a branch. */
void serve_branches(struct traffic *t) {
    unsigned num = numbers[rng_below(&t->rng, N_NUMBERS)];

    csr_access(t, num, rng_chance(&t->rng, 160) ? GP_WRITE : rng_below(&t->rng, 4), some_content(t, num));
}

/* Accesses of one of the modes under any gates. */
void plan_branch_rights(struct traffic *t) {
    t->in.env.mstateen0 = rng_chance(&t->rng, 128) ? UINT64_MAX : rng_64(&t->rng);
    t->in.env.sstateen0 = rng_word(&t->rng);
    plan(t, TALLY_CSR_MEBBCTL, GP_WRITE, rng_chance(&t->rng, 144));
    plan(t, TALLY_CSR_SEBBCTL, GP_WRITE, some_control(t) ^ rng_below(&t->rng, 8));
    for (unsigned n = 4 + rng_below(&t->rng, 8); n; n--) {
        unsigned num = numbers[rng_below(&t->rng, N_NUMBERS)];
        struct gp_mode mode = user;

        if (rng_chance(&t->rng, 128))
            some_mode(t, &mode);
        plan_in(t, &mode, num, rng_below(&t->rng, 4), some_content(t, num));
    }
}

/* The write that may meet an overflow: mostly by the user, through the window, to what the overflow changes.
 */
static void plan_meeting(struct traffic *t, unsigned i) {
    static const uint16_t met[] = {TALLY_CSR_UBESCR,  TALLY_CSR_UBESCR,  TALLY_CSR_UEBBOVF, TALLY_CSR_UEBBOVF,
                                   TALLY_CSR_UEBBCNT, TALLY_CSR_UEBBCNT, TALLY_CSR_SEBBCTL, TALLY_CSR_MEBBCTL,
                                   TALLY_CSR_UEBBSPC, TALLY_CSR_UEBBINH};
    static const struct gp_mode machine = {.priv = GP_M};
    unsigned num = met[rng_below(&t->rng, sizeof(met) / sizeof(met[0]))], op = rng_below(&t->rng, 4);
    bool above = num == TALLY_CSR_MEBBCTL || t->pinned.priv != GP_U || t->pinned.v;
    const struct gp_mode *who = above || rng_chance(&t->rng, 32) ? &machine
                                : num == TALLY_CSR_SEBBCTL       ? &supervisor
                                                                 : &user;
    uint64_t value = some_content(t, num);

    if (num == TALLY_CSR_UEBBOVF)
        value = rng_chance(&t->rng, 160) ? UINT32_C(1) << i : rng_word(&t->rng);
    if (num == TALLY_CSR_SEBBCTL && rng_chance(&t->rng, 160))
        value = UINT32_C(1) << i | TALLY_SEBBCTL_EN_MASK | TALLY_SEBBCTL_WIN_MASK;
    if (t->cfg->xlen == 32 && num == TALLY_CSR_UEBBCNT && rng_chance(&t->rng, 128))
        num = TALLY_CSR_UEBBCNTH;
    if (rng_chance(&t->rng, 16))
        plan_clear(t, TALLY_CSR_MCOUNTINHIBIT + i, ROW_EVENTH + i, TALLY_MHPMEVENT_OF_MASK);
    else
        plan_in(t, who, num, op, value);
}

/* Counter `i` once more near its end, without its flag: only a plan's first overflow finds PME=1. */
static void plan_again(struct traffic *t, unsigned i, unsigned spread) {
    if (rng_chance(&t->rng, 128)) /* a write of the counter itself replaces the overflow */
        plan(t, TALLY_CSR_UEBBSEL, GP_WRITE, rng_below(&t->rng, 32));
    plan(t, TALLY_CSR_MCOUNTINHIBIT, GP_SET, UINT32_C(1) << i);
    plan_wide(t, TALLY_CSR_MCYCLE + i, TALLY_CSR_MCYCLEH + i,
              but_for_a_bit(t, 16, -(uint64_t)(1 + rng_below(&t->rng, spread))));
    plan_clear(t, TALLY_CSR_MCOUNTINHIBIT + i, ROW_EVENTH + i, TALLY_MHPMEVENT_OF_MASK);
    plan(t, TALLY_CSR_UBESCR, GP_WRITE, some_status(t) & ~UINT64_C(1));
    plan(t, TALLY_CSR_MCOUNTINHIBIT, GP_CLEAR, UINT32_C(1) << i);
}

/* Another counter counts the resulting events. */
static void plan_witness(struct traffic *t, unsigned i) {
    plan_wide(t, TALLY_CSR_MCOUNTINHIBIT + i, ROW_EVENTH + i,
              rng_chance(&t->rng, 128) ? TALLY_EV_EBB_BRANCHES : TALLY_EV_EBB_UNHEARD);
}

/* Some counters, routed or not, are let go near their end in a mode that is mostly U, and writes meet their
 * overflows. */
void plan_branch(struct traffic *t) {
    static const uint64_t frequent[] = {TALLY_EV_INST_RET, TALLY_EV_CYCLES_HART, TALLY_EV_CYCLES_BUS,
                                        TALLY_EV_TOPDOWN_SLOTS};
    uint64_t selector = rng_chance(&t->rng, 224) ? frequent[rng_below(&t->rng, 4)] : some_selector(t);
    unsigned spread = rng_chance(&t->rng, 64) ? 1 : 8, n = 1 + rng_below(&t->rng, 5);
    unsigned first = some_counter(t), i = first;
    uint32_t routes = rng_chance(&t->rng, 128) ? UINT32_MAX : rng_word(&t->rng);

    t->pinned = rng_chance(&t->rng, 128) ? user : *nth_mode(t, rng_below(&t->rng, 8));
    if ((t->pinned.priv != GP_U || t->pinned.v) &&
        rng_chance(&t->rng, 208)) /* routed ones do not count there */
        routes = 0;
    t->in.env.cde = t->mood.open || rng_chance(&t->rng, 240);
    t->in.env.mstateen0 = UINT64_MAX;
    t->in.env.sstateen0 = rng_chance(&t->rng, 240) ? UINT32_MAX : 0;
    plan(t, TALLY_CSR_MCOUNTINHIBIT, GP_WRITE, UINT32_MAX);
    if (rng_chance(&t->rng, 128))
        plan(t, TALLY_CSR_MCOUNTEREN, GP_SET, UINT32_MAX);
    plan(t, TALLY_CSR_MEBBCTL, GP_WRITE, 1);
    plan(t, TALLY_CSR_SEBBCTL, GP_WRITE,
         (routes & ~7u) | TALLY_SEBBCTL_EN_MASK | (rng_chance(&t->rng, 240) ? TALLY_SEBBCTL_WIN_MASK : 0));
    if (rng_chance(&t->rng, 200))
        plan(t, TALLY_CSR_UEBBINH, GP_WRITE, rng_dense(&t->rng, 2));
    for (unsigned k = 0; k < n; k++) {
        i = 3 + (first + k) % (t->cfg->hpm_n ? t->cfg->hpm_n : 1);
        plan_wide(t, TALLY_CSR_MCYCLE + i, TALLY_CSR_MCYCLEH + i,
                  but_for_a_bit(t, 16, -(uint64_t)(1 + rng_below(&t->rng, spread))));
        plan_wide(t, TALLY_CSR_MCOUNTINHIBIT + i, ROW_EVENTH + i,
                  selector | (rng_chance(&t->rng, 24) ? TALLY_MHPMEVENT_OF_MASK : 0));
    }
    if (n < t->cfg->hpm_n && rng_chance(&t->rng, 64))
        plan_witness(t, 3 + (first + n) % t->cfg->hpm_n);
    plan(t, TALLY_CSR_UEBBSEL, GP_WRITE, i);
    if (rng_chance(&t->rng, 16))
        plan(t, rng_chance(&t->rng, 128) ? TALLY_CSR_UEBBHR : TALLY_CSR_UEBBRR, GP_WRITE, some_pc(t));
    plan(t, TALLY_CSR_UBESCR, GP_WRITE, some_status(t) & ~(rng_chance(&t->rng, 192) ? UINT64_C(1) : 0));
    plan(t, TALLY_CSR_MCOUNTINHIBIT, GP_WRITE, 0);
    for (unsigned k = 2 + rng_below(&t->rng, 8); k; k--)
        plan_meeting(t, i);
    for (unsigned again = 1 + rng_below(&t->rng, 5); again; again--) {
        plan_again(t, i, spread);
        for (unsigned k = 2 + rng_below(&t->rng, 3); k; k--)
            plan_meeting(t, i);
    }
    t->pin = t->planned + rng_below(&t->rng, 12);
}

void traffic_stall(struct traffic *t) {
    t->held = true;
    t->held_csr = t->in.csr;
    t->in.csr.valid = false;
    memset(t->in.ev_retire, 0, sizeof(t->in.ev_retire));
    for (unsigned lane = 0; lane < t->cfg->retire_w; lane++)
        t->in.retire[lane].valid = false;
}

/* The host's side of event-based branches, given the unit's answers of this state and mode. It lets
 * nothing retire beside a delivery, and nothing else beside uebret. */
void traffic_branch(struct traffic *t, bool request, bool returns) {
    struct gp_in *in = &t->in;

    t->still = false;
    in->ret_uebret = false;
    in->ret_uebret_ge = rng_chance(&t->rng, 128);
    in->ebb_ack = request ? rng_chance(&t->rng, 160) : rng_chance(&t->rng, 8);
    if (in->ebb_ack && request) {
        traffic_stall(t);
        t->still = true;
        return;
    }
    bool legal = returns && !in->mode.halted && !in->mode.debug;
    if (!legal || in->csr.valid || t->held || !rng_chance(&t->rng, 24))
        return;
    traffic_stall(t);
    t->held = false;
    in->csr.num = 0;
    in->ret_uebret = t->still = true;
}

/* uebret retires in lane 0, if something may retire. */
void traffic_return(struct traffic *t, bool may_retire) {
    struct gp_retire_lane *l = &t->in.retire[0];

    if (!t->cfg->ebb || !t->in.ret_uebret)
        return;
    if (!may_retire) {
        t->in.ret_uebret = false;
        return;
    }
    l->valid = true;
    l->mode = GP_U;
    t->in.ev_retire[0] = UINT64_C(1) << TALLY_EVR_INST | UINT64_C(1) << TALLY_EVR_TRET;
}
