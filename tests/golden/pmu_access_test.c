// SPDX-License-Identifier: Apache-2.0
/*
 * The golden PMU alone: which mode may access which register (privileged manual; Smcsrind, Smcdeleg,
 * Smstateen). One test for each rule.
 */
#include "pmu_rig.h"

/* ---- counters and their enables */

static void writable_bits_of_the_enables(void) {
    defaults();
    cfg.hpm_n = 6;
    start();
    w(TALLY_CSR_MCOUNTEREN, UINT64_MAX);
    w(TALLY_CSR_SCOUNTEREN, UINT64_MAX);
    w(TALLY_CSR_MCOUNTINHIBIT, UINT64_MAX);
    CHECK_EQ(peek(TALLY_CSR_MCOUNTEREN), 0x1FF);
    CHECK_EQ(peek(TALLY_CSR_SCOUNTEREN), 0x1FF); /* Sscounterenw */
    CHECK_EQ(peek(TALLY_CSR_MCOUNTINHIBIT), 0x1FD);
}

static void high_halves_exist_on_rv32_only(void) {
    defaults();
    for (enum mode m = M; m <= U; m++) {
        CHECK_EQ(answer(m, GP_READ, TALLY_CSR_MCYCLEH), GP_CSR_NOT_MINE);
        CHECK_EQ(answer(m, GP_READ, TALLY_CSR_CYCLEH), GP_CSR_NOT_MINE);
        CHECK_EQ(answer(m, GP_READ, TALLY_CSR_MHPMEVENT3H), GP_CSR_NOT_MINE);
    }
    cfg.xlen = 32;
    cfg.sscofpmf = cfg.andes = false;
    start();
    CHECK_EQ(answer(M, GP_READ, TALLY_CSR_MHPMEVENT3H), GP_CSR_NOT_MINE);
    CHECK_EQ(answer(M, GP_READ, TALLY_CSR_MCYCLECFGH), GP_CSR_OK);
}

/* Every combination of enables (privileged manual, Machine Counter-Enable Register; Hypervisor Counter-Enable
 * Register) */
static void who_may_read_a_user_counter(void) {
    defaults();
    cfg.hyp = true;
    start();
    for (unsigned bits = 0; bits < 8; bits++) {
        bool mc = bits & 1, hc = bits & 2, sc = bits & 4;

        w(TALLY_CSR_MCOUNTEREN, mc ? 8 : 0);
        w(TALLY_CSR_SCOUNTEREN, sc ? 8 : 0);
        in.env.hcounteren = hc ? 8 : 0;
        CHECK_EQ(answer(M, GP_READ, 0xC03), GP_CSR_OK);
        CHECK_EQ(answer(S, GP_READ, 0xC03), mc ? GP_CSR_OK : GP_CSR_ILLEGAL);
        CHECK_EQ(answer(U, GP_READ, 0xC03), mc && sc ? GP_CSR_OK : GP_CSR_ILLEGAL);
        CHECK_EQ(answer(VS, GP_READ, 0xC03), !mc ? GP_CSR_ILLEGAL : hc ? GP_CSR_OK : GP_CSR_VIRTUAL);
        CHECK_EQ(answer(VU, GP_READ, 0xC03), !mc ? GP_CSR_ILLEGAL : hc && sc ? GP_CSR_OK : GP_CSR_VIRTUAL);
        for (enum mode m = M; m <= VU; m++)
            CHECK_EQ(answer(m, GP_WRITE, 0xC03), GP_CSR_ILLEGAL);
    }
}

static void time_has_htimedelta_in_guests(void) {
    defaults();
    cfg.hyp = true;
    start();
    in.env.time = 100;
    in.env.htimedelta = 23;
    in.env.hcounteren = 2;
    w(TALLY_CSR_MCOUNTEREN, 2);
    CHECK_EQ(csr(S, GP_READ, TALLY_CSR_TIME, 0), 100);
    CHECK_EQ(csr(VS, GP_READ, TALLY_CSR_TIME, 0), 123);
    CHECK_EQ(answer(M, GP_READ, 0xB01), GP_CSR_NOT_MINE);
}

