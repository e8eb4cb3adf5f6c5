/* SPDX-License-Identifier: Apache-2.0 */
/* The program's instructions as text, from objdump of binutils. */
#ifndef TALLY_DISASSEMBLY_H
#define TALLY_DISASSEMBLY_H

#include "error.h"

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

/* `objdump` is a name in PATH or a path; `bias` is added to the addresses of the file. */
bool disassembly_read(struct disassembly *d, const char *objdump, const char *program, uint64_t bias,
                      struct error *error);
void disassembly_free(struct disassembly *d);

#endif
