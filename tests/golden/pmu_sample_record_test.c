// SPDX-License-Identifier: Apache-2.0
/*
 * The golden PMU alone: the record of a sample (docs/sampling.md). One test for each rule.
 */
#include "pmu_sampling.h"

/* ---- latencies */

static void latencies_are_differences_of_cycles(void) {
    sampler(64, 1);
    control(ANYWHERE);
    period(0, ALL_ONES);
    decodes(OTHER, 0x100); /* cycle 0 */
    ticks(2);
    in.track.dispatched = true; /* 3 */
    tick();
    clear_ports();
    in.track.issued = true; /* 4 */
    tick();
    clear_ports();
    ticks(4);
    in.track.completed = true; /* 9 */
    tick();
    clear_ports();
    in.track.oldest = true; /* 10 */
    tick();
    clear_ports();
    ticks(1);
    retires(); /* 12 */
    CHECK_EQ(latency_of(TALLY_PDISLAT_TOTAL_LSB), 12);
    CHECK_EQ(latency_of(TALLY_PDISLAT_DISPATCH_LSB), 3);
    CHECK_EQ(latency_of(TALLY_PDISLAT_ISSUE_LSB), 1);
    CHECK_EQ(latency_of(TALLY_PDISLAT_EXECUTION_LSB), 5);
    CHECK_EQ(latency_of(TALLY_PDISLAT_OLDEST_LSB), 2);
    CHECK_EQ(lat() >> 60, 0xF);
}

static void a_stage_may_be_reached_in_the_cycle_of_selection(void) {
    sampler(64, 1);
    control(ANYWHERE);
    period(0, ALL_ONES);
    in.track.dispatched = in.track.issued = true;
    decodes(OTHER, 0x100);
    in.track.completed = true; /* in the cycle of its end */
    retires();
    CHECK_EQ(lat(), TALLY_PDISLAT_DISPV_MASK | TALLY_PDISLAT_ISSV_MASK | TALLY_PDISLAT_EXECV_MASK | 1 |
                        UINT64_C(1) << TALLY_PDISLAT_EXECUTION_LSB);
}

static void a_stage_that_is_reported_again_changes_nothing(void) {
    sampler(64, 1);
    control(ANYWHERE);
    period(0, ALL_ONES);
    decodes(OTHER, 0x100); /* cycle 0 */
    ticks(1);
    for (unsigned time = 0; time < 2; time++) { /* 2, 3, 4, 5; then all of them again */
        in.track.dispatched = true;
        tick();
        clear_ports();
        in.track.issued = true;
        tick();
        clear_ports();
        in.track.completed = true;
        tick();
        clear_ports();
        in.track.oldest = true;
        tick();
        clear_ports();
    }
    retires(); /* 10 */
    CHECK_EQ(latency_of(TALLY_PDISLAT_TOTAL_LSB), 10);
    CHECK_EQ(latency_of(TALLY_PDISLAT_DISPATCH_LSB), 2);
    CHECK_EQ(latency_of(TALLY_PDISLAT_ISSUE_LSB), 1);
    CHECK_EQ(latency_of(TALLY_PDISLAT_EXECUTION_LSB), 1);
    CHECK_EQ(latency_of(TALLY_PDISLAT_OLDEST_LSB), 5);
}

static void what_was_not_reached_is_not_valid(void) {
    sampler(64, 1);
    control(ANYWHERE);
    period(0, ALL_ONES);
    decodes(OTHER, 0x100);
    in.track.completed = true; /* not issued: it carries an exception */
    tick();
    clear_ports();
    in.track.oldest = true;
    tick();
    clear_ports();
    in.track.trapped = true; /* does not retire: no OLDEST */
    tick();
    clear_ports();
    CHECK_EQ(lat(), 3);
}

static void latencies_saturate_each_by_itself(void) {
    sampler(64, 1);
    control(ANYWHERE);
    period(0, ALL_ONES);
    decodes(OTHER, 0x100);
    ticks(4999);
    in.track.dispatched = true;
    tick();
    clear_ports();
    ticks(2);
    in.track.issued = true;
    tick();
    clear_ports();
    retires();
    CHECK_EQ(latency_of(TALLY_PDISLAT_TOTAL_LSB), 0xFFF);
    CHECK_EQ(latency_of(TALLY_PDISLAT_DISPATCH_LSB), 0xFFF);
    CHECK_EQ(latency_of(TALLY_PDISLAT_ISSUE_LSB), 3);
}

/* ---- the other words */

