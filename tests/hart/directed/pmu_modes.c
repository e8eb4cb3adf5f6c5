/* SPDX-License-Identifier: Apache-2.0 */
/* Which modes a counter counts in (Smcntrpmf), and which instructions count as retired. */
#include "rules.h"

#define CYCLECFG TALLY_CSR_MCYCLECFG
#define INSTRETCFG TALLY_CSR_MINSTRETCFG

static void smcntrpmf_bit_63_and_reserved_bits_are_0(void) {
    for (unsigned num = CYCLECFG; num <= INSTRETCFG; num++) {
        put(PRIV_M, num, UINT64_MAX);
        CHECK_EQ(get(PRIV_M, num), MINH | SINH | UINH); /* no H: VSINH and VUINH are 0 too */
    }
}

/* The number that `n` instructions in `mode` add to minstret, or to counter 3 with the same event, under a
 * filter that keeps the other modes out. */
static uint64_t instructions_in(unsigned mode, unsigned cfg, unsigned num, uint64_t filter, unsigned n) {
    uint64_t selector = cfg == INSTRETCFG ? 0 : TALLY_EV_INST_RET;

    put(PRIV_M, cfg, filter | selector);
    put(PRIV_M, num, 0);
    code_begin();
    nops(n);
    run_code(mode, 0, 0, 0);
    put(PRIV_M, cfg, MINH | SINH | UINH | selector);
    return get(PRIV_M, num);
}

static void smcntrpmf_instret_counts_in_modes_not_inhibited(void) {
    CHECK_EQ(instructions_in(PRIV_S, INSTRETCFG, counter(2), MINH | UINH, 17), 17);
    CHECK_EQ(instructions_in(PRIV_U, INSTRETCFG, counter(2), MINH | SINH, 19), 19);
    CHECK_EQ(instructions_in(PRIV_S, INSTRETCFG, counter(2), MINH | SINH, 17), 0);
    CHECK_EQ(instructions_in(PRIV_U, INSTRETCFG, counter(2), MINH | UINH, 17), 0);
    CHECK(instructions_in(PRIV_U, INSTRETCFG, counter(2), SINH | UINH, 17) > 0); /* M-mode around it */
}

static void smcntrpmf_cycle_counts_in_modes_not_inhibited(void) {
    static const struct {
        unsigned mode;
        uint64_t filter;
    } table[] = {{PRIV_S, MINH | UINH}, {PRIV_U, MINH | SINH}};

    for (size_t i = 0; i < COUNT(table); i++) {
        uint64_t counted;

        put(PRIV_M, CYCLECFG, MINH | SINH | UINH);
        put(PRIV_M, counter(0), 0);
        put(PRIV_M, CYCLECFG, table[i].filter);
        CHECK_EQ(get(PRIV_M, counter(0)), 0); /* M-mode only until now */
        code_begin();
        nops(40);
        run_code(table[i].mode, 0, 0, 0);
        counted = get(PRIV_M, counter(0));
        CHECK(counted >= 40);
        CHECK_EQ(get(PRIV_M, counter(0)), counted);
    }
}

/* A trap return retires and counts by the mode that executes it, not the one it returns to. */
static void smcntrpmf_trap_return_counts_in_its_own_mode(void) {
    put(PRIV_M, INSTRETCFG, MINH | UINH);
    put(PRIV_M, counter(2), 0);
    code_begin();
    code(0x10200073); /* sret: from S to where a0's mode says, behind it */
    code(NOP);
    csr_write(sepc, code_at(1));
    csr_write(sstatus, 0);
    CHECK_EQ(run_code(PRIV_S, 0, 0, 0).cause, TALLY_EXC_ECALL_U);
    CHECK_EQ(get(PRIV_M, counter(2)), 1); /* sret; the nop ran in U */
    put(PRIV_M, INSTRETCFG, MINH | SINH);
    put(PRIV_M, counter(2), 0);
    code_begin();
    code(0x10200073);
    code(NOP);
    csr_write(sepc, code_at(1));
    CHECK_EQ(run_code(PRIV_S, 0, 0, 0).cause, TALLY_EXC_ECALL_U);
    CHECK_EQ(get(PRIV_M, counter(2)), 1); /* the nop; mret into S counted in M, sret in S */
}

/* minstret as a mode below sees it, right behind the mret that led there and one instruction later. */
static struct trap_info after_mret(unsigned to, uint64_t cfg) {
    put(PRIV_M, TALLY_CSR_MCOUNTEREN, UINT64_MAX);
    put(PRIV_M, TALLY_CSR_SCOUNTEREN, UINT64_MAX);
    put(PRIV_M, INSTRETCFG, cfg);
    code_begin();
    code(csr_insn(SET, TALLY_CSR_MSTATUS, X0, A2)); /* MPP is U behind the probe's own mret */
    code(csr_insn(WRITE, TALLY_CSR_MEPC, X0, A1));
    code(csr_insn(WRITE, TALLY_CSR_MINSTRET, X0, X0));
    code(MRET);
    code(csr_insn(READ, TALLY_CSR_INSTRET, A0, 0));
    code(csr_insn(READ, TALLY_CSR_INSTRET, A1, 0));
    return run_code(PRIV_M, 0, code_at(4), status_for(to));
}

