/* SPDX-License-Identifier: Apache-2.0 */
/* The base counters and their mode filters: facts sections 1 and 3, and of section 13 what concerns what is
 * counted. Who may read which user counter is in counters.c. */
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

static void instret_does_not_count_what_traps(void) {
    static const uint32_t traps[] = {ECALL, 0x00100073 /* ebreak */, 0, 0x00003003 /* ld x0, 0(x0) */,
                                     0x14102573 /* sepc: legal in S, the U-mode run traps */};

    for (size_t i = 0; i < COUNT(traps); i++) {
        put(PRIV_M, INSTRETCFG, MINH | SINH);
        put(PRIV_M, counter(2), 0);
        code_begin();
        nops(3);
        code(traps[i]);
        run_code(PRIV_U, 0, 0, 0);
        context(i, 0, 0);
        CHECK_EQ(get(PRIV_M, counter(2)), 3);
    }
}

/* ---- order of read, write and increment */

static uint64_t m_code(uint64_t a1) { return run_code(PRIV_M, 0, a1, 0).a0; }

static void written_counter_is_what_the_next_instruction_reads(void) {
    static const unsigned numbers[] = {TALLY_CSR_MINSTRET, TALLY_CSR_MCYCLE + 3};

    put(PRIV_M, event(3), TALLY_EV_INST_RET);
    for (size_t i = 0; i < COUNT(numbers); i++) {
        code_begin();
        code(csr_insn(WRITE, numbers[i], X0, A1));
        code(csr_insn(READ, numbers[i], A0, 0));
        CHECK_EQ(m_code(0x5555), 0x5555);
        code_begin();
        code(csr_insn(WRITE, numbers[i], X0, A1));
        nops(4);
        code(csr_insn(READ, numbers[i], A0, 0)); /* all older instructions, not itself */
        CHECK_EQ(m_code(0x5555), 0x5555 + 4);
    }
}

static void reading_by_csrrs_x0_counts_as_any_instruction(void) {
    code_begin();
    code(csr_insn(WRITE, TALLY_CSR_MINSTRET, X0, A1));
    code(csr_insn(READ, TALLY_CSR_MINSTRET, A2, 0));
    code(csr_insn(READ, TALLY_CSR_MINSTRET, A2, 0));
    code(csr_insn(READ, TALLY_CSR_MINSTRET, A0, 0));
    CHECK_EQ(m_code(100), 102);
}

/* CSRRS and CSRRC with a register are writes, even of nothing: the increment of that instruction is gone. */
static void setting_no_bit_is_a_write_all_the_same(void) {
    static const enum csr_op ops[] = {SET, CLEAR};

    for (size_t i = 0; i < COUNT(ops); i++) {
        code_begin();
        code(csr_insn(WRITE, TALLY_CSR_MINSTRET, X0, A1));
        code(csr_insn(ops[i], TALLY_CSR_MINSTRET, X0, A2)); /* a2 = 0 */
        code(csr_insn(READ, TALLY_CSR_MINSTRET, A0, 0));
        CHECK_EQ(m_code(100), 100);
    }
}

static void writer_of_inhibit_and_filter_counts_under_the_old_value(void) {
    /* minstret: write, [stop], nop, nop, read */
    code_begin();
    code(csr_insn(WRITE, TALLY_CSR_MINSTRET, X0, X0));
    code(csr_insn(SET, TALLY_CSR_MCOUNTINHIBIT, X0, A1));
    nops(2);
    code(csr_insn(READ, TALLY_CSR_MINSTRET, A0, 0));
    CHECK_EQ(m_code(4), 1);
    put(PRIV_M, TALLY_CSR_MCOUNTINHIBIT, 0);
    code_begin();
    code(csr_insn(WRITE, TALLY_CSR_MINSTRET, X0, X0));
    code(csr_insn(SET, INSTRETCFG, X0, A1));
    nops(2);
    code(csr_insn(READ, TALLY_CSR_MINSTRET, A0, 0));
    CHECK_EQ(m_code(MINH), 1);
    /* and the one that lets it run again is not counted */
    code_begin();
    code(csr_insn(WRITE, TALLY_CSR_MINSTRET, X0, X0));
    code(csr_insn(CLEAR, INSTRETCFG, X0, A1));
    nops(2);
    code(csr_insn(READ, TALLY_CSR_MINSTRET, A0, 0));
    CHECK_EQ(m_code(MINH), 2);
    /* an event */
    put(PRIV_M, event(3), TALLY_EV_INST_RET);
    code_begin();
    code(csr_insn(WRITE, counter(3), X0, X0));
    code(csr_insn(WRITE, event(3), X0, X0));
    nops(2);
    code(csr_insn(READ, counter(3), A0, 0));
    CHECK_EQ(m_code(0), 1);
}

static void wfi_retires_once(void) {
    csr_set(mip, BIT(TALLY_INT_SSI));
    csr_write(mie, BIT(TALLY_INT_SSI));
    code_begin();
    code(csr_insn(WRITE, TALLY_CSR_MINSTRET, X0, X0));
    code(WFI);
    code(csr_insn(READ, TALLY_CSR_MINSTRET, A0, 0));
    CHECK_EQ(m_code(0), 1);
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
    RULE(instret_does_not_count_what_traps),
    RULE(written_counter_is_what_the_next_instruction_reads),
    RULE(reading_by_csrrs_x0_counts_as_any_instruction),
    RULE(setting_no_bit_is_a_write_all_the_same),
    RULE(writer_of_inhibit_and_filter_counts_under_the_old_value),
    RULE(wfi_retires_once),
};

void test_main(void) { run_rules(rules, COUNT(rules)); }