static void what_a_load_did(void) {
    sampler(64, 1);
    control(ANYWHERE | MASK(PA) | MASK(TS));
    in.env.time = 77;
    in.env.mstateen0 &= ~PDIS_BIT; /* owned by M-mode, which may read time */
    in.track.l1miss = in.track.lltlbmiss = in.track.icmiss = true;
    in.track.mispred = true; /* of control transfers only */
    in.track.dsrc = 4;
    in.track.itype = 5;
    in.track.vaddr = 0x1238;
    in.track.paddr = 0x80001238;
    sample(LOAD, 0x100);
    CHECK_EQ(hdrev(),
             LOAD | HDR(L1MISS) | HDR(LLTLBMISS) | HDR(ICMISS) | UINT64_C(4) << TALLY_PDISHDREV_DSRC_LSB);
    CHECK_EQ(word(2), 0x100);
    CHECK_EQ(word(3), 77);
    CHECK_EQ(word(5), 0x1238);
    CHECK_EQ(word(6), 0x80001238);
}

static void what_a_control_transfer_did(void) {
    static const unsigned lsb[16] = {[3] = TALLY_PDISHDREV_TRET_LSB,    [4] = TALLY_PDISHDREV_NTBR_LSB,
                                     [5] = TALLY_PDISHDREV_TKBR_LSB,    [8] = TALLY_PDISHDREV_INDCALL_LSB,
                                     [9] = TALLY_PDISHDREV_DIRCALL_LSB, [10] = TALLY_PDISHDREV_INDJMP_LSB,
                                     [11] = TALLY_PDISHDREV_DIRJMP_LSB, [12] = TALLY_PDISHDREV_CORSWAP_LSB,
                                     [13] = TALLY_PDISHDREV_RET_LSB,    [14] = TALLY_PDISHDREV_INDLJMP_LSB,
                                     [15] = TALLY_PDISHDREV_DIRLJMP_LSB};

    sampler(64, 1);
    control(ANYWHERE);
    for (unsigned itype = 0; itype < 16; itype++) {
        in.track.itype = (uint8_t)itype;
        in.track.mispred = itype & 1;
        in.track.l1miss = true; /* of memory accesses only */
        in.track.target = 0x2000;
        sample(TRANSFER, 0x100);
        CHECK_EQ(hdrev(),
                 TRANSFER | (lsb[itype] ? UINT64_C(1) << lsb[itype] : 0) | (itype & 1 ? HDR(MISPRED) : 0));
        CHECK_EQ(word(5), lsb[itype] && itype != 4 ? 0x2000 : 0);
    }
}

static void who_flushed_it(void) {
    sampler(64, 1);
    control(ANYWHERE | MASK(PA));
    period(0, ALL_ONES);
    decodes(STORE, 0x100);
    in.track.flushed = true;
    in.track.flush_why = 1;
    in.track.flush_pc = 0xF0;
    in.track.vaddr = 0x1238;
    in.track.paddr = 0x80001238;
    tick();
    clear_ports();
    CHECK_EQ(hdrev(), STORE | HDR(FLUSHED) | UINT64_C(1) << TALLY_PDISHDREV_FLUSH_LSB);
    CHECK_EQ(word(5), 0xF0);
    CHECK_EQ(word(6), 0x1238);
}

static void the_prior_target_is_that_of_the_youngest_older_transfer(void) {
    sampler(64, 4);
    control(ANYWHERE | MASK(EPT));
    in.track.itype = 4;
    sample(TRANSFER, 0x100);
    CHECK_EQ(word(6), 0); /* there was none */

    retire(0, 0x100, UINT64_C(1) << TALLY_EVR_DIR_CALL); /* to 0x200 */
    retire(1, 0x200, UINT64_C(1) << TALLY_EVR_BR_NT);
    in.ret_next_pc = 0x204;
    tick();
    in.track.itype = 4;
    sample(TRANSFER, 0x210);
    CHECK_EQ(word(6), 0x200);

    /* The transfer retires in the same cycle as the sample, which is the last to retire: pc 0x304. */
    w(TALLY_CSR_SPDISCOUNTER, ALL_ONES);
    CHECK_EQ(decodes(TRANSFER, 0x304), true);
    retire(0, 0x220, UINT64_C(1) << TALLY_EVR_BR_TK);
    retire(2, 0x304, UINT64_C(1) << TALLY_EVR_BR_TK);
    in.ret_next_pc = 0x400;
    in.track.itype = 5;
    retires();
    CHECK_EQ(word(6), 0x304);

    /* Then the sample is the prior transfer. Transfers in modes that are not sampled are not. */
    control(MASK(S) | MASK(EPT));
    retire(0, 0x400, UINT64_C(1) << TALLY_EVR_RETURN);
    tick();
    clear_ports();
    control(ANYWHERE | MASK(EPT));
    sample(TRANSFER, 0x500);
    CHECK_EQ(word(6), 0x400);
}

