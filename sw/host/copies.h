/* SPDX-License-Identifier: Apache-2.0 */
/* Copies of the ELF files without mapping symbols, for tools that take these for functions (perf 6.1). */
#ifndef TALLY_COPIES_H
#define TALLY_COPIES_H

#include "program.h"

struct copy {
    struct buffer bytes;
    char *path;
};

struct copies {
    struct copy *list;
    size_t n;
};

/* A copy of each file of the run that has mapping symbols, to be written beside `beside` as BESIDE.NAME, and
 * the program told where it is. `taken` are `taken_n` files that a copy must not replace. */
bool copies_make(struct copies *c, struct program *program, const char *beside, const char *const *taken,
                 size_t taken_n, struct error *error);
bool copies_write(struct copies *c, struct error *error);
void copies_free(struct copies *c);

#endif
