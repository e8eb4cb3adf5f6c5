// SPDX-License-Identifier: Apache-2.0
/* Random numbers: the same ones for the same seed. */
#ifndef TALLY_CHANCE_H
#define TALLY_CHANCE_H

#include <stdint.h>

struct chance {
    uint64_t state;
};

static inline struct chance chance_new(uint64_t seed) {
    return (struct chance){(seed + 1) * UINT64_C(0x9e3779b97f4a7c15)};
}

/* 0..n-1 */
static inline uint32_t below(struct chance *c, uint32_t n) {
    c->state ^= c->state << 13; /* xorshift64 */
    c->state ^= c->state >> 7;
    c->state ^= c->state << 17;
    return (uint32_t)(((c->state >> 32) * n) >> 32);
}

static inline double fraction(struct chance *c) { return below(c, UINT32_MAX) / (double)UINT32_MAX; }

/* -n..n */
static inline int around(struct chance *c, int n) { return (int)below(c, 2 * (uint32_t)n + 1) - n; }

#endif
