/* SPDX-License-Identifier: Apache-2.0 */
/* The base counters and their mode filters: facts sections 1 and 3, and of section 13 what concerns what is
 * counted. */
#include "rules.h"

#define CYCLECFG TALLY_CSR_MCYCLECFG
#define INSTRETCFG TALLY_CSR_MINSTRETCFG

/* First of all rules: nothing has been written yet. */
static void base_reset_is_zero(void) {
    CHECK_EQ(get(PRIV_M, TALLY_CSR_MCOUNTINHIBIT), 0);
    CHECK_EQ(get(PRIV_M, TALLY_CSR_MCOUNTEREN), 0);
    CHECK_EQ(get(PRIV_M, TALLY_CSR_SCOUNTEREN), 0);
    CHECK_EQ(get(PRIV_M, TALLY_CSR_SCOUNTOVF), 0);
    CHECK_EQ(get(PRIV_M, CYCLECFG), 0);
    CHECK_EQ(get(PRIV_M, INSTRETCFG), 0);
    CHECK_EQ(get(PRIV_M, TALLY_CSR_MISELECT), 0);
    CHECK_EQ(get(PRIV_M, TALLY_CSR_SISELECT), 0);
    CHECK_EQ(get(PRIV_M, TALLY_CSR_MSTATEEN0), 0);
    for (unsigned n = 3; n < 32; n++) {
        CHECK_EQ(get(PRIV_M, event(n)), 0);
        CHECK_EQ(get(PRIV_M, counter(n)), 0);
    }
}

static void base_user_numbers_are_views_of_the_counters(void) {
    put(PRIV_M, TALLY_CSR_MCOUNTINHIBIT, UINT64_MAX);
    put(PRIV_M, TALLY_CSR_MCOUNTEREN, UINT64_MAX);
    put(PRIV_M, TALLY_CSR_SCOUNTEREN, UINT64_MAX);
    for (unsigned n = 0; n < 32; n++) {
        uint64_t value = 0x0123456789abcdef + n;

        if (n == 1)
            continue;
        put(PRIV_M, counter(n), value);
        for
            EACH_MODE(mode)
        CHECK_EQ(get(mode, user_counter(n)), value);
    }
}

static void base_counters_hold_64_bits(void) {
    put(PRIV_M, TALLY_CSR_MCOUNTINHIBIT, UINT64_MAX);
    for (unsigned n = 0; n < 32; n++)
        if (n != 1) {
            put(PRIV_M, counter(n), UINT64_MAX);
            CHECK_EQ(get(PRIV_M, counter(n)), UINT64_MAX);
            put(PRIV_M, counter(n), 0);
            CHECK_EQ(get(PRIV_M, counter(n)), 0);
        }
}

/* There is no mtime CSR, no inhibit beside mcountinhibit, and no high half on RV64: illegal in every mode. */
static void base_holes_and_high_halves_are_illegal(void) {
    static const unsigned holes[] = {0xB01, 0xB81, 0x720, 0x721, 0x722, 0xC80, 0xC81, 0xC82, 0xB80, 0xB82};

    put(PRIV_M, TALLY_CSR_MCOUNTEREN, UINT64_MAX);
    put(PRIV_M, TALLY_CSR_SCOUNTEREN, UINT64_MAX);
    for
        EACH_MODE(mode) {
            for (size_t i = 0; i < COUNT(holes); i++)
                CHECK_ILLEGAL(mode, READ, holes[i]);
            for (unsigned n = 3; n < 32; n++) {
                CHECK_ILLEGAL(mode, READ, 0xC80 + n);
                CHECK_ILLEGAL(mode, READ, 0xB80 + n);
                CHECK_ILLEGAL(mode, READ, 0x720 + n);
            }
        }
}

