// SPDX-License-Identifier: Apache-2.0
#include "traffic.h"

#include "tally_events.h"
#include "tally_spec.h"

#include <string.h>

enum { N_EVENTS = sizeof(tally_events) / sizeof(tally_events[0]) };

/* Rows of numbers: first, count. */
struct row {
    uint16_t first;
    uint8_t count;
};

/* What the unit owns in some configuration, with the neighbours on either side. */
static const struct row owned[] = {
    {TALLY_CSR_CYCLE, 32},           {TALLY_CSR_CYCLEH, 32},        {TALLY_CSR_MCYCLE, 32},
    {TALLY_CSR_MCYCLEH, 32},         {TALLY_CSR_MCOUNTINHIBIT, 32}, {0x720, 32},
    {TALLY_CSR_MCOUNTEREN, 1},       {TALLY_CSR_SCOUNTEREN, 1},     {TALLY_CSR_SCOUNTINHIBIT, 1},
    {TALLY_CSR_SCOUNTOVF, 1},        {TALLY_CSR_MISELECT, 8},       {TALLY_CSR_SISELECT, 8},
    {TALLY_CSR_VSISELECT, 8},        {TALLY_CSR_MCOUNTERWEN, 8},    {TALLY_CSR_SCOUNTERINEN, 6},
    {TALLY_CSR_SCOUNTERINHIBIT, 32}, {TALLY_CSR_MMSC_CFG, 1},       {TALLY_CSR_SHPMSWINC, 4},
    {TALLY_CSR_SHPMSPC, 24},         {TALLY_CSR_VSPDISCTL, 1},      {TALLY_CSR_VSPDISCTLH, 1},
    {TALLY_CSR_MPDISCTL, 1},         {TALLY_CSR_MPDISCTLH, 1},
};
enum { N_OWNED = sizeof(owned) / sizeof(owned[0]) };

/* Registers of which there is one, and where most of the rules are. */
static const uint16_t singles[] = {
    TALLY_CSR_MCOUNTINHIBIT,  TALLY_CSR_MCYCLECFG,       TALLY_CSR_MINSTRETCFG,    TALLY_CSR_MCOUNTEREN,
    TALLY_CSR_SCOUNTEREN,     TALLY_CSR_SCOUNTINHIBIT,   TALLY_CSR_SCOUNTOVF,      TALLY_CSR_MISELECT,
    TALLY_CSR_SISELECT,       TALLY_CSR_VSISELECT,       TALLY_CSR_MCOUNTERWEN,    TALLY_CSR_MCOUNTERINEN,
    TALLY_CSR_MCOUNTERMASK_M, TALLY_CSR_MCOUNTERMASK_S,  TALLY_CSR_MCOUNTERMASK_U, TALLY_CSR_MCOUNTEROVF,
    TALLY_CSR_SCOUNTERINEN,   TALLY_CSR_SCOUNTERMASK_M,  TALLY_CSR_SCOUNTERMASK_S, TALLY_CSR_SCOUNTERMASK_U,
    TALLY_CSR_SCOUNTEROVF,    TALLY_CSR_SCOUNTERINHIBIT, TALLY_CSR_MMSC_CFG,       TALLY_CSR_SHPMSWINC,
    TALLY_CSR_TIME,           TALLY_CSR_TIMEH,           TALLY_CSR_SHPMPCSEL,      TALLY_CSR_SHPMPCLO,
    TALLY_CSR_SHPMPCHI,       TALLY_CSR_SHPMSPC,         TALLY_CSR_SHPMSDATA,      TALLY_CSR_SPDISCTL,
    TALLY_CSR_SPDISCTLH,      TALLY_CSR_SPDISCOUNTER,    TALLY_CSR_SPDISCOUNTERH,  TALLY_CSR_SPDISEVMASK,
    TALLY_CSR_SPDISEVMASKH,   TALLY_CSR_SPDISEVMATCH,    TALLY_CSR_SPDISEVMATCHH,  TALLY_CSR_SPDISFILTER,
    TALLY_CSR_SPDISAMBCS,     TALLY_CSR_SPDISAMBCSH,     TALLY_CSR_SPDISAMBADDR,   TALLY_CSR_VSPDISCTL,
    TALLY_CSR_VSPDISCTLH,     TALLY_CSR_MPDISCTL,        TALLY_CSR_MPDISCTLH,
};
enum { N_SINGLES = sizeof(singles) / sizeof(singles[0]) };

#define ROW8(n) (n), (n) + 1, (n) + 2, (n) + 3, (n) + 4, (n) + 5, (n) + 6, (n) + 7
#define ROW32(n) ROW8(n), ROW8((n) + 8), ROW8((n) + 16), ROW8((n) + 24)

const uint16_t traffic_state[] = {
    ROW32(TALLY_CSR_MCYCLE),
    ROW32(TALLY_CSR_MCYCLEH),
    ROW32(TALLY_CSR_MCOUNTINHIBIT),
    ROW32(0x720),
    TALLY_CSR_MCOUNTEREN,
    TALLY_CSR_SCOUNTEREN,
    TALLY_CSR_SCOUNTOVF,
    TALLY_CSR_MISELECT,
    TALLY_CSR_SISELECT,
    TALLY_CSR_VSISELECT,
    TALLY_CSR_MCOUNTERWEN,
    TALLY_CSR_MCOUNTERINEN,
    TALLY_CSR_MCOUNTERMASK_M,
    TALLY_CSR_MCOUNTERMASK_S,
    TALLY_CSR_MCOUNTERMASK_U,
    TALLY_CSR_MCOUNTEROVF,
    TALLY_CSR_SHPMPCSEL,
    TALLY_CSR_SHPMPCLO,
    TALLY_CSR_SHPMPCHI,
    ROW32(TALLY_CSR_SHPMSPC),
    TALLY_CSR_VSPDISCTL,
    TALLY_CSR_VSPDISCTLH,
    TALLY_CSR_MPDISCTL,
    TALLY_CSR_MPDISCTLH,
    0xFFFF,
};

