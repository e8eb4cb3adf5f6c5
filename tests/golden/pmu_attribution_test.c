// SPDX-License-Identifier: Apache-2.0
/*
 * The golden PMU alone: whose overflow it was (Sspesa, Ssplcofi; docs/sampling.md). One test for each rule.
 */
#include "pmu_sampling.h"

static void the_cause_is_the_lane_that_wraps(void) {
    sampler(64, 4);
    program(5, UINT64_MAX - 1, TALLY_EV_INST_LOAD_RET);
    retire(0, 0x100, UINT64_C(1) << TALLY_EVR_LOAD);
    retire(1, 0x104, 0);
    retire(2, 0x108, UINT64_C(1) << TALLY_EVR_LOAD);
    retire(3, 0x10C, UINT64_C(1) << TALLY_EVR_LOAD);
    tick();
    CHECK_EQ(out.irq_lcofi, true);
    CHECK_EQ(peek(TALLY_CSR_SHPMSPC), 0x108);
    CHECK_EQ(peek(TALLY_CSR_SHPMSDATA), 5);
}

static void the_lowest_counter_is_recorded(void) {
    sampler(64, 2);
    w(TALLY_CSR_MCOUNTINHIBIT, ALL_ONES);
    overflow_in(9, TALLY_EV_INST_RET);
    overflow_in(5, TALLY_EV_INST_LOAD_RET);
    w(TALLY_CSR_MCOUNTINHIBIT, 0);
    retire(0, 0x100, 0);
    retire(1, 0x104, UINT64_C(1) << TALLY_EVR_LOAD);
    tick();
    CHECK_EQ(peek(TALLY_CSR_SHPMSDATA), 5);
    CHECK_EQ(peek(TALLY_CSR_SHPMSPC), 0x104);
}

static void only_the_first_overflow_before_the_trap_is_recorded(void) {
    sampler(64, 1);
    overflow_in(5, TALLY_EV_INST_RET);
    in.env.lcofip = true;
    retire(0, 0x100, 0);
    tick();
    CHECK_EQ(out.irq_lcofi, true);
    CHECK_EQ(peek(TALLY_CSR_SHPMSPC), 0);
}

static void a_second_overflow_of_the_same_counter_records_nothing(void) {
    sampler(64, 1);
    program(5, UINT64_MAX, TALLY_EV_INST_RET | OF);
    retire(0, 0x100, 0);
    tick();
    CHECK_EQ(peek(TALLY_CSR_SHPMSPC), 0);
}

static void under_delegation_machine_counters_record_nothing(void) {
    sampler(64, 1);
    in.env.cde = true;
    w(TALLY_CSR_MCOUNTEREN, 1 << 9);
    w(TALLY_CSR_MCOUNTINHIBIT, ALL_ONES);
    overflow_in(5, TALLY_EV_INST_RET);
    overflow_in(9, TALLY_EV_INST_RET);
    w(TALLY_CSR_MCOUNTINHIBIT, 0);
    retire(0, 0x100, 0);
    tick();
    CHECK_EQ(peek(TALLY_CSR_SHPMSDATA), 9);
}

static void an_andes_overflow_records_nothing(void) {
    sampler(64, 1);
    w(TALLY_CSR_MCOUNTERINEN, 1 << 5);
    overflow_in(5, TALLY_EV_INST_RET);
    retire(0, 0x100, 0);
    tick();
    CHECK_EQ(out.irq_andes, true);
    CHECK_EQ(peek(TALLY_CSR_SHPMSPC), 0);
}

static uint64_t pc_of_a_cycle_overflow(bool retiring, bool flushed) {
    w(event(3), TALLY_EV_CYCLES_HART);
    w(counter(3), UINT64_MAX - 1); /* the write's own cycle is not counted, the next two are */
    tick();
    if (retiring) {
        retire(1, 0x104, 0);
        retire(2, 0x108, 0);
    }
    in.ret_next_pc = 0x200;
    in.ret_flush_pc = 0x300;
    in.ret_flushed = flushed;
    tick();
    CHECK_EQ(out.irq_lcofi, true);
    clear_ports();
    return peek(TALLY_CSR_SHPMSPC);
}

