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
    {TALLY_CSR_SCOUNTERINHIBIT, 32}, {TALLY_CSR_MMSC_CFG, 1},       {TALLY_CSR_SHPMSWINC, 1},
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
    TALLY_CSR_TIME,           TALLY_CSR_TIMEH,
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
    0xFFFF,
};

/* ---- values */

static unsigned some_counter(struct traffic *t) {
    unsigned n = t->cfg->hpm_n;

    if (rng_chance(&t->rng, 64)) /* the one that is about to overflow */
        return t->recent;
    if (!n || rng_chance(&t->rng, n < 3 ? 120 : 24)) /* mcycle, minstret */
        return rng_chance(&t->rng, 128) ? 0 : 2;
    return 3 + rng_below(&t->rng, n);
}

static unsigned any_counter(struct traffic *t) {
    return rng_chance(&t->rng, 224) ? some_counter(t) : rng_below(&t->rng, 32);
}

static uint64_t near_overflow(struct traffic *t) {
    return ~(uint64_t)rng_below(&t->rng, rng_chance(&t->rng, 200) ? 12 : 300);
}

static uint64_t some_selector(struct traffic *t) {
    unsigned i = 1 + rng_below(&t->rng, N_EVENTS - 1);

    if (rng_chance(&t->rng, 16))
        return rng_chance(&t->rng, 128) ? rng_below(&t->rng, 256) : rng_64(&t->rng) >> rng_below(&t->rng, 64);
    while (tally_events[i].kind == TALLY_EVENT_NONE)
        i = i + 1 < N_EVENTS ? i + 1 : 1;
    return tally_events[i].selector ^ (rng_chance(&t->rng, 8) ? UINT64_C(1) << rng_below(&t->rng, 56) : 0);
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

static uint32_t enable_word(struct traffic *t) { return (uint32_t)rng_dense(&t->rng, t->mood.open ? 15 : 8); }

/* One of the modes that exist; the rest of `mode` keeps its value. */
static void some_mode(struct traffic *t, struct gp_mode *mode) {
    static const struct gp_mode modes[] = {
        {.priv = GP_M}, {.priv = GP_S}, {.priv = GP_U}, {.priv = GP_S, .v = true}, {.priv = GP_U, .v = true}};
    unsigned pick = rng_below(&t->rng, t->cfg->hyp ? 5 : 3);

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

/* What makes something happen: in M-mode, and mostly sensible. */
static void setup(struct traffic *t) {
    t->in.csr.priv = GP_M;
    t->in.csr.v = false;
    switch (rng_below(&t->rng, 16)) {
    case 0:
        access(t, TALLY_CSR_MCOUNTINHIBIT, GP_WRITE, rng_dense(&t->rng, t->mood.open ? 1 : 4));
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

/* Delegated and virtualised accesses. */
static void windows(struct traffic *t) {
    static const uint16_t base[] = {TALLY_CSR_SISELECT, TALLY_CSR_SISELECT, TALLY_CSR_SISELECT,
                                    TALLY_CSR_VSISELECT, TALLY_CSR_MISELECT};
    unsigned b = base[rng_below(&t->rng, 5)];

    if (rng_chance(&t->rng, 64))
        access(t, b, rng_below(&t->rng, 4), rng_chance(&t->rng, 240) ? 0x40 + any_counter(t) : some_value(t));
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
    if (rng_chance(&t->rng, 80))
        num = singles[rng_below(&t->rng, N_SINGLES)];
    if (rng_chance(&t->rng, 8))
        num = rng_below(&t->rng, 4096);
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

/* One access to a counter or its event, by any way that there is. */
static void plan_touch(struct traffic *t, unsigned i) {
    bool high = t->cfg->xlen == 32 && rng_chance(&t->rng, 128);
    unsigned op = 1 + rng_below(&t->rng, 3);
    uint64_t top = high ? 0x80000000 : UINT64_C(1) << 63;

    switch (rng_below(&t->rng, 6)) {
    case 0:
        plan(t, (high ? TALLY_CSR_MCYCLEH : TALLY_CSR_MCYCLE) + i, op, near_overflow(t));
        break;
    case 1:
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
    static const uint64_t frequent[] = {TALLY_EV_INST_RET, TALLY_EV_CYCLES_HART, TALLY_EV_CYCLES_BUS};
    static const uint32_t andes[] = {0, 5, UINT32_MAX};
    uint64_t selector = rng_chance(&t->rng, 200) ? frequent[rng_below(&t->rng, 3)] : some_selector(t);
    uint64_t flag = rng_chance(&t->rng, 128) ? UINT64_C(1) << 63 : 0;
    unsigned steps = rng_chance(&t->rng, 128) ? 1 : 1 + rng_below(&t->rng, 9), n = 1 + rng_below(&t->rng, 6);
    unsigned first = rng_chance(&t->rng, 64) ? 0 : rng_below(&t->rng, 32), i = 0;

    plan(t, TALLY_CSR_MCOUNTINHIBIT, GP_WRITE, UINT32_MAX);
    if (!flag)
        plan(t, TALLY_CSR_MCOUNTEROVF, GP_WRITE, UINT32_MAX);
    if (rng_chance(&t->rng, 160))
        plan(t, TALLY_CSR_MCOUNTERINEN, GP_WRITE,
             rng_chance(&t->rng, 128) ? rng_word(&t->rng) : andes[rng_below(&t->rng, 3)]);
    for (unsigned k = 0; k < n; k++) {
        i = existing_counter(t, first + k);
        plan_wide(t, TALLY_CSR_MCYCLE + i, TALLY_CSR_MCYCLEH + i, -(uint64_t)steps);
        plan_wide(t, TALLY_CSR_MCOUNTINHIBIT + i, 0x720 + i, i < 3 ? 0 : selector | flag);
    }
    plan(t, TALLY_CSR_MCOUNTINHIBIT, GP_WRITE, 0);
    for (n = rng_below(&t->rng, 3); n; n--)
        plan_touch(t, i);
}

/* A delegated counter and who wants it: S-mode that may, or anyone under any enables. */
static void plan_delegated(struct traffic *t) {
    struct gp_mode mode = {.priv = GP_S};
    unsigned i = some_counter(t);

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
    if (rng_chance(&t->rng, 128)) { /* it counts, unless it is stopped */
        plan_wide(t, TALLY_CSR_MCOUNTINHIBIT + i, 0x720 + i,
                  (i < 3 ? 0 : TALLY_EV_CYCLES_BUS) | (rng_64(&t->rng) & UINT64_C(0x7C) << 56));
        plan(t, TALLY_CSR_MCOUNTINHIBIT, 2 + rng_below(&t->rng, 2), UINT32_C(1) << i);
    }
    plan(t, mode.v ? TALLY_CSR_VSISELECT : TALLY_CSR_SISELECT, GP_WRITE, 0x40 + i);
    for (unsigned n = 1 + rng_below(&t->rng, 6); n; n--)
        plan_in(t, &mode, TALLY_CSR_SISELECT + 1 + rng_below(&t->rng, 7), rng_below(&t->rng, 4),
                rng_chance(&t->rng, 128) ? near_overflow(t) : some_selector(t) | some_filter(t));
}

static void next_plan(struct traffic *t) {
    t->planned = t->planned_next = 0;
    if (rng_chance(&t->rng, 160))
        plan_overflow(t);
    else
        plan_delegated(t);
}

static void next_csr(struct traffic *t) {
    struct gp_csr *csr = &t->in.csr;
    unsigned pick = rng_below(&t->rng, 256);

    if (t->planned_next == t->planned && rng_below(&t->rng, 100) == 0)
        next_plan(t);
    t->from_plan = t->planned_next < t->planned && !t->in.mode.halted;
    if (t->from_plan) {
        *csr = t->plan[t->planned_next++];
        if (t->cfg->xlen == 32)
            csr->wdata &= 0xFFFFFFFF;
        return;
    }

    /* The host's promise: no instruction retires while the core clock is halted. */
    csr->valid = rng_chance(&t->rng, t->mood.csr_rate) && !t->in.mode.halted;
    csr->priv = t->in.mode.priv;
    csr->v = t->in.mode.v;
    if (pick < t->mood.setup_rate)
        setup(t);
    else if (pick < t->mood.setup_rate + 60)
        windows(t);
    else
        anything(t);
    if (t->cfg->xlen == 32)
        csr->wdata &= 0xFFFFFFFF;
}

/* ---- the rest of the hart */

static void next_mode(struct traffic *t) {
    if (rng_chance(&t->rng, t->mood.mode_rate))
        some_mode(t, &t->in.mode);
    t->in.mode.halted = rng_chance(&t->rng, t->mood.odd_rate);
    t->in.mode.debug = rng_chance(&t->rng, t->mood.odd_rate);
}

static void next_env(struct traffic *t) {
    struct gp_env *env = &t->in.env;
    unsigned dense = t->mood.open ? 15 : 8;

    env->time++;
    env->lcofip = rng_chance(&t->rng, 128);
    env->tlb_inval = rng_chance(&t->rng, 16);
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
    uint64_t fires = rng_dense(&t->rng, t->mood.dense);

    memset(t->in.ev_retire, 0, sizeof(t->in.ev_retire));
    memset(t->in.ev_cycle, 0, sizeof(t->in.ev_cycle));
    for (unsigned lane = 0; lane < t->cfg->retire_w; lane++) {
        struct gp_retire_lane *l = &t->in.retire[lane];

        l->valid = rng_chance(&t->rng, t->mood.retire_rate);
        l->mode = (uint8_t)(t->in.mode.priv | (t->in.mode.v ? 4 : 0));
        l->pc = rng_word(&t->rng) & ~1u;
        if (l->valid)
            t->in.ev_retire[lane] = (rng_dense(&t->rng, t->mood.dense) | UINT64_C(1) << TALLY_EVR_INST) &
                                    ((UINT64_C(1) << TALLY_EVR_N) - 1);
    }
    for (unsigned wire = 0; wire < TALLY_EVC_N; wire++) {
        if (wire == TALLY_EVC_CYCLE)
            set_cycle_wire(t, wire, !t->in.mode.halted);
        else if (fires >> wire & 1)
            set_cycle_wire(t, wire, max == 1 ? 1 : 1 + rng_below(&t->rng, (unsigned)max));
    }
}

/* The parts of the unit that are not built yet ignore these; they are driven truly all the same. */
static void next_pipeline(struct traffic *t) {
    for (unsigned lane = 0; lane < t->cfg->decode_w; lane++) {
        struct gp_decode *d = &t->in.decode[lane];

        d->valid = rng_chance(&t->rng, t->mood.retire_rate);
        d->type = (uint8_t)rng_below(&t->rng, 5);
        d->mode = (uint8_t)(t->in.mode.priv | (t->in.mode.v ? 4 : 0));
        d->pc = rng_word(&t->rng) & ~1u;
    }
    t->in.ret_next_pc = rng_word(&t->rng) & ~1u;
    t->in.ret_flush_pc = rng_word(&t->rng) & ~1u;
    t->in.ret_flushed = rng_chance(&t->rng, 32);
}

static void next_phase(struct traffic *t) {
    static const unsigned rates[] = {16, 64, 128, 240};
    struct mood *m = &t->mood;

    t->left = 50 + rng_below(&t->rng, 500);
    m->csr_rate = rates[rng_below(&t->rng, 4)];
    m->setup_rate = rates[rng_below(&t->rng, 3)];
    m->retire_rate = rates[rng_below(&t->rng, 4)];
    m->dense = 1 + rng_below(&t->rng, 15);
    m->mode_rate = rates[rng_below(&t->rng, 4)] / 2;
    m->odd_rate = rng_chance(&t->rng, 64) ? 64 : 2;
    m->env_rate = rates[rng_below(&t->rng, 3)] / 2;
    m->open = rng_chance(&t->rng, 160);
}

void traffic_init(struct traffic *t, const struct gp_config *cfg, uint64_t seed) {
    memset(t, 0, sizeof(*t));
    t->cfg = cfg;
    rng_seed(&t->rng, seed);
    t->in.mode.priv = GP_M;
    t->in.env.mstateen0 = t->in.env.hstateen0 = UINT64_MAX;
}

void traffic_next(struct traffic *t) {
    if (!t->left--)
        next_phase(t);
    t->rst = rng_below(&t->rng, 50000) == 0;
    next_mode(t);
    next_env(t);
    next_csr(t);
    next_events(t);
    next_pipeline(t);
}

void traffic_stall(struct traffic *t) {
    if (t->from_plan)
        t->planned_next--;
    t->from_plan = false;
    t->in.csr.valid = false;
    memset(t->in.ev_retire, 0, sizeof(t->in.ev_retire));
    for (unsigned lane = 0; lane < t->cfg->retire_w; lane++)
        t->in.retire[lane].valid = false;
}
