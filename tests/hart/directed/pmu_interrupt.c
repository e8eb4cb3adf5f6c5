/* SPDX-License-Identifier: Apache-2.0 */
/* The overflow interrupt: instruction, mode and vector at which it is taken, and wake-up (Sscofpmf;
 * privileged manual, Machine Interrupt Registers; Ssplcofi: before the instruction behind its cause). */
#include "rules.h"

#define INST TALLY_EV_INST_RET

/* Work for every unit of the hart, without effect on the data that is checked */
static const uint32_t work[] = {
    NOP, 0x02c586b3 /* mul a3, a1, a2 */, 0x02d5d733 /* divu a4, a1, a3 */, 0x00053783 /* ld a5, 0(a0) */,
    NOP, 0x00d70733 /* add a4, a4, a3 */, 0x00000463 /* beq x0, x0, +8 */,  NOP,
    NOP, 0x00059263 /* bnez a1, +4 */,
};
enum { JUMP_AT = 6, TURNS = 3, PER_TURN = COUNT(work) };

static void put_work(void) {
    for (unsigned turn = 0; turn < TURNS; turn++)
        for (unsigned i = 0; i < PER_TURN; i++)
            code(work[i]);
}

/* Index in the code of retired instruction number `n` (from 1) of the work: the jumped-over one is not
 * counted. */
static unsigned index_of(unsigned n) {
    unsigned turn = (n - 1) / (PER_TURN - 1), i = (n - 1) % (PER_TURN - 1);

    return turn * PER_TURN + i + (i > JUMP_AT);
}

static uint64_t data[2];

/* Counter 3 overflows at instruction `n` of the work in `mode`. */
static struct trap_info strike(unsigned mode, unsigned n, bool delegated, uint64_t status) {
    struct trap_info t;

    context(mode, n, delegated);
    put(PRIV_M, TALLY_CSR_MIDELEG, delegated ? LCOFIP : 0);
    put(PRIV_M, TALLY_CSR_MIP, 0);
    put(PRIV_M, counter(3), 0);
    put(PRIV_M, event(3), INST | only_in(mode));
    if (mode != PRIV_M)
        put(PRIV_M, counter(3), -(uint64_t)n);
    put(PRIV_M, TALLY_CSR_MIE, LCOFIP);
    code_begin();
    if (mode == PRIV_M)
        code(csr_insn(WRITE, counter(3), X0, A2));
    put_work();
    t = run_code_from(status_for(mode) | status, (uintptr_t)data, 3, -(uint64_t)n);
    put(PRIV_M, TALLY_CSR_MIE, 0);
    put(PRIV_M, event(3), get(PRIV_M, event(3)) & OF); /* counts no longer */
    return t;
}

/* Address of the successor of instruction `n` of the work; the jump's successor is its target. */
static uint64_t behind(unsigned mode, unsigned n) {
    unsigned index = index_of(n);

    return code_at((mode == PRIV_M) + (index % PER_TURN == JUMP_AT ? index + 2 : index + 1));
}

static void check_strike(unsigned mode, unsigned n, bool delegated, uint64_t status, unsigned handler) {
    struct trap_info t = strike(mode, n, delegated, status);

    CHECK_EQ(t.cause, INTERRUPT(TALLY_INT_LCOFI));
    CHECK_EQ(t.handler, handler);
    CHECK_EQ(t.epc, behind(mode, n));
    CHECK_EQ(t.tval, 0);
    CHECK(get(PRIV_M, event(3)) & OF);
    CHECK(get(PRIV_M, TALLY_CSR_MIP) & LCOFIP);
}

#define EACH_CAUSE(n) (unsigned n = 1; n <= TURNS * (PER_TURN - 1); n++)

static void lcofi_not_delegated_follows_its_cause_at_once(void) {
    for
        EACH_CAUSE(n) {
            check_strike(PRIV_U, n, false, 0, PRIV_M);
            check_strike(PRIV_S, n, false, 0, PRIV_M);
            check_strike(PRIV_M, n, false, MSTATUS_MPIE, PRIV_M);
        }
}

