/* SPDX-License-Identifier: Apache-2.0 */
/*
 * State of one hart. struct hart is at the top of the hart's stack; mscratch points to it while the hart runs
 * the supervisor, tp while it runs the firmware.
 */
#ifndef FW_HART_STATE_H
#define FW_HART_STATE_H

#include "platform.h"

#define HART_STACK_LOG 13 /* bytes of a stack, its struct hart included: 1 << HART_STACK_LOG */
#define HART_SIZE 1024    /* for struct hart, at the upper end of the stack */
/* At its lower end: a stack for the report of a trap inside the firmware, and above it the guard, memory that
 * no mode may touch (PMP). */
#define EMERGENCY_SIZE 1024
#define GUARD_LOG 9
/* Of struct hart, for trap_entry.S: started counters of FW_PLATFORM_CALL */
#if __riscv_xlen == 64
#define HART_CALLS_COUNTED 0xf4
#else
#define HART_CALLS_COUNTED 0xec
#endif

#ifndef __ASSEMBLER__
/* Of variables that calls change. All others outside of the stacks are constant once the firmware has booted.
 */
#define FW_SHARED __attribute__((section(".bss.shared")))

#include <stdbool.h>
#include <stdint.h>

#include "pmu_state.h"
#include "sse_state.h"

/* HSM states; the numbers are the SBI's. */
enum hart_state {
    HART_STARTED = 0,
    HART_STOPPED = 1,
    HART_START_PENDING = 2,
    HART_STOP_PENDING = 3,
    HART_SUSPENDED = 4,
    HART_RESUME_PENDING = 6,
};

/* State of the extension FWFT of a hart: bit n is feature n. */
struct fwft_state {
    uint8_t supported, locked;
};

struct hart {
    unsigned long id;
    volatile int state;         /* enum hart_state; others read it */
    volatile unsigned int mail; /* mailbox.h; others set bits */
    unsigned long start_addr;   /* where the supervisor begins, and its a1 */
    unsigned long start_opaque;
    struct pmu_state pmu;
    struct fwft_state fwft;
    struct sse_state sse;
};

register struct hart *this_hart __asm__("tp");

_Static_assert(sizeof(struct hart) <= HART_SIZE, "HART_SIZE");

extern char hart_stacks[]; /* HARTS_MAX stacks */

static inline struct hart *hart_of(unsigned long id) {
    return (struct hart *)(hart_stacks + ((id + 1) << HART_STACK_LOG) - HART_SIZE);
}
#endif

#endif
