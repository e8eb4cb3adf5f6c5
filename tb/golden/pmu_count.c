/*
 * What counts, by how much, and what wraps.
 */
#include "pmu_state.h"

#include "tally_events.h"
#include "tally_spec.h"

#include <string.h>

/* Wires that the unit makes itself, as masks of tally_internal_wires. */
enum internal_wire {
    BUS_CYC = 1 << 0,
    REF_CYC = 1 << 1,
    SLOTS = 1 << 2,
    DEC_INST = 1 << 3,
    DEC_BRJMP = 1 << 4,
    DEC_LOAD = 1 << 5,
    DEC_STORE = 1 << 6,
    DEC_LDST = 1 << 7,
    SOFTWARE = 1 << 13
};

enum { N_EVENTS = sizeof(tally_events) / sizeof(tally_events[0]) };

/* Ruling 9: a selector is what spec/events.yaml lists; any other is no event. */
uint8_t gp_event_number(uint64_t selector) {
    if (!selector)
        return 0;
    for (unsigned i = 0; i < N_EVENTS; i++)
        if (tally_events[i].kind != TALLY_EVENT_NONE && tally_events[i].selector == selector)
            return (uint8_t)i;
    return 0;
}

static uint64_t filter_of_mode(unsigned priv, bool v) {
    switch (priv) {
    case GP_M:
        return EV_MINH;
    case GP_S:
        return v ? EV_VSINH : EV_SINH;
    default:
        return v ? EV_VUINH : EV_UINH;
    }
}

static void listen(uint32_t users[64], uint64_t *used, uint64_t wires, unsigned i) {
    *used |= wires;
    for (; wires; wires &= wires - 1)
        users[__builtin_ctzll(wires)] |= UINT32_C(1) << i;
}

static void rebuild_listeners(struct gp *pmu) {
    memset(pmu->retire_users, 0, sizeof(pmu->retire_users));
    memset(pmu->cycle_users, 0, sizeof(pmu->cycle_users));
    pmu->retire_used = pmu->cycle_used = 0;
    pmu->internal_users = UINT32_C(1) << CY;
    listen(pmu->retire_users, &pmu->retire_used, UINT64_C(1) << TALLY_EVR_INST, IR);
    for (uint32_t left = pmu->live & pmu->hpm; left; left &= left - 1) {
        unsigned i = (unsigned)__builtin_ctz(left);
        const struct tally_event *event = &tally_events[pmu->number[i]];

        if (event->kind == TALLY_EVENT_RETIRE)
            listen(pmu->retire_users, &pmu->retire_used, event->from, i);
        else if (event->kind == TALLY_EVENT_CYCLE)
            listen(pmu->cycle_users, &pmu->cycle_used, event->from, i);
        else
            pmu->internal_users |= UINT32_C(1) << i;
    }
}

/* Bring what follows from event[i] up to date. */
void gp_event_changed(struct gp *pmu, unsigned i) {
    uint32_t bit = UINT32_C(1) << i;
    uint8_t number = i < HPM3 ? 0 : gp_event_number(pmu->event[i] & EV_SELECTOR);
    bool same = pmu->live && number == pmu->number[i];

    pmu->number[i] = number;
    if (i < HPM3 || pmu->number[i])
        pmu->live |= bit;
    else
        pmu->live &= ~bit;
    for (unsigned mode = 0; mode < 8; mode++) {
        if (pmu->event[i] & filter_of_mode(mode & 3, mode >> 2))
            pmu->filtered[mode] |= bit;
        else
            pmu->filtered[mode] &= ~bit;
    }
    if (!same)
        rebuild_listeners(pmu);
}

/* The overflow flag of every counter: OF, and mcounterovf of the two that have none (facts 8.3). */
uint32_t gp_overflow_flags(const struct gp *pmu) {
    uint32_t flags = pmu->fixed_ovf;

    for (unsigned i = HPM3; i < GP_COUNTERS; i++)
        flags |= (uint32_t)(pmu->event[i] >> 63) << i;
    return flags;
}

/* The count of one cycle event: evc_w bits at wire * evc_w, which may lie across two words. */
static uint64_t cycle_wire(const struct gp *pmu, const struct gp_in *in, unsigned wire) {
    unsigned at = wire * pmu->cfg.evc_w, word = at / 64, shift = at % 64;
    uint64_t bits = in->ev_cycle[word] >> shift;

    if (shift + pmu->cfg.evc_w > 64)
        bits |= in->ev_cycle[word + 1] << (64 - shift);
    return bits & ((UINT64_C(1) << pmu->cfg.evc_w) - 1);
}

/* A retire event counts the lanes whose instruction has it (architecture: lanes are added, never ORed). */
static uint64_t retire_lanes(const struct gp *pmu, const struct gp_in *in, const struct tally_event *event) {
    uint64_t n = 0;

    for (unsigned lane = 0; lane < pmu->cfg.retire_w; lane++) {
        uint64_t wires = in->ev_retire[lane];

        n += (wires & event->from) && (!event->when || (wires & event->when)) && !(wires & event->unless);
    }
    return n;
}

static uint64_t decode_lanes(const struct gp *pmu, const struct gp_in *in, uint64_t wire) {
    uint64_t n = 0;

    for (unsigned lane = 0; lane < pmu->cfg.decode_w; lane++) {
        const struct gp_decode *d = &in->decode[lane];
        bool load = d->type == 1 || d->type == 3, store = d->type == 2 || d->type == 3;

        n += d->valid &&
             (wire == DEC_INST || (wire == DEC_BRJMP && d->type == 4) || (wire == DEC_LOAD && load) ||
              (wire == DEC_STORE && store) || (wire == DEC_LDST && (load || store)));
    }
    return n;
}

