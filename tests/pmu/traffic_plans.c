// SPDX-License-Identifier: Apache-2.0
/* Plans: short sequences of accesses for situations that are rare by chance */
#include "traffic_parts.h"

#include <stddef.h>

/* One access to a counter or its event, by any way that there is. */
static void plan_touch(struct traffic *t, unsigned i) {
    static const struct gp_mode supervisor = {.priv = GP_S};
    bool high = t->cfg->xlen == 32 && rng_chance(&t->rng, 128);
    unsigned op = 1 + rng_below(&t->rng, 3);
    uint64_t top = TALLY_MHPMEVENT_OF_MASK >> (high ? 32 : 0);

    switch (rng_below(&t->rng, t->cfg->andes ? 14 : 7)) {
    case 6:
        plan_in(t, &supervisor, TALLY_CSR_SCOUNTINHIBIT, op, UINT32_C(1) << i);
        break;
    case 7:
    case 12:
    case 13:
        plan_in(t, &supervisor, TALLY_CSR_SCOUNTEROVF, op, UINT32_C(1) << i);
        break;
    case 9:
        plan_in(t, &supervisor, TALLY_CSR_SCOUNTERINHIBIT, op, UINT32_C(1) << i);
        break;
    case 10:
        plan_in(t, &supervisor, (high ? TALLY_CSR_CYCLEH : TALLY_CSR_CYCLE) + i, op, near_overflow(t));
        break;
    case 11:
        plan(t, TALLY_CSR_MCOUNTERMASK_M + rng_below(&t->rng, 3), op, UINT32_C(1) << i);
        break;
    case 0:
        plan(t, (high ? TALLY_CSR_MCYCLEH : TALLY_CSR_MCYCLE) + i, op, near_overflow(t));
        break;
    case 1:
    case 8:
        plan(t, TALLY_CSR_MCOUNTEROVF, op, UINT32_C(1) << i);
        break;
    case 2:
        plan(t, TALLY_CSR_MCOUNTINHIBIT, op, UINT32_C(1) << i);
        break;
    default:
        plan(t, (high ? ROW_EVENTH : TALLY_CSR_MCOUNTINHIBIT) + i, op,
             rng_chance(&t->rng, 128) ? top : some_selector(t));
        break;
    }
}

/* The k-th of the counters that exist: mcycle, minstret, 3, 4, ... and round again. */
static unsigned existing_counter(struct traffic *t, unsigned k) {
    k %= t->cfg->hpm_n + 2;
    return k == 0 ? 0 : k + 1;
}

/* Counters that are let go together, a step or some before they wrap, and a write to one of them just then.
 */
