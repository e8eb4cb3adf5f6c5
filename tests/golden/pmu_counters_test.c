// SPDX-License-Identifier: Apache-2.0
/*
 * The golden PMU alone: counters, their events and increments. A directed test for each rule: random lockstep
 * shows that model and RTL agree, these tests show that both agree with the documents. Each test is named
 * after its rule.
 */
#include "pmu_rig.h"

static void reset_is_all_zero(void) {
    defaults();
    ticks(5);
    w(event(3), TALLY_EV_INST_RET | OF);
    gp_reset(pmu);
    for (unsigned i = 0; i < 32; i++) {
        CHECK_EQ(peek(counter(i)), 0);
        CHECK_EQ(peek(event(i)), 0);
    }
    CHECK_EQ(peek(TALLY_CSR_MCOUNTEREN), 0);
}

static void cycle_counts_and_stops_while_halted(void) {
    defaults();
    ticks(10);
    CHECK_EQ(peek(TALLY_CSR_MCYCLE), 10);
    in.mode.halted = true;
    ticks(10);
    CHECK_EQ(peek(TALLY_CSR_MCYCLE), 10);
}

static void bus_cycles_count_while_halted_and_reference_cycles_do_not(void) {
    defaults();
    program(3, 0, TALLY_EV_CYCLES_BUS);
    program(4, 0, TALLY_EV_CYCLES_REF);
    w(counter(3), 0);
    in.mode.halted = true;
    uint64_t ref = peek(counter(4));
    ticks(7);
    CHECK_EQ(peek(counter(3)), 7);
    CHECK_EQ(peek(counter(4)), ref);
}

static void debug_mode_freezes_everything(void) {
    defaults();
    program(3, 0, TALLY_EV_CYCLES_BUS);
    uint64_t cycles = peek(TALLY_CSR_MCYCLE), bus = peek(counter(3));
    in.mode.stopcount = true;
    in.ev_retire[0] = INST;
    ticks(5);
    CHECK_EQ(peek(TALLY_CSR_MCYCLE), cycles);
    CHECK_EQ(peek(TALLY_CSR_MINSTRET), 0);
    CHECK_EQ(peek(counter(3)), bus);
}

static void written_minstret_is_what_the_next_instruction_reads(void) {
    defaults();
    in.ev_retire[0] = INST; /* every instruction here is a CSR instruction that retires */
    w(TALLY_CSR_MINSTRET, 1000);
    CHECK_EQ(csr(M, GP_READ, TALLY_CSR_MINSTRET, 0), 1000);
    CHECK_EQ(csr(M, GP_READ, TALLY_CSR_MINSTRET, 0), 1001);
}

static void reads_with_op_read_are_no_writes(void) {
    defaults();
    in.ev_retire[0] = INST;
    w(TALLY_CSR_MINSTRET, 5);
    csr(M, GP_READ, TALLY_CSR_MINSTRET, UINT64_MAX);
    CHECK_EQ(peek(TALLY_CSR_MINSTRET), 6);
    csr(M, GP_SET, TALLY_CSR_MINSTRET, 0); /* a non-x0 register that holds 0: a write */
    CHECK_EQ(peek(TALLY_CSR_MINSTRET), 6);
}

static void writer_of_mcountinhibit_is_counted_under_the_old_value(void) {
    defaults();
    in.ev_retire[0] = INST;
    w(TALLY_CSR_MCOUNTINHIBIT, 4);
    CHECK_EQ(peek(TALLY_CSR_MINSTRET), 1);
    w(TALLY_CSR_MCOUNTINHIBIT, 0);
    CHECK_EQ(peek(TALLY_CSR_MINSTRET), 1);
    tick();
    CHECK_EQ(peek(TALLY_CSR_MINSTRET), 2);
}

static void absent_counters_read_0(void) {
    defaults();
    cfg.hpm_n = 6;
    start();
    program(9, 5, TALLY_EV_CYCLES_HART);
    tick();
    CHECK_EQ(answer(M, GP_READ, counter(9)), GP_CSR_OK);
    CHECK_EQ(peek(counter(9)), 0);
    CHECK_EQ(peek(event(9)), 0);
}

