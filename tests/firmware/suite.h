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
#include "platform.h"
#include "sbi_pmu.h"
#include "supervisor.h"

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

/* --- the machine that the suite runs on ----------------------------------------------------------- */

extern unsigned long boot_hart, hart_count;
extern unsigned sbi_version;   /* major << 24 | minor */
extern unsigned long counters; /* of num_counters */
extern uint64_t hardware_set;  /* indices whose get_info says hardware ... */
extern uint64_t firmware_set;  /* ... and firmware */
extern uint64_t programmable;  /* hardware, but not cycle or instret */
#define PROGRAMMABLE programmable
bool at_least(unsigned major, unsigned minor);

/* No counter has an event, none runs, none has overflowed, no snapshot memory: a test's first state. */
void reset_pmu(void);

unsigned lowest(uint64_t set); /* index of the lowest counter */
/* The hart's number of a hardware counter: its CSR is cycle's and that many */
unsigned number_of(unsigned index);
/* ... and the index of that number; it must exist */
unsigned index_of(unsigned number);
bool has_overflow(void); /* Sscofpmf */
/* Is OF set? (scountovf) */
bool overflown(unsigned index);
/* All of them that are, by index */
uint64_t all_overflown(void);
/* The value of any counter, hardware or firmware */
uint64_t value_of(unsigned index);
/* The software event of Tally's unit, which a raw selector counts; false if it is not there. */
bool has_software_event(void);
void software_event(void);
#define SOFTWARE_EVENT TALLY_EV_SOFTWARE

/* Memory that the firmware protects */
#define FIRMWARE_DATA (RAM_BASE + (1ul << FIRMWARE_LOG) - 64)

/* --- traps -------------------------------------------------------------------------------------- */

/* The last trap of this hart; an unexpected trap ends the run. */
extern volatile unsigned long trap_cause, trap_value, trap_pc, trap_status, trap_count;
/* A guest runs: hstatus of its first trap that comes here since trap_hstatus was 0 (guest.c) */
extern volatile bool guest_runs;
extern volatile unsigned long trap_hstatus;
/* Skip over the next exceptions instead (interrupts: disable them in sie). */
extern volatile bool trap_expected;

/* --- the firmware -------------------------------------------------------------------------------- */

/* Are M-mode's memory and registers unchanged? (hostile/shadow.c; true without FW_SHADOW) */
bool intact(void);

/* --- another hart ------------------------------------------------------------------------------- */

/* Run function(hart) on another hart and wait until it has come back and stopped. False: there is no other.
 */
bool on_other_hart(void (*function)(unsigned long hart));
/* The same in two steps; both harts run between them. */
bool other_start(void (*function)(unsigned long hart));
/* Start it elsewhere, with a value of one's own in a1. */
bool other_start_at(const void *entry, const void *opaque);
void other_finish(void);
/* On the other hart: stop it, as the end of its function does. */
void other_stop(void);
unsigned long other_hart(void);

#endif