static void enables_are_independent_and_only_let_see(void) {
    defaults();
    in.env.cde = true;
    w(TALLY_CSR_SCOUNTEREN, 8); /* mcounteren is 0 */
    CHECK_EQ(peek(TALLY_CSR_SCOUNTEREN), 8);
    program(3, 0, TALLY_EV_CYCLES_HART | SINH);
    w(TALLY_CSR_MCOUNTINHIBIT, 0x10);
    w(TALLY_CSR_MCOUNTEREN, 0x18);
    w(TALLY_CSR_MCOUNTEREN, 0); /* changes no state of the counters (docs/rulings.md, MINH below M-mode) */
    in.env.cde = false;
    CHECK_EQ(peek(counter(3)), 3);
    CHECK_EQ(peek(event(3)), TALLY_EV_CYCLES_HART | SINH);
    CHECK_EQ(peek(TALLY_CSR_MCOUNTINHIBIT), 0x10);
    CHECK_EQ(peek(TALLY_CSR_SCOUNTEREN), 8);
    in.env.cde = true;
    w(TALLY_CSR_MCOUNTEREN, 0x18);
    CHECK_EQ(csr(S, GP_READ, TALLY_CSR_SCOUNTINHIBIT, 0), 0x10);
}

static void mcounteren_tm_is_shown_to_the_host(void) {
    defaults();
    CHECK_EQ(out.csr_tm, 0);
    w(TALLY_CSR_MCOUNTEREN, 2);
    tick();
    CHECK_EQ(out.csr_tm, 1);
}

static void scountovf_shows_what_the_mode_may_see(void) {
    defaults();
    cfg.hyp = true;
    start();
    w(event(3), OF);
    w(event(4), OF);
    w(event(5), OF);
    w(TALLY_CSR_MCOUNTEREN, 0x18);
    in.env.hcounteren = 0x30;
    CHECK_EQ(csr(M, GP_READ, TALLY_CSR_SCOUNTOVF, 0), 0x38);
    CHECK_EQ(csr(S, GP_READ, TALLY_CSR_SCOUNTOVF, 0), 0x18);
    CHECK_EQ(csr(VS, GP_READ, TALLY_CSR_SCOUNTOVF, 0), 0x10);
    CHECK_EQ(answer(U, GP_READ, TALLY_CSR_SCOUNTOVF), GP_CSR_ILLEGAL);
    CHECK_EQ(answer(VU, GP_READ, TALLY_CSR_SCOUNTOVF), GP_CSR_VIRTUAL);
    for (enum mode m = M; m <= VU; m++)
        CHECK_EQ(answer(m, GP_SET, TALLY_CSR_SCOUNTOVF), GP_CSR_ILLEGAL);
    in.env.cde = true;
    CHECK_EQ(answer(VS, GP_READ, TALLY_CSR_SCOUNTOVF), GP_CSR_VIRTUAL);
}

/* ---- indirect access, delegation */

static void indirect_access_exceptions_in_order(void) {
    defaults();
    cfg.hyp = true;
    start();
    in.env.cde = true;
    w(TALLY_CSR_MCOUNTEREN, 8);
    w(TALLY_CSR_SISELECT, 0x43);
    w(TALLY_CSR_VSISELECT, 0x43);
    CHECK_EQ(answer(S, GP_READ, TALLY_CSR_SIREG), GP_CSR_OK);
    CHECK_EQ(answer(M, GP_READ, TALLY_CSR_SIREG), GP_CSR_OK);
    CHECK_EQ(answer(U, GP_READ, TALLY_CSR_SIREG), GP_CSR_ILLEGAL);
    CHECK_EQ(answer(VU, GP_READ, TALLY_CSR_SIREG), GP_CSR_VIRTUAL);
    CHECK_EQ(answer(VS, GP_READ, TALLY_CSR_SIREG), GP_CSR_VIRTUAL);
    CHECK_EQ(answer(VS, GP_READ, TALLY_CSR_SISELECT), GP_CSR_OK);
    CHECK_EQ(answer(VS, GP_READ, TALLY_CSR_VSISELECT), GP_CSR_VIRTUAL);
    CHECK_EQ(answer(S, GP_READ, TALLY_CSR_VSISELECT), GP_CSR_OK);
    CHECK_EQ(answer(S, GP_READ, TALLY_CSR_VSIREG), GP_CSR_ILLEGAL);
    CHECK_EQ(answer(M, GP_READ, TALLY_CSR_MIREG), GP_CSR_ILLEGAL);
    in.env.hstateen0 = 0;
    CHECK_EQ(answer(VS, GP_READ, TALLY_CSR_SISELECT), GP_CSR_VIRTUAL);
    in.env.mstateen0 = 0;
    CHECK_EQ(answer(VS, GP_READ, TALLY_CSR_SISELECT), GP_CSR_ILLEGAL);
    CHECK_EQ(answer(VU, GP_READ, TALLY_CSR_SIREG), GP_CSR_ILLEGAL);
    CHECK_EQ(answer(S, GP_READ, TALLY_CSR_SISELECT), GP_CSR_ILLEGAL);
    CHECK_EQ(answer(M, GP_READ, TALLY_CSR_SISELECT), GP_CSR_OK);
}

