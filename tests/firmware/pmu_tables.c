/* SPDX-License-Identifier: Apache-2.0 */
/* SBI 3.0, chapter 11, table by table: every row of every error table, every flag, every kind of event. */
#include "suite.h"

#define ALL_ONES (~0ul)

static unsigned first_hw(void) { return lowest(PROGRAMMABLE); }

static unsigned first_fw(void) { return lowest(firmware_set); }

/* A hardware event that any implementation counts: cycles. */
#define CYCLES 1ul
#define INSTRUCTIONS 2ul

/* --- 11.6: num_counters -------------------------------------------------------------------------- */

TEST(section_11_6_num_counters_always_succeeds) {
    EXPECT(pmu_num_counters().error, SBI_SUCCESS);
    EXPECT(pmu_num_counters().value >= 3 + 16, true);
}

TEST(section_11_6_at_least_16_firmware_counters) {
    NEED(at_least(3, 0));
    EXPECT(__builtin_popcountll(firmware_set) >= 16, true);
}

/* --- 11.7, table 36: counter_get_info ------------------------------------------------------------- */

TEST(table36_success_names_csr_and_width) {
    for (uint64_t set = hardware_set; set; set &= set - 1) {
        unsigned n = lowest(set);
        struct sbiret info = pmu_get_info(n);

        EXPECT(info.error, SBI_SUCCESS);
        EXPECT((info.value & 0xfff) >= 0xc00 && (info.value & 0xfff) < 0xc20, true);
        EXPECT((info.value & 0xfff) != 0xc01, true); /* time is no counter */
        EXPECT((info.value >> 12 & 63) < 64, true);
        EXPECT(info.value >> 18, 0);
    }
}

TEST(table36_success_firmware_type_is_the_top_bit) {
    for (uint64_t set = firmware_set; set; set &= set - 1)
        EXPECT(pmu_get_info(lowest(set)).value >> (__riscv_xlen - 1), 1);
}

/* docs/rulings.md, SBI counter numbers: cycle, instret, the programmable ones, the firmware's, without a gap.
 */
TEST(counter_indices_are_dense_and_every_contiguous_mask_is_valid) {
    NEED(at_least(3, 0));
    for (unsigned n = 0; n < counters; n++)
        EXPECT(pmu_get_info(n).error, SBI_SUCCESS);
    EXPECT(pmu_get_info(0).value & 0xfff, 0xc00);
    EXPECT(pmu_get_info(1).value & 0xfff, 0xc02);
    for (unsigned n = 2; hardware_set >> n & 1; n++)
        EXPECT(pmu_get_info(n).value & 0xfff, 0xc01 + n);
    for (unsigned n = 1; n <= counters && n <= __riscv_xlen; n++)
        EXPECT(pmu_stop(0, n == __riscv_xlen ? ALL_ONES : (1ul << n) - 1, 0).error, SBI_ERR_ALREADY_STOPPED);
}

TEST(table36_invalid_param_index_out_of_range) {
    EXPECT(pmu_get_info(counters).error, SBI_ERR_INVALID_PARAM);
    EXPECT(pmu_get_info(64).error, SBI_ERR_INVALID_PARAM);
    EXPECT(pmu_get_info(ALL_ONES).error, SBI_ERR_INVALID_PARAM);
    EXPECT(pmu_get_info(1ul << (__riscv_xlen - 1)).error, SBI_ERR_INVALID_PARAM);
}

/* --- 11.8, tables 37 and 38: counter_config_matching ---------------------------------------------- */

TEST(table38_success_returns_a_counter_of_the_set) {
    uint64_t set = PROGRAMMABLE & ~(1ull << first_hw());
    unsigned n = lowest(set);
    struct sbiret ret = pmu_config(n, 1, 0, CYCLES, 0);

    EXPECT(ret.error, SBI_SUCCESS);
    EXPECT(ret.value, n);
}

TEST(table38_never_a_counter_outside_the_set) {
    for (uint64_t set = PROGRAMMABLE; set; set &= set - 1) {
        struct sbiret ret = pmu_config(lowest(set), 1, 0, CYCLES, 0);

        EXPECT(ret.error, SBI_SUCCESS);
        EXPECT(ret.value, lowest(set));
    }
    EXPECT(pmu_config(first_hw(), 1, 0, CYCLES, 0).error,
           SBI_ERR_NOT_SUPPORTED); /* it has an event already */
}

