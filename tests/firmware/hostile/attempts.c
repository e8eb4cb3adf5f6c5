/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A supervisor that tries to get into the firmware, to change it, or to keep it busy. The firmware is built
 * with a shadow (shadow.c): the suite compares M-mode's memory and registers with it after each of these.
 */
#include "events_use.h"

#include <string.h>

#include "shadow.h"

#define FIRMWARE_END (RAM_BASE + (1ul << FIRMWARE_LOG))
#define ALL_ONES (~0ul)

static const unsigned long extensions[] = {0x0,
                                           0x2,
                                           0x3,
                                           0x4,
                                           0x5,
                                           0x6,
                                           0x7,
                                           SBI_EXT_BASE,
                                           SBI_EXT_TIME,
                                           SBI_EXT_IPI,
                                           SBI_EXT_RFENCE,
                                           SBI_EXT_PMU,
                                           SBI_EXT_DBCN,
                                           SBI_EXT_FWFT,
                                           SBI_EXT_SSE,
                                           0x0a000000};
#define COUNT(array) (sizeof(array) / sizeof *(array))

TEST(the_firmware_is_watched) { EXPECT(sbi_call6(SHADOW_EID, 0, 0, 0, 0, 0, 0, 0).error, SBI_SUCCESS); }

/* --- registers ----------------------------------------------------------------------------------- */

/* ecall with stack, global, thread pointer and return address of the caller's choice; 0 if they and the other
 * registers that a call keeps are as they were */
unsigned long call_with_pointers(unsigned long pointer, unsigned long eid, unsigned long fid);
__asm__(".text\n.balign 4\n.globl call_with_pointers\n"
        "call_with_pointers:\n"
        "csrw sscratch, sp\n" /* the suite's trap handler needs none of it: no trap comes */
        "lla t0, kept_registers\n"
#if __riscv_xlen == 64
        "sd ra, 0(t0)\nsd gp, 8(t0)\nsd tp, 16(t0)\nsd s0, 24(t0)\n"
#else
        "sw ra, 0(t0)\nsw gp, 4(t0)\nsw tp, 8(t0)\nsw s0, 12(t0)\n"
#endif
        "mv s0, a0\nmv a7, a1\nmv a6, a2\n"
        "mv sp, s0\nmv gp, s0\nmv tp, s0\nmv ra, s0\nmv t1, s0\nmv t6, s0\nmv a2, s0\nmv a5, s0\n"
        "li a0, 0\nli a1, 0\n"
        "ecall\n"
        "xor a0, sp, s0\nxor t2, gp, s0\nor a0, a0, t2\nxor t2, tp, s0\nor a0, a0, t2\n"
        "xor t2, ra, s0\nor a0, a0, t2\nxor t2, t1, s0\nor a0, a0, t2\nxor t2, t6, s0\nor a0, a0, t2\n"
        "xor t2, a2, s0\nor a0, a0, t2\nxor t2, a5, s0\nor a0, a0, t2\n"
        "lla t0, kept_registers\n"
#if __riscv_xlen == 64
        "ld ra, 0(t0)\nld gp, 8(t0)\nld tp, 16(t0)\nld s0, 24(t0)\n"
#else
        "lw ra, 0(t0)\nlw gp, 4(t0)\nlw tp, 8(t0)\nlw s0, 12(t0)\n"
#endif
        "csrrw sp, sscratch, zero\nret\n"
        ".bss\n.balign 8\nkept_registers: .zero 32\n.text\n");

TEST(no_register_of_a_caller_is_the_firmwares_stack) {
    const unsigned long pointers[] = {0,           8,        RAM_BASE,     FIRMWARE_END, FIRMWARE_DATA,
                                      ACLINT_BASE, ALL_ONES, ALL_ONES << 3};

    for (unsigned p = 0; p < COUNT(pointers); p++)
        for (unsigned e = 0; e < COUNT(extensions); e++)
            EXPECT(call_with_pointers(pointers[p], extensions[e], 3), 0);
}

/* --- addresses ----------------------------------------------------------------------------------- */

/* None of them, or of the bytes behind them, is the supervisor's. 4096 bytes from the first four meet the
 * firmware. */
