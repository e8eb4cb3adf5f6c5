// SPDX-License-Identifier: Apache-2.0
#include "track.h"

#include <inttypes.h>
#include <stdlib.h>

#include "tally_spec.h"

enum { ROOM = 16 }; /* more entries than a scoreboard has */
enum { FLUSH_OTHER, FLUSH_MISPREDICTION };
enum end { RETIRED, TRAPPED, FLUSHED, MISPREDICTED, LOST, ENDS };

struct entry {
    bool tagged;
    bool issued;
};

struct track {
    uint64_t cycle;
    /* dispatched instructions that have not ended, the oldest first */
    struct entry queue[ROOM];
    unsigned used;
    int executing; /* index of the instruction that issued in the cycle before; -1: none */
    /* the instruction at the end of decode: shown, and tagged */
    bool standing_tagged;
    /* the tagged instruction */
    bool live;                                       /* in the queue */
    uint64_t dispatched_at, issued_at, completed_at; /* 0: not yet */
    bool was_oldest;
    uint64_t ended[ENDS];
    char message[256];
};

struct track *track_new(void) {
    struct track *t = calloc(1, sizeof *t);
    if (t)
        t->executing = -1;
    return t;
}

void track_free(struct track *t) { free(t); }

bool track_idle(const struct track *t) { return !t->live && !t->standing_tagged; }

static const char *fail(struct track *t, const char *what, uint64_t expected, uint64_t found) {
    snprintf(t->message, sizeof t->message, "track: %s: expected 0x%" PRIx64 ", found 0x%" PRIx64, what,
             expected, found);
    return t->message;
}

#define SAME(what, expected, found)                                                                          \
    do {                                                                                                     \
        const uint64_t expected_ = (expected), found_ = (found);                                             \
        if (expected_ != found_)                                                                             \
            return fail(t, what, expected_, found_);                                                         \
    } while (0)

/* --- reports at the end of the instruction --- */

#define EVENT(in, name) ((in)->ev_retire >> TALLY_EVR_##name & 1)

/* Type of control transfer, from the retire wires (which the oracle checks against the program) */
static unsigned transfer(const struct oracle_in *in) {
    static const struct {
        unsigned wire, type;
    } types[] = {{TALLY_EVR_TRET, TALLY_ITYPE_TRET},         {TALLY_EVR_BR_NT, TALLY_ITYPE_BR_NT},
                 {TALLY_EVR_BR_TK, TALLY_ITYPE_BR_TK},       {TALLY_EVR_IND_CALL, TALLY_ITYPE_IND_CALL},
                 {TALLY_EVR_DIR_CALL, TALLY_ITYPE_DIR_CALL}, {TALLY_EVR_IND_JMP, TALLY_ITYPE_IND_JMP},
                 {TALLY_EVR_DIR_JMP, TALLY_ITYPE_DIR_JMP},   {TALLY_EVR_CORSWAP, TALLY_ITYPE_CORSWAP},
                 {TALLY_EVR_RETURN, TALLY_ITYPE_RETURN},     {TALLY_EVR_IND_LJMP, TALLY_ITYPE_IND_LJMP},
                 {TALLY_EVR_DIR_LJMP, TALLY_ITYPE_DIR_LJMP}};
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (in->ev_retire >> types[i].wire & 1)
            return types[i].type;
    return TALLY_ITYPE_NONE;
}

static const char *check_source(struct track *t, const struct oracle_in *in, unsigned source) {
    bool miss = EVENT(in, L1D_RD_MISS);
    bool atomic = (in->insn & 0x7f) == 0x2f;
    if (atomic)
        SAME("data source of an atomic access", TALLY_DSRC_MEM, source);
    else if (!EVENT(in, LOAD))
        SAME("data source without a load", TALLY_DSRC_NONE, source);
    else if (EVENT(in, UNCACHED))
        SAME("data source of a load from a device", TALLY_DSRC_DEVICE, source);
    else if (EVENT(in, LD_FWD))
        SAME("data source of a forwarded load", TALLY_DSRC_STQ, source);
    else if (!miss)
        SAME("data source of a load that hit", TALLY_DSRC_L1, source);
    else if (source != TALLY_DSRC_COMING)
        SAME("data source of a load that missed", TALLY_DSRC_MEM, source);
    return NULL;
}

