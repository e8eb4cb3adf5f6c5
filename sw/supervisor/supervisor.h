/* SPDX-License-Identifier: Apache-2.0 */
/* Linked with a program in S-mode: its traps, and functions that run in U-mode. There is no paging.
 */
#ifndef SW_SUPERVISOR_H
#define SW_SUPERVISOR_H

#include <stdbool.h>
#include <stdint.h>

/* Registers that trap.S saves, in its order. */
struct trap_frame {
    unsigned long x[32]; /* x[0] is always 0 */
    unsigned long epc;
    unsigned long status;
    unsigned long cause;
    unsigned long tval;
};

typedef void trap_handler(struct trap_frame *frame);

/* The handler of a trap, by code (below 32); it may change the frame. Traps without one end the program. */
void trap_set_exception(unsigned code, trap_handler *handler);
void trap_set_interrupt(unsigned code, trap_handler *handler);

/* Run function() in U-mode, on a stack of its own, and return its result. Interrupts that sie enables come
 * meanwhile. */
uint64_t user_call(uint64_t (*function)(void));

/* With user_calls, U-mode's ecalls go to the handler of their cause instead of ending user_call(). Then
 * user_enter() runs a program in U-mode, at `entry`, with this stack and these in a0 to a2, until a handler
 * calls user_leave(). */
extern bool user_calls;
uint64_t user_enter(uintptr_t entry, uintptr_t sp, uint64_t a0, uintptr_t a1, uintptr_t a2);
__attribute__((noreturn)) void user_leave(struct trap_frame *frame, uint64_t value);

/* The end: 0 is success. */
__attribute__((noreturn)) void program_exit(int code);
/* The end, for a trap without a handler. */
__attribute__((noreturn)) void program_died(const struct trap_frame *frame);

#endif
