/* A moment of a run: a cycle, or the retirement of the instruction at a pc. */
#ifndef TALLY_CONDITION_H
#define TALLY_CONDITION_H

#include "error.h"
#include "symbols.h"

enum condition_kind { CONDITION_NONE, CONDITION_CYCLE, CONDITION_PC };

struct condition {
    enum condition_kind kind;
    uint64_t value;
};

/* "1000", "pc:0x80000000" or a symbol. A NULL text is no condition. */
bool condition_parse(struct condition *condition, const char *option, const char *text,
                     const struct symbols *symbols, struct error *error);

#endif