/* ---- values */

static unsigned some_counter(struct traffic *t) {
    unsigned n = t->cfg->hpm_n;

    if (rng_chance(&t->rng, 64)) /* the one that is about to overflow */
        return t->recent;
    if (n && rng_chance(&t->rng, t->cfg->comb_n ? 40 : 0)) /* few may combine */
        return 3 + rng_below(&t->rng, t->cfg->comb_n < n ? t->cfg->comb_n : n);
    if (!n || rng_chance(&t->rng, n < 3 ? 120 : 24)) /* mcycle, minstret */
        return rng_chance(&t->rng, 128) ? 0 : 2;
    return 3 + rng_below(&t->rng, n);
}

static unsigned any_counter(struct traffic *t) {
    return rng_chance(&t->rng, 224) ? some_counter(t) : rng_below(&t->rng, 32);
}

/* `value`, now and then (`chance` of 256) but for one bit. */
static uint64_t but_for_a_bit(struct traffic *t, unsigned chance, uint64_t value) {
    return rng_chance(&t->rng, chance) ? value ^ UINT64_C(1) << rng_below(&t->rng, 64) : value;
}

static uint64_t near_overflow(struct traffic *t) {
    return but_for_a_bit(t, 48, ~(uint64_t)rng_below(&t->rng, rng_chance(&t->rng, 200) ? 14 : 300));
}

static unsigned some_event(struct traffic *t) {
    unsigned i = 1 + rng_below(&t->rng, N_EVENTS - 1);

    while (tally_events[i].kind == TALLY_EVENT_NONE)
        i = i + 1 < N_EVENTS ? i + 1 : 1;
    return i;
}