/* Is this write the one that raises the software event? */
static bool raises_software_event(const struct gp_write *write) {
    return write->valid && write->to.reg == REG_SWINC && (write->value & write->mask & 1);
}

static uint64_t internal_count(const struct gp *pmu, const struct gp_in *in, const struct gp_write *write,
                               uint64_t wire) {
    switch (wire) {
    case BUS_CYC: /* ruling 13: the bus clock is the core's clock before it is halted */
    case REF_CYC:
        return 1;
    case SLOTS:
        return pmu->cfg.decode_w;
    case DEC_INST:
    case DEC_BRJMP:
    case DEC_LOAD:
    case DEC_STORE:
    case DEC_LDST:
        return decode_lanes(pmu, in, wire);
    case SOFTWARE:
        return raises_software_event(write);
    default:
        return 0;
    }
}

static uint64_t event_count(const struct gp *pmu, const struct gp_in *in, const struct gp_write *write,
                            const struct tally_event *event) {
    switch (event->kind) {
    case TALLY_EVENT_RETIRE:
        return retire_lanes(pmu, in, event);
    case TALLY_EVENT_CYCLE:
        return cycle_wire(pmu, in, (unsigned)__builtin_ctzll(event->from));
    case TALLY_EVENT_INTERNAL:
        return internal_count(pmu, in, write, event->from);
    default:
        return 0;
    }
}

uint64_t gp_increment(const struct gp *pmu, const struct gp_in *in, const struct gp_write *write,
                      unsigned i) {
    static const struct tally_event inst_ret = {.from = UINT64_C(1) << TALLY_EVR_INST};
    const struct tally_event *event = &tally_events[pmu->number[i]];

    /* Nothing counts while the core clock is halted, except bus cycles (ruling 13). */
    if (in->mode.halted && (i < HPM3 || event->kind != TALLY_EVENT_INTERNAL || event->from != BUS_CYC))
        return 0;
    if (i == CY)
        return 1;
    if (i == IR)
        return retire_lanes(pmu, in, &inst_ret);
    return event_count(pmu, in, write, event);
}

/* Counters that a wire of this cycle may move; none of the others does. */
static uint32_t candidates(const struct gp *pmu, const struct gp_in *in) {
    uint32_t found = pmu->internal_users;
    uint64_t retire = 0, cycle = 0;

    for (unsigned lane = 0; lane < pmu->cfg.retire_w; lane++)
        retire |= in->ev_retire[lane];
    for (retire &= pmu->retire_used; retire; retire &= retire - 1)
        found |= pmu->retire_users[__builtin_ctzll(retire)];

    if (pmu->cfg.evc_w == 1) /* the bits are the counts */
        cycle = in->ev_cycle[0] & pmu->cycle_used;
    else
        for (uint64_t left = pmu->cycle_used; left; left &= left - 1)
            if (cycle_wire(pmu, in, (unsigned)__builtin_ctzll(left)))
                cycle |= left & -left;
    for (; cycle; cycle &= cycle - 1)
        found |= pmu->cycle_users[__builtin_ctzll(cycle)];
    return found;
}

/* Everything is judged by the state before the clock edge, so that the instruction which writes
 * mcountinhibit, a filter or a selector is itself still counted under the old value (facts 13). */
void gp_count(const struct gp *pmu, const struct gp_in *in, const struct gp_write *write,
              struct gp_step *step) {
    /* xINH by the mode at the start of the cycle (facts 3). */
    unsigned mode = (in->mode.priv & 3) | (in->mode.v ? 4 : 0);
    uint32_t run = pmu->present & pmu->live & ~pmu->inhibit & ~pmu->filtered[mode];

    /* dcsr.stopcount freezes every counter (facts 13, debug mode). */
    if (in->mode.debug)
        run = 0;
    /* Ruling 7: a written counter takes the value written; its increment, and so its overflow, does not
     * happen. With XLEN 32 this holds for a write of either half (facts 13). */
    if (write->valid && write->to.reg == REG_COUNTER)
        run &= ~(UINT32_C(1) << write->to.i);

    step->moves = step->wraps = 0;
    if (run)
        run &= candidates(pmu, in);
    for (uint32_t left = run; left; left &= left - 1) {
        unsigned i = (unsigned)__builtin_ctz(left);
        uint64_t n = gp_increment(pmu, in, write, i), max = gp_counter_max(pmu, i);

        if (!n)
            continue;
        step->n[i] = n;
        step->moves |= UINT32_C(1) << i;
        /* An overflow is a carry out of the implemented width, for any increment (facts 2.2). More than one
         * in a cycle sets OF once (ruling 15). */
        if (n > max - pmu->counter[i])
            step->wraps |= UINT32_C(1) << i;
    }

    /* OF 0 -> 1 is a request, OF already 1 is none (facts 2.2). mcounterinen sends it to the Andes interrupt
     * instead of LCOFI, never to both; mcycle and minstret never make LCOFI (ruling 2, facts 8.3). */
    step->first = step->lcofi = step->andes = 0;
    if (step->wraps && pmu->cfg.sscofpmf) {
        step->first = step->wraps & ~gp_overflow_flags(pmu);
        step->andes = step->first & pmu->inten;
        step->lcofi = step->first & ~pmu->inten & pmu->hpm;
    }
}
