/* SPDX-License-Identifier: Apache-2.0 */
/* Overflow (Sscofpmf), and an overflow in the cycle of an access (docs/rulings.md, Overflow). */
#include "rules.h"

#define LAST UINT64_MAX
#define INST TALLY_EV_INST_RET

static bool lcofip(void) { return get(PRIV_M, TALLY_CSR_MIP) & LCOFIP; }
static bool of(unsigned n) { return get(PRIV_M, event(n)) & OF; }

/* Counter `n` sees `steps` software events. */
static void raise(unsigned steps) {
    while (steps--)
        put(PRIV_M, TALLY_CSR_SHPMSWINC, 1);
}

static void arm(unsigned n, uint64_t value, uint64_t flags) {
    put(PRIV_M, counter(n), value);
    put(PRIV_M, event(n), TALLY_EV_SOFTWARE | flags);
}

static void sscofpmf_increment_past_the_end_sets_of_and_lcofip(void) {
    for (unsigned n = 3; n < 32; n++) {
        put(PRIV_M, TALLY_CSR_MIP, 0);
        arm(n, LAST - 2, 0);
        raise(2);
        CHECK_EQ(get(PRIV_M, counter(n)), LAST);
        CHECK(!of(n) && !lcofip());
        raise(1);
        CHECK_EQ(get(PRIV_M, counter(n)), 0);
        CHECK(of(n) && lcofip());
        put(PRIV_M, event(n), 0);
    }
}

static void sscofpmf_of_is_sticky_and_requests_once(void) {
    arm(5, LAST, 0);
    raise(1);
    put(PRIV_M, TALLY_CSR_MIP, 0);
    put(PRIV_M, counter(5), LAST);
    raise(1);
    CHECK(of(5) && !lcofip());
    CHECK_EQ(get(PRIV_M, counter(5)), 0); /* it wraps and goes on counting */
    raise(2);
    CHECK_EQ(get(PRIV_M, counter(5)), 2);
}

/* OF set by software is the counter's interrupt disable. */
static void sscofpmf_of_set_by_software_suppresses_the_request(void) {
    arm(5, LAST, OF);
    CHECK(of(5) && !lcofip()); /* the write itself requests nothing */
    raise(1);
    CHECK(of(5) && !lcofip());
}

static void sscofpmf_software_writes_never_request(void) {
    arm(5, LAST, 0);
    put(PRIV_M, counter(5), 0); /* all ones to 0 */
    CHECK(!of(5) && !lcofip());
    put(PRIV_M, counter(5), LAST);
    put(PRIV_M, event(5), 0);
    put(PRIV_M, event(5), TALLY_EV_SOFTWARE);
    put(PRIV_M, TALLY_CSR_MCOUNTINHIBIT, BIT(5));
    raise(1);
    put(PRIV_M, TALLY_CSR_MCOUNTINHIBIT, 0);
    CHECK_EQ(get(PRIV_M, counter(5)), LAST);
    CHECK(!of(5) && !lcofip());
}

static void sscofpmf_of_is_cleared_by_software_alone(void) {
    arm(5, LAST, 0);
    raise(1);
    CHECK(of(5));
    put(PRIV_M, counter(5), 77);
    put(PRIV_M, TALLY_CSR_MIP, 0);
    CHECK(of(5));
    clear_bits(PRIV_M, event(5), OF);
    CHECK(!of(5));
}

/* LCOFIP is a bit of its own: it follows neither OF's setting by software nor its clearing. */
static void sscofpmf_lcofip_does_not_track_of(void) {
    arm(5, LAST, 0);
    raise(1);
    put(PRIV_M, TALLY_CSR_MIP, 0);
    CHECK(of(5) && !lcofip());
    set_bits(PRIV_M, TALLY_CSR_MIP, LCOFIP);
    clear_bits(PRIV_M, event(5), OF);
    CHECK(!of(5) && lcofip());
    put(PRIV_M, TALLY_CSR_MIP, 0);
    arm(6, LAST, 0);
    raise(1); /* another counter's OF 0 to 1 requests although 5's OF were set */
    CHECK(lcofip());
}

