// SPDX-License-Identifier: Apache-2.0
/* The traffic of a cycle: CSR accesses, modes, environment, events, the pipeline's reports. */
#include "traffic_parts.h"

#include <string.h>

#define ROW8(n) (n), (n) + 1, (n) + 2, (n) + 3, (n) + 4, (n) + 5, (n) + 6, (n) + 7
#define ROW32(n) ROW8(n), ROW8((n) + 8), ROW8((n) + 16), ROW8((n) + 24)

const uint16_t traffic_state[] = {
    ROW32(TALLY_CSR_MCYCLE),
    ROW32(TALLY_CSR_MCYCLEH),
    ROW32(TALLY_CSR_MCOUNTINHIBIT),
    ROW32(ROW_EVENTH),
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
    ROW8(TALLY_CSR_UBESCR),
    TALLY_CSR_UEBBSPC,
    TALLY_CSR_SEBBCTL,
    TALLY_CSR_MEBBCTL,
    TALLY_CSR_VSPDISCTL,
    TALLY_CSR_VSPDISCTLH,
    TALLY_CSR_MPDISCTL,
    TALLY_CSR_MPDISCTLH,
    0xFFFF,
};

static void next_csr(struct traffic *t) {
    struct gp_csr *csr = &t->in.csr;
    unsigned pick = rng_below(&t->rng, 256);

    /* An access that had to wait comes again, mostly. */
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
        csr_access(t, TALLY_CSR_MCYCLE + some_counter(t), GP_READ, 0);
    } else if (pick < t->mood.setup_rate)
        csr_setup(t);
    else if (pick < t->mood.setup_rate + 60)
        csr_windows(t);
    else
        csr_anything(t);
    if (t->waits && !csr->valid && rng_below(&t->rng, 2) != 0)
        csr->num = 0; /* a number without an access costs cycles */
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
    t->in.mode.stopcount = rng_chance(&t->rng, t->mood.odd_rate);
    t->in.mode.debug = rng_chance(&t->rng, t->mood.odd_rate);
    if (t->pin) {
        t->in.mode.priv = t->pinned.priv;
        t->in.mode.v = t->pinned.v;
        t->pin--;
    }
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
        env->sstateen0 = (uint32_t)rng_dense(&t->rng, dense);
        break;
    case 2:
        env->hstateen0 = rng_dense(&t->rng, dense);
        break;
    case 3:
        env->hcounteren = (uint32_t)rng_dense(&t->rng, dense);
        break;
    case 4:
        env->htimedelta = rng_word(&t->rng);
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

/* Of another mode, as a lane behind a change of mode would be. */
static uint8_t lane_mode(struct traffic *t) {
    struct gp_mode mode;

    some_mode(t, &mode);
    return (uint8_t)(mode.priv | (mode.v ? 4 : 0));
}

static void next_events(struct traffic *t) {
    uint64_t max = (UINT64_C(1) << t->cfg->evc_w) - 1;
    uint64_t fires = rng_dense(&t->rng, t->mood.dense), small = rng_chance(&t->rng, 128) ? 10 : 255;
    bool inside = rng_chance(&t->rng, 64); /* all lanes are in the range */

    memset(t->in.ev_retire, 0, sizeof(t->in.ev_retire));
    memset(t->in.ev_cycle, 0, sizeof(t->in.ev_cycle));
    for (unsigned lane = 0; lane < t->cfg->retire_w; lane++) {
        struct gp_retire_lane *l = &t->in.retire[lane];

        l->valid = rng_chance(&t->rng, t->mood.retire_rate);
        l->mode = (uint8_t)(t->in.mode.priv | (t->in.mode.v ? 4 : 0));
        if (t->cfg->ebb && rng_chance(&t->rng, 8))
            l->mode = lane_mode(t);
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

/* The report of the tagged instruction; the unit reads it in the cycle of its end only. */
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
    t->in.ret_uebret_ge = rng_chance(&t->rng, 128);
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
        d->type = (uint8_t)rng_below(&t->rng, TALLY_TYPE_N);
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
    t->in.env.sstateen0 = UINT32_MAX;
}

/* The host's promise: during an access the inputs that give rights do not change. */
static void keep_rights(struct gp_in *in, const struct gp_in *before) {
    const struct gp_csr *now = &in->csr, *then = &before->csr;

    if (now->num != then->num || now->op != then->op || now->priv != then->priv || now->v != then->v)
        return;
    in->env.cde = before->env.cde;
    in->env.mstateen0 = before->env.mstateen0;
    in->env.hstateen0 = before->env.hstateen0;
    in->env.sstateen0 = before->env.sstateen0;
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

struct gp_csr traffic_numbers(struct traffic *t) {
    enum { ALL = 4096, OPERATIONS = 4 };
    unsigned num = t->numbers % ALL, round = t->numbers / ALL;
    const struct gp_mode *mode = nth_mode(t, num + round / OPERATIONS);

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

/* With one lane the events of a sample that retires are those that the lane shows. */
static void one_lane_events(struct traffic *t) {
    if (t->cfg->retire_w == 1 && t->in.track.retired)
        t->in.track.ev = t->in.ev_retire[0];
}

void traffic_react(struct traffic *t, const struct gp_out *out) {
    struct gp_out shown = *out;

    if (t->still)
        shown.ret_max = 0;
    if (t->cfg->smpdis)
        host_react(&t->host, t->cfg, &t->rng, &t->in, &shown);
    one_lane_events(t);
}
