/* SPDX-License-Identifier: Apache-2.0 */
/* A minimal profiler: a counter of loads overflows in U-mode; the handler in S-mode notes the pc and restarts
 * it, by calls of the SBI. The program of two stories (docs/waves.md). */
#include <stdbool.h>

#include "console.h"
#include "csr.h"
#include "sbi_pmu.h"
#include "supervisor.h"

enum { PERIOD = 25, SAMPLES = 4, ANY_COUNTER = ~3u, LOADS = CACHE(0, 0, 0) };

static unsigned long counter;
static volatile unsigned samples;
static unsigned long where[SAMPLES];
static volatile uint64_t words[8];

__attribute__((noinline)) static void restart(void) {
    pmu_start(counter, 1, SET_INIT_VALUE, -(uint64_t)PERIOD);
}

static void overflow(struct trap_frame *frame) {
    csr_clear(sip, INTERRUPT_BIT(LCOFI));
    pmu_stop(counter, 1, 0);
    if (samples < SAMPLES)
        where[samples] = frame->epc;
    if (++samples < SAMPLES)
        restart();
}

__attribute__((noinline)) static uint64_t work(void) {
    uint64_t sum = 0;

    for (unsigned i = 0; samples < SAMPLES && i < 1000; i++)
        sum = 5 * sum + words[i % 8];
    return sum;
}

/* Where the stories' wave files end */
__attribute__((noinline)) static void done(void) { __asm__ volatile("" ::: "memory"); }

int main(void) {
    const struct sbiret chosen = pmu_config(0, ANY_COUNTER, CLEAR_VALUE | SET_SINH | SET_MINH, LOADS, 0);

    if (chosen.error)
        return 1;
    counter = chosen.value;
    trap_set_interrupt(TALLY_INT_LCOFI, overflow);
    csr_write(sie, INTERRUPT_BIT(LCOFI));
    restart();
    user_call(work);
    done();
    for (unsigned i = 0; i < SAMPLES; i++)
        con_printf("overflow in %lx\n", where[i]);
    return samples != SAMPLES;
}