TEST(table38_success_base_and_mask_together) {
    struct sbiret ret = pmu_config(0, 1ul << (first_hw() + 2), 0, CYCLES, 0);

    EXPECT(ret.error, SBI_SUCCESS);
    EXPECT(ret.value, first_hw() + 2);
    ret = pmu_config(first_hw(), 8, 0, CYCLES, 0);
    EXPECT(ret.error, SBI_SUCCESS);
    EXPECT(ret.value, first_hw() + 3);
}

TEST(table38_invalid_param_empty_mask) {
    NEED(at_least(3, 0));
    EXPECT(pmu_config(0, 0, 0, CYCLES, 0).error, SBI_ERR_INVALID_PARAM);
    EXPECT(pmu_config(first_hw(), 0, 0, CYCLES, 0).error, SBI_ERR_INVALID_PARAM);
}

TEST(table38_invalid_param_one_counter_of_the_set_does_not_exist) {
    NEED(at_least(3, 0));
    EXPECT(pmu_config(counters - 1, 3, 0, CYCLES, 0).error, SBI_ERR_INVALID_PARAM);
    EXPECT(pmu_config(counters, 1, 0, CYCLES, 0).error, SBI_ERR_INVALID_PARAM);
}

TEST(table38_invalid_param_base_and_mask_do_not_wrap_around) {
    NEED(at_least(3, 0));
    EXPECT(pmu_config(ALL_ONES, 1, 0, CYCLES, 0).error, SBI_ERR_INVALID_PARAM);
    EXPECT(pmu_config(ALL_ONES, 1ul << (first_hw() + 1), 0, CYCLES, 0).error, SBI_ERR_INVALID_PARAM);
    EXPECT(pmu_config(64, 1, 0, CYCLES, 0).error, SBI_ERR_INVALID_PARAM);
    EXPECT(pmu_config(counters - 1, 1ul << (__riscv_xlen - 1) | 1, 0, CYCLES, 0).error,
           SBI_ERR_INVALID_PARAM);
    EXPECT(pmu_config(counters - 1, 8, 0, CYCLES, 0).error, SBI_ERR_INVALID_PARAM);
}

TEST(table38_invalid_param_every_reserved_flag) {
    NEED(at_least(3, 0));
    for (unsigned bit = 8; bit < __riscv_xlen; bit++)
        EXPECT(pmu_config(first_hw(), 1, 1ul << bit, CYCLES, 0).error, SBI_ERR_INVALID_PARAM);
    EXPECT(pmu_config(first_hw(), 1, 0, CYCLES, 0).error, SBI_SUCCESS); /* and nothing was taken */
}

TEST(table38_not_supported_unknown_events) {
    static const unsigned long unknown[] = {
        0,       0x0b,     0xff,       0xffff,   CACHE(7, 0, 0), CACHE(0, 3, 0), CACHE(0, 3, 1),
        0x1ffff, RAW | 1,  RAW_V2 | 1, 0x40000,  0x80000,        0xe0000,        FW(22),
        FW(255), 0x100000, 0x100001,   1ul << 31};

    NEED(at_least(3, 0));
    for (unsigned i = 0; i < sizeof unknown / sizeof *unknown; i++) {
        EXPECT(pmu_config(first_hw(), 1, 0, unknown[i], 0).error, SBI_ERR_NOT_SUPPORTED);
        EXPECT(pmu_config(first_fw(), 1, 0, unknown[i], 0).error, SBI_ERR_NOT_SUPPORTED);
    }
}

TEST(table38_not_supported_no_counter_of_the_set_can_count_it) {
    EXPECT(pmu_config(first_fw(), 1, 0, CYCLES, 0).error, SBI_ERR_NOT_SUPPORTED);
    EXPECT(pmu_config(first_hw(), 1, 0, FW(0), 0).error, SBI_ERR_NOT_SUPPORTED);
    EXPECT(pmu_config(0, 1, 0, INSTRUCTIONS, 0).error, SBI_ERR_NOT_SUPPORTED);
    EXPECT(pmu_config(index_of(2), 1, 0, CYCLES, 0).error, SBI_ERR_NOT_SUPPORTED);
    EXPECT(pmu_config(0, 1 | 1ul << index_of(2), 0, 3, 0).error, SBI_ERR_NOT_SUPPORTED);
}

