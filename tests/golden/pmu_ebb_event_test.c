// SPDX-License-Identifier: Apache-2.0
/*
 * The golden PMU alone: routed overflows, counting, delivery and uebret (docs/rulings.md, EBB overflow; EBB
 * delivery; uebret). One test for each rule.
 */
#include "pmu_ebb.h"

/* ---- a routed overflow */

static void routed_overflow_is_an_event_and_no_interrupt(void) {
    for (unsigned andes = 0; andes < 2; andes++) {
        routed(0x8);
        w(TALLY_CSR_MCOUNTERINEN, andes ? 0x8 : 0);
        w(TALLY_CSR_UBESCR, PME);
        w(TALLY_CSR_SHPMSPC, 0x1000);
        in.ret_next_pc = 0x2000;
        wrap(3);
        CHECK_EQ(out.irq_lcofi, 0);
        CHECK_EQ(out.irq_andes, 0);
        CHECK_EQ(of(3), 1);
        CHECK_EQ(escr(), PMEO);
        CHECK_EQ(peek(TALLY_CSR_UEBBSPC), 0x2000);
        CHECK_EQ(peek(TALLY_CSR_SHPMSPC), 0x1000);
        CHECK_EQ(peek(TALLY_CSR_SHPMSDATA), 0);
    }
}

static void unrouted_overflow_of_that_cycle_does_what_it_always_does(void) {
    routed(0x8);
    program(4, UINT64_MAX - 3, TALLY_EV_CYCLES_HART);
    w(TALLY_CSR_UBESCR, PME);
    in.ret_next_pc = 0x2000;
    wrap(3);
    CHECK_EQ(out.irq_lcofi, 1);
    CHECK_EQ(escr(), PMEO);
    CHECK_EQ(peek(TALLY_CSR_SHPMSPC), 0x2000);
    CHECK_EQ(peek(TALLY_CSR_SHPMSDATA), 4);
}

static void overflow_without_pme_sets_of_alone(void) {
    routed(0x8);
    w(TALLY_CSR_UEBBSPC, 0x1000);
    wrap(3);
    CHECK_EQ(of(3), 1);
    CHECK_EQ(escr(), 0);
    CHECK_EQ(out.irq_lcofi, 0);
    CHECK_EQ(peek(TALLY_CSR_UEBBSPC), 0x1000);
}

static void overflow_with_of_set_is_none(void) {
    routed(0x8);
    wrap(3);
    w(TALLY_CSR_SEBBCTL, EN | WIN); /* so that the write of PME meets no flag */
    w(TALLY_CSR_UBESCR, PME);
    w(TALLY_CSR_SEBBCTL, EN | WIN | 0x8);
    CHECK_EQ(escr(), PME);
    w(counter(3), UINT64_MAX);
    run_in(U);
    tick();
    CHECK_EQ(escr(), PME);
}

/* Every way to write PME from 0 to 1 meets OF; a PME that is 1 already meets nothing. */
static void setting_pme_meets_an_overflow_flag(void) {
    for (unsigned op = GP_WRITE; op <= GP_SET; op++) {
        routed(0x8);
        wrap(3);
        w(TALLY_CSR_UEBBSPC, 0x1000);
        csr(U, op, TALLY_CSR_UBESCR, GE | FZ | PME);
        CHECK_EQ(escr(), GE | FZ | PMEO);
        CHECK_EQ(peek(TALLY_CSR_UEBBSPC), 0x1000);
    }
    routed(0x8);
    wrap(3);
    csr(U, GP_WRITE, TALLY_CSR_UBESCR, GE);
    CHECK_EQ(escr(), GE);
    w(TALLY_CSR_SEBBCTL, EN | WIN);
    csr(U, GP_SET, TALLY_CSR_UBESCR, PME);
    CHECK_EQ(escr(), GE | PME); /* OF of a counter that is not routed */
    w(TALLY_CSR_SEBBCTL, EN | WIN | 0x8);
    CHECK_EQ(escr(), GE | PME); /* opening a route makes no event */
    csr(U, GP_WRITE, TALLY_CSR_UBESCR, GE | PME);
    CHECK_EQ(escr(), GE | PME);
}

static void setting_pme_in_the_cycle_of_an_overflow_is_an_event(void) {
    for (unsigned op = GP_WRITE; op <= GP_SET; op++) {
        routed(0x8);
        program(3, UINT64_MAX, TALLY_EV_CYCLES_HART);
        run_in(U);
        csr(U, op, TALLY_CSR_UBESCR, PME);
        CHECK_EQ(of(3), 1);
        CHECK_EQ(escr(), PMEO);
    }
}

