// SPDX-License-Identifier: Apache-2.0
/*
 * The golden PMU alone: the retire lane that causes a wrap (docs/rulings.md, Several events in a cycle). A
 * test for each rule.
 */
#include "pmu_selectors.h"

static void cause_is_the_lane_whose_step_wraps(void) {
    for (unsigned set = 1; set < 256; set++)
        for (unsigned distance = 1; distance <= 8; distance++) {
            unsigned nth = 0, want = GP_NO_LANE;

            lanes(8);
            program(3, -(uint64_t)distance, TALLY_EV_INST_LOAD_RET);
            w(TALLY_CSR_MINSTRET, -(uint64_t)distance);
            for (unsigned lane = 0; lane < 8; lane++) {
                in.ev_retire[lane] = set >> lane & 1 ? INST | LOAD : 0;
                if (set >> lane & 1 && ++nth == distance)
                    want = lane;
            }
            tick();
            CHECK_EQ(out.wraps, want == GP_NO_LANE ? 0 : 0xC);
            if (want != GP_NO_LANE) {
                CHECK_EQ(out.cause[3], want);
                CHECK_EQ(out.cause[2], want);
            }
        }
}

static void cause_of_several_wraps_is_the_first(void) {
    lanes(8);
    cfg.hpm_w = 1;
    start();
    program(3, 1, TALLY_EV_INST_RET);
    for (unsigned lane = 2; lane < 8; lane++)
        in.ev_retire[lane] = INST;
    tick();
    CHECK_EQ(out.cause[3], 2);
    w(counter(3), 0);
    tick();
    CHECK_EQ(out.cause[3], 3);
}

static void cause_lies_inside_the_range(void) {
    lanes(4);
    program(3, UINT64_MAX, TALLY_EV_INST_RET);
    range(0x1000, 0x2000);
    for (unsigned lane = 0; lane < 4; lane++) {
        in.ev_retire[lane] = INST;
        in.retire[lane].pc = lane < 2 ? 0 : 0x1000;
    }
    tick();
    CHECK_EQ(out.cause[3], 2);
}

static void cycle_events_have_no_causal_lane(void) {
    lanes(4);
    program(3, UINT64_MAX, TALLY_EV_CYCLES_HART);
    in.ev_retire[0] = INST;
    tick();
    CHECK_EQ(out.wraps, 8);
    CHECK_EQ(out.cause[3], GP_NO_LANE);
}

static const struct test tests[] = {
    TEST(cause_is_the_lane_whose_step_wraps),
    TEST(cause_of_several_wraps_is_the_first),
    TEST(cause_lies_inside_the_range),
    TEST(cycle_events_have_no_causal_lane),
};

int main(void) { return run_tests("golden_pmu_cause", tests, sizeof(tests) / sizeof(tests[0])); }
