// SPDX-License-Identifier: Apache-2.0
/* A Petri net as code: hundreds of transitions, each a test of its own places, none in a loop but all of
 * them. */
#include "kernel.h"

enum { PLACES = 64, STEPS = 40 };

static int tokens[PLACES];

/* From two places to two others, unless these are full. */
#define FIRE(a, b, c, d)                                                                                     \
    if (tokens[a] >= 1 && tokens[b] >= 2 && tokens[c] < 5 && tokens[d] < 7) {                                \
        tokens[a] -= 1;                                                                                      \
        tokens[b] -= 2;                                                                                      \
        tokens[c] += 1;                                                                                      \
        tokens[d] += 2;                                                                                      \
        fired += n + (a);                                                                                    \
    }
#define FIRE_4(p)                                                                                            \
    FIRE((p) % PLACES, ((p)*7 + 3) % PLACES, ((p)*13 + 5) % PLACES, ((p)*29 + 11) % PLACES)                  \
    FIRE(((p) + 1) % PLACES, ((p)*5 + 9) % PLACES, ((p)*17 + 1) % PLACES, ((p)*3 + 2) % PLACES)              \
    FIRE(((p) + 2) % PLACES, ((p)*11 + 7) % PLACES, ((p)*19 + 8) % PLACES, ((p)*23 + 4) % PLACES)            \
    FIRE(((p) + 3) % PLACES, ((p)*31 + 6) % PLACES, ((p)*37 + 10) % PLACES, ((p)*41 + 12) % PLACES)
#define FIRE_16(p) FIRE_4(p) FIRE_4((p) + 4) FIRE_4((p) + 8) FIRE_4((p) + 12)
#define FIRE_64(p) FIRE_16(p) FIRE_16((p) + 16) FIRE_16((p) + 32) FIRE_16((p) + 48)

static uint64_t work(void) {
    uint64_t seed = 5, sum = 0;

    for (int place = 0; place < PLACES; place++)
        tokens[place] = (int)(input_next(&seed) % 6);
    for (uint64_t n = 0; n < STEPS; n++) {
        uint64_t fired = 0;

        FIRE_64(0)
        FIRE_64(5)
        FIRE_64(23)
        FIRE_64(50)
        tokens[n % PLACES] = (int)(input_next(&seed) % 6);
        sum = mix(sum, fired);
    }
    return sum;
}

KERNEL("petri", work, 0xd45450b66dfc8e4c)