static void width_bounds_the_counter_and_its_overflow(void) {
    static const unsigned widths[] = {1, 2, 31, 32, 33, 48, 63, 64};

    for (unsigned k = 0; k < sizeof(widths) / sizeof(widths[0]); k++) {
        defaults();
        cfg.hpm_w = widths[k];
        start();
        uint64_t max = UINT64_MAX >> (64 - widths[k]);
        program(3, UINT64_MAX, TALLY_EV_CYCLES_HART);
        CHECK_EQ(peek(counter(3)), max);
        tick();
        CHECK_EQ(out.irq_lcofi, 1);
        CHECK_EQ(peek(counter(3)), 0);
        CHECK_EQ(peek(event(3)) >> 63, 1);
    }
}

static void rv32_halves(void) {
    defaults();
    cfg.xlen = 32;
    start();
    w(TALLY_CSR_MCOUNTINHIBIT, 1);
    w(TALLY_CSR_MCYCLE, 0x11111111);
    w(TALLY_CSR_MCYCLEH, 0x22222222);
    CHECK_EQ(peek(TALLY_CSR_MCYCLE), UINT64_C(0x2222222211111111));
    CHECK_EQ(csr(M, GP_READ, TALLY_CSR_MCYCLEH, 0), 0x22222222);
    CHECK_EQ(csr(M, GP_READ, TALLY_CSR_MCYCLE, 0), 0x11111111);
    w(TALLY_CSR_MCOUNTINHIBIT, 0);
    w(TALLY_CSR_MCYCLE, UINT32_MAX);
    w(TALLY_CSR_MCYCLEH, 0); /* a write of either half suppresses the increment of both */
    CHECK_EQ(peek(TALLY_CSR_MCYCLE), UINT32_MAX);
    tick();
    CHECK_EQ(peek(TALLY_CSR_MCYCLE), UINT64_C(0x100000000));
}

static void unsupported_selectors_read_back_0(void) {
    defaults();
    w(event(3), TALLY_EV_INST_RET);
    CHECK_EQ(peek(event(3)), TALLY_EV_INST_RET);
    w(event(3), 0x19);
    CHECK_EQ(peek(event(3)), 0);
    w(event(3), TALLY_EV_INST_RET | UINT64_C(1) << 55 | MINH);
    CHECK_EQ(peek(event(3)), MINH);
    w(event(3), UINT64_C(3) << 56); /* 57:56 have no function */
    CHECK_EQ(peek(event(3)), 0);
}

static void written_mcycle_stands_for_its_cycle(void) {
    defaults();
    w(TALLY_CSR_MCYCLE, 1000);
    CHECK_EQ(peek(TALLY_CSR_MCYCLE), 1000);
    tick();
    CHECK_EQ(peek(TALLY_CSR_MCYCLE), 1001);
}

static void writer_of_a_filter_or_selector_is_counted_under_the_old_value(void) {
    defaults();
    program(3, 0, TALLY_EV_INST_RET);
    in.ev_retire[0] = INST;
    w(event(3), TALLY_EV_INST_RET | MINH);
    CHECK_EQ(peek(counter(3)), 1);
    w(event(3), TALLY_EV_INST_RET);
    CHECK_EQ(peek(counter(3)), 1);
    w(event(3), TALLY_EV_INST_LOAD_RET);
    CHECK_EQ(peek(counter(3)), 2);
    w(event(3), TALLY_EV_INST_RET);
    CHECK_EQ(peek(counter(3)), 2);
    w(TALLY_CSR_MINSTRETCFG, MINH);
    uint64_t instret = peek(TALLY_CSR_MINSTRET);
    w(TALLY_CSR_MINSTRETCFG, 0);
    CHECK_EQ(peek(TALLY_CSR_MINSTRET), instret);
}