static uint64_t recorded_event(void) {
    in.track.ev = UINT64_C(1) << TALLY_EVR_LOAD;
    sample(LOAD, 0x100);
    return hdrev() >> 5 & 1;
}

static void events_of_counters_of_the_same_owner(void) {
    sampler(64, 1);
    control(ANYWHERE | 1 << 5);
    w(event(5), TALLY_EV_INST_LOAD_RET);
    in.env.mstateen0 = UINT64_MAX & ~PDIS_BIT;
    CHECK_EQ(recorded_event(), 1); /* both are M-mode's */
    in.env.mstateen0 = UINT64_MAX;
    CHECK_EQ(recorded_event(), 0);
    w(TALLY_CSR_MCOUNTEREN, 1 << 5);
    CHECK_EQ(recorded_event(), 0);
    in.env.cde = true; /* both are S-mode's */
    CHECK_EQ(recorded_event(), 1);
    in.env.mstateen0 = UINT64_MAX & ~PDIS_BIT;
    CHECK_EQ(recorded_event(), 0);
    in.env.mstateen0 = UINT64_MAX;
    w(TALLY_CSR_MCOUNTINHIBIT, 1 << 5); /* stops counting, not observing */
    CHECK_EQ(recorded_event(), 1);
    w(TALLY_CSR_MCOUNTINHIBIT, 0);
    w(event(5), TALLY_EV_INST_LOAD_RET | MINH);
    CHECK_EQ(recorded_event(), 0);
    w(event(5), TALLY_EV_INST_STORE_RET);
    CHECK_EQ(recorded_event(), 0);
    w(event(5), TALLY_EV_INST_LOAD_RET);
    control(ANYWHERE);
    CHECK_EQ(recorded_event(), 0);
}

static void retire_events_are_recorded_only_of_what_retires(void) {
    sampler(64, 1);
    w(event(5), TALLY_EV_INST_LOAD_RET);
    in.env.mstateen0 &= ~PDIS_BIT;
    for (unsigned how = 0; how < 3; how++) {
        control(ANYWHERE | 1 << 5);
        w(TALLY_CSR_SPDISCOUNTER, ALL_ONES);
        decodes(LOAD, 0x100);
        in.track.retired = how == 0;
        in.track.trapped = how == 1;
        in.track.flushed = how == 2;
        in.track.ev = UINT64_C(1) << TALLY_EVR_LOAD;
        in.track.l1tlbmiss = true; /* in the header, which has events that happened */
        tick();
        clear_ports();
        tick();
        CHECK_EQ(hdrev() >> 5 & 1, how == 0);
        CHECK_EQ((hdrev() & HDR(L1TLBMISS)) != 0, true);
    }
}

static uint64_t recorded_time(void) {
    in.env.time = 1000;
    in.env.htimedelta = 5;
    sample(OTHER, 0x100);
    return word(3);
}

static void time_is_that_of_who_samples(void) {
    sampler(64, 1);
    cfg.hyp = true;
    start();
    control(ANYWHERE | MASK(TS));
    in.env.mstateen0 &= ~PDIS_BIT;
    CHECK_EQ(recorded_time(), 1000); /* M */
    in.env.mstateen0 |= PDIS_BIT;
    in.env.hstateen0 &= ~PDIS_BIT;
    CHECK_EQ(recorded_time(), 0); /* S, which may not read it */
    w(TALLY_CSR_MCOUNTEREN, 2);
    CHECK_EQ(recorded_time(), 1000);
    in.env.hstateen0 |= PDIS_BIT;
    CHECK_EQ(recorded_time(), 0); /* VS */
    in.env.hcounteren = 2;
    CHECK_EQ(recorded_time(), 1005);
    control(ANYWHERE);
    CHECK_EQ(recorded_time(), 0);
}

static const struct test tests[] = {
    TEST(latencies_are_differences_of_cycles),
    TEST(a_stage_may_be_reached_in_the_cycle_of_selection),
    TEST(a_stage_that_is_reported_again_changes_nothing),
    TEST(what_was_not_reached_is_not_valid),
    TEST(latencies_saturate_each_by_itself),
    TEST(what_a_load_did),
    TEST(what_a_control_transfer_did),
    TEST(who_flushed_it),
    TEST(the_prior_target_is_that_of_the_youngest_older_transfer),
    TEST(events_of_counters_of_the_same_owner),
    TEST(retire_events_are_recorded_only_of_what_retires),
    TEST(time_is_that_of_who_samples),
};

int main(void) { return run_tests("golden_pmu_sample_record", tests, sizeof(tests) / sizeof(tests[0])); }
