// SPDX-License-Identifier: Apache-2.0
/*
 * The golden PMU alone: the end of a sample (docs/sampling.md). One test for each rule.
 */
#include "pmu_sampling.h"

static void a_qualified_sample_interrupts_once(void) {
    sampler(64, 1);
    control(ANYWHERE);
    program(3, 0, TALLY_EV_PDIS_SAMPLES);
    sample(OTHER, 0x100);
    CHECK_EQ(out.irq_lcofi, true);
    CHECK_EQ(of(), true);
    CHECK_EQ(csr(M, GP_READ, TALLY_CSR_SCOUNTOVF, 0), 2);
    sample(OTHER, 0x108);
    CHECK_EQ(out.irq_lcofi, false);
    CHECK_EQ(of(), true);
    CHECK_EQ(word(2), 0x108); /* the newest */
    CHECK_EQ(peek(counter(3)), 2);
}

/* A sample that ends as the core clock stops counts when the clock runs again: none is lost, none counts
 * twice. */
static void samples_are_counted_when_the_clock_runs(void) {
    sampler(64, 1);
    control(ANYWHERE);
    program(3, 0, TALLY_EV_PDIS_SAMPLES);
    period(0, ALL_ONES);
    decodes(OTHER, 0x100);
    in.track.retired = true;
    tick();
    clear_ports();
    in.mode.halted = true; /* a WFI */
    tick();
    CHECK_EQ(out.irq_lcofi, true);
    tick();
    CHECK_EQ(peek(counter(3)), 0);
    in.mode.halted = false;
    tick();
    CHECK_EQ(peek(counter(3)), 1);
    tick();
    CHECK_EQ(peek(counter(3)), 1);
}

/* "The LCOFI is taken before the next instruction in the same privilege mode retires" (event
 * sampling draft, mpdisctl): none retires until it is pending. */
static void nothing_retires_while_a_sample_is_judged(void) {
    sampler(64, 4);
    control(ANYWHERE);
    period(0, ALL_ONES);
    decodes(OTHER, 0x100);
    in.track.retired = true;
    tick();
    CHECK_EQ(out.ret_max, 4);
    CHECK_EQ(out.irq_lcofi, false);
    clear_ports();
    tick();
    CHECK_EQ(out.ret_max, 0);
    CHECK_EQ(out.irq_lcofi, true);
    tick();
    CHECK_EQ(out.ret_max, 4);
}

static void a_sample_may_end_in_the_cycle_of_its_selection(void) {
    sampler(64, 1);
    control(ANYWHERE);
    period(0, ALL_ONES);
    in.track.flushed = true;
    CHECK_EQ(decodes(OTHER, 0x100), true);
    tick();
    CHECK_EQ(out.end, GP_END_KEPT);
    CHECK_EQ(hdrev(), HDR(FLUSHED));
    CHECK_EQ(lat(), 0);
}

static void of_and_lcofi_are_set_together_and_a_written_of_wins(void) {
    sampler(64, 1);
    control(ANYWHERE);
    period(0, ALL_ONES);
    decodes(OTHER, 0x100);
    in.track.retired = true;
    tick();
    clear_ports();
    csr(M, GP_CLEAR, TALLY_CSR_MPDISCTL, MASK(OF));
    CHECK_EQ(out.irq_lcofi, true);
    CHECK_EQ(of(), false);
    period(0, ALL_ONES);
    decodes(OTHER, 0x100);
    in.track.retired = true;
    tick();
    clear_ports();
    csr(M, GP_SET, TALLY_CSR_MPDISCTL, MASK(TS)); /* not OF's bit */
    CHECK_EQ(of(), true);
}

static enum gp_end end_of(unsigned type) {
    struct gp_track track = in.track;

    clear_ports();
    w(TALLY_CSR_SPDISCOUNTER, ALL_ONES);
    decodes(type, 0x100);
    ticks(3);
    in.track = track;
    retires();
    return out.end;
}