static void inhibit_stops_and_hides_nothing(void) {
    defaults();
    w(TALLY_CSR_MCOUNTEREN, 7);
    w(TALLY_CSR_MCOUNTINHIBIT, UINT32_MAX);
    in.ev_retire[0] = INST;
    in.env.time = 5;
    uint64_t cycles = peek(TALLY_CSR_MCYCLE);
    ticks(3);
    CHECK_EQ(csr(S, GP_READ, TALLY_CSR_CYCLE, 0), cycles);
    CHECK_EQ(csr(S, GP_READ, TALLY_CSR_INSTRET, 0), 0);
    CHECK_EQ(csr(S, GP_READ, TALLY_CSR_TIME, 0), 5);
}

/* Every event_idx of the SBI that this unit has is a selector (docs/rulings.md, Event selectors). */
static void sbi_event_idx_is_a_selector(void) {
    static const uint32_t idx[] = {1,       2,       3,       4,       5,       6,       7,       8,
                                   9,       10,      0x10000, 0x10001, 0x10002, 0x10003, 0x10008, 0x10009,
                                   0x10018, 0x10019, 0x1001A, 0x1001B, 0x10020, 0x10021, 0x10028, 0x10029};

    defaults();
    for (unsigned k = 0; k < sizeof(idx) / sizeof(idx[0]); k++) {
        w(event(3), idx[k]);
        CHECK_EQ(peek(event(3)), idx[k]);
    }
    w(event(3), 0x10010); /* last-level cache: there is none */
    CHECK_EQ(peek(event(3)), 0);
    w(event(3), 0xF0000); /* firmware events are not the hardware's */
    CHECK_EQ(peek(event(3)), 0);
}

/* The wires of the general events (docs/rulings.md, General events) */
static void sbi_general_events_count_their_wires(void) {
    static const struct {
        unsigned selector;
        uint64_t wires;
    } table[] = {
        {3, UINT64_C(1) << TALLY_EVR_L1D_RD | UINT64_C(1) << TALLY_EVR_L1D_WR},
        {4, UINT64_C(1) << TALLY_EVR_L1D_RD_MISS | UINT64_C(1) << TALLY_EVR_L1D_WR_MISS},
        {5, UINT64_C(1) << TALLY_EVR_BR_NT | UINT64_C(1) << TALLY_EVR_BR_TK |
                UINT64_C(1) << TALLY_EVR_IND_CALL | UINT64_C(1) << TALLY_EVR_DIR_CALL |
                UINT64_C(1) << TALLY_EVR_IND_JMP | UINT64_C(1) << TALLY_EVR_DIR_JMP |
                UINT64_C(1) << TALLY_EVR_CORSWAP | UINT64_C(1) << TALLY_EVR_RETURN |
                UINT64_C(1) << TALLY_EVR_IND_LJMP | UINT64_C(1) << TALLY_EVR_DIR_LJMP},
        {6, UINT64_C(1) << TALLY_EVR_MISPRED},
    };

    for (unsigned k = 0; k < sizeof(table) / sizeof(table[0]); k++) {
        defaults();
        program(3, 0, table[k].selector);
        for (unsigned wire = 0; wire < TALLY_EVR_N; wire++) {
            uint64_t before = peek(counter(3));

            in.ev_retire[0] = INST | UINT64_C(1) << wire;
            tick();
            CHECK_EQ(peek(counter(3)) - before, table[k].wires >> wire & 1);
        }
    }
}

/* ---- lanes and counts */

static void lanes_are_added(void) {
    defaults();
    cfg.retire_w = 4;
    start();
    program(3, 0, TALLY_EV_INST_LDST_RET);
    in.ev_retire[0] = INST | UINT64_C(1) << TALLY_EVR_LOAD;
    in.ev_retire[1] = INST | UINT64_C(1) << TALLY_EVR_LOAD | UINT64_C(1) << TALLY_EVR_STORE; /* once a lane */
    in.ev_retire[2] = INST;
    in.ev_retire[3] = INST | UINT64_C(1) << TALLY_EVR_AMO;
    tick();
    CHECK_EQ(peek(counter(3)), 3);
    CHECK_EQ(peek(TALLY_CSR_MINSTRET), 4);
}

