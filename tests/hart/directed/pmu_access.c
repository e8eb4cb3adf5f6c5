/* SPDX-License-Identifier: Apache-2.0 */
/* Indirect access (Smcsrind/Sscsrind), delegation (Smcdeleg/Ssccfg) and state enable (Smstateen). */
#include "rules.h"

#define SELECT TALLY_CSR_SISELECT
#define MSELECT TALLY_CSR_MISELECT

static const unsigned iregs[] = {TALLY_CSR_SIREG,  TALLY_CSR_SIREG2, TALLY_CSR_SIREG3,
                                 TALLY_CSR_SIREG4, TALLY_CSR_SIREG5, TALLY_CSR_SIREG6};

enum { CUSTOM_SELECT = TALLY_COUNTER_SELECT };

static bool is_counter(unsigned n) { return n != 1; }

/* Everything that S-mode needs: CDE, the state enables, all of mcounteren. */
static void delegate(uint64_t counters) {
    put(PRIV_M, TALLY_CSR_MENVCFG, CDE);
    put(PRIV_M, TALLY_CSR_MSTATEEN0, CSRIND);
    put(PRIV_M, TALLY_CSR_MCOUNTEREN, counters);
}

static void choose(unsigned n) { put(PRIV_M, SELECT, CUSTOM_SELECT + n); }

/* The registers behind the windows of counter 3 and scountinhibit */
static void set_counter_3(void) {
    put(PRIV_M, TALLY_CSR_MCOUNTINHIBIT, BIT(3));
    put(PRIV_M, counter(3), 0x1234);
    put(PRIV_M, event(3), TALLY_EV_INST_LOAD_RET | SINH);
}

static void check_counter_3(void) {
    CHECK_EQ(get(PRIV_M, TALLY_CSR_MCOUNTINHIBIT), BIT(3));
    CHECK_EQ(get(PRIV_M, counter(3)), 0x1234);
    CHECK_EQ(get(PRIV_M, event(3)), TALLY_EV_INST_LOAD_RET | SINH);
}

/* Every operation is illegal, and leaves everything as it is. */
static void check_refused(unsigned mode, unsigned num) {
    for (unsigned op = WRITE; op <= READ; op++) {
        struct answer answer = access(mode, op, num, 0x5a5a);

        context(mode, op, num);
        CHECK_EQ(answer.cause, TALLY_EXC_ILLEGAL);
        check_counter_3();
    }
}

/* ---- CSRs that are not there (privileged manual, CSR Listing) */

ROUTINE(r_user_writes_csr_0, "csrw 0, a1\necall");

/* In the cycle before, the unit had a register of its own decoded, with M-mode's rights. */
static void csr_0_changes_no_register_accessed_before(void) {
    const unsigned nums[] = {counter(3), event(3), TALLY_CSR_MCOUNTINHIBIT};

    for (size_t i = 0; i < COUNT(nums); i++)
        for (unsigned op = WRITE; op <= CLEAR; op++) {
            context(nums[i], op, 0);
            set_counter_3();
            const uint64_t value = get(PRIV_M, nums[i]);

            code_begin();
            code(csr_insn(WRITE, nums[i], X0, A0));
            code(csr_insn(op, 0, X0, A1));
            CHECK_EQ(run_code(PRIV_M, value, 0x5a5a, 0).cause, TALLY_EXC_ILLEGAL);
            check_counter_3();

            code_begin();
            code(csr_insn(WRITE, TALLY_CSR_MEPC, X0, A2));
            code(csr_insn(WRITE, nums[i], X0, A0));
            code(MRET); /* to U, the mode that the entry left in MPP */
            const struct trap_info user = run_code(PRIV_M, value, 0x5a5a, (uint64_t)r_user_writes_csr_0);
            CHECK_EQ(user.cause, TALLY_EXC_ILLEGAL);
            CHECK_EQ(user.epc, (uint64_t)r_user_writes_csr_0);
            CHECK_EQ(user.status >> TALLY_MSTATUS_MPP_LSB & 3, PRIV_U);
            check_counter_3();
        }
}

/* ---- Smcsrind, Sscsrind */

