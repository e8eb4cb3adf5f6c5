// SPDX-License-Identifier: Apache-2.0
#include "state_copy.h"

#include "bytes.h"

#include <stdlib.h>
#include <string.h>

static bool grow(struct state_copy *c) {
    if (c->fields < c->room)
        return true;
    const unsigned room = c->room ? 2 * c->room : 128;
    struct state_field *field = realloc(c->field, room * sizeof *field);
    if (!field)
        return false;
    c->field = field;
    c->room = room;
    return true;
}

static void take(struct tally_state *s, const char *name, void *at, unsigned bytes, uint64_t n) {
    struct state_copy *c = (struct state_copy *)s;
    uint8_t *numbers = malloc(bytes * n + 1);
    if (!numbers || !grow(c)) {
        free(numbers);
        c->failed = true;
        return;
    }
    memcpy(numbers, at, bytes * n);
    c->field[c->fields++] = (struct state_field){name, bytes, n, numbers};
}

void state_copy_init(struct state_copy *c, const char *part) {
    *c = (struct state_copy){.state = {.numbers = take}};
    snprintf(c->state.part, sizeof c->state.part, "%s", part);
}

void state_copy_free(struct state_copy *c) {
    for (unsigned i = 0; i < c->fields; i++)
        free(c->field[i].numbers);
    free(c->field);
    c->field = NULL;
    c->fields = c->room = 0;
}

static bool is_named(const char *field, const char *name) {
    const size_t length = strlen(field), n = strlen(name);
    if (n > length || strcmp(field + length - n, name) != 0)
        return false;
    return n == length || field[length - n - 1] == '>';
}

static const struct state_field *find(const struct state_copy *c, const char *name) {
    for (unsigned i = 0; i < c->fields; i++)
        if (is_named(c->field[i].name, name))
            return &c->field[i];
    return NULL;
}

bool state_copy_has(const struct state_copy *c, const char *name) { return find(c, name) != NULL; }

uint64_t state_copy_get(const struct state_copy *c, const char *name, unsigned i) {
    const struct state_field *f = find(c, name);
    return f && i < f->n ? bytes_get(f->numbers + i * f->bytes, f->bytes) : 0;
}

static bool occurs(const char *const *words, const char *name) {
    while (*words && !strstr(name, *words))
        words++;
    return *words != NULL;
}

const struct state_field *state_copy_differs(const struct state_copy *one, const struct state_copy *other,
                                             const char *const *except, unsigned *i) {
    for (unsigned k = 0; k < one->fields && k < other->fields; k++) {
        const struct state_field *f = &one->field[k], *g = &other->field[k];
        if (occurs(except, f->name) || memcmp(f->numbers, g->numbers, f->bytes * f->n) == 0)
            continue;
        for (*i = 0; memcmp(f->numbers + *i * f->bytes, g->numbers + *i * f->bytes, f->bytes) == 0; ++*i)
            ;
        return f;
    }
    return NULL;
}