static void the_event_filter(void) {
    sampler(64, 1);
    control(ANYWHERE);
    w(TALLY_CSR_SPDISEVMASK, 7 | HDR(L1MISS));
    w(TALLY_CSR_SPDISEVMATCH, LOAD | HDR(L1MISS) | HDR(DSRC));
    CHECK_EQ(end_of(LOAD), GP_END_FILTERED);
    in.track.l1miss = true;
    CHECK_EQ(end_of(STORE), GP_END_FILTERED);
    in.track.l1miss = true;
    CHECK_EQ(end_of(LOAD), GP_END_KEPT);
    w(TALLY_CSR_SPDISEVMASK, UINT64_MAX);
    CHECK_EQ(peek(TALLY_CSR_SPDISEVMASK), (UINT64_C(1) << 56) - 1);
}

static void the_latency_filter(void) {
    sampler(64, 1);
    control(ANYWHERE);
    w(TALLY_CSR_SPDISFILTER, 4); /* TOTAL is 4 */
    CHECK_EQ(end_of(LOAD), GP_END_KEPT);
    w(TALLY_CSR_SPDISFILTER, 5);
    CHECK_EQ(end_of(LOAD), GP_END_FILTERED);
    w(TALLY_CSR_SPDISFILTER, 5 | TALLY_SPDISFILTER_INV_MASK);
    CHECK_EQ(end_of(LOAD), GP_END_KEPT);
    w(TALLY_CSR_SPDISFILTER, 4 | TALLY_SPDISFILTER_INV_MASK);
    CHECK_EQ(end_of(LOAD), GP_END_FILTERED);
    w(TALLY_CSR_SPDISFILTER, 1 | 3 << TALLY_SPDISFILTER_LATSEL_LSB); /* EXECUTION, not valid: 0 */
    CHECK_EQ(end_of(LOAD), GP_END_FILTERED);
    w(TALLY_CSR_SPDISFILTER, 9 | 5 << TALLY_SPDISFILTER_LATSEL_LSB);
    CHECK_EQ(peek(TALLY_CSR_SPDISFILTER), 9); /* 5 to 7 are 0 */
}

/* "If the filter criteria are not met, the sample is discarded. Otherwise, if the PDIS counter is not
 * inhibited, the sample is qualified" (event sampling draft, mpdisctl); the destination comes last. */
static void inhibition_is_judged_after_the_filters_and_before_the_destination(void) {
    static const enum gp_end ends[2][2] = {{GP_END_FILTERED, GP_END_FILTERED},
                                           {GP_END_DROPPED, GP_END_INHIBITED}};

    for (unsigned passes = 0; passes < 2; passes++)
        for (unsigned inhibited = 0; inhibited < 2; inhibited++) {
            sampler(64, 1);
            control(ANYWHERE | MASK(MEM)); /* the buffer is disabled */
            program(3, 0, TALLY_EV_PDIS_INHIBITED);
            program(4, 0, TALLY_EV_PDIS_FILTERED);
            w(TALLY_CSR_SPDISEVMASK, 7);
            w(TALLY_CSR_SPDISEVMATCH, LOAD);
            period(0, ALL_ONES);
            decodes(passes ? LOAD : STORE, 0x100);
            w(TALLY_CSR_MCOUNTINHIBIT, inhibited ? 2 : 0);
            retires();
            CHECK_EQ(out.end, ends[passes][inhibited]);
            tick();
            CHECK_EQ(peek(counter(3)), passes && inhibited);
            CHECK_EQ(peek(counter(4)), !passes);
        }
}

static const struct test tests[] = {
    TEST(a_qualified_sample_interrupts_once),
    TEST(samples_are_counted_when_the_clock_runs),
    TEST(nothing_retires_while_a_sample_is_judged),
    TEST(a_sample_may_end_in_the_cycle_of_its_selection),
    TEST(of_and_lcofi_are_set_together_and_a_written_of_wins),
    TEST(the_event_filter),
    TEST(the_latency_filter),
    TEST(inhibition_is_judged_after_the_filters_and_before_the_destination),
};

int main(void) { return run_tests("golden_pmu_sample_end", tests, sizeof(tests) / sizeof(tests[0])); }