static void lcofi_delegated_follows_its_cause_at_once(void) {
    for
        EACH_CAUSE(n) {
            check_strike(PRIV_U, n, true, 0, PRIV_S);
            check_strike(PRIV_S, n, true, MSTATUS_SIE, PRIV_S);
        }
}

static void lcofi_waits_while_it_is_masked(void) {
    struct trap_info t = strike(PRIV_S, 4, true, 0); /* SIE = 0 */

    CHECK_EQ(t.cause, TALLY_EXC_ECALL_S);
    CHECK(get(PRIV_M, TALLY_CSR_MIP) & LCOFIP);
    t = strike(PRIV_M, 4, false, 0); /* MIE = 0 */
    CHECK_EQ(t.cause, TALLY_EXC_ECALL_M);
    t = strike(PRIV_M, 4, true, MSTATUS_MPIE); /* delegated: never in M-mode */
    CHECK_EQ(t.cause, TALLY_EXC_ECALL_M);
    CHECK(get(PRIV_M, TALLY_CSR_MIP) & LCOFIP);
}

/* ... and is taken when unmasked: before the next instruction. */
static void lcofi_pending_is_taken_when_unmasked(void) {
    struct trap_info t;

    put(PRIV_M, TALLY_CSR_MIDELEG, LCOFIP);
    put(PRIV_M, TALLY_CSR_MIP, LCOFIP);
    put(PRIV_M, TALLY_CSR_MIE, LCOFIP);
    code_begin();
    code(NOP);
    code(TALLY_CSR_SSTATUS << 20 | 2 << 15 | 6 << 12 | 0x73); /* csrsi sstatus, SIE */
    nops(3);
    t = run_code_from(status_for(PRIV_S), 0, 0, 0);
    CHECK_EQ(t.cause, INTERRUPT(TALLY_INT_LCOFI));
    CHECK_EQ(t.epc, code_at(2));
    put(PRIV_M, TALLY_CSR_MIE, 0);
    code_begin();
    code(NOP);
    code(csr_insn(WRITE, TALLY_CSR_SIE, X0, A1));
    nops(3);
    t = run_code_from(status_for(PRIV_S) | MSTATUS_SIE, 0, LCOFIP, 0);
    CHECK_EQ(t.cause, INTERRUPT(TALLY_INT_LCOFI));
    CHECK_EQ(t.epc, code_at(2));
    put(PRIV_M, TALLY_CSR_MIE, 0);
}

static void lcofi_goes_by_its_vector(void) {
    struct trap_info t;
    uint64_t direct = csr_read(mtvec);

    csr_write(mtvec, (uintptr_t)m_vectors | 1);
    t = strike(PRIV_U, 5, false, 0);
    CHECK_EQ(t.cause, INTERRUPT(TALLY_INT_LCOFI));
    CHECK_EQ(t.t6, TALLY_INT_LCOFI);
    csr_write(mtvec, direct);
    csr_write(stvec, (uintptr_t)s_vectors | 1);
    t = strike(PRIV_U, 5, true, 0);
    CHECK_EQ(t.cause, INTERRUPT(TALLY_INT_LCOFI));
    CHECK_EQ(t.handler, PRIV_S);
    CHECK_EQ(t.t6, TALLY_INT_LCOFI);
    csr_write(stvec, (uintptr_t)s_trap);
}

/* Everything is pending; the order in which they come, one after the other disabled. Below M-mode
 * delegated ones come after all others. */
