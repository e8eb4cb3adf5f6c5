// SPDX-License-Identifier: Apache-2.0
/*
 * The golden PMU alone: the Andes view (docs/rulings.md, The Andes view). One test for each rule.
 */
#include "pmu_rig.h"

static void andes_masks_count_where_they_are_1(void) {
    defaults();
    cfg.andes = true;
    start();
    CHECK_EQ(peek(TALLY_CSR_MCOUNTERMASK_S), 0xFFFFFFFD);
    w(TALLY_CSR_MCOUNTERMASK_S, 0xFFFFFFF5);
    CHECK_EQ(peek(event(3)), SINH);
    w(event(4), SINH);
    CHECK_EQ(peek(TALLY_CSR_MCOUNTERMASK_S), 0xFFFFFFE5);
    cfg.andes_silicon = true;
    start();
    CHECK_EQ(peek(TALLY_CSR_MCOUNTERMASK_U), 0);
    w(TALLY_CSR_MCOUNTERMASK_U, 0x5);
    CHECK_EQ(peek(TALLY_CSR_MCYCLECFG), UINH);
    CHECK_EQ(peek(TALLY_CSR_MINSTRETCFG), UINH);
}

static void andes_enable_takes_the_request_from_lcofi(void) {
    defaults();
    cfg.andes = true;
    start();
    program(3, UINT64_MAX, TALLY_EV_CYCLES_HART);
    w(TALLY_CSR_MCOUNTERINEN, 0); /* the counter wraps in this cycle: the old value, 0, sends it to LCOFI */
    CHECK_EQ(out.irq_lcofi, 1);
    CHECK_EQ(out.irq_andes, 0);
    w(TALLY_CSR_MCOUNTEROVF, 8);
    w(TALLY_CSR_MCOUNTERINEN, 9);
    program(3, UINT64_MAX, TALLY_EV_CYCLES_HART);
    tick();
    CHECK_EQ(out.irq_lcofi, 0);
    CHECK_EQ(out.irq_andes, 1);
    w(TALLY_CSR_MCYCLE, UINT64_MAX);
    tick();
    CHECK_EQ(out.irq_andes, 1);
    CHECK_EQ(peek(TALLY_CSR_MCOUNTEROVF), 9);
}

static void andes_flags_clear_by_both_idioms(void) {
    defaults();
    cfg.andes = true;
    start();
    w(event(3), OF);
    w(event(4), OF);
    w(event(5), OF);
    csr(M, GP_SET, TALLY_CSR_MCOUNTEROVF, 0x38);
    CHECK_EQ(peek(TALLY_CSR_MCOUNTEROVF), 0x38);
    csr(M, GP_WRITE, TALLY_CSR_MCOUNTEROVF, 0x08);
    CHECK_EQ(peek(TALLY_CSR_MCOUNTEROVF), 0x30);
    csr(M, GP_CLEAR, TALLY_CSR_MCOUNTEROVF, 0x10);
    CHECK_EQ(peek(TALLY_CSR_MCOUNTEROVF), 0x20);
    CHECK_EQ(peek(event(5)), OF);
    csr(S, GP_WRITE, TALLY_CSR_SCOUNTEROVF, 0x20); /* not without mcounterwen */
    CHECK_EQ(peek(TALLY_CSR_MCOUNTEROVF), 0x20);
}

static void andes_flag_cleared_in_the_cycle_of_a_wrap_is_set_again_and_requests(void) {
    static const unsigned ops[] = {GP_WRITE, GP_CLEAR};

    for (unsigned k = 0; k < 8; k++) {
        bool flag = k & 1, enabled = k & 2;
        unsigned op = ops[k >> 2];

        defaults();
        cfg.andes = true;
        start();
        w(TALLY_CSR_MCOUNTERINEN, enabled ? 8 : 0);
        program(3, UINT64_MAX, TALLY_EV_CYCLES_HART | (flag ? OF : 0));
        csr(M, op, TALLY_CSR_MCOUNTEROVF, 8);
        CHECK_EQ(out.irq_andes, enabled);
        CHECK_EQ(out.irq_lcofi, !enabled);
        CHECK_EQ(peek(event(3)), TALLY_EV_CYCLES_HART | OF);
        w(counter(3), UINT64_MAX);
        csr(M, op, TALLY_CSR_MCOUNTEROVF, 0x10); /* another counter's flag */
        CHECK_EQ(out.irq_andes | out.irq_lcofi, 0);
        CHECK_EQ(peek(TALLY_CSR_MCOUNTEROVF), 8);
    }
}

/* Of the others they read 0, and MINH is for M-mode (docs/rulings.md, Custom counter controls below M-mode).
 */
