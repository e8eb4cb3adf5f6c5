// SPDX-License-Identifier: Apache-2.0
/*
 * The golden PMU alone: the program counter range (docs/pmu.md). One test for each rule.
 */
#include "pmu_selectors.h"

static void range_takes_its_beginning_and_not_its_end(void) {
    static const uint64_t pc[] = {0xFFE, 0x1000, 0x1002, 0x1FFE, 0x2000};

    lanes(1);
    program(3, 0, TALLY_EV_INST_RET);
    range(0x1001, 0x2001); /* bit 0 reads 0 */
    CHECK_EQ(peek(TALLY_CSR_SHPMPCLO), 0x1000);
    CHECK_EQ(peek(TALLY_CSR_SHPMPCHI), 0x2000);
    in.ev_retire[0] = INST;
    for (unsigned k = 0; k < 5; k++) {
        in.retire[0].pc = pc[k];
        CHECK_EQ(gain(), k > 0 && k < 4);
    }
}

static void range_is_unsigned_and_may_be_empty(void) {
    lanes(1);
    program(3, 0, TALLY_EV_INST_RET);
    in.ev_retire[0] = INST;
    in.retire[0].pc = UINT64_C(0xFFFFFFC000000000);
    range(0x1000, UINT64_MAX);
    CHECK_EQ(gain(), 1);
    range(UINT64_MAX, 0x1000);
    CHECK_EQ(gain(), 0);
    range(UINT64_C(0xFFFFFFC000000000), UINT64_C(0xFFFFFFC000000000));
    CHECK_EQ(gain(), 0);
}

static void range_is_for_selected_counters_and_a_lane_at_a_time(void) {
    lanes(4);
    program(3, 0, TALLY_EV_INST_RET);
    program(4, 0, TALLY_EV_INST_RET);
    range(0x1000, 0x2000);
    w(TALLY_CSR_MINSTRET, 0);
    for (unsigned lane = 0; lane < 4; lane++) {
        in.ev_retire[lane] = INST;
        in.retire[lane].pc = 0x0F00 + 0x100 * lane;
    }
    tick();
    CHECK_EQ(peek(counter(3)), 3);
    CHECK_EQ(peek(counter(4)), 4);
    CHECK_EQ(peek(TALLY_CSR_MINSTRET), 4);
}

static void range_leaves_cycle_events_alone(void) {
    lanes(1);
    program(3, 0, TALLY_EV_CYCLES_REF);
    range(0x1000, 0x1000);
    CHECK_EQ(gain(), 1);
    w(event(3), combine(OP_ADD, TALLY_EV_CYCLES_REF, TALLY_EV_INST_RET, 0, 0));
    in.ev_retire[0] = INST;
    CHECK_EQ(gain(), 1);
}

static void range_limits_the_retire_terms_of_a_combination(void) {
    lanes(4);
    range(0x1000, 0x2000);
    program(3, 0, combine(OP_XOR, TALLY_EV_CYCLES_REF, TALLY_EV_INST_RET, 0, 0));
    for (unsigned lane = 0; lane < 4; lane++) {
        in.ev_retire[lane] = INST;
        in.retire[lane].pc = lane ? 0x3000 : 0x1000;
    }
    CHECK_EQ(gain(), 3); /* the other lanes count without this term */
}

static void range_write_acts_from_the_next_cycle(void) {
    lanes(1);
    program(3, 0, TALLY_EV_INST_RET);
    range(0x1000, 0x2000);
    in.ev_retire[0] = INST;
    in.retire[0].pc = 0x1800;
    w(TALLY_CSR_SHPMPCHI, 0x1800);
    CHECK_EQ(peek(counter(3)), 1);
    CHECK_EQ(gain(), 0);
    w(TALLY_CSR_SHPMPCSEL, 0);
    CHECK_EQ(peek(counter(3)), 1);
    CHECK_EQ(gain(), 1);
}