static void lcofi_is_taken_below_sti_and_above_lambi(void) {
    static const unsigned order[] = {TALLY_INT_SEI,   TALLY_INT_SSI,   TALLY_INT_STI,
                                     TALLY_INT_LCOFI, TALLY_INT_LAMBI, TALLY_INT_ANDES};
    uint64_t all = 0;

    for (size_t i = 0; i < COUNT(order); i++)
        all |= BIT(order[i]);
    put(PRIV_M, TALLY_CSR_MIP, all);
    for (unsigned delegated = 0; delegated < 3; delegated++) { /* none, all, all but LCOFI */
        uint64_t mideleg = delegated == 0 ? 0 : delegated == 1 ? all : all & ~LCOFIP;

        put(PRIV_M, TALLY_CSR_MIDELEG, mideleg);
        put(PRIV_M, TALLY_CSR_MIE, all);
        if (delegated == 2) {
            code_begin();
            CHECK_EQ(run_code(PRIV_U, 0, 0, 0).cause, INTERRUPT(TALLY_INT_LCOFI));
            clear_bits(PRIV_M, TALLY_CSR_MIE, LCOFIP);
        }
        for (size_t place = 0; place < COUNT(order); place++) {
            unsigned handler = delegated ? PRIV_S : PRIV_M;
            uint64_t cause = order[place] == TALLY_INT_ANDES && delegated ? 256 + 18 : order[place];
            struct trap_info t;

            if (delegated == 2 && order[place] == TALLY_INT_LCOFI)
                continue;
            code_begin();
            t = run_code(PRIV_U, 0, 0, 0);
            context(delegated, place, 0);
            CHECK_EQ(t.cause, INTERRUPT(cause));
            CHECK_EQ(t.handler, handler);
            clear_bits(PRIV_M, TALLY_CSR_MIE, BIT(order[place]));
        }
    }
    put(PRIV_M, TALLY_CSR_MIE, 0);
    put(PRIV_M, TALLY_CSR_MIP, 0);
    put(PRIV_M, TALLY_CSR_MIDELEG, 0);
    /* M-mode's own, which are not software's to set, come first */
    write32(MSIP, 1);
    write64(MTIMECMP, 0);
    while ((get(PRIV_M, TALLY_CSR_MIP) & (BIT(TALLY_INT_MSI) | BIT(TALLY_INT_MTI))) !=
           (BIT(TALLY_INT_MSI) | BIT(TALLY_INT_MTI)))
        ;
    put(PRIV_M, TALLY_CSR_MIP, LCOFIP);
    put(PRIV_M, TALLY_CSR_MIE, BIT(TALLY_INT_MSI) | BIT(TALLY_INT_MTI) | LCOFIP);
    code_begin();
    CHECK_EQ(run_code(PRIV_U, 0, 0, 0).cause, INTERRUPT(TALLY_INT_MSI));
    clear_bits(PRIV_M, TALLY_CSR_MIE, BIT(TALLY_INT_MSI));
    code_begin();
    CHECK_EQ(run_code(PRIV_U, 0, 0, 0).cause, INTERRUPT(TALLY_INT_MTI));
    clear_bits(PRIV_M, TALLY_CSR_MIE, BIT(TALLY_INT_MTI));
    code_begin();
    CHECK_EQ(run_code(PRIV_U, 0, 0, 0).cause, INTERRUPT(TALLY_INT_LCOFI));
    put(PRIV_M, TALLY_CSR_MIE, 0);
    put(PRIV_M, TALLY_CSR_MIP, 0);
    write32(MSIP, 0);
    write64(MTIMECMP, UINT64_MAX);
}

/* Two counters at the same instruction: one interrupt, two flags. */
static void lcofi_is_one_for_several_overflows(void) {
    struct trap_info t;

    put(PRIV_M, TALLY_CSR_MIE, LCOFIP);
    for (unsigned n = 3; n < 32; n += 7) {
        put(PRIV_M, event(n), INST | MINH);
        put(PRIV_M, counter(n), -6ull);
    }
    code_begin();
    nops(20);
    t = run_code(PRIV_U, 0, 0, 0);
    CHECK_EQ(t.cause, INTERRUPT(TALLY_INT_LCOFI));
    CHECK_EQ(t.epc, code_at(6));
    put(PRIV_M, TALLY_CSR_MIE, 0);
    put(PRIV_M, TALLY_CSR_MIP, 0);
    CHECK_EQ(get(PRIV_M, TALLY_CSR_SCOUNTOVF), BIT(3) | BIT(10) | BIT(17) | BIT(24) | BIT(31));
    CHECK_EQ(get(PRIV_M, TALLY_CSR_MIP), 0);
}

