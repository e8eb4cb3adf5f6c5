/* SPDX-License-Identifier: Apache-2.0 */
#include "random.h"

void rng_seed(struct rng *r, uint64_t seed) {
    r->state = (seed + 1) * 0x9e3779b97f4a7c15u;
    if (r->state == 0)
        r->state = 1;
    for (int i = 0; i < 8; i++)
        rng_next(r);
}

uint64_t rng_next(struct rng *r) {
    r->state ^= r->state >> 12;
    r->state ^= r->state << 25;
    r->state ^= r->state >> 27;
    return r->state * 0x2545f4914f6cdd1du;
}

uint32_t rng_below(struct rng *r, uint32_t n) { return (uint32_t)((rng_next(r) >> 32) * n >> 32); }

bool rng_chance(struct rng *r, unsigned percent) { return rng_below(r, 100) < percent; }

uint64_t rng_dense(struct rng *r) {
    uint64_t one = rng_next(r);

    return one | rng_next(r);
}

uint64_t rng_value(struct rng *r) {
    static const uint64_t corners[] = {0,
                                       1,
                                       2,
                                       0x7f,
                                       0x80,
                                       0xff,
                                       0x7fff,
                                       0x8000,
                                       0x7fffffff,
                                       0x80000000,
                                       0xffffffff,
                                       0x100000000,
                                       0x7fffffffffffffff,
                                       0x8000000000000000,
                                       0xffffffff80000000,
                                       0xfffffffffffffffe,
                                       0xffffffffffffffff};

    switch (rng_below(r, 4)) {
    case 0:
        return corners[rng_below(r, sizeof(corners) / sizeof(corners[0]))];
    case 1:
        return rng_next(r) >> rng_below(r, 64);
    default:
        return rng_next(r);
    }
}