TEST(table31_every_general_event) {
    NEED(has_software_event());
    for (unsigned long code = 1; code <= 10; code++) {
        struct sbiret ret = pmu_config(0, (unsigned long)PROGRAMMABLE, 0, code, 0);

        EXPECT(ret.error, SBI_SUCCESS);
        EXPECT(pmu_stop(ret.value, 1, RESET).error, SBI_ERR_ALREADY_STOPPED);
    }
}

TEST(table32_to_34_cache_events_that_the_unit_has) {
    static const unsigned long there[] = {CACHE(0, 0, 0), CACHE(0, 0, 1), CACHE(0, 1, 0), CACHE(1, 0, 0),
                                          CACHE(1, 0, 1), CACHE(3, 0, 0), CACHE(3, 0, 1), CACHE(4, 0, 1)};

    NEED(has_software_event());
    for (unsigned i = 0; i < sizeof there / sizeof *there; i++) {
        struct sbiret ret = pmu_config(0, (unsigned long)PROGRAMMABLE, 0, there[i], 0);

        EXPECT(ret.error, SBI_SUCCESS);
        pmu_stop(ret.value, 1, RESET);
    }
    EXPECT(pmu_config(0, (unsigned long)PROGRAMMABLE, 0, CACHE(6, 0, 0), 0).error, SBI_ERR_NOT_SUPPORTED);
}

TEST(table30_raw_events_of_both_versions) {
    NEED(has_software_event());
    EXPECT(pmu_config(first_hw(), 1, 0, RAW, SOFTWARE_EVENT).error, SBI_SUCCESS);
    EXPECT(pmu_config(first_hw() + 1, 1, 0, RAW_V2, SOFTWARE_EVENT).error, SBI_SUCCESS);
}

/* The selector has 48 or 56 bits; the bits above in event_data are not writable by the supervisor. */
TEST(section_11_3_raw_selectors_are_masked) {
    const uint64_t of = TALLY_MHPMEVENT_OF_MASK, minh = TALLY_MHPMEVENT_MINH_MASK;
    unsigned n = first_hw();

    NEED(has_software_event());
    EXPECT(pmu_config(n, 1, CLEAR_VALUE | AUTO_START, RAW_V2, SOFTWARE_EVENT | of | minh).error, SBI_SUCCESS);
    EXPECT(overflown(n), 0);
    software_event();
    EXPECT(value_of(n), 1);
    EXPECT(pmu_stop(n, 1, RESET).error, SBI_SUCCESS);
    EXPECT(pmu_config(n, 1, CLEAR_VALUE | AUTO_START, RAW, SOFTWARE_EVENT | 0xffffull << 48).error,
           SBI_SUCCESS);
    software_event();
    EXPECT(value_of(n), 1);
}

TEST(table35_every_firmware_event) {
    NEED(at_least(3, 0));
    for (unsigned long code = 0; code <= 21; code++) {
        struct sbiret ret = pmu_config(first_fw(), 0xffff, 0, FW(code), 0);

        EXPECT(ret.error, SBI_SUCCESS);
        EXPECT(firmware_set >> ret.value & 1, 1);
        EXPECT(pmu_stop(ret.value, 1, RESET).error, SBI_ERR_ALREADY_STOPPED);
    }
    EXPECT(pmu_config(first_fw(), 1, 0, FW_PLATFORM_EVENT, 0).error, SBI_SUCCESS);
}

TEST(table37_skip_match_takes_the_first_of_the_set) {
    unsigned n = first_hw() + 1;

    EXPECT(pmu_config(n, 6, SKIP_MATCH, CYCLES, 0).value, n + 1);
    EXPECT(pmu_config(n, 3, SKIP_MATCH, CYCLES, 0).value, n);
    EXPECT(pmu_config(n, 3, SKIP_MATCH, INSTRUCTIONS, 0).value, n); /* stopped: it may get another event */
}

TEST(table37_skip_match_of_a_started_counter_is_invalid_param) {
    unsigned n = first_hw();

    NEED(at_least(3, 0));
    EXPECT(pmu_config(n, 1, AUTO_START, CYCLES, 0).error, SBI_SUCCESS);
    EXPECT(pmu_config(n, 1, SKIP_MATCH, CYCLES, 0).error, SBI_ERR_INVALID_PARAM);
}