static void smcntrpmf_mret_counts_in_m_mode(void) {
    for (unsigned to = PRIV_U; to <= PRIV_S; to++)
        for (unsigned bits = 0; bits < 8; bits++) {
            uint64_t m = bits & 1 ? MINH : 0, there = bits & 2 ? only_in(PRIV_M) & only_in(!to) : 0;
            uint64_t elsewhere = bits & 4 ? only_in(PRIV_M) & only_in(to) : 0;
            struct trap_info t = after_mret(to, m | there | elsewhere);

            context(to, bits, 0);
            CHECK_EQ(t.cause, ecall_from(to));
            CHECK_EQ(t.a0, !m);
            CHECK_EQ(t.a1, !m + !there);
        }
}

/* Three instructions in a mode, then one that traps: minstret of this mode has the three. a1 is 1. */
static void check_not_counted(uint64_t mstatus, unsigned mode, uint32_t insn, unsigned cause) {
    struct trap_info t;

    put(PRIV_M, INSTRETCFG, only_in(mode));
    put(PRIV_M, counter(2), 0);
    code_begin();
    nops(3);
    code(insn);
    t = run_code_from(mstatus, 0, 1, 0);
    put(PRIV_M, INSTRETCFG, MINH | SINH | UINH);
    context(insn, mode, mstatus);
    CHECK_EQ(t.cause, cause);
    CHECK_EQ(get(PRIV_M, counter(2)), 3);
}

enum { LD_AT_0 = 0x00003503, SD_AT_0 = 0x00a03023, LD_AT_1 = 0x0005b503, SD_AT_1 = 0x00a5b023 };

static void instret_does_not_count_what_traps(void) {
    static const struct {
        uint32_t insn;
        unsigned cause;
    } traps[] = {{ECALL, TALLY_EXC_ECALL_U},
                 {0x00100073 /* ebreak */, TALLY_EXC_BREAKPOINT},
                 {0, TALLY_EXC_ILLEGAL},
                 {0x14102573 /* sepc: legal in S */, TALLY_EXC_ILLEGAL},
                 {LD_AT_0, TALLY_EXC_LOAD_ACCESS},
                 {SD_AT_0, TALLY_EXC_STORE_ACCESS},
                 {LD_AT_1, TALLY_EXC_LOAD_MISALIGNED},
                 {SD_AT_1, TALLY_EXC_STORE_MISALIGNED}};

    for (size_t i = 0; i < COUNT(traps); i++)
        check_not_counted(status_for(PRIV_U), PRIV_U, traps[i].insn, traps[i].cause);
    check_not_counted(status_for(PRIV_S), PRIV_S, ECALL, TALLY_EXC_ECALL_S);
    check_not_counted(status_for(PRIV_S), PRIV_S, LD_AT_1, TALLY_EXC_LOAD_MISALIGNED);
}

static uint64_t root[512] __attribute__((aligned(4096)));

/* Memory is mapped as it is, for one mode; the rest is not mapped. */
static void instret_does_not_count_a_page_fault(void) {
    enum { V_R_W_X_A_D = 0xcf, U = 0x10 };

    for (unsigned mode = PRIV_U; mode <= PRIV_S; mode++) {
        root[2] = 0x80000000ull >> 2 | V_R_W_X_A_D | (mode == PRIV_U ? U : 0);
        csr_write(satp, 8ull << TALLY_SATP_MODE_LSB | (uintptr_t)root >> 12);
        __asm__ volatile("sfence.vma" ::: "memory");
        check_not_counted(status_for(mode), mode, LD_AT_0, TALLY_EXC_LOAD_PAGE);
        check_not_counted(status_for(mode), mode, SD_AT_0, TALLY_EXC_STORE_PAGE);
        put(PRIV_M, INSTRETCFG, only_in(mode));
        put(PRIV_M, counter(2), 0);
        code_begin();
        nops(2);
        code(0x00000067); /* jr x0: it retires, the code at 0 does not */
        CHECK_EQ(run_code(mode, 0, 0, 0).cause, TALLY_EXC_INSN_PAGE);
        put(PRIV_M, INSTRETCFG, MINH | SINH | UINH);
        CHECK_EQ(get(PRIV_M, counter(2)), 3);
        csr_write(satp, 0);
        __asm__ volatile("sfence.vma" ::: "memory");
    }
}

static void wfi_that_traps_is_not_counted(void) {
    check_not_counted(status_for(PRIV_U), PRIV_U, WFI, TALLY_EXC_ILLEGAL);
    check_not_counted(status_for(PRIV_U) | MSTATUS_TW, PRIV_U, WFI, TALLY_EXC_ILLEGAL);
    check_not_counted(status_for(PRIV_S) | MSTATUS_TW, PRIV_S, WFI, TALLY_EXC_ILLEGAL);
}

ROUTINE(r_twelve, ".option push\n.option norvc\n.rept 12\nnop\n.endr\necall\n.option pop");

