// SPDX-License-Identifier: Apache-2.0
#include "host.h"

#include "tally_spec.h"

#include <string.h>

void host_reset(struct host *h) {
    const struct host_mood mood = h->mood;

    memset(h, 0, sizeof(*h));
    h->mood = mood;
}

void host_next_mood(struct host *h, struct rng *rng) {
    static const unsigned rates[] = {16, 80, 160, 250};
    struct host_mood *m = &h->mood;

    m->decode = rates[rng_below(rng, 4)];
    m->move = rates[rng_below(rng, 4)];
    m->flush = rng_chance(rng, 128) ? 2 : 24;
    m->memory = rates[rng_below(rng, 4)];
    m->translation = rates[rng_below(rng, 4)];
    m->fault = rng_chance(rng, 64) ? 128 : 16;
    m->other_mode = rng_chance(rng, 64) ? 64 : 0;
}

static unsigned some_mode(const struct gp_config *cfg, struct rng *rng) {
    static const uint8_t modes[] = {GP_M, GP_S, GP_U, 4 | GP_S, 4 | GP_U};

    return modes[rng_below(rng, cfg->hyp ? 5 : 3)];
}

/* ---- decode */

static bool can_trap(const struct insn *i) { return i->completed && i->traps; }

/* Will a trapping instruction be the oldest in this cycle, perhaps behind some that retire? */
static bool trap_is_near(const struct host *h, const struct gp_config *cfg) {
    for (unsigned n = 0; n < h->used && n <= cfg->retire_w; n++)
        if (can_trap(&h->queue[n]))
            return true;
    return false;
}

void host_next(struct host *h, const struct gp_config *cfg, struct rng *rng, struct gp_in *in) {
    for (unsigned lane = 0; lane < cfg->decode_w; lane++) { /* lanes that are not valid do not matter */
        struct gp_decode *d = &in->decode[lane];

        d->valid = false;
        d->mode = (uint8_t)(in->mode.priv | (in->mode.v ? 4 : 0));
        if (rng_chance(rng, h->mood.other_mode))
            d->mode = (uint8_t)some_mode(cfg, rng);
        d->type = (uint8_t)rng_below(rng, TALLY_TYPE_N);
    }
    /* A flush takes the front end too: seldom is something decoded beside one, and it may be gone at once. */
    h->flush = FLUSH_NONE;
    if (h->used && !h->freeze && !in->mode.halted) {
        const struct insn *youngest = &h->queue[h->used - 1];
        bool young_sample = youngest->tagged && !youngest->dispatched; /* it may end at once */

        if (trap_is_near(h, cfg))
            h->flush = FLUSH_TRAP;
        else if (rng_chance(rng, young_sample && h->mood.flush < 8 ? 8 : h->mood.flush))
            h->flush = rng_chance(rng, 128) ? FLUSH_YOUNGER : FLUSH_ALL;
    }
    if (in->mode.halted || (h->flush != FLUSH_NONE && !rng_chance(rng, 16)))
        return;
    for (unsigned lane = 0; lane < cfg->decode_w; lane++)
        in->decode[lane].valid = h->used + cfg->decode_w <= HOST_ROOM && rng_chance(rng, h->mood.decode);
}

static void take_decoded(struct host *h, const struct gp_config *cfg, struct rng *rng, const struct gp_in *in,
                         unsigned sample) {
    for (unsigned lane = 0; lane < cfg->decode_w; lane++) {
        const struct gp_decode *d = &in->decode[lane];

        if (d->valid)
            h->queue[h->used++] = (struct insn){.tagged = sample >> lane & 1,
                                                .traps = rng_chance(rng, 16),
                                                .type = d->type,
                                                .mode = d->mode,
                                                .pc = d->pc};
    }
}

/* ---- the back end */

static bool moves(const struct host *h, struct rng *rng) {
    return !h->freeze && rng_chance(rng, h->mood.move);
}

/* One instruction; `in_order`: all older ones have been dispatched. Some complete without a unit. */
static void advance(struct host *h, struct insn *i, bool in_order, struct rng *rng, struct gp_track *k) {
    const struct insn before = *i;

    if (!i->dispatched && in_order && moves(h, rng))
        i->dispatched = true;
    if (i->dispatched && !i->completed && !i->issued && moves(h, rng)) {
        if (rng_chance(rng, 8))
            i->completed = true;
        else
            i->issued = true;
    }
    if (i->issued && !i->completed && moves(h, rng))
        i->completed = true;
    if (!i->tagged)
        return;
    k->dispatched = i->dispatched && !before.dispatched;
    k->issued = i->issued && !before.issued;
    k->completed = i->completed && !before.completed;
    if (rng_chance(rng, 8)) { /* a replay, say: a stage that it has been through is reported again */
        k->dispatched |= before.dispatched;
        k->issued |= before.issued;
        k->completed |= before.completed;
        k->oldest = i->was_oldest;
    }
}

static bool has_tagged(const struct host *h) {
    for (unsigned n = 0; n < h->used; n++)
        if (h->queue[n].tagged)
            return true;
    return false;
}