static void siselect_with_v_is_vsiselect(void) {
    defaults();
    cfg.hyp = true;
    start();
    csr(VS, GP_WRITE, TALLY_CSR_SISELECT, 0x123);
    csr(S, GP_WRITE, TALLY_CSR_SISELECT, UINT64_MAX);
    CHECK_EQ(peek(TALLY_CSR_VSISELECT), 0x123);
    CHECK_EQ(peek(TALLY_CSR_SISELECT), 0xFFF);
}

static void delegated_windows(void) {
    static const enum gp_answer want64[] = {GP_CSR_OK,      GP_CSR_OK,      GP_CSR_ILLEGAL,
                                            GP_CSR_ILLEGAL, GP_CSR_ILLEGAL, GP_CSR_ILLEGAL};
    static const enum gp_answer want32[] = {GP_CSR_OK, GP_CSR_OK, GP_CSR_ILLEGAL,
                                            GP_CSR_OK, GP_CSR_OK, GP_CSR_ILLEGAL};
    static const uint16_t window[] = {TALLY_CSR_SIREG,  TALLY_CSR_SIREG2, TALLY_CSR_SIREG3,
                                      TALLY_CSR_SIREG4, TALLY_CSR_SIREG5, TALLY_CSR_SIREG6};

    for (cfg.xlen = 32; cfg.xlen <= 64; cfg.xlen += 32) {
        unsigned xlen = cfg.xlen;

        gp_config_default(&cfg);
        cfg.xlen = xlen;
        start();
        w(TALLY_CSR_MCOUNTEREN, UINT32_MAX);
        for (unsigned i = 0; i < 32; i++) {
            w(TALLY_CSR_SISELECT, TALLY_COUNTER_SELECT + i);
            for (unsigned k = 0; k < 6; k++) {
                enum gp_answer want = i == 1 ? GP_CSR_ILLEGAL : (xlen == 64 ? want64 : want32)[k];

                in.env.cde = true;
                CHECK_EQ(answer(S, GP_READ, window[k]), want);
                CHECK_EQ(answer(M, GP_WRITE, window[k]), want);
                in.env.cde = false;
                CHECK_EQ(answer(S, GP_READ, window[k]), GP_CSR_ILLEGAL);
                CHECK_EQ(answer(M, GP_READ, window[k]), GP_CSR_ILLEGAL);
            }
        }
    }
}

static void delegated_views_alias_the_machine_registers(void) {
    defaults();
    in.env.cde = true;
    w(TALLY_CSR_MCOUNTEREN, 9);
    w(event(3), MINH | TALLY_EV_INST_RET);
    csr(S, GP_WRITE, TALLY_CSR_SISELECT, 0x43);
    CHECK_EQ(csr(S, GP_READ, TALLY_CSR_SIREG2, 0), TALLY_EV_INST_RET); /* MINH is hidden */
    csr(S, GP_WRITE, TALLY_CSR_SIREG2, OF | SINH | TALLY_EV_CYCLES_HART);
    CHECK_EQ(peek(event(3)), OF | MINH | SINH | TALLY_EV_CYCLES_HART); /* ... and kept */
    csr(S, GP_WRITE, TALLY_CSR_SIREG, 77);
    CHECK_EQ(peek(counter(3)), 77);
    csr(S, GP_WRITE, TALLY_CSR_SISELECT, TALLY_COUNTER_SELECT);
    csr(S, GP_WRITE, TALLY_CSR_SIREG2, UINT64_MAX);
    CHECK_EQ(peek(TALLY_CSR_MCYCLECFG), SINH | UINH);
}

static void scountinhibit_touches_delegated_bits_only(void) {
    defaults();
    cfg.hyp = true;
    start();
    CHECK_EQ(answer(M, GP_READ, TALLY_CSR_SCOUNTINHIBIT), GP_CSR_ILLEGAL);
    CHECK_EQ(answer(VS, GP_READ, TALLY_CSR_SCOUNTINHIBIT), GP_CSR_ILLEGAL);
    in.env.cde = true;
    CHECK_EQ(answer(VS, GP_READ, TALLY_CSR_SCOUNTINHIBIT), GP_CSR_VIRTUAL);
    CHECK_EQ(answer(VU, GP_READ, TALLY_CSR_SCOUNTINHIBIT), GP_CSR_VIRTUAL);
    CHECK_EQ(answer(U, GP_READ, TALLY_CSR_SCOUNTINHIBIT), GP_CSR_ILLEGAL);
    w(TALLY_CSR_MCOUNTEREN, 0x0F);
    w(TALLY_CSR_MCOUNTINHIBIT, 0xF4);
    CHECK_EQ(csr(S, GP_WRITE, TALLY_CSR_SCOUNTINHIBIT, 0x18), 4);
    CHECK_EQ(peek(TALLY_CSR_MCOUNTINHIBIT), 0xF8);
    CHECK_EQ(csr(S, GP_READ, TALLY_CSR_SCOUNTINHIBIT, 0), 8);
}