/* Hardware wins PME and PMEO, the write the rest. */
static void overflow_wins_over_a_write_of_its_cycle(void) {
    static const uint64_t values[] = {0, PME, PMEO, PME | PMEO};

    for (unsigned k = 0; k < 4; k++)
        for (unsigned op = GP_WRITE; op <= GP_CLEAR; op++) {
            routed(0x8);
            program(3, UINT64_MAX, TALLY_EV_CYCLES_HART);
            w(TALLY_CSR_UBESCR, PME | FZ);
            run_in(U);
            csr(U, op, TALLY_CSR_UBESCR, values[k] | GE | FZ);
            CHECK_EQ(escr(), PMEO | (op == GP_CLEAR ? 0 : GE | FZ));
        }
}

static void pmeo_stays_until_software_clears_it(void) {
    routed(0x8);
    w(TALLY_CSR_UBESCR, PME);
    wrap(3);
    ticks(5);
    CHECK_EQ(escr(), PMEO);
    csr(U, GP_CLEAR, TALLY_CSR_UBESCR, PMEO);
    CHECK_EQ(escr(), 0);
}

static void pmeo_written_1_is_an_event_like_any(void) {
    routed(0);
    csr(U, GP_WRITE, TALLY_CSR_UBESCR, GE | PMEO);
    run_in(U);
    CHECK_EQ(requests(), 1);
}

static void gate_or_route_written_in_the_cycle_goes_by_the_old_value(void) {
    for (unsigned k = 0; k < 4; k++) {
        bool was = k & 1;

        routed(was || k & 2 ? 0x8 : 0);
        w(TALLY_CSR_MEBBCTL, was || !(k & 2));
        program(3, UINT64_MAX - 1, TALLY_EV_CYCLES_HART);
        w(TALLY_CSR_UBESCR, PME);
        w(counter(3), UINT64_MAX);
        run_in(U);
        if (k & 2)
            w(TALLY_CSR_MEBBCTL, !was);
        else
            w(TALLY_CSR_SEBBCTL, was ? EN : EN | 0x8);
        CHECK_EQ(out.irq_lcofi, !was);
        CHECK_EQ(escr(), was ? PMEO : PME);
    }
}

static void closing_and_opening_change_nothing_else(void) {
    routed(0x8);
    w(TALLY_CSR_UBESCR, PME);
    wrap(3);
    w(TALLY_CSR_SEBBCTL, 0);
    w(TALLY_CSR_MEBBCTL, 0);
    CHECK_EQ(of(3), 1);
    CHECK_EQ(escr(), PMEO);
    CHECK_EQ(out.irq_lcofi, 0);
    w(TALLY_CSR_MEBBCTL, 1);
    w(TALLY_CSR_SEBBCTL, EN | 0x8);
    tick();
    CHECK_EQ(escr(), PMEO);
    CHECK_EQ(out.irq_lcofi, 0);
}

/* CSRRC of uebbovf acts before the wrap of its cycle: the flag is 1 afterwards, and a new event. */
static void flag_cleared_in_the_cycle_of_a_wrap_is_a_new_event(void) {
    for (unsigned how = 0; how < 2; how++) {
        routed(0x8);
        program(3, UINT64_MAX, TALLY_EV_CYCLES_HART);
        w(TALLY_CSR_SEBBCTL, EN | WIN);
        w(event(3), OF | TALLY_EV_CYCLES_HART);
        w(TALLY_CSR_UBESCR, PME);
        w(TALLY_CSR_SEBBCTL, EN | WIN | 0x8);
        w(counter(3), UINT64_MAX);
        run_in(U);
        if (how)
            csr(U, GP_CLEAR, TALLY_CSR_UEBBOVF, 0x8);
        else
            w(TALLY_CSR_UEBBOVF, 0); /* CSRRW writes its value, and OF was 1: no event */
        CHECK_EQ(of(3), how);
        CHECK_EQ(escr(), how ? PMEO : PME);
    }
}

