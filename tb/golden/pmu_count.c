// SPDX-License-Identifier: Apache-2.0
/*
 * Increments of counters, and their overflows.
 */
#include "pmu_internal.h"

#include "tally_events.h"
#include "tally_spec.h"

#include <string.h>

/* Internal wires, as masks */
enum internal_wire {
    BUS_CYC = 1 << TALLY_EVI_BUS_CYC,
    REF_CYC = 1 << TALLY_EVI_REF_CYC,
    SLOTS = 1 << TALLY_EVI_SLOTS,
    DEC_INST = 1 << TALLY_EVI_DEC_INST,
    DEC_BRJMP = 1 << TALLY_EVI_DEC_BRJMP,
    DEC_LOAD = 1 << TALLY_EVI_DEC_LOAD,
    DEC_STORE = 1 << TALLY_EVI_DEC_STORE,
    DEC_LDST = 1 << TALLY_EVI_DEC_LDST,
    PDIS_SAMPLE = 1 << TALLY_EVI_PDIS_SAMPLE,
    PDIS_COLLISION = 1 << TALLY_EVI_PDIS_COLLISION,
    PDIS_FILTERED = 1 << TALLY_EVI_PDIS_FILTERED,
    PDIS_DROPPED = 1 << TALLY_EVI_PDIS_DROPPED,
    PDIS_INHIBITED = 1 << TALLY_EVI_PDIS_INHIBITED,
    SOFTWARE = 1 << TALLY_EVI_SOFTWARE,
    EBB_BRANCH = 1 << TALLY_EVI_EBB_BRANCH,
    EBB_UNHEARD = 1 << TALLY_EVI_EBB_UNHEARD
};

enum { N_EVENTS = sizeof(tally_events) / sizeof(tally_events[0]) };

/* The event can happen in a core that has the small wires alone. */
static bool is_small(const struct tally_event *event) {
    uint64_t wires = tally_small_wires[event->kind];
    return (event->from & wires) && (!event->when || (event->when & wires));
}

/* A selector that spec/events.yaml does not list is no event (docs/rulings.md, Event selectors). */
static uint8_t event_number(const struct gp *pmu, uint64_t selector) {
    if (!selector)
        return 0;
    for (unsigned i = 0; i < N_EVENTS; i++)
        if (tally_events[i].kind != TALLY_EVENT_NONE && tally_events[i].selector == selector)
            return pmu->cfg.small_events && !is_small(&tally_events[i]) ? 0 : (uint8_t)i;
    return 0;
}

/* ---- combined selectors (docs/rulings.md, Combined selectors; docs/pmu.md) */

enum { TERMS = 4, OP_OR = 0, OP_AND = 1, OP_ADD = 3 };

bool gp_selector_combines(uint64_t selector) { return FIELD(selector, TYPE) == TALLY_SEL_TYPE_IS_COMBINED; }

/* The index of a term's event; 0: there is no such term. */
static unsigned term(uint64_t selector, unsigned k) {
    const unsigned terms[TERMS] = {FIELD(selector, COMB_A), FIELD(selector, COMB_B), FIELD(selector, COMB_C),
                                   FIELD(selector, COMB_D)};
    return terms[k];
}

