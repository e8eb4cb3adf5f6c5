// SPDX-License-Identifier: Apache-2.0
/* Values: counters, events, selectors, addresses, modes */
#include "traffic_parts.h"

enum { N_EVENTS = sizeof(tally_events) / sizeof(tally_events[0]) };

/* ---- values */

unsigned some_counter(struct traffic *t) {
    unsigned n = t->cfg->hpm_n;

    if (rng_chance(&t->rng, 64)) /* the one that is about to overflow */
        return t->recent;
    if (n && rng_chance(&t->rng, t->cfg->comb_n ? 40 : 0)) /* few may combine */
        return 3 + rng_below(&t->rng, t->cfg->comb_n < n ? t->cfg->comb_n : n);
    if (!n || rng_chance(&t->rng, n < 3 ? 120 : 24)) /* mcycle, minstret */
        return rng_chance(&t->rng, 128) ? 0 : 2;
    return 3 + rng_below(&t->rng, n);
}

unsigned any_counter(struct traffic *t) {
    return rng_chance(&t->rng, 224) ? some_counter(t) : rng_below(&t->rng, 32);
}

/* `value`, now and then (`chance` of 256) but for one bit. */
uint64_t but_for_a_bit(struct traffic *t, unsigned chance, uint64_t value) {
    return rng_chance(&t->rng, chance) ? value ^ UINT64_C(1) << rng_below(&t->rng, 64) : value;
}

uint64_t near_overflow(struct traffic *t) {
    return but_for_a_bit(t, 48, ~(uint64_t)rng_below(&t->rng, rng_chance(&t->rng, 200) ? 14 : 300));
}

static unsigned some_event(struct traffic *t) {
    unsigned i = 1 + rng_below(&t->rng, N_EVENTS - 1);

    while (tally_events[i].kind == TALLY_EVENT_NONE)
        i = i + 1 < N_EVENTS ? i + 1 : 1;
    return i;
}

unsigned some_retire_event(struct traffic *t) {
    unsigned i;

    do
        i = some_event(t);
    while (tally_events[i].kind != TALLY_EVENT_RETIRE);
    return i;
}

static unsigned event_of(uint64_t selector) {
    unsigned i = 1;

    while (tally_events[i].kind == TALLY_EVENT_NONE || tally_events[i].selector != selector)
        i++;
    return i;
}

/* Terms of a combination: any; events that are always, or nearly always, there, so that sums grow large; only
 * those that retire; only the one that goes on while the core clock is halted; the same one again. */
enum term_kind { TERM_FREQUENT, TERM_RETIRE, TERM_BUS, TERM_SAME, TERM_ANY, N_TERM_KINDS };

static unsigned some_term(struct traffic *t, enum term_kind kind, unsigned same) {
    static const uint64_t frequent[] = {TALLY_EV_INST_RET, TALLY_EV_TOPDOWN_SLOTS, TALLY_EV_INST_DEC_SPEC,
                                        TALLY_EV_BUS_RD, TALLY_EV_CYCLES_BUS};

    switch (kind) {
    case TERM_FREQUENT:
        return event_of(frequent[rng_below(&t->rng, 5)]);
    case TERM_RETIRE:
        return rng_chance(&t->rng, 128) ? event_of(TALLY_EV_INST_RET) : some_retire_event(t);
    case TERM_BUS:
        return event_of(TALLY_EV_CYCLES_BUS);
    case TERM_SAME:
        return same;
    default:
        return some_event(t);
    }
}

uint64_t some_combination(struct traffic *t) {
    static const unsigned at[] = {TALLY_SEL_COMB_A_LSB, TALLY_SEL_COMB_B_LSB, TALLY_SEL_COMB_C_LSB,
                                  TALLY_SEL_COMB_D_LSB};
    uint64_t selector = (uint64_t)TALLY_SEL_TYPE_IS_COMBINED << TALLY_SEL_TYPE_LSB;
    unsigned empty = rng_chance(&t->rng, 80) ? 0 : rng_below(&t->rng, 200), same = some_event(t);
    enum term_kind kind = rng_below(&t->rng, N_TERM_KINDS);
    bool sum = kind == TERM_BUS || rng_chance(&t->rng, 80); /* the plain one */

    if (rng_chance(&t->rng, 32)) { /* the largest: four times an event that may have a count */
        kind = TERM_SAME;
        same = event_of(rng_chance(&t->rng, 128) ? TALLY_EV_BUS_RD : TALLY_EV_CYCLES_STALL_BACKEND);
        sum = true;
        empty = 0;
    }

    for (unsigned k = 0; k < 4; k++)
        if (!rng_chance(&t->rng, empty))
            selector |= (uint64_t)some_term(t, rng_chance(&t->rng, 230) ? kind : TERM_ANY, same) << at[k];
    if (sum)
        return selector | UINT64_C(3) << TALLY_SEL_COMB_OP_LSB |
               (kind == TERM_BUS ? (uint64_t)rng_below(&t->rng, 16) << TALLY_SEL_COMB_EDGE_LSB : 0);
    selector |= (uint64_t)rng_below(&t->rng, 16) << TALLY_SEL_COMB_OP_LSB; /* OP, EDGE, INV */
    if (rng_chance(&t->rng, 128))
        selector |= (uint64_t)(1 + rng_below(&t->rng, rng_chance(&t->rng, 230) ? 5 : 255))
                    << TALLY_SEL_COMB_THR_LSB;
    if (rng_chance(&t->rng, 12)) /* an index that may be no event */
        selector |= (uint64_t)rng_below(&t->rng, 256) << at[rng_below(&t->rng, 4)];
    if (rng_chance(&t->rng, 12))
        selector |= UINT64_C(1) << (48 + rng_below(&t->rng, 8));
    return selector;
}

