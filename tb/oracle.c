// SPDX-License-Identifier: Apache-2.0
#include "oracle.h"

#include <stdlib.h>
#include <string.h>

#include "insn.h"
#include "tally_spec.h"

enum { RESOLVED = 64, TAGS = 256 }; /* more than a scoreboard's entries */

struct oracle {
    uint64_t ram_base, ram_size;
    uint64_t cycle;
    uint64_t retire_count[64], cycle_count[64];
    uint64_t halted, i_lines, d_lines, walks;
    struct {
        uint64_t pc;
        bool mispredicted;
    } resolved[RESOLVED]; /* control transfers that have resolved and not retired, in program order */
    unsigned first, count;
    struct {
        uint8_t dispatch, access;
    } said[TAGS]; /* of the instruction in a scoreboard entry: dispatch_says, access_says */
    bool walking;
    char message[256];
    struct {
        bool run, stall_fe, stall_be, dispatch, issue, resolve, redirect, read, write;
        bool flush, exception, interrupt;
        uint64_t cause;
        uint8_t memory_says;
    } before; /* of the cycle before: some wires are a cycle later */
};

static const char *const retire_names[] = TALLY_EVR_NAMES;
static const char *const cycle_names[] = TALLY_EVC_NAMES;

struct oracle *oracle_new(uint64_t ram_base, uint64_t ram_size) {
    struct oracle *o = calloc(1, sizeof *o);
    if (o) {
        o->ram_base = ram_base;
        o->ram_size = ram_size;
    }
    return o;
}

void oracle_free(struct oracle *o) { free(o); }

/* ---- instructions ---- */

/* Control-transfer wire of an instruction, or -1. The wires are in the order of the kinds. */
static int transfer_wire(const struct insn *d, const struct oracle_in *in) {
    unsigned itype = insn_transfer(d, in->next_pc != in->pc + d->length);

    if (!itype)
        return -1;
    return (int)(itype < TALLY_ITYPE_IND_CALL ? TALLY_EVR_TRET + itype - TALLY_ITYPE_TRET
                                              : TALLY_EVR_IND_CALL + itype - TALLY_ITYPE_IND_CALL);
}

/* The next pc does not show whether a branch to the next instruction was taken: either wire is right. */
static bool branch_to_sequel(const struct insn *d, const struct oracle_in *in) {
    if (d->kind != INSN_BRANCH || in->next_pc != in->pc + d->length)
        return false;
    if (d->length == 2)
        return (in->insn & 0x1c7c) == 0x0008; /* offset 2 */
    uint32_t i = in->insn;
    return (i >> 31) == 0 && (i >> 25 & 63) == 0 && (i >> 7 & 1) == 0 && (i >> 8 & 15) == 2; /* offset 4 */
}

/* ---- checks of one cycle ---- */

#define BIT(name) (UINT64_C(1) << TALLY_EVR_##name)

/* The transfer that retires is the oldest one that has resolved. */
static bool take_resolved(struct oracle *o, uint64_t pc) {
    if (o->count == 0)
        return false;
    bool mispredicted = o->resolved[o->first].mispredicted && o->resolved[o->first].pc == pc;
    o->first = (o->first + 1) % RESOLVED;
    o->count--;
    return mispredicted;
}

/* Reports of the front end when an instruction was dispatched, and of the load/store unit when its access was
 * done */
static uint64_t said(const struct oracle *o, unsigned tag, bool reads, bool writes, bool amo) {
    unsigned access = o->said[tag].access;
    bool l1 = access & 1, tlb = access >> 1 & 1;
    uint64_t e = 0;

    if (o->said[tag].dispatch & 1)
        e |= BIT(ICMISS);
    if (o->said[tag].dispatch & 2)
        e |= BIT(ITMISS);
    if (reads && l1)
        e |= BIT(L1D_RD_MISS);
    if (writes && l1)
        e |= BIT(L1D_WR_MISS);
    if (reads && !amo && tlb)
        e |= BIT(DTLB_RD_MISS);
    if (writes && tlb)
        e |= BIT(DTLB_WR_MISS);
    if (access & 4)
        e |= BIT(L2TLB_MISS);
    if (access & 8)
        e |= BIT(LD_FWD);
    return e;
}