TEST(table37_skip_match_checks_the_kind_of_event) {
    NEED(at_least(3, 0));
    EXPECT(pmu_config(first_hw(), 1, SKIP_MATCH, FW(5), 0).error, SBI_ERR_NOT_SUPPORTED);
    EXPECT(pmu_config(first_fw(), 1, SKIP_MATCH, CYCLES, 0).error, SBI_ERR_NOT_SUPPORTED);
    EXPECT(pmu_config(first_fw(), 1, SKIP_MATCH, RAW, 1).error, SBI_ERR_NOT_SUPPORTED);
}

TEST(table37_clear_value) {
    unsigned n = first_hw();

    NEED(has_software_event());
    EXPECT(pmu_config(n, 1, 0, RAW, SOFTWARE_EVENT).error, SBI_SUCCESS);
    EXPECT(pmu_start(n, 1, SET_INIT_VALUE, 1234).error, SBI_SUCCESS);
    EXPECT(pmu_stop(n, 1, RESET).error, SBI_SUCCESS);
    EXPECT(pmu_config(n, 1, 0, RAW, SOFTWARE_EVENT).error, SBI_SUCCESS);
    EXPECT(value_of(n), 1234);
    EXPECT(pmu_stop(n, 1, RESET).error, SBI_ERR_ALREADY_STOPPED);
    EXPECT(pmu_config(n, 1, CLEAR_VALUE, RAW, SOFTWARE_EVENT).error, SBI_SUCCESS);
    EXPECT(value_of(n), 0);
}

TEST(table37_auto_start_has_no_impact_on_the_value) {
    unsigned n = first_hw();

    NEED(has_software_event());
    EXPECT(pmu_config(n, 1, 0, RAW, SOFTWARE_EVENT).error, SBI_SUCCESS);
    EXPECT(pmu_start(n, 1, SET_INIT_VALUE, 77).error, SBI_SUCCESS);
    EXPECT(pmu_stop(n, 1, RESET).error, SBI_SUCCESS);
    EXPECT(pmu_config(n, 1, AUTO_START, RAW, SOFTWARE_EVENT).error, SBI_SUCCESS);
    EXPECT(value_of(n), 77);
    software_event();
    EXPECT(value_of(n), 78);
    EXPECT(pmu_start(n, 1, 0, 0).error, SBI_ERR_ALREADY_STARTED);
}

TEST(table37_not_started_without_auto_start) {
    unsigned n = first_hw();

    NEED(has_software_event());
    EXPECT(pmu_config(n, 1, CLEAR_VALUE, RAW, SOFTWARE_EVENT).error, SBI_SUCCESS);
    software_event();
    EXPECT(value_of(n), 0);
    EXPECT(pmu_stop(n, 1, 0).error, SBI_ERR_ALREADY_STOPPED);
}

TEST(table37_filters_supervisor_mode) {
    unsigned n = first_hw();

    NEED(has_software_event());
    EXPECT(pmu_config(n, 1, CLEAR_VALUE | AUTO_START | SET_SINH, RAW, SOFTWARE_EVENT).error, SBI_SUCCESS);
    software_event();
    EXPECT(value_of(n), 0);
    EXPECT(
        pmu_config(n + 1, 1, CLEAR_VALUE | AUTO_START | SET_UINH | SET_VSINH | SET_VUINH, RAW, SOFTWARE_EVENT)
            .error,
        SBI_SUCCESS);
    software_event();
    EXPECT(value_of(n + 1), 1);
}

/* M-mode is never the supervisor's to count. */
TEST(table37_machine_mode_is_not_counted) {
    unsigned n = first_hw();
    uint64_t before, after;

    NEED(has_software_event());
    EXPECT(pmu_config(n, 1, CLEAR_VALUE | AUTO_START, INSTRUCTIONS, 0).error, SBI_SUCCESS);
    before = value_of(n);
    sbi_call6(SBI_EXT_BASE, 0, 0, 0, 0, 0, 0, 0);
    after = value_of(n);
    EXPECT(after - before < 60, true); /* the call itself takes more in M-mode */
}

/* --- 11.9, tables 39 and 40: counter_start ------------------------------------------------------- */