static void base_machine_registers_are_for_m_mode(void) {
    static const unsigned modes[] = {PRIV_S, PRIV_U};

    for (size_t i = 0; i < COUNT(modes); i++)
        for (unsigned n = 0; n < 32; n++) {
            CHECK_ILLEGAL(modes[i], READ, counter(n));
            CHECK_ILLEGAL(modes[i], READ, event(n));
            CHECK_ILLEGAL(modes[i], WRITE, event(n));
            CHECK_ILLEGAL(modes[i], READ, TALLY_CSR_MCOUNTEREN);
        }
}

static void base_user_numbers_are_never_written(void) {
    put(PRIV_M, TALLY_CSR_MCOUNTEREN, UINT64_MAX);
    put(PRIV_M, TALLY_CSR_SCOUNTEREN, UINT64_MAX);
    for
        EACH_MODE(mode)
    for (unsigned n = 0; n < 32; n++) {
        CHECK_ILLEGAL(mode, WRITE, user_counter(n));
        CHECK_ILLEGAL(mode, SET, user_counter(n));
        CHECK_LEGAL(mode, READ, user_counter(n)); /* CSRRS with x0 is no write */
    }
}

/* M-mode always; S-mode with mcounteren[i]; U-mode with scounteren[i] too. The other bits do not matter. */
static void base_who_may_read_a_user_counter(void) {
    for (unsigned n = 0; n < 32; n++)
        for (unsigned bits = 0; bits < 16; bits++) {
            uint64_t m = bits & 4 ? ~BIT(n) : 0, s = bits & 8 ? ~BIT(n) : 0;

            m |= bits & 1 ? BIT(n) : 0;
            s |= bits & 2 ? BIT(n) : 0;
            put(PRIV_M, TALLY_CSR_MCOUNTEREN, m);
            put(PRIV_M, TALLY_CSR_SCOUNTEREN, s);
            for
                EACH_MODE(mode) {
                    bool legal = mode == PRIV_M || (bits & 1 && (mode == PRIV_S || bits & 2));
                    struct answer answer = access(mode, READ, user_counter(n), 0);

                    context(n, bits, mode);
                    CHECK_EQ(answer.cause, legal ? ecall_from(mode) : TALLY_EXC_ILLEGAL);
                }
        }
}

static void base_inhibit_bit_1_is_of_sampling(void) {
    bool sampling = access(PRIV_M, READ, TALLY_CSR_MPDISCTL, 0).cause == ecall_from(PRIV_M);

    put(PRIV_M, TALLY_CSR_MCOUNTINHIBIT, UINT64_MAX);
    CHECK_EQ(get(PRIV_M, TALLY_CSR_MCOUNTINHIBIT), sampling ? 0xffffffff : 0xfffffffd);
    clear_bits(PRIV_M, TALLY_CSR_MCOUNTINHIBIT, 2);
    CHECK_EQ(get(PRIV_M, TALLY_CSR_MCOUNTINHIBIT), 0xfffffffd);
}

static void base_time_is_not_inhibited(void) {
    uint64_t before;

    put(PRIV_M, TALLY_CSR_MCOUNTINHIBIT, UINT64_MAX);
    before = get(PRIV_M, TALLY_CSR_TIME);
    while (get(PRIV_M, TALLY_CSR_TIME) == before)
        ;
}

/* Inhibited: reads and writes as ever, from every mode. */
static void base_inhibit_stops_and_hides_nothing(void) {
    put(PRIV_M, TALLY_CSR_MCOUNTEREN, UINT64_MAX);
    put(PRIV_M, TALLY_CSR_SCOUNTEREN, UINT64_MAX);
    for (unsigned n = 0; n < 32; n++) {
        if (n == 1)
            continue;
        if (n >= 3)
            put(PRIV_M, event(n), TALLY_EV_INST_RET);
        put(PRIV_M, TALLY_CSR_MCOUNTINHIBIT, BIT(n));
        put(PRIV_M, counter(n), 1000 + n);
        for
            EACH_MODE(mode)
        CHECK_EQ(get(mode, user_counter(n)), 1000 + n);
    }
    put(PRIV_M, TALLY_CSR_MCOUNTINHIBIT, 0);
    CHECK(get(PRIV_M, counter(3)) > 1003);
}

