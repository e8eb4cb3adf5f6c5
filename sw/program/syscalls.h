/* SPDX-License-Identifier: Apache-2.0 */
/* The calls of sw/user/calls.h. */
#ifndef SW_SYSCALLS_H
#define SW_SYSCALLS_H

#include <stdint.h>

#include "supervisor.h"

struct user_memory {
    uint64_t start, end;     /* all of the program's */
    uint64_t heap, heap_end; /* its end now, its limit */
    uint64_t guard, stack;   /* guard pages without access; the lowest address of the stack */
    uint64_t clock;          /* of time, Hz */
};

/* Serve U-mode's ecalls and faults from now on. */
void syscalls_open(const struct user_memory *memory);

#endif
