// SPDX-License-Identifier: Apache-2.0
/*
 * The state of a model as a list of its fields, once: the caller decides whether it is written or
 * read (tb/checkpoint.h writes and reads files).
 *
 *     STATE(s, h->pc);         a number or a bool
 *     STATE_EACH(s, h->x);     an array of these
 *     STATE_SKIP(s, h->cfg);   no state: it is configuration, or follows from the others
 *     STATE_LIMIT(s, h->pc <= h->xmask);   a read value is refused otherwise
 *
 * A list names every member of its structure; tests/farm/test_state.c finds one that is missing.
 */
#ifndef TALLY_STATE_H
#define TALLY_STATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

struct tally_state {
    bool reads;    /* fields are filled */
    char part[24]; /* of the machine: "hart0" */
    char why[400]; /* the reason for which a read state is refused, and fields are not filled; empty: none */
    /* `n` numbers of `bytes` bytes each at `at` */
    void (*numbers)(struct tally_state *s, const char *name, void *at, unsigned bytes, uint64_t n);
    /* A list has come to these bytes, and will treat them or skip them. May be NULL. */
    void (*covers)(struct tally_state *s, const void *at, size_t bytes);
};

static inline void tally_state_part(struct tally_state *s, const char *name, unsigned number) {
    snprintf(s->part, sizeof s->part, "%s%u", name, number);
}

static inline bool tally_state_refuse(struct tally_state *s, const char *name, const char *why) {
    if (!*s->why)
        snprintf(s->why, sizeof s->why, "%.23s: %.150s %.200s", s->part, name, why);
    return false;
}

static inline void tally_state_covers(struct tally_state *s, const void *at, size_t bytes) {
    if (s->covers)
        s->covers(s, at, bytes);
}

static inline void tally_state_numbers(struct tally_state *s, const char *name, void *at, unsigned bytes,
                                       uint64_t n) {
    tally_state_covers(s, at, bytes * n);
    s->numbers(s, name, at, bytes, n);
}

/* A byte that is neither 0 nor 1 must not get into a bool. */
static inline void tally_state_bools(struct tally_state *s, const char *name, void *at, unsigned bytes,
                                     uint64_t n) {
    enum { MOST = 16 };
    bool *const field = (bool *)at;
    uint8_t byte[MOST];

    if (n > MOST) {
        tally_state_refuse(s, name, "is too long");
        return;
    }
    for (unsigned i = 0; i < n; i++)
        byte[i] = field[i];
    tally_state_covers(s, at, bytes * n);
    s->numbers(s, name, byte, 1, n);
    for (unsigned i = 0; i < n && !*s->why; i++) {
        if (byte[i] > 1)
            tally_state_refuse(s, name, "is no truth value");
        else
            field[i] = byte[i];
    }
}

/* False: reading has failed, here or before. */
static inline bool tally_state_limit(struct tally_state *s, const char *condition, bool holds) {
    if (!s->reads)
        return true;
    return !*s->why && (holds || tally_state_refuse(s, condition, "does not hold"));
}

#define STATE_ANY(s, name, type, at, n)                                                                      \
    _Generic((type), bool : tally_state_bools, default : tally_state_numbers)(s, name, at, sizeof(type), n)
#define STATE(s, field) STATE_ANY(s, #field, field, &(field), 1)
#define STATE_EACH(s, array) STATE_ANY(s, #array, (array)[0], array, sizeof(array) / sizeof((array)[0]))
#define STATE_SKIP(s, field)                                                                                 \
    tally_state_covers(s, &(field), (size_t)((const char *)(&(field) + 1) - (const char *)&(field)))
#define STATE_LIMIT(s, holds) tally_state_limit(s, #holds, holds)

#ifdef __cplusplus
}
#endif
#endif
