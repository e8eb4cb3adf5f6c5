/* SPDX-License-Identifier: Apache-2.0 */
/* A hart's way into its supervisor, and its rest. */
#ifndef FW_HART_H
#define FW_HART_H

#include <stdbool.h>

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

/* In assembly: the other harts, which wait since reset, may go to hart_wait(). */
void hart_release_others(void);

/* In assembly: return to mepc in the mode of mstatus.MPP; registers are 0 but a0 and a1. */
__attribute__((noreturn)) void hart_return(unsigned long a0, unsigned long a1);

/* In assembly: continue with function() on an empty stack. */
__attribute__((noreturn)) void hart_restart(void (*function)(void));

#endif