static void advance_all(struct host *h, struct rng *rng, struct gp_track *k) {
    bool in_order = true;

    if (h->freeze)
        h->freeze--;
    else if (rng_below(rng, 1500) == 0 && has_tagged(h)) /* now and then longer than a latency can say */
        h->freeze = rng_chance(rng, 48) ? 4200 : rng_below(rng, 1 << rng_below(rng, 12));
    for (unsigned n = 0; n < h->used; n++) {
        advance(h, &h->queue[n], in_order, rng, k);
        in_order &= h->queue[n].dispatched;
    }
    if (h->used && h->queue[0].dispatched && !h->queue[0].was_oldest) {
        h->queue[0].was_oldest = true;
        k->oldest |= h->queue[0].tagged;
    }
}

static void drop_oldest(struct host *h) {
    memmove(&h->queue[0], &h->queue[1], --h->used * sizeof(h->queue[0]));
}

/* Lanes with gaps, the oldest first; the tagged instruction is the last that retires in its cycle. */
static void retire(struct host *h, const struct gp_config *cfg, struct rng *rng, struct gp_in *in,
                   unsigned most) {
    bool last = false;

    for (unsigned lane = 0; lane < cfg->retire_w; lane++) {
        struct gp_retire_lane *l = &in->retire[lane];
        const struct insn *i = &h->queue[0];

        l->valid = !last && most && h->used && i->completed && !i->traps && !h->freeze && !in->mode.halted &&
                   rng_chance(rng, 200);
        if (!l->valid) {
            in->ev_retire[lane] = 0;
            continue;
        }
        in->ev_retire[lane] |= UINT64_C(1) << TALLY_EVR_INST;
        l->pc = i->pc;
        l->mode = i->mode;
        last = in->track.retired = i->tagged;
        most--;
        drop_oldest(h);
    }
}

/* Everything from `first` on is gone. */
static void flush_from(struct host *h, unsigned first, struct gp_track *k) {
    for (unsigned n = first; n < h->used; n++)
        k->flushed |= h->queue[n].tagged;
    if (first < h->used)
        h->used = first;
}

static void flush(struct host *h, struct rng *rng, struct gp_track *k) {
    switch (h->flush) {
    case FLUSH_YOUNGER: /* by one that stays */
        k->flush_why = 1;
        if (h->used)
            flush_from(h, 1 + rng_below(rng, h->used), k);
        break;
    case FLUSH_TRAP:
        k->flush_why = 0;
        if (h->used && can_trap(&h->queue[0])) {
            k->trapped = h->queue[0].tagged;
            drop_oldest(h);
            flush_from(h, 0, k);
        }
        break;
    case FLUSH_ALL:
        k->flush_why = rng_chance(rng, 128) ? 2 : 0;
        flush_from(h, 0, k);
        break;
    default:
        break;
    }
}

/* Of nothing that is under way or has just been tagged: to be ignored. */
static void noise(struct rng *rng, struct gp_track *k) {
    uint32_t bits = rng_word(rng);

    k->dispatched = bits & 1;
    k->issued = bits & 2;
    k->completed = bits & 4;
    k->oldest = bits & 8;
    k->retired = bits & 16;
    k->trapped = bits & 32;
    k->flushed = bits & 64;
}

static void run(struct host *h, const struct gp_config *cfg, struct rng *rng, struct gp_in *in,
                const struct gp_out *out) {
    struct gp_track *k = &in->track;
    bool tagged = has_tagged(h) || out->dec_sample;

    k->dispatched = k->issued = k->completed = k->oldest = k->retired = k->trapped = k->flushed = false;
    take_decoded(h, cfg, rng, in, out->dec_sample);
    if (!in->mode.halted) {
        unsigned decoded = 0;

        for (unsigned lane = 0; lane < cfg->decode_w; lane++)
            decoded += in->decode[lane].valid;
        advance_all(h, rng, k);
        h->used -= decoded; /* instructions just decoded do not retire yet */
        const struct insn *fresh = &h->queue[h->used];
        struct insn kept[GP_LANES];
        memcpy(kept, fresh, decoded * sizeof(*fresh));
        retire(h, cfg, rng, in, out->ret_max);
        memcpy(&h->queue[h->used], kept, decoded * sizeof(*fresh));
        h->used += decoded;
        flush(h, rng, k);
    } else {
        retire(h, cfg, rng, in, 0);
    }
    if (!tagged && rng_chance(rng, 16))
        noise(rng, k);
    if (h->used) /* else it stays what the traffic made it */
        in->ret_next_pc = h->queue[0].pc;
}

/* ---- memory */

static void answer(struct host *h, struct rng *rng, struct gp_in *in, const struct gp_out *out) {
    in->rec_ready = rng_chance(rng, h->mood.memory);
    h->words += out->rec_valid && in->rec_ready;
    in->rec_done = h->words && rng_chance(rng, h->mood.memory);
    h->words -= in->rec_done;
    in->xlat_done = out->xlat_req && rng_chance(rng, h->mood.translation);
    in->xlat_fault = rng_chance(rng, h->mood.fault);
}

void host_react(struct host *h, const struct gp_config *cfg, struct rng *rng, struct gp_in *in,
                const struct gp_out *out) {
    run(h, cfg, rng, in, out);
    answer(h, rng, in, out);
}
