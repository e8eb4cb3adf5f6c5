// SPDX-License-Identifier: Apache-2.0
/* Reed-Solomon codes over bytes: parity of messages, errors, and where they are (Berlekamp, Massey, Chien).
 */
#include "kernel.h"

enum { LENGTH = 80, PARITY = 10, MESSAGES = 16 };

static uint8_t powers[510], logarithm[256];
static uint8_t generator[PARITY + 1];

static uint8_t times(uint8_t a, uint8_t b) { return a && b ? powers[logarithm[a] + logarithm[b]] : 0; }
static uint8_t inverse(uint8_t a) { return powers[255 - logarithm[a]]; }

static void make_field(void) {
    unsigned x = 1;

    for (unsigned n = 0; n < 255; n++) {
        powers[n] = powers[n + 255] = (uint8_t)x;
        logarithm[x] = (uint8_t)n;
        x <<= 1;
        if (x & 0x100)
            x ^= 0x11d;
    }
}

/* The product of x - 2^n; the highest power first. */
static void make_generator(void) {
    generator[0] = 1;
    for (int n = 0; n < PARITY; n++) {
        generator[n + 1] = 0;
        for (int i = n + 1; i > 0; i--)
            generator[i] ^= times(generator[i - 1], powers[n]);
    }
}

static void append_parity(uint8_t *word) {
    uint8_t *const parity = word + LENGTH;

    for (int i = 0; i < PARITY; i++)
        parity[i] = 0;
    for (int n = 0; n < LENGTH; n++) {
        const uint8_t factor = word[n] ^ parity[0];

        for (int i = 0; i + 1 < PARITY; i++)
            parity[i] = parity[i + 1] ^ times(generator[i + 1], factor);
        parity[PARITY - 1] = times(generator[PARITY], factor);
    }
}

static bool find_syndromes(const uint8_t *word, uint8_t *syndromes) {
    bool wrong = false;

    for (int n = 0; n < PARITY; n++) {
        uint8_t sum = 0;

        for (int i = 0; i < LENGTH + PARITY; i++)
            sum = times(sum, powers[n]) ^ word[i];
        syndromes[n] = sum;
        wrong |= sum != 0;
    }
    return wrong;
}

/* The polynomial whose zeros are the places of the errors, lowest power first; returns their number. */
static int locate(const uint8_t *syndromes, uint8_t *locator) {
    uint8_t before[PARITY + 1] = {1}, kept[PARITY + 1], last = 1;
    int errors = 0, since = 1;

    for (int i = 0; i <= PARITY; i++)
        locator[i] = i == 0;
    for (int n = 0; n < PARITY; n++) {
        uint8_t difference = syndromes[n];

        for (int i = 1; i <= errors; i++)
            difference ^= times(locator[i], syndromes[n - i]);
        if (!difference) {
            since++;
            continue;
        }
        for (int i = 0; i <= PARITY; i++)
            kept[i] = locator[i];
        for (int i = since; i <= PARITY; i++)
            locator[i] ^= times(times(difference, inverse(last)), before[i - since]);
        if (2 * errors > n) {
            since++;
            continue;
        }
        errors = n + 1 - errors;
        last = difference;
        since = 1;
        for (int i = 0; i <= PARITY; i++)
            before[i] = kept[i];
    }
    return errors;
}

static uint64_t places(const uint8_t *locator, uint64_t sum) {
    for (int at = 0; at < LENGTH + PARITY; at++) {
        const int power = LENGTH + PARITY - 1 - at; /* of x, for the byte here */
        uint8_t value = 0;

        for (int i = PARITY; i >= 0; i--)
            value = times(value, powers[255 - power]) ^ locator[i];
        if (!value)
            sum = mix(sum, (uint64_t)at);
    }
    return sum;
}

static uint64_t work(void) {
    uint64_t seed = 13, sum = 0;
    uint8_t word[LENGTH + PARITY], syndromes[PARITY], locator[PARITY + 1];

    make_field();
    make_generator();
    for (int n = 0; n < MESSAGES; n++) {
        for (int i = 0; i < LENGTH; i++)
            word[i] = (uint8_t)(input_next(&seed) >> 8);
        append_parity(word);
        if (find_syndromes(word, syndromes))
            return 0;
        for (int error = 0; error < n % 5 + 1; error++)
            word[input_next(&seed) % (LENGTH + PARITY)] ^= (uint8_t)(input_next(&seed) % 255 + 1);
        if (find_syndromes(word, syndromes))
            sum = places(locator, mix(sum, (uint64_t)locate(syndromes, locator)));
    }
    return sum;
}

KERNEL("codes", work, 0xe65ba56ae4c5e610)