static void delegated_registers_need_their_extensions(void) {
    defaults();
    cfg.smcntrpmf = cfg.andes = false;
    start();
    in.env.cde = true;
    w(TALLY_CSR_MCOUNTEREN, UINT32_MAX);
    w(TALLY_CSR_SISELECT, TALLY_COUNTER_SELECT);
    CHECK_EQ(answer(S, GP_READ, TALLY_CSR_SIREG), GP_CSR_OK);
    CHECK_EQ(answer(S, GP_READ, TALLY_CSR_SIREG2), GP_CSR_ILLEGAL);
    gp_config_default(&cfg);
    cfg.xlen = 32;
    cfg.sscofpmf = cfg.andes = false;
    start();
    in.env.cde = true;
    w(TALLY_CSR_MCOUNTEREN, UINT32_MAX);
    w(TALLY_CSR_SISELECT, 0x43);
    CHECK_EQ(answer(S, GP_READ, TALLY_CSR_SIREG2), GP_CSR_OK);
    CHECK_EQ(answer(S, GP_READ, TALLY_CSR_SIREG5), GP_CSR_ILLEGAL);
}

static void counters_that_are_not_delegated_are_illegal_through_the_windows(void) {
    defaults();
    cfg.hpm_n = 6;
    start();
    in.env.cde = true;
    w(TALLY_CSR_MCOUNTEREN, UINT32_MAX & ~UINT32_C(8));
    for (unsigned i = 0; i < 32; i++) {
        bool there = i != 1 && i != 3 && i < 9;

        w(TALLY_CSR_SISELECT, TALLY_COUNTER_SELECT + i);
        CHECK_EQ(answer(S, GP_READ, TALLY_CSR_SIREG), there ? GP_CSR_OK : GP_CSR_ILLEGAL);
        CHECK_EQ(answer(M, GP_WRITE, TALLY_CSR_SIREG2), there ? GP_CSR_OK : GP_CSR_ILLEGAL);
    }
    w(TALLY_CSR_SISELECT, TALLY_RECORD_SELECT);
    CHECK_EQ(answer(M, GP_READ, TALLY_CSR_SIREG), GP_CSR_ILLEGAL);
    w(TALLY_CSR_SISELECT, 0x3F);
    CHECK_EQ(answer(M, GP_READ, TALLY_CSR_SIREG), GP_CSR_ILLEGAL);
}

static void guests_select_is_judged_by_its_own_register(void) {
    defaults();
    cfg.hyp = true;
    start();
    in.env.cde = true;
    w(TALLY_CSR_SISELECT, 0x43);
    w(TALLY_CSR_VSISELECT, 0x70);
    CHECK_EQ(answer(VS, GP_READ, TALLY_CSR_SIREG), GP_CSR_ILLEGAL);
    w(TALLY_CSR_VSISELECT, 0x45);
    CHECK_EQ(answer(VS, GP_READ, TALLY_CSR_SIREG), GP_CSR_VIRTUAL);
    in.env.cde = false;
    CHECK_EQ(answer(VS, GP_READ, TALLY_CSR_SIREG), GP_CSR_ILLEGAL);
    in.env.hstateen0 = 0; /* has priority over the select */
    CHECK_EQ(answer(VS, GP_READ, TALLY_CSR_SIREG), GP_CSR_VIRTUAL);
    CHECK_EQ(answer(M, GP_READ, TALLY_CSR_VSIREG), GP_CSR_ILLEGAL);
}