static void smcsrind_selects_hold_12_bits(void) {
    put(PRIV_M, TALLY_CSR_MSTATEEN0, CSRIND);
    for (unsigned i = 0; i < 12; i++) {
        put(PRIV_M, MSELECT, BIT(i));
        CHECK_EQ(get(PRIV_M, MSELECT), BIT(i));
        put(PRIV_S, SELECT, BIT(i));
        CHECK_EQ(get(PRIV_S, SELECT), BIT(i));
    }
    put(PRIV_M, MSELECT, UINT64_MAX);
    CHECK_EQ(get(PRIV_M, MSELECT), 0xfff);
    put(PRIV_S, SELECT, UINT64_MAX);
    CHECK_EQ(get(PRIV_S, SELECT), 0xfff);
    CHECK_EQ(get(PRIV_M, MSELECT), 0xfff);
    put(PRIV_M, SELECT, TALLY_COUNTER_SELECT); /* two registers */
    CHECK_EQ(get(PRIV_M, MSELECT), 0xfff);
}

static void smcsrind_mireg_has_nothing_behind_it(void) {
    static const unsigned numbers[] = {TALLY_CSR_MIREG,  TALLY_CSR_MIREG2, TALLY_CSR_MIREG3,
                                       TALLY_CSR_MIREG4, TALLY_CSR_MIREG5, TALLY_CSR_MIREG6};

    delegate(UINT64_MAX);
    for (unsigned select = 0; select < 0x80; select += 8) {
        put(PRIV_M, MSELECT, select);
        for
            EACH_MODE(mode)
        for (size_t i = 0; i < COUNT(numbers); i++)
            CHECK_ILLEGAL(mode, READ, numbers[i]);
    }
}

static void smcsrind_unknown_selects_are_illegal(void) {
    static const unsigned selects[] = {0,    0x30,  0x3F,  0x62,  0x6F,  0x70,
                                       0xFF, 0x140, 0x200, 0x440, 0x840, 0xFFF};

    delegate(UINT64_MAX);
    for (size_t s = 0; s < COUNT(selects); s++) {
        put(PRIV_M, SELECT, selects[s]);
        for
            EACH_MODE(mode)
        for (size_t i = 0; i < COUNT(iregs); i++) {
            CHECK_ILLEGAL(mode, READ, iregs[i]);
            CHECK_ILLEGAL(mode, WRITE, iregs[i]);
        }
    }
}

/* Behind 0x60 and 0x61 are sampling's registers: mstateen0.CSRIND opens the window, PDIS the registers.
 * Without sampling they are unknown selects. */
static void smcsrind_selects_0x60_and_0x61_are_of_sampling(void) {
    const bool sampling = access(PRIV_M, READ, TALLY_CSR_MPDISCTL, 0).cause == ecall_from(PRIV_M);
    const uint64_t pdis = TALLY_MSTATEEN0_PDIS_MASK;

    delegate(UINT64_MAX);
    for (unsigned select = 0x60; select <= 0x61; select++)
        for (unsigned bits = 0; bits < 8; bits++) {
            put(PRIV_M, SELECT, select);
            put(PRIV_M, TALLY_CSR_MSTATEEN0, (bits & 1 ? CSRIND : 0) | (bits & 2 ? pdis : 0));
            put(PRIV_M, TALLY_CSR_MENVCFG, bits & 4 ? CDE : 0); /* not the counters': it does not matter */
            for
                EACH_MODE(mode)
            for (size_t i = 0; i < COUNT(iregs); i++)
                for (unsigned op = WRITE; op <= READ; op++) {
                    bool legal = sampling && (mode == PRIV_M || (mode == PRIV_S && (bits & 3) == 3));
                    struct answer answer = access(mode, op, iregs[i], 0);

                    context(select << 4 | bits, mode, iregs[i]);
                    CHECK_EQ(answer.cause, legal ? ecall_from(mode) : TALLY_EXC_ILLEGAL);
                }
        }
}

/* The numbers in the gap between ireg3 and ireg4 are other registers, and there is no hypervisor. */
static void smcsrind_numbers_that_are_not_there(void) {
    static const unsigned numbers[] = {0x354, 0x154, 0x250, 0x251, 0x252, 0x253, 0x255, 0x256, 0x257};

    delegate(UINT64_MAX);
    choose(3);
    for
        EACH_MODE(mode)
    for (size_t i = 0; i < COUNT(numbers); i++)
        CHECK_ILLEGAL(mode, READ, numbers[i]);
}

