// SPDX-License-Identifier: Apache-2.0
/*
 * Instruction sampling: selection of a sample, its stages, and its end (event sampling draft, Smpdis and
 * Sspdis; docs/sampling.md).
 */
#include "pmu_internal.h"

enum { INHIBIT_PDIS = TALLY_MCOUNTINHIBIT_PDIS_LSB };

/* ---- selection */

static bool inhibited(const struct gp *pmu) { return pmu->inhibit >> INHIBIT_PDIS & 1; }

static bool type_selected(const struct gp *pmu, unsigned type) {
    bool loads = gp_type_loads(type), stores = gp_type_stores(type);

    switch (pmu->pdis.ctl & TALLY_MPDISCTL_SEL_MASK) {
    case TALLY_PDISSEL_ALL:
        return true;
    case TALLY_PDISSEL_LOADS:
        return loads;
    case TALLY_PDISSEL_STORES:
        return stores;
    case TALLY_PDISSEL_MEMORY:
        return loads || stores;
    default:
        return type == TALLY_TYPE_TRANSFER;
    }
}

/* Lane by lane: the first overflow selects unless a sample is active; every other one is a collision
 * (docs/rulings.md, Several sample overflows). With ACC the first instruction after a discarded sample is the
 * next sample. */
static void select_sample(const struct gp *pmu, struct gp_cycle *cycle) {
    const struct gp_pdis *p = &pmu->pdis;
    const struct gp_in *in = cycle->in;
    struct gp_sampling *s = &cycle->sampling;
    bool busy = p->active;
    bool counts = !gp_writes(cycle, REG_PDISCOUNTER) || cycle->write.to.high; /* a write of COUNT wins */
    bool at_once = p->accelerate && (p->ctl & TALLY_MPDISCTL_ACC_MASK);

    s->count = p->count;
    if (inhibited(pmu) || in->mode.stopcount || in->mode.halted)
        return;
    for (unsigned lane = 0; lane < pmu->cfg.decode_w; lane++) {
        const struct gp_decode *d = &in->decode[lane];
        bool overflow = false;

        if (!d->valid || !type_selected(pmu, d->type) || !gp_mode_sampled(pmu, d->mode))
            continue;
        if (counts) {
            overflow = s->count == UINT32_MAX;
            s->count = overflow ? p->initval : s->count + 1;
            s->overflows += overflow;
        }
        if (busy) {
            s->collisions += overflow;
        } else if (overflow || at_once) {
            s->selected = (uint8_t)(1u << lane);
            busy = true;
        }
    }
}

/* ---- tracking */

static void note_stages(struct gp_stages *s, const struct gp_track *k, uint64_t now) {
    if (k->dispatched && !s->dispatched) {
        s->dispatched = true;
        s->dispatch = now;
    }
    if (k->issued && s->dispatched && !s->issued) {
        s->issued = true;
        s->issue = now;
    }
    if (k->completed && s->issued && !s->completed) {
        s->completed = true;
        s->completion = now;
    }
    if (k->oldest && !s->oldest) {
        s->oldest = true;
        s->first = now;
    }
}

/* ---- the end */

static bool passes_filters(const struct gp *pmu, const struct gp_record *record) {
    const struct gp_pdis *p = &pmu->pdis;
    unsigned filter = p->filter;
    unsigned latency = gp_latency(record, (unsigned)(filter >> TALLY_SPDISFILTER_LATSEL_LSB));
    bool below = latency < (filter & TALLY_SPDISFILTER_THRESH_MASK);

    if ((p->match & p->mask) != (record->word[GP_HDREV] & p->mask))
        return false;
    return filter & TALLY_SPDISFILTER_INV_MASK ? below : !below;
}

/* The reasons in their order (docs/sampling.md; docs/rulings.md, Order of judgement) */
static enum gp_end judge(const struct gp *pmu, const struct gp_record *record) {
    if (!passes_filters(pmu, record))
        return GP_END_FILTERED;
    if (inhibited(pmu))
        return GP_END_INHIBITED;
    if (pmu->pdis.ctl & TALLY_MPDISCTL_MEM_MASK && !gp_buffer_accepts(pmu))
        return GP_END_DROPPED;
    return GP_END_KEPT;
}

void gp_sample_cycle(const struct gp *pmu, struct gp_cycle *cycle) {
    const struct gp_pdis *p = &pmu->pdis;
    const struct gp_track *k = &p->seen.track;
    struct gp_sampling *s = &cycle->sampling;

    s->selected = s->overflows = s->collisions = 0;
    s->end = GP_END_NONE;
    s->lcofi = false;
    if (!pmu->cfg.smpdis)
        return;
    select_sample(pmu, cycle);
    if (!p->active || !(k->retired || k->trapped || k->flushed))
        return;
    struct gp_stages stages = p->stages;
    note_stages(&stages, k, p->age);
    gp_make_record(pmu, &cycle->in->env, &stages, &s->record);
    s->end = judge(pmu, &s->record);
    s->lcofi = s->end == GP_END_KEPT && !(p->ctl & TALLY_MPDISCTL_OF_MASK);
}

/* Keep the reports of the lanes and the track port. */
static void see(struct gp *pmu, const struct gp_in *in) {
    struct gp_seen *seen = &pmu->pdis.seen;
    const struct gp_track *k = &in->track;

    seen->track = *k;
    seen->counted = 0;
    /* Retire events: none without retirement (docs/rulings.md, What did not happen is not reported). */
    for (uint32_t left = k->retired ? pmu->hpm : 0; left; left &= left - 1) {
        unsigned i = (unsigned)__builtin_ctz(left);

        if (gp_counts_instruction(pmu, i, k->ev))
            seen->counted |= UINT32_C(1) << i;
    }
    for (unsigned lane = 0; lane < pmu->cfg.retire_w; lane++) {
        seen->retire[lane] = in->retire[lane];
        seen->ev_retire[lane] = in->ev_retire[lane];
    }
    seen->ret_next_pc = in->ret_next_pc;
}

static void take(struct gp_pdis *p, const struct gp_decode *d) {
    p->active = true;
    p->age = 0;
    p->pc = d->pc;
    p->type = d->type;
    p->mode = d->mode;
    p->stages = (struct gp_stages){.dispatched = false};
}

void gp_sample_clock(struct gp *pmu, const struct gp_cycle *cycle) {
    const struct gp_sampling *s = &cycle->sampling;
    struct gp_pdis *p = &pmu->pdis;
    bool discarded = s->end == GP_END_FILTERED || s->end == GP_END_DROPPED;

    if (!pmu->cfg.smpdis)
        return;
    p->count = s->count;
    p->accelerate = p->ctl & TALLY_MPDISCTL_ACC_MASK && ((p->accelerate && !s->selected) || discarded);
    p->prior = gp_prior_target(pmu, false);
    if (p->active) {
        note_stages(&p->stages, &p->seen.track, p->age);
        p->age++;
    }
    if (s->end == GP_END_KEPT) {
        p->ctl |= TALLY_MPDISCTL_OF_MASK;
        if (!(p->ctl & TALLY_MPDISCTL_MEM_MASK))
            p->registers = s->record;
    }
    if (s->end)
        p->active = false;
    if (s->selected)
        take(p, &cycle->in->decode[__builtin_ctz(s->selected)]);
    /* Sampling events count in the next cycle in which the core clock runs. */
    if (s->end || !cycle->in->mode.halted)
        p->ended = s->end;
    if (!cycle->in->mode.halted)
        p->collided = s->collisions;
    see(pmu, cycle->in);
}
