/* SPDX-License-Identifier: Apache-2.0 */
/* SBI 3.0, 11.13 and 11.14: shared memory. */
#include "suite.h"

#include <string.h>

#define ALL_ONES (~0ul)

struct snapshot {
    uint64_t overflow;
    uint64_t value[64];
    uint8_t reserved[4096 - 520];
};

static struct snapshot page __attribute__((aligned(4096)));

struct info {
    uint32_t event_idx, output;
    uint64_t event_data;
};

static struct info entries[8] __attribute__((aligned(16)));

static unsigned first_hw(void) { return lowest(PROGRAMMABLE); }

static unsigned first_fw(void) { return lowest(firmware_set); }

static bool has_snapshot(void) {
    return at_least(2, 0) && pmu_set_shmem((unsigned long)&page, 0, 0).error != SBI_ERR_NOT_SUPPORTED;
}

/* Every byte of the page has a value that the firmware has to leave alone unless told otherwise. */
static void fill(void) { memset(&page, 0x5a, sizeof page); }

#define FILL 0x5a5a5a5a5a5a5a5aull

/* Entries of the page other than those of `set` (relative to base) are as fill() left them, and the rest too.
 */
static bool others_untouched(uint64_t set) {
    for (unsigned i = 0; i < 64; i++)
        if (!(set >> i & 1) && page.value[i] != FILL)
            return false;
    for (unsigned i = 0; i < sizeof page.reserved; i++)
        if (page.reserved[i] != 0x5a)
            return false;
    return true;
}

/* --- 11.13, tables 45 and 46 --------------------------------------------------------------------- */

TEST(table46_success_set_and_cleared) {
    NEED(has_snapshot());
    EXPECT(pmu_set_shmem((unsigned long)&page, 0, 0).error, SBI_SUCCESS);
    EXPECT(pmu_set_shmem(ALL_ONES, ALL_ONES, 0).error, SBI_SUCCESS);
    EXPECT(pmu_config(first_hw(), 1, AUTO_START, 1, 0).error, SBI_SUCCESS);
    EXPECT(pmu_stop(first_hw(), 1, TAKE_SNAPSHOT).error, SBI_ERR_NO_SHMEM);
}

TEST(table46_invalid_param_flags) {
    NEED(has_snapshot());
    for (unsigned bit = 0; bit < __riscv_xlen; bit++)
        EXPECT(pmu_set_shmem((unsigned long)&page, 0, 1ul << bit).error, SBI_ERR_INVALID_PARAM);
    EXPECT(pmu_set_shmem(ALL_ONES, ALL_ONES, 1).error, SBI_ERR_INVALID_PARAM);
}

TEST(table46_invalid_param_alignment) {
    NEED(has_snapshot());
    for (unsigned bit = 0; bit < 12; bit++)
        EXPECT(pmu_set_shmem((unsigned long)&page + (1ul << bit), 0, 0).error, SBI_ERR_INVALID_PARAM);
    EXPECT(pmu_set_shmem(ALL_ONES, 0, 0).error, SBI_ERR_INVALID_PARAM); /* an address like any other */
}

TEST(table46_invalid_address) {
    NEED(has_snapshot());
    EXPECT(pmu_set_shmem((unsigned long)&page, 1, 0).error, SBI_ERR_INVALID_ADDRESS);
    EXPECT(pmu_set_shmem((unsigned long)&page, ALL_ONES, 0).error, SBI_ERR_INVALID_ADDRESS);
    EXPECT(pmu_set_shmem(0x80000000ul, 0, 0).error, SBI_ERR_INVALID_ADDRESS); /* the firmware's */
    EXPECT(pmu_set_shmem(0x10000000ul, 0, 0).error, SBI_ERR_INVALID_ADDRESS); /* a device */
    EXPECT(pmu_set_shmem(0, 0, 0).error, SBI_ERR_INVALID_ADDRESS);
    EXPECT(pmu_set_shmem(ALL_ONES << 12, 0, 0).error, SBI_ERR_INVALID_ADDRESS); /* its end wraps around */
}