static void smcsrind_u_mode_has_no_access(void) {
    delegate(UINT64_MAX);
    choose(3);
    CHECK_ILLEGAL(PRIV_U, READ, SELECT);
    CHECK_ILLEGAL(PRIV_U, READ, MSELECT);
    CHECK_ILLEGAL(PRIV_S, READ, MSELECT);
    for (size_t i = 0; i < COUNT(iregs); i++)
        CHECK_ILLEGAL(PRIV_U, READ, iregs[i]);
}

static void smstateen_csrind_gates_s_mode(void) {
    static const unsigned numbers[] = {SELECT, TALLY_CSR_SIREG, TALLY_CSR_SIREG2};

    delegate(UINT64_MAX);
    choose(3);
    set_counter_3();
    for (unsigned on = 0; on < 2; on++) {
        put(PRIV_M, TALLY_CSR_MSTATEEN0, on ? CSRIND : ~CSRIND);
        for (size_t i = 0; i < COUNT(numbers); i++) {
            CHECK_LEGAL(PRIV_M, READ, numbers[i]); /* M-mode is never blocked */
            if (on)
                CHECK_LEGAL(PRIV_S, READ, numbers[i]);
            else
                check_refused(PRIV_S, numbers[i]);
            CHECK_EQ(get(PRIV_M, SELECT), CUSTOM_SELECT + 3);
        }
    }
}

/* ---- Smcdeleg, Ssccfg */

static void smcdeleg_sireg_is_the_counter_and_sireg2_its_event(void) {
    delegate(UINT64_MAX);
    put(PRIV_M, TALLY_CSR_MCOUNTINHIBIT, UINT64_MAX);
    for (unsigned n = 0; n < 32; n++) {
        uint64_t selector = n < 3 ? 0 : TALLY_EV_INST_LOAD_RET;

        if (!is_counter(n))
            continue;
        put(PRIV_S, SELECT, CUSTOM_SELECT + n);
        put(PRIV_S, TALLY_CSR_SIREG, 0xabcdef0123456789 + n);
        CHECK_EQ(get(PRIV_M, counter(n)), 0xabcdef0123456789 + n);
        put(PRIV_M, counter(n), n);
        CHECK_EQ(get(PRIV_S, TALLY_CSR_SIREG), n);
        CHECK_EQ(get(PRIV_M, TALLY_CSR_SIREG), n);
        put(PRIV_S, TALLY_CSR_SIREG2, selector | UINH);
        CHECK_EQ(get(PRIV_M, n == 0   ? TALLY_CSR_MCYCLECFG
                             : n == 2 ? TALLY_CSR_MINSTRETCFG
                                      : event(n)),
                 selector | UINH);
        CHECK_EQ(get(PRIV_S, TALLY_CSR_SIREG2), selector | UINH);
    }
}

static void smcdeleg_nothing_without_cde(void) {
    delegate(UINT64_MAX);
    choose(3);
    CHECK_LEGAL(PRIV_M, READ, TALLY_CSR_SIREG);
    set_counter_3();
    put(PRIV_M, TALLY_CSR_MENVCFG, ~CDE);
    for
        EACH_MODE(mode) { /* M-mode too */
            for (size_t i = 0; i < COUNT(iregs); i++)
                check_refused(mode, iregs[i]);
            check_refused(mode, TALLY_CSR_SCOUNTINHIBIT);
        }
}

static void smcdeleg_mcounteren_says_which(void) {
    for (unsigned n = 0; n < 32; n++) {
        delegate(~BIT(n));
        choose(n);
        for (unsigned mode = PRIV_S; mode <= PRIV_M; mode += 2) {
            CHECK_ILLEGAL(mode, READ, TALLY_CSR_SIREG);
            CHECK_ILLEGAL(mode, READ, TALLY_CSR_SIREG2);
        }
        delegate(BIT(n));
        for (unsigned mode = PRIV_S; mode <= PRIV_M; mode += 2) {
            uint64_t cause = is_counter(n) ? ecall_from(mode) : TALLY_EXC_ILLEGAL; /* select 0x41 */

            CHECK_EQ(access(mode, READ, TALLY_CSR_SIREG, 0).cause, cause);
            CHECK_EQ(access(mode, READ, TALLY_CSR_SIREG2, 0).cause, cause);
        }
    }
}

