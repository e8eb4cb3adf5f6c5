// SPDX-License-Identifier: Apache-2.0
/*
 * The golden PMU alone: combined selectors (docs/pmu.md). One test for each rule.
 */
#include "pmu_selectors.h"

/* ---- which selectors there are */

static void combinations_read_back_where_they_are_built(void) {
    uint64_t full = combine(OP_XOR, TALLY_EV_INST_LOAD_RET, TALLY_EV_CYCLES_BUS, TALLY_EV_BUS_WR,
                            TALLY_EV_CACHE_L1D_RD_MISS_RET) |
                    EDGE | INV | THR(0xA5);

    lanes(1);
    w(event(3), full | OF | SINH);
    CHECK_EQ(peek(event(3)), full | OF | SINH);
    w(event(6), full);
    CHECK_EQ(peek(event(6)), full);
    w(event(7), full | UINH);
    CHECK_EQ(peek(event(7)), UINH);
    gp_config_default(&cfg);
    cfg.comb_n = 0;
    start();
    w(event(3), full);
    CHECK_EQ(peek(event(3)), 0);
}

static void a_term_that_is_no_event_empties_the_selector(void) {
    lanes(1);
    for (unsigned number = 0; number < 256; number++) {
        bool there = number < sizeof(tally_events) / sizeof(tally_events[0]) &&
                     tally_events[number].kind != TALLY_EVENT_NONE;

        for (unsigned k = 0; k < 4; k++) {
            uint64_t selector = raw(OP_OR, k == 0 ? number : 1, k == 1 ? number : 1, k == 2 ? number : 1,
                                    k == 3 ? number : 1);
            w(event(3), selector);
            CHECK_EQ(peek(event(3)), there || !number ? selector : 0);
        }
    }
}

static void reserved_bits_and_types_empty_the_selector(void) {
    lanes(1);
    for (unsigned at = 48; at < 56; at++) {
        w(event(3), raw(OP_OR, 1, 0, 0, 0) | UINT64_C(1) << at);
        CHECK_EQ(peek(event(3)), 0);
    }
    for (unsigned type = 0; type < 16; type++) {
        w(event(3), (uint64_t)type << 16);
        CHECK_EQ(peek(event(3)), type == 4 || type == 1 ? (uint64_t)type << 16 : 0);
    }
}

static void rv32_combination_is_written_in_three_steps(void) {
    uint64_t old = combine(OP_ADD, TALLY_EV_INST_RET, 0, 0, TALLY_EV_CYCLES_STALL_FRONTEND) | THR(3);
    uint64_t new =
        combine(OP_OR, TALLY_EV_BUS_RD, TALLY_EV_BUS_WR, TALLY_EV_INST_RET, TALLY_EV_EXCEPTION) | EDGE;

    lanes(1);
    cfg.xlen = 32;
    start();
    for (unsigned k = 0; k < 2; k++) {
        uint64_t selector = k ? new : old;

        w(event(3), 0);
        CHECK_EQ(peek(event(3)), 0);
        w(event(3), (uint32_t)selector);
        w(TALLY_CSR_MHPMEVENT3H, selector >> 32);
        CHECK_EQ(peek(event(3)), selector);
    }
    w(event(3), TALLY_EV_INST_RET); /* other types have no upper bits */
    CHECK_EQ(peek(event(3)), TALLY_EV_INST_RET);
    w(TALLY_CSR_MHPMEVENT3H, UINT32_MAX);
    CHECK_EQ(peek(event(3)), TALLY_EV_INST_RET | OF | MINH | SINH | UINH);
}

static void rv32_half_of_a_combination_is_judged_with_the_other(void) {
    uint64_t selector = raw(OP_OR, 1, 0, 0, 0x41);

    lanes(1);
    cfg.xlen = 32;
    start();
    w(event(3), (uint32_t)selector);
    w(TALLY_CSR_MHPMEVENT3H, selector >> 32);
    CHECK_EQ(peek(event(3)), selector);
    csr(M, GP_SET, TALLY_CSR_MHPMEVENT3H, 0x8); /* COMB_D becomes 0xC1: no event */
    CHECK_EQ(peek(event(3)), 0);
}