static void sscofpmf_mcycle_and_minstret_never_request(void) {
    put(PRIV_M, counter(0), LAST - 5);
    put(PRIV_M, counter(2), LAST - 5);
    code_begin();
    nops(30);
    run_code(PRIV_M, 0, 0, 0);
    CHECK(get(PRIV_M, counter(0)) < 100000);
    CHECK(get(PRIV_M, counter(2)) < 100000);
    CHECK(!lcofip());
    CHECK_EQ(get(PRIV_M, TALLY_CSR_SCOUNTOVF), 0);
}

static void sscofpmf_upper_byte_of_an_event(void) {
    for (unsigned n = 3; n < 32; n++) {
        put(PRIV_M, event(n), UINT64_MAX << 56);
        CHECK_EQ(get(PRIV_M, event(n)), OF | MINH | SINH | UINH); /* no H, and 57:56 are 0 */
        put(PRIV_M, event(n), 0);
        CHECK_EQ(get(PRIV_M, event(n)), 0);
    }
}

static void sscofpmf_filters_stop_counting_in_their_mode(void) {
    for (unsigned bits = 0; bits < 8; bits++)
        for
            EACH_MODE(mode) {
                uint64_t filters = (bits & 1 ? MINH : 0) | (bits & 2 ? SINH : 0) | (bits & 4 ? UINH : 0);
                bool counts = !(bits & (mode == PRIV_M ? 1 : mode == PRIV_S ? 2 : 4));
                uint64_t seen;

                context(bits, mode, 0);
                put(PRIV_M, event(7), INST | MINH | SINH | UINH);
                put(PRIV_M, counter(7), 0);
                put(PRIV_M, event(7), INST | filters);
                code_begin();
                nops(23);
                run_code(mode, 0, 0, 0);
                seen = get(PRIV_M, counter(7));
                if (bits & 1) /* nothing of M-mode around it */
                    CHECK_EQ(seen, counts ? 23 : 0);
                else
                    CHECK(seen > 0);
            }
}

static void sscofpmf_scountovf_shows_of_where_enabled(void) {
    uint64_t expected = 0;

    for (unsigned n = 3; n < 32; n += 2) {
        put(PRIV_M, event(n), OF);
        expected |= BIT(n);
    }
    CHECK_EQ(get(PRIV_M, TALLY_CSR_SCOUNTOVF), expected);
    CHECK_EQ(get(PRIV_S, TALLY_CSR_SCOUNTOVF), 0);
    for (unsigned n = 0; n < 32; n++) {
        put(PRIV_M, TALLY_CSR_MCOUNTEREN, BIT(n));
        CHECK_EQ(get(PRIV_S, TALLY_CSR_SCOUNTOVF), expected & BIT(n));
        CHECK_EQ(get(PRIV_M, TALLY_CSR_SCOUNTOVF), expected);
    }
}

static void sscofpmf_scountovf_is_read_only_and_not_for_u_mode(void) {
    put(PRIV_M, TALLY_CSR_MCOUNTEREN, UINT64_MAX);
    put(PRIV_M, TALLY_CSR_SCOUNTEREN, UINT64_MAX);
    for
        EACH_MODE(mode) {
            CHECK_ILLEGAL(mode, WRITE, TALLY_CSR_SCOUNTOVF);
            CHECK_ILLEGAL(mode, CLEAR, TALLY_CSR_SCOUNTOVF);
        }
    CHECK_ILLEGAL(PRIV_U, READ, TALLY_CSR_SCOUNTOVF);
    CHECK_LEGAL(PRIV_S, READ, TALLY_CSR_SCOUNTOVF);
}