static void base_enables_gate_access_not_counting(void) {
    put(PRIV_M, event(3), TALLY_EV_INST_RET);
    put(PRIV_M, counter(3), 0);
    put(PRIV_M, TALLY_CSR_MCOUNTEREN, 0);
    put(PRIV_M, TALLY_CSR_SCOUNTEREN, 0);
    code_begin();
    nops(20);
    run_code(PRIV_U, 0, 0, 0);
    CHECK(get(PRIV_M, counter(3)) >= 20);
}

/* Each of mcounteren and scounteren is written whatever the other holds; every bit that has a counter can be
 * set (Sscounterenw). */
static void base_enables_are_independent_and_writable(void) {
    for (unsigned i = 0; i < 4; i++) {
        uint64_t m = i & 1 ? 0xffffffff : 0, s = i & 2 ? 0xffffffff : 0;

        put(PRIV_M, TALLY_CSR_MCOUNTEREN, m);
        put(PRIV_S, TALLY_CSR_SCOUNTEREN, s);
        CHECK_EQ(get(PRIV_M, TALLY_CSR_MCOUNTEREN), m);
        CHECK_EQ(get(PRIV_S, TALLY_CSR_SCOUNTEREN), s);
    }
    for (unsigned n = 0; n < 32; n++) {
        put(PRIV_S, TALLY_CSR_SCOUNTEREN, BIT(n));
        CHECK_EQ(get(PRIV_M, TALLY_CSR_SCOUNTEREN), BIT(n));
    }
    CHECK_ILLEGAL(PRIV_U, READ, TALLY_CSR_SCOUNTEREN);
}

static void base_unknown_selector_reads_0(void) {
    static const uint64_t unknown[] = {0xD,
                                       0xE,
                                       0x19,
                                       0x1F,
                                       0x7F,
                                       0xFFFF,
                                       0x10004,
                                       0x20000,
                                       0x30000,
                                       0xF0000,
                                       BIT(20) | TALLY_EV_INST_RET,
                                       BIT(55) | TALLY_EV_INST_RET};

    for (unsigned n = 3; n < 32; n++)
        for (size_t i = 0; i < COUNT(unknown); i++) {
            put(PRIV_M, event(n), TALLY_EV_INST_RET);
            put(PRIV_M, event(n), unknown[i] | SINH);
            CHECK_EQ(get(PRIV_M, event(n)), SINH);
        }
}

static void base_event_0_counts_nothing(void) {
    put(PRIV_M, event(3), 0);
    put(PRIV_M, counter(3), 5);
    CHECK_EQ(get(PRIV_M, counter(3)), 5);
    CHECK_EQ(get(PRIV_M, counter(3)), 5);
}

/* ---- Smcntrpmf */

static void smcntrpmf_bit_63_and_reserved_bits_are_0(void) {
    for (unsigned num = CYCLECFG; num <= INSTRETCFG; num++) {
        put(PRIV_M, num, UINT64_MAX);
        CHECK_EQ(get(PRIV_M, num), MINH | SINH | UINH); /* no H: VSINH and VUINH are 0 too */
    }
}

/* What `n` instructions in `mode` add to minstret, or to counter 3 with the same event, under a filter that
 * keeps the other modes out. */
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

/* A trap return retires and counts by the mode that executes it, whatever it returns to. */
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
        code(0x00000067); /* jr x0: it retires, what is at 0 does not */
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

/* ---- order of read, write and increment
 *
 * A counter and how a mode writes it: open_counter(n) opens the ways of S-mode. */

struct way {
    unsigned mode, n, num;
};

#define INSTRET 2
#define HPM3 3
#define EACH_WAY(way) (const struct way *way = ways; way < ways + COUNT(ways); way++)

