// SPDX-License-Identifier: Apache-2.0
/*
 * The golden PMU alone: gates, registers and window of event-based branches (docs/rulings.md, Event-based
 * branches). One test for each rule.
 */
#include "pmu_ebb.h"

static const unsigned user_numbers[] = {TALLY_CSR_UBESCR, TALLY_CSR_UEBBHR, TALLY_CSR_UEBBRR};
static const unsigned window_numbers[] = {TALLY_CSR_UEBBOVF, TALLY_CSR_UEBBINH, TALLY_CSR_UEBBSEL,
                                          TALLY_CSR_UEBBCNT, TALLY_CSR_UEBBSPC};
enum { USERS = 3, WINDOWS = 5 };

/* All user's numbers have this answer in this mode, and the window's that one. */
static void check_answers(enum mode mode, enum gp_answer user, enum gp_answer window) {
    for (unsigned op = GP_READ; op <= GP_CLEAR; op++) {
        for (unsigned k = 0; k < USERS; k++)
            CHECK_EQ(answer(mode, op, user_numbers[k]), user);
        for (unsigned k = 0; k < WINDOWS; k++)
            CHECK_EQ(answer(mode, op, window_numbers[k]), window);
    }
}

static enum gp_answer uebret_in(enum mode mode) {
    run_in(mode);
    look();
    return out.uebret_illegal ? GP_CSR_ILLEGAL : out.uebret_virtual ? GP_CSR_VIRTUAL : GP_CSR_OK;
}

static void what_is_not_built_is_not_there(void) {
    defaults();
    for (unsigned k = 0; k < USERS; k++)
        CHECK_EQ(answer(M, GP_READ, user_numbers[k]), GP_CSR_NOT_MINE);
    for (unsigned k = 0; k < WINDOWS; k++)
        CHECK_EQ(answer(M, GP_READ, window_numbers[k]), GP_CSR_NOT_MINE);
    CHECK_EQ(answer(M, GP_READ, TALLY_CSR_SEBBCTL), GP_CSR_NOT_MINE);
    CHECK_EQ(answer(M, GP_READ, TALLY_CSR_MEBBCTL), GP_CSR_NOT_MINE);
    for (enum mode mode = M; mode <= VU; mode++)
        CHECK_EQ(uebret_in(mode), GP_CSR_ILLEGAL);
    everything();
    CHECK_EQ(answer(M, GP_READ, TALLY_CSR_UEBBSPC), GP_CSR_OK);
    CHECK_EQ(answer(M, GP_READ, TALLY_CSR_UEBBCNTH), GP_CSR_NOT_MINE); /* RV64 */
    cfg.sspesa = false;
    begin();
    CHECK_EQ(answer(M, GP_READ, TALLY_CSR_UEBBSPC), GP_CSR_NOT_MINE);
}

static void needs_overflow_flags_and_delegation(void) {
    gp_config_default(&cfg);
    cfg.ebb = true;
    cfg.smcdeleg = false;
    CHECK_EQ(gp_new(&cfg) != NULL, 0);
    gp_config_default(&cfg);
    cfg.ebb = true;
    cfg.andes = cfg.sspesa = cfg.smpdis = cfg.sscofpmf = false;
    CHECK_EQ(gp_new(&cfg) != NULL, 0);
}

/* M-mode has everything always. The supervisor's gate: mebbctl.EN and mstateen0.C. */
static void supervisor_gate_is_mebbctl_and_mstateen(void) {
    for (unsigned k = 0; k < 8; k++) {
        bool enable = k & 1, c = k & 2, smstateen = k & 4, opened = enable && (c || !smstateen);

        everything();
        cfg.smstateen = smstateen;
        begin();
        in.env.mstateen0 = c ? UINT64_MAX : ~UINT64_C(1);
        w(TALLY_CSR_MEBBCTL, enable);
        check_answers(M, GP_CSR_OK, GP_CSR_OK);
        check_answers(S, opened ? GP_CSR_OK : GP_CSR_ILLEGAL, opened ? GP_CSR_OK : GP_CSR_ILLEGAL);
        check_answers(VS, opened ? GP_CSR_VIRTUAL : GP_CSR_ILLEGAL, opened ? GP_CSR_VIRTUAL : GP_CSR_ILLEGAL);
        check_answers(VU, opened ? GP_CSR_VIRTUAL : GP_CSR_ILLEGAL, opened ? GP_CSR_VIRTUAL : GP_CSR_ILLEGAL);
        CHECK_EQ(answer(M, GP_WRITE, TALLY_CSR_SEBBCTL), GP_CSR_OK);
        CHECK_EQ(answer(S, GP_WRITE, TALLY_CSR_SEBBCTL), opened ? GP_CSR_OK : GP_CSR_ILLEGAL);
        CHECK_EQ(answer(U, GP_READ, TALLY_CSR_SEBBCTL), GP_CSR_ILLEGAL);
        CHECK_EQ(answer(VS, GP_READ, TALLY_CSR_SEBBCTL), opened ? GP_CSR_VIRTUAL : GP_CSR_ILLEGAL);
        CHECK_EQ(uebret_in(VS), opened ? GP_CSR_VIRTUAL : GP_CSR_ILLEGAL);
        CHECK_EQ(uebret_in(VU), opened ? GP_CSR_VIRTUAL : GP_CSR_ILLEGAL);
    }
}