/* Four a cycle, if counter i can; else one. */
uint64_t bus_sum(const struct traffic *t, unsigned i) {
    uint64_t e = event_of(TALLY_EV_CYCLES_BUS);

    return i >= 3 + t->cfg->comb_n
               ? TALLY_EV_CYCLES_BUS
               : (uint64_t)TALLY_SEL_TYPE_IS_COMBINED << TALLY_SEL_TYPE_LSB |
                     UINT64_C(3) << TALLY_SEL_COMB_OP_LSB | e << TALLY_SEL_COMB_A_LSB |
                     e << TALLY_SEL_COMB_B_LSB | e << TALLY_SEL_COMB_C_LSB | e << TALLY_SEL_COMB_D_LSB;
}

uint64_t some_selector(struct traffic *t) {
    if (rng_chance(&t->rng, t->cfg->comb_n ? 80 : 16))
        return some_combination(t);
    if (rng_chance(&t->rng, 16))
        return rng_chance(&t->rng, 128) ? rng_below(&t->rng, 256) : rng_64(&t->rng) >> rng_below(&t->rng, 64);
    return tally_events[some_event(t)].selector ^
           (rng_chance(&t->rng, 8) ? UINT64_C(1) << rng_below(&t->rng, 56) : 0);
}

/* Upper byte of mhpmevent: OF, xINH, and now and then the two bits that are nothing. */
uint64_t some_filter(struct traffic *t) {
    uint64_t byte = rng_dense(&t->rng, t->mood.open ? 1 : 5) & 0x7F;

    if (rng_chance(&t->rng, 64))
        byte |= 0x80;
    return byte << 56;
}

uint64_t some_value(struct traffic *t) {
    uint64_t w = rng_64(&t->rng);

    switch (rng_below(&t->rng, 10)) {
    case 0:
        return 0;
    case 1:
        return UINT64_MAX;
    case 2:
        return UINT64_C(1) << (w & 63);
    case 3:
        return near_overflow(t);
    case 4:
        return some_selector(t) | some_filter(t);
    case 5:
        return TALLY_COUNTER_SELECT + (w & 0x1F);
    case 6:
        return w & 1;
    case 7:
        return w & 0xFFFFFFFF;
    default:
        return w;
    }
}

uint64_t inside_pc(struct traffic *t) {
    uint64_t pc = t->lo + rng_64(&t->rng) % ((t->hi - t->lo) | 1);

    return pc & (t->cfg->xlen == 32 ? 0xFFFFFFFE : ~UINT64_C(1));
}

/* An address, often one where the range begins or ends. */
uint64_t some_pc(struct traffic *t) {
    uint64_t near = rng_chance(&t->rng, 128) ? t->lo : t->hi, pc;

    switch (rng_below(&t->rng, 8)) {
    case 0:
        pc = rng_64(&t->rng);
        break;
    case 1:
        pc = near ^ UINT64_C(1) << rng_below(&t->rng, 64);
        break;
    case 2:
        return inside_pc(t);
    default:
        pc = near - 4 + rng_below(&t->rng, 8);
        break;
    }
    return pc & (t->cfg->xlen == 32 ? 0xFFFFFFFE : ~UINT64_C(1));
}

uint64_t some_bound(struct traffic *t, uint64_t other) {
    switch (rng_below(&t->rng, 4)) {
    case 0:
        return other;
    case 1:
        return other - 8 + rng_below(&t->rng, 16);
    case 2:
        return other ^ UINT64_C(1) << rng_below(&t->rng, t->cfg->xlen);
    default:
        return rng_64(&t->rng) >> rng_below(&t->rng, 33);
    }
}

uint32_t enable_word(struct traffic *t) { return (uint32_t)rng_dense(&t->rng, t->mood.open ? 15 : 8); }

static const struct gp_mode modes[] = {
    {.priv = GP_M}, {.priv = GP_S}, {.priv = GP_U}, {.priv = GP_S, .v = true}, {.priv = GP_U, .v = true}};

static unsigned n_modes(const struct traffic *t) { return t->cfg->hyp ? 5 : 3; }

const struct gp_mode *nth_mode(const struct traffic *t, unsigned n) { return &modes[n % n_modes(t)]; }

/* One of the modes that exist; the rest of `mode` keeps its value. */
void some_mode(struct traffic *t, struct gp_mode *mode) {
    unsigned pick = rng_below(&t->rng, n_modes(t));

    mode->priv = modes[pick].priv;
    mode->v = modes[pick].v;
}
