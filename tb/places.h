// SPDX-License-Identifier: Apache-2.0
/* Counts by pc and mode: a hash table that grows. */
#ifndef TALLY_PLACES_H
#define TALLY_PLACES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { PLACES_COUNTS = 8 };

struct place {
    uint64_t pc;
    unsigned mode;
    bool used;
    uint64_t count[PLACES_COUNTS];
};

struct places {
    struct place *place;
    size_t room, used; /* room: a power of 2; 0: nothing is counted */
};

bool places_open(struct places *places); /* false: memory is short */
void places_close(struct places *places);
void places_clear(struct places *places);

/* Count `column` of the pc in the mode becomes one more. When memory is short it is not counted. */
void places_add(struct places *places, uint64_t pc, unsigned mode, unsigned column);

#endif