static void plan_overflow(struct traffic *t) {
    static const uint64_t frequent[] = {TALLY_EV_INST_RET, TALLY_EV_CYCLES_HART, TALLY_EV_CYCLES_BUS,
                                        TALLY_EV_TOPDOWN_SLOTS};
    static const uint32_t andes[] = {0, 5, UINT32_MAX};
    uint64_t selector = rng_chance(&t->rng, 200) ? frequent[rng_below(&t->rng, 4)] : some_selector(t);
    uint64_t flag = rng_chance(&t->rng, 128) ? TALLY_MHPMEVENT_OF_MASK : 0;
    unsigned steps = rng_chance(&t->rng, 128) ? 1 : 1 + rng_below(&t->rng, 12), n = 1 + rng_below(&t->rng, 6);
    unsigned first = rng_chance(&t->rng, 64) ? 0 : rng_below(&t->rng, 32), i = 0;

    if (rng_chance(&t->rng, t->cfg->andes ? 112 : 64)) { /* mcycle or minstret alone */
        first = rng_below(&t->rng, 2);
        n = 1;
        if (flag) { /* its flag has no register to be written in */
            i = existing_counter(t, first);
            plan(t, TALLY_CSR_MCOUNTINHIBIT, GP_WRITE, 0);
            plan_wide(t, TALLY_CSR_MCYCLE + i, TALLY_CSR_MCYCLEH + i, UINT64_MAX);
            plan(t, TALLY_CSR_SISELECT, GP_READ, 0);
        }
    }
    if (t->cfg->comb_n && rng_chance(&t->rng, 80))
        selector = some_combination(t);
    plan(t, TALLY_CSR_MCOUNTINHIBIT, GP_WRITE, UINT32_MAX);
    if (!flag)
        plan(t, TALLY_CSR_MCOUNTEROVF, GP_WRITE, UINT32_MAX);
    if (rng_chance(&t->rng, 160))
        plan(t, TALLY_CSR_MCOUNTERINEN, GP_WRITE,
             rng_chance(&t->rng, 128) ? rng_word(&t->rng) : andes[rng_below(&t->rng, 3)]);
    if (t->cfg->andes && rng_chance(&t->rng, 128))
        plan(t, TALLY_CSR_MCOUNTERWEN, GP_WRITE, rng_word(&t->rng));
    for (unsigned k = 0; k < n; k++) {
        i = existing_counter(t, first + k);
        plan_wide(t, TALLY_CSR_MCYCLE + i, TALLY_CSR_MCYCLEH + i, but_for_a_bit(t, 24, -(uint64_t)steps));
        plan_wide(t, TALLY_CSR_MCOUNTINHIBIT + i, ROW_EVENTH + i, i < 3 ? 0 : selector | flag);
    }
    plan(t, TALLY_CSR_MCOUNTINHIBIT, GP_WRITE, 0);
    if (t->cfg->andes && i < 3 && rng_chance(&t->rng, 200)) {
        static const struct gp_mode supervisor = {.priv = GP_S};

        if (rng_chance(&t->rng, 128))
            plan_in(t, &supervisor, TALLY_CSR_SCOUNTEROVF, 1 + rng_below(&t->rng, 3), UINT32_C(1) << i);
        else
            plan(t, TALLY_CSR_MCOUNTEROVF, 1 + rng_below(&t->rng, 3), UINT32_C(1) << i);
    }
    if (rng_chance(&t->rng, 32))
        plan(t, rng_chance(&t->rng, 128) ? TALLY_CSR_SHPMSPC : TALLY_CSR_SHPMSDATA, 1 + rng_below(&t->rng, 3),
             rng_64(&t->rng));
    for (n = rng_below(&t->rng, 4); n; n--)
        plan_touch(t, i);
}

/* Counter i counts something frequent, unless it is stopped or filtered. */
static void plan_counting(struct traffic *t, unsigned i) {
    plan_wide(t, TALLY_CSR_MCOUNTINHIBIT + i, ROW_EVENTH + i,
              (i < 3                      ? 0
               : rng_chance(&t->rng, 128) ? TALLY_EV_TOPDOWN_SLOTS
                                          : bus_sum(t, i)) |
                  (rng_64(&t->rng) & UINT64_C(0x7C) << 56));
    plan(t, TALLY_CSR_MCOUNTINHIBIT, 2 + rng_below(&t->rng, 2), UINT32_C(1) << i);
}

/* An access to a delegated counter: by S-mode with the right, or by any mode under any enables. */
static void plan_delegated(struct traffic *t) {
    struct gp_mode mode = {.priv = GP_S};
    unsigned i = rng_chance(&t->rng, 40) ? 2 * rng_below(&t->rng, 2) : some_counter(t); /* mcycle, minstret */

    if (rng_chance(&t->rng, 128)) {
        t->in.env.cde = true;
        t->in.env.mstateen0 = UINT64_MAX;
        plan(t, TALLY_CSR_MCOUNTEREN, GP_SET, UINT32_C(1) << i);
    } else {
        some_mode(t, &mode);
        t->in.env.cde = rng_chance(&t->rng, 128);
        t->in.env.mstateen0 = rng_64(&t->rng);
        t->in.env.hstateen0 = rng_64(&t->rng);
        plan(t, TALLY_CSR_MCOUNTEREN, 2 + rng_below(&t->rng, 2), UINT32_C(1) << i);
    }
    if (rng_chance(&t->rng, 128))
        plan_counting(t, i);
    plan(t, mode.v ? TALLY_CSR_VSISELECT : TALLY_CSR_SISELECT, GP_WRITE, TALLY_COUNTER_SELECT + i);
    if (rng_chance(&t->rng, 64))
        plan_in(t, &mode, TALLY_CSR_SCOUNTINHIBIT, 2 + rng_below(&t->rng, 2), UINT32_C(1) << i);
    for (unsigned n = 1 + rng_below(&t->rng, 10); n; n--)
        plan_in(t, &mode, TALLY_CSR_SISELECT + 1 + rng_below(&t->rng, 7), rng_below(&t->rng, 4),
                rng_chance(&t->rng, 128) ? near_overflow(t) : some_selector(t) | some_filter(t));
}