static void smcdeleg_sireg3_to_6_are_illegal_on_rv64(void) {
    delegate(UINT64_MAX);
    for (unsigned n = 0; n < 32; n++) {
        choose(n);
        for (unsigned mode = PRIV_S; mode <= PRIV_M; mode += 2)
            for (size_t i = 2; i < COUNT(iregs); i++)
                CHECK_ILLEGAL(mode, READ, iregs[i]);
    }
}

/* MINH reads 0 and is not written through the window; M-mode's value stays. */
static void smcdeleg_minh_is_hidden_and_kept(void) {
    static const unsigned numbers[] = {0, 2, 3, 31};

    delegate(UINT64_MAX);
    for (size_t i = 0; i < COUNT(numbers); i++) {
        unsigned n = numbers[i];
        unsigned cfg = n == 0 ? TALLY_CSR_MCYCLECFG : n == 2 ? TALLY_CSR_MINSTRETCFG : event(n);

        choose(n);
        for (unsigned mode = PRIV_S; mode <= PRIV_M; mode += 2) {
            put(PRIV_M, cfg, 0);
            put(mode, TALLY_CSR_SIREG2, UINT64_MAX << 58);
            CHECK_EQ(get(PRIV_M, cfg) & MINH, 0);
            put(PRIV_M, cfg, MINH);
            CHECK_EQ(get(mode, TALLY_CSR_SIREG2), 0);
            put(mode, TALLY_CSR_SIREG2, 0);
            CHECK_EQ(get(PRIV_M, cfg), MINH);
            set_bits(mode, TALLY_CSR_SIREG2, SINH);
            CHECK_EQ(get(PRIV_M, cfg), MINH | SINH);
        }
    }
}

static void smcdeleg_of_is_read_and_written_through_the_window(void) {
    delegate(UINT64_MAX);
    choose(5);
    put(PRIV_M, event(5), OF);
    CHECK_EQ(get(PRIV_S, TALLY_CSR_SIREG2), OF);
    clear_bits(PRIV_S, TALLY_CSR_SIREG2, OF);
    CHECK_EQ(get(PRIV_M, event(5)), 0);
    set_bits(PRIV_S, TALLY_CSR_SIREG2, OF);
    CHECK_EQ(get(PRIV_M, event(5)), OF);
    choose(0); /* cycle and instret have none */
    put(PRIV_S, TALLY_CSR_SIREG2, OF);
    CHECK_EQ(get(PRIV_M, TALLY_CSR_MCYCLECFG), 0);
}

/* scountinhibit shows and writes the delegated bits; the others it leaves alone. */
static void smcdeleg_scountinhibit_is_masked(void) {
    static const uint64_t masks[] = {0, 1, 4, 8, 0xfffffff8, 0x5555555d, 0xaaaaaaa8, 0xffffffff};

    for (size_t i = 0; i < COUNT(masks); i++)
        for (unsigned mode = PRIV_S; mode <= PRIV_M; mode += 2)
            for (unsigned ones = 0; ones < 2; ones++) {
                uint64_t all = 0xfffffffd, before = ones ? all : 0, mine = masks[i] & all;

                delegate(masks[i]);
                put(PRIV_M, TALLY_CSR_MCOUNTINHIBIT, before);
                CHECK_EQ(get(mode, TALLY_CSR_SCOUNTINHIBIT), before & mine);
                put(mode, TALLY_CSR_SCOUNTINHIBIT, ~before);
                CHECK_EQ(get(PRIV_M, TALLY_CSR_MCOUNTINHIBIT), before ^ mine);
                clear_bits(mode, TALLY_CSR_SCOUNTINHIBIT, UINT64_MAX);
                CHECK_EQ(get(PRIV_M, TALLY_CSR_MCOUNTINHIBIT), before & ~mine);
                set_bits(mode, TALLY_CSR_SCOUNTINHIBIT, UINT64_MAX);
                CHECK_EQ(get(PRIV_M, TALLY_CSR_MCOUNTINHIBIT), before | mine);
            }
    CHECK_ILLEGAL(PRIV_U, READ, TALLY_CSR_SCOUNTINHIBIT);
}

