// SPDX-License-Identifier: Apache-2.0
/* SHA-256 (FIPS 180-4) of a few kilobytes. */
#include "kernel.h"

enum { BLOCKS = 60 };

static uint32_t constants[64];

static uint32_t rotate(uint32_t x, int n) { return x >> n | x << (32 - n); }

/* The first 32 bits behind the point of a prime's square root, or with `third` of its cube root. */
static uint32_t fraction(uint64_t prime, bool third) {
    uint64_t root = 0; /* fixed point: 32 bits behind it */

    for (int bit = 36; bit >= 0; bit--) {
        const unsigned __int128 x = root | 1ull << bit;

        if (third ? x * x * x <= (unsigned __int128)prime << 96 : x * x <= (unsigned __int128)prime << 64)
            root = (uint64_t)x;
    }
    return (uint32_t)root;
}

static void make_constants(uint32_t *hash) {
    int n = 0;

    for (uint64_t prime = 2; n < 64; prime++) {
        bool composite = false;

        for (uint64_t d = 2; d * d <= prime; d++)
            composite |= prime % d == 0;
        if (composite)
            continue;
        if (n < 8)
            hash[n] = fraction(prime, false);
        constants[n++] = fraction(prime, true);
    }
}

static void compress(uint32_t *hash, const uint8_t *data) {
    uint32_t w[64], a = hash[0], b = hash[1], c = hash[2], d = hash[3], e = hash[4], f = hash[5], g = hash[6],
                    h = hash[7];

    for (int t = 0; t < 16; t++)
        w[t] = (uint32_t)data[4 * t] << 24 | (uint32_t)data[4 * t + 1] << 16 |
               (uint32_t)data[4 * t + 2] << 8 | data[4 * t + 3];
    for (int t = 16; t < 64; t++) {
        const uint32_t x = w[t - 15], y = w[t - 2];

        w[t] = w[t - 16] + (rotate(x, 7) ^ rotate(x, 18) ^ x >> 3) + w[t - 7] +
               (rotate(y, 17) ^ rotate(y, 19) ^ y >> 10);
    }
    for (int t = 0; t < 64; t++) {
        const uint32_t s1 = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25), choice = (e & f) ^ (~e & g);
        const uint32_t t1 = h + s1 + choice + constants[t] + w[t];
        const uint32_t s0 = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22),
                       majority = (a & b) ^ (a & c) ^ (b & c);

        h = g;
        g = f;
        f = e;
        e = d + t1;
        d = c;
        c = b;
        b = a;
        a = t1 + s0 + majority;
    }
    hash[0] += a;
    hash[1] += b;
    hash[2] += c;
    hash[3] += d;
    hash[4] += e;
    hash[5] += f;
    hash[6] += g;
    hash[7] += h;
}

static uint64_t work(void) {
    uint64_t seed = 8, sum = 0;
    uint32_t hash[8];
    uint8_t data[64];

    make_constants(hash);
    for (int n = 0; n < BLOCKS; n++) {
        for (int i = 0; i < 64; i++)
            data[i] = (uint8_t)input_next(&seed);
        compress(hash, data);
    }
    for (int i = 0; i < 8; i++)
        sum = mix(sum, hash[i]);
    return sum;
}

KERNEL("sha256", work, 0x1675fb484482cdf9)