static void machine_control_is_machine_mode_s_alone(void) {
    routed(0x8);
    CHECK_EQ(answer(M, GP_WRITE, TALLY_CSR_MEBBCTL), GP_CSR_OK);
    for (enum mode mode = S; mode <= VU; mode++)
        CHECK_EQ(answer(mode, GP_READ, TALLY_CSR_MEBBCTL), GP_CSR_ILLEGAL);
    w(TALLY_CSR_MEBBCTL, UINT64_MAX);
    CHECK_EQ(peek(TALLY_CSR_MEBBCTL), 1);
}

/* The user's gate: the supervisor's, sebbctl.EN, sstateen0.C; the window needs WIN too. No route is needed.
 */
static void user_gate_is_sebbctl_and_sstateen(void) {
    for (unsigned k = 0; k < 32; k++) {
        bool machine = k & 1, enable = k & 2, window = k & 4, c = k & 8, smstateen = k & 16;
        bool opened = machine && enable && (c || !smstateen);

        everything();
        cfg.smstateen = smstateen;
        begin();
        in.env.sstateen0 = c ? 1 : ~1u;
        w(TALLY_CSR_MEBBCTL, machine);
        w(TALLY_CSR_SEBBCTL, (enable ? EN : 0) | (window ? WIN : 0));
        check_answers(U, opened ? GP_CSR_OK : GP_CSR_ILLEGAL, opened && window ? GP_CSR_OK : GP_CSR_ILLEGAL);
        CHECK_EQ(uebret_in(U), opened ? GP_CSR_OK : GP_CSR_ILLEGAL);
        CHECK_EQ(uebret_in(S), GP_CSR_ILLEGAL);
        CHECK_EQ(uebret_in(M), GP_CSR_ILLEGAL);
    }
}

static void closed_gate_keeps_sebbctl_and_it_acts_as_0(void) {
    routed(0x18);
    w(TALLY_CSR_UEBBINH, 0x18);
    w(event(3), OF);
    w(TALLY_CSR_MEBBCTL, 0);
    CHECK_EQ(csr(M, GP_READ, TALLY_CSR_SEBBCTL, 0), EN | WIN | 0x18);
    CHECK_EQ(csr(M, GP_READ, TALLY_CSR_UEBBOVF, 0), 0); /* nothing is routed */
    CHECK_EQ(csr(M, GP_READ, TALLY_CSR_UEBBINH, 0), 0);
    w(TALLY_CSR_UEBBINH, 0);
    w(TALLY_CSR_MEBBCTL, 1);
    CHECK_EQ(csr(M, GP_READ, TALLY_CSR_UEBBOVF, 0), 0x8);
    CHECK_EQ(csr(M, GP_READ, TALLY_CSR_UEBBINH, 0), 0x18);
}

static void route_needs_delegation_and_comes_back_with_it(void) {
    routed(0x18);
    w(TALLY_CSR_MCOUNTEREN, 0x10);
    CHECK_EQ(csr(M, GP_READ, TALLY_CSR_SEBBCTL, 0), EN | WIN | 0x10);
    csr(S, GP_CLEAR, TALLY_CSR_SEBBCTL, 0xFFFFFFF8); /* 3 is not written */
    CHECK_EQ(csr(M, GP_READ, TALLY_CSR_SEBBCTL, 0), EN | WIN);
    in.env.cde = false;
    csr(S, GP_SET, TALLY_CSR_SEBBCTL, 0xFFFFFFF8);
    in.env.cde = true;
    w(TALLY_CSR_MCOUNTEREN, UINT32_MAX);
    CHECK_EQ(csr(S, GP_READ, TALLY_CSR_SEBBCTL, 0), EN | WIN | 0x8);
}

