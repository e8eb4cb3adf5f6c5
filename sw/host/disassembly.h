/* SPDX-License-Identifier: Apache-2.0 */
/* The program's instructions as text, from objdump of binutils. */
#ifndef TALLY_DISASSEMBLY_H
#define TALLY_DISASSEMBLY_H

#include "error.h"
#include "program.h"

#include <stddef.h>
#include <stdint.h>

struct instruction {
    uint64_t address;
    const char *text;
};

struct disassembly {
    struct instruction *list; /* in the order of the file */
    size_t n;
    char *text; /* owns the strings */
};

/* The code of one file of the run from `begin` up to `end`, addresses as it was loaded; all of it if
 * they are equal. `objdump` is a name in
 * PATH or a path. */
bool disassembly_read(struct disassembly *d, const char *objdump, const struct program *program,
                      uint64_t begin, uint64_t end, struct error *error);
void disassembly_free(struct disassembly *d);

#endif