static const struct way ways[] = {
    {PRIV_M, INSTRET, TALLY_CSR_MINSTRET}, {PRIV_M, HPM3, TALLY_CSR_MCYCLE + 3},
    {PRIV_S, INSTRET, TALLY_CSR_SIREG},    {PRIV_S, HPM3, TALLY_CSR_SIREG},
    {PRIV_S, INSTRET, TALLY_CSR_INSTRET},  {PRIV_S, HPM3, TALLY_CSR_CYCLE + 3},
};

/* minstret counts everything, counter 3 the same. */
static void prepare(const struct way *way) {
    open_counter(way->n);
    if (way->n == HPM3)
        put(PRIV_M, event(HPM3), TALLY_EV_INST_RET);
    context(way->mode, way->n, way->num);
}

static uint64_t code_in(unsigned mode, uint64_t a1) { return run_code(mode, 0, a1, 0).a0; }

static void written_counter_is_what_the_next_instruction_reads(void) {
    for
        EACH_WAY(way) {
            const unsigned reads[] = {way->num,
                                      user_counter(way->n)}; /* by the number written, by the user's */

            prepare(way);
            for (size_t i = 0; i < COUNT(reads); i++) {
                code_begin();
                code(csr_insn(WRITE, way->num, X0, A1));
                code(csr_insn(READ, reads[i], A0, 0));
                CHECK_EQ(code_in(way->mode, 0x5555), 0x5555);
                code_begin();
                code(csr_insn(WRITE, way->num, X0, A1));
                nops(4);
                code(csr_insn(READ, reads[i], A0, 0)); /* all older instructions, not itself */
                CHECK_EQ(code_in(way->mode, 0x5555), 0x5555 + 4);
            }
        }
}

/* U-mode writes none, and reads what counts in it alone: after k instructions, k. */
static void user_read_has_all_older_instructions_not_itself(void) {
    static const unsigned numbers[] = {INSTRET, HPM3};

    for (size_t i = 0; i < COUNT(numbers); i++) {
        unsigned n = numbers[i];

        open_counter(n);
        for (unsigned older = 0; older < 10; older++) {
            put(PRIV_M, n == INSTRET ? INSTRETCFG : event(HPM3),
                only_in(PRIV_U) | (n == INSTRET ? 0 : TALLY_EV_INST_RET));
            put(PRIV_M, counter(n), 1000);
            code_begin();
            nops(older);
            code(csr_insn(READ, user_counter(n), A0, 0));
            nops(2);
            CHECK_EQ(code_in(PRIV_U, 0), 1000 + older);
            CHECK_EQ(get(PRIV_M, counter(n)), 1000 + older + 3);
        }
    }
}

static void reading_by_csrrs_x0_counts_as_any_instruction(void) {
    for
        EACH_WAY(way) {
            prepare(way);
            code_begin();
            code(csr_insn(WRITE, way->num, X0, A1));
            code(csr_insn(READ, way->num, A2, 0));
            code(csr_insn(READ, way->num, A2, 0));
            code(csr_insn(READ, way->num, A0, 0));
            CHECK_EQ(code_in(way->mode, 100), 102);
        }
}

/* CSRRS and CSRRC with a register are writes, even of nothing: the increment of that instruction is gone. */
static void setting_no_bit_is_a_write_all_the_same(void) {
    static const enum csr_op ops[] = {SET, CLEAR};

    for
        EACH_WAY(way)
    for (size_t i = 0; i < COUNT(ops); i++) {
        prepare(way);
        code_begin();
        code(csr_insn(WRITE, way->num, X0, A1));
        code(csr_insn(ops[i], way->num, X0, A2)); /* a2 = 0 */
        code(csr_insn(READ, way->num, A0, 0));
        CHECK_EQ(code_in(way->mode, 100), 100);
    }
}