static void sscofpmf_lcofip_is_delegated_with_mideleg(void) {
    put(PRIV_M, TALLY_CSR_MIP, LCOFIP);
    put(PRIV_M, TALLY_CSR_MIE, 0);
    CHECK_EQ(get(PRIV_S, TALLY_CSR_SIP), 0);
    put(PRIV_S, TALLY_CSR_SIP, 0); /* read-only 0 */
    put(PRIV_S, TALLY_CSR_SIE, LCOFIP);
    CHECK(lcofip());
    CHECK_EQ(get(PRIV_M, TALLY_CSR_MIE), 0);
    put(PRIV_M, TALLY_CSR_MIDELEG, LCOFIP);
    CHECK_EQ(get(PRIV_S, TALLY_CSR_SIP), LCOFIP);
    clear_bits(PRIV_S, TALLY_CSR_SIP, LCOFIP);
    CHECK(!lcofip());
    put(PRIV_S, TALLY_CSR_SIE, LCOFIP);
    CHECK_EQ(get(PRIV_M, TALLY_CSR_MIE), LCOFIP);
    put(PRIV_S, TALLY_CSR_SIE, 0);
    put(PRIV_M, TALLY_CSR_MIDELEG, 0);
}

/* Clear LCOFIP, then look at scountovf, serve, clear OF: overflows in between are seen. */
static void sscofpmf_handler_order_loses_nothing(void) {
    arm(3, LAST, 0);
    arm(4, LAST - 1, 0);
    raise(1);
    clear_bits(PRIV_M, TALLY_CSR_MIP, LCOFIP);
    raise(1); /* 4 overflows behind the handler's back */
    CHECK_EQ(get(PRIV_M, TALLY_CSR_SCOUNTOVF), BIT(3) | BIT(4));
    clear_bits(PRIV_M, event(3), OF);
    clear_bits(PRIV_M, event(4), OF);
    CHECK(lcofip()); /* one interrupt too many, none too few */
}

/* ---- overflow at every distance from an access
 *
 *     M, S:  write counter 3; nop x BEFORE; the access; nop x AFTER; stop counter 3
 *     U:                      nop x BEFORE; the access; nop x AFTER; mv a0, a2; (it counts in U-mode alone)
 *
 * The counter starts so that instruction number `wrap` behind the write is the one that wraps it; the access
 * is instruction number AT, so the sweep goes over both sides of it. */

enum { BEFORE = 12, AT = BEFORE + 1, AFTER = 12, TOTAL = AT + AFTER + 1, REACH = 8 };

/* A register by one of its ways, from one mode; open_counter(3) opens them all. */
struct way {
    unsigned mode, num;
};

#define HPMCOUNTER3 (TALLY_CSR_CYCLE + 3)
#define MHPMCOUNTER3 (TALLY_CSR_MCYCLE + 3)
#define MHPMEVENT3 (TALLY_CSR_MCOUNTINHIBIT + 3)

#define EACH_WAY(way, ways) (const struct way *way = (ways); way < (ways) + COUNT(ways); way++)

struct after {
    uint64_t read; /* by the access */
    uint64_t count;
    bool of, lcofip;
};

