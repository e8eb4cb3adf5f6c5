// SPDX-License-Identifier: Apache-2.0
/* Powers modulo odd numbers of 64 bits, by Montgomery's multiplication. */
#include "kernel.h"

enum { POWERS = 60 };

static uint64_t high(uint64_t x, uint64_t y) { return (uint64_t)((unsigned __int128)x * y >> 64); }

/* -1 / m modulo 2^64: each step doubles the bits that are right. */
static uint64_t negated_inverse(uint64_t m) {
    uint64_t inverse = m;

    for (int n = 0; n < 5; n++)
        inverse *= 2 - m * inverse;
    return -inverse;
}

/* x * y / 2^64 modulo m, for x, y < m < 2^63 */
static uint64_t multiply(uint64_t x, uint64_t y, uint64_t m, uint64_t minus) {
    const uint64_t low = x * y, factor = low * minus;
    const uint64_t sum = high(x, y) + high(factor, m) + (low != 0);

    return sum >= m ? sum - m : sum;
}

/* 2^n modulo m, by doubling */
static uint64_t power_of_two(unsigned n, uint64_t m) {
    uint64_t x = 1;

    while (n--) {
        x <<= 1;
        if (x >= m)
            x -= m;
    }
    return x;
}

static uint64_t power(uint64_t x, uint64_t exponent, uint64_t m) {
    const uint64_t minus = negated_inverse(m);
    uint64_t result = power_of_two(64, m), base = multiply(x % m, power_of_two(128, m), m, minus);

    for (; exponent; exponent >>= 1) {
        if (exponent & 1)
            result = multiply(result, base, m, minus);
        base = multiply(base, base, m, minus);
    }
    return multiply(result, 1, m, minus);
}

static uint64_t work(void) {
    uint64_t seed = 4, sum = 0;

    for (int n = 0; n < POWERS; n++) {
        const uint64_t m = ((uint64_t)input_next(&seed) << 31 | input_next(&seed)) | 1,
                       x = (uint64_t)input_next(&seed) << 32 | input_next(&seed);

        sum = mix(sum, power(x, (uint64_t)input_next(&seed) << 16, m));
    }
    return sum;
}

KERNEL("montgomery", work, 0x0bda2fcedce75e68)