TEST(table46_an_error_keeps_the_memory_that_was_set) {
    NEED(has_snapshot());
    fill();
    EXPECT(pmu_set_shmem((unsigned long)&page, 0, 0).error, SBI_SUCCESS);
    EXPECT(pmu_set_shmem(0x80000000ul, 0, 0).error, SBI_ERR_INVALID_ADDRESS);
    EXPECT(pmu_config(first_hw(), 1, CLEAR_VALUE, 1, 0).error, SBI_SUCCESS);
    EXPECT(pmu_stop(first_hw(), 1, TAKE_SNAPSHOT).error, SBI_ERR_ALREADY_STOPPED);
    EXPECT(page.value[0], 0);
}

TEST(table45_setting_it_touches_nothing) {
    NEED(has_snapshot());
    fill();
    EXPECT(pmu_set_shmem((unsigned long)&page, 0, 0).error, SBI_SUCCESS);
    EXPECT(page.overflow == FILL, true);
    EXPECT(others_untouched(0), true);
}

TEST(table45_values_are_relative_to_the_base) {
    unsigned n = first_hw();

    NEED(has_snapshot());
    NEED(has_software_event());
    pmu_set_shmem((unsigned long)&page, 0, 0);
    for (unsigned i = 0; i < 3; i++) {
        EXPECT(pmu_config(n + i, 1, 0, RAW, SOFTWARE_EVENT).error, SBI_SUCCESS);
        EXPECT(pmu_start(n + i, 1, SET_INIT_VALUE, 1000 * (i + 1)).error, SBI_SUCCESS);
    }
    software_event();
    fill();
    page.overflow = ~0ull;
    EXPECT(pmu_stop(n, 5, TAKE_SNAPSHOT).error, SBI_SUCCESS);
    EXPECT(page.value[0], 1001);
    EXPECT(page.value[2], 3001);
    EXPECT(others_untouched(5), true);
    EXPECT(page.overflow == ~5ull, true); /* bits of other counters stay */
    fill();
    EXPECT(pmu_stop(0, 1ul << (n + 1), TAKE_SNAPSHOT).error, SBI_SUCCESS);
    EXPECT(page.value[n + 1], 2001);
    EXPECT(others_untouched(1ull << (n + 1)), true);
}

TEST(table45_counters_that_were_stopped_already_are_written_too) {
    NEED(has_snapshot());
    pmu_set_shmem((unsigned long)&page, 0, 0);
    fill();
    EXPECT(pmu_stop(first_hw(), 3, TAKE_SNAPSHOT).error, SBI_ERR_ALREADY_STOPPED);
    EXPECT(page.value[0] == value_of(first_hw()), true);
    EXPECT(page.value[1] == value_of(first_hw() + 1), true);
    EXPECT(others_untouched(3), true);
}

TEST(table45_overflow_is_taken_before_reset) {
    unsigned n = first_hw();

    NEED(has_snapshot());
    NEED(has_software_event());
    pmu_set_shmem((unsigned long)&page, 0, 0);
    EXPECT(pmu_config(n, 1, 0, RAW, SOFTWARE_EVENT).error, SBI_SUCCESS);
    EXPECT(pmu_start(n, 1, SET_INIT_VALUE, ~0ull).error, SBI_SUCCESS);
    software_event();
    EXPECT(overflown(n), 1);
    fill();
    page.overflow = 0;
    EXPECT(pmu_stop(n, 1, TAKE_SNAPSHOT | RESET).error, SBI_SUCCESS);
    EXPECT(page.overflow == 1, true);
    EXPECT(page.value[0], 0);
    EXPECT(overflown(n), 0);
}

TEST(table45_firmware_counters_do_not_overflow) {
    unsigned n = first_fw();

    NEED(has_snapshot());
    pmu_set_shmem((unsigned long)&page, 0, 0);
    EXPECT(pmu_config(n, 1, 0, FW(5), 0).error, SBI_SUCCESS);
    EXPECT(pmu_start(n, 1, SET_INIT_VALUE, ~0ull).error, SBI_SUCCESS);
    sbi_call6(SBI_EXT_TIME, 0, ALL_ONES, ALL_ONES, 0, 0, 0, 0);
    fill();
    EXPECT(pmu_stop(n, 1, TAKE_SNAPSHOT).error, SBI_SUCCESS);
    EXPECT(page.value[0], 0);
    EXPECT(page.overflow == (FILL & ~1ull), true);
}