TEST(table40_success_and_init_value) {
    unsigned n = first_hw();

    NEED(has_software_event());
    EXPECT(pmu_config(n, 1, CLEAR_VALUE, RAW, SOFTWARE_EVENT).error, SBI_SUCCESS);
    EXPECT(pmu_start(n, 1, SET_INIT_VALUE, 0x123456789abcull).error, SBI_SUCCESS);
    EXPECT(value_of(n) == 0x123456789abcull, true);
    software_event();
    EXPECT(pmu_stop(n, 1, 0).error, SBI_SUCCESS);
    EXPECT(pmu_start(n, 1, 0, 5).error, SBI_SUCCESS); /* the value is not touched */
    EXPECT(value_of(n) == 0x123456789abdull, true);
}

TEST(table40_invalid_param_counter_without_an_event) {
    EXPECT(pmu_start(first_hw(), 1, 0, 0).error, SBI_ERR_INVALID_PARAM);
    EXPECT(pmu_start(first_fw(), 1, 0, 0).error, SBI_ERR_INVALID_PARAM);
    EXPECT(pmu_start(0, 1, 0, 0).error, SBI_ERR_INVALID_PARAM);
}

TEST(table40_invalid_param_sets) {
    EXPECT(pmu_config(first_hw(), 1, 0, CYCLES, 0).error, SBI_SUCCESS);
    EXPECT(pmu_start(first_hw(), 0, 0, 0).error, SBI_ERR_INVALID_PARAM);
    EXPECT(pmu_start(0, 7, 0, 0).error, SBI_ERR_INVALID_PARAM);
    EXPECT(pmu_start(first_hw(), 3, 0, 0).error, SBI_ERR_INVALID_PARAM);
    EXPECT(pmu_start(ALL_ONES, 1ul << (first_hw() + 1), 0, 0).error, SBI_ERR_INVALID_PARAM);
    EXPECT(pmu_start(counters, 1, 0, 0).error, SBI_ERR_INVALID_PARAM);
    EXPECT(pmu_stop(first_hw(), 1, 0).error, SBI_ERR_ALREADY_STOPPED); /* none of these started it */
}

TEST(table40_invalid_param_every_reserved_flag) {
    NEED(at_least(3, 0));
    EXPECT(pmu_config(first_hw(), 1, 0, CYCLES, 0).error, SBI_SUCCESS);
    for (unsigned bit = 2; bit < __riscv_xlen; bit++)
        EXPECT(pmu_start(first_hw(), 1, 1ul << bit, 0).error, SBI_ERR_INVALID_PARAM);
    EXPECT(pmu_stop(first_hw(), 1, 0).error, SBI_ERR_ALREADY_STOPPED);
}

TEST(table39_init_value_and_init_snapshot_exclude_each_other) {
    NEED(at_least(2, 0));
    EXPECT(pmu_config(first_hw(), 1, 0, CYCLES, 0).error, SBI_SUCCESS);
    EXPECT(pmu_start(first_hw(), 1, SET_INIT_VALUE | INIT_SNAPSHOT, 0).error, SBI_ERR_INVALID_PARAM);
}

TEST(table39_init_value_is_for_a_single_counter) {
    NEED(at_least(3, 0));
    EXPECT(pmu_config(first_hw(), 1, CLEAR_VALUE, CYCLES, 0).error, SBI_SUCCESS);
    EXPECT(pmu_config(first_hw() + 1, 1, CLEAR_VALUE, CYCLES, 0).error, SBI_SUCCESS);
    EXPECT(pmu_start(first_hw(), 3, SET_INIT_VALUE, 9).error, SBI_ERR_INVALID_PARAM);
    EXPECT(value_of(first_hw()), 0);
    EXPECT(pmu_stop(first_hw(), 3, 0).error, SBI_ERR_ALREADY_STOPPED);
}

TEST(table40_already_started_changes_nothing) {
    unsigned n = first_hw();

    NEED(has_software_event());
    EXPECT(pmu_config(n, 1, CLEAR_VALUE, RAW, SOFTWARE_EVENT).error, SBI_SUCCESS);
    EXPECT(pmu_start(n, 1, SET_INIT_VALUE, 100).error, SBI_SUCCESS);
    EXPECT(pmu_start(n, 1, SET_INIT_VALUE, 200).error, SBI_ERR_ALREADY_STARTED);
    EXPECT(value_of(n), 100);
    software_event();
    EXPECT(value_of(n), 101);
}

