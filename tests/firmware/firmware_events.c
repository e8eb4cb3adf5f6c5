/* SPDX-License-Identifier: Apache-2.0 */
/* Firmware events (table 35): counted where they happen, exactly, by every started counter of the event. */
#include "suite.h"

enum {
    MISALIGNED_LOAD,
    MISALIGNED_STORE,
    ACCESS_LOAD,
    ACCESS_STORE,
    ILLEGAL_INSN,
    SET_TIMER,
    IPI_SENT,
    IPI_RECEIVED,
    FENCE_I_SENT,
    FENCE_I_RECEIVED,
    SFENCE_SENT,
    SFENCE_RECEIVED,
    SFENCE_ASID_SENT,
    SFENCE_ASID_RECEIVED,
    EVENTS
};

/* A counter for each event, from the first one */
static void count_all(void) {
    for (unsigned long code = 0; code < EVENTS; code++)
        pmu_config(lowest(firmware_set) + code, 1, CLEAR_VALUE | AUTO_START, FW(code), 0);
}

static unsigned long counted(unsigned code) { return pmu_fw_read(lowest(firmware_set) + code).value; }

/* True if only these two events were counted, so often */
static bool only(unsigned code, unsigned long n, unsigned code2, unsigned long n2) {
    for (unsigned i = 0; i < EVENTS; i++) {
        const unsigned long expected = i == code ? n : i == code2 ? n2 : 0;

        if (counted(i) != expected) {
            print("  firmware event %u: %lu, expected %lu\n", i, counted(i), expected);
            return false;
        }
    }
    return true;
}

static unsigned char bytes[32] __attribute__((aligned(16)));

TEST(table35_misaligned_load_and_store) {
    unsigned long value;

    NEED(has_software_event()); /* QEMU does not trap on misaligned accesses */
    count_all();
    for (int i = 0; i < 5; i++)
        __asm__ volatile("lw %0, 1(%1)" : "=r"(value) : "r"(bytes) : "memory");
    EXPECT(only(MISALIGNED_LOAD, 5, MISALIGNED_STORE, 0), true);
    for (int i = 0; i < 3; i++)
        __asm__ volatile("sh zero, 1(%0)" ::"r"(bytes) : "memory");
    EXPECT(only(MISALIGNED_LOAD, 5, MISALIGNED_STORE, 3), true);
}

TEST(table35_access_load_and_store) {
    unsigned long value;

    count_all();
    trap_expected = true;
    __asm__ volatile(".option push\n.option norvc\nlw %0, 0(%1)\n.option pop"
                     : "=r"(value)
                     : "r"(FIRMWARE_DATA));
    EXPECT(trap_cause, 5);
    __asm__ volatile(
        ".option push\n.option norvc\nsw zero, 0(%0)\nsw zero, 0(%0)\n.option pop" ::"r"(FIRMWARE_DATA));
    EXPECT(trap_cause, 7);
    trap_expected = false;
    EXPECT(only(ACCESS_LOAD, 1, ACCESS_STORE, 2), true);
}

TEST(table35_illegal_insn) {
    count_all();
    trap_expected = true;
    __asm__ volatile(".4byte 0xffffffff\n.4byte 0xffffffff");
    EXPECT(trap_cause, 2);
    trap_expected = false;
    EXPECT(only(ILLEGAL_INSN, 2, ILLEGAL_INSN, 2), true);
}

TEST(table35_set_timer) {
    count_all();
    for (int i = 0; i < 9; i++)
        sbi_call6(SBI_EXT_TIME, 0, ~0ul, ~0ul, 0, 0, 0, 0);
    EXPECT(only(SET_TIMER, 9, SET_TIMER, 9), true);
}

static void wait_for_software_interrupt(void) {
    for (int i = 0; i < 100000 && !(csr_read(sip) & INTERRUPT_BIT(SSI)); i++)
        ;
    csr_clear(sip, INTERRUPT_BIT(SSI));
}

TEST(table35_ipi_sent_and_received) {
    count_all();
    for (int i = 0; i < 7; i++) {
        sbi_call6(SBI_EXT_IPI, 0, 1, boot_hart, 0, 0, 0, 0);
        wait_for_software_interrupt();
    }
    EXPECT(only(IPI_SENT, 7, IPI_RECEIVED, 7), true);
}

