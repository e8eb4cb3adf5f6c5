// SPDX-License-Identifier: Apache-2.0
/* Bodies that attract each other, in floating point: on a hart without it the compiler's library does the
 * sums. */
#include "kernel.h"

enum { BODIES = 5, STEPS = 12 };

struct body {
    double x[3], v[3], mass;
};

static struct body bodies[BODIES];

static double root(double square) {
    double x = square > 1 ? square : 1;

    for (int n = 0; n < 6; n++)
        x = 0.5 * (x + square / x);
    return x;
}

static void step(double time) {
    for (int i = 0; i < BODIES; i++)
        for (int j = i + 1; j < BODIES; j++) {
            struct body *a = &bodies[i], *b = &bodies[j];
            double d[3], square = 0.01;

            for (int k = 0; k < 3; k++) {
                d[k] = a->x[k] - b->x[k];
                square += d[k] * d[k];
            }
            const double pull = time / (square * root(square));
            for (int k = 0; k < 3; k++) {
                a->v[k] -= d[k] * b->mass * pull;
                b->v[k] += d[k] * a->mass * pull;
            }
        }
    for (int i = 0; i < BODIES; i++)
        for (int k = 0; k < 3; k++)
            bodies[i].x[k] += time * bodies[i].v[k];
}

static uint64_t work(void) {
    uint64_t seed = 12, sum = 0;

    for (int i = 0; i < BODIES; i++) {
        for (int k = 0; k < 3; k++) {
            bodies[i].x[k] = (double)(int32_t)input_next(&seed) / (1 << 28);
            bodies[i].v[k] = (double)(int32_t)input_next(&seed) / (1u << 31);
        }
        bodies[i].mass = (double)(input_next(&seed) % 100 + 1) / 64;
    }
    for (int n = 0; n < STEPS; n++)
        step(0.0625);
    /* Bit by bit: every operation rounds as IEEE 754 says (CMakeLists.txt: none are joined). */
    for (int i = 0; i < BODIES; i++)
        for (int k = 0; k < 3; k++) {
            union {
                double number;
                uint64_t bits;
            } value = {bodies[i].x[k]};

            sum = mix(sum, value.bits);
        }
    return sum;
}

KERNEL("nbody", work, 0x41b00a24fa9edf45)