/* Taking access away alters nothing behind it. */
static void smcdeleg_taking_delegation_away_alters_nothing(void) {
    delegate(UINT64_MAX);
    put(PRIV_M, TALLY_CSR_MCOUNTINHIBIT, BIT(9));
    choose(9);
    put(PRIV_S, TALLY_CSR_SIREG, 0x1234);
    put(PRIV_S, TALLY_CSR_SIREG2, TALLY_EV_INST_LOAD_RET | OF | SINH);
    put(PRIV_M, TALLY_CSR_MENVCFG, 0);
    put(PRIV_M, TALLY_CSR_MCOUNTEREN, 0);
    CHECK_EQ(get(PRIV_M, counter(9)), 0x1234);
    CHECK_EQ(get(PRIV_M, event(9)), TALLY_EV_INST_LOAD_RET | OF | SINH);
    CHECK_EQ(get(PRIV_M, TALLY_CSR_MCOUNTINHIBIT), BIT(9));
    delegate(BIT(9));
    CHECK_EQ(get(PRIV_S, TALLY_CSR_SIREG), 0x1234);
    CHECK_EQ(get(PRIV_S, TALLY_CSR_SIREG2), TALLY_EV_INST_LOAD_RET | OF | SINH);
    CHECK_EQ(get(PRIV_S, TALLY_CSR_SCOUNTINHIBIT), BIT(9));
}

static void smcdeleg_counter_written_in_s_mode_overflows_as_any(void) {
    delegate(UINT64_MAX);
    choose(4);
    put(PRIV_S, TALLY_CSR_SIREG2, TALLY_EV_INST_RET | UINH);
    put(PRIV_S, TALLY_CSR_SIREG, UINT64_MAX);
    CHECK_EQ(get(PRIV_S, TALLY_CSR_SCOUNTOVF), BIT(4));
    CHECK(get(PRIV_M, TALLY_CSR_MIP) & LCOFIP);
}

/* ---- Smstateen */

static const unsigned custom[] = {
    TALLY_CSR_SHPMSWINC,    TALLY_CSR_SHPMPCSEL,       TALLY_CSR_SHPMPCLO,       TALLY_CSR_SHPMPCHI,
    TALLY_CSR_SCOUNTERINEN, TALLY_CSR_SCOUNTERMASK_M,  TALLY_CSR_SCOUNTERMASK_S, TALLY_CSR_SCOUNTERMASK_U,
    TALLY_CSR_SCOUNTEROVF,  TALLY_CSR_SCOUNTERINHIBIT, TALLY_CSR_SHPMEVENT3,     TALLY_CSR_SLIE,
    TALLY_CSR_SLIP};

static void smstateen_c_gates_custom_state(void) {
    for (size_t i = 0; i < COUNT(custom); i++) {
        put(PRIV_M, TALLY_CSR_MSTATEEN0, ~CUSTOM);
        CHECK_ILLEGAL(PRIV_S, READ, custom[i]);
        CHECK_LEGAL(PRIV_M, READ, custom[i]); /* M-mode is never blocked */
        put(PRIV_M, TALLY_CSR_MSTATEEN0, CUSTOM);
        CHECK_LEGAL(PRIV_S, READ, custom[i]);
        CHECK_ILLEGAL(PRIV_U, READ, custom[i]);
    }
}

static void smstateen_does_not_gate_the_standard_registers(void) {
    static const unsigned numbers[] = {TALLY_CSR_SCOUNTEREN, TALLY_CSR_SCOUNTOVF, TALLY_CSR_SCOUNTINHIBIT,
                                       TALLY_CSR_CYCLE, TALLY_CSR_CYCLE + 3};

    put(PRIV_M, TALLY_CSR_MENVCFG, CDE);
    put(PRIV_M, TALLY_CSR_MCOUNTEREN, UINT64_MAX);
    put(PRIV_M, TALLY_CSR_MSTATEEN0, 0);
    for (size_t i = 0; i < COUNT(numbers); i++)
        CHECK_LEGAL(PRIV_S, READ, numbers[i]);
}

/* mstateen0.SE0 is sstateen0's, ENVCFG senvcfg's: each its own. Without it any access from S-mode is
 * illegal; M-mode always has access, U-mode never. */
