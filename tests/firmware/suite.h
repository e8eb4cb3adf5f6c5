/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Conformance of an SBI implementation, seen from S-mode. A test is a function TEST(name), named after the
 * table and row, or the sentence, that it checks. It stops at its first failed EXPECT.
 */
#ifndef SUITE_H
#define SUITE_H

#include <stdbool.h>
#include <stdint.h>

#include "csr.h"
#include "sbi.h"

struct suite_test {
    const char *name;
    void (*run)(void);
};

#define TEST(function)                                                                                       \
    static void function(void);                                                                              \
    static const struct suite_test suite_##function                                                          \
        __attribute__((section(".suite_tests"), used)) = {#function, function};                              \
    static void function(void)

/* Ends the test. Values are compared as unsigned long. */
#define EXPECT(actual, expected)                                                                             \
    do {                                                                                                     \
        unsigned long suite_actual_ = (unsigned long)(actual), suite_expected_ = (unsigned long)(expected);  \
        if (suite_actual_ != suite_expected_) {                                                              \
            suite_fail(__FILE__, __LINE__, #actual, suite_actual_, suite_expected_);                         \
            return;                                                                                          \
        }                                                                                                    \
    } while (0)

void suite_fail(const char *file, unsigned line, const char *what, unsigned long actual,
                unsigned long expected);
/* The rest of the test makes no sense on this implementation. */
void suite_skip(const char *why);
#define NEED(condition)                                                                                      \
    do {                                                                                                     \
        if (!(condition)) {                                                                                  \
            suite_skip(#condition);                                                                          \
            return;                                                                                          \
        }                                                                                                    \
    } while (0)

__attribute__((format(printf, 1, 2))) void print(const char *format, ...);

/* --- calls -------------------------------------------------------------------------------------- */

struct sbiret sbi(unsigned long eid, unsigned long fid, unsigned long a0, unsigned long a1, unsigned long a2,
                  unsigned long a3, unsigned long a4, unsigned long a5);

#define PMU(fid, a0, a1, a2, a3, a4, a5)                                                                     \
    sbi(SBI_EXT_PMU, fid, (unsigned long)(a0), (unsigned long)(a1), (unsigned long)(a2),                     \
        (unsigned long)(a3), (unsigned long)(a4), (unsigned long)(a5))

static inline struct sbiret pmu_num_counters(void) { return PMU(0, 0, 0, 0, 0, 0, 0); }

static inline struct sbiret pmu_get_info(unsigned long index) { return PMU(1, index, 0, 0, 0, 0, 0); }

static inline struct sbiret pmu_config(unsigned long base, unsigned long mask, unsigned long flags,
                                       unsigned long event, uint64_t data) {
#if __riscv_xlen == 64
    return PMU(2, base, mask, flags, event, data, 0);
#else
    return PMU(2, base, mask, flags, event, (uint32_t)data, (uint32_t)(data >> 32));
#endif
}

static inline struct sbiret pmu_start(unsigned long base, unsigned long mask, unsigned long flags,
                                      uint64_t value) {
#if __riscv_xlen == 64
    return PMU(3, base, mask, flags, value, 0, 0);
#else
    return PMU(3, base, mask, flags, (uint32_t)value, (uint32_t)(value >> 32), 0);
#endif
}

static inline struct sbiret pmu_stop(unsigned long base, unsigned long mask, unsigned long flags) {
    return PMU(4, base, mask, flags, 0, 0, 0);
}

static inline struct sbiret pmu_fw_read(unsigned long index) { return PMU(5, index, 0, 0, 0, 0, 0); }

static inline struct sbiret pmu_fw_read_hi(unsigned long index) { return PMU(6, index, 0, 0, 0, 0, 0); }

static inline struct sbiret pmu_set_shmem(unsigned long lo, unsigned long hi, unsigned long flags) {
    return PMU(7, lo, hi, flags, 0, 0, 0);
}

static inline struct sbiret pmu_event_info(unsigned long lo, unsigned long hi, unsigned long entries,
                                           unsigned long flags) {
    return PMU(8, lo, hi, entries, flags, 0, 0);
}

enum {
    SKIP_MATCH = 1,
    CLEAR_VALUE = 2,
    AUTO_START = 4,
    SET_VUINH = 8,
    SET_VSINH = 16,
    SET_UINH = 32,
    SET_SINH = 64,
    SET_MINH = 128
};
enum { SET_INIT_VALUE = 1, INIT_SNAPSHOT = 2 };
enum { RESET = 1, TAKE_SNAPSHOT = 2 };

#define RAW 0x20000ul
#define RAW_V2 0x30000ul
#define FW(code) (0xf0000ul | (code))
#define FW_PLATFORM_EVENT FW(0xffff)
#define CACHE(id, op, result) (0x10000ul | (id) << 3 | (op) << 1 | (result))

/* --- the machine that the suite runs on ----------------------------------------------------------- */

extern unsigned long boot_hart, hart_count;
extern unsigned sbi_version;   /* major << 24 | minor */
extern unsigned long counters; /* of num_counters */
extern uint64_t hardware_set;  /* indices whose get_info says hardware ... */
extern uint64_t firmware_set;  /* ... and firmware */
#define PROGRAMMABLE (hardware_set & ~7ull)
bool at_least(unsigned major, unsigned minor);

/* No counter has an event, none runs, none has overflowed, no snapshot memory: what tests start from. */
void reset_pmu(void);

unsigned lowest(uint64_t set); /* index of the lowest counter */
/* hpmcounter n, cycle, instret by their index */
uint64_t read_counter(unsigned index);
/* The value of any counter, hardware or firmware */
uint64_t value_of(unsigned index);
/* The software event of Tally's unit, which a raw selector counts; false if it is not there. */
bool has_software_event(void);
void software_event(void);
#define SOFTWARE_EVENT TALLY_EV_SOFTWARE

/* --- traps -------------------------------------------------------------------------------------- */

/* The order is entry.S's. */
struct suite_frame {
    unsigned long x[32];
    unsigned long epc, cause, tval, status;
};

/* What the last trap of this hart was; a trap that nobody expects ends the run. */
extern volatile unsigned long trap_cause, trap_value, trap_pc, trap_status, trap_count;
/* Skip over the next exceptions instead (interrupts: disable them in sie). */
extern volatile bool trap_expected;

/* --- another hart ------------------------------------------------------------------------------- */

/* Run function(hart) on another hart and wait until it has come back and stopped. False: there is no other.
 */
bool on_other_hart(void (*function)(unsigned long hart));
unsigned long other_hart(void);

#endif