TEST(table40_already_started_still_starts_the_others) {
    unsigned n = first_hw();

    NEED(has_software_event());
    EXPECT(pmu_config(n, 1, CLEAR_VALUE | AUTO_START, RAW, SOFTWARE_EVENT).error, SBI_SUCCESS);
    EXPECT(pmu_config(n + 1, 1, CLEAR_VALUE, RAW, SOFTWARE_EVENT).error, SBI_SUCCESS);
    EXPECT(pmu_start(n, 3, 0, 0).error, SBI_ERR_ALREADY_STARTED);
    software_event();
    EXPECT(value_of(n), 1);
    EXPECT(value_of(n + 1), 1);
}

/* docs/rulings.md, Start: a start with a value always clears OF, one without only if no overflow waits. */
TEST(start_with_a_value_clears_the_overflow_flag_one_without_keeps_an_unserved_one) {
    unsigned n = first_hw();

    NEED(has_software_event());
    EXPECT(pmu_config(n, 1, 0, RAW, SOFTWARE_EVENT).error, SBI_SUCCESS);
    EXPECT(pmu_start(n, 1, SET_INIT_VALUE, ~0ull).error, SBI_SUCCESS);
    EXPECT(overflown(n), 0);
    software_event();
    EXPECT(overflown(n), 1);
    EXPECT(!!(csr_read(sip) & INTERRUPT_BIT(LCOFI)), true);
    EXPECT(pmu_stop(n, 1, 0).error, SBI_SUCCESS);
    EXPECT(pmu_start(n, 1, 0, 0).error, SBI_SUCCESS);
    EXPECT(overflown(n), 1); /* not served yet */
    EXPECT(pmu_stop(n, 1, 0).error, SBI_SUCCESS);
    EXPECT(pmu_start(n, 1, SET_INIT_VALUE, ~0ull).error, SBI_SUCCESS);
    EXPECT(overflown(n), 0); /* a start with a value has served it */
    software_event();
    EXPECT(overflown(n), 1);
    EXPECT(pmu_stop(n, 1, 0).error, SBI_SUCCESS);
    csr_clear(sip, INTERRUPT_BIT(LCOFI));
    EXPECT(pmu_start(n, 1, 0, 0).error, SBI_SUCCESS);
    EXPECT(overflown(n), 0);

    EXPECT(pmu_config(n + 1, 1, 0, RAW, SOFTWARE_EVENT).error, SBI_SUCCESS);
    EXPECT(pmu_start(n + 1, 1, SET_INIT_VALUE, ~0ull).error, SBI_SUCCESS);
    software_event();
    EXPECT(pmu_stop(n + 1, 1, RESET).error, SBI_SUCCESS);
    EXPECT(pmu_config(n + 1, 1, 0, RAW, SOFTWARE_EVENT).error, SBI_SUCCESS);
    EXPECT(!!(csr_read(sip) & INTERRUPT_BIT(LCOFI)), true);
    EXPECT(pmu_start(n + 1, 1, SET_INIT_VALUE, 7).error, SBI_SUCCESS);
    EXPECT(overflown(n + 1), 0);
}

/* Neither before its first start nor after a configuration: OF says that it has overflowed, and it has not.
 */
TEST(counters_that_never_ran_have_not_overflown) {
    unsigned n = first_hw();

    NEED(has_software_event());
    EXPECT(pmu_config(n, 2, CLEAR_VALUE, RAW, SOFTWARE_EVENT).error, SBI_SUCCESS);
    EXPECT(overflown(n + 1), 0);
    EXPECT(pmu_config(n, 1, CLEAR_VALUE, RAW, SOFTWARE_EVENT).error, SBI_SUCCESS);
    EXPECT(all_overflown(), 0);
    EXPECT(pmu_stop(n, 3, 0).error, SBI_ERR_ALREADY_STOPPED);
    EXPECT(all_overflown(), 0);
}

/* A sampling driver's round: value, start, interrupt, stop. Also where the value is written long before it
 * counts. */