static void andes_supervisor_views_show_shared_counters_alone(void) {
    static const unsigned views[] = {TALLY_CSR_SCOUNTERINEN,   TALLY_CSR_SCOUNTERMASK_S,
                                     TALLY_CSR_SCOUNTERMASK_U, TALLY_CSR_SCOUNTERINHIBIT,
                                     TALLY_CSR_SCOUNTEROVF,    TALLY_CSR_SCOUNTERMASK_M};

    defaults();
    cfg.andes = true;
    start();
    w(TALLY_CSR_MCOUNTINHIBIT, UINT32_MAX);
    w(TALLY_CSR_MCOUNTERINEN, UINT32_MAX);
    for (unsigned i = 3; i < 8; i++)
        w(event(i), OF | TALLY_EV_INST_RET);
    w(TALLY_CSR_MCOUNTEREN, 0x2A);
    w(TALLY_CSR_MCOUNTERWEN, 0x48);
    for (unsigned k = 0; k < 6; k++) {
        bool minh = views[k] == TALLY_CSR_SCOUNTERMASK_M;

        CHECK_EQ(csr(S, GP_READ, views[k], 0), minh ? 0 : 0x68);
        CHECK_EQ(csr(M, GP_READ, views[k], 0) & 0xF8, 0xF8);
    }
    for (unsigned i = 3; i < 8; i++)
        CHECK_EQ(csr(S, GP_READ, TALLY_CSR_SHPMEVENT3 - 3 + i, 0), 0x68 >> i & 1 ? TALLY_EV_INST_RET : 0);
}

/* Custom state: mstateen0.C opens it below M (docs/rulings.md, Custom state). */
static void andes_counter_writes_need_mstateen0_c(void) {
    defaults();
    cfg.hyp = cfg.andes = true;
    start();
    w(TALLY_CSR_MCOUNTERWEN, 8);
    w(TALLY_CSR_MCOUNTEREN, 8);
    in.env.mstateen0 = ~UINT64_C(1);
    CHECK_EQ(answer(M, GP_WRITE, TALLY_CSR_HPMCOUNTER3), GP_CSR_OK);
    CHECK_EQ(answer(S, GP_WRITE, TALLY_CSR_HPMCOUNTER3), GP_CSR_ILLEGAL);
    CHECK_EQ(answer(VS, GP_WRITE, TALLY_CSR_HPMCOUNTER3), GP_CSR_ILLEGAL);
    CHECK_EQ(answer(S, GP_READ, TALLY_CSR_HPMCOUNTER3), GP_CSR_OK);
}

static void andes_enable_after_the_overflow_requests_nothing(void) {
    defaults();
    cfg.andes = true;
    start();
    program(3, UINT64_MAX, TALLY_EV_CYCLES_HART);
    tick();
    CHECK_EQ(out.irq_lcofi, 1);
    w(TALLY_CSR_MCOUNTERINEN, 8);
    CHECK_EQ(out.irq_andes, 0);
    tick();
    CHECK_EQ(out.irq_andes | out.irq_lcofi, 0);
    CHECK_EQ(peek(TALLY_CSR_MCOUNTEROVF), 8);
}

/* Interrupt handling from S-mode alone: find the counter, stop, preset, (pc,) enable (Andes proposal,
 * Counter-triggered interrupt) */
static void walk_the_five_steps(bool silicon) {
    gp_config_default(&cfg);
    cfg.andes_silicon = silicon;
    start();
    w(TALLY_CSR_MCOUNTEREN, 8);
    CHECK_EQ(answer(S, GP_WRITE, 0xC03), GP_CSR_ILLEGAL);
    w(TALLY_CSR_MCOUNTERWEN, 8);
    csr(S, GP_WRITE, TALLY_CSR_SCOUNTERINEN, UINT32_MAX);
    CHECK_EQ(peek(TALLY_CSR_MCOUNTERINEN), 8);
    csr(S, GP_WRITE, TALLY_CSR_SHPMEVENT3, TALLY_EV_INST_RET);
    csr(S, GP_WRITE, TALLY_CSR_SHPMEVENT4, TALLY_EV_INST_RET);
    CHECK_EQ(peek(event(3)), TALLY_EV_INST_RET);
    CHECK_EQ(peek(event(4)), 0);
    /* not in U-mode: the only register with a sense that is a parameter */
    csr(S, silicon ? GP_SET : GP_CLEAR, TALLY_CSR_SCOUNTERMASK_U, 8);
    CHECK_EQ(peek(event(3)), TALLY_EV_INST_RET | UINH);
    csr(S, GP_WRITE, TALLY_CSR_HPMCOUNTER3, UINT64_MAX);
    in.ev_retire[0] = INST;
    tick();
    CHECK_EQ(out.irq_andes, 1);
    CHECK_EQ(csr(S, GP_READ, TALLY_CSR_SCOUNTEROVF, 0), 8);
    csr(S, GP_SET, TALLY_CSR_SCOUNTERINHIBIT, UINT32_MAX);
    CHECK_EQ(peek(TALLY_CSR_MCOUNTINHIBIT), 8);
    csr(S, GP_WRITE, TALLY_CSR_HPMCOUNTER3, -(uint64_t)10);
    csr(S, GP_CLEAR, TALLY_CSR_SCOUNTEROVF, 8);
    csr(S, GP_CLEAR, TALLY_CSR_SCOUNTERINHIBIT, 8);
    CHECK_EQ(peek(counter(3)), -(uint64_t)10);
    for (unsigned n = 1; n <= 10; n++) {
        tick();
        CHECK_EQ(out.irq_andes, n == 10);
    }
}

