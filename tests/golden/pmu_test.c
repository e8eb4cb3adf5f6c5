// SPDX-License-Identifier: Apache-2.0
/*
 * The golden PMU alone: a directed test a rule. Random lockstep shows that model and RTL agree; these show
 * that what they agree on is what the documents say. Each test is named after its rule.
 */
#include "pmu_rig.h"

/* ---- facts 1 and 13: base */

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
    in.mode.debug = true;
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

/* Facts 1.3, every row of the table. */
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

static void unsupported_selectors_read_back_0(void) {
    defaults();
    w(event(3), TALLY_EV_INST_RET);
    CHECK_EQ(peek(event(3)), TALLY_EV_INST_RET);
    w(event(3), 0x19);
    CHECK_EQ(peek(event(3)), 0);
    w(event(3), TALLY_EV_INST_RET | UINT64_C(1) << 55 | MINH);
    CHECK_EQ(peek(event(3)), MINH);
    w(event(3), UINT64_C(3) << 56); /* 57:56 are nothing */
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

static void enables_are_independent_and_only_let_see(void) {
    defaults();
    in.env.cde = true;
    w(TALLY_CSR_SCOUNTEREN, 8); /* mcounteren is 0 */
    CHECK_EQ(peek(TALLY_CSR_SCOUNTEREN), 8);
    program(3, 0, TALLY_EV_CYCLES_HART | SINH);
    w(TALLY_CSR_MCOUNTINHIBIT, 0x10);
    w(TALLY_CSR_MCOUNTEREN, 0x18);
    w(TALLY_CSR_MCOUNTEREN, 0); /* clearing them changes nothing behind them (facts 13, field modulation) */
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

/* Ruling 9: every event_idx of the SBI that this unit has is a selector as it stands. */
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

/* Ruling 13: what the general events count, wire by wire. */
static void sbi_general_events_count_what_ruling_13_says(void) {
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

/* ---- facts 2: Sscofpmf */

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
    w(counter(3), 0); /* in the very cycle in which it would have wrapped */
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
    w(event(3), TALLY_EV_CYCLES_HART); /* OF written 0: wins, and the request still pends */
    CHECK_EQ(out.irq_lcofi, 1);
    CHECK_EQ(peek(event(3)), TALLY_EV_CYCLES_HART);
    CHECK_EQ(peek(counter(3)), 0);
    program(3, UINT64_MAX, TALLY_EV_CYCLES_HART);
    csr(M, GP_SET, event(3), MINH); /* OF not written: the hardware's stays */
    CHECK_EQ(peek(event(3)), TALLY_EV_CYCLES_HART | MINH | OF);
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
    w(TALLY_CSR_MHPMEVENT3H, 0x7FFFFFFF); /* selector bits are not there */
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

/* ---- facts 4 and 5: indirect access, delegation */

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
    static const uint16_t window[] = {0x151, 0x152, 0x153, 0x155, 0x156, 0x157};

    for (cfg.xlen = 32; cfg.xlen <= 64; cfg.xlen += 32) {
        unsigned xlen = cfg.xlen;

        gp_config_default(&cfg);
        cfg.xlen = xlen;
        start();
        w(TALLY_CSR_MCOUNTEREN, UINT32_MAX);
        for (unsigned i = 0; i < 32; i++) {
            w(TALLY_CSR_SISELECT, 0x40 + i);
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
    csr(S, GP_WRITE, TALLY_CSR_SISELECT, 0x40);
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
    w(TALLY_CSR_SISELECT, 0x40);
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

        w(TALLY_CSR_SISELECT, 0x40 + i);
        CHECK_EQ(answer(S, GP_READ, TALLY_CSR_SIREG), there ? GP_CSR_OK : GP_CSR_ILLEGAL);
        CHECK_EQ(answer(M, GP_WRITE, TALLY_CSR_SIREG2), there ? GP_CSR_OK : GP_CSR_ILLEGAL);
    }
    w(TALLY_CSR_SISELECT, 0x60);
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
    in.env.hstateen0 = 0; /* before the select is looked at */
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
    CHECK_EQ(answer(M, GP_READ, TALLY_CSR_MIREG), GP_CSR_ILLEGAL); /* no select value is there */
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

/* ---- the Andes view: rulings 1 and 2 */

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

/* Seed 002, interrupt handling: which overflowed, stop, preset, (pc,) enable - all from S-mode. */
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
    /* not in U-mode: the one register whose sense is a parameter */
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

/* Ruling 2: mcounterwen alone lets write. What the counter held is shown to who may read it. */
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
    TEST(reset_is_all_zero),
    TEST(cycle_counts_and_stops_while_halted),
    TEST(bus_cycles_count_while_halted_and_reference_cycles_do_not),
    TEST(debug_mode_freezes_everything),
    TEST(written_minstret_is_what_the_next_instruction_reads),
    TEST(reads_with_op_read_are_no_writes),
    TEST(writer_of_mcountinhibit_is_counted_under_the_old_value),
    TEST(writable_bits_of_the_enables),
    TEST(absent_counters_read_0),
    TEST(width_bounds_the_counter_and_its_overflow),
    TEST(rv32_halves),
    TEST(high_halves_exist_on_rv32_only),
    TEST(who_may_read_a_user_counter),
    TEST(time_has_htimedelta_in_guests),
    TEST(unsupported_selectors_read_back_0),
    TEST(written_mcycle_stands_for_its_cycle),
    TEST(writer_of_a_filter_or_selector_is_counted_under_the_old_value),
    TEST(enables_are_independent_and_only_let_see),
    TEST(mcounteren_tm_is_shown_to_the_host),
    TEST(inhibit_stops_and_hides_nothing),
    TEST(sbi_event_idx_is_a_selector),
    TEST(sbi_general_events_count_what_ruling_13_says),
    TEST(lanes_are_added),
    TEST(cycle_events_add_their_counts),
    TEST(events_with_conditions),
    TEST(software_event_counts_the_write_that_raises_it),
    TEST(overflow_requests_once),
    TEST(writes_never_overflow),
    TEST(increments_above_one_overflow_by_the_carry),
    TEST(event_written_as_it_overflows),
    TEST(rv32_low_half_of_an_event_leaves_of_alone),
    TEST(nothing_but_an_increment_requests),
    TEST(several_overflows_are_one_request),
    TEST(mcycle_and_minstret_never_request),
    TEST(scountovf_shows_what_the_mode_may_see),
    TEST(filters_by_mode),
    TEST(filters_of_missing_modes_are_read_only_0),
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
};

int main(void) { return run_tests("golden_pmu", tests, sizeof(tests) / sizeof(tests[0])); }
