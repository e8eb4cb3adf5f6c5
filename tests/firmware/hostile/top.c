/* SPDX-License-Identifier: Apache-2.0 */
/* RV32 with memory up to the last address, and beyond it: memory named by a call ends at 2^XLEN at the
 * latest, and may end there. */
#include "events_use.h"

#define ALL_ONES (~0ul)
#define TOP_PAGE (ALL_ONES - 4095)

struct info {
    uint32_t event_idx, output;
    uint64_t event_data;
};

TEST(memory_goes_up_to_the_last_address) {
    volatile uint32_t *const last = (volatile uint32_t *)(ALL_ONES - 3);

    *last = 0x12345678;
    EXPECT(*last, 0x12345678);
}

TEST(calls_reach_the_last_byte_of_all) {
    static unsigned long attributes[10];
    struct info *const last = (struct info *)(ALL_ONES - sizeof(struct info) + 1);
    static const char space = ' ';

    EXPECT(sbi_call6(SBI_EXT_DBCN, 1, 4096, TOP_PAGE, 0, 0, 0, 0).error, SBI_SUCCESS);
    *(volatile char *)ALL_ONES = space;
    EXPECT(sbi_call6(SBI_EXT_DBCN, 0, 1, ALL_ONES, 0, 0, 0, 0).value, 1);
    EXPECT(pmu_set_shmem(TOP_PAGE, 0, 0).error, SBI_SUCCESS);
    EXPECT(pmu_set_shmem(ALL_ONES, ALL_ONES, 0).error, SBI_SUCCESS);
    *last = (struct info){HW(1), 0xdeadbeef, 0};
    EXPECT(pmu_event_info((unsigned long)last, 0, 1, 0).error, SBI_SUCCESS);
    EXPECT(last->output != 0xdeadbeef, true); /* it prints its report */
    EXPECT(sse_attributes(SSE_READ, LOCAL_SOFTWARE, 0, 10, (void *)(ALL_ONES - sizeof attributes + 1)),
           SBI_SUCCESS);
}

/* In each of them address and size have a sum of a few bytes. */
TEST(ranges_beyond_the_last_byte_are_refused) {
    EXPECT(sbi_call6(SBI_EXT_DBCN, 0, 4097, TOP_PAGE, 0, 0, 0, 0).error < 0, true);
    EXPECT(sbi_call6(SBI_EXT_DBCN, 1, 4097, TOP_PAGE, 0, 0, 0, 0).error < 0, true);
    EXPECT(sbi_call6(SBI_EXT_DBCN, 1, 8192, TOP_PAGE, 0, 0, 0, 0).error < 0, true);
    EXPECT(sbi_call6(SBI_EXT_DBCN, 0, 2, ALL_ONES, 0, 0, 0, 0).error < 0, true);
    EXPECT(pmu_event_info(TOP_PAGE, 0, 257, 0).error, SBI_ERR_INVALID_ADDRESS);
    EXPECT(pmu_event_info(TOP_PAGE, 0, 512, 0).error, SBI_ERR_INVALID_ADDRESS);
    EXPECT(sse_attributes(SSE_READ, LOCAL_SOFTWARE, 0, 10, (void *)(ALL_ONES - 7)) < 0, true);
    for (unsigned long high = 1; high; high <<= 1) { /* memory that the firmware cannot reach */
        EXPECT(sbi_call6(SBI_EXT_DBCN, 1, 1, 0, high, 0, 0, 0).error < 0, true);
        EXPECT(pmu_set_shmem(0, high, 0).error, SBI_ERR_INVALID_ADDRESS);
        EXPECT(pmu_event_info(0, high, 1, 0).error, SBI_ERR_INVALID_ADDRESS);
    }
}