static struct after around(unsigned mode, unsigned wrap, uint32_t access_insn, uint64_t operand,
                           uint64_t selector) {
    const unsigned writer = mode == PRIV_M ? counter(3) : TALLY_CSR_SIREG;
    const unsigned stop = mode == PRIV_M ? TALLY_CSR_MCOUNTINHIBIT : TALLY_CSR_SCOUNTINHIBIT;
    struct after after;

    put(PRIV_M, counter(3), 0);
    put(PRIV_M, event(3), mode == PRIV_U ? selector | only_in(PRIV_U) : selector);
    put(PRIV_M, TALLY_CSR_MIP, 0);
    if (mode == PRIV_U)
        put(PRIV_M, counter(3), -(uint64_t)wrap);
    code_begin();
    if (mode != PRIV_U)
        code(csr_insn(WRITE, writer, X0, A0));
    nops(BEFORE);
    code(access_insn); /* a2 <- access, a1 */
    nops(AFTER);
    if (mode != PRIV_U)
        code(stop << 20 | 8 << 15 | 6 << 12 | 0x73); /* csrsi 8: counted by the old value */
    code(0x00060513);                                /* mv a0, a2 */
    after.read = run_code(mode, -(uint64_t)wrap, operand, 0).a0;
    after.count = get(PRIV_M, counter(3));
    after.of = of(3);
    after.lcofip = lcofip();
    put(PRIV_M, TALLY_CSR_MCOUNTINHIBIT, 0);
    put(PRIV_M, event(3), 0);
    context(wrap, access_insn, mode);
    return after;
}

#define SWEEP(wrap) (unsigned wrap = AT - REACH; wrap <= AT + REACH; wrap++)

static void overflow_around_a_read_of_the_counter(void) {
    static const struct way ways[] = {{PRIV_M, MHPMCOUNTER3},
                                      {PRIV_M, HPMCOUNTER3},
                                      {PRIV_S, TALLY_CSR_SIREG},
                                      {PRIV_S, HPMCOUNTER3},
                                      {PRIV_U, HPMCOUNTER3}};

    open_counter(3);
    for
        EACH_WAY(way, ways)
    for
        SWEEP(wrap) {
            struct after a = around(way->mode, wrap, csr_insn(READ, way->num, A2, 0), 0, INST);

            CHECK_EQ(a.read, BEFORE - (uint64_t)wrap);
            CHECK_EQ(a.count, TOTAL - (uint64_t)wrap);
            CHECK(a.of && a.lcofip);
        }
}

/* The flags of all counters in one word: the standard's and the Andes view's. */
static void overflow_around_a_read_of_scountovf(void) {
    static const struct way ways[] = {{PRIV_M, TALLY_CSR_SCOUNTOVF},
                                      {PRIV_S, TALLY_CSR_SCOUNTOVF},
                                      {PRIV_M, TALLY_CSR_MCOUNTEROVF},
                                      {PRIV_S, TALLY_CSR_SCOUNTEROVF}};

    open_counter(3);
    for
        EACH_WAY(way, ways)
    for
        SWEEP(wrap) {
            struct after a = around(way->mode, wrap, csr_insn(READ, way->num, A2, 0), 0, INST);

            CHECK_EQ(a.read, wrap < AT ? 8 : 0);
            CHECK(a.of && a.lcofip);
        }
}

static const struct way events[] = {{PRIV_M, MHPMEVENT3}, {PRIV_S, TALLY_CSR_SIREG2}};

static void overflow_around_a_read_of_the_event(void) {
    open_counter(3);
    for
        EACH_WAY(way, events)
    for
        SWEEP(wrap) {
            struct after a = around(way->mode, wrap, csr_insn(READ, way->num, A2, 0), 0, INST);

            CHECK_EQ(a.read, INST | (wrap < AT ? OF : 0));
            CHECK(a.of && a.lcofip);
        }
}

static void overflow_around_a_read_of_mip(void) {
    static const struct way ways[] = {
        {PRIV_M, TALLY_CSR_MIP}, {PRIV_M, TALLY_CSR_SIP}, {PRIV_S, TALLY_CSR_SIP}};

    open_counter(3);
    for
        EACH_WAY(way, ways)
    for
        SWEEP(wrap) {
            struct after a = around(way->mode, wrap, csr_insn(READ, way->num, A2, 0), 0, INST);

            CHECK_EQ(a.read & LCOFIP, wrap < AT ? LCOFIP : 0);
            CHECK(a.of && a.lcofip);
        }
}