static void views_show_the_whole_selector(void) {
    uint64_t selector = combine(OP_ADD, TALLY_EV_BUS_RD, TALLY_EV_BUS_WR, 0, 0) | THR(2);

    lanes(1);
    cfg.andes = true;
    start();
    in.env.cde = true;
    w(TALLY_CSR_MCOUNTEREN, 0x88);
    w(TALLY_CSR_MCOUNTERWEN, 0x88);
    w(TALLY_CSR_SISELECT, 0x43);
    csr(S, GP_WRITE, TALLY_CSR_SIREG2, selector | SINH);
    CHECK_EQ(csr(S, GP_READ, TALLY_CSR_SHPMEVENT3, 0), selector);
    CHECK_EQ(peek(event(3)), selector | SINH);
    csr(S, GP_WRITE, TALLY_CSR_SHPMEVENT3 + 4, selector); /* counter 7 */
    CHECK_EQ(peek(event(7)), 0);
}

/* ---- counts */

static void operators_work_a_lane(void) {
    static const uint64_t counts[4] = {3, 1, 2, 4}; /* or, and, xor, add */

    for (unsigned op = OP_OR; op <= OP_ADD; op++) {
        lanes(4);
        program(3, 0, combine(op, TALLY_EV_INST_LOAD_RET, TALLY_EV_INST_STORE_RET, 0, 0));
        in.ev_retire[0] = INST | LOAD;
        in.ev_retire[1] = INST | STORE;
        in.ev_retire[2] = INST | LOAD | STORE;
        in.ev_retire[3] = INST;
        CHECK_EQ(gain(), counts[op]);
    }
}

static void a_single_term_is_itself(void) {
    for (unsigned op = OP_OR; op <= OP_ADD; op++)
        for (unsigned k = 0; k < 4; k++) {
            uint64_t e = ix(TALLY_EV_INST_LOAD_RET);

            lanes(4);
            program(3, 0, raw(op, k == 0 ? e : 0, k == 1 ? e : 0, k == 2 ? e : 0, k == 3 ? e : 0));
            in.ev_retire[0] = in.ev_retire[2] = in.ev_retire[3] = INST | LOAD;
            CHECK_EQ(gain(), 3);
        }
}

static void no_term_is_nothing(void) {
    for (unsigned op = OP_OR; op <= OP_ADD; op++) {
        lanes(2);
        program(3, 0, raw(op, 0, 0, 0, 0));
        CHECK_EQ(gain(), 0);
        w(event(3), raw(op, 0, 0, 0, 0) | THR(1) | INV);
        CHECK_EQ(gain(), 1);
    }
}

static void xor_of_four_terms_is_an_odd_number(void) {
    static const uint64_t wires[] = {LOAD, STORE, AMO, MUL};

    for (unsigned set = 0; set < 16; set++) {
        lanes(1);
        program(3, 0,
                combine(OP_XOR, TALLY_EV_INST_LOAD_RET, TALLY_EV_INST_STORE_RET, TALLY_EV_INST_AMO_RET,
                        TALLY_EV_INST_MUL_RET));
        in.ev_retire[0] = INST;
        for (unsigned k = 0; k < 4; k++)
            in.ev_retire[0] |= set >> k & 1 ? wires[k] : 0;
        CHECK_EQ(gain(), __builtin_popcount(set) & 1);
    }
}

static void cycle_event_stands_in_every_lane(void) {
    lanes(4);
    cfg.evc_w = 3;
    start();
    program(3, 0, combine(OP_AND, TALLY_EV_INST_LOAD_RET, TALLY_EV_BUS_WR, 0, 0));
    in.ev_retire[0] = in.ev_retire[3] = INST | LOAD;
    CHECK_EQ(gain(), 0);
    wire(TALLY_EVC_BUS_WR, 5); /* only zero or not zero matters */
    CHECK_EQ(gain(), 2);
    w(event(3), combine(OP_OR, TALLY_EV_INST_LOAD_RET, TALLY_EV_BUS_WR, 0, 0));
    CHECK_EQ(gain(), 4); /* whether the lanes retire or not */
    w(event(3), combine(OP_XOR, TALLY_EV_INST_LOAD_RET, TALLY_EV_BUS_WR, 0, 0));
    CHECK_EQ(gain(), 2);
    w(event(3), combine(OP_ADD, TALLY_EV_INST_LOAD_RET, TALLY_EV_BUS_WR, 0, 0));
    CHECK_EQ(gain(), 7);
}

