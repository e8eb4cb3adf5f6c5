// SPDX-License-Identifier: Apache-2.0
/*
 * The golden PMU alone: which instruction is the sample (docs/sampling.md). One test for each rule.
 */
#include "pmu_sampling.h"

static void the_overflowing_instruction_is_the_sample(void) {
    sampler(64, 1);
    control(ANYWHERE);
    period(PERIOD(3), PERIOD(2));
    CHECK_EQ(decodes(OTHER, 0x100), false);
    CHECK_EQ(decodes(OTHER, 0x104), true);
    CHECK_EQ(out.overflows, 1);
    CHECK_EQ(peek(TALLY_CSR_SPDISCOUNTER), PERIOD(3) << 32 | PERIOD(3));
}

static void no_decode_is_lost_at_an_overflow(void) {
    sampler(64, 4);
    control(ANYWHERE);
    period(PERIOD(2), PERIOD(1));
    for (unsigned lane = 0; lane < 4; lane++)
        decode(lane, OTHER, 0x100 + 4 * lane);
    tick(); /* overflows in lanes 0 and 2 */
    CHECK_EQ(out.dec_sample, 1);
    CHECK_EQ(out.overflows, 2);
    CHECK_EQ(out.collisions, 1);
    CHECK_EQ(peek(TALLY_CSR_SPDISCOUNTER) & ALL_ONES, PERIOD(1));
}

static void the_type_is_selected(void) {
    static const uint8_t counted[] = {0x1F, 0x0A, 0x0C, 0x0E, 0x10}; /* by SEL: types */

    sampler(64, 1);
    for (unsigned sel = 0; sel < 5; sel++) {
        control(ANYWHERE | sel);
        for (unsigned type = 0; type < 5; type++) {
            period(0, 7);
            decodes(type, 0x100);
            CHECK_EQ(peek(TALLY_CSR_SPDISCOUNTER), 7 + (counted[sel] >> type & 1));
        }
    }
    control(ANYWHERE | 5);
    CHECK_EQ(peek(TALLY_CSR_MPDISCTL) & MASK(SEL), 0);
}

static void the_mode_is_selected(void) {
    static const uint64_t ctl[] = {MASK(M), MASK(S), MASK(U), 0, 0}, guest[] = {0, 0, 0, MASK(S), MASK(U)};

    sampler(64, 1);
    cfg.hyp = true;
    start();
    for (unsigned wanted = M; wanted <= VU; wanted++) {
        control(ctl[wanted]);
        w(TALLY_CSR_VSPDISCTL, guest[wanted]);
        for (unsigned mode = M; mode <= VU; mode++) {
            period(0, 7);
            run_in(mode);
            decodes(OTHER, 0x100);
            CHECK_EQ(peek(TALLY_CSR_SPDISCOUNTER), 7 + (mode == wanted));
        }
    }
}

static void nothing_is_counted_while_inhibited_halted_or_in_debug_mode(void) {
    sampler(64, 1);
    control(ANYWHERE);
    period(0, ALL_ONES);
    w(TALLY_CSR_MCOUNTINHIBIT, 2);
    CHECK_EQ(decodes(OTHER, 0x100), false);
    w(TALLY_CSR_MCOUNTINHIBIT, 0);
    in.mode.halted = true;
    CHECK_EQ(decodes(OTHER, 0x100), false);
    in.mode.halted = false;
    in.mode.stopcount = true;
    CHECK_EQ(decodes(OTHER, 0x100), false);
    in.mode.stopcount = false;
    CHECK_EQ(peek(TALLY_CSR_SPDISCOUNTER), ALL_ONES);
    CHECK_EQ(decodes(OTHER, 0x100), true);
}

static void an_overflow_during_a_sample_is_a_collision(void) {
    sampler(64, 1);
    control(ANYWHERE);
    period(PERIOD(1), PERIOD(1));
    program(3, 0, TALLY_EV_PDIS_COLLISIONS);
    CHECK_EQ(decodes(OTHER, 0x100), true);
    CHECK_EQ(decodes(OTHER, 0x104), false);
    CHECK_EQ(out.collisions, 1);
    in.track.retired = true; /* up to and including the cycle in which its end is judged */
    CHECK_EQ(decodes(OTHER, 0x108), false);
    CHECK_EQ(decodes(OTHER, 0x10C), false);
    CHECK_EQ(out.collisions, 1);
    CHECK_EQ(peek(counter(3)), 2); /* each counts in the next cycle */
    CHECK_EQ(decodes(OTHER, 0x110), true);
    CHECK_EQ(peek(counter(3)), 3);
}

