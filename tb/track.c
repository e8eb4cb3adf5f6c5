// SPDX-License-Identifier: Apache-2.0
#include "track.h"

#include <inttypes.h>
#include <stdlib.h>

#include "insn.h"
#include "operands.h"
#include "tally_spec.h"

enum { ROOM = 32 }; /* more entries than a scoreboard has */
enum { FLUSH_OTHER, FLUSH_MISPREDICTION };
enum end { RETIRED, TRAPPED, FLUSHED, MISPREDICTED, LOST, REPLAYED, ENDS };

#define ITYPE(name) (1u << TALLY_ITYPE_##name)
#define SOURCE(name) (1u << TALLY_DSRC_##name)

struct entry {
    bool tagged;
    bool issued;
    uint8_t tag;
    struct operands regs;
};

/* State of the tagged instruction */
struct seen {
    struct insn insn;
    bool refused;
    bool itmiss, icmiss;
    unsigned itypes;
    bool mispred;
    /* a memory access */
    bool translated; /* paddr is its physical address */
    uint64_t vaddr, paddr;
    bool tlb_missed, l2_missed, l1_missed, forwarded, failed;
};

struct track {
    uint64_t ram_base, ram_size;
    /* dispatched instructions that have not ended, the oldest first */
    struct entry queue[ROOM];
    unsigned used;
    int executing; /* it left IS in the cycle before, or waits for an operand since; -1: none */
    bool standing; /* the instruction at the end of decode is tagged */
    bool again;    /* it runs again, to set A or D, and has not been dispatched again */
    /* the tagged instruction, from the cycle after its dispatch on */
    uint8_t tag;
    bool entered; /* dispatched in the cycle before */
    bool was_oldest, was_issued, was_done;
    bool left;      /* it has left IS */
    bool in_memory; /* its access was in EX in the cycle before, translated for the first time */
    bool requested; /* the bus showed a single request in the cycle before */
    struct seen seen;
    uint64_t ended[ENDS];
    char message[128];
};

struct track *track_new(uint64_t ram_base, uint64_t ram_size) {
    struct track *t = calloc(1, sizeof *t);
    if (t) {
        t->executing = -1;
        t->ram_base = ram_base;
        t->ram_size = ram_size;
    }
    return t;
}

void track_free(struct track *t) { free(t); }

/* Index of the tagged instruction in the queue */
static int place(const struct track *t) {
    for (unsigned i = 0; i < t->used; i++)
        if (t->queue[i].tagged)
            return (int)i;
    return -1;
}

bool track_idle(const struct track *t) { return place(t) < 0 && !t->standing && !t->again; }

/* --- expected reports --- */

/* At decode: whether a branch is taken is not. */
static void see_decode(struct seen *s, const struct track_in *in) {
    *s = (struct seen){.insn = insn_decode(in->insn),
                       .refused = in->refused,
                       .itmiss = in->fetch_walked,
                       .icmiss = in->fetch_missed};
    s->itypes = s->refused || s->insn.kind == INSN_BRANCH ? ITYPE(NONE) : 1u << insn_transfer(&s->insn, true);
}

static bool accesses_memory(const struct seen *s) {
    return !s->refused && (insn_reads(&s->insn) || insn_writes(&s->insn));
}

/* In EX: a branch to its successor may be reported as taken or not. */
static void see_resolved(struct seen *s, const struct track_in *in) {
    bool sequel = in->ex_next_pc == in->ex_pc + s->insn.length;

    if (s->insn.kind != INSN_BRANCH && s->insn.kind != INSN_JAL && s->insn.kind != INSN_JALR)
        return;
    if (s->insn.kind == INSN_BRANCH)
        s->itypes = sequel ? ITYPE(BR_NT) | ITYPE(BR_TK) : ITYPE(BR_TK);
    s->mispred = in->redirect;
}

/* An access in EX: misaligned and not canonical come before translation. */
static void see_access(struct track *t, const struct track_in *in) {
    struct seen *s = &t->seen;
    uint64_t va = in->access_address, sign = va >> 38;
    bool aligned = !(va & (s->insn.size - 1));
    bool possible = in->translates ? sign == 0 || sign == UINT64_MAX >> 38 : va >> 56 == 0;

    s->vaddr = va;
    if (s->translated || !aligned || !possible)
        return;
    if (in->translates && !in->tlb_hit) {
        s->tlb_missed = true;
        return;
    }
    s->translated = true;
    s->paddr = in->translates ? in->tlb_page << 12 | (va & 0xFFF) : va;
    t->in_memory = true;
}

