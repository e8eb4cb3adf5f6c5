/* SPDX-License-Identifier: Apache-2.0 */
/*
 * State of one hart. struct hart is at the top of the hart's stack; mscratch points to it while the hart runs
 * the supervisor, tp while it runs the firmware.
 */
#ifndef FW_HART_H
#define FW_HART_H

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

extern char hart_stacks[];  /* HARTS_MAX stacks */
extern char __text_end[];   /* firmware.ld: end of what M-mode may execute, from RAM_BASE, */
extern char __rodata_end[]; /* and of what it may not write */

static inline struct hart *hart_of(unsigned long id) {
    return (struct hart *)(hart_stacks + ((id + 1) << HART_STACK_LOG) - HART_SIZE);
}

/* The device tree asks for counter delegation: menvcfg.CDE, and mstateen0 and mideleg to match. */
extern bool hart_delegates_counters;
/* It asks for event-based branches, and they are there: mebbctl.EN */
extern bool hart_has_branches;

/* Wait until another hart (or the boot) asks this one to start, then enter the supervisor. Forgets the stack.
 */
__attribute__((noreturn)) void hart_wait(void);

/* Set the machine's registers up and enter the supervisor at start_addr with a0 = id, a1 = start_opaque. */
__attribute__((noreturn)) void hart_enter(void);

/* May a supervisor begin at this address? It is main memory of the supervisor. */
bool hart_may_enter(unsigned long addr);

/* Until an interrupt that is enabled is pending */
void hart_sleep(void);

/* Enter the supervisor at another address. Machine registers are as they were: only satp, sie and the mode
 * change. Forgets the stack. */
__attribute__((noreturn)) void hart_resume_at(unsigned long addr, unsigned long opaque);

/* Before the supervisor runs: no feature locked, which ones there are. Features have the values that the
 * registers have. */
void fwft_setup_hart(void);

/* In assembly: the other harts, which wait since reset, may go to hart_wait(). */
void hart_release_others(void);

/* In assembly: return to mepc in the mode of mstatus.MPP; registers are 0 but a0 and a1. */
__attribute__((noreturn)) void hart_return(unsigned long a0, unsigned long a1);

/* In assembly: continue with function() on an empty stack. */
__attribute__((noreturn)) void hart_restart(void (*function)(void));
#endif

#endif