static void what_is_not_built_is_not_there(void) {
    defaults();
    CHECK_EQ(answer(M, GP_READ, TALLY_CSR_VSISELECT), GP_CSR_NOT_MINE); /* no H */
    cfg.sscofpmf = cfg.smcntrpmf = cfg.smcsrind = cfg.smcdeleg = cfg.swevent = cfg.andes = cfg.pcrange =
        false;
    start();
    CHECK_EQ(answer(M, GP_READ, TALLY_CSR_SCOUNTOVF), GP_CSR_NOT_MINE);
    CHECK_EQ(answer(M, GP_READ, TALLY_CSR_MCYCLECFG), GP_CSR_NOT_MINE);
    CHECK_EQ(answer(M, GP_READ, TALLY_CSR_MINSTRETCFG), GP_CSR_NOT_MINE);
    CHECK_EQ(answer(M, GP_READ, TALLY_CSR_MISELECT), GP_CSR_NOT_MINE);
    CHECK_EQ(answer(S, GP_READ, TALLY_CSR_SIREG), GP_CSR_NOT_MINE);
    CHECK_EQ(answer(S, GP_READ, TALLY_CSR_SCOUNTINHIBIT), GP_CSR_NOT_MINE);
    CHECK_EQ(answer(S, GP_WRITE, TALLY_CSR_SHPMSWINC), GP_CSR_NOT_MINE);
    program(3, UINT64_MAX, TALLY_EV_CYCLES_HART | OF | MINH);
    tick();
    CHECK_EQ(out.irq_lcofi, 0);
    CHECK_EQ(peek(event(3)), TALLY_EV_CYCLES_HART);
}

static void without_smstateen_nothing_is_closed(void) {
    defaults();
    cfg.smstateen = false;
    start();
    in.env.mstateen0 = in.env.hstateen0 = 0;
    CHECK_EQ(answer(S, GP_READ, TALLY_CSR_SISELECT), GP_CSR_OK);
    CHECK_EQ(answer(S, GP_WRITE, TALLY_CSR_SHPMSWINC), GP_CSR_OK);
}

static void machine_registers_are_for_m_mode(void) {
    static const uint16_t nums[] = {TALLY_CSR_MCYCLE,        TALLY_CSR_MHPMCOUNTER3, TALLY_CSR_MHPMEVENT3,
                                    TALLY_CSR_MCOUNTINHIBIT, TALLY_CSR_MCOUNTEREN,   TALLY_CSR_MCYCLECFG,
                                    TALLY_CSR_MISELECT,      TALLY_CSR_MCOUNTERWEN,  TALLY_CSR_MCOUNTEROVF,
                                    TALLY_CSR_MMSC_CFG};

    defaults();
    cfg.hyp = cfg.andes = true;
    start();
    for (unsigned k = 0; k < sizeof(nums) / sizeof(nums[0]); k++) {
        CHECK_EQ(answer(M, GP_READ, nums[k]), GP_CSR_OK);
        for (enum mode m = S; m <= VU; m++)
            CHECK_EQ(answer(m, GP_READ, nums[k]), GP_CSR_ILLEGAL);
    }
    CHECK_EQ(answer(M, GP_READ, TALLY_CSR_MIREG), GP_CSR_ILLEGAL); /* M-mode has no select value */
    CHECK_EQ(answer(M, GP_WRITE, TALLY_CSR_MMSC_CFG), GP_CSR_ILLEGAL);
    CHECK_EQ(peek(TALLY_CSR_MMSC_CFG), 0x8000);
}

static void scounteren_is_one_for_s_and_vs(void) {
    defaults();
    cfg.hyp = true;
    start();
    csr(VS, GP_WRITE, TALLY_CSR_SCOUNTEREN, 5);
    CHECK_EQ(csr(S, GP_READ, TALLY_CSR_SCOUNTEREN, 0), 5);
    CHECK_EQ(answer(U, GP_READ, TALLY_CSR_SCOUNTEREN), GP_CSR_ILLEGAL);
    CHECK_EQ(answer(VU, GP_READ, TALLY_CSR_SCOUNTEREN), GP_CSR_VIRTUAL);
}

static const struct test tests[] = {
    TEST(writable_bits_of_the_enables),
    TEST(high_halves_exist_on_rv32_only),
    TEST(who_may_read_a_user_counter),
    TEST(time_has_htimedelta_in_guests),
    TEST(enables_are_independent_and_only_let_see),
    TEST(mcounteren_tm_is_shown_to_the_host),
    TEST(scountovf_shows_what_the_mode_may_see),
    TEST(indirect_access_exceptions_in_order),
    TEST(siselect_with_v_is_vsiselect),
    TEST(delegated_windows),
    TEST(delegated_views_alias_the_machine_registers),
    TEST(scountinhibit_touches_delegated_bits_only),
    TEST(delegated_registers_need_their_extensions),
    TEST(counters_that_are_not_delegated_are_illegal_through_the_windows),
    TEST(guests_select_is_judged_by_its_own_register),
    TEST(what_is_not_built_is_not_there),
    TEST(without_smstateen_nothing_is_closed),
    TEST(machine_registers_are_for_m_mode),
    TEST(scounteren_is_one_for_s_and_vs),
};

int main(void) { return run_tests("golden_pmu_access", tests, sizeof(tests) / sizeof(tests[0])); }