static void andes_supervisor_walks_the_five_steps(void) {
    walk_the_five_steps(false);
    walk_the_five_steps(true);
}

static void andes_supervisor_never_writes_mask_m(void) {
    defaults();
    cfg.andes = true;
    start();
    w(TALLY_CSR_MCOUNTERWEN, UINT32_MAX);
    csr(S, GP_WRITE, TALLY_CSR_SCOUNTERMASK_M, 0);
    CHECK_EQ(peek(TALLY_CSR_MCOUNTERMASK_M), 0xFFFFFFFD);
    csr(S, GP_WRITE, TALLY_CSR_SCOUNTERMASK_U, 0xFFFFFFF7);
    CHECK_EQ(peek(event(3)), UINH);
    csr(S, GP_WRITE, TALLY_CSR_SHPMEVENT3, UINT64_MAX & ~UINH); /* the selector alone */
    CHECK_EQ(peek(event(3)), UINH);
    in.env.mstateen0 = ~UINT64_C(1);
    CHECK_EQ(answer(S, GP_READ, TALLY_CSR_SCOUNTERMASK_U), GP_CSR_ILLEGAL);
}

/* mcounterwen alone allows writes; the old value is shown to modes that may read it (docs/rulings.md, Andes
 * counter writes). */
static void andes_counter_writes_at_the_users_numbers(void) {
    for (unsigned bits = 0; bits < 16; bits++) {
        bool wen = bits & 1, mc = bits & 2, allowed = bits & 4, view = bits & 8;

        defaults();
        cfg.hyp = true;
        cfg.andes = view;
        cfg.andes_swrite = allowed;
        start();
        if (view)
            w(TALLY_CSR_MCOUNTERWEN, wen ? 0xD : 0);
        w(TALLY_CSR_MCOUNTEREN, mc ? 0xF : 0);
        bool open = wen && allowed && view;
        CHECK_EQ(answer(M, GP_WRITE, 0xC03), open ? GP_CSR_OK : GP_CSR_ILLEGAL);
        CHECK_EQ(answer(S, GP_WRITE, 0xC03), open ? GP_CSR_OK : GP_CSR_ILLEGAL);
        CHECK_EQ(answer(S, GP_SET, 0xC00), open ? GP_CSR_OK : GP_CSR_ILLEGAL);
        CHECK_EQ(answer(U, GP_WRITE, 0xC03), GP_CSR_ILLEGAL);
        CHECK_EQ(answer(VS, GP_CLEAR, 0xC02), open ? GP_CSR_VIRTUAL : GP_CSR_ILLEGAL);
        CHECK_EQ(answer(VU, GP_WRITE, 0xC03), open ? GP_CSR_VIRTUAL : GP_CSR_ILLEGAL);
        CHECK_EQ(answer(M, GP_WRITE, TALLY_CSR_TIME), GP_CSR_ILLEGAL);
        if (!open)
            continue;
        w(TALLY_CSR_MCOUNTINHIBIT, 8);
        w(counter(3), 0x50);
        CHECK_EQ(csr(S, GP_SET, 0xC03, 0x0F), mc ? 0x50 : 0);
        CHECK_EQ(csr(S, GP_CLEAR, 0xC03, 0x11), mc ? 0x5F : 0);
        CHECK_EQ(peek(counter(3)), 0x4E);
        CHECK_EQ(csr(S, GP_WRITE, 0xC03, 7), mc ? 0x4E : 0);
        CHECK_EQ(peek(counter(3)), 7);
    }
}

static void andes_rv32_writes_the_high_half_at_0xC80(void) {
    defaults();
    cfg.xlen = 32;
    cfg.andes = true;
    start();
    w(TALLY_CSR_MCOUNTINHIBIT, 8);
    w(TALLY_CSR_MCOUNTEREN, 8);
    w(TALLY_CSR_MCOUNTERWEN, 8);
    csr(S, GP_WRITE, 0xC83, 0x12345678);
    CHECK_EQ(peek(counter(3)), UINT64_C(0x1234567800000000));
}