TEST(every_period_however_short_ends_in_an_interrupt) {
    static const unsigned periods[] = {1, 10, 100, 1000, 10000};
    const unsigned n = first_hw();

    NEED(PROGRAMMABLE);
    NEED(has_overflow());
    EXPECT(pmu_config(n, 1, CLEAR_VALUE, CYCLES, 0).error, SBI_SUCCESS);
    for (unsigned i = 0; i < 5 * sizeof periods / sizeof *periods; i++) {
        bool came = false;

        EXPECT(pmu_start(n, 1, SET_INIT_VALUE, -(uint64_t)periods[i / 5]).error, SBI_SUCCESS);
        for (unsigned wait = 0; wait < 10000000 && !came; wait++)
            came = csr_read(sip) & INTERRUPT_BIT(LCOFI);
        EXPECT(came, true);
        EXPECT(overflown(n), 1);
        EXPECT(pmu_stop(n, 1, 0).error, SBI_SUCCESS);
        csr_clear(sip, INTERRUPT_BIT(LCOFI));
    }
}

TEST(table40_no_shmem) {
    NEED(at_least(2, 0));
    EXPECT(pmu_config(first_hw(), 1, 0, CYCLES, 0).error, SBI_SUCCESS);
    EXPECT(pmu_start(first_hw(), 1, INIT_SNAPSHOT, 0).error, SBI_ERR_NO_SHMEM);
    EXPECT(pmu_stop(first_hw(), 1, 0).error, SBI_ERR_ALREADY_STOPPED);
}

/* --- 11.10, tables 41 and 42: counter_stop ------------------------------------------------------- */

TEST(table42_success_stops) {
    unsigned n = first_hw();

    NEED(has_software_event());
    EXPECT(pmu_config(n, 1, CLEAR_VALUE | AUTO_START, RAW, SOFTWARE_EVENT).error, SBI_SUCCESS);
    software_event();
    EXPECT(pmu_stop(n, 1, 0).error, SBI_SUCCESS);
    software_event();
    EXPECT(value_of(n), 1);
}

TEST(table42_invalid_param_sets) {
    EXPECT(pmu_config(first_hw(), 1, AUTO_START, CYCLES, 0).error, SBI_SUCCESS);
    EXPECT(pmu_stop(first_hw(), 0, 0).error, SBI_ERR_INVALID_PARAM);
    EXPECT(pmu_stop(counters - 1, 3, RESET).error, SBI_ERR_INVALID_PARAM);
    EXPECT(pmu_stop(counters, 1, 0).error, SBI_ERR_INVALID_PARAM);
    EXPECT(pmu_stop(ALL_ONES, 1ul << (first_hw() + 1), 0).error, SBI_ERR_INVALID_PARAM);
    EXPECT(pmu_start(first_hw(), 1, 0, 0).error, SBI_ERR_ALREADY_STARTED); /* none of these stopped it */
}

TEST(table42_invalid_param_every_reserved_flag) {
    NEED(at_least(3, 0));
    EXPECT(pmu_config(first_hw(), 1, AUTO_START, CYCLES, 0).error, SBI_SUCCESS);
    for (unsigned bit = 2; bit < __riscv_xlen; bit++)
        EXPECT(pmu_stop(first_hw(), 1, 1ul << bit).error, SBI_ERR_INVALID_PARAM);
    EXPECT(pmu_start(first_hw(), 1, 0, 0).error, SBI_ERR_ALREADY_STARTED);
}

TEST(table42_already_stopped_still_stops_the_others) {
    unsigned n = first_hw();

    NEED(has_software_event());
    EXPECT(pmu_config(n, 1, CLEAR_VALUE, RAW, SOFTWARE_EVENT).error, SBI_SUCCESS);
    EXPECT(pmu_config(n + 1, 1, CLEAR_VALUE | AUTO_START, RAW, SOFTWARE_EVENT).error, SBI_SUCCESS);
    EXPECT(pmu_stop(n, 3, 0).error, SBI_ERR_ALREADY_STOPPED);
    software_event();
    EXPECT(value_of(n + 1), 0);
}

TEST(table42_stop_of_all_counters_that_never_had_an_event) {
    EXPECT(pmu_stop(0, (unsigned long)hardware_set, RESET).error, SBI_ERR_ALREADY_STOPPED);
}

TEST(table41_reset_releases_the_counter) {
    unsigned n = first_hw();

    EXPECT(pmu_config(n, 1, 0, CYCLES, 0).error, SBI_SUCCESS);
    EXPECT(pmu_config(n, 1, 0, CYCLES, 0).error, SBI_ERR_NOT_SUPPORTED);
    EXPECT(pmu_stop(n, 1, RESET).error, SBI_ERR_ALREADY_STOPPED);
    EXPECT(pmu_start(n, 1, 0, 0).error, SBI_ERR_INVALID_PARAM);
    EXPECT(pmu_config(n, 1, 0, CYCLES, 0).error, SBI_SUCCESS);
}

