// SPDX-License-Identifier: Apache-2.0
/*
 * The golden PMU alone: overflow, its interrupt, and filters by mode (Sscofpmf). One test for each rule.
 */
#include "pmu_rig.h"

static void overflow_requests_once(void) {
    defaults();
    program(3, UINT64_MAX, TALLY_EV_CYCLES_HART);
    tick();
    CHECK_EQ(out.irq_lcofi, 1);
    CHECK_EQ(peek(TALLY_CSR_SCOUNTOVF), 8);
    w(counter(3), UINT64_MAX);
    tick(); /* OF is 1 already */
    CHECK_EQ(out.irq_lcofi, 0);
    CHECK_EQ(peek(counter(3)), 0);
    csr(M, GP_CLEAR, event(3), OF);
    w(counter(3), UINT64_MAX);
    tick();
    CHECK_EQ(out.irq_lcofi, 1);
}

static void writes_never_overflow(void) {
    defaults();
    program(3, UINT64_MAX, TALLY_EV_CYCLES_HART);
    w(counter(3), 0); /* in the cycle of the wrap */
    CHECK_EQ(out.irq_lcofi, 0);
    CHECK_EQ(peek(event(3)) >> 63, 0);
    w(event(3), OF);
    CHECK_EQ(out.irq_lcofi, 0);
}

static void increments_above_one_overflow_by_the_carry(void) {
    for (unsigned distance = 1; distance <= 10; distance++) {
        defaults();
        cfg.retire_w = 8;
        start();
        program(3, -(uint64_t)distance, TALLY_EV_INST_RET);
        for (unsigned lane = 0; lane < 8; lane++)
            in.ev_retire[lane] = INST;
        tick();
        CHECK_EQ(out.irq_lcofi, distance <= 8);
        CHECK_EQ(peek(counter(3)), 8 - (uint64_t)distance);
    }
}

static void event_written_as_it_overflows(void) {
    defaults();
    program(3, UINT64_MAX, TALLY_EV_CYCLES_HART);
    w(event(3), TALLY_EV_CYCLES_HART); /* OF written 0: the write wins, the request stays */
    CHECK_EQ(out.irq_lcofi, 1);
    CHECK_EQ(peek(event(3)), TALLY_EV_CYCLES_HART);
    CHECK_EQ(peek(counter(3)), 0);
    program(3, UINT64_MAX, TALLY_EV_CYCLES_HART);
    csr(M, GP_SET, event(3), MINH); /* OF not written: the hardware sets it */
    CHECK_EQ(peek(event(3)), TALLY_EV_CYCLES_HART | MINH | OF);
}

/* The clearing acts first: the overflow is a new one, even if OF was 1. CSRRW writes its value. */
static void of_cleared_in_the_cycle_of_a_wrap_is_set_again_and_requests(void) {
    static const uint64_t before[] = {0, OF};

    for (unsigned k = 0; k < 2; k++) {
        defaults();
        program(3, UINT64_MAX - 1, TALLY_EV_CYCLES_HART | before[k]);
        tick();
        csr(M, GP_CLEAR, event(3), OF);
        CHECK_EQ(out.irq_lcofi, 1);
        CHECK_EQ(peek(event(3)), TALLY_EV_CYCLES_HART | OF);
        CHECK_EQ(peek(counter(3)), 0);
        w(counter(3), UINT64_MAX);
        csr(M, GP_CLEAR, event(3), MINH); /* another bit: nothing is cleared, OF is 1 */
        CHECK_EQ(out.irq_lcofi, 0);
        CHECK_EQ(peek(event(3)), TALLY_EV_CYCLES_HART | OF);
        w(event(3), TALLY_EV_CYCLES_HART | before[k]);
        w(counter(3), UINT64_MAX);
        w(event(3), TALLY_EV_CYCLES_HART);
        CHECK_EQ(out.irq_lcofi, !before[k]);
        CHECK_EQ(peek(event(3)), TALLY_EV_CYCLES_HART);
    }
    defaults();
    cfg.xlen = 32;
    start();
    program(3, UINT32_MAX, TALLY_EV_CYCLES_HART);
    w(TALLY_CSR_MHPMEVENT3H, OF >> 32);
    w(TALLY_CSR_MHPMCOUNTER3H, UINT32_MAX);
    w(counter(3), UINT32_MAX);
    csr(M, GP_CLEAR, TALLY_CSR_MHPMEVENT3H, OF >> 32);
    CHECK_EQ(out.irq_lcofi, 1);
    CHECK_EQ(peek(event(3)), TALLY_EV_CYCLES_HART | OF);
}