static void see_load_store_unit(struct track *t, const struct track_in *in) {
    if (in->access && in->access_tag == t->tag)
        see_access(t, in);
    if (in->walk && in->walk_tag == t->tag)
        t->seen.l2_missed |= in->walk_missed;
    if (in->ended && in->ended_tag == t->tag) {
        t->seen.l1_missed = in->ended_missed;
        t->seen.forwarded = in->ended_forwarded;
        t->seen.failed = in->ended_failed;
    }
}

static bool in_ram(const struct track *t) { return t->seen.paddr - t->ram_base < t->ram_size; }

static unsigned sources(const struct track *t) {
    const struct seen *s = &t->seen;

    if (s->failed || !insn_reads(&s->insn))
        return s->insn.kind == INSN_SC && !s->failed ? SOURCE(MEM) : SOURCE(NONE);
    if (insn_atomic(&s->insn))
        return SOURCE(MEM);
    if (!in_ram(t))
        return SOURCE(DEVICE);
    if (s->forwarded)
        return SOURCE(STQ);
    return s->l1_missed ? SOURCE(COMING) | SOURCE(MEM) : SOURCE(L1);
}

/* --- stages --- */

/* Is the value of a register there, for the instruction of this index, that has left IS? Its writer is done,
 * or a load from the D cache that ends. */
static bool value_ready(const struct track *t, const struct track_in *in, int index, unsigned reg) {
    for (int i = index - 1; reg && i >= 0; i--) {
        const struct entry *e = &t->queue[i];
        if (e->regs.rd == reg)
            return in->done >> e->tag & 1 || (in->ended_hit && in->ended_tag == e->tag);
    }
    return true;
}

static bool has_operands(const struct track *t, const struct track_in *in, int index) {
    const struct operands *regs = &t->queue[index].regs;
    return value_ready(t, in, index, regs->rs1) && value_ready(t, in, index, regs->rs2);
}

/* The first cycle in which it is executed (docs/hart.md, Sampling) */
static bool issues(struct track *t, const struct track_in *in, int mine) {
    const struct insn *insn = &t->seen.insn;
    bool request = in->single && !t->requested;

    if (t->was_issued || mine < 0)
        return false;
    if (!accesses_memory(&t->seen))
        return insn->system ? mine == 0 && !t->seen.refused && in->done >> t->tag & 1
                            : t->left && has_operands(t, in, mine);
    if (insn_atomic(insn) || (insn->kind == INSN_LOAD && t->seen.translated && !in_ram(t)))
        return mine == 0 && request;
    return t->in_memory;
}

/* The first cycle in which it could retire. An instruction that acts at commit completes when it retires or
 * traps. */
static bool completes(const struct track *t, const struct track_in *in, int mine) {
    if (mine < 0 || !t->was_issued || t->was_done)
        return false;
    if (t->seen.insn.system)
        return mine == 0 && (in->retire || in->exception);
    return in->done >> t->tag & 1;
}

/* --- the end --- */

static void tell(const struct track *t, const struct track_in *in, struct track_report *r, int mine) {
    const struct seen *s = &t->seen;
    bool accessed = mine >= 0 && accesses_memory(s) && in->done >> t->tag & 1;

    r->itypes = s->itypes;
    r->mispred = s->mispred;
    r->itmiss = s->itmiss;
    r->icmiss = s->icmiss;
    r->sources = SOURCE(NONE);
    r->target = in->next_pc;
    if (!accessed)
        return;
    r->l1miss = s->l1_missed;
    r->l1tlbmiss = s->tlb_missed;
    r->lltlbmiss = s->l2_missed;
    r->sources = sources(t);
    r->vaddr = s->vaddr;
    r->paddr = s->translated ? s->paddr : 0;
}

static const char *check_retired(struct track *t, const struct track_in *in) {
    const struct seen *s = &t->seen;
    const char *wrong = NULL;

    if (s->refused)
        wrong = "an instruction that was refused retires";
    else if (!(in->done >> t->tag & 1))
        wrong = "an instruction retires that is not done";
    else if (accesses_memory(s) && !s->translated)
        wrong = "an access retires that was not translated";
    else if (s->l2_missed && !s->tlb_missed)
        wrong = "a walk without a miss of the first-level TLB";
    return wrong;
}