/* A write of a counter that S-mode may write by the Andes view */
static void plan_andes(struct traffic *t) {
    static const uint16_t words[] = {TALLY_CSR_SCOUNTERINEN,   TALLY_CSR_SCOUNTERMASK_M,
                                     TALLY_CSR_SCOUNTERMASK_S, TALLY_CSR_SCOUNTERMASK_U,
                                     TALLY_CSR_SCOUNTEROVF,    TALLY_CSR_SCOUNTERINHIBIT};
    static const struct gp_mode supervisor = {.priv = GP_S};
    unsigned i = some_counter(t);
    bool events = i >= 3 && rng_chance(&t->rng, 128);

    t->in.env.mstateen0 = UINT64_MAX;
    plan(t, TALLY_CSR_MCOUNTERWEN, rng_chance(&t->rng, 224) ? GP_SET : GP_CLEAR, UINT32_C(1) << i);
    plan_counting(t, i);
    for (unsigned n = 1 + rng_below(&t->rng, 8); n; n--) {
        unsigned op = 1 + rng_below(&t->rng, 3);

        if (events)
            plan_in(t, &supervisor, TALLY_CSR_SHPMEVENT3 - 3 + i, op,
                    rng_chance(&t->rng, 128) ? bus_sum(t, i) : some_selector(t));
        else if (rng_chance(&t->rng, 64))
            plan_in(t, &supervisor,
                    (t->cfg->xlen == 32 && rng_chance(&t->rng, 128) ? TALLY_CSR_CYCLEH : TALLY_CSR_CYCLE) + i,
                    op, near_overflow(t));
        else
            plan_in(t, &supervisor, words[rng_below(&t->rng, sizeof(words) / sizeof(words[0]))], op,
                    UINT32_C(1) << i);
    }
}

/* A combination in a counter that may have it, near its end; with XLEN 32 half by half. */
static void plan_combination(struct traffic *t) {
    unsigned i = 3 + rng_below(&t->rng, t->cfg->comb_n < t->cfg->hpm_n ? t->cfg->comb_n : t->cfg->hpm_n);

    if (rng_chance(&t->rng, 192))
        plan(t, TALLY_CSR_MCOUNTINHIBIT + i, GP_WRITE, 0);
    plan_wide(t, TALLY_CSR_MCOUNTINHIBIT + i, ROW_EVENTH + i, some_combination(t) | some_filter(t));
    plan_wide(t, TALLY_CSR_MCYCLE + i, TALLY_CSR_MCYCLEH + i, near_overflow(t));
    for (unsigned n = rng_below(&t->rng, 6); n; n--)
        plan_touch(t, i);
    if (rng_chance(&t->rng, 32)) { /* a threshold that falls below the result */
        plan_wide(t, TALLY_CSR_MCOUNTINHIBIT + i, ROW_EVENTH + i,
                  bus_sum(t, i) | UINT64_C(0xFF) << TALLY_SEL_COMB_THR_LSB |
                      (uint64_t)rng_below(&t->rng, 4) << TALLY_SEL_COMB_EDGE_LSB);
        plan(t, t->cfg->xlen == 32 ? ROW_EVENTH + i : TALLY_CSR_MCOUNTINHIBIT + i, GP_CLEAR,
             (UINT64_C(0xF8) + rng_below(&t->rng, 8))
                 << (TALLY_SEL_COMB_THR_LSB - (t->cfg->xlen == 32 ? 32 : 0)));
        t->sleep = 4;
        return;
    }
    t->sleep = rng_chance(&t->rng, 96) ? rng_below(&t->rng, 8) : 0;
    if (rng_chance(&t->rng, 64))
        plan(t, t->cfg->xlen == 32 ? ROW_EVENTH + i : TALLY_CSR_MCOUNTINHIBIT + i, 2 + rng_below(&t->rng, 2),
             some_combination(t) >> (t->cfg->xlen == 32 ? 32 : 0));
}