static void cycle_events_add_their_counts(void) {
    defaults();
    cfg.evc_w = 3;
    start();
    program(3, 0, TALLY_EV_BUS_WR);
    for (unsigned n = 0; n < 8; n++) {
        unsigned at = TALLY_EVC_BUS_WR * 3;
        uint64_t before = peek(counter(3));

        memset(in.ev_cycle, 0, sizeof(in.ev_cycle));
        in.ev_cycle[at / 64] |= (uint64_t)n << at % 64;
        if (at % 64 > 61)
            in.ev_cycle[at / 64 + 1] |= (uint64_t)n >> (64 - at % 64);
        tick();
        CHECK_EQ(peek(counter(3)) - before, n);
    }
}

static void events_with_conditions(void) {
    defaults();
    program(3, 0, TALLY_EV_INST_MISPRED_BRANCH_RET);
    program(4, 0, TALLY_EV_CACHE_L1D_RW_HIT_RET);
    in.ev_retire[0] = INST | UINT64_C(1) << TALLY_EVR_BR_TK;
    tick();
    CHECK_EQ(peek(counter(3)), 0);
    in.ev_retire[0] |= UINT64_C(1) << TALLY_EVR_MISPRED;
    tick();
    CHECK_EQ(peek(counter(3)), 1);
    in.ev_retire[0] = INST | UINT64_C(1) << TALLY_EVR_L1D_RD;
    tick();
    CHECK_EQ(peek(counter(4)), 1);
    in.ev_retire[0] |= UINT64_C(1) << TALLY_EVR_L1D_RD_MISS;
    tick();
    CHECK_EQ(peek(counter(4)), 1);
}

static void software_event_counts_the_write_that_raises_it(void) {
    defaults();
    program(3, UINT64_MAX, TALLY_EV_SOFTWARE);
    csr(S, GP_WRITE, TALLY_CSR_SHPMSWINC, 2);
    CHECK_EQ(out.irq_lcofi, 0);
    csr(S, GP_SET, TALLY_CSR_SHPMSWINC, 1);
    CHECK_EQ(out.irq_lcofi, 1);
    CHECK_EQ(out.csr_rdata, 0);
    CHECK_EQ(peek(counter(3)), 0);
    CHECK_EQ(answer(U, GP_WRITE, TALLY_CSR_SHPMSWINC), GP_CSR_ILLEGAL);
    in.env.mstateen0 = ~UINT64_C(1);
    CHECK_EQ(answer(S, GP_WRITE, TALLY_CSR_SHPMSWINC), GP_CSR_ILLEGAL);
}

static const struct test tests[] = {
    TEST(reset_is_all_zero),
    TEST(cycle_counts_and_stops_while_halted),
    TEST(bus_cycles_count_while_halted_and_reference_cycles_do_not),
    TEST(debug_mode_freezes_everything),
    TEST(written_minstret_is_what_the_next_instruction_reads),
    TEST(reads_with_op_read_are_no_writes),
    TEST(writer_of_mcountinhibit_is_counted_under_the_old_value),
    TEST(absent_counters_read_0),
    TEST(width_bounds_the_counter_and_its_overflow),
    TEST(rv32_halves),
    TEST(unsupported_selectors_read_back_0),
    TEST(written_mcycle_stands_for_its_cycle),
    TEST(writer_of_a_filter_or_selector_is_counted_under_the_old_value),
    TEST(inhibit_stops_and_hides_nothing),
    TEST(sbi_event_idx_is_a_selector),
    TEST(sbi_general_events_count_their_wires),
    TEST(lanes_are_added),
    TEST(cycle_events_add_their_counts),
    TEST(events_with_conditions),
    TEST(software_event_counts_the_write_that_raises_it),
};

int main(void) { return run_tests("golden_pmu_counters", tests, sizeof(tests) / sizeof(tests[0])); }
