/* SPDX-License-Identifier: Apache-2.0 */
/* Cycles by call stack, as tally-sim --stacks writes them: lines "outermost;...;innermost CYCLES". */
#ifndef TALLY_CALLERS_H
#define TALLY_CALLERS_H

#include "error.h"

#include <stddef.h>
#include <stdint.h>

struct call_stack {
    char **names; /* the outermost first */
    size_t names_n;
    uint64_t cycles;
};

struct callers {
    char *text; /* what the names are in */
    struct call_stack *list;
    size_t n;
};

/* The stacks with most cycles come first; what is beyond `most` of them is one stack, "[rest]". After a
 * failure there is nothing to free. */
bool callers_read(struct callers *c, const char *path, size_t most, struct error *error);
void callers_free(struct callers *c);

#endif
