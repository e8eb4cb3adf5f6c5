/* SPDX-License-Identifier: Apache-2.0 */
/* An interrupt storm: the supervisor's timer interrupts a computation in U-mode, over and over, and the
 * computation must not notice. */
#include "csr.h"
#include "input.h"
#include "sbi_call.h"
#include "workload.h"

static volatile uint64_t interrupts;
static uint64_t early; /* interrupts that came before their time */
static uint64_t deadline;

static void timer_set(uint64_t when) { sbi_call3(SBI_EXT_TIME, 0, when, 0, 0); }

static void tick(struct trap_frame *frame) {
    const uint64_t now = csr_read(time);

    (void)frame;
    if (now < deadline)
        early++;
    interrupts++;
    deadline = interrupts < STORM_INTERRUPTS ? now + STORM_TICKS : UINT64_MAX;
    timer_set(deadline);
}

static void setup(void) {
    trap_set_interrupt(TALLY_INT_STI, tick);
    deadline = csr_read(time) + STORM_TICKS;
    timer_set(deadline);
    csr_write(sie, INTERRUPT_BIT(STI));
}

/* The same every time; in registers across the interrupts. */
__attribute__((noinline)) static uint64_t compute(void) {
    uint64_t state = STORM_SEED, sum = 0;

    for (int i = 0; i < STORM_STEPS; i++)
        sum = mix(sum, input_next(&state));
    return sum;
}

static uint64_t work(void) {
    uint64_t wrong = 0;

    while (interrupts < STORM_INTERRUPTS)
        if (compute() != EXPECTED_STORM_STEP)
            wrong++;
    return mix(mix(mix(0, interrupts), early), wrong);
}

WORKLOAD("storm", setup, work, EXPECTED_STORM)
