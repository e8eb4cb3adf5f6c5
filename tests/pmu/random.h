// SPDX-License-Identifier: Apache-2.0
/* Repeatable random numbers: the same seed, the same run, on every machine. */
#ifndef PMU_RANDOM_H
#define PMU_RANDOM_H

#include <stdbool.h>
#include <stdint.h>

struct rng {
    uint64_t state; /* never 0 */
};

/* Every seed is another run, near ones too: the steps of splitmix64 give every number another one, and 0 to
 * one seed alone. */
static inline void rng_seed(struct rng *r, uint64_t seed) {
    uint64_t mixed = seed + UINT64_C(0x9E3779B97F4A7C15);

    mixed = (mixed ^ mixed >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    mixed = (mixed ^ mixed >> 27) * UINT64_C(0x94D049BB133111EB);
    mixed ^= mixed >> 31;
    r->state = mixed ? mixed : 1;
}

/* xorshift64*: its upper bits are the good ones. */
static inline uint32_t rng_word(struct rng *r) {
    r->state ^= r->state >> 12;
    r->state ^= r->state << 25;
    r->state ^= r->state >> 27;
    return (uint32_t)((r->state * UINT64_C(0x2545F4914F6CDD1D)) >> 32);
}

static inline uint64_t rng_64(struct rng *r) {
    uint64_t high = rng_word(r);
    return high << 32 | rng_word(r);
}

/* 0 .. n-1 */
static inline unsigned rng_below(struct rng *r, unsigned n) {
    return (unsigned)(((uint64_t)rng_word(r) * n) >> 32);
}

/* true `n` times out of 256 */
static inline bool rng_chance(struct rng *r, unsigned n) { return rng_word(r) >> 24 < n; }

/* Every bit is 1 `n` times out of 16. */
static inline uint64_t rng_dense(struct rng *r, unsigned n) {
    uint64_t bits = 0;

    /* From the least binary digit of n/16 up: OR a random word for a 1, AND it for a 0. */
    if (n >= 16)
        return UINT64_MAX;
    for (unsigned digit = 0; digit < 4; digit++)
        bits = n >> digit & 1 ? bits | rng_64(r) : bits & rng_64(r);
    return bits;
}

#endif