static void registers_hold_their_bits(void) {
    for (unsigned xlen = 32; xlen <= 64; xlen += 32) {
        uint64_t all = xlen == 32 ? UINT32_MAX : UINT64_MAX;

        everything();
        cfg.xlen = xlen;
        begin();
        open_gates(0);
        for (unsigned k = 0; k < USERS; k++)
            csr(U, GP_WRITE, user_numbers[k], UINT64_MAX);
        csr(U, GP_WRITE, TALLY_CSR_UEBBSEL, UINT64_MAX);
        csr(U, GP_WRITE, TALLY_CSR_UEBBSPC, UINT64_MAX);
        CHECK_EQ(csr(U, GP_READ, TALLY_CSR_UBESCR, 0), GE | FZ | PME | PMEO);
        CHECK_EQ(csr(U, GP_READ, TALLY_CSR_UEBBHR, 0), all & ~UINT64_C(1));
        CHECK_EQ(csr(U, GP_READ, TALLY_CSR_UEBBRR, 0), all & ~UINT64_C(1));
        CHECK_EQ(csr(U, GP_READ, TALLY_CSR_UEBBSEL, 0), 31);
        CHECK_EQ(csr(U, GP_READ, TALLY_CSR_UEBBSPC, 0), all & ~UINT64_C(1));
        w(TALLY_CSR_SEBBCTL, UINT64_MAX);
        CHECK_EQ(csr(S, GP_READ, TALLY_CSR_SEBBCTL, 0), EN | WIN | 0x7F8);
        gp_reset(pmu);
        for (unsigned k = 0; k < USERS; k++)
            CHECK_EQ(peek(user_numbers[k]), 0);
        CHECK_EQ(peek(TALLY_CSR_SEBBCTL), 0);
    }
}

/* ---- the window */

static void window_shows_and_changes_routed_counters_only(void) {
    routed(0x8); /* 3; 4 is delegated and not routed */
    w(event(3), OF | TALLY_EV_INST_RET);
    w(event(4), OF | TALLY_EV_INST_RET);
    for (enum mode mode = M; mode <= U; mode++) {
        CHECK_EQ(csr(mode, GP_READ, TALLY_CSR_UEBBOVF, 0), 0x8);
        csr(mode, GP_CLEAR, TALLY_CSR_UEBBOVF, UINT32_MAX);
        CHECK_EQ(of(3), 0);
        CHECK_EQ(of(4), 1);
        csr(mode, GP_WRITE, TALLY_CSR_UEBBOVF, 0x1);
        CHECK_EQ(of(4), 1);
        csr(mode, GP_SET, TALLY_CSR_UEBBOVF, 0x8);
        CHECK_EQ(of(3), 1);
        csr(mode, GP_WRITE, TALLY_CSR_UEBBINH, UINT32_MAX);
        CHECK_EQ(csr(mode, GP_READ, TALLY_CSR_UEBBINH, 0), 0x8);
        csr(mode, GP_CLEAR, TALLY_CSR_UEBBINH, 0x8);
        CHECK_EQ(csr(mode, GP_READ, TALLY_CSR_UEBBINH, 0), 0);
        for (unsigned i = 0; i < 32; i++) {
            csr(mode, GP_WRITE, TALLY_CSR_UEBBSEL, i);
            w(TALLY_CSR_MCOUNTINHIBIT, UINT32_MAX);
            if (i != 1)
                w(counter(i), 77);
            CHECK_EQ(csr(mode, GP_READ, TALLY_CSR_UEBBCNT, 0), i == 3 ? 77 : 0);
            csr(mode, GP_WRITE, TALLY_CSR_UEBBCNT, 78);
            if (i != 1)
                CHECK_EQ(peek(counter(i)), i == 3 ? 78 : 77);
        }
    }
}

static void rv32_counter_has_halves(void) {
    everything();
    cfg.xlen = 32;
    begin();
    open_gates(0x10);
    csr(U, GP_WRITE, TALLY_CSR_UEBBSEL, 4);
    csr(U, GP_WRITE, TALLY_CSR_UEBBCNT, 0x89ABCDEF);
    csr(U, GP_WRITE, TALLY_CSR_UEBBCNTH, 0x01234567);
    CHECK_EQ(peek(counter(4)), UINT64_C(0x0123456789ABCDEF));
    CHECK_EQ(csr(U, GP_READ, TALLY_CSR_UEBBCNTH, 0), 0x01234567);
    csr(U, GP_WRITE, TALLY_CSR_UEBBSEL, 5);
    CHECK_EQ(csr(U, GP_READ, TALLY_CSR_UEBBCNTH, 0), 0);
    w(TALLY_CSR_SEBBCTL, EN);
    CHECK_EQ(answer(U, GP_READ, TALLY_CSR_UEBBCNTH), GP_CSR_ILLEGAL);
}