/* An explicit write replaces the increment: in its cycle there is no overflow. */
static void overflow_around_a_write_of_the_counter(void) {
    static const struct way ways[] = {
        {PRIV_M, MHPMCOUNTER3}, {PRIV_S, TALLY_CSR_SIREG}, {PRIV_S, HPMCOUNTER3}};
    static const enum csr_op ops[] = {WRITE, SET, CLEAR};

    open_counter(3);
    for
        EACH_WAY(way, ways)
    for (size_t i = 0; i < COUNT(ops); i++)
        for
            SWEEP(wrap) {
                struct after a = around(way->mode, wrap, csr_insn(ops[i], way->num, A2, A1), 1000, INST);
                uint64_t old = BEFORE - (uint64_t)wrap;
                uint64_t written = ops[i] == WRITE ? 1000 : ops[i] == SET ? old | 1000 : old & ~1000ull;
                bool later = ops[i] != WRITE && written + AFTER + 1 < written;

                CHECK_EQ(a.read, old);
                CHECK_EQ(a.count, written + AFTER + 1);
                CHECK_EQ(a.of, wrap < AT || later);
                CHECK_EQ(a.lcofip, wrap < AT || later);
            }
}

/* The written OF wins; the request of an overflow in that cycle is made all the same. */
static void overflow_around_a_write_of_the_event(void) {
    open_counter(3);
    for
        EACH_WAY(way, events)
    for
        SWEEP(wrap) {
            struct after a = around(way->mode, wrap, csr_insn(WRITE, way->num, A2, A1), 0, INST);

            CHECK_EQ(a.read, INST | (wrap < AT ? OF : 0));
            CHECK_EQ(a.count, AT - (uint64_t)wrap);
            CHECK_EQ(a.of, false);
            CHECK_EQ(a.lcofip, wrap <= AT);
            a = around(way->mode, wrap, csr_insn(WRITE, way->num, A2, A1), INST | OF, INST);
            CHECK_EQ(a.count, TOTAL - (uint64_t)wrap);
            CHECK_EQ(a.of, true);
            CHECK_EQ(a.lcofip, wrap <= AT);
        }
}

/* CSRRS and CSRRC write the bits of their mask alone: OF is set although the event is written. */
static void overflow_around_a_change_of_a_filter(void) {
    open_counter(3);
    for
        EACH_WAY(way, events)
    for
        SWEEP(wrap) {
            struct after a = around(way->mode, wrap, csr_insn(SET, way->num, A2, A1),
                                    way->mode == PRIV_M ? MINH : SINH, INST);

            CHECK_EQ(a.count, AT - (uint64_t)wrap);
            CHECK_EQ(a.of, wrap <= AT);
            CHECK_EQ(a.lcofip, wrap <= AT);
            a = around(way->mode, wrap, csr_insn(CLEAR, way->num, A2, A1), UINH, INST | UINH);
            CHECK_EQ(a.count, TOTAL - (uint64_t)wrap);
            CHECK(a.of && a.lcofip);
        }
}

/* The Andes view writes the selector without OF, and a filter by a bit of a mask: OF is set all the same. */
static void overflow_around_a_write_of_shpmevent_and_a_mask(void) {
    static const struct {
        struct way way;
        enum csr_op op;
        uint64_t operand;
    } table[] = {{{PRIV_S, TALLY_CSR_SHPMEVENT3}, WRITE, 0},
                 {{PRIV_S, TALLY_CSR_SCOUNTERMASK_S}, CLEAR, 8},
                 {{PRIV_M, TALLY_CSR_MCOUNTERMASK_M}, CLEAR, 8}};

    open_counter(3);
    for (size_t i = 0; i < COUNT(table); i++)
        for
            SWEEP(wrap) {
                struct after a =
                    around(table[i].way.mode, wrap, csr_insn(table[i].op, table[i].way.num, A2, A1),
                           table[i].operand, INST);

                CHECK_EQ(a.count, AT - (uint64_t)wrap);
                CHECK_EQ(a.of, wrap <= AT);
                CHECK_EQ(a.lcofip, wrap <= AT);
            }
}