/* The overflow at U-mode's n-th instruction interrupts it: n have retired when the handler begins, and as
 * many as there are in the end. The handler's own mode gets nothing for the entry: s_trap retires four
 * instructions until it hands over to M-mode. */
static void instret_counts_nothing_for_an_interrupt(void) {
    enum { ALL = 12, HANDLER = 4 };

    put(PRIV_M, event(4), TALLY_EV_INST_RET | only_in(PRIV_S));
    for (unsigned delegated = 0; delegated < 2; delegated++)
        for (unsigned n = 1; n <= ALL; n++) {
            struct trap_info t;

            context(delegated, n, 0);
            put(PRIV_M, TALLY_CSR_MIP, 0);
            put(PRIV_M, TALLY_CSR_MIDELEG, delegated ? LCOFIP : 0);
            put(PRIV_M, TALLY_CSR_MIE, LCOFIP);
            put(PRIV_M, event(3), TALLY_EV_INST_RET | only_in(PRIV_U));
            put(PRIV_M, counter(3), -(uint64_t)n);
            put(PRIV_M, counter(4), 0);
            put(PRIV_M, INSTRETCFG, only_in(PRIV_U));
            put(PRIV_M, counter(2), 0);
            t = probe(PRIV_U, r_twelve, 0, 0);
            CHECK_EQ(t.cause, INTERRUPT(TALLY_INT_LCOFI));
            CHECK_EQ(t.handler, delegated ? PRIV_S : PRIV_M);
            CHECK_EQ(t.epc, (uintptr_t)r_twelve + 4 * n);
            CHECK_EQ(get(PRIV_M, counter(2)), n);
            CHECK_EQ(get(PRIV_M, counter(3)), 0);
            CHECK_EQ(get(PRIV_M, counter(4)), delegated ? HANDLER : 0);
            put(PRIV_M, TALLY_CSR_MIE, 0);
            put(PRIV_M, TALLY_CSR_MIP, 0);
            t = probe(PRIV_U, (const void *)t.epc, 0, 0);
            CHECK_EQ(t.cause, TALLY_EXC_ECALL_U);
            CHECK_EQ(get(PRIV_M, counter(2)), ALL);
            CHECK_EQ(get(PRIV_M, counter(3)), ALL - n);
        }
}

/* No model: a counter of every mode counts the sum of those of single modes. */
static void modes_partition_every_event(void) {
    enum { CACHE_EVENTS = 0x10000, LAST_CODE = 0x7F, IN_M = 3, IN_S, IN_U, EVERYWHERE };
    unsigned known = 0, seen_in[3] = {0};

    for (unsigned k = 1; k <= 2 * LAST_CODE; k++) {
        uint64_t selector = k <= LAST_CODE ? k : CACHE_EVENTS + k - LAST_CODE - 1;
        uint64_t count[EVERYWHERE + 1];

        put(PRIV_M, TALLY_CSR_MCOUNTINHIBIT, UINT64_MAX);
        put(PRIV_M, event(EVERYWHERE), selector);
        if (!get(PRIV_M, event(EVERYWHERE))) /* no event */
            continue;
        known++;
        put(PRIV_M, event(IN_M), selector | only_in(PRIV_M));
        put(PRIV_M, event(IN_S), selector | only_in(PRIV_S));
        put(PRIV_M, event(IN_U), selector | only_in(PRIV_U));
        for (unsigned n = IN_M; n <= EVERYWHERE; n++)
            put(PRIV_M, counter(n), 0);
        put(PRIV_M, TALLY_CSR_MCOUNTINHIBIT, 0);
        for
            EACH_MODE(mode) {
                code_begin();
                nops(20);
                run_code(mode, 0, 0, 0);
            }
        put(PRIV_M, TALLY_CSR_MCOUNTINHIBIT, UINT64_MAX);
        for (unsigned n = IN_M; n <= EVERYWHERE; n++)
            count[n] = get(PRIV_M, counter(n));
        context(selector, count[IN_M], count[IN_S]);
        CHECK_EQ(count[IN_M] + count[IN_S] + count[IN_U], count[EVERYWHERE]);
        for (unsigned n = IN_M; n < EVERYWHERE; n++)
            seen_in[n - IN_M] += count[n] != 0;
    }
    CHECK(known > 50);
    CHECK(seen_in[0] && seen_in[1] && seen_in[2]);
}

static const struct rule rules[] = {
    RULE(smcntrpmf_bit_63_and_reserved_bits_are_0),
    RULE(smcntrpmf_instret_counts_in_modes_not_inhibited),
    RULE(smcntrpmf_cycle_counts_in_modes_not_inhibited),
    RULE(smcntrpmf_trap_return_counts_in_its_own_mode),
    RULE(smcntrpmf_mret_counts_in_m_mode),
    RULE(instret_does_not_count_what_traps),
    RULE(instret_does_not_count_a_page_fault),
    RULE(wfi_that_traps_is_not_counted),
    RULE(instret_counts_nothing_for_an_interrupt),
    RULE(modes_partition_every_event),
};

void test_main(void) { run_rules(rules, COUNT(rules)); }