static void two_overflows_make_one_event_of_the_lowest(void) {
    routed(0x30);
    cfg.retire_w = 2;
    begin();
    open_gates(0x30);
    program(5, UINT64_MAX, TALLY_EV_INST_LOAD_RET);
    program(4, UINT64_MAX, TALLY_EV_INST_STORE_RET);
    w(TALLY_CSR_UBESCR, PME);
    run_in(U);
    in.ev_retire[0] = INST | UINT64_C(1) << TALLY_EVR_LOAD;
    in.ev_retire[1] = INST | UINT64_C(1) << TALLY_EVR_STORE;
    in.retire[0] = (struct gp_retire_lane){.valid = true, .mode = GP_U, .pc = 0x100};
    in.retire[1] = (struct gp_retire_lane){.valid = true, .mode = GP_U, .pc = 0x104};
    tick();
    CHECK_EQ(escr(), PMEO);
    CHECK_EQ(csr(M, GP_READ, TALLY_CSR_UEBBOVF, 0), 0x30);
    CHECK_EQ(peek(TALLY_CSR_UEBBSPC), 0x104);
}

/* ---- the pc of the cause */

static void cause_is_the_lane_that_wraps(void) {
    for (unsigned distance = 1; distance <= 4; distance++) {
        routed(0x8);
        cfg.retire_w = 4;
        begin();
        open_gates(0x8);
        program(3, -(uint64_t)distance, TALLY_EV_INST_RET);
        w(TALLY_CSR_UBESCR, PME);
        run_in(U);
        for (unsigned lane = 0; lane < 4; lane++) {
            in.ev_retire[lane] = INST;
            in.retire[lane] = (struct gp_retire_lane){.valid = true, .mode = GP_U, .pc = 0x100 + 4 * lane};
        }
        tick();
        CHECK_EQ(peek(TALLY_CSR_UEBBSPC), 0xFC + 4 * distance);
    }
}

static void cycle_event_takes_the_oldest_then_the_next_and_never_the_flusher(void) {
    for (unsigned retires = 0; retires < 2; retires++) {
        routed(0x8);
        w(TALLY_CSR_UBESCR, PME);
        in.ret_flushed = true;
        in.ret_flush_pc = 0xFFFF0;
        in.ret_next_pc = 0x200;
        in.retire[0] = (struct gp_retire_lane){.valid = retires, .mode = GP_U, .pc = 0x100};
        wrap(3);
        CHECK_EQ(peek(TALLY_CSR_UEBBSPC), retires ? 0x100 : 0x200);
    }
}

static void pc_of_another_mode_is_0(void) {
    static const uint8_t modes[] = {GP_M, GP_S, 4 | GP_U, 4 | GP_S};

    for (unsigned k = 0; k < 8; k++) {
        routed(0x8);
        w(TALLY_CSR_UBESCR, PME);
        w(TALLY_CSR_UEBBSPC, 0x1000);
        in.retire[0] = (struct gp_retire_lane){.valid = k & 1, .mode = modes[k / 2], .pc = 0x100};
        in.ret_next_pc = 0x200; /* of lane 0's mode, if nothing retires */
        wrap(3);
        CHECK_EQ(escr(), PMEO);
        CHECK_EQ(peek(TALLY_CSR_UEBBSPC), 0);
    }
}

static void write_of_the_pc_wins_over_its_capture(void) {
    routed(0x8);
    program(3, UINT64_MAX, TALLY_EV_CYCLES_HART);
    w(TALLY_CSR_UBESCR, PME);
    run_in(U);
    in.ret_next_pc = 0x200;
    csr(U, GP_WRITE, TALLY_CSR_UEBBSPC, 0x333);
    CHECK_EQ(peek(TALLY_CSR_UEBBSPC), 0x332);
    CHECK_EQ(escr(), PMEO);
    routed(0x8); /* whole: bits that CSRRS does not set are unchanged */
    program(3, UINT64_MAX, TALLY_EV_CYCLES_HART);
    w(TALLY_CSR_UBESCR, PME);
    w(TALLY_CSR_UEBBSPC, 0x1000);
    run_in(U);
    in.ret_next_pc = 0x200;
    csr(U, GP_SET, TALLY_CSR_UEBBSPC, 0x4);
    CHECK_EQ(peek(TALLY_CSR_UEBBSPC), 0x1004);
}

/* ---- counting */