/* A clearing acts before the overflow of its cycle, which is a new one and requests, for any OF. */
static void overflow_around_a_clearing_of_of(void) {
    static const struct {
        struct way way;
        enum csr_op op;
        uint64_t operand;
    } table[] = {{{PRIV_M, MHPMEVENT3}, CLEAR, OF},           {{PRIV_S, TALLY_CSR_SIREG2}, CLEAR, OF},
                 {{PRIV_M, TALLY_CSR_MCOUNTEROVF}, WRITE, 8}, {{PRIV_M, TALLY_CSR_MCOUNTEROVF}, CLEAR, 8},
                 {{PRIV_S, TALLY_CSR_SCOUNTEROVF}, WRITE, 8}, {{PRIV_S, TALLY_CSR_SCOUNTEROVF}, CLEAR, 8}};

    open_counter(3);
    for (size_t i = 0; i < COUNT(table); i++)
        for
            SWEEP(wrap) {
                struct after a =
                    around(table[i].way.mode, wrap, csr_insn(table[i].op, table[i].way.num, A2, A1),
                           table[i].operand, INST);

                CHECK_EQ(a.of, wrap >= AT);
                CHECK_EQ(a.lcofip, true);
                a = around(table[i].way.mode, wrap, csr_insn(table[i].op, table[i].way.num, A2, A1),
                           table[i].operand, INST | OF);
                CHECK_EQ(a.of, wrap >= AT);
                CHECK_EQ(a.lcofip, wrap >= AT);
            }
}

static void overflow_around_a_write_of_mcountinhibit(void) {
    static const struct way ways[] = {{PRIV_M, TALLY_CSR_MCOUNTINHIBIT},
                                      {PRIV_M, TALLY_CSR_SCOUNTINHIBIT},
                                      {PRIV_S, TALLY_CSR_SCOUNTINHIBIT},
                                      {PRIV_S, TALLY_CSR_SCOUNTERINHIBIT}};

    open_counter(3);
    for
        EACH_WAY(way, ways)
    for
        SWEEP(wrap) {
            struct after a = around(way->mode, wrap, csr_insn(WRITE, way->num, A2, A1), 8, INST);

            CHECK_EQ(a.count, AT - (uint64_t)wrap);
            CHECK_EQ(a.of, wrap <= AT);
            CHECK_EQ(a.lcofip, wrap <= AT);
        }
}

/* A bit that hardware sets in the cycle of a clear stays set. */
static void overflow_around_a_clearing_of_lcofip(void) {
    static const struct {
        struct way way;
        enum csr_op op;
        uint64_t operand;
    } table[] = {{{PRIV_M, TALLY_CSR_MIP}, CLEAR, LCOFIP}, {{PRIV_M, TALLY_CSR_MIP}, WRITE, 0},
                 {{PRIV_M, TALLY_CSR_SIP}, CLEAR, LCOFIP}, {{PRIV_M, TALLY_CSR_SIP}, WRITE, 0},
                 {{PRIV_S, TALLY_CSR_SIP}, CLEAR, LCOFIP}, {{PRIV_S, TALLY_CSR_SIP}, WRITE, 0}};

    open_counter(3);
    for (size_t i = 0; i < COUNT(table); i++)
        for
            SWEEP(wrap) {
                struct after a =
                    around(table[i].way.mode, wrap, csr_insn(table[i].op, table[i].way.num, A2, A1),
                           table[i].operand, INST);

                CHECK_EQ(a.read & LCOFIP, wrap < AT ? LCOFIP : 0);
                CHECK_EQ(a.of, true);
                CHECK_EQ(a.lcofip, wrap >= AT);
            }
}

/* The same accesses while cycles are counted: the pipeline decides when the overflow comes, and the golden
 * model checks the access; no overflow may be lost or invented. */