static void cycles_belong_to_who_exposes_them(void) {
    sampler(64, 4);
    CHECK_EQ(pc_of_a_cycle_overflow(true, true), 0x104);
    start();
    CHECK_EQ(pc_of_a_cycle_overflow(false, false), 0x200);
    start();
    CHECK_EQ(pc_of_a_cycle_overflow(false, true), 0x300);
    cfg.spesa_next = true;
    start();
    CHECK_EQ(pc_of_a_cycle_overflow(false, true), 0x200);
}

static void a_write_of_shpmspc_wins(void) {
    sampler(64, 1);
    overflow_in(5, TALLY_EV_INST_RET);
    retire(0, 0x100, 0);
    w(TALLY_CSR_SHPMSPC, 0x4321);
    CHECK_EQ(peek(TALLY_CSR_SHPMSPC), 0x4320); /* bit 0 is 0 */
    CHECK_EQ(peek(TALLY_CSR_SHPMSDATA), 5);
}

static void who_may_read_shpmspc(void) {
    sampler(64, 1);
    cfg.hyp = true;
    start();
    in.env.mstateen0 = 0;
    CHECK_EQ(answer(M, GP_READ, TALLY_CSR_SHPMSPC), GP_CSR_OK);
    for (unsigned mode = S; mode <= VU; mode++)
        CHECK_EQ(answer(mode, GP_READ, TALLY_CSR_SHPMSDATA), GP_CSR_ILLEGAL);
    in.env.cde = true;
    CHECK_EQ(answer(S, GP_WRITE, TALLY_CSR_SHPMSPC), GP_CSR_OK);
    CHECK_EQ(answer(U, GP_READ, TALLY_CSR_SHPMSPC), GP_CSR_ILLEGAL);
    CHECK_EQ(answer(VS, GP_READ, TALLY_CSR_SHPMSPC), GP_CSR_VIRTUAL);
    CHECK_EQ(answer(VU, GP_READ, TALLY_CSR_SHPMSPC), GP_CSR_VIRTUAL);
    gp_config_default(&cfg);
    start();
    CHECK_EQ(answer(M, GP_READ, TALLY_CSR_SHPMSPC), GP_CSR_NOT_MINE);
    CHECK_EQ(answer(M, GP_READ, TALLY_CSR_MPDISCTL), GP_CSR_NOT_MINE);
}

/* Ssplcofi: the lane that wraps a counter must be the last that retires. */
static void retirement_is_limited_before_a_wrap(void) {
    sampler(64, 4);
    tick();
    CHECK_EQ(out.ret_max, 4);
    program(5, UINT64_MAX - 2, TALLY_EV_INST_LOAD_RET);
    tick();
    CHECK_EQ(out.ret_max, 3);
    program(6, UINT64_MAX, TALLY_EV_INST_STORE_RET);
    tick();
    CHECK_EQ(out.ret_max, 1);
    w(event(6), TALLY_EV_INST_STORE_RET | OF);
    tick();
    CHECK_EQ(out.ret_max, 3);
    w(TALLY_CSR_MCOUNTINHIBIT, 1 << 5);
    tick();
    CHECK_EQ(out.ret_max, 4);
    w(event(5), TALLY_EV_CYCLES_BUS); /* not precise */
    tick();
    CHECK_EQ(out.ret_max, 4);
}

static const struct test tests[] = {
    TEST(the_cause_is_the_lane_that_wraps),
    TEST(the_lowest_counter_is_recorded),
    TEST(only_the_first_overflow_before_the_trap_is_recorded),
    TEST(a_second_overflow_of_the_same_counter_records_nothing),
    TEST(under_delegation_machine_counters_record_nothing),
    TEST(an_andes_overflow_records_nothing),
    TEST(cycles_belong_to_who_exposes_them),
    TEST(a_write_of_shpmspc_wins),
    TEST(who_may_read_shpmspc),
    TEST(retirement_is_limited_before_a_wrap),
};

int main(void) { return run_tests("golden_pmu_attribution", tests, sizeof(tests) / sizeof(tests[0])); }