static void andes_flags_of_mcycle_and_minstret_never_make_lcofi(void) {
    defaults();
    cfg.andes = true;
    start();
    w(TALLY_CSR_MCYCLE, UINT64_MAX);
    tick();
    CHECK_EQ(out.irq_lcofi | out.irq_andes, 0);
    CHECK_EQ(peek(TALLY_CSR_MCOUNTEROVF), 1);
    CHECK_EQ(peek(TALLY_CSR_MCYCLECFG), 0); /* no OF there */
    CHECK_EQ(peek(TALLY_CSR_SCOUNTOVF), 0);
    w(TALLY_CSR_MCOUNTERINEN, 5);
    w(TALLY_CSR_MCYCLE, UINT64_MAX);
    tick(); /* the flag is 1 already */
    CHECK_EQ(out.irq_andes, 0);
    w(TALLY_CSR_MINSTRET, UINT64_MAX);
    in.ev_retire[0] = INST;
    tick();
    CHECK_EQ(out.irq_andes, 1);
    CHECK_EQ(peek(TALLY_CSR_MCOUNTEROVF), 5);
}

static void andes_sends_each_overflow_to_one_side(void) {
    defaults();
    cfg.andes = true;
    start();
    w(TALLY_CSR_MCOUNTERINEN, 8);
    w(event(3), TALLY_EV_SOFTWARE);
    w(event(4), TALLY_EV_SOFTWARE);
    for (unsigned wrap = 1; wrap < 4; wrap++) {
        w(TALLY_CSR_MCOUNTEROVF, 0x18);
        w(counter(3), wrap & 1 ? UINT64_MAX : 0);
        w(counter(4), wrap & 2 ? UINT64_MAX : 0);
        w(TALLY_CSR_SHPMSWINC, 1);
        CHECK_EQ(out.irq_andes, wrap & 1);
        CHECK_EQ(out.irq_lcofi, wrap >> 1);
    }
}

static void andes_supervisor_views_are_not_for_guests(void) {
    defaults();
    cfg.hyp = cfg.andes = true;
    start();
    for (unsigned num = TALLY_CSR_SCOUNTERINEN; num <= TALLY_CSR_SHPMEVENT31; num++) {
        if (answer(S, GP_READ, num) == GP_CSR_NOT_MINE)
            continue;
        CHECK_EQ(answer(S, GP_WRITE, num), GP_CSR_OK);
        CHECK_EQ(answer(U, GP_READ, num), GP_CSR_ILLEGAL);
        CHECK_EQ(answer(VS, GP_READ, num), GP_CSR_VIRTUAL);
        CHECK_EQ(answer(VU, GP_WRITE, num), GP_CSR_VIRTUAL);
    }
    in.env.mstateen0 = ~UINT64_C(1);
    CHECK_EQ(answer(VS, GP_READ, TALLY_CSR_SCOUNTEROVF), GP_CSR_ILLEGAL);
}

static void andes_masks_hold_for_guests_too(void) {
    defaults();
    cfg.hyp = cfg.andes = cfg.andes_silicon = true;
    start();
    w(TALLY_CSR_MCOUNTERMASK_S, 8);
    CHECK_EQ(peek(event(3)), SINH | VSINH);
    w(event(3), VSINH); /* the word shows V=0 */
    CHECK_EQ(peek(TALLY_CSR_MCOUNTERMASK_S), 0);
}

static void andes_is_not_there_unless_built(void) {
    gp_config_default(&cfg);
    cfg.andes = false;
    start();
    CHECK_EQ(answer(M, GP_READ, TALLY_CSR_MCOUNTERWEN), GP_CSR_NOT_MINE);
    CHECK_EQ(answer(S, GP_READ, TALLY_CSR_SCOUNTEROVF), GP_CSR_NOT_MINE);
}

static const struct test tests[] = {
    TEST(andes_masks_count_where_they_are_1),
    TEST(andes_enable_takes_the_request_from_lcofi),
    TEST(andes_flags_clear_by_both_idioms),
    TEST(andes_supervisor_walks_the_five_steps),
    TEST(andes_supervisor_never_writes_mask_m),
    TEST(andes_counter_writes_at_the_users_numbers),
    TEST(andes_rv32_writes_the_high_half_at_0xC80),
    TEST(andes_flags_of_mcycle_and_minstret_never_make_lcofi),
    TEST(andes_sends_each_overflow_to_one_side),
    TEST(andes_supervisor_views_are_not_for_guests),
    TEST(andes_masks_hold_for_guests_too),
    TEST(andes_is_not_there_unless_built),
    TEST(andes_flag_cleared_in_the_cycle_of_a_wrap_is_set_again_and_requests),
    TEST(andes_supervisor_views_show_shared_counters_alone),
    TEST(andes_counter_writes_need_mstateen0_c),
    TEST(andes_enable_after_the_overflow_requests_nothing),
};

int main(void) { return run_tests("golden_pmu_andes", tests, sizeof(tests) / sizeof(tests[0])); }