/* mcycle while it runs: the value stands in the cycle of the write, and cycles are added to it from there.
 * How many there are until the next read is the pipeline's affair; it is few, whatever was written and by
 * which way. */
static void written_mcycle_counts_on_from_the_value(void) {
    static const struct way cycles[] = {{PRIV_M, 0, TALLY_CSR_MCYCLE},
                                        {PRIV_S, 0, TALLY_CSR_SIREG},
                                        {PRIV_S, 0, TALLY_CSR_CYCLE},
                                        {PRIV_M, HPM3, TALLY_CSR_MCYCLE + 3},
                                        {PRIV_S, HPM3, TALLY_CSR_SIREG}};
    static const uint64_t values[] = {0, 1000, 0xfffffff0, 0x123456789abcdef0, UINT64_MAX};
    enum { FEW = 64 };

    for (const struct way *way = cycles; way < cycles + COUNT(cycles); way++)
        for (size_t i = 0; i < COUNT(values); i++) {
            struct trap_info t;

            open_counter(way->n);
            if (way->n == HPM3)
                put(PRIV_M, event(HPM3), TALLY_EV_CYCLES_HART);
            code_begin();
            code(csr_insn(WRITE, way->num, X0, A1));
            code(csr_insn(READ, way->num, A0, 0));
            code(csr_insn(READ, way->num, A1, 0));
            t = run_code(way->mode, 0, values[i], 0);
            context(values[i], t.a0, t.a1);
            CHECK(t.a0 - values[i] < FEW);
            CHECK(t.a1 != t.a0 && t.a1 - t.a0 < FEW);
        }
}

/* What stops a counter and lets it run again, from each mode. */
static const struct {
    struct way way;
    unsigned num;
    enum csr_op stop, go;
    uint64_t operand;
} stops[] = {
    {{PRIV_M, INSTRET, TALLY_CSR_MINSTRET}, TALLY_CSR_MCOUNTINHIBIT, SET, CLEAR, BIT(INSTRET)},
    {{PRIV_M, INSTRET, TALLY_CSR_MINSTRET}, INSTRETCFG, SET, CLEAR, MINH},
    {{PRIV_M, INSTRET, TALLY_CSR_MINSTRET}, TALLY_CSR_MCOUNTERMASK_M, CLEAR, SET, BIT(INSTRET)},
    {{PRIV_M, HPM3, TALLY_CSR_MCYCLE + 3}, TALLY_CSR_MCOUNTINHIBIT, SET, CLEAR, BIT(HPM3)},
    {{PRIV_M, HPM3, TALLY_CSR_MCYCLE + 3}, TALLY_CSR_MCOUNTINHIBIT + 3, SET, CLEAR, MINH},
    {{PRIV_M, HPM3, TALLY_CSR_MCYCLE + 3}, TALLY_CSR_MCOUNTINHIBIT + 3, CLEAR, SET, TALLY_EV_INST_RET},
    {{PRIV_S, INSTRET, TALLY_CSR_SIREG}, TALLY_CSR_SCOUNTINHIBIT, SET, CLEAR, BIT(INSTRET)},
    {{PRIV_S, INSTRET, TALLY_CSR_SIREG}, TALLY_CSR_SIREG2, SET, CLEAR, SINH},
    {{PRIV_S, INSTRET, TALLY_CSR_INSTRET}, TALLY_CSR_SCOUNTERINHIBIT, SET, CLEAR, BIT(INSTRET)},
    {{PRIV_S, HPM3, TALLY_CSR_SIREG}, TALLY_CSR_SCOUNTINHIBIT, SET, CLEAR, BIT(HPM3)},
    {{PRIV_S, HPM3, TALLY_CSR_SIREG}, TALLY_CSR_SIREG2, SET, CLEAR, SINH},
    {{PRIV_S, HPM3, TALLY_CSR_SIREG}, TALLY_CSR_SIREG2, CLEAR, SET, TALLY_EV_INST_RET},
    {{PRIV_S, HPM3, TALLY_CSR_CYCLE + 3}, TALLY_CSR_SCOUNTERMASK_S, CLEAR, SET, BIT(HPM3)},
    {{PRIV_S, HPM3, TALLY_CSR_CYCLE + 3}, TALLY_CSR_SHPMEVENT3, CLEAR, SET, TALLY_EV_INST_RET},
};