/* Bit 63 of mhpmevent may hold a value there all the same: it is no overflow. */
TEST(without_sscofpmf_no_counter_has_overflown) {
    const unsigned n = first_hw();

    NEED(PROGRAMMABLE && !has_overflow());
    NEED(has_snapshot());
    pmu_set_shmem((unsigned long)&page, 0, 0);
    page.overflow = 0;
    EXPECT(pmu_config(n, 1, CLEAR_VALUE, HW(1), 0).error, SBI_SUCCESS);
    EXPECT(pmu_stop(n, 1, TAKE_SNAPSHOT).error, SBI_ERR_ALREADY_STOPPED);
    EXPECT(page.overflow, 0);
    EXPECT(pmu_start(n, 1, SET_INIT_VALUE, -(uint64_t)1).error, SBI_SUCCESS);
    EXPECT(pmu_stop(n, 1, TAKE_SNAPSHOT).error, SBI_SUCCESS);
    EXPECT(page.overflow, 0);
}

TEST(table39_init_snapshot) {
    unsigned n = first_hw();

    NEED(has_snapshot());
    NEED(has_software_event());
    pmu_set_shmem((unsigned long)&page, 0, 0);
    fill();
    page.value[0] = 11;
    page.value[1] = 0x100000000ull;
    page.value[3] = 44;
    for (unsigned i = 0; i < 4; i++)
        EXPECT(pmu_config(n + i, 1, CLEAR_VALUE, RAW, SOFTWARE_EVENT).error, SBI_SUCCESS);
    EXPECT(pmu_start(n, 11, INIT_SNAPSHOT, 99).error, SBI_SUCCESS);
    software_event();
    EXPECT(value_of(n), 12);
    EXPECT(value_of(n + 1) == 0x100000001ull, true);
    EXPECT(value_of(n + 2), 0);
    EXPECT(value_of(n + 3), 45);
    EXPECT(page.overflow == FILL, true); /* it was only read */
    EXPECT(page.value[0], 11);
}

TEST(section_11_13_memory_is_not_touched_at_any_other_time) {
    unsigned n = first_hw();

    NEED(has_snapshot());
    NEED(has_software_event());
    pmu_set_shmem((unsigned long)&page, 0, 0);
    fill();
    EXPECT(pmu_config(n, 1, CLEAR_VALUE | AUTO_START, RAW, SOFTWARE_EVENT).error, SBI_SUCCESS);
    software_event();
    EXPECT(pmu_stop(n, 1, 0).error, SBI_SUCCESS);
    EXPECT(pmu_start(n, 1, SET_INIT_VALUE, 3).error, SBI_SUCCESS);
    EXPECT(pmu_stop(n, 1, RESET).error, SBI_SUCCESS);
    EXPECT(page.overflow == FILL, true);
    EXPECT(others_untouched(0), true);
}

/* --- 11.14, tables 47 and 48 --------------------------------------------------------------------- */

static void entry(unsigned i, uint32_t event_idx, uint64_t event_data) {
    entries[i] = (struct info){event_idx, 0xdeadbeef, event_data};
}

TEST(table48_success_updates_the_whole_output_word) {
    NEED(at_least(3, 0));
    NEED(has_software_event()); /* QEMU has fewer events */
    entry(0, 1, 0);
    entry(1, 0x0b, 0);
    entry(2, FW(7), 0);
    entry(3, FW(100), 0);
    entry(4, CACHE(0, 0, 0), 0);
    entry(5, CACHE(6, 2, 1), 0);
    entry(6, 2, 0);
    EXPECT(pmu_event_info((unsigned long)entries, 0, 6, 0).error, SBI_SUCCESS);
    EXPECT(entries[0].output, 1);
    EXPECT(entries[1].output, 0);
    EXPECT(entries[2].output, 1);
    EXPECT(entries[3].output, 0);
    EXPECT(entries[4].output, 1);
    EXPECT(entries[5].output, 0);
    EXPECT(entries[6].output, 0xdeadbeef); /* not one of the entries */
    EXPECT(entries[0].event_idx, 1);
}