/* Bus cycles go on while the core's clock is halted; their overflow ends the wait. */
static void wfi_is_ended_by_lcofi(void) {
    static const struct {
        unsigned mode;
        bool delegated, enabled;
    } table[] = {{PRIV_M, false, false}, {PRIV_M, false, true}, {PRIV_S, true, false},
                 {PRIV_S, true, true},   {PRIV_S, false, true}, {PRIV_M, true, false}};

    for (size_t i = 0; i < COUNT(table); i++)
        for (unsigned wait = 2000; wait < 2008; wait++) {
            bool m = table[i].mode == PRIV_M;
            uint64_t status = table[i].enabled ? (m ? MSTATUS_MPIE : MSTATUS_SIE) : 0;
            struct trap_info t;

            context(i, wait, 0);
            put(PRIV_M, TALLY_CSR_MIP, 0);
            put(PRIV_M, TALLY_CSR_MIDELEG, table[i].delegated ? LCOFIP : 0);
            put(PRIV_M, TALLY_CSR_MIE, LCOFIP);
            put(PRIV_M, TALLY_CSR_MCOUNTINHIBIT, BIT(3));
            put(PRIV_M, event(3), TALLY_EV_CYCLES_BUS);
            put(PRIV_M, counter(3), -(uint64_t)wait);
            put(PRIV_M, TALLY_CSR_MCOUNTINHIBIT, 0);
            code_begin();
            code(NOP);
            code(WFI);
            nops(3);
            t = run_code_from(status_for(table[i].mode) | status, 0, 0, 0);
            put(PRIV_M, TALLY_CSR_MIE, 0);
            CHECK(get(PRIV_M, event(3)) & OF);
            CHECK(get(PRIV_M, TALLY_CSR_MIP) & LCOFIP);
            if (table[i].enabled || (!table[i].delegated && !m)) {
                CHECK_EQ(t.cause, INTERRUPT(TALLY_INT_LCOFI));
                CHECK_EQ(t.handler, table[i].delegated ? PRIV_S : PRIV_M);
                CHECK_EQ(t.epc, code_at(2)); /* behind the WFI */
            } else {
                CHECK_EQ(t.cause, ecall_from(table[i].mode));
            }
            put(PRIV_M, event(3), 0);
        }
}

/* Clearing LCOFIP in the handler is enough: OF alone does not interrupt. */
static void lcofi_does_not_return_while_of_is_set(void) {
    struct trap_info t = strike(PRIV_U, 3, false, 0);

    CHECK_EQ(t.cause, INTERRUPT(TALLY_INT_LCOFI));
    put(PRIV_M, TALLY_CSR_MIP, 0);
    put(PRIV_M, TALLY_CSR_MIE, LCOFIP);
    code_begin();
    nops(8);
    CHECK_EQ(run_code(PRIV_U, 0, 0, 0).cause, TALLY_EXC_ECALL_U);
    put(PRIV_M, TALLY_CSR_MIE, 0);
}

/* An access to a CSR takes several cycles. An overflow in any of them finds it whole or not begun: the
 * interrupt is taken before it, and nothing is read or written, or behind it. */