static unsigned some_retire_event(struct traffic *t) {
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

static uint64_t some_combination(struct traffic *t) {
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
static uint64_t bus_sum(const struct traffic *t, unsigned i) {
    uint64_t e = event_of(TALLY_EV_CYCLES_BUS);

    return i >= 3 + t->cfg->comb_n
               ? TALLY_EV_CYCLES_BUS
               : (uint64_t)TALLY_SEL_TYPE_IS_COMBINED << TALLY_SEL_TYPE_LSB |
                     UINT64_C(3) << TALLY_SEL_COMB_OP_LSB | e << TALLY_SEL_COMB_A_LSB |
                     e << TALLY_SEL_COMB_B_LSB | e << TALLY_SEL_COMB_C_LSB | e << TALLY_SEL_COMB_D_LSB;
}

static uint64_t some_selector(struct traffic *t) {
    if (rng_chance(&t->rng, t->cfg->comb_n ? 80 : 16))
        return some_combination(t);
    if (rng_chance(&t->rng, 16))
        return rng_chance(&t->rng, 128) ? rng_below(&t->rng, 256) : rng_64(&t->rng) >> rng_below(&t->rng, 64);
    return tally_events[some_event(t)].selector ^
           (rng_chance(&t->rng, 8) ? UINT64_C(1) << rng_below(&t->rng, 56) : 0);
}

/* Upper byte of mhpmevent: OF, xINH, and now and then the two bits that are nothing. */
static uint64_t some_filter(struct traffic *t) {
    uint64_t byte = rng_dense(&t->rng, t->mood.open ? 1 : 5) & 0x7F;

    if (rng_chance(&t->rng, 64))
        byte |= 0x80;
    return byte << 56;
}

static uint64_t some_value(struct traffic *t) {
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
        return 0x40 + (w & 0x1F);
    case 6:
        return w & 1;
    case 7:
        return w & 0xFFFFFFFF;
    default:
        return w;
    }
}

static uint64_t inside_pc(struct traffic *t) {
    uint64_t pc = t->lo + rng_64(&t->rng) % ((t->hi - t->lo) | 1);

    return pc & (t->cfg->xlen == 32 ? 0xFFFFFFFE : ~UINT64_C(1));
}

/* An address, often one where the range begins or ends. */
static uint64_t some_pc(struct traffic *t) {
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

static uint64_t some_bound(struct traffic *t, uint64_t other) {
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

static uint32_t enable_word(struct traffic *t) { return (uint32_t)rng_dense(&t->rng, t->mood.open ? 15 : 8); }

static const struct gp_mode modes[] = {
    {.priv = GP_M}, {.priv = GP_S}, {.priv = GP_U}, {.priv = GP_S, .v = true}, {.priv = GP_U, .v = true}};

static unsigned n_modes(const struct traffic *t) { return t->cfg->hyp ? 5 : 3; }

/* One of the modes that exist; the rest of `mode` keeps its value. */
static void some_mode(struct traffic *t, struct gp_mode *mode) {
    unsigned pick = rng_below(&t->rng, n_modes(t));

    mode->priv = modes[pick].priv;
    mode->v = modes[pick].v;
}

/* ---- CSR accesses */

static void access(struct traffic *t, unsigned num, unsigned op, uint64_t wdata) {
    t->in.csr.num = (uint16_t)num;
    t->in.csr.op = (uint8_t)op;
    t->in.csr.wdata = wdata;
}

/* A half of counter or event i, or the whole. */
static void write_wide(struct traffic *t, unsigned low, unsigned high, uint64_t value) {
    bool upper = t->cfg->xlen == 32 && rng_chance(&t->rng, 128);

    access(t, upper ? high : low, GP_WRITE, upper ? value >> 32 : value);
}

static void preset_counter(struct traffic *t) {
    unsigned i = some_counter(t);

    t->recent = i;
    write_wide(t, TALLY_CSR_MCYCLE + i, TALLY_CSR_MCYCLEH + i, near_overflow(t));
}

static void select_event(struct traffic *t) {
    unsigned i = some_counter(t);

    write_wide(t, TALLY_CSR_MCOUNTINHIBIT + i, 0x720 + i, some_selector(t) | some_filter(t));
}

static void set_range(struct traffic *t) {
    switch (rng_below(&t->rng, 3)) {
    case 0:
        t->lo = some_bound(t, t->hi);
        access(t, TALLY_CSR_SHPMPCLO, GP_WRITE, t->lo);
        break;
    case 1:
        t->hi = some_bound(t, t->lo);
        access(t, TALLY_CSR_SHPMPCHI, GP_WRITE, t->hi);
        break;
    default:
        access(t, TALLY_CSR_SHPMPCSEL, GP_WRITE, enable_word(t));
        break;
    }
}

/* The half of a 64-bit register in which these bits are, and they in it. */
static void change_wide(struct traffic *t, unsigned low, unsigned high, unsigned op, uint64_t bits) {
    bool upper = t->cfg->xlen == 32 && bits >> 32;

    access(t, upper ? high : low, op, upper ? bits >> 32 : bits);
}

/* What a driver does while sampling is on. */
static void serve_sampling(struct traffic *t) {
    static const uint64_t status[] = {TALLY_SPDISAMBCS_TF_MASK, TALLY_SPDISAMBCS_BMI_MASK,
                                      TALLY_SPDISAMBCS_WRAP_MASK, TALLY_SPDISAMBCS_EN_MASK};
    unsigned pick = rng_below(&t->rng, 4);

    switch (rng_below(&t->rng, 8)) {
    case 0:
        access(t, TALLY_CSR_MCOUNTINHIBIT, rng_chance(&t->rng, 64) ? GP_SET : GP_CLEAR, 2);
        break;
    case 1:
    case 2:
        change_wide(t, TALLY_CSR_MPDISCTL, TALLY_CSR_MPDISCTLH, rng_chance(&t->rng, 200) ? GP_CLEAR : GP_SET,
                    TALLY_MPDISCTL_OF_MASK);
        break;
    case 3:
        access(t, TALLY_CSR_SPDISCOUNTER, GP_WRITE,
               (t->cfg->xlen == 32 ? 0 : ~(uint64_t)rng_below(&t->rng, 9) << 32) |
                   (uint32_t)~rng_below(&t->rng, 9));
        break;
    case 4:
        access(t, rng_chance(&t->rng, 128) ? TALLY_CSR_SISELECT : TALLY_CSR_VSISELECT, GP_WRITE,
               TALLY_RECORD_SELECT + rng_below(&t->rng, 2));
        break;
    default:
        change_wide(t, TALLY_CSR_SPDISAMBCS, TALLY_CSR_SPDISAMBCSH,
                    pick == 3 || rng_chance(&t->rng, 16) ? GP_SET : GP_CLEAR, status[pick]);
        break;
    }
}

/* What makes something happen: in M-mode, and mostly sensible. */
static void setup(struct traffic *t) {
    t->in.csr.priv = GP_M;
    t->in.csr.v = false;
    if (t->cfg->pcrange && rng_chance(&t->rng, 32)) {
        set_range(t);
        return;
    }
    if (t->cfg->smpdis && rng_chance(&t->rng, 80)) {
        serve_sampling(t);
        return;
    }
    switch (rng_below(&t->rng, 16)) {
    case 0:
        access(t, TALLY_CSR_MCOUNTINHIBIT, GP_WRITE,
               rng_dense(&t->rng, t->mood.open ? 1 : 4) &
                   (rng_chance(&t->rng, 64) ? UINT64_MAX : ~UINT64_C(2)));
        break;
    case 1:
        access(t, TALLY_CSR_MCOUNTEREN, GP_WRITE, enable_word(t));
        break;
    case 2:
        access(t, TALLY_CSR_SCOUNTEREN, GP_WRITE, enable_word(t));
        break;
    case 3:
        access(t, rng_chance(&t->rng, 128) ? TALLY_CSR_SISELECT : TALLY_CSR_VSISELECT, GP_WRITE,
               0x40 + any_counter(t));
        break;
    case 4:
        access(t, rng_chance(&t->rng, 128) ? TALLY_CSR_MCOUNTERWEN : TALLY_CSR_MCOUNTERINEN, GP_WRITE,
               enable_word(t));
        break;
    case 5:
        access(t, TALLY_CSR_MCOUNTEROVF, GP_WRITE, UINT32_MAX);
        break;
    case 6:
        access(t, TALLY_CSR_MCOUNTERMASK_M + rng_below(&t->rng, 3), GP_WRITE,
               t->cfg->andes_silicon ? ~enable_word(t) : enable_word(t));
        break;
    case 7: /* OF cleared: the next overflow asks again */
        access(t, t->cfg->xlen == 32 ? 0x720 + some_counter(t) : TALLY_CSR_MCOUNTINHIBIT + some_counter(t),
               GP_CLEAR, t->cfg->xlen == 32 ? 0x80000000 : UINT64_C(1) << 63);
        break;
    case 8:
    case 9:
    case 10:
        select_event(t);
        break;
    default:
        preset_counter(t);
        break;
    }
}

/* A select that is something. */
static unsigned some_select(struct traffic *t) {
    if (t->cfg->smpdis && rng_chance(&t->rng, 96))
        return TALLY_RECORD_SELECT + rng_below(&t->rng, 2);
    return 0x40 + any_counter(t);
}

/* Delegated and virtualised accesses. */
static void windows(struct traffic *t) {
    static const uint16_t base[] = {TALLY_CSR_SISELECT, TALLY_CSR_SISELECT, TALLY_CSR_SISELECT,
                                    TALLY_CSR_VSISELECT, TALLY_CSR_MISELECT};
    unsigned b = base[rng_below(&t->rng, 5)];

    if (rng_chance(&t->rng, 64))
        access(t, b, rng_below(&t->rng, 4), rng_chance(&t->rng, 240) ? some_select(t) : some_value(t));
    else
        access(t, b + 1 + rng_below(&t->rng, 7), rng_below(&t->rng, 4),
               rng_chance(&t->rng, 128) ? near_overflow(t) : some_value(t));
}

static void anything(struct traffic *t) {
    const struct row *row = &owned[rng_below(&t->rng, N_OWNED)];
    unsigned num = row->first + rng_below(&t->rng, row->count + 2) - 1;

    if (row->count == 32 &&
        rng_chance(&t->rng, 128)) /* counters that exist are few in small configurations */
        num = row->first + some_counter(t);
    if (rng_chance(&t->rng, 16)) /* cycle, time, instret */
        num = TALLY_CSR_CYCLE + rng_below(&t->rng, 3);
    if (rng_chance(&t->rng, 12))
        num = TALLY_CSR_CYCLE + some_counter(t);
    if (rng_chance(&t->rng, 10))
        num = rng_chance(&t->rng, 128) ? TALLY_CSR_SCOUNTOVF : TALLY_CSR_SCOUNTINHIBIT;
    if (rng_chance(&t->rng, 80))
        num = singles[rng_below(&t->rng, N_SINGLES)];
    if (rng_chance(&t->rng, 8))
        num = rng_below(&t->rng, 4096);
    if (rng_chance(&t->rng, 8)) /* what looks nearly like one of the unit's */
        num ^= 1u << rng_below(&t->rng, 12);
    access(t, num & 0xFFF, rng_below(&t->rng, 4), some_value(t));
}

/* ---- plans */

static void plan_in(struct traffic *t, const struct gp_mode *mode, unsigned num, unsigned op,
                    uint64_t wdata) {
    if (t->planned < TRAFFIC_PLAN)
        t->plan[t->planned++] = (struct gp_csr){.valid = true,
                                                .v = mode->v,
                                                .op = (uint8_t)op,
                                                .priv = mode->priv,
                                                .num = (uint16_t)num,
                                                .wdata = wdata};
}

static void plan(struct traffic *t, unsigned num, unsigned op, uint64_t wdata) {
    static const struct gp_mode machine = {.priv = GP_M};

    plan_in(t, &machine, num, op, wdata);
}

/* Both halves of a 64-bit register. */
static void plan_wide(struct traffic *t, unsigned low, unsigned high, uint64_t value) {
    plan(t, low, GP_WRITE, value);
    if (t->cfg->xlen == 32)
        plan(t, high, GP_WRITE, value >> 32);
}

/* These bits cleared, in the half of a 64-bit register in which they are. */
static void plan_clear(struct traffic *t, unsigned low, unsigned high, uint64_t bits) {
    bool upper = t->cfg->xlen == 32 && bits >> 32;

    plan(t, upper ? high : low, GP_CLEAR, upper ? bits >> 32 : bits);
}

/* One access to a counter or its event, by any way that there is. */
static void plan_touch(struct traffic *t, unsigned i) {
    static const struct gp_mode supervisor = {.priv = GP_S};
    bool high = t->cfg->xlen == 32 && rng_chance(&t->rng, 128);
    unsigned op = 1 + rng_below(&t->rng, 3);
    uint64_t top = high ? 0x80000000 : UINT64_C(1) << 63;

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
        plan(t, (high ? 0x720 : TALLY_CSR_MCOUNTINHIBIT) + i, op,
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
    uint64_t flag = rng_chance(&t->rng, 128) ? UINT64_C(1) << 63 : 0;
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
        plan_wide(t, TALLY_CSR_MCOUNTINHIBIT + i, 0x720 + i, i < 3 ? 0 : selector | flag);
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
    plan_wide(t, TALLY_CSR_MCOUNTINHIBIT + i, 0x720 + i,
              (i < 3                      ? 0
               : rng_chance(&t->rng, 128) ? TALLY_EV_TOPDOWN_SLOTS
                                          : bus_sum(t, i)) |
                  (rng_64(&t->rng) & UINT64_C(0x7C) << 56));
    plan(t, TALLY_CSR_MCOUNTINHIBIT, 2 + rng_below(&t->rng, 2), UINT32_C(1) << i);
}

/* A delegated counter and who wants it: S-mode that may, or anyone under any enables. */
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
    plan(t, mode.v ? TALLY_CSR_VSISELECT : TALLY_CSR_SISELECT, GP_WRITE, 0x40 + i);
    if (rng_chance(&t->rng, 64))
        plan_in(t, &mode, TALLY_CSR_SCOUNTINHIBIT, 2 + rng_below(&t->rng, 2), UINT32_C(1) << i);
    for (unsigned n = 1 + rng_below(&t->rng, 10); n; n--)
        plan_in(t, &mode, TALLY_CSR_SISELECT + 1 + rng_below(&t->rng, 7), rng_below(&t->rng, 4),
                rng_chance(&t->rng, 128) ? near_overflow(t) : some_selector(t) | some_filter(t));
}

/* A counter that S-mode may write by the Andes view, and who does. */
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
    plan_wide(t, TALLY_CSR_MCOUNTINHIBIT + i, 0x720 + i, some_combination(t) | some_filter(t));
    plan_wide(t, TALLY_CSR_MCYCLE + i, TALLY_CSR_MCYCLEH + i, near_overflow(t));
    for (unsigned n = rng_below(&t->rng, 6); n; n--)
        plan_touch(t, i);
    if (rng_chance(&t->rng, 32)) { /* a threshold that falls below the result */
        plan_wide(t, TALLY_CSR_MCOUNTINHIBIT + i, 0x720 + i,
                  bus_sum(t, i) | UINT64_C(0xFF) << TALLY_SEL_COMB_THR_LSB |
                      (uint64_t)rng_below(&t->rng, 4) << TALLY_SEL_COMB_EDGE_LSB);
        plan(t, t->cfg->xlen == 32 ? 0x720 + i : TALLY_CSR_MCOUNTINHIBIT + i, GP_CLEAR,
             (UINT64_C(0xF8) + rng_below(&t->rng, 8))
                 << (TALLY_SEL_COMB_THR_LSB - (t->cfg->xlen == 32 ? 32 : 0)));
        t->sleep = 4;
        return;
    }
    t->sleep = rng_chance(&t->rng, 96) ? rng_below(&t->rng, 8) : 0;
    if (rng_chance(&t->rng, 64))
        plan(t, t->cfg->xlen == 32 ? 0x720 + i : TALLY_CSR_MCOUNTINHIBIT + i, 2 + rng_below(&t->rng, 2),
             some_combination(t) >> (t->cfg->xlen == 32 ? 32 : 0));
}

/* A counter of software's events, close to its end, and writes that raise one, or may not. */
static void plan_software(struct traffic *t) {
    unsigned i = 3 + rng_below(&t->rng, t->cfg->hpm_n);
    uint64_t filter = rng_chance(&t->rng, 64) ? some_filter(t) : 0;

    plan_wide(t, TALLY_CSR_MCOUNTINHIBIT + i, 0x720 + i, TALLY_EV_SOFTWARE | filter);
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

/* Samples in quick succession, into registers or into a buffer whose pointer stands close to something. */
static void plan_buffer(struct traffic *t) {
    uint64_t record = t->cfg->xlen == 32 ? TALLY_RECORD_BYTES_RV32 : TALLY_RECORD_BYTES_RV64;
    uint64_t cs = TALLY_SPDISAMBCS_EN_MASK |
                  (rng_64(&t->rng) & (TALLY_SPDISAMBCS_BMITH_MASK | TALLY_SPDISAMBCS_BMIEN_MASK));
    uint64_t size = rng_chance(&t->rng, 200) ? rng_below(&t->rng, 3) : rng_below(&t->rng, 32);
    uint64_t bytes = UINT64_C(4096) << (size < 20 ? size : 20), base = rng_64(&t->rng) & ~(bytes - 1);
    uint64_t edge = rng_chance(&t->rng, 128) ? bytes / 4 * (1 + rng_below(&t->rng, 4))
                                             : UINT64_C(4096) * (1 + rng_below(&t->rng, 4));

    if (rng_chance(&t->rng, 96))
        cs |= TALLY_SPDISAMBCS_SOF_MASK;
    if (rng_chance(&t->rng, 16))
        cs |= TALLY_SPDISAMBCS_WRAP_MASK;
    if (rng_chance(&t->rng, 16))
        cs &= ~TALLY_SPDISAMBCS_EN_MASK;
    t->in.env.pdiss = rng_chance(&t->rng, 160);
    t->in.env.pdisv = rng_chance(&t->rng, 128);
    plan(t, TALLY_CSR_SPDISAMBADDR, GP_WRITE,
         base | ((edge - record * (1 + rng_below(&t->rng, 4))) & (bytes - 1)));
    plan_wide(t, TALLY_CSR_SPDISAMBCS, TALLY_CSR_SPDISAMBCSH, cs | size << TALLY_SPDISAMBCS_SIZE_LSB);
}

static void plan_filters(struct traffic *t) {
    uint64_t mask = 0, match = rng_64(&t->rng), filter = 0;

    if (rng_chance(&t->rng, 80))
        mask = rng_dense(&t->rng, 1) & (7 | UINT64_C(3) << 37 | UINT64_C(0xFFFF) << 39);
    if (rng_chance(&t->rng, 112)) /* some bits of all that there are, which are mostly 0 */
        for (unsigned n = 1 + rng_below(&t->rng, 4); n; n--) {
            unsigned at = rng_below(&t->rng, 56);

            mask |= UINT64_C(1) << at;
            match &= ~((uint64_t)rng_chance(&t->rng, 192) << at);
        }
    if (rng_chance(&t->rng, 16))
        mask = rng_64(&t->rng);
    if (rng_chance(&t->rng, 80))
        filter = rng_below(&t->rng, rng_chance(&t->rng, 64) ? 1 << rng_below(&t->rng, 13) : 12) |
                 (uint64_t)rng_below(&t->rng, 16) << TALLY_SPDISFILTER_INV_LSB;
    plan_wide(t, TALLY_CSR_SPDISEVMASK, TALLY_CSR_SPDISEVMASKH, mask);
    plan_wide(t, TALLY_CSR_SPDISEVMATCH, TALLY_CSR_SPDISEVMATCHH, match);
    plan(t, TALLY_CSR_SPDISFILTER, GP_WRITE, filter);
}

/* A counter of whose event a sample may tell: one that the owner of sampling has, and that counts in the mode
 * of the sample. */
static void plan_told(struct traffic *t) {
    unsigned i = 3 + rng_below(&t->rng, t->cfg->hpm_n);

    plan_wide(t, TALLY_CSR_MCOUNTINHIBIT + i, 0x720 + i,
              tally_events[some_retire_event(t)].selector | (rng_dense(&t->rng, 5) & UINT64_C(0x7C) << 56));
    plan(t, TALLY_CSR_MCOUNTEREN, rng_chance(&t->rng, 128) ? GP_SET : GP_CLEAR, UINT32_C(1) << i);
    plan(t, TALLY_CSR_MCOUNTINHIBIT, GP_CLEAR, UINT32_C(1) << i);
}

/* Writes of what hardware is about to change. */
static void plan_races(struct traffic *t) {
    static const uint64_t status[] = {TALLY_SPDISAMBCS_BMI_MASK, TALLY_SPDISAMBCS_WRAP_MASK, 0};
    unsigned what = rng_below(&t->rng, 5);

    if (what == 4)
        plan(t, TALLY_CSR_SISELECT, GP_WRITE, TALLY_RECORD_SELECT + rng_below(&t->rng, 2));
    for (unsigned n = rng_below(&t->rng, 30); n; n--)
        switch (what) {
        case 3:
            plan_clear(t, TALLY_CSR_MPDISCTL, TALLY_CSR_MPDISCTLH,
                       rng_chance(&t->rng, 128) ? TALLY_MPDISCTL_HPM_MASK : TALLY_MPDISCTL_OF_MASK);
            break;
        case 4:
            plan(t, TALLY_CSR_SISELECT + 1 + rng_below(&t->rng, 7), GP_WRITE, rng_64(&t->rng));
            break;
        default:
            plan_clear(t, TALLY_CSR_SPDISAMBCS, TALLY_CSR_SPDISAMBCSH, status[what]);
            break;
        }
}

static void plan_sampling(struct traffic *t) {
    uint64_t ctl = rng_64(&t->rng),
             all = TALLY_MPDISCTL_M_MASK | TALLY_MPDISCTL_S_MASK | TALLY_MPDISCTL_U_MASK;
    uint32_t longest = rng_chance(&t->rng, 128) ? 6 : 60;

    if (t->cfg->hpm_n && rng_chance(&t->rng, 96)) {
        plan_told(t);
        ctl |= TALLY_MPDISCTL_HPM_MASK;
    }
    if (rng_chance(&t->rng, 200))
        ctl |= all;
    if (rng_chance(&t->rng, 128))
        ctl &= ~TALLY_MPDISCTL_SEL_MASK;
    plan(t, TALLY_CSR_MCOUNTINHIBIT, rng_chance(&t->rng, 128) ? GP_WRITE : GP_CLEAR,
         0x2 & -rng_below(&t->rng, 2));
    plan_filters(t);
    plan_buffer(t);
    if (t->cfg->hyp)
        plan_wide(t, TALLY_CSR_VSPDISCTL, TALLY_CSR_VSPDISCTLH, rng_64(&t->rng) | all);
    plan_wide(t, TALLY_CSR_SPDISCOUNTER, TALLY_CSR_SPDISCOUNTERH,
              ~(uint64_t)rng_below(&t->rng, longest) << 32 | (uint32_t)~rng_below(&t->rng, 6));
    plan_wide(t, TALLY_CSR_MPDISCTL, TALLY_CSR_MPDISCTLH, ctl);
    plan(t, TALLY_CSR_MCOUNTINHIBIT, GP_CLEAR, 2);
    if (rng_chance(&t->rng, 96))
        plan_races(t);
}

/* Anybody, under any enables, and the registers of sampling. */
static void plan_sampling_rights(struct traffic *t) {
    static const uint16_t numbers[] = {
        TALLY_CSR_MPDISCTL,    TALLY_CSR_SPDISCTL,    TALLY_CSR_VSPDISCTL,  TALLY_CSR_SPDISCOUNTER,
        TALLY_CSR_SPDISEVMASK, TALLY_CSR_SPDISFILTER, TALLY_CSR_SPDISAMBCS, TALLY_CSR_SPDISAMBADDR,
        TALLY_CSR_SHPMSPC,     TALLY_CSR_SHPMSDATA,   TALLY_CSR_SIREG,      TALLY_CSR_SIREG6,
    };
    struct gp_mode mode = {.priv = GP_M};

    some_mode(t, &mode);
    t->in.env.cde = rng_chance(&t->rng, 128);
    t->in.env.mstateen0 = rng_64(&t->rng);
    t->in.env.hstateen0 = rng_64(&t->rng);
    plan(t, mode.v ? TALLY_CSR_VSISELECT : TALLY_CSR_SISELECT, GP_WRITE,
         TALLY_RECORD_SELECT + rng_below(&t->rng, 2));
    for (unsigned n = 1 + rng_below(&t->rng, 6); n; n--)
        plan_in(t, &mode, numbers[rng_below(&t->rng, sizeof(numbers) / sizeof(numbers[0]))],
                rng_chance(&t->rng, 128) ? GP_READ : rng_below(&t->rng, 4), some_value(t));
}

/* What a reset has left, before it is gone. */
static void plan_after_reset(struct traffic *t) {
    unsigned first = rng_below(&t->rng, 32);

    t->planned = t->planned_next = 0;
    for (unsigned k = 0; k < 6; k++)
        plan(t, TALLY_CSR_MCYCLE + existing_counter(t, first + k), GP_READ, 0);
}

static void next_plan(struct traffic *t) {
    t->planned = t->planned_next = 0;
    if (t->cfg->smpdis && rng_chance(&t->rng, 96)) {
        plan_sampling(t);
        return;
    }
    if ((t->cfg->smpdis || t->cfg->sspesa) && rng_chance(&t->rng, 20)) {
        plan_sampling_rights(t);
        return;
    }
    if (t->cfg->comb_n && t->cfg->hpm_n && rng_chance(&t->rng, t->cfg->xlen == 32 ? 128 : 80))
        plan_combination(t);
    else if (t->cfg->swevent && t->cfg->hpm_n && rng_chance(&t->rng, 16))
        plan_software(t);
    else if (t->cfg->andes && rng_chance(&t->rng, 48))
        plan_andes(t);
    else if (rng_chance(&t->rng, 144))
        plan_overflow(t);
    else
        plan_delegated(t);
}

static void next_csr(struct traffic *t) {
    struct gp_csr *csr = &t->in.csr;
    unsigned pick = rng_below(&t->rng, 256);

    /* What had to wait comes again, mostly. */
    if (t->held && rng_below(&t->rng, 16) != 0) {
        *csr = t->held_csr;
        csr->valid &= !t->in.mode.halted;
        t->held = t->held_csr.valid && !csr->valid;
        return;
    }
    t->held = false;
    if (t->planned_next == t->planned && rng_below(&t->rng, t->cfg->smpdis ? 20 : 30) == 0)
        next_plan(t);
    if (t->planned_next < t->planned && !t->in.mode.halted) {
        *csr = t->plan[t->planned_next++];
        if (t->cfg->xlen == 32)
            csr->wdata &= 0xFFFFFFFF;
        return;
    }

    /* The host's promise: no instruction retires while the core clock is halted. */
    csr->valid = rng_chance(&t->rng, t->mood.csr_rate) && !t->in.mode.halted;
    csr->priv = t->in.mode.priv;
    csr->v = t->in.mode.v;
    if (t->mood.crowded && rng_chance(&t->rng, 224)) {
        csr->valid = !t->in.mode.halted;
        csr->priv = GP_M;
        csr->v = false;
        access(t, TALLY_CSR_MCYCLE + some_counter(t), GP_READ, 0);
    } else if (pick < t->mood.setup_rate)
        setup(t);
    else if (pick < t->mood.setup_rate + 60)
        windows(t);
    else
        anything(t);
    if (t->waits && !csr->valid && rng_below(&t->rng, 2) != 0)
        csr->num = 0; /* a number that only stands there costs cycles */
    if (t->waits && !csr->num)
        csr->valid = false; /* the host's promise */
    if (t->cfg->xlen == 32)
        csr->wdata &= 0xFFFFFFFF;
}

/* ---- the rest of the hart */

static void next_mode(struct traffic *t) {
    if (rng_chance(&t->rng, t->mood.mode_rate))
        some_mode(t, &t->in.mode);
    t->in.mode.halted = rng_chance(&t->rng, t->mood.odd_rate);
    if (t->sleep && t->planned_next == t->planned && !t->held) {
        t->in.mode.halted = true;
        t->sleep--;
    }
    t->in.mode.debug = rng_chance(&t->rng, t->mood.odd_rate);
}

static void next_env(struct traffic *t) {
    struct gp_env *env = &t->in.env;
    unsigned dense = t->mood.open ? 15 : 8;

    env->time++;
    env->lcofip = rng_chance(&t->rng, 128);
    env->tlb_inval = rng_below(&t->rng, 150) == 0;
    if (!rng_chance(&t->rng, t->mood.env_rate))
        return;
    switch (rng_below(&t->rng, 8)) {
    case 0:
        env->cde = rng_chance(&t->rng, t->mood.open ? 240 : 128);
        break;
    case 1:
        env->mstateen0 = rng_dense(&t->rng, dense);
        break;
    case 2:
        env->hstateen0 = rng_dense(&t->rng, dense);
        break;
    case 3:
        env->hcounteren = (uint32_t)rng_dense(&t->rng, dense);
        break;
    case 4:
        env->mideleg = rng_word(&t->rng);
        break;
    case 5:
        env->time = some_value(t);
        break;
    case 6:
        env->htimedelta = some_value(t);
        break;
    default:
        env->pdiss = rng_chance(&t->rng, 128);
        env->pdisv = rng_chance(&t->rng, 128);
        break;
    }
}

static void set_cycle_wire(struct traffic *t, unsigned wire, uint64_t count) {
    unsigned at = wire * t->cfg->evc_w, word = at / 64, shift = at % 64;

    t->in.ev_cycle[word] |= count << shift;
    if (shift > 0 && shift + t->cfg->evc_w > 64)
        t->in.ev_cycle[word + 1] |= count >> (64 - shift);
}

static void next_events(struct traffic *t) {
    uint64_t max = (UINT64_C(1) << t->cfg->evc_w) - 1;
    uint64_t fires = rng_dense(&t->rng, t->mood.dense), small = rng_chance(&t->rng, 128) ? 10 : 255;
    bool inside = rng_chance(&t->rng, 64); /* all lanes lie in the range */

    memset(t->in.ev_retire, 0, sizeof(t->in.ev_retire));
    memset(t->in.ev_cycle, 0, sizeof(t->in.ev_cycle));
    for (unsigned lane = 0; lane < t->cfg->retire_w; lane++) {
        struct gp_retire_lane *l = &t->in.retire[lane];

        l->valid = rng_chance(&t->rng, t->mood.retire_rate);
        l->mode = (uint8_t)(t->in.mode.priv | (t->in.mode.v ? 4 : 0));
        l->pc = inside ? inside_pc(t) : some_pc(t);
        if (l->valid)
            t->in.ev_retire[lane] = (rng_dense(&t->rng, t->mood.dense) | UINT64_C(1) << TALLY_EVR_INST) &
                                    ((UINT64_C(1) << TALLY_EVR_N) - 1);
    }
    for (unsigned wire = 0; wire < TALLY_EVC_N; wire++) {
        if (wire == TALLY_EVC_CYCLE)
            set_cycle_wire(t, wire, !t->in.mode.halted);
        else if (fires >> wire & 1)
            set_cycle_wire(t, wire,
                           max == 1 ? 1 : 1 + rng_below(&t->rng, (unsigned)(small < max ? small : max)));
    }
}

/* What the tagged instruction did; it is looked at in the cycle of its end only. */
static void next_track(struct traffic *t) {
    struct gp_track *k = &t->in.track;
    uint32_t bits = rng_word(&t->rng);

    k->dispatched = bits & 1;
    k->issued = bits & 2;
    k->completed = bits & 4;
    k->oldest = bits & 8;
    k->retired = bits & 0x10;
    k->trapped = bits & 0x20;
    k->flushed = bits & 0x40;
    k->mispred = bits & 0x80;
    k->itmiss = bits & 0x100;
    k->icmiss = bits & 0x200;
    k->l1miss = bits & 0x400;
    k->llmiss = bits & 0x800;
    k->l1tlbmiss = bits & 0x1000;
    k->lltlbmiss = bits & 0x2000;
    k->flush_why = (bits >> 14 & 3) % 3;
    k->itype = bits >> 16 & 15;
    k->dsrc = bits >> 20 & 15;
    k->ev = rng_64(&t->rng) & ((UINT64_C(1) << TALLY_EVR_N) - 1);
    k->flush_pc = some_pc(t);
    k->target = some_pc(t);
    k->vaddr = rng_64(&t->rng) & (t->cfg->xlen == 32 ? 0xFFFFFFFF : UINT64_MAX);
    k->paddr = rng_64(&t->rng) >> 8;
}

/* Without instruction sampling the unit has no use for most of this: it is driven all the same, and must not
 * matter. */
static void next_pipeline(struct traffic *t) {
    next_track(t);
    t->in.ret_uebret = rng_chance(&t->rng, 8);
    t->in.ebb_ack = rng_chance(&t->rng, 8);
    t->in.xlat_paddr = rng_64(&t->rng) >> 8;
    t->in.ret_next_pc = some_pc(t);
    t->in.ret_flush_pc = some_pc(t);
    t->in.ret_flushed = rng_chance(&t->rng, 64);
    for (unsigned lane = 0; lane < t->cfg->decode_w; lane++)
        t->in.decode[lane].pc = some_pc(t);
    if (t->cfg->smpdis) {
        host_next(&t->host, t->cfg, &t->rng, &t->in);
        return;
    }
    for (unsigned lane = 0; lane < t->cfg->decode_w; lane++) {
        struct gp_decode *d = &t->in.decode[lane];

        d->valid = rng_chance(&t->rng, t->mood.retire_rate);
        d->type = (uint8_t)rng_below(&t->rng, 5);
        d->mode = (uint8_t)(t->in.mode.priv | (t->in.mode.v ? 4 : 0));
    }
    t->in.rec_ready = rng_chance(&t->rng, 128);
    t->in.rec_done = rng_chance(&t->rng, 64);
    t->in.xlat_done = rng_chance(&t->rng, 64);
    t->in.xlat_fault = rng_chance(&t->rng, 16);
}

static void next_phase(struct traffic *t) {
    static const unsigned rates[] = {24, 96, 192, 250};
    struct mood *m = &t->mood;

    t->left = 50 + rng_below(&t->rng, 500);
    m->csr_rate = rates[rng_below(&t->rng, 4)];
    m->setup_rate = rates[rng_below(&t->rng, 3)];
    m->retire_rate = rates[rng_below(&t->rng, 4)];
    m->dense = 1 + rng_below(&t->rng, 15);
    m->mode_rate = rates[rng_below(&t->rng, 4)] / 2;
    m->odd_rate = rng_chance(&t->rng, 80) ? 80 : 2;
    m->env_rate = rates[rng_below(&t->rng, 3)] / 2;
    m->open = rng_chance(&t->rng, 160);
    m->crowded = rng_chance(&t->rng, 8);
    host_next_mood(&t->host, &t->rng);
}

void traffic_init(struct traffic *t, const struct gp_config *cfg, uint64_t seed) {
    memset(t, 0, sizeof(*t));
    t->cfg = cfg;
    rng_seed(&t->rng, seed);
    t->in.mode.priv = GP_M;
    t->in.env.mstateen0 = t->in.env.hstateen0 = UINT64_MAX;
}

/* The host's promise: while an access stands at the ports, so does what the environment says of rights. */
static void keep_rights(struct gp_in *in, const struct gp_in *before) {
    const struct gp_csr *now = &in->csr, *then = &before->csr;

    if (now->num != then->num || now->op != then->op || now->priv != then->priv || now->v != then->v)
        return;
    in->env.cde = before->env.cde;
    in->env.mstateen0 = before->env.mstateen0;
    in->env.hstateen0 = before->env.hstateen0;
    in->env.hcounteren = before->env.hcounteren;
}

void traffic_next(struct traffic *t) {
    const struct gp_in before = t->in;

    if (!t->left--)
        next_phase(t);
    if (t->rst) {
        host_reset(&t->host);
        plan_after_reset(t);
    }
    t->rst = rng_below(&t->rng, 10000) == 0;
    next_mode(t);
    next_env(t);
    next_csr(t);
    if (t->pipelined)
        keep_rights(&t->in, &before);
    next_events(t);
    next_pipeline(t);
}

void traffic_stall(struct traffic *t) {
    t->held = true;
    t->held_csr = t->in.csr;
    t->in.csr.valid = false;
    memset(t->in.ev_retire, 0, sizeof(t->in.ev_retire));
    for (unsigned lane = 0; lane < t->cfg->retire_w; lane++)
        t->in.retire[lane].valid = false;
}

struct gp_csr traffic_numbers(struct traffic *t) {
    enum { ALL = 4096, OPERATIONS = 4 };
    unsigned num = t->numbers % ALL, round = t->numbers / ALL;
    const struct gp_mode *mode = &modes[(num + round / OPERATIONS) % n_modes(t)];

    t->numbers++;
    return (struct gp_csr){.valid = true,
                           .num = (uint16_t)num,
                           .op = (uint8_t)(round % OPERATIONS),
                           .priv = mode->priv,
                           .v = mode->v};
}

void traffic_look(struct traffic *t) {
    if (t->held)
        return;
    t->held = true;
    if (rng_below(&t->rng, 3) != 0) {
        t->held_csr = traffic_numbers(t);
        t->held_csr.valid = t->held_csr.num != 0; /* the host's promise */
        return;
    }
    if (traffic_state[t->looks] == 0xFFFF)
        t->looks = 0;
    t->held_csr = (struct gp_csr){.valid = true, .num = traffic_state[t->looks++], .priv = GP_M};
}

/* With one lane the events of the sample are those that the lane shows, or not known. */
static void one_lane_events(struct traffic *t) {
    struct gp_track *k = &t->in.track;

    if (t->cfg->retire_w > 1)
        return;
    if (k->vaddr % 8 == 0)
        k->ev = 0;
    else if (t->in.retire[0].valid)
        k->ev = t->in.ev_retire[0];
}

void traffic_react(struct traffic *t, const struct gp_out *out) {
    if (t->cfg->smpdis)
        host_react(&t->host, t->cfg, &t->rng, &t->in, out);
    one_lane_events(t);
}