static void cycle_events_alone_are_evaluated_once(void) {
    lanes(4);
    cfg.evc_w = 3;
    start();
    wire(TALLY_EVC_BUS_WR, 5);
    wire(TALLY_EVC_BUS_RD, 7);
    program(3, 0, combine(OP_OR, TALLY_EV_BUS_WR, TALLY_EV_BUS_RD, 0, 0));
    CHECK_EQ(gain(), 1);
    w(event(3), combine(OP_XOR, TALLY_EV_BUS_WR, TALLY_EV_BUS_RD, TALLY_EV_CYCLES_BUS, 0));
    CHECK_EQ(gain(), 1);
    w(event(3), combine(OP_ADD, TALLY_EV_BUS_WR, TALLY_EV_BUS_RD, TALLY_EV_CYCLES_BUS, TALLY_EV_BUS_RD));
    CHECK_EQ(gain(), 20);
}

static void largest_sum_fits(void) {
    lanes(1);
    cfg.evc_w = 8;
    start();
    wire(TALLY_EVC_BUS_WR, 255);
    program(3, 0, combine(OP_ADD, TALLY_EV_BUS_WR, TALLY_EV_BUS_WR, TALLY_EV_BUS_WR, TALLY_EV_BUS_WR));
    w(counter(3), -(uint64_t)1020);
    tick();
    CHECK_EQ(out.irq_lcofi, 1);
    CHECK_EQ(peek(counter(3)), 0);
}

static void threshold_and_its_inverse(void) {
    for (unsigned thr = 0; thr < 6; thr++)
        for (unsigned n = 0; n <= 4; n++) {
            uint64_t selector = combine(OP_OR, TALLY_EV_INST_RET, 0, 0, 0) | THR(thr);

            lanes(4);
            program(3, 0, selector);
            for (unsigned lane = 0; lane < n; lane++)
                in.ev_retire[lane] = INST;
            CHECK_EQ(gain(), thr ? n >= thr : n);
            w(event(3), selector | INV);
            CHECK_EQ(peek(event(3)), selector | INV);
            CHECK_EQ(gain(), thr ? n < thr : n);
        }
}

static void edge_counts_the_first_cycle(void) {
    static const uint8_t counts[] = {0, 2, 1, 0, 0, 3, 0, 1}, edges[] = {0, 1, 0, 0, 0, 1, 0, 1};

    lanes(4);
    program(3, 0, combine(OP_OR, TALLY_EV_INST_RET, 0, 0, 0) | EDGE);
    for (unsigned k = 0; k < sizeof(counts); k++) {
        memset(in.ev_retire, 0, sizeof(in.ev_retire));
        for (unsigned lane = 0; lane < counts[k]; lane++)
            in.ev_retire[lane] = INST;
        CHECK_EQ(gain(), edges[k]);
    }
}

static void edge_is_of_the_thresholded_result(void) {
    static const uint8_t counts[] = {1, 2, 4, 3, 1, 3};

    lanes(4);
    program(3, 0, combine(OP_OR, TALLY_EV_INST_RET, 0, 0, 0) | EDGE | THR(3));
    for (unsigned k = 0; k < sizeof(counts); k++) {
        memset(in.ev_retire, 0, sizeof(in.ev_retire));
        for (unsigned lane = 0; lane < counts[k]; lane++)
            in.ev_retire[lane] = INST;
        CHECK_EQ(gain(), k == 2 || k == 5);
    }
}

/* The event begins while counter 3 is stopped: there is no edge when it runs again. */
static void history_goes_on_while_the_counter_is_stopped(void) {
    for (unsigned how = 0; how < 4; how++) {
        lanes(1);
        program(3, 0, combine(OP_OR, TALLY_EV_INST_RET, 0, 0, 0) | EDGE | (how == 1 ? MINH : 0));
        if (how == 0)
            w(TALLY_CSR_MCOUNTINHIBIT, 8);
        in.mode.stopcount = how == 2;
        in.ev_retire[0] = INST;
        CHECK_EQ(gain(), how == 3);
        in.mode.stopcount = false;
        w(TALLY_CSR_MCOUNTINHIBIT, 0);
        run_in(U);
        CHECK_EQ(gain(), 0);
        in.ev_retire[0] = 0;
        CHECK_EQ(gain(), 0);
        in.ev_retire[0] = INST;
        CHECK_EQ(gain(), 1);
    }
}

