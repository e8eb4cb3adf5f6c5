/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Call stacks of samples that a driver walked by frame pointers (docs/profile.md): callers, and
 * the number of samples of each stack.
 */
#ifndef TALLY_CALLS_H
#define TALLY_CALLS_H

#include "callers.h"
#include "program.h"
#include "records.h"

enum { CALLS_MAX = STACK_MAX + 2 };

/* An instruction, or a call from a place below `parent` */
struct call {
    size_t parent;    /* 0: the root */
    uint64_t address; /* of the instruction; of a call's end less 1, which is inside the call */
    uint64_t samples; /* of an instruction */
};

struct calls {
    struct call *list; /* [0] is the root */
    size_t n, room;
    size_t *table; /* index into the list, 0: free; 4 * room */
};

/* The call stack of an overflow's sample, the innermost first: its instruction, then calls (addresses as in
 * struct call). With `interrupted` the stack of the interrupted instruction, which the driver walked. Else
 * that of the cause, which may be the call that led there, a return, or an instruction of a trap. Returns how
 * many, at least 1. */
size_t calls_of(const struct program *p, const struct sample *s, bool interrupted, uint64_t stack[CALLS_MAX]);
void calls_add(struct calls *c, const uint64_t *stack, size_t n, uint64_t weight);
/* By the names of functions, inlined code included; those with most samples, as callers_cut has it.
 */
void calls_names(const struct calls *c, const struct program *p, size_t most, struct callers *out);
void calls_free(struct calls *c);

#endif
