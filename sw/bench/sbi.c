/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The cost of SBI calls, seen from S-mode: cycles and instructions from the ecall to the instruction
 * behind it, by the hart's own counters. Each is warmed up and then measured several times; the median is
 * printed, a line a call: NAME CYCLES INSTRUCTIONS. Calls that the firmware lacks are left out.
 */
#include <stdbool.h>
#include <stdint.h>

#include "console.h"
#include "csr.h"
#include "sbi_pmu.h"

enum { WARM = 4, RUNS = 9 };

#define INSTRUCTIONS_EVENT HW(2)
#define BRANCHES_EVENT HW(5)

static unsigned long all, hardware; /* counters */
static unsigned long first, second, firmware_counter;

struct cost {
    uint64_t cycles, instructions;
};

/* A thing to measure: before() sets the stage, call() is measured. call() returns false if there is no such
 * call. */
struct subject {
    const char *name;
    void (*before)(void);
    bool (*call)(void);
};

static void nothing(void) {}

static bool empty(void) { return true; }

static bool null_call(void) { return sbi_call3(SBI_EXT_BASE, 1, 0, 0, 0).error == 0; }

static bool num_counters(void) { return pmu_num_counters().error == 0; }

static bool get_info(void) { return pmu_get_info(first).error == 0; }

/* Counters for two events, configured and stopped */
static void release(void) { pmu_stop(0, hardware, RESET); }

static void configure(void) {
    release();
    first = pmu_config(0, hardware & ~7ul, CLEAR_VALUE, INSTRUCTIONS_EVENT, 0).value;
    second = pmu_config(0, hardware & ~7ul, CLEAR_VALUE, BRANCHES_EVENT, 0).value;
}

static bool config_matching(void) {
    return pmu_config(0, hardware & ~7ul, CLEAR_VALUE, BRANCHES_EVENT, 0).error == 0;
}

static bool start(void) { return pmu_start(first, 1, SET_INIT_VALUE, 1ul << 40).error == 0; }

static void configure_and_start(void) {
    configure();
    pmu_start(first, 1, SET_INIT_VALUE, 1ul << 40);
    pmu_start(second, 1, SET_INIT_VALUE, 1ul << 40);
}

static bool stop(void) { return pmu_stop(first, 1, 0).error == 0; }

static bool stop_reset(void) { return pmu_stop(first, 1, RESET).error == 0; }

static void configure_firmware(void) {
    pmu_stop(firmware_counter, 1, RESET);
    pmu_config(firmware_counter, 1, CLEAR_VALUE, FW(5), 0);
    pmu_start(firmware_counter, 1, 0, 0);
}

static bool fw_read(void) { return pmu_fw_read(firmware_counter).error == 0; }

/* As Linux serves an overflow of one of two counters: stop both, restart the one that did not overflow, start
 * the other anew. */
static bool overflow(void) {
    const bool ok = pmu_stop(0, 1ul << first | 1ul << second, 0).error == 0;

    return pmu_start(0, 1ul << second, 0, 0).error == 0 &&
           pmu_start(first, 1, SET_INIT_VALUE, 1ul << 40).error == 0 && ok;
}

static bool set_timer(void) { return sbi_call3(SBI_EXT_TIME, 0, ~0ul, 0, 0).error == 0; }

static const struct subject subjects[] = {
    {"null", nothing, null_call},
    {"pmu_num_counters", nothing, num_counters},
    {"pmu_counter_get_info", configure, get_info},
    {"pmu_counter_config_matching", configure, config_matching},
    {"pmu_counter_start", configure, start},
    {"pmu_counter_stop", configure_and_start, stop},
    {"pmu_counter_stop_reset", configure_and_start, stop_reset},
    {"pmu_counter_fw_read", configure_firmware, fw_read},
    {"pmu_overflow", configure_and_start, overflow},
    {"time_set_timer", nothing, set_timer},
};

/* --- measuring ---------------------------------------------------------------------------------- */

__attribute__((noinline)) static bool measure_once(bool (*call)(void), struct cost *cost) {
    const uint64_t instructions = csr_read(instret);
    const uint64_t cycles = csr_read(cycle);
    const bool there = call();

    cost->cycles = csr_read(cycle) - cycles;
    cost->instructions = csr_read(instret) - instructions;
    return there;
}

static void sort(uint64_t *values) {
    for (int i = 1; i < RUNS; i++)
        for (int k = i; k > 0 && values[k] < values[k - 1]; k--) {
            const uint64_t swap = values[k];

            values[k] = values[k - 1];
            values[k - 1] = swap;
        }
}

static bool measure(const struct subject *subject, struct cost *median) {
    uint64_t cycles[RUNS], instructions[RUNS];
    bool there = true;

    for (int i = -WARM; i < RUNS; i++) {
        struct cost cost;

        subject->before();
        there &= measure_once(subject->call, &cost);
        if (i >= 0) {
            cycles[i] = cost.cycles;
            instructions[i] = cost.instructions;
        }
    }
    sort(cycles);
    sort(instructions);
    *median = (struct cost){cycles[RUNS / 2], instructions[RUNS / 2]};
    return there;
}

static void explore(void) {
    const unsigned long count = pmu_num_counters().value;

    for (unsigned long i = 0; i < count && i < 64; i++) {
        const struct sbiret info = pmu_get_info(i);

        if (info.error)
            continue;
        all |= 1ul << i;
        if ((long)info.value >= 0)
            hardware |= 1ul << i;
        else
            firmware_counter = i;
    }
    hardware &= ~7ul; /* cycle and instret go on: they measure */
    first = (unsigned long)__builtin_ctzl(hardware);
}

int main(void) {
    static const struct subject idle = {"", nothing, empty};
    struct cost nothing_at_all;

    explore();
    measure(&idle, &nothing_at_all);
    for (unsigned i = 0; i < sizeof subjects / sizeof *subjects; i++) {
        struct cost cost;

        if (measure(&subjects[i], &cost))
            con_printf("%s %lu %lu\n", subjects[i].name, cost.cycles - nothing_at_all.cycles,
                       cost.instructions - nothing_at_all.instructions);
    }
    return 0;
}