static void history_starts_with_the_selector(void) {
    uint64_t edge = combine(OP_OR, TALLY_EV_CYCLES_REF, 0, 0, 0) | EDGE;

    lanes(1);
    program(3, 0, TALLY_EV_CYCLES_REF);
    w(counter(3), 0);
    w(event(3), edge); /* counts this cycle under the old selector */
    CHECK_EQ(gain(), 1);
    CHECK_EQ(gain(), 0);
    w(event(3), edge ^ EDGE); /* without EDGE: the history is still updated */
    CHECK_EQ(gain(), 1);
    w(event(3), edge);
    CHECK_EQ(gain(), 0);
    gp_reset(pmu);
    w(event(3), edge);
    CHECK_EQ(gain(), 1);
}

static void combinations_stand_while_halted(void) {
    lanes(1);
    program(3, 0, combine(OP_OR, TALLY_EV_CYCLES_BUS, 0, 0, 0));
    w(event(4), combine(OP_OR, TALLY_EV_INST_RET, 0, 0, 0) | EDGE);
    in.mode.halted = true;
    in.ev_retire[0] = INST;
    w(counter(4), 0);
    CHECK_EQ(gain(), 0);
    CHECK_EQ(peek(counter(4)), 0);
    in.mode.halted = false; /* no event while halted, so this is an edge */
    tick();
    CHECK_EQ(peek(counter(4)), 1);
    /* bus cycles happened while halted: no edge */
    w(event(3), combine(OP_OR, TALLY_EV_CYCLES_BUS, 0, 0, 0) | EDGE);
    in.mode.halted = true;
    tick();
    in.mode.halted = false;
    CHECK_EQ(gain(), 0);
}

static void software_event_is_a_term(void) {
    lanes(1);
    program(3, 0, combine(OP_AND, TALLY_EV_SOFTWARE, TALLY_EV_CYCLES_REF, 0, 0));
    CHECK_EQ(gain(), 0);
    w(TALLY_CSR_SHPMSWINC, 1);
    CHECK_EQ(peek(counter(3)), 1);
}

static void combination_overflows_like_any_other(void) {
    lanes(4);
    program(3, UINT64_MAX - 1, combine(OP_ADD, TALLY_EV_INST_RET, TALLY_EV_INST_LOAD_RET, 0, 0));
    in.ev_retire[0] = in.ev_retire[1] = INST | LOAD;
    tick();
    CHECK_EQ(out.irq_lcofi, 1);
    CHECK_EQ(peek(counter(3)), 2);
    CHECK_EQ(out.cause[3], GP_NO_LANE);
}

static const struct test tests[] = {
    TEST(combinations_read_back_where_they_are_built),
    TEST(a_term_that_is_no_event_empties_the_selector),
    TEST(reserved_bits_and_types_empty_the_selector),
    TEST(rv32_combination_is_written_in_three_steps),
    TEST(rv32_half_of_a_combination_is_judged_with_the_other),
    TEST(views_show_the_whole_selector),
    TEST(operators_work_a_lane),
    TEST(a_single_term_is_itself),
    TEST(no_term_is_nothing),
    TEST(xor_of_four_terms_is_an_odd_number),
    TEST(cycle_event_stands_in_every_lane),
    TEST(cycle_events_alone_are_evaluated_once),
    TEST(largest_sum_fits),
    TEST(threshold_and_its_inverse),
    TEST(edge_counts_the_first_cycle),
    TEST(edge_is_of_the_thresholded_result),
    TEST(history_goes_on_while_the_counter_is_stopped),
    TEST(history_starts_with_the_selector),
    TEST(combinations_stand_while_halted),
    TEST(software_event_is_a_term),
    TEST(combination_overflows_like_any_other),
};

int main(void) { return run_tests("golden_pmu_select", tests, sizeof(tests) / sizeof(tests[0])); }
