/* SPDX-License-Identifier: Apache-2.0 */
/* The base counters: read and write access, inhibition, enables, selectors (privileged manual,
 * Hardware Performance Monitor). */
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
    static const unsigned holes[] = {TALLY_CSR_MCYCLE + 1, TALLY_CSR_MCYCLEH + 1,  TALLY_CSR_MCYCLECFGH - 1,
                                     TALLY_CSR_MCYCLECFGH, TALLY_CSR_MINSTRETCFGH, TALLY_CSR_CYCLEH,
                                     TALLY_CSR_TIMEH,      TALLY_CSR_INSTRETH,     TALLY_CSR_MCYCLEH,
                                     TALLY_CSR_MINSTRETH};

    put(PRIV_M, TALLY_CSR_MCOUNTEREN, UINT64_MAX);
    put(PRIV_M, TALLY_CSR_SCOUNTEREN, UINT64_MAX);
    for
        EACH_MODE(mode) {
            for (size_t i = 0; i < COUNT(holes); i++)
                CHECK_ILLEGAL(mode, READ, holes[i]);
            for (unsigned n = 3; n < 32; n++) {
                CHECK_ILLEGAL(mode, READ, TALLY_CSR_CYCLEH + n);
                CHECK_ILLEGAL(mode, READ, TALLY_CSR_MCYCLEH + n);
                CHECK_ILLEGAL(mode, READ, TALLY_CSR_MHPMEVENT3H - 3 + n);
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

/* Inhibited: reads and writes act as usual, from every mode. */
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

/* mcounteren and scounteren are written independently of each other; every bit that has a counter can be set
 * (Sscounterenw). */
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
};

void test_main(void) { run_rules(rules, COUNT(rules)); }