/* Wires of a retiring instruction whose value follows from the trace; *mask: which wires. */
static uint64_t expected_retire(struct oracle *o, const struct oracle_in *in, uint64_t *mask) {
    struct insn d = insn_decode(in->insn);
    uint64_t e = BIT(INST);
    bool reads = insn_reads(&d), writes = insn_writes(&d);
    bool in_ram = in->paddr - o->ram_base < o->ram_size;
    int wire = transfer_wire(&d, in);

    if (d.kind == INSN_LOAD || d.kind == INSN_LR)
        e |= BIT(LOAD);
    if (d.kind == INSN_STORE || d.kind == INSN_SC)
        e |= BIT(STORE);
    if (d.kind == INSN_AMO)
        e |= BIT(AMO);
    if (d.kind == INSN_MUL)
        e |= BIT(MUL);
    if (d.kind == INSN_DIV)
        e |= BIT(DIV);
    if (d.kind == INSN_CSR)
        e |= BIT(CSR);
    if (d.kind == INSN_FENCE)
        e |= BIT(FENCE);
    if (d.length == 2)
        e |= BIT(RVC);
    if (wire >= 0)
        e |= UINT64_C(1) << wire;
    if (wire >= 0 && wire != TALLY_EVR_TRET && take_resolved(o, in->pc))
        e |= BIT(MISPRED);
    if (reads && in_ram)
        e |= BIT(L1D_RD);
    if (writes && in_ram)
        e |= BIT(L1D_WR);
    if (reads && d.kind != INSN_AMO && in->translated)
        e |= BIT(DTLB_RD);
    if (writes && in->translated)
        e |= BIT(DTLB_WR);
    if ((reads || writes) && !in_ram)
        e |= BIT(UNCACHED);
    if (d.kind == INSN_SC && in->rd_value & 1)
        e |= BIT(SC_FAIL);
    e |= said(o, in->head_tag, reads, writes, d.kind == INSN_AMO);

    *mask = (UINT64_C(1) << TALLY_EVR_N) - 1;
    if (branch_to_sequel(&d, in))
        *mask &= ~(BIT(BR_NT) | BIT(BR_TK));
    if (d.kind == INSN_SC && (in->insn >> 7 & 31) == 0)
        *mask &= ~BIT(SC_FAIL); /* its outcome is not in the trace */
    return e;
}

static const char *fail(struct oracle *o, const struct oracle_in *in, const char *name, const char *why) {
    snprintf(o->message, sizeof o->message, "event wire %s at pc 0x%llx (insn %08x): %s", name,
             (unsigned long long)in->pc, in->insn, why);
    return o->message;
}

/* A wire that refines another is never set without it. */
static const struct {
    int fine, coarse;
} refinements[] = {
    {TALLY_EVR_L1D_RD_MISS, TALLY_EVR_L1D_RD},   {TALLY_EVR_L1D_WR_MISS, TALLY_EVR_L1D_WR},
    {TALLY_EVR_DTLB_RD_MISS, TALLY_EVR_DTLB_RD}, {TALLY_EVR_DTLB_WR_MISS, TALLY_EVR_DTLB_WR},
    {TALLY_EVR_LD_FWD, TALLY_EVR_LOAD},
};

static const char *check_retire(struct oracle *o, const struct oracle_in *in) {
    if (!in->retire)
        return in->ev_retire ? fail(o, in, "(any)", "set although nothing retires") : NULL;
    uint64_t mask, expected = expected_retire(o, in, &mask);
    uint64_t wrong = (in->ev_retire ^ expected) & mask;
    if (wrong) {
        const int w = __builtin_ctzll(wrong);
        return fail(o, in, retire_names[w],
                    expected >> w & 1 ? "not set although it happened" : "set without its cause");
    }
    for (size_t r = 0; r < sizeof refinements / sizeof *refinements; r++)
        if (in->ev_retire >> refinements[r].fine & ~(in->ev_retire >> refinements[r].coarse) & 1)
            return fail(o, in, retire_names[refinements[r].fine], "set without its access");
    if (in->ev_retire >> TALLY_EVR_L2TLB_MISS & 1 &&
        !(in->ev_retire & (BIT(DTLB_RD_MISS) | BIT(DTLB_WR_MISS))))
        return fail(o, in, "L2TLB_MISS", "set without a miss of the first level");
    return NULL;
}

