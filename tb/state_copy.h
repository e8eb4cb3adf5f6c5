// SPDX-License-Identifier: Apache-2.0
/* The state of a model in memory: taken by its list of fields (tally_state.h), compared with another's,
 * looked up by name. */
#ifndef TALLY_STATE_COPY_H
#define TALLY_STATE_COPY_H

#include "tally_state.h"

struct state_copy {
    struct tally_state state; /* the first member: give it to a list of fields to take them */
    struct state_field *field;
    unsigned fields, room;
    bool failed; /* memory is short */
};

struct state_field {
    const char *name; /* as the list has it */
    unsigned bytes;   /* of a number */
    uint64_t n;
    uint8_t *numbers;
};

void state_copy_init(struct state_copy *copy, const char *part);
void state_copy_free(struct state_copy *copy);

/* Number i of the field whose name ends with "->NAME" or is NAME; 0 if there is none. */
uint64_t state_copy_get(const struct state_copy *copy, const char *name, unsigned i);
bool state_copy_has(const struct state_copy *copy, const char *name);

/* The first number that differs, but for fields in whose name one of `except` occurs (NULL ends the list).
 * Both were taken by the same list. NULL: none. */
const struct state_field *state_copy_differs(const struct state_copy *one, const struct state_copy *other,
                                             const char *const *except, unsigned *i);

#endif
