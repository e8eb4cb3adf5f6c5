// SPDX-License-Identifier: Apache-2.0
/*
 * Cycles by call stack: a shadow stack from the commit trace, which costs the program nothing and needs no
 * frame pointers. A call pushes its return address; a return pops down to it; longjmp() pops entries below
 * the stack pointer that it sets; a trap pushes its pc, a trap return pops down to that. A jump to
 * another function (a tail call) replaces none: its cycles are shown under the caller, as an unwinder by
 * frame pointers would. Cycles belong to the instruction that retires or traps next.
 */
#ifndef TALLY_STACKS_H
#define TALLY_STACKS_H

#include "sim.h"
#include "symbols.h"

#include <stdio.h>

struct stacks;

/* `interrupts`, or NULL: a line an interrupt, with its cause, the mode in which it came, the
 * pc, and the return addresses up to the trap before it, from the innermost on. NULL: memory is short. */
struct stacks *stacks_new(FILE *interrupts);
void stacks_free(struct stacks *stacks);
/* An instruction retires or traps in this cycle. If memory is short, its stack is the root. */
void stacks_event(struct stacks *stacks, uint64_t cycle, const struct sim_probe *event);
/* A line a stack: functions from the outermost on with ';' between, a blank, cycles. Flame graph tools read
 * it. */
void stacks_report(const struct stacks *stacks, const struct symbols *symbols, FILE *out);

#endif