static void routed_counter_counts_in_user_mode_only(void) {
    for (enum mode mode = M; mode <= VU; mode++)
        for (unsigned route = 0; route < 2; route++) {
            routed(route ? 0x8 : 0);
            program(3, 0, TALLY_EV_CYCLES_HART);
            w(counter(3), 0);
            run_in(mode);
            ticks(4);
            CHECK_EQ(peek(counter(3)), !route || mode == U ? 4 : 0);
        }
    routed(0x8);
    program(3, 0, TALLY_EV_CYCLES_HART | UINH); /* its other filters hold too */
    run_in(U);
    ticks(4);
    CHECK_EQ(peek(counter(3)), 0);
}

static void fz_stops_routed_counters_from_the_cycle_after_the_event(void) {
    for (unsigned fz = 0; fz < 2; fz++) {
        routed(0x18);
        program(4, 0, TALLY_EV_CYCLES_HART);
        program(5, 0, TALLY_EV_CYCLES_HART);
        w(TALLY_CSR_UBESCR, PME | (fz ? FZ : 0));
        program(3, UINT64_MAX, TALLY_EV_CYCLES_HART);
        w(counter(5), 0);
        run_in(U);
        tick(); /* the event: all count in its cycle */
        CHECK_EQ(peek(counter(4)), 1);
        ticks(3);
        CHECK_EQ(peek(counter(3)), fz ? 0 : 3);
        CHECK_EQ(peek(counter(4)), fz ? 1 : 4);
        CHECK_EQ(peek(counter(5)), 4); /* not routed */
        csr(U, GP_CLEAR, TALLY_CSR_UBESCR, PMEO);
        tick();
        CHECK_EQ(peek(counter(3)), fz ? 1 : 5);
    }
}

static void debug_mode_asks_for_nothing_and_stopcount_stops_all(void) {
    routed(0x8);
    w(TALLY_CSR_UBESCR, GE | PMEO);
    program(3, 0, TALLY_EV_CYCLES_HART);
    run_in(U);
    CHECK_EQ(requests(), 1);
    in.mode.debug = true;
    CHECK_EQ(requests(), 0);
    tick();
    CHECK_EQ(peek(counter(3)), 1);
    in.mode.debug = false;
    in.mode.stopcount = true;
    CHECK_EQ(requests(), 1);
    tick();
    CHECK_EQ(peek(counter(3)), 1);
}

/* ---- delivery */

static void request_needs_every_condition(void) {
    for (unsigned k = 0; k < 64; k++) {
        bool ge = k & 1, pmeo = k & 2, en = k & 4, machine = k & 8, c = k & 16, win = k & 32;

        routed(0);
        w(TALLY_CSR_UBESCR, (ge ? GE : 0) | (pmeo ? PMEO : 0));
        w(TALLY_CSR_SEBBCTL, (en ? EN : 0) | (win ? WIN : 0));
        w(TALLY_CSR_MEBBCTL, machine);
        in.env.sstateen0 = c;
        for (enum mode mode = M; mode <= VU; mode++) {
            run_in(mode);
            CHECK_EQ(requests(), ge && pmeo && en && machine && c && mode == U);
        }
    }
    routed(0);
    w(TALLY_CSR_UBESCR, GE | PMEO);
    run_in(U);
    in.env.mstateen0 = ~UINT64_C(1);
    CHECK_EQ(requests(), 0);
}

static void delivery_clears_ge_and_keeps_the_pc(void) {
    routed(0);
    w(TALLY_CSR_UBESCR, GE | FZ | PME | PMEO);
    run_in(U);
    in.ret_next_pc = 0x1235;
    CHECK_EQ(requests(), 1);
    CHECK_EQ(out.ebb_target, HANDLER);
    ticks(3); /* it waits */
    CHECK_EQ(escr(), GE | FZ | PME | PMEO);
    in.ebb_ack = true;
    tick();
    CHECK_EQ(escr(), FZ | PME | PMEO);
    CHECK_EQ(peek(TALLY_CSR_UEBBRR), 0x1234);
    CHECK_EQ(requests(), 0);
    in.ret_next_pc = 0x9998;
    tick(); /* no request: ignored */
    CHECK_EQ(peek(TALLY_CSR_UEBBRR), 0x1234);
}

static void event_waits_for_user_mode(void) {
    routed(0x8);
    w(TALLY_CSR_UBESCR, GE | PME);
    wrap(3);
    run_in(S);
    ticks(5);
    CHECK_EQ(requests(), 0);
    run_in(VU);
    CHECK_EQ(requests(), 0);
    run_in(U);
    CHECK_EQ(requests(), 1);
    CHECK_EQ(out.ebb_target, HANDLER);
}