static void a_write_of_count_wins(void) {
    sampler(64, 1);
    control(ANYWHERE);
    period(0, ALL_ONES);
    decode(0, OTHER, 0x100);
    w(TALLY_CSR_SPDISCOUNTER, 5);
    CHECK_EQ(out.dec_sample, 0);
    CHECK_EQ(out.overflows, 0);
    CHECK_EQ(peek(TALLY_CSR_SPDISCOUNTER), 5);
    clear_ports();

    sampler(32, 1); /* the high half is INITVAL, and nothing else */
    control(ANYWHERE);
    period(PERIOD(4), ALL_ONES);
    decode(0, OTHER, 0x100);
    w(TALLY_CSR_SPDISCOUNTERH, 9);
    CHECK_EQ(out.dec_sample, 1);
    CHECK_EQ(peek(TALLY_CSR_SPDISCOUNTER), UINT64_C(9) << 32 | PERIOD(4));
}

static void acceleration_takes_the_next_one_after_a_discarded_sample(void) {
    sampler(64, 2);
    control(ANYWHERE | MASK(ACC) | 1);
    w(TALLY_CSR_SPDISEVMASK, HDR(L1MISS));
    w(TALLY_CSR_SPDISEVMATCH, HDR(L1MISS));
    period(0, ALL_ONES);
    CHECK_EQ(decodes(LOAD, 0x100), true);
    retires();
    CHECK_EQ(out.end, GP_END_FILTERED);
    CHECK_EQ(decodes(STORE, 0x104), false); /* does not match SEL */
    decode(0, STORE, 0x108);
    decode(1, LOAD, 0x10C);
    tick();
    CHECK_EQ(out.dec_sample, 2);
    CHECK_EQ(out.overflows, 0);
    clear_ports();
    w(TALLY_CSR_SPDISEVMASK, 0);   /* this one passes the filter */
    w(TALLY_CSR_MCOUNTINHIBIT, 2); /* inhibition discards the sample, but does not trigger ACC */
    retires();
    CHECK_EQ(out.end, GP_END_INHIBITED);
    w(TALLY_CSR_MCOUNTINHIBIT, 0);
    CHECK_EQ(decodes(LOAD, 0x110), false);
}

static void decoded_instructions_are_events(void) {
    static const uint64_t events[] = {TALLY_EV_INST_DEC_SPEC, TALLY_EV_INST_DEC_BRJMP_SPEC,
                                      TALLY_EV_INST_DEC_LOAD_SPEC, TALLY_EV_INST_DEC_STORE_SPEC,
                                      TALLY_EV_INST_DEC_LDST_SPEC};
    /* of one instruction of each type: other, load, store, both, transfer */
    static const uint64_t want[] = {5, 1, 2, 2, 3};

    sampler(64, 1);
    for (unsigned k = 0; k < 5; k++)
        program(3 + k, 0, events[k]);
    for (unsigned type = OTHER; type <= TRANSFER; type++)
        decodes(type, 0x100);
    tick(); /* they count a cycle later */
    for (unsigned k = 0; k < 5; k++)
        CHECK_EQ(peek(counter(3 + k)), want[k]);

    /* They count in a cycle in which the core clock runs, and once. */
    decode(0, LOAD, 0x100);
    tick();
    clear_ports();
    in.mode.halted = true;
    tick();
    tick();
    CHECK_EQ(peek(counter(3)), want[0]);
    in.mode.halted = false;
    tick();
    CHECK_EQ(peek(counter(3)), want[0] + 1);
    tick();
    CHECK_EQ(peek(counter(3)), want[0] + 1);
}

static const struct test tests[] = {
    TEST(the_overflowing_instruction_is_the_sample),
    TEST(no_decode_is_lost_at_an_overflow),
    TEST(the_type_is_selected),
    TEST(the_mode_is_selected),
    TEST(nothing_is_counted_while_inhibited_halted_or_in_debug_mode),
    TEST(an_overflow_during_a_sample_is_a_collision),
    TEST(a_write_of_count_wins),
    TEST(acceleration_takes_the_next_one_after_a_discarded_sample),
    TEST(decoded_instructions_are_events),
};

int main(void) { return run_tests("golden_pmu_sample_selection", tests, sizeof(tests) / sizeof(tests[0])); }
