/* SPDX-License-Identifier: Apache-2.0 */
/* Weights by call stack: of tally-sim --stacks, whose lines are "outermost;...;innermost CYCLES", or of
 * samples. */
#ifndef TALLY_CALLERS_H
#define TALLY_CALLERS_H

#include "error.h"

#include <stddef.h>
#include <stdint.h>

enum { CALLERS_MAX = 4000 }; /* that are shown */

struct call_stack {
    const char **names; /* the outermost first */
    size_t names_n;
    uint64_t weight; /* cycles, or samples */
};

struct callers {
    char *text; /* what the names are in; NULL: elsewhere */
    struct call_stack *list;
    size_t n;
};

/* For qsort: of two struct call_stack */
int callers_by_names(const void *left, const void *right);
/* Keep the heaviest, which come first; those beyond `most` are one stack, "[rest]". */
void callers_cut(struct callers *c, size_t most);
/* Read a file of tally-sim --stacks, and cut it. After a failure there is nothing to free. */
bool callers_read(struct callers *c, const char *path, size_t most, struct error *error);
void callers_free(struct callers *c);

#endif