static void event_in_the_cycle_of_a_delivery_is_kept(void) {
    routed(0x8);
    w(TALLY_CSR_UBESCR, GE | PME | PMEO);
    program(3, UINT64_MAX, TALLY_EV_CYCLES_HART);
    run_in(U);
    in.ebb_ack = true;
    in.ret_next_pc = 0x500;
    tick();
    CHECK_EQ(escr(), PMEO);
    CHECK_EQ(of(3), 1);
}

/* ---- uebret */

static void uebret_writes_ge_and_returns(void) {
    for (unsigned ge = 0; ge < 2; ge++) {
        routed(0);
        w(TALLY_CSR_UEBBRR, 0x1234);
        w(TALLY_CSR_UBESCR, PMEO | (ge ? 0 : GE));
        run_in(U);
        in.ret_uebret = true;
        in.ret_uebret_ge = ge;
        CHECK_EQ(look()->ebb_return, 0x1234);
        tick();
        in.ret_uebret = false;
        CHECK_EQ(escr(), PMEO | (ge ? GE : 0));
        CHECK_EQ(requests(), ge); /* before the next instruction */
        CHECK_EQ(peek(TALLY_CSR_UEBBRR), 0x1234);
    }
}

/* ---- events of the mechanism itself */

static void branches_and_unheard_overflows_are_counted(void) {
    routed(0x38);
    program(6, 0, TALLY_EV_EBB_BRANCHES);
    program(7, 0, TALLY_EV_EBB_UNHEARD);
    wrap(3);
    w(TALLY_CSR_UEBBOVF, 0);
    ticks(2);
    CHECK_EQ(peek(counter(7)), 1);
    run_in(M);
    program(3, UINT64_MAX, TALLY_EV_CYCLES_HART);
    program(5, UINT64_MAX, TALLY_EV_CYCLES_HART);
    program(4, UINT64_MAX, TALLY_EV_CYCLES_HART);
    run_in(U);
    tick(); /* three at once: one */
    CHECK_EQ(peek(counter(7)), 1);
    tick();
    CHECK_EQ(peek(counter(7)), 2);
    csr(U, GP_WRITE, TALLY_CSR_UBESCR, GE | PME); /* meets them */
    CHECK_EQ(peek(counter(6)), 0);
    in.ebb_ack = true;
    tick();
    in.ebb_ack = false;
    tick();
    tick();
    CHECK_EQ(peek(counter(6)), 1);
    CHECK_EQ(peek(counter(7)), 2);
}

static const struct test tests[] = {
    TEST(routed_overflow_is_an_event_and_no_interrupt),
    TEST(unrouted_overflow_of_that_cycle_does_what_it_always_does),
    TEST(overflow_without_pme_sets_of_alone),
    TEST(overflow_with_of_set_is_none),
    TEST(setting_pme_meets_an_overflow_flag),
    TEST(setting_pme_in_the_cycle_of_an_overflow_is_an_event),
    TEST(overflow_wins_over_a_write_of_its_cycle),
    TEST(pmeo_stays_until_software_clears_it),
    TEST(pmeo_written_1_is_an_event_like_any),
    TEST(gate_or_route_written_in_the_cycle_goes_by_the_old_value),
    TEST(closing_and_opening_change_nothing_else),
    TEST(flag_cleared_in_the_cycle_of_a_wrap_is_a_new_event),
    TEST(two_overflows_make_one_event_of_the_lowest),
    TEST(cause_is_the_lane_that_wraps),
    TEST(cycle_event_takes_the_oldest_then_the_next_and_never_the_flusher),
    TEST(pc_of_another_mode_is_0),
    TEST(write_of_the_pc_wins_over_its_capture),
    TEST(routed_counter_counts_in_user_mode_only),
    TEST(fz_stops_routed_counters_from_the_cycle_after_the_event),
    TEST(debug_mode_asks_for_nothing_and_stopcount_stops_all),
    TEST(request_needs_every_condition),
    TEST(delivery_clears_ge_and_keeps_the_pc),
    TEST(event_waits_for_user_mode),
    TEST(event_in_the_cycle_of_a_delivery_is_kept),
    TEST(uebret_writes_ge_and_returns),
    TEST(branches_and_unheard_overflows_are_counted),
};

int main(void) {
    return run_tests("golden PMU, event-based branches: events", tests, sizeof tests / sizeof tests[0]);
}