static void check_gate(unsigned num, uint64_t mask) {
    put(PRIV_M, TALLY_CSR_MSTATEEN0, UINT64_MAX);
    put(PRIV_M, num, 1);
    for (unsigned on = 0; on < 2; on++) {
        /* the C bit stays: without it there is nothing in sstateen0 to see */
        put(PRIV_M, TALLY_CSR_MSTATEEN0, on ? mask | CUSTOM : ~mask);
        for (unsigned op = WRITE; op <= READ; op++) {
            uint64_t cause = access(PRIV_S, op, num, 0).cause;

            context(num, on, op);
            CHECK_EQ(cause, on ? TALLY_EXC_ECALL_S : TALLY_EXC_ILLEGAL);
            CHECK_EQ(access(PRIV_U, op, num, 0).cause, TALLY_EXC_ILLEGAL);
            CHECK_EQ(get(PRIV_M, num), !(on && op == WRITE));
            put(PRIV_M, num, 1);
        }
    }
    put(PRIV_M, TALLY_CSR_MSTATEEN0, UINT64_MAX);
    put(PRIV_M, num, 0);
}

static void smstateen_se0_gates_sstateen0(void) {
    check_gate(TALLY_CSR_SSTATEEN0, TALLY_MSTATEEN0_SE0_MASK);
    /* there is no mstateen1 to 3 to open the others */
    put(PRIV_M, TALLY_CSR_MSTATEEN0, UINT64_MAX);
    for (unsigned n = 1; n < 4; n++) {
        CHECK_ILLEGAL(PRIV_S, READ, TALLY_CSR_SSTATEEN0 + n);
        CHECK_EQ(get(PRIV_M, TALLY_CSR_SSTATEEN0 + n), 0);
    }
}

static void smstateen_envcfg_gates_senvcfg(void) {
    check_gate(TALLY_CSR_SENVCFG, TALLY_MSTATEEN0_ENVCFG_MASK);
}

/* sstateen0 has the bit of custom state alone; where mstateen0's is 0 it reads 0, ignores writes, and keeps
 * its value. */
static void smstateen_sstateen0_shows_what_mstateen0_opens(void) {
    const uint64_t se0 = TALLY_MSTATEEN0_SE0_MASK;

    for (unsigned held = 0; held < 2; held++)
        for (unsigned mode = PRIV_S; mode <= PRIV_M; mode += 2) {
            put(PRIV_M, TALLY_CSR_MSTATEEN0, se0 | CUSTOM);
            put(mode, TALLY_CSR_SSTATEEN0, held ? UINT64_MAX : 0);
            CHECK_EQ(get(mode, TALLY_CSR_SSTATEEN0), held);
            put(PRIV_M, TALLY_CSR_MSTATEEN0, se0);
            CHECK_EQ(get(mode, TALLY_CSR_SSTATEEN0), 0);
            put(mode, TALLY_CSR_SSTATEEN0, held ? 0 : UINT64_MAX);
            CHECK_EQ(get(mode, TALLY_CSR_SSTATEEN0), 0);
            put(PRIV_M, TALLY_CSR_MSTATEEN0, se0 | CUSTOM);
            CHECK_EQ(get(mode, TALLY_CSR_SSTATEEN0), held);
        }
    put(PRIV_M, TALLY_CSR_SSTATEEN0, 0);
}

static const struct rule rules[] = {
    RULE(csr_0_changes_no_register_accessed_before),
    RULE(smcsrind_selects_hold_12_bits),
    RULE(smcsrind_mireg_has_nothing_behind_it),
    RULE(smcsrind_unknown_selects_are_illegal),
    RULE(smcsrind_selects_0x60_and_0x61_are_of_sampling),
    RULE(smcsrind_numbers_that_are_not_there),
    RULE(smcsrind_u_mode_has_no_access),
    RULE(smstateen_csrind_gates_s_mode),
    RULE(smcdeleg_sireg_is_the_counter_and_sireg2_its_event),
    RULE(smcdeleg_nothing_without_cde),
    RULE(smcdeleg_mcounteren_says_which),
    RULE(smcdeleg_sireg3_to_6_are_illegal_on_rv64),
    RULE(smcdeleg_minh_is_hidden_and_kept),
    RULE(smcdeleg_of_is_read_and_written_through_the_window),
    RULE(smcdeleg_scountinhibit_is_masked),
    RULE(smcdeleg_taking_delegation_away_alters_nothing),
    RULE(smcdeleg_counter_written_in_s_mode_overflows_as_any),
    RULE(smstateen_c_gates_custom_state),
    RULE(smstateen_does_not_gate_the_standard_registers),
    RULE(smstateen_se0_gates_sstateen0),
    RULE(smstateen_envcfg_gates_senvcfg),
    RULE(smstateen_sstateen0_shows_what_mstateen0_opens),
};

void test_main(void) { run_rules(rules, COUNT(rules)); }