static void overflow_around_accesses_counting_cycles(void) {
    static const struct {
        struct way way;
        enum csr_op op;
        uint64_t operand;
        bool keeps_of, keeps_pending; /* ... whenever the overflow came */
    } table[] = {
        {{PRIV_M, MHPMCOUNTER3}, READ, 0, true, true},
        {{PRIV_M, TALLY_CSR_SCOUNTOVF}, READ, 0, true, true},
        {{PRIV_M, TALLY_CSR_MIP}, CLEAR, LCOFIP, true, false},
        {{PRIV_M, MHPMEVENT3}, CLEAR, OF, false, true},
        {{PRIV_M, MHPMEVENT3}, SET, UINH, true, true},
        {{PRIV_S, TALLY_CSR_SIREG}, READ, 0, true, true},
        {{PRIV_S, TALLY_CSR_SCOUNTOVF}, READ, 0, true, true},
        {{PRIV_S, TALLY_CSR_SIP}, CLEAR, LCOFIP, true, false},
        {{PRIV_S, TALLY_CSR_SIREG2}, CLEAR, OF, false, true},
        {{PRIV_S, TALLY_CSR_SIREG2}, SET, UINH, true, true},
        {{PRIV_S, TALLY_CSR_SCOUNTEROVF}, WRITE, 8, false, true},
        {{PRIV_U, HPMCOUNTER3}, READ, 0, true, true},
    };

    open_counter(3);
    for (size_t i = 0; i < COUNT(table); i++)
        for (unsigned wrap = 1; wrap <= 32; wrap++) {
            struct after a = around(table[i].way.mode, wrap, csr_insn(table[i].op, table[i].way.num, A2, A1),
                                    table[i].operand, TALLY_EV_CYCLES_HART);
            bool wrapped = a.count < LAST / 2;

            if (table[i].op == READ)
                CHECK_EQ(a.of, wrapped);
            if (wrapped) {
                CHECK(!table[i].keeps_of || a.of);
                CHECK(!table[i].keeps_pending || a.lcofip);
            } else {
                CHECK(!a.of && !a.lcofip);
            }
        }
}

static const struct rule rules[] = {
    RULE(sscofpmf_increment_past_the_end_sets_of_and_lcofip),
    RULE(sscofpmf_of_is_sticky_and_requests_once),
    RULE(sscofpmf_of_set_by_software_suppresses_the_request),
    RULE(sscofpmf_software_writes_never_request),
    RULE(sscofpmf_of_is_cleared_by_software_alone),
    RULE(sscofpmf_lcofip_does_not_track_of),
    RULE(sscofpmf_mcycle_and_minstret_never_request),
    RULE(sscofpmf_upper_byte_of_an_event),
    RULE(sscofpmf_filters_stop_counting_in_their_mode),
    RULE(sscofpmf_scountovf_shows_of_where_enabled),
    RULE(sscofpmf_scountovf_is_read_only_and_not_for_u_mode),
    RULE(sscofpmf_lcofip_is_delegated_with_mideleg),
    RULE(sscofpmf_handler_order_loses_nothing),
    RULE(overflow_around_a_read_of_the_counter),
    RULE(overflow_around_a_read_of_scountovf),
    RULE(overflow_around_a_read_of_the_event),
    RULE(overflow_around_a_read_of_mip),
    RULE(overflow_around_a_write_of_the_counter),
    RULE(overflow_around_a_write_of_the_event),
    RULE(overflow_around_a_change_of_a_filter),
    RULE(overflow_around_a_write_of_shpmevent_and_a_mask),
    RULE(overflow_around_a_clearing_of_of),
    RULE(overflow_around_a_write_of_mcountinhibit),
    RULE(overflow_around_a_clearing_of_lcofip),
    RULE(overflow_around_accesses_counting_cycles),
};

void test_main(void) { run_rules(rules, COUNT(rules)); }
