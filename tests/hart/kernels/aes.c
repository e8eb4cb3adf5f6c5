// SPDX-License-Identifier: Apache-2.0
/* AES-128 (FIPS 197) by its table of bytes, a chain of blocks. */
#include "kernel.h"

enum { BLOCKS = 60, ROUNDS = 10 };

static uint8_t box[256], key[16 * (ROUNDS + 1)];

static uint8_t doubled(uint8_t x) { return (uint8_t)(x << 1 ^ (x >> 7) * 0x1b); }
static uint8_t rotated(uint8_t x, int n) { return (uint8_t)(x << n | x >> (8 - n)); }

/* p goes through all powers of 3, q through their inverses. */
static void make_box(void) {
    uint8_t p = 1, q = 1;

    do {
        p = (uint8_t)(p ^ doubled(p));
        q = (uint8_t)(q ^ q << 1);
        q = (uint8_t)(q ^ q << 2);
        q = (uint8_t)(q ^ q << 4);
        q = (uint8_t)(q ^ (q >> 7) * 9);
        box[p] = (uint8_t)(q ^ rotated(q, 1) ^ rotated(q, 2) ^ rotated(q, 3) ^ rotated(q, 4) ^ 0x63);
    } while (p != 1);
    box[0] = 0x63;
}

static void expand_key(void) {
    uint8_t constant = 1;

    for (int n = 16; n < 16 * (ROUNDS + 1); n += 4) {
        uint8_t word[4] = {key[n - 4], key[n - 3], key[n - 2], key[n - 1]};

        if (n % 16 == 0) {
            const uint8_t first = word[0];

            word[0] = box[word[1]] ^ constant;
            word[1] = box[word[2]];
            word[2] = box[word[3]];
            word[3] = box[first];
            constant = doubled(constant);
        }
        for (int i = 0; i < 4; i++)
            key[n + i] = key[n - 16 + i] ^ word[i];
    }
}

static void add_key(uint8_t *state, int round) {
    for (int i = 0; i < 16; i++)
        state[i] ^= key[16 * round + i];
}

static void encrypt(uint8_t *state) {
    add_key(state, 0);
    for (int round = 1; round <= ROUNDS; round++) {
        uint8_t out[16];

        for (int i = 0; i < 16; i++)
            out[i] = box[state[(i + 4 * (i & 3)) & 15]];
        for (int column = 0; column < 16; column += 4) {
            const uint8_t *in = out + column, every = in[0] ^ in[1] ^ in[2] ^ in[3];

            for (int i = 0; i < 4; i++)
                state[column + i] =
                    round == ROUNDS ? in[i] : in[i] ^ every ^ doubled(in[i] ^ in[(i + 1) & 3]);
        }
        add_key(state, round);
    }
}

static uint64_t work(void) {
    uint64_t seed = 7, sum = 0;
    uint8_t state[16] = {0};

    make_box();
    for (int i = 0; i < 16; i++)
        key[i] = (uint8_t)input_next(&seed);
    expand_key();
    for (int n = 0; n < BLOCKS; n++) {
        for (int i = 0; i < 16; i++)
            state[i] ^= (uint8_t)(n * 16 + i);
        encrypt(state);
    }
    for (int i = 0; i < 16; i++)
        sum = mix(sum, state[i]);
    return sum;
}

KERNEL("aes", work, 0x04f53107f3d9fa0d)