TEST(table35_fences_sent_and_received) {
    NEED(at_least(3, 0));
    for (unsigned long fid = 0; fid < 3; fid++) {
        const unsigned sent = FENCE_I_SENT + 2 * (unsigned)fid;

        reset_pmu();
        count_all();
        for (int i = 0; i < 4; i++)
            sbi_call6(SBI_EXT_RFENCE, fid, 1, boot_hart, 0, 4096, 0, 0);
        EXPECT(only(sent, 4, sent + 1, 4), true);
    }
}

TEST(section_11_5_every_counter_of_the_event_counts) {
    const unsigned n = lowest(firmware_set);

    for (unsigned i = 0; i < 16; i++)
        EXPECT(pmu_config(n + i, 1, CLEAR_VALUE | AUTO_START, FW(SET_TIMER), 0).error, SBI_SUCCESS);
    EXPECT(pmu_stop(n + 3, 1, 0).error, SBI_SUCCESS);
    sbi_call6(SBI_EXT_TIME, 0, ~0ul, ~0ul, 0, 0, 0, 0);
    for (unsigned i = 0; i < 16; i++)
        EXPECT(pmu_fw_read(n + i).value, i != 3);
}

TEST(section_11_5_stopped_counters_keep_their_value) {
    const unsigned n = lowest(firmware_set);

    EXPECT(pmu_config(n, 1, CLEAR_VALUE | AUTO_START, FW(SET_TIMER), 0).error, SBI_SUCCESS);
    sbi_call6(SBI_EXT_TIME, 0, ~0ul, ~0ul, 0, 0, 0, 0);
    EXPECT(pmu_stop(n, 1, 0).error, SBI_SUCCESS);
    sbi_call6(SBI_EXT_TIME, 0, ~0ul, ~0ul, 0, 0, 0, 0);
    EXPECT(pmu_fw_read(n).value, 1);
}

TEST(table35_platform_events) {
    const unsigned n = lowest(firmware_set);
    unsigned long before;

    NEED(at_least(3, 0));
    EXPECT(pmu_config(n, 1, CLEAR_VALUE | AUTO_START, FW(0xffff), 0).error, SBI_SUCCESS); /* calls */
    before = pmu_fw_read(n).value;
    EXPECT(pmu_fw_read(n).value, before + 1);
    EXPECT(pmu_config(n + 1, 1, 0, FW(0xffff), 1000).error, SBI_ERR_NOT_SUPPORTED);
}

/* --- two harts: counters are per hart --------------------------------------------------------------- */

static volatile unsigned long other_sent, other_received, other_started;
static volatile bool go_on;

static void other_side(unsigned long hart) {
    (void)hart;
    count_all();
    other_started = 1;
    while (!go_on)
        if (csr_read(sip) & INTERRUPT_BIT(SSI)) {
            csr_clear(sip, INTERRUPT_BIT(SSI));
            other_started++;
        }
    other_sent = counted(IPI_SENT);
    other_received = counted(IPI_RECEIVED);
    for (unsigned i = 0; i < EVENTS; i++)
        pmu_stop(lowest(firmware_set) + i, 1, RESET);
}

extern char second_start[];

static void other_entry(unsigned long hart) {
    other_side(hart);
    sbi_call6(SBI_EXT_HSM, 1, 0, 0, 0, 0, 0, 0);
}

TEST(table35_ipis_and_fences_between_two_harts) {
    NEED(hart_count > 1);
    NEED(at_least(3, 0));
    count_all();
    go_on = false;
    other_started = 0;
    EXPECT(sbi_call6(SBI_EXT_HSM, 0, other_hart(), (unsigned long)second_start, (unsigned long)other_entry, 0,
                     0, 0)
               .error,
           SBI_SUCCESS);
    while (!other_started)
        ;
    for (unsigned long i = 0; i < 7; i++) { /* one at a time: each is received for itself */
        sbi_call6(SBI_EXT_IPI, 0, 1, other_hart(), 0, 0, 0, 0);
        while (other_started < i + 2)
            ;
    }
    for (int i = 0; i < 3; i++)
        EXPECT(sbi_call6(SBI_EXT_RFENCE, 0, 1, other_hart(), 0, 0, 0, 0).error, SBI_SUCCESS);
    go_on = true;
    while (sbi_call6(SBI_EXT_HSM, 2, other_hart(), 0, 0, 0, 0, 0).value != 1)
        ;
    EXPECT(other_received, 7);
    EXPECT(other_sent, 0);
    EXPECT(counted(IPI_SENT), 7);
    EXPECT(counted(IPI_RECEIVED), 0);
    EXPECT(counted(FENCE_I_SENT), 3);
    EXPECT(counted(FENCE_I_RECEIVED), 0);
}