static void who_may_set_the_range(void) {
    static const uint16_t nums[] = {TALLY_CSR_SHPMPCLO, TALLY_CSR_SHPMPCHI, TALLY_CSR_SHPMPCSEL};

    lanes(1);
    cfg.hyp = true;
    cfg.hpm_n = 6;
    start();
    for (unsigned k = 0; k < 3; k++) {
        in.env.mstateen0 = in.env.hstateen0 = UINT64_MAX;
        CHECK_EQ(answer(M, GP_WRITE, nums[k]), GP_CSR_OK);
        CHECK_EQ(answer(S, GP_WRITE, nums[k]), GP_CSR_OK);
        CHECK_EQ(answer(U, GP_READ, nums[k]), GP_CSR_ILLEGAL);
        CHECK_EQ(answer(VS, GP_WRITE, nums[k]), GP_CSR_OK);
        CHECK_EQ(answer(VU, GP_READ, nums[k]), GP_CSR_VIRTUAL);
        in.env.hstateen0 = ~UINT64_C(1);
        CHECK_EQ(answer(S, GP_READ, nums[k]), GP_CSR_OK);
        CHECK_EQ(answer(VS, GP_READ, nums[k]), GP_CSR_VIRTUAL);
        in.env.mstateen0 = ~UINT64_C(1);
        CHECK_EQ(answer(M, GP_READ, nums[k]), GP_CSR_OK);
        CHECK_EQ(answer(S, GP_READ, nums[k]), GP_CSR_ILLEGAL);
        CHECK_EQ(answer(VS, GP_READ, nums[k]), GP_CSR_ILLEGAL);
        CHECK_EQ(answer(VU, GP_READ, nums[k]), GP_CSR_ILLEGAL);
    }
    w(TALLY_CSR_SHPMPCSEL, UINT64_MAX);
    CHECK_EQ(peek(TALLY_CSR_SHPMPCSEL), 0x1F8);
    gp_config_default(&cfg);
    cfg.pcrange = false;
    start();
    for (unsigned k = 0; k < 3; k++)
        CHECK_EQ(answer(M, GP_READ, nums[k]), GP_CSR_NOT_MINE);
}

/* mcounteren with CDE, or mcounterwen */
static void range_below_m_is_of_shared_counters_alone(void) {
    for (unsigned bits = 0; bits < 8; bits++) {
        bool cde = bits & 1, mc = bits & 2, wen = bits & 4, shared = (cde && mc) || wen;

        lanes(1);
        cfg.andes = true;
        start();
        in.env.cde = cde;
        w(TALLY_CSR_MCOUNTEREN, mc ? 8 : 0);
        w(TALLY_CSR_MCOUNTERWEN, wen ? 8 : 0);
        csr(S, GP_WRITE, TALLY_CSR_SHPMPCSEL, UINT32_MAX);
        CHECK_EQ(peek(TALLY_CSR_SHPMPCSEL), shared ? 8 : 0);
        w(TALLY_CSR_SHPMPCSEL, 0x18);
        CHECK_EQ(csr(S, GP_READ, TALLY_CSR_SHPMPCSEL, 0), shared ? 8 : 0);
        csr(S, GP_CLEAR, TALLY_CSR_SHPMPCSEL, UINT32_MAX);
        CHECK_EQ(peek(TALLY_CSR_SHPMPCSEL), shared ? 0x10 : 0x18);
    }
}

/* Not even if M-mode has chosen it: the bounds are S-mode's, too. The choice comes back with the right. */
static void range_acts_on_shared_counters_alone(void) {
    lanes(1);
    program(3, 0, TALLY_EV_INST_RET);
    range(0x1000, 0x2000);
    in.ev_retire[0] = INST;
    in.retire[0].pc = 0x3000;
    CHECK_EQ(gain(), 0);
    in.env.cde = false;
    csr(S, GP_WRITE, TALLY_CSR_SHPMPCHI, 0);
    CHECK_EQ(gain(), 1);
    in.env.cde = true;
    CHECK_EQ(gain(), 0);
    w(TALLY_CSR_MCOUNTEREN, ~8u);
    CHECK_EQ(gain(), 1);
    CHECK_EQ(peek(TALLY_CSR_SHPMPCSEL), 8);
}

static void rv32_range_is_32_bits(void) {
    lanes(1);
    cfg.xlen = 32;
    start();
    w(TALLY_CSR_MCOUNTEREN, 8);
    range(0x80000000, UINT32_MAX);
    CHECK_EQ(peek(TALLY_CSR_SHPMPCHI), 0xFFFFFFFE);
    program(3, 0, TALLY_EV_INST_RET);
    in.ev_retire[0] = INST;
    in.retire[0].pc = 0x80000000;
    CHECK_EQ(gain(), 1);
}

static const struct test tests[] = {
    TEST(range_takes_its_beginning_and_not_its_end),
    TEST(range_is_unsigned_and_may_be_empty),
    TEST(range_is_for_selected_counters_and_a_lane_at_a_time),
    TEST(range_leaves_cycle_events_alone),
    TEST(range_limits_the_retire_terms_of_a_combination),
    TEST(range_write_acts_from_the_next_cycle),
    TEST(who_may_set_the_range),
    TEST(range_below_m_is_of_shared_counters_alone),
    TEST(range_acts_on_shared_counters_alone),
    TEST(rv32_range_is_32_bits),
};

int main(void) { return run_tests("golden_pmu_range", tests, sizeof(tests) / sizeof(tests[0])); }