static void lcofi_finds_an_access_whole_or_not_begun(void) {
    static const struct {
        unsigned num;
        uint64_t old, new;
    } table[] = {{TALLY_CSR_MHPMCOUNTER3 + 1, 7, 0x123456789abcdef0}, {TALLY_CSR_MCOUNTEREN, 0xff, 0x5}};
    enum { ACCESS = 3, UNTOUCHED = 0x5a5a };

    put(PRIV_M, TALLY_CSR_MCOUNTINHIBIT, BIT(4));
    put(PRIV_M, TALLY_CSR_MIE, LCOFIP);
    for (size_t i = 0; i < COUNT(table); i++) {
        unsigned before = 0, behind_it = 0;

        for (unsigned wait = 1; wait < 40; wait++) {
            struct trap_info t;

            context(i, wait, 0);
            put(PRIV_M, TALLY_CSR_MIP, 0);
            put(PRIV_M, table[i].num, table[i].old);
            put(PRIV_M, event(3), TALLY_EV_CYCLES_HART | only_in(PRIV_M));
            code_begin();
            code(csr_insn(WRITE, counter(3), X0, A2));
            nops(ACCESS - 1);
            code(csr_insn(WRITE, table[i].num, A0, A1));
            nops(4);
            t = run_code_from(status_for(PRIV_M) | MSTATUS_MPIE, UNTOUCHED, table[i].new, -(uint64_t)wait);
            if (t.cause == INTERRUPT(TALLY_INT_LCOFI) && t.epc <= code_at(ACCESS)) {
                CHECK_EQ(t.a0, UNTOUCHED);
                CHECK_EQ(get(PRIV_M, table[i].num), table[i].old);
                before++;
            } else {
                CHECK_EQ(t.a0, table[i].old);
                CHECK_EQ(get(PRIV_M, table[i].num), table[i].new);
                behind_it++;
            }
        }
        CHECK(before != 0);
        CHECK(behind_it != 0);
    }
}

/* No model: an overflow every `period` instructions interrupts N / period times, each time right behind the
 * instruction that is its cause. */
static void storms_interrupt_every_period_without_skid(void) {
    enum { N = 303, LONGEST = 101 };
    static uint32_t storm[N + 1];

    for (unsigned i = 0; i < N; i++)
        storm[i] = NOP;
    storm[N] = ECALL;
    __asm__ volatile("fence.i" ::: "memory");
    csr_write(mideleg, 0);
    csr_write(mie, LCOFIP);
    for (unsigned mode = PRIV_U; mode <= PRIV_S; mode++)
        for (unsigned period = 1; period <= LONGEST; period++) {
            const void *at = storm;
            unsigned interrupts = 0;
            struct trap_info t;

            context(mode, period, 0);
            csr_write(mhpmevent3, INST | only_in(mode));
            for (;;) {
                csr_clear(mhpmevent3, OF);
                csr_write(mhpmcounter3, -(uint64_t)period);
                csr_write(mip, 0);
                t = probe(mode, at, 0, 0);
                if (t.cause != INTERRUPT(TALLY_INT_LCOFI) || interrupts == N)
                    break;
                interrupts++;
                CHECK_EQ(t.epc, (uintptr_t)&storm[interrupts * period]);
                at = (const void *)(uintptr_t)t.epc; /* NOLINT(performance-no-int-to-ptr) */
            }
            CHECK_EQ(t.cause, mode == PRIV_U ? TALLY_EXC_ECALL_U : TALLY_EXC_ECALL_S);
            CHECK_EQ(interrupts, N / period);
            CHECK_EQ(csr_read(mhpmcounter3), N % period - (uint64_t)period);
        }
    csr_write(mie, 0);
    csr_write(mhpmevent3, 0);
}

static const struct rule rules[] = {
    RULE(lcofi_finds_an_access_whole_or_not_begun),   RULE(lcofi_not_delegated_follows_its_cause_at_once),
    RULE(lcofi_delegated_follows_its_cause_at_once),  RULE(lcofi_waits_while_it_is_masked),
    RULE(lcofi_pending_is_taken_when_unmasked),       RULE(lcofi_goes_by_its_vector),
    RULE(lcofi_is_one_for_several_overflows),         RULE(wfi_is_ended_by_lcofi),
    RULE(lcofi_is_taken_below_sti_and_above_lambi),   RULE(lcofi_does_not_return_while_of_is_set),
    RULE(storms_interrupt_every_period_without_skid),
};

void test_main(void) { run_rules(rules, COUNT(rules)); }