static void rv32_low_half_of_an_event_leaves_of_alone(void) {
    defaults();
    cfg.xlen = 32;
    start();
    w(event(3), TALLY_EV_CYCLES_HART);
    w(TALLY_CSR_MHPMCOUNTER3H, UINT32_MAX);
    w(counter(3), UINT32_MAX);
    w(event(3), TALLY_EV_INST_RET);
    CHECK_EQ(out.irq_lcofi, 1);
    CHECK_EQ(peek(event(3)), TALLY_EV_INST_RET | OF);
    w(TALLY_CSR_MHPMEVENT3H, 0x7FFFFFFF); /* no selector bits */
    CHECK_EQ(peek(event(3)), TALLY_EV_INST_RET | MINH | SINH | UINH);
}

static void nothing_but_an_increment_requests(void) {
    defaults();
    program(3, UINT64_MAX, TALLY_EV_INST_RET);
    w(event(3), OF | TALLY_EV_INST_RET);
    CHECK_EQ(out.irq_lcofi, 0);
    w(event(3), TALLY_EV_INST_LOAD_RET);
    CHECK_EQ(out.irq_lcofi, 0);
    w(TALLY_CSR_MCOUNTINHIBIT, 8);
    w(TALLY_CSR_MCOUNTINHIBIT, 0);
    CHECK_EQ(out.irq_lcofi, 0);
    csr(M, GP_CLEAR, counter(3), UINT64_MAX);
    CHECK_EQ(out.irq_lcofi, 0);
    CHECK_EQ(peek(event(3)) >> 63, 0);
}

static void several_overflows_are_one_request(void) {
    defaults();
    for (unsigned i = 3; i < 32; i++)
        w(event(i), TALLY_EV_SOFTWARE);
    for (unsigned i = 3; i < 32; i++)
        w(counter(i), UINT64_MAX);
    w(TALLY_CSR_SHPMSWINC, 1);
    CHECK_EQ(out.irq_lcofi, 1);
    CHECK_EQ(peek(TALLY_CSR_SCOUNTOVF), 0xFFFFFFF8);
    tick();
    CHECK_EQ(out.irq_lcofi, 0);
}

static void mcycle_and_minstret_never_request(void) {
    defaults();
    w(TALLY_CSR_MCYCLE, UINT64_MAX);
    tick();
    CHECK_EQ(out.irq_lcofi, 0);
    CHECK_EQ(peek(TALLY_CSR_MCYCLE), 0);
}

static void filters_by_mode(void) {
    static const uint64_t filter[] = {MINH, SINH, UINH, VSINH, UINT64_C(1) << 58};

    defaults();
    cfg.hyp = true;
    start();
    for (enum mode f = M; f <= VU; f++) {
        run_in(M);
        program(3, 0, TALLY_EV_CYCLES_HART | filter[f]);
        w(TALLY_CSR_MCYCLECFG, filter[f]);
        for (enum mode m = M; m <= VU; m++) {
            uint64_t before = peek(counter(3)), cycles = peek(TALLY_CSR_MCYCLE);

            run_in(m);
            tick();
            CHECK_EQ(peek(counter(3)) - before, m != f);
            CHECK_EQ(peek(TALLY_CSR_MCYCLE) - cycles, m != f);
        }
    }
}

static void filters_of_missing_modes_are_read_only_0(void) {
    defaults();
    w(event(3), UINT64_C(0x7C) << 56);
    CHECK_EQ(peek(event(3)), MINH | SINH | UINH);
    w(TALLY_CSR_MCYCLECFG, UINT64_MAX);
    CHECK_EQ(peek(TALLY_CSR_MCYCLECFG), MINH | SINH | UINH);
}

static const struct test tests[] = {
    TEST(overflow_requests_once),
    TEST(writes_never_overflow),
    TEST(increments_above_one_overflow_by_the_carry),
    TEST(event_written_as_it_overflows),
    TEST(of_cleared_in_the_cycle_of_a_wrap_is_set_again_and_requests),
    TEST(rv32_low_half_of_an_event_leaves_of_alone),
    TEST(nothing_but_an_increment_requests),
    TEST(several_overflows_are_one_request),
    TEST(mcycle_and_minstret_never_request),
    TEST(filters_by_mode),
    TEST(filters_of_missing_modes_are_read_only_0),
};

int main(void) { return run_tests("golden_pmu_overflow", tests, sizeof(tests) / sizeof(tests[0])); }
