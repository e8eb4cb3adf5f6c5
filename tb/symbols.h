// SPDX-License-Identifier: Apache-2.0
/* Names of addresses, from the symbol tables of the loaded ELF files. */
#ifndef TALLY_SYMBOLS_H
#define TALLY_SYMBOLS_H

#include "file.h"

struct symbol {
    uint64_t address, size;
    char *name;
    bool code; /* may name a pc */
};

struct symbols {
    struct symbol *list; /* by address once symbols_sort() was called */
    size_t n, room;
};

/* Add the symbols of an ELF file. A file without symbols, or with damaged ones, adds none; that is no error.
 */
void symbols_add(struct symbols *symbols, const struct file *file);
void symbols_sort(struct symbols *symbols);
void symbols_free(struct symbols *symbols);

bool symbols_find(const struct symbols *symbols, const char *name, uint64_t *address);

/* "name+0x12" of an address into `text`; "" if no symbol covers it. Returns `text`. */
const char *symbols_name(const struct symbols *symbols, uint64_t address, char *text, size_t size);

#endif