/* By the rule of all counters: the write replaces the increment. */
static void counter_write_through_the_window_wins(void) {
    routed(0x8);
    program(3, UINT64_MAX, TALLY_EV_CYCLES_HART);
    w(TALLY_CSR_UEBBSEL, 3);
    w(TALLY_CSR_UBESCR, PME);
    run_in(U);
    CHECK_EQ(csr(U, GP_WRITE, TALLY_CSR_UEBBCNT, 5), UINT64_MAX);
    CHECK_EQ(peek(counter(3)), 5);
    CHECK_EQ(of(3), 0);
    CHECK_EQ(escr(), PME);
}

static void write_of_a_counter_that_is_not_routed_does_not_stop_it(void) {
    routed(0);
    program(3, 10, TALLY_EV_CYCLES_HART);
    w(TALLY_CSR_UEBBSEL, 3);
    csr(M, GP_WRITE, TALLY_CSR_UEBBCNT, 0);
    CHECK_EQ(peek(counter(3)), 12);
}

static void user_s_stop_is_added_to_the_kernel_s(void) {
    for (unsigned k = 0; k < 4; k++) {
        bool user = k & 1, kernel = k & 2;

        routed(0x8);
        program(3, 0, TALLY_EV_CYCLES_HART);
        w(TALLY_CSR_UEBBINH, user ? 0x8 : 0);
        w(TALLY_CSR_MCOUNTINHIBIT, kernel ? 0x8 : 0);
        w(counter(3), 0);
        run_in(U);
        ticks(3);
        CHECK_EQ(peek(counter(3)), user || kernel ? 0 : 3);
        CHECK_EQ(peek(TALLY_CSR_MCOUNTINHIBIT), kernel ? 0x8 : 0);
    }
}

static void stop_without_route_does_nothing_and_is_kept(void) {
    routed(0x8);
    w(TALLY_CSR_UEBBINH, 0x8);
    w(TALLY_CSR_SEBBCTL, EN | WIN);
    program(3, 0, TALLY_EV_CYCLES_HART);
    run_in(U);
    ticks(3);
    CHECK_EQ(peek(counter(3)), 3);
    w(TALLY_CSR_SEBBCTL, EN | WIN | 0x8);
    CHECK_EQ(csr(U, GP_READ, TALLY_CSR_UEBBINH, 0), 0x8);
}

static void absent_counters_have_no_routes(void) {
    everything();
    cfg.hpm_n = 2;
    begin();
    w(TALLY_CSR_MCOUNTEREN, UINT32_MAX);
    w(TALLY_CSR_MEBBCTL, 1);
    w(TALLY_CSR_SEBBCTL, UINT32_MAX);
    w(TALLY_CSR_UEBBINH, UINT32_MAX);
    CHECK_EQ(csr(M, GP_READ, TALLY_CSR_SEBBCTL, 0), EN | WIN | 0x18);
    CHECK_EQ(csr(M, GP_READ, TALLY_CSR_UEBBINH, 0), 0x18);
}

static const struct test tests[] = {
    TEST(what_is_not_built_is_not_there),
    TEST(needs_overflow_flags_and_delegation),
    TEST(supervisor_gate_is_mebbctl_and_mstateen),
    TEST(machine_control_is_machine_mode_s_alone),
    TEST(user_gate_is_sebbctl_and_sstateen),
    TEST(closed_gate_keeps_sebbctl_and_it_acts_as_0),
    TEST(route_needs_delegation_and_comes_back_with_it),
    TEST(registers_hold_their_bits),
    TEST(window_shows_and_changes_routed_counters_only),
    TEST(rv32_counter_has_halves),
    TEST(counter_write_through_the_window_wins),
    TEST(write_of_a_counter_that_is_not_routed_does_not_stop_it),
    TEST(user_s_stop_is_added_to_the_kernel_s),
    TEST(stop_without_route_does_nothing_and_is_kept),
    TEST(absent_counters_have_no_routes),
};

int main(void) {
    return run_tests("golden PMU, event-based branches: access", tests, sizeof tests / sizeof tests[0]);
}