static const unsigned long closed[] = {
    RAM_BASE,     RAM_BASE + 0x8000,      FIRMWARE_END - 4096, RAM_BASE - 2048, 0,
    ACLINT_BASE,  ACLINT_BASE + 0x4000,   UART_BASE,           FINISHER_BASE,   ALL_ONES - 4095,
    ALL_ONES - 7, ALL_ONES / 2 + 1 - 4096};

TEST(no_call_follows_an_address_that_is_not_the_supervisors) {
    for (unsigned i = 0; i < COUNT(closed); i++) {
        const unsigned long at = closed[i];

        if (__riscv_xlen == 32 && at == ALL_ONES / 2 + 1 - 4096)
            continue; /* it is below RAM_BASE */
        for (unsigned long high = 0; high < 2; high++) {
            EXPECT(sbi_call6(SBI_EXT_DBCN, 0, 4096, at, high, 0, 0, 0).error < 0, true);
            EXPECT(sbi_call6(SBI_EXT_DBCN, 1, 4096, at, high, 0, 0, 0).error < 0, true);
            EXPECT(pmu_set_shmem(at & ~4095ul, high, 0).error < 0, true);
            EXPECT(pmu_event_info(at & ~15ul, high, 256, 0).error < 0, true);
        }
        EXPECT(sse_attributes(SSE_READ, LOCAL_SOFTWARE, 0, 10, (void *)at) < 0, true);
        EXPECT(sse_attributes(SSE_WRITE, LOCAL_SOFTWARE, 1, 1, (void *)at) < 0, true);
        EXPECT(sbi_call3(SBI_EXT_SUSP, 0, 0, at, 0).error < 0, true);
        EXPECT(sbi_call3(SBI_EXT_HSM, 3, 0x80000000, at, 0).error < 0, true);
        if (hart_count > 1)
            EXPECT(sbi_call3(SBI_EXT_HSM, 0, other_hart(), at, 0).error, SBI_ERR_INVALID_ADDRESS);
    }
}

TEST(ranges_that_wrap_are_refused) {
    static unsigned long word;
    const unsigned long at = (unsigned long)&word;

    EXPECT(sbi_call6(SBI_EXT_DBCN, 0, ALL_ONES - at + 2, at, 0, 0, 0, 0).error < 0, true);
    EXPECT(sbi_call6(SBI_EXT_DBCN, 1, ALL_ONES, at, 0, 0, 0, 0).error < 0, true);
    EXPECT(pmu_event_info(at & ~15ul, 0, ALL_ONES / 16 + 2, 0).error < 0, true);
    EXPECT(pmu_event_info(at & ~15ul, 0, ALL_ONES, 0).error < 0, true);
    EXPECT(sse_attributes(SSE_READ, LOCAL_SOFTWARE, 1, 0xffffffff, &word) < 0, true);
}

/* Legacy calls follow virtual addresses, with the supervisor's rights; a fault is the supervisor's, at its
 * ECALL (SBI, chapter Legacy Extensions), which leaves a0 and a1 alone. */
TEST(legacy_hart_masks_are_read_with_the_callers_rights) {
    trap_expected = true;
    for (unsigned long eid = 4; eid <= 7; eid++) {
        trap_cause = 0;
        const struct sbiret ret = sbi_call6(eid, 0, FIRMWARE_DATA, 5, 0, 0, 0, 0);
        EXPECT(trap_cause, 5);
        EXPECT(csr_read(stval), FIRMWARE_DATA);
        EXPECT((unsigned long)ret.error, FIRMWARE_DATA);
        EXPECT(ret.value, 5);
    }
    trap_expected = false;
}

/* --- machine registers and instructions ------------------------------------------------------------- */

static uint32_t code[2];

static void execute(uint32_t instruction) {
    code[0] = instruction;
    code[1] = 0x00008067; /* ret */
    __asm__ volatile("fence.i\nli a0, -1\njalr %0" ::"r"(code) : "ra", "a0", "memory");
}

