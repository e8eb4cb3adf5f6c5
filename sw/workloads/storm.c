/* SPDX-License-Identifier: Apache-2.0 */
/* An interrupt storm: the timer interrupts a computation, over and over, and the computation must not notice.
 */
#include <stdbool.h>

#include "csr.h"
#include "input.h"
#include "timer.h"
#include "trap.h"
#include "workload.h"

static volatile uint64_t interrupts;
static uint64_t early; /* interrupts that came before their time */
static uint64_t deadline;

static bool tick(struct trap_frame *frame) {
    uint64_t now = timer_now();

    (void)frame;
    if (now < deadline)
        early++;
    interrupts++;
    deadline = interrupts < STORM_INTERRUPTS ? now + STORM_TICKS : TIMER_NEVER;
    timer_set(deadline);
    return true;
}

static void setup(void) { trap_set_interrupt(TALLY_INT_MTI, tick); }

/* The same every time; in registers across the interrupts. */
__attribute__((noinline)) static uint64_t compute(void) {
    uint64_t state = STORM_SEED, sum = 0;

    for (int i = 0; i < STORM_STEPS; i++)
        sum = mix(sum, input_next(&state));
    return sum;
}

static uint64_t work(void) {
    uint64_t wrong = 0;

    deadline = timer_now() + STORM_TICKS;
    timer_set(deadline);
    csr_write(mie, 1u << TALLY_INT_MTI);
    csr_set(mstatus, MSTATUS_MIE);
    while (interrupts < STORM_INTERRUPTS)
        if (compute() != EXPECTED_STORM_STEP)
            wrong++;
    csr_clear(mstatus, MSTATUS_MIE);
    csr_write(mie, 0);
    return mix(mix(mix(0, interrupts), early), wrong);
}

WORKLOAD("storm", setup, work, EXPECTED_STORM)