static const char *check_retired(struct track *t, const struct oracle_in *in, const struct gp_track *r,
                                 const struct track_event *event) {
    SAME("events", in->ev_retire, r->ev);
    SAME("control transfer type", transfer(in), r->itype);
    SAME("mispredicted", EVENT(in, MISPRED), r->mispred);
    SAME("ITLB miss", EVENT(in, ITMISS), r->itmiss);
    SAME("I cache miss", EVENT(in, ICMISS), r->icmiss);
    SAME("L1 miss", EVENT(in, L1D_RD_MISS) | EVENT(in, L1D_WR_MISS), r->l1miss);
    SAME("first-level TLB miss", EVENT(in, DTLB_RD_MISS) | EVENT(in, DTLB_WR_MISS), r->l1tlbmiss);
    SAME("last-level TLB miss", EVENT(in, L2TLB_MISS), r->lltlbmiss);
    SAME("virtual address", event->memory ? event->vaddr : 0, r->vaddr);
    SAME("physical address", event->memory ? in->paddr : 0, r->paddr);
    SAME("target", in->next_pc, r->target);
    return check_source(t, in, r->dsrc);
}

/* tval is a data address for these causes. */
static bool data_fault(uint64_t cause) {
    switch (cause) {
    case TALLY_EXC_LOAD_MISALIGNED:
    case TALLY_EXC_LOAD_ACCESS:
    case TALLY_EXC_STORE_MISALIGNED:
    case TALLY_EXC_STORE_ACCESS:
    case TALLY_EXC_LOAD_PAGE:
    case TALLY_EXC_STORE_PAGE:
        return true;
    default:
        return false;
    }
}

static const char *check_trapped(struct track *t, const struct oracle_in *in, const struct gp_track *r,
                                 const struct track_event *event) {
    if (data_fault(in->cause))
        SAME("virtual address of a trapped instruction", event->tval, r->vaddr);
    SAME("data source of a trapped instruction", TALLY_DSRC_NONE, r->dsrc);
    return NULL;
}

/* The effects of a flushed instruction are reported only if it had completed and was the oldest: `known`. */
static const char *check_flushed(struct track *t, const struct gp_track *r, bool mispredicted,
                                 uint64_t culprit, bool known) {
    SAME("reason of the flush", mispredicted ? FLUSH_MISPREDICTION : FLUSH_OTHER, r->flush_why);
    SAME("culprit", mispredicted ? culprit : 0, r->flush_pc);
    if (known)
        return NULL;
    SAME("events of a flushed instruction", 0, r->ev);
    SAME("addresses of a flushed instruction", 0, r->vaddr | r->paddr);
    SAME("data source of a flushed instruction", TALLY_DSRC_NONE, r->dsrc);
    SAME("misses of a flushed instruction", 0,
         r->itmiss | r->icmiss | r->l1miss | r->l1tlbmiss | r->lltlbmiss);
    SAME("control transfer of a flushed instruction", 0, r->itype | (unsigned)r->mispred << 4);
    return NULL;
}

/* --- the stages --- */

/* Computation, branches and operations at commit need one cycle, all others more. */
static bool takes_one_cycle(const struct oracle_in *in) {
    unsigned opcode = in->insn & 0x7f;
    bool muldiv = (opcode == 0x33 || opcode == 0x3b) && in->insn >> 25 == 1;
    bool count = (opcode == 0x13 || opcode == 0x1b) && (in->insn & 0x707f) == (opcode | 0x1000) &&
                 in->insn >> 22 == 0x180;
    return !muldiv && !count && !EVENT(in, LOAD) && !EVENT(in, STORE) && !EVENT(in, AMO);
}

/* At retirement or trap: were the stages in order? */
static const char *check_stages(struct track *t, const struct oracle_in *in) {
    if (!t->completed_at)
        return fail(t, "ends before it completed", 1, 0);
    if (t->completed_at >= t->cycle)
        return fail(t, "ends in the cycle of its completion", t->cycle, t->completed_at);
    if (!t->issued_at) {
        SAME("without a unit: retires", 0, in->retire);
        SAME("without a unit: completed when dispatched", t->dispatched_at, t->completed_at);
    } else if (in->retire) {
        if (takes_one_cycle(in))
            SAME("cycle of completion", t->issued_at + 1, t->completed_at);
        else if (t->completed_at < t->issued_at + 2)
            return fail(t, "completes too soon", t->issued_at + 2, t->completed_at);
    }
    return NULL;
}

static const char *check_completed(struct track *t, const struct gp_track *r, bool dispatched) {
    if (!r->completed)
        return NULL;
    if (!t->live && !dispatched)
        return fail(t, "completion without an instruction", 0, 1);
    if (t->completed_at && !dispatched)
        return fail(t, "completes twice", t->completed_at, t->cycle);
    if (!dispatched && (!t->issued_at || t->issued_at >= t->cycle))
        return fail(t, "completes before its issue", t->issued_at, t->cycle);
    t->completed_at = t->cycle;
    return NULL;
}

