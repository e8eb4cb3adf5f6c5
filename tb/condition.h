// SPDX-License-Identifier: Apache-2.0
/* A condition in a run: a cycle (--at of tally-iss: a number of instructions), the retirement of the
 * instruction at a pc, or a text that the program prints. */
#ifndef TALLY_CONDITION_H
#define TALLY_CONDITION_H

#include "error.h"
#include "symbols.h"

enum condition_kind { CONDITION_NONE, CONDITION_CYCLE, CONDITION_PC, CONDITION_TEXT };

struct condition {
    enum condition_kind kind;
    uint64_t value;
    const char *text; /* text on the console */
    unsigned matched; /* number of its bytes that were printed last */
};

/* "1000", "pc:0x80000000", "text:login:" or a symbol. A NULL text is no condition. */
bool condition_parse(struct condition *condition, const char *option, const char *text,
                     const struct symbols *symbols, struct error *error);

/* The program printed a byte: does it complete the text? */
bool condition_printed(struct condition *condition, uint8_t byte);

#endif