TEST(every_machine_register_traps) {
    trap_expected = true;
    for (uint32_t csr = 0; csr < 4096; csr++) {
        if ((csr >> 8 & 3) != 3)
            continue;
        trap_cause = 0;
        execute(csr << 20 | 0x52573); /* csrrs a0, csr, a0 ... with a1 as the operand's name */
        EXPECT(trap_cause, 2);
        trap_cause = 0;
        execute(csr << 20 | 0x51073); /* csrw csr, a0 */
        EXPECT(trap_cause, 2);
    }
}

TEST(instructions_of_m_mode_trap) {
    trap_expected = true;
    trap_cause = 0;
    execute(0x30200073); /* mret */
    EXPECT(trap_cause, 2);
}

/* --- parameters ---------------------------------------------------------------------------------- */

TEST(odd_parameters_are_answered) {
    for (unsigned shift = 0; shift < __riscv_xlen; shift++) {
        const unsigned long bit = 1ul << shift;

        for (unsigned long fid = 0; fid < 8; fid++)
            sbi_call6(SBI_EXT_RFENCE, fid, 1, boot_hart, bit, ALL_ONES - bit, bit, 0);
        sbi_call6(SBI_EXT_IPI, 0, bit, bit, 0, 0, 0, 0);
        sbi_call6(SBI_EXT_IPI, 0, bit, ALL_ONES - 63, 0, 0, 0, 0);
        EXPECT(sbi_call3(SBI_EXT_HSM, 2, bit | 0x100, 0, 0).error, SBI_ERR_INVALID_PARAM);
        EXPECT(sbi_call3(SBI_EXT_HSM, 0, bit | 0x100, RAM_BASE, 0).error, SBI_ERR_INVALID_PARAM);
        sbi_call3(SBI_EXT_FWFT, 0, bit, bit, 0);
        sbi_call3(SBI_EXT_SSE, 7, bit, bit, 0);
        pmu_config(bit, ALL_ONES, bit, bit, bit);
        pmu_start(bit, bit, bit, bit);
        pmu_stop(bit, bit, bit);
        pmu_get_info(bit | 64);
        pmu_fw_read(bit | 64);
    }
    csr_clear(sip, INTERRUPT_BIT(SSI));
}

/* The suite asks for the shadow when the hart starts and stops. */
static void nothing(unsigned long hart) { (void)hart; }

TEST(a_hart_that_stops_leaves_nothing) {
    NEED(hart_count > 1);
    for (unsigned i = 0; i < 3; i++)
        EXPECT(on_other_hart(nothing), true);
}

/* --- time ---------------------------------------------------------------------------------------- */

static uint8_t large[16 << 10] __attribute__((aligned(4096)));

static unsigned long start;

static void begin(void) { start = csr_read(time); }

/* 10 ms: the watched firmware also compares its memory after a call. Counters do not run in M-mode. Ticks are
 * ten cycles. */
static bool was_short(void) { return csr_read(time) - start < 100000; }

TEST(no_call_keeps_interrupts_off_for_long) {
    NEED(has_software_event()); /* QEMU's time is the host's */
    memset(large, ' ', sizeof large);
    begin();
    for (unsigned i = 0; i < 20000; i++)
        __asm__ volatile("");
    EXPECT(csr_read(time) - start > 1000, true); /* it does go on */
    begin();
    EXPECT(sbi_call6(SBI_EXT_DBCN, 0, sizeof large, (unsigned long)large, 0, 0, 0, 0).value < sizeof large,
           true);
    EXPECT(was_short(), true);
    memset(large, 0, sizeof large);
    begin();
    EXPECT(pmu_event_info((unsigned long)large, 0, 1024, 0).error, SBI_SUCCESS);
    EXPECT(was_short(), true);
    begin();
    EXPECT(pmu_event_info(0x80400000, 0, 1000000, 0).error, SBI_ERR_INVALID_PARAM);
    EXPECT(was_short(), true);
    begin();
    sbi_call6(SBI_EXT_DBCN, 1, sizeof large, (unsigned long)large, 0, 0, 0, 0);
    EXPECT(was_short(), true);
    begin();
    sbi_call6(SBI_EXT_RFENCE, 1, 1, boot_hart, 0, ALL_ONES - 1, 0, 0);
    EXPECT(was_short(), true);
}
