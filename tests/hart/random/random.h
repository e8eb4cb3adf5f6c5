/* SPDX-License-Identifier: Apache-2.0 */
/* Parts of the generator of random programs. */
#ifndef RANDOM_RANDOM_H
#define RANDOM_RANDOM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* xorshift64*: the program is a function of the seed alone. */
struct rng {
    uint64_t state;
};

void rng_seed(struct rng *r, uint64_t seed);
uint64_t rng_next(struct rng *r);
/* 0 .. n-1 */
uint32_t rng_below(struct rng *r, uint32_t n);
/* true `percent` times in a hundred */
bool rng_chance(struct rng *r, unsigned percent);
/* Three bits in four are set. */
uint64_t rng_dense(struct rng *r);
/* Random, but often one of the values where things change */
uint64_t rng_value(struct rng *r);

/* Code under construction: halfwords from CODE_BASE. */
struct code {
    struct rng *rng;
    uint16_t *half;
    size_t used, room;
    uint64_t level1[8], level2[8];    /* functions: called with x1, and with x5 from anywhere */
    unsigned calls;                   /* 0 in the body, 1 and 2 inside a function of that level */
    unsigned loops;                   /* loops around this point */
    void (*any_unit)(struct code *c); /* for bodies of loops */
    bool sampling;                    /* instructions are sampled */
    bool branches;                    /* there are event-based branches, */
    uint64_t handler[6];              /* ... with these handlers */
};

/* Writes functions and a body of about `length` units, each run `passes` times. Returns the address of the
 * body, or 0 if there is no room. */
uint64_t generate_code(struct code *c, unsigned length, unsigned passes);

static inline uint64_t code_address(const struct code *c);

#include "layout.h"

static inline uint64_t code_address(const struct code *c) { return CODE_BASE + 2 * c->used; }

#endif
