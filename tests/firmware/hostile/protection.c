/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A supervisor that attacks the firmware's memory in every way. WITH_SMEPMP: the hart has Smepmp, which only
 * the build of the machine tells.
 */
#include "suite.h"

enum { FETCH_FAULT = 1, ILLEGAL = 2, LOAD_FAULT = 5, STORE_FAULT = 7, STEP = 508, TEXT_MOST = 64 << 10 };

#define END (RAM_BASE + (1ul << FIRMWARE_LOG))

/* The cause of the trap that ends a jump to `to`. */
static unsigned long jump(unsigned long to) {
    unsigned long cause;

    __asm__ volatile("lla t0, 1f\n"
                     "csrrw t0, stvec, t0\n"
                     "jr %1\n"
                     ".balign 4\n"
                     "1: csrw stvec, t0\n"
                     "csrr %0, scause\n"
                     : "=r"(cause)
                     : "r"(to)
                     : "t0", "memory");
    return cause;
}

static unsigned long load(unsigned long at) {
    unsigned long value;

    trap_cause = 0;
    trap_expected = true;
    __asm__ volatile("lw %0, 0(%1)" : "=r"(value) : "r"(at) : "memory");
    return trap_cause;
}

static unsigned long store(unsigned long at) {
    trap_cause = 0;
    trap_expected = true;
    __asm__ volatile("sw zero, 0(%0)" ::"r"(at) : "memory");
    return trap_cause;
}

static unsigned long swap(unsigned long at) {
    trap_cause = 0;
    trap_expected = true;
    __asm__ volatile("amoor.w zero, zero, (%0)" ::"r"(at) : "memory");
    return trap_cause;
}

TEST(the_firmwares_memory_is_not_written) {
    for (unsigned long at = RAM_BASE; at < END; at += STEP) {
        EXPECT(store(at), STORE_FAULT);
        EXPECT(swap(at) == STORE_FAULT || trap_cause == LOAD_FAULT, true); /* QEMU: an AMO reads first */
    }
}

TEST(the_firmwares_data_is_not_read) {
    for (unsigned long at = RAM_BASE + TEXT_MOST; at < END; at += STEP)
        EXPECT(load(at), LOAD_FAULT);
}

TEST(the_firmwares_data_is_not_executed) {
    for (unsigned long at = RAM_BASE + TEXT_MOST; at < END; at += STEP)
        EXPECT(jump(at), FETCH_FAULT);
}

/* The firmware emulates misaligned accesses where hardware does not. */
TEST(emulated_accesses_have_the_supervisors_rights) {
    EXPECT(load(FIRMWARE_DATA + 1), LOAD_FAULT);
    EXPECT(store(FIRMWARE_DATA + 1), STORE_FAULT);
    EXPECT(store(RAM_BASE + 1), STORE_FAULT);
    EXPECT(load(END - 2), LOAD_FAULT); /* its second half is the supervisor's */
}

#if WITH_SMEPMP
TEST(the_firmwares_text_is_not_read) {
    for (unsigned long at = RAM_BASE; at < RAM_BASE + TEXT_MOST; at += STEP)
        EXPECT(load(at), LOAD_FAULT);
}

TEST(the_firmwares_text_is_not_executed) {
    for (unsigned long at = RAM_BASE; at < RAM_BASE + TEXT_MOST; at += STEP)
        EXPECT(jump(at), FETCH_FAULT);
}
#else
/* A locked rule that lets M-mode execute lets every mode (docs/security.md). Its first instruction is
 * M-mode's. */
TEST(without_smepmp_text_is_everybodys_to_read_and_execute) {
    EXPECT(load(RAM_BASE), 0);
    EXPECT(jump(RAM_BASE), ILLEGAL);
}
#endif

/* Shared between M-mode and the others for reading and writing: no mode executes there. */
TEST(devices_are_not_executed) {
    EXPECT(jump(UART_BASE), FETCH_FAULT);
    EXPECT(jump(FINISHER_BASE), FETCH_FAULT);
}

/* ... and after a hart has been stopped and started again */
static volatile unsigned long other_load, other_store;

static void look(unsigned long hart) {
    (void)hart;
    other_load = load(FIRMWARE_DATA);
    other_store = store(RAM_BASE);
}

TEST(another_hart_is_as_closed_each_time_it_starts) {
    for (unsigned i = 0; i < 2; i++) {
        other_load = other_store = 0;
        NEED(on_other_hart(look));
        EXPECT(other_load, LOAD_FAULT);
        EXPECT(other_store, STORE_FAULT);
    }
}