bool gp_selector_known(const struct gp *pmu, unsigned i, uint64_t selector) {
    if (!gp_selector_combines(selector))
        return event_number(pmu, selector) != 0;
    if (i >= HPM3 + pmu->cfg.comb_n || selector >> (TALLY_SEL_COMB_THR_MSB + 1))
        return false;
    for (unsigned k = 0; k < TERMS; k++) {
        unsigned number = term(selector, k);

        if (number && (number >= N_EVENTS || tally_events[number].kind == TALLY_EVENT_NONE))
            return false;
    }
    return true;
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

/* Update the state that is derived from event[i]. */
void gp_event_changed(struct gp *pmu, unsigned i) {
    uint32_t bit = UINT32_C(1) << i;
    uint64_t selector = pmu->event[i] & EV_SELECTOR;
    uint8_t number = i < HPM3 ? 0 : event_number(pmu, selector);
    uint32_t combined = i >= HPM3 && gp_selector_combines(selector) ? bit : 0;
    bool same = pmu->live && number == pmu->number[i] && combined == (pmu->combined & bit);

    pmu->number[i] = number;
    pmu->combined = (pmu->combined & ~bit) | combined;
    if (i < HPM3 || number || combined)
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

/* The overflow flag of every counter: OF, and mcounterovf of mcycle and minstret, which have no OF
 * (docs/rulings.md, Andes and Sscofpmf). */
uint32_t gp_overflow_flags(const struct gp *pmu) {
    uint32_t flags = pmu->fixed_ovf;

    for (unsigned i = HPM3; i < GP_COUNTERS; i++)
        flags |= (uint32_t)(pmu->event[i] >> TALLY_MHPMEVENT_OF_LSB) << i;
    return flags;
}

/* The count of one cycle event: evc_w bits at wire * evc_w, which may cross two words. */
static uint64_t cycle_wire(const struct gp *pmu, const struct gp_in *in, unsigned wire) {
    unsigned at = wire * pmu->cfg.evc_w, word = at / 64, shift = at % 64;
    uint64_t bits = in->ev_cycle[word] >> shift;

    if (shift + pmu->cfg.evc_w > 64)
        bits |= in->ev_cycle[word + 1] << (64 - shift);
    return bits & ((UINT64_C(1) << pmu->cfg.evc_w) - 1);
}

/* shpmpcsel limits counter i to instructions in [shpmpclo, shpmpchi), if it is shared: the range is S-mode's,
 * too (docs/rulings.md, Custom counter controls below M-mode). */
static bool in_range_of(const struct gp *pmu, const struct gp_env *env, unsigned i, uint64_t pc) {
    return !((pmu->pcsel & gp_shared(pmu, env)) >> i & 1) || (pc >= pmu->pclo && pc < pmu->pchi);
}

/* Has an instruction with these wires a retire event? */
static bool has_event(const struct tally_event *event, uint64_t wires) {
    return (wires & event->from) && (!event->when || (wires & event->when)) && !(wires & event->unless);
}

/* Lanes whose instruction has a retire event, a bit each, as counter i sees them. A counter adds them all
 * (docs/rulings.md, Several events in a cycle). */
static unsigned retire_lanes(const struct gp *pmu, const struct gp_in *in, const struct tally_event *event,
                             unsigned i) {
    unsigned lanes = 0;

    for (unsigned lane = 0; lane < pmu->cfg.retire_w; lane++) {
        if (has_event(event, in->ev_retire[lane]) && in_range_of(pmu, &in->env, i, in->retire[lane].pc))
            lanes |= 1u << lane;
    }
    return lanes;
}

/* How many; most units have one */
static unsigned lanes_of(unsigned lanes) { return lanes < 2 ? lanes : (unsigned)__builtin_popcount(lanes); }

static uint64_t decode_lanes(const struct gp *pmu, uint64_t wire) {
    uint64_t n = 0;

    for (unsigned lane = 0; lane < pmu->cfg.decode_w; lane++) {
        const struct gp_decode *d = &pmu->decoded[lane];
        bool load = gp_type_loads(d->type), store = gp_type_stores(d->type);

        n += d->valid && (wire == DEC_INST || (wire == DEC_BRJMP && d->type == TALLY_TYPE_TRANSFER) ||
                          (wire == DEC_LOAD && load) || (wire == DEC_STORE && store) ||
                          (wire == DEC_LDST && (load || store)));
    }
    return n;
}

/* Is this write the one that raises the software event? */
static bool raises_software_event(const struct gp_write *write) {
    return write->valid && write->to.reg == REG_SWINC && (write->value & write->mask & 1);
}

static uint64_t internal_count(const struct gp *pmu, const struct gp_cycle *c, uint64_t wire) {
    switch (wire) {
    case BUS_CYC: /* the bus clock is the core clock without its gate (docs/rulings.md, General events) */
    case REF_CYC:
        return 1;
    case SLOTS:
        return pmu->cfg.decode_w;
    case DEC_INST:
    case DEC_BRJMP:
    case DEC_LOAD:
    case DEC_STORE:
    case DEC_LDST:
        return decode_lanes(pmu, wire);
    case PDIS_SAMPLE:
        return pmu->pdis.ended == GP_END_KEPT;
    case PDIS_COLLISION:
        return pmu->pdis.collided;
    case PDIS_FILTERED:
        return pmu->pdis.ended == GP_END_FILTERED;
    case PDIS_DROPPED:
        return pmu->pdis.ended == GP_END_DROPPED;
    case PDIS_INHIBITED:
        return pmu->pdis.ended == GP_END_INHIBITED;
    case SOFTWARE:
        return raises_software_event(&c->write);
    case EBB_BRANCH:
        return pmu->ebb.delivered;
    case EBB_UNHEARD:
        return pmu->ebb.unheard;
    default:
        return 0;
    }
}

/* While the core clock is halted only bus cycles count (docs/rulings.md, General events). */
static bool is_stopped(const struct gp_in *in, const struct tally_event *event) {
    return in->mode.halted && !(event->kind == TALLY_EVENT_INTERNAL && event->from == BUS_CYC);
}

/* The count of an event as counter i sees it. */
static uint64_t event_count(const struct gp *pmu, const struct gp_cycle *c, const struct tally_event *event,
                            unsigned i) {
    if (is_stopped(c->in, event))
        return 0;
    switch (event->kind) {
    case TALLY_EVENT_RETIRE:
        return lanes_of(retire_lanes(pmu, c->in, event, i));
    case TALLY_EVENT_CYCLE:
        return cycle_wire(pmu, c->in, (unsigned)__builtin_ctzll(event->from));
    case TALLY_EVENT_INTERNAL:
        return internal_count(pmu, c, event->from);
    default:
        return 0;
    }
}

/* The event of a counter without a combined selector. Those of mcycle and minstret are fixed. */
static const struct tally_event *event_of(const struct gp *pmu, unsigned i) {
    static const struct tally_event fixed[] = {
        [CY] = {.kind = TALLY_EVENT_INTERNAL, .from = REF_CYC},
        [IR] = {.kind = TALLY_EVENT_RETIRE, .from = UINT64_C(1) << TALLY_EVR_INST},
    };
    return i < HPM3 ? &fixed[i] : &tally_events[pmu->number[i]];
}

/* or, and, xor: the number of lanes with the result 1. A cycle event is the same in every lane; without a
 * retire event there is one evaluation. */
static uint64_t combine_lanes(const struct gp *pmu, const struct gp_cycle *c, unsigned i, uint64_t selector) {
    unsigned every = (1u << pmu->cfg.retire_w) - 1, any = 0, all = every, odd = 0;
    bool by_lane = false, terms = false;

    for (unsigned k = 0; k < TERMS; k++) {
        const struct tally_event *event = &tally_events[term(selector, k)];
        unsigned lanes;

        if (event->kind == TALLY_EVENT_NONE)
            continue;
        terms = true;
        if (event->kind == TALLY_EVENT_RETIRE) {
            by_lane = true;
            lanes = is_stopped(c->in, event) ? 0 : retire_lanes(pmu, c->in, event, i);
        } else {
            lanes = event_count(pmu, c, event, i) ? every : 0;
        }
        any |= lanes;
        all &= lanes;
        odd ^= lanes;
    }
    unsigned op = FIELD(selector, COMB_OP), outcome = op == OP_OR ? any : op == OP_AND ? all : odd;
    if (!terms)
        return 0;
    return (unsigned)__builtin_popcount(by_lane ? outcome : outcome & 1);
}

static uint64_t add_terms(const struct gp *pmu, const struct gp_cycle *c, unsigned i, uint64_t selector) {
    uint64_t sum = 0;

    for (unsigned k = 0; k < TERMS; k++)
        sum += event_count(pmu, c, &tally_events[term(selector, k)], i);
    return sum;
}

uint64_t gp_combine(const struct gp *pmu, const struct gp_cycle *c, unsigned i) {
    uint64_t selector = pmu->event[i] & EV_SELECTOR;

    return FIELD(selector, COMB_OP) == OP_ADD ? add_terms(pmu, c, i, selector)
                                              : combine_lanes(pmu, c, i, selector);
}

/* The result after the threshold */
static uint64_t thresholded(const struct gp *pmu, const struct gp_cycle *c, unsigned i) {
    uint64_t result = gp_combine(pmu, c, i);
    unsigned threshold = FIELD(pmu->event[i], COMB_THR);

    return threshold ? (result >= threshold) != FIELD(pmu->event[i], COMB_INV) : result;
}

/* `result`: of thresholded() */
static uint64_t combined_increment(const struct gp *pmu, const struct gp_cycle *c, unsigned i,
                                   uint64_t result) {
    if (c->in->mode.halted)
        return 0;
    if (FIELD(pmu->event[i], COMB_EDGE))
        return result && !(pmu->history >> i & 1);
    return result;
}

uint64_t gp_increment(const struct gp *pmu, const struct gp_cycle *c, unsigned i) {
    if (i == CY) /* in every cycle: the result of the rest, at once */
        return !c->in->mode.halted;
    if (pmu->combined >> i & 1)
        return combined_increment(pmu, c, i, thresholded(pmu, c, i));
    return event_count(pmu, c, event_of(pmu, i), i);
}

bool gp_counts_retirement(const struct gp *pmu, unsigned i) {
    return !(pmu->combined >> i & 1) && event_of(pmu, i)->kind == TALLY_EVENT_RETIRE;
}

bool gp_counts_instruction(const struct gp *pmu, unsigned i, uint64_t wires) {
    return gp_counts_retirement(pmu, i) && has_event(event_of(pmu, i), wires);
}

/* The lanes count one after the other, the oldest first; the lane whose step wraps the counter is the cause
 * (docs/rulings.md, Several events in a cycle). */
static unsigned causal_lane(const struct gp *pmu, const struct gp_in *in, unsigned i) {
    const struct tally_event *event = event_of(pmu, i);
    uint64_t steps = gp_counter_max(pmu, i) - pmu->counter[i]; /* before the one that wraps */

    if (!gp_counts_retirement(pmu, i))
        return GP_NO_LANE;
    unsigned lanes = retire_lanes(pmu, in, event, i);
    for (; steps; steps--)
        lanes &= lanes - 1;
    return (unsigned)__builtin_ctz(lanes);
}

/* Counters that a wire of this cycle may increment; the others do not change. */
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

/* Everything is judged by the state before the clock edge, so that the instruction that writes mcountinhibit,
 * a filter or a selector is still counted under the old value (docs/rulings.md, Inhibition and filters). */
void gp_count(const struct gp *pmu, const struct gp_cycle *c, struct gp_step *step) {
    const struct gp_in *in = c->in;
    const struct gp_write *write = &c->write;
    /* xINH by the mode at the start of the cycle (docs/rulings.md, Inhibition and filters) */
    unsigned mode = (in->mode.priv & 3) | (in->mode.v ? 4 : 0);
    uint32_t routed = gp_routed(pmu, &in->env);
    uint32_t run = pmu->present & pmu->live & ~pmu->inhibit & ~pmu->filtered[mode];

    /* dcsr.stopcount stops every counter (docs/rulings.md, Debug mode). */
    if (in->mode.stopcount)
        run = 0;
    if (routed)
        run &= ~gp_ebb_still(pmu, in);
    /* A written counter has the value written; its increment, and so its overflow, does not happen. With XLEN
     * 32 this holds for a write of either half (docs/rulings.md, Counter writes). */
    if (write->valid && write->to.reg == REG_COUNTER)
        run &= ~(UINT32_C(1) << write->to.i);

    /* The history of an edge follows its combination, whether the counter runs or not. */
    uint64_t results[GP_COUNTERS]; /* of combinations */
    step->history = 0;
    for (uint32_t left = pmu->combined; left; left &= left - 1) {
        unsigned i = (unsigned)__builtin_ctz(left);

        results[i] = thresholded(pmu, c, i);
        step->history |= results[i] ? left & -left : 0;
    }

    step->moves = step->wraps = 0;
    if (run)
        run &= candidates(pmu, in);
    for (uint32_t left = run; left; left &= left - 1) {
        unsigned i = (unsigned)__builtin_ctz(left);
        bool combined = pmu->combined >> i & 1;
        uint64_t n = combined ? combined_increment(pmu, c, i, results[i]) : gp_increment(pmu, c, i);
        uint64_t max = gp_counter_max(pmu, i);

        if (!n)
            continue;
        step->n[i] = n;
        step->moves |= UINT32_C(1) << i;
        /* An overflow is a carry out of the implemented width, for any increment. More than one in a cycle
         * sets OF once (docs/rulings.md, Several events in a cycle). */
        if (n > max - pmu->counter[i]) {
            step->wraps |= UINT32_C(1) << i;
            step->cause[i] = (uint8_t)causal_lane(pmu, in, i);
        }
    }

    /* OF 0 -> 1 is a request; an overflow with OF=1 is none (Sscofpmf). A flag that is cleared in this cycle
     * is 0 before it (docs/rulings.md, OF cleared in the cycle of a wrap). mcounterinen sends it to the Andes
     * interrupt instead of LCOFI, never to both; mcycle and minstret never request LCOFI (docs/rulings.md,
     * Andes and Sscofpmf). A routed overflow requests no interrupt (docs/rulings.md, EBB overflow). */
    step->first = step->lcofi = step->andes = step->ebb = 0;
    if (step->wraps && pmu->cfg.sscofpmf) {
        step->first = step->wraps & ~(gp_overflow_flags(pmu) & ~write->clears);
        step->ebb = step->first & routed;
        step->andes = step->first & ~routed & pmu->inten;
        step->lcofi = step->first & ~routed & ~pmu->inten & pmu->hpm;
    }
}