/* Index of the tagged instruction in the queue */
static int place(const struct track *t) {
    for (unsigned i = 0; i < t->used; i++)
        if (t->queue[i].tagged)
            return (int)i;
    return -1;
}

/* The next instruction to issue (in order); -1: all have issued */
static int next_to_issue(const struct track *t) {
    for (unsigned i = 0; i < t->used; i++)
        if (!t->queue[i].issued)
            return (int)i;
    return -1;
}

static void drop_front(struct track *t) {
    for (unsigned i = 1; i < t->used; i++)
        t->queue[i - 1] = t->queue[i];
    t->used--;
}

static const char *check_end(struct track *t, const struct oracle_in *in, const struct gp_in *pmu,
                             const struct track_event *event, int mine) {
    const struct gp_track *r = &pmu->track;
    bool ends = mine == 0 && (in->retire || in->exception);
    bool squashed = in->redirect && mine > t->executing;
    bool flushed = mine >= 0 && !ends && (in->flush || squashed);
    bool lost = t->standing_tagged && (in->flush || in->redirect);
    const char *wrong = NULL;

    SAME("retired", mine == 0 && in->retire, r->retired);
    SAME("trapped", mine == 0 && in->exception, r->trapped);
    SAME("flushed", flushed || lost, r->flushed);
    if (ends) {
        wrong = check_stages(t, in);
        if (!wrong)
            wrong = in->retire ? check_retired(t, in, r, event) : check_trapped(t, in, r, event);
        t->ended[in->retire ? RETIRED : TRAPPED]++;
    } else if (flushed || lost) {
        wrong = check_flushed(t, r, in->redirect, in->resolve_pc,
                              mine == 0 && t->completed_at && t->completed_at < t->cycle);
        t->ended[lost ? LOST : in->redirect ? MISPREDICTED : FLUSHED]++;
    }
    if (ends || flushed)
        t->live = false;
    return wrong;
}

/* The queue at the end of the cycle */
static const char *advance(struct track *t, const struct oracle_in *in, bool dispatched, int issues) {
    if (issues >= 0)
        t->queue[issues].issued = true;
    if (in->redirect) {
        if (t->executing < 0)
            return fail(t, "redirect without an instruction that issued", 0, in->resolve_pc);
        t->used = (unsigned)t->executing + 1;
    }
    t->executing = issues;
    if (in->retire && t->used) {
        drop_front(t);
        t->executing--;
    }
    if (in->flush) {
        t->used = 0;
        t->executing = -1;
    }
    if (in->dispatch && t->used < ROOM)
        t->queue[t->used++] = (struct entry){.tagged = dispatched};
    return NULL;
}

const char *track_cycle(struct track *t, const struct oracle_in *in, const struct gp_in *pmu,
                        const struct track_event *event) {
    const struct gp_track *r = &pmu->track;
    int mine = place(t), issues = in->issue ? next_to_issue(t) : -1;

    t->cycle++;
    if (pmu->decode[0].valid && in->sample) {
        t->standing_tagged = true;
    }
    const bool dispatched = in->dispatch && t->standing_tagged;
    SAME("dispatched", dispatched, r->dispatched);
    SAME("issued", mine >= 0 && issues == mine, r->issued);
    SAME("oldest", mine == 0 && !t->was_oldest, r->oldest);
    if (dispatched) {
        t->dispatched_at = t->cycle;
        t->issued_at = t->completed_at = 0;
        t->was_oldest = false;
    }
    if (r->issued)
        t->issued_at = t->cycle;
    t->was_oldest |= r->oldest;

    const char *wrong = check_completed(t, r, dispatched);
    if (!wrong)
        wrong = check_end(t, in, pmu, event, mine);
    if (dispatched)
        t->live = true;
    if (dispatched || in->flush || in->redirect)
        t->standing_tagged = false;
    return wrong ? wrong : advance(t, in, dispatched, issues);
}

void track_report(const struct track *t, FILE *out) {
    static const char *const names[ENDS] = {"retired", "trapped", "flushed at commit",
                                            "flushed by a misprediction", "thrown away before dispatch"};
    for (unsigned e = 0; e < ENDS; e++)
        fprintf(out, "cross end of a tagged instruction / all / %s %" PRIu64 "\n", names[e], t->ended[e]);
}