/* Wires of a cycle whose value follows from other signals, in the order of their checks */
#define CYCLE_WIRES(X)                                                                                       \
    X(CYCLE, run)                                                                                            \
    X(STALL_FE, o->before.stall_fe) /* a cycle later */                                                      \
    X(STALL_BE, o->before.stall_be)                                                                          \
    X(DISPATCH, o->before.dispatch)                                                                          \
    X(ISSUE, o->before.issue)                                                                                \
    X(BR_EXEC, o->before.resolve)                                                                            \
    X(BR_REDIRECT, o->before.redirect)                                                                       \
    X(FLUSH, o->before.flush)                                                                                \
    X(EXCEPTION, exc)                                                                                        \
    X(INTERRUPT, o->before.interrupt)                                                                        \
    X(PGFLT_CODE, exc &&c == 12)                                                                             \
    X(PGFLT_DATA, exc && (c == 13 || c == 15))                                                               \
    X(MISAL_LD, exc &&c == 4)                                                                                \
    X(MISAL_ST, exc &&c == 6)                                                                                \
    X(ILLEGAL, exc &&c == 2)                                                                                 \
    X(ACCFLT, exc && (c == 1 || c == 5 || c == 7))                                                           \
    X(BUS_RD, o->before.read)                                                                                \
    X(BUS_WR, o->before.write)                                                                               \
    X(L1D_LD_SPEC, o->before.memory_says >> 0 & 1)                                                           \
    X(L1D_LD_MISS_SPEC, o->before.memory_says >> 1 & 1)                                                      \
    X(L1D_MERGE, o->before.memory_says >> 2 & 1)                                                             \
    X(L1D_REFILL, o->before.memory_says >> 3 & 1)                                                            \
    X(L2TLB_RD, o->before.memory_says >> 4 & 1)                                                              \
    X(L2TLB_MISS, o->before.memory_says >> 5 & 1)                                                            \
    X(WALK_CYC, o->before.memory_says >> 6 & 1)                                                              \
    X(SQ_FULL, o->before.memory_says >> 7 & 1)                                                               \
    X(L1I_RD, in->front_end_says >> 0 & 1)                                                                   \
    X(L1I_RD_MISS, in->front_end_says >> 1 & 1)                                                              \
    X(ITLB_RD, in->front_end_says >> 2 & 1)                                                                  \
    X(ITLB_MISS, in->front_end_says >> 3 & 1)                                                                \
    X(DEC_REDIRECT, in->front_end_says >> 4 & 1)

static const char *check_cycle(struct oracle *o, const struct oracle_in *in) {
    uint64_t c = o->before.cause, expected = 0, known = 0;
    bool run = !in->halted, exc = o->before.exception;
#define EXPECT(name, value)                                                                                  \
    expected |= (uint64_t)(value) << TALLY_EVC_##name;                                                       \
    known |= UINT64_C(1) << TALLY_EVC_##name;
    CYCLE_WIRES(EXPECT)
#undef EXPECT
    const uint64_t wrong = (in->ev_cycle ^ expected) & known;
    if (wrong) {
#define ORDER(name, value) TALLY_EVC_##name,
        static const int order[] = {CYCLE_WIRES(ORDER)};
#undef ORDER
        unsigned t = 0;
        while (!(wrong >> order[t] & 1))
            t++;
        return fail(o, in, cycle_names[order[t]],
                    expected >> order[t] & 1 ? "not set although it happened" : "set without its cause");
    }
    unsigned slots = (in->ev_cycle >> TALLY_EVC_TD_FE & 1) + (in->ev_cycle >> TALLY_EVC_TD_BE & 1) +
                     (in->ev_cycle >> TALLY_EVC_TD_BADSPEC & 1) + o->before.dispatch;
    if (o->cycle > 1 && slots != o->before.run)
        return fail(o, in, "TD_*", "the slots of a cycle do not sum to one");
    return NULL;
}

static void follow_transfers(struct oracle *o, const struct oracle_in *in) {
    if (in->flush) {
        o->count = 0;
    } else if (in->resolve && o->count < RESOLVED) {
        unsigned last = (o->first + o->count++) % RESOLVED;
        o->resolved[last].pc = in->resolve_pc;
        o->resolved[last].mispredicted = in->redirect;
    }
}

static void follow_said(struct oracle *o, const struct oracle_in *in) {
    if (in->access_done)
        o->said[in->access_tag].access = in->access_says;
    if (in->dispatch) {
        o->said[in->dispatch_tag].dispatch = in->dispatch_says;
        o->said[in->dispatch_tag].access = 0;
    }
}