static void writer_of_inhibit_and_filter_counts_under_the_old_value(void) {
    for (size_t i = 0; i < COUNT(stops); i++) {
        const struct way *way = &stops[i].way;

        prepare(way);
        code_begin();
        code(csr_insn(WRITE, way->num, X0, X0));
        code(csr_insn(stops[i].stop, stops[i].num, X0, A1)); /* is counted */
        nops(2);
        code(csr_insn(READ, way->num, A0, 0));
        CHECK_EQ(code_in(way->mode, stops[i].operand), 1);
        code_begin();
        code(csr_insn(WRITE, way->num, X0, X0));
        code(csr_insn(stops[i].go, stops[i].num, X0, A1)); /* is not */
        nops(2);
        code(csr_insn(READ, way->num, A0, 0));
        CHECK_EQ(code_in(way->mode, stops[i].operand), 2);
    }
}

static void wfi_retires_once(void) {
    csr_set(mip, BIT(TALLY_INT_SSI));
    csr_write(mie, BIT(TALLY_INT_SSI));
    for
        EACH_WAY(way) {
            prepare(way);
            csr_set(mideleg, BIT(TALLY_INT_SSI)); /* in S-mode it wakes, and is not taken */
            code_begin();
            code(csr_insn(WRITE, way->num, X0, X0));
            code(WFI);
            code(csr_insn(READ, way->num, A0, 0));
            CHECK_EQ(code_in(way->mode, 0), 1);
        }
    csr_write(mie, 0);
    csr_clear(mip, BIT(TALLY_INT_SSI));
}

static const struct rule rules[] = {
    RULE(base_reset_is_zero),
    RULE(base_user_numbers_are_views_of_the_counters),
    RULE(base_counters_hold_64_bits),
    RULE(base_holes_and_high_halves_are_illegal),
    RULE(base_machine_registers_are_for_m_mode),
    RULE(base_user_numbers_are_never_written),
    RULE(base_who_may_read_a_user_counter),
    RULE(base_inhibit_bit_1_is_of_sampling),
    RULE(base_time_is_not_inhibited),
    RULE(base_inhibit_stops_and_hides_nothing),
    RULE(base_enables_gate_access_not_counting),
    RULE(base_enables_are_independent_and_writable),
    RULE(base_unknown_selector_reads_0),
    RULE(base_event_0_counts_nothing),
    RULE(smcntrpmf_bit_63_and_reserved_bits_are_0),
    RULE(smcntrpmf_instret_counts_in_modes_not_inhibited),
    RULE(smcntrpmf_cycle_counts_in_modes_not_inhibited),
    RULE(smcntrpmf_trap_return_counts_in_its_own_mode),
    RULE(smcntrpmf_mret_counts_in_m_mode),
    RULE(instret_does_not_count_what_traps),
    RULE(instret_does_not_count_a_page_fault),
    RULE(wfi_that_traps_is_not_counted),
    RULE(instret_counts_nothing_for_an_interrupt),
    RULE(written_counter_is_what_the_next_instruction_reads),
    RULE(user_read_has_all_older_instructions_not_itself),
    RULE(reading_by_csrrs_x0_counts_as_any_instruction),
    RULE(setting_no_bit_is_a_write_all_the_same),
    RULE(written_mcycle_counts_on_from_the_value),
    RULE(writer_of_inhibit_and_filter_counts_under_the_old_value),
    RULE(wfi_retires_once),
};

void test_main(void) { run_rules(rules, COUNT(rules)); }