TEST(table42_fixed_counters_run_at_boot_and_stop) {
    uint64_t before;

    NEED(at_least(3, 0));
    NEED(has_software_event()); /* QEMU's cycles never stop */
    EXPECT(pmu_stop(0, 1, 0).error, SBI_ERR_ALREADY_STOPPED);
    before = value_of(0);
    EXPECT(value_of(0) == before, true);
    EXPECT(pmu_config(0, 1, CLEAR_VALUE, CYCLES, 0).value, 0);
    EXPECT(pmu_start(0, 1, SET_INIT_VALUE, 1000).error, SBI_SUCCESS);
    EXPECT(value_of(0) > 1000, true);
    EXPECT(pmu_stop(0, 1, 0).error, SBI_SUCCESS);
}

TEST(table42_no_shmem) {
    NEED(at_least(2, 0));
    EXPECT(pmu_config(first_hw(), 1, AUTO_START, CYCLES, 0).error, SBI_SUCCESS);
    EXPECT(pmu_stop(first_hw(), 1, TAKE_SNAPSHOT).error, SBI_ERR_NO_SHMEM);
    EXPECT(pmu_start(first_hw(), 1, 0, 0).error, SBI_ERR_ALREADY_STARTED);
}

/* --- 11.11 and 11.12, tables 43 and 44: firmware counters ----------------------------------------- */

TEST(table43_success) {
    unsigned n = first_fw();

    EXPECT(pmu_config(n, 1, CLEAR_VALUE | AUTO_START, FW(5), 0).error, SBI_SUCCESS);
    EXPECT(pmu_fw_read(n).error, SBI_SUCCESS);
    EXPECT(pmu_fw_read(n).value, 0);
    for (int i = 0; i < 3; i++)
        sbi_call6(SBI_EXT_TIME, 0, ALL_ONES, ALL_ONES, 0, 0, 0, 0);
    EXPECT(pmu_fw_read(n).value, 3);
}

TEST(table43_invalid_param) {
    EXPECT(pmu_fw_read(first_hw()).error, SBI_ERR_INVALID_PARAM);
    EXPECT(pmu_fw_read(0).error, SBI_ERR_INVALID_PARAM);
    EXPECT(pmu_fw_read(1).error, SBI_ERR_INVALID_PARAM);
    EXPECT(pmu_fw_read(counters).error, SBI_ERR_INVALID_PARAM);
    EXPECT(pmu_fw_read(ALL_ONES).error, SBI_ERR_INVALID_PARAM);
}

TEST(table44_high_bits) {
    unsigned n = first_fw();
    const uint64_t value = 0xfedcba9876543210ull;

    NEED(at_least(2, 0));
    EXPECT(pmu_config(n, 1, 0, FW(5), 0).error, SBI_SUCCESS);
    EXPECT(pmu_start(n, 1, SET_INIT_VALUE, value).error, SBI_SUCCESS);
    EXPECT(pmu_fw_read(n).value, (unsigned long)value);
    EXPECT(pmu_fw_read_hi(n).error, SBI_SUCCESS);
    EXPECT(pmu_fw_read_hi(n).value, __riscv_xlen == 64 ? 0 : (unsigned long)(value >> 32));
}

TEST(table44_invalid_param) {
    NEED(at_least(2, 0));
    EXPECT(pmu_fw_read_hi(first_hw()).error, SBI_ERR_INVALID_PARAM);
    EXPECT(pmu_fw_read_hi(1).error, SBI_ERR_INVALID_PARAM);
    EXPECT(pmu_fw_read_hi(counters).error, SBI_ERR_INVALID_PARAM);
    EXPECT(pmu_fw_read_hi(ALL_ONES).error, SBI_ERR_INVALID_PARAM);
}

/* --- table 49 ------------------------------------------------------------------------------------ */

TEST(table49_no_function_beyond_the_listed) {
    EXPECT(PMU(9, 0, 0, 0, 0, 0, 0).error, SBI_ERR_NOT_SUPPORTED);
    EXPECT(PMU(ALL_ONES, 0, 0, 0, 0, 0, 0).error, SBI_ERR_NOT_SUPPORTED);
}