/* A counter of software's events, close to its end, and writes that raise one, or may not. */
static void plan_software(struct traffic *t) {
    unsigned i = 3 + rng_below(&t->rng, t->cfg->hpm_n);
    uint64_t filter = rng_chance(&t->rng, 64) ? some_filter(t) : 0;

    plan_wide(t, TALLY_CSR_MCOUNTINHIBIT + i, ROW_EVENTH + i, TALLY_EV_SOFTWARE | filter);
    plan_wide(t, TALLY_CSR_MCYCLE + i, TALLY_CSR_MCYCLEH + i, -(uint64_t)(1 + rng_below(&t->rng, 4)));
    plan(t, TALLY_CSR_MCOUNTINHIBIT, GP_CLEAR, UINT32_C(1) << i);
    for (unsigned n = 1 + rng_below(&t->rng, 6); n; n--) {
        struct gp_mode mode = {.priv = GP_M};

        if (rng_chance(&t->rng, 64))
            some_mode(t, &mode);
        plan_in(t, &mode, TALLY_CSR_SHPMSWINC, rng_below(&t->rng, 4),
                rng_chance(&t->rng, 192) ? 1 : rng_word(&t->rng));
        if (rng_chance(&t->rng, 64))
            plan_touch(t, i);
    }
    plan(t, TALLY_CSR_MCYCLE + i, GP_READ, 0);
}

/* Read the state that a reset has left, before it changes. */
void plan_after_reset(struct traffic *t) {
    unsigned first = rng_below(&t->rng, 32);

    t->planned = t->planned_next = 0;
    for (unsigned k = 0; k < 6; k++)
        plan(t, TALLY_CSR_MCYCLE + existing_counter(t, first + k), GP_READ, 0);
}

static bool samples(const struct gp_config *cfg) { return cfg->smpdis; }
static bool has_sample_registers(const struct gp_config *cfg) { return cfg->smpdis || cfg->sspesa; }
static bool combines_rv32(const struct gp_config *cfg) {
    return cfg->comb_n && cfg->hpm_n && cfg->xlen == 32;
}
static bool combines_rv64(const struct gp_config *cfg) {
    return cfg->comb_n && cfg->hpm_n && cfg->xlen != 32;
}
static bool has_software_event(const struct gp_config *cfg) { return cfg->swevent && cfg->hpm_n; }
static bool has_branches(const struct gp_config *cfg) { return cfg->ebb && cfg->hpm_n; }
static bool has_branch_rights(const struct gp_config *cfg) { return cfg->ebb; }
static bool has_andes_view(const struct gp_config *cfg) { return cfg->andes; }

/* In the order in which they are tried: of those that the configuration allows, the first whose chance comes
 * up is made. */
static const struct {
    void (*make)(struct traffic *t);
    unsigned chance;                              /* of 256 */
    bool (*allowed)(const struct gp_config *cfg); /* NULL: always */
} plans[] = {
    {plan_sampling, 96, samples},
    {plan_sampling_rights, 20, has_sample_registers},
    {plan_branch, 60, has_branches},
    {plan_branch_rights, 52, has_branch_rights},
    {plan_combination, 128, combines_rv32},
    {plan_combination, 80, combines_rv64},
    {plan_software, 16, has_software_event},
    {plan_andes, 48, has_andes_view},
    {plan_overflow, 144, NULL},
    {plan_delegated, 256, NULL}, /* always */
};

void next_plan(struct traffic *t) {
    size_t i = 0;

    t->planned = t->planned_next = 0;
    while ((plans[i].allowed && !plans[i].allowed(t->cfg)) ||
           (plans[i].chance < 256 && !rng_chance(&t->rng, plans[i].chance)))
        i++;
    plans[i].make(t);
}