const char *oracle_cycle(struct oracle *o, const struct oracle_in *in) {
    o->cycle++;
    o->halted += in->halted;
    o->i_lines += in->i_line;
    o->d_lines += in->d_line;
    bool walking = in->ev_cycle >> TALLY_EVC_WALK_CYC & 1;
    o->walks += walking && !o->walking;
    o->walking = walking;
    for (uint64_t left = in->ev_retire; left; left &= left - 1)
        o->retire_count[__builtin_ctzll(left)]++;
    for (uint64_t left = in->ev_cycle; left; left &= left - 1)
        o->cycle_count[__builtin_ctzll(left)]++;

    const char *wrong = check_retire(o, in);
    if (!wrong)
        wrong = check_cycle(o, in);
    follow_transfers(o, in);
    o->before.run = !in->halted;
    o->before.stall_fe = !in->halted && !in->retire && in->rob_empty;
    o->before.stall_be = !in->halted && !in->retire && !in->rob_empty;
    o->before.dispatch = in->dispatch;
    o->before.issue = in->issue;
    o->before.resolve = in->resolve;
    o->before.redirect = in->redirect;
    o->before.memory_says = in->memory_says;
    o->before.read = in->read;
    o->before.write = in->write;
    o->before.flush = in->flush && !in->ebb; /* no event counts a delivery */
    o->before.exception = in->exception;
    o->before.interrupt = in->interrupt;
    o->before.cause = in->cause;
    follow_said(o, in);
    return wrong;
}

const char *oracle_finish(struct oracle *o) {
    const uint64_t *r = o->retire_count, *c = o->cycle_count;
    const struct {
        const char *what;
        bool holds;
    } sums[] = {
        {"retiring + STALL_FE + STALL_BE + halted = cycles",
         r[TALLY_EVR_INST] + c[TALLY_EVC_STALL_FE] + c[TALLY_EVC_STALL_BE] + o->before.stall_fe +
                 o->before.stall_be + o->halted ==
             o->cycle},
        {"L1I_RD_MISS = lines that fetch requested on the bus", c[TALLY_EVC_L1I_RD_MISS] == o->i_lines},
        /* The wire is set in the cycle in which the request can be on the bus for the first time; other harts
         * may keep it waiting there, one at a time, until the run ends. */
        {"L1D_REFILL = lines that the D side requested on the bus, and one that waits for it",
         c[TALLY_EVC_L1D_REFILL] - o->d_lines <= 1},
        {"runs of WALK_CYC <= L2TLB_MISS", o->walks <= c[TALLY_EVC_L2TLB_MISS]},
        {"L1D_LD_MISS_SPEC <= L1D_LD_SPEC", c[TALLY_EVC_L1D_LD_MISS_SPEC] <= c[TALLY_EVC_L1D_LD_SPEC]},
        /* Not "misses - merges = refills": a load may be flushed, or its line brought by another, while it
         * waits for a free miss register, and the walker refills too. */
        {"L1D_MERGE <= L1D_LD_MISS_SPEC", c[TALLY_EVC_L1D_MERGE] <= c[TALLY_EVC_L1D_LD_MISS_SPEC]},
        {"L1I_RD_MISS <= L1I_RD", c[TALLY_EVC_L1I_RD_MISS] <= c[TALLY_EVC_L1I_RD]},
        {"ITLB_MISS <= ITLB_RD", c[TALLY_EVC_ITLB_MISS] <= c[TALLY_EVC_ITLB_RD]},
        {"L2TLB_MISS <= L2TLB_RD", c[TALLY_EVC_L2TLB_MISS] <= c[TALLY_EVC_L2TLB_RD]},
        {"MISPRED <= BR_REDIRECT <= BR_EXEC", r[TALLY_EVR_MISPRED] <= c[TALLY_EVC_BR_REDIRECT] &&
                                                  c[TALLY_EVC_BR_REDIRECT] <= c[TALLY_EVC_BR_EXEC]},
        {"ICMISS <= L1I_RD_MISS", r[TALLY_EVR_ICMISS] <= c[TALLY_EVC_L1I_RD_MISS]},
        {"ITMISS <= ITLB_MISS", r[TALLY_EVR_ITMISS] <= c[TALLY_EVC_ITLB_MISS]},
        {"retired <= ISSUE <= DISPATCH, except instructions without a unit",
         c[TALLY_EVC_ISSUE] <= c[TALLY_EVC_DISPATCH] && r[TALLY_EVR_INST] <= c[TALLY_EVC_ISSUE]},
    };
    for (size_t s = 0; s < sizeof sums / sizeof *sums; s++)
        if (!sums[s].holds) {
            snprintf(o->message, sizeof o->message, "event wires: a sum is wrong: %s", sums[s].what);
            return o->message;
        }
    return NULL;
}

void oracle_report(const struct oracle *o, FILE *out) {
    for (int w = 0; w < TALLY_EVR_N; w++)
        fprintf(out, "%-20s %12llu\n", retire_names[w], (unsigned long long)o->retire_count[w]);
    for (int w = 0; w < TALLY_EVC_N; w++)
        fprintf(out, "%-20s %12llu\n", cycle_names[w], (unsigned long long)o->cycle_count[w]);
}
