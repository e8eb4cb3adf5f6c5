/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The cost of a sample to the sampled program: a computation in U-mode runs without and with each kind of
 * sampling, and a line a run is printed: KIND PERIOD CYCLES SAMPLES DROPPED COLLISIONS. `sbi` is the
 * work of a supervisor without counters of its own: the interrupt, a call to stop the counter, another to set
 * and start it. Where counters are not delegated the other kinds are left out. Every run is the second of
 * two, so that caches are warm.
 */
#include <stdbool.h>

#include "console.h"
#include "csr.h"
#include "delegated.h"
#include "input.h"
#include "sampling.h"
#include "sbi_pmu.h"
#include "supervisor.h"

enum { NUMBERS = 384, CAPACITY = 4096, SAMPLED = 3, SAMPLES, DROPPED, COLLISIONS };

#define INSTRUCTIONS_EVENT HW(2)

static SAMPLING_LOG(log_space, CAPACITY) __attribute__((section(".noinit")));
static struct sampling_record buffer[64] __attribute__((aligned(4096)));

/* --- the sampled program --------------------------------------------------------------------------- */

static uint32_t heap[NUMBERS];

static void sift(unsigned at, unsigned n) {
    const uint32_t value = heap[at];

    for (unsigned child; (child = 2 * at + 1) < n; at = child) {
        child += child + 1 < n && heap[child + 1] > heap[child];
        if (heap[child] <= value)
            break;
        heap[at] = heap[child];
    }
    heap[at] = value;
}

/* Heap sort of random numbers: unpredictable branches, loads, stores, multiplications */
static uint64_t work(void) {
    uint64_t sum = 0, state = 1;

    for (unsigned i = 0; i < NUMBERS; i++)
        heap[i] = input_next(&state);
    for (unsigned i = NUMBERS / 2; i-- > 0;)
        sift(i, NUMBERS);
    for (unsigned n = NUMBERS - 1; n > 0; n--) {
        const uint32_t top = heap[0];

        heap[0] = heap[n];
        heap[n] = top;
        sift(0, n);
    }
    for (unsigned i = 0; i < NUMBERS; i++)
        sum = mix(sum, heap[i]);
    return sum;
}

/* --- the supervisor that asks the SBI -------------------------------------------------------------- */

static unsigned long sbi_counter, sbi_period, sbi_samples;

static void sbi_overflow(struct trap_frame *frame) {
    csr_clear(sip, INTERRUPT_BIT(LCOFI));
    const unsigned long overflowed = csr_read(TALLY_CSR_SCOUNTOVF);

    pmu_stop(sbi_counter, 1, 0);
    if (overflowed) {
        struct sampling_record *r = &log_space.log.records[sbi_samples++ % CAPACITY];

        r->pc = frame->epc;
        r->time = csr_read(time);
    }
    pmu_start(sbi_counter, 1, SET_INIT_VALUE, 0 - sbi_period);
}

/* A programmable counter that the SBI has */
static unsigned long first_counter(void) {
    unsigned long index = 3;

    while (pmu_get_info(index).error)
        index++;
    return index;
}

static uint64_t sbi_cycles(unsigned long period) {
    uint64_t begin;

    sbi_period = period;
    sbi_samples = 0;
    sbi_counter =
        pmu_config(first_counter(), 1, CLEAR_VALUE | SET_SINH | SET_MINH, INSTRUCTIONS_EVENT, 0).value;
    trap_set_interrupt(TALLY_INT_LCOFI, sbi_overflow);
    csr_set(sie, INTERRUPT_BIT(LCOFI));
    pmu_start(sbi_counter, 1, SET_INIT_VALUE, 0 - period);
    begin = csr_read(cycle);
    user_call(work);
    begin = csr_read(cycle) - begin;
    pmu_stop(sbi_counter, 1, RESET);
    csr_clear(sie, INTERRUPT_BIT(LCOFI));
    return begin;
}

/* --- the runs -------------------------------------------------------------------------------------- */

static const struct {
    const char *name;
    enum sampling_kind kind;
} kinds[] = {{"counter", SAMPLING_COUNTER},
             {"registers", SAMPLING_REGISTERS},
             {"record", SAMPLING_RECORD},
             {"batches", SAMPLING_BATCHES},
             {"recorder", SAMPLING_RECORDER}};
enum { KINDS = sizeof kinds / sizeof *kinds };

static void print(const char *name, unsigned long period, uint64_t cycles, uint64_t samples, uint64_t dropped,
                  uint64_t collisions) {
    con_printf("%s %lu %lu %lu %lu %lu\n", name, period, cycles, samples, dropped, collisions);
}

static uint64_t plain_cycles(void) {
    const uint64_t begin = csr_read(cycle);

    user_call(work);
    return csr_read(cycle) - begin;
}

static uint64_t driver_cycles(enum sampling_kind kind, unsigned long period) {
    const struct sampling_setup setup = {.kind = kind,
                                         .user = true,
                                         .period = period,
                                         .counter = SAMPLED,
                                         .event = TALLY_EV_INST_RET,
                                         .control = TALLY_SPDISCTL_TS_MASK,
                                         .buffer = buffer,
                                         .buffer_size = sizeof buffer,
                                         .log = kind == SAMPLING_RECORDER ? NULL : &log_space.log,
                                         .capacity = CAPACITY};
    uint64_t cycles;

    count(SAMPLES, TALLY_EV_PDIS_SAMPLES);
    count(DROPPED, TALLY_EV_PDIS_DROPPED);
    count(COLLISIONS, TALLY_EV_PDIS_COLLISIONS);
    if (!sampling_start(&setup, "bench"))
        program_exit(1);
    cycles = plain_cycles();
    sampling_stop();
    return cycles;
}

static void run_driver(unsigned kind, unsigned long period) {
    uint64_t samples, cycles;

    driver_cycles(kinds[kind].kind, period);
    cycles = driver_cycles(kinds[kind].kind, period);
    samples = kinds[kind].kind == SAMPLING_COUNTER ? log_space.log.count : counted(SAMPLES);
    print(kinds[kind].name, period, cycles, samples, counted(DROPPED), counted(COLLISIONS));
}

int main(void) {
    static const unsigned long periods[] = {250, 1000};
    static const unsigned long short_periods[] = {2, 4, 8, 16, 24, 32, 64, 128};

    plain_cycles();
    print("none", 0, plain_cycles(), 0, 0, 0);
    for (unsigned i = 0; i < sizeof periods / sizeof *periods; i++) {
        sbi_cycles(periods[i]);
        const uint64_t cycles = sbi_cycles(periods[i]);

        print("sbi", periods[i], cycles, sbi_samples, 0, 0);
    }
    if (!sampling_available(SAMPLING_COUNTER))
        return 0;
    for (unsigned kind = 0; kind < KINDS; kind++)
        for (unsigned i = 0; i < sizeof periods / sizeof *periods; i++)
            run_driver(kind, periods[i]);
    for (unsigned i = 0; i < sizeof short_periods / sizeof *short_periods; i++)
        run_driver(KINDS - 1, short_periods[i]);
    return 0;
}