TEST(table47_raw_events_by_their_data) {
    NEED(at_least(3, 0));
    NEED(has_software_event());
    entry(0, RAW, SOFTWARE_EVENT);
    entry(1, RAW_V2, SOFTWARE_EVENT);
    entry(2, RAW_V2, 0xfffff);
    entry(3, FW(0xffff), 0);
    entry(4, FW(0xffff), ~0ull);
    entry(5, RAW | 5, SOFTWARE_EVENT);
    EXPECT(pmu_event_info((unsigned long)entries, 0, 6, 0).error, SBI_SUCCESS);
    EXPECT(entries[0].output, 1);
    EXPECT(entries[1].output, 1);
    EXPECT(entries[2].output, 0);
    EXPECT(entries[3].output, 1);
    EXPECT(entries[4].output, 0);
    EXPECT(entries[5].output, 0);
}

/* Support is the platform's: it depends neither on free counters nor on their events. */
TEST(section_11_14_events_are_supported_whoever_holds_counters) {
    NEED(at_least(3, 0));
    NEED(has_software_event());
    while (!pmu_config(0, (unsigned long)hardware_set, CLEAR_VALUE | AUTO_START, RAW, SOFTWARE_EVENT).error)
        ;
    entry(0, 1, 0);
    entry(1, 2, 0);
    entry(2, CACHE(0, 0, 0), 0);
    entry(3, RAW, SOFTWARE_EVENT);
    entry(4, RAW, TALLY_EV_INST_LOAD_RET);
    entry(5, RAW_V2, 0xfffff);
    EXPECT(pmu_event_info((unsigned long)entries, 0, 6, 0).error, SBI_SUCCESS);
    for (unsigned i = 0; i < 5; i++)
        EXPECT(entries[i].output, 1);
    EXPECT(entries[5].output, 0);
    for (uint64_t set = PROGRAMMABLE; set; set &= set - 1) /* and they count as before */
        EXPECT(value_of(lowest(set)), 0);
    software_event();
    EXPECT(value_of(first_hw()), 1);
}

TEST(table48_invalid_param) {
    NEED(at_least(3, 0));
    entry(0, 1, 0);
    for (unsigned bit = 0; bit < __riscv_xlen; bit++)
        EXPECT(pmu_event_info((unsigned long)entries, 0, 1, 1ul << bit).error, SBI_ERR_INVALID_PARAM);
    for (unsigned bit = 0; bit < 4; bit++)
        EXPECT(pmu_event_info((unsigned long)entries + (1ul << bit), 0, 1, 0).error, SBI_ERR_INVALID_PARAM);
    EXPECT(pmu_event_info((unsigned long)entries, 0, 0, 0).error, SBI_ERR_INVALID_PARAM);
    for (unsigned bit = 20; bit < 32; bit++) {
        entry(1, 1u << bit | 1, 0);
        EXPECT(pmu_event_info((unsigned long)entries, 0, 2, 0).error, SBI_ERR_INVALID_PARAM);
        EXPECT(entries[0].output, 0xdeadbeef); /* nothing changed */
    }
}

TEST(table48_invalid_address) {
    NEED(at_least(3, 0));
    EXPECT(pmu_event_info((unsigned long)entries, 1, 1, 0).error, SBI_ERR_INVALID_ADDRESS);
    EXPECT(pmu_event_info(0x80000000ul, 0, 1, 0).error, SBI_ERR_INVALID_ADDRESS);
    EXPECT(pmu_event_info(0x10000000ul, 0, 1, 0).error, SBI_ERR_INVALID_ADDRESS);
    EXPECT(pmu_event_info((unsigned long)entries, 0, ALL_ONES >> 4, 0).error, SBI_ERR_INVALID_ADDRESS);
    EXPECT(pmu_event_info((unsigned long)entries, 0, ALL_ONES, 0).error, SBI_ERR_INVALID_ADDRESS);
    EXPECT(pmu_event_info(ALL_ONES & ~15ul, 0, 2, 0).error, SBI_ERR_INVALID_ADDRESS);
}