/* Commit flushes, and nothing retires, traps, is interrupted or branched away from: the oldest runs again. */
static bool replays(const struct track_in *in) {
    return in->flush && !in->retire && !in->exception && !in->interrupt && !in->ebb && !in->held;
}

static const char *end(struct track *t, const struct track_in *in, struct track_report *r, int mine) {
    bool again = mine == 0 && replays(in);
    bool lost = t->standing && (in->flush || in->redirect);

    r->retired = mine == 0 && in->retire;
    r->trapped = mine == 0 && in->exception;
    r->flushed = lost || (mine >= 0 && !r->retired && !r->trapped && !again &&
                          (in->flush || (in->redirect && mine > t->executing)));
    if (again) {
        t->again = true;
        t->ended[REPLAYED]++;
    }
    if (!r->retired && !r->trapped && !r->flushed)
        return NULL;
    r->flush_why = in->flush ? FLUSH_OTHER : FLUSH_MISPREDICTION;
    r->flush_pc = in->flush ? 0 : in->ex_pc;
    if (lost)
        see_decode(&t->seen, in);
    tell(t, in, r, mine);
    t->ended[r->retired   ? RETIRED
             : r->trapped ? TRAPPED
             : lost       ? LOST
             : in->flush  ? FLUSHED
                          : MISPREDICTED]++;
    return r->retired ? check_retired(t, in) : NULL;
}

/* --- the cycle --- */

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

/* The queue at the end of the cycle */
static const char *advance(struct track *t, const struct track_in *in, bool tagged, int issued) {
    const bool waits = t->executing >= 0 && !has_operands(t, in, t->executing);
    if (in->redirect) {
        if (t->executing < 0 || waits)
            return "a redirect without an instruction that is executed";
        if (issued >= 0)
            return "an instruction issues beside a redirect";
        t->used = (unsigned)t->executing + 1;
    }
    if (issued >= 0) {
        if (waits)
            return "an instruction issues while the one before it waits in EX";
        t->queue[issued].issued = true;
    }
    if (!waits)
        t->executing = issued;
    if (in->retire && t->used) {
        drop_front(t);
        t->executing -= t->executing >= 0;
    }
    if (in->flush) {
        t->used = 0;
        t->executing = -1;
    }
    if (in->dispatch && t->used < ROOM)
        t->queue[t->used++] =
            (struct entry){.tagged = tagged,
                           .tag = in->dispatch_tag,
                           .regs = in->refused ? (struct operands){0} : operands_of(in->insn)};
    return NULL;
}

static void note_dispatch(struct track *t, const struct track_in *in) {
    see_decode(&t->seen, in);
    t->tag = in->dispatch_tag;
    t->entered = !t->again;
    if (!t->again)
        t->was_oldest = t->was_issued = t->was_done = false;
    t->left = false;
    t->again = false;
}

const char *track_cycle(struct track *t, const struct track_in *in, struct track_report *r) {
    int mine = place(t), issued = in->issue ? next_to_issue(t) : -1;
    const char *wrong;

    *r = (struct track_report){.dispatched = t->entered};
    t->standing |= in->shown && in->tagged;
    r->issued = issues(t, in, mine);
    r->completed = completes(t, in, mine);
    r->oldest = mine == 0 && !t->was_oldest;
    t->was_oldest |= r->oldest;
    t->was_issued |= r->issued;
    t->was_done |= r->completed;
    wrong = end(t, in, r, mine);

    /* state for the next cycle */
    const bool tagged = in->dispatch && (t->standing || t->again);
    t->entered = t->in_memory = false;
    t->requested = in->single;
    if (mine >= 0) {
        if (r->issued)
            see_resolved(&t->seen, in);
        if (accesses_memory(&t->seen))
            see_load_store_unit(t, in);
        t->left |= issued == mine;
    }
    if (tagged)
        note_dispatch(t, in);
    if (tagged || in->flush || in->redirect)
        t->standing = false;
    const char *broken = advance(t, in, tagged, issued);
    return wrong ? wrong : broken;
}

void track_report(const struct track *t, FILE *out) {
    static const char *const names[ENDS] = {"retired",
                                            "trapped",
                                            "flushed at commit",
                                            "flushed by a misprediction",
                                            "thrown away before dispatch",
                                            "run again to set A or D"};
    for (unsigned e = 0; e < ENDS; e++)
        fprintf(out, "cross end of a tagged instruction / all / %s %" PRIu64 "\n", names[e], t->ended[e]);
}
