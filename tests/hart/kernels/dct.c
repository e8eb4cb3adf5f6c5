// SPDX-License-Identifier: Apache-2.0
/* What a picture decoder does: cosine transform of blocks there and back, quantising, and a filter of 16
 * taps. */
#include "kernel.h"

enum { BLOCKS = 24, TAPS = 16, SAMPLES = 1024 };

/* 8192 * cos(n pi / 16) */
static const int32_t cosine[8] = {8192, 8035, 7568, 6811, 5793, 4551, 3135, 1598};
static const uint8_t quantum[8] = {3, 5, 7, 9, 11, 13, 15, 17};

static int32_t block[64];
static int16_t samples[SAMPLES + TAPS], taps[TAPS];

/* cos(n pi / 16) for any n */
static int32_t turn(int n) {
    n &= 31;
    if (n > 16)
        n = 32 - n;
    return n == 8 ? 0 : n < 8 ? cosine[n] : -cosine[16 - n];
}

static void transform(int32_t *row, int step, bool back) {
    int32_t out[8];

    for (int k = 0; k < 8; k++) {
        int32_t sum = 0;

        for (int n = 0; n < 8; n++) {
            const int32_t x = row[n * step], scale = turn(back ? (2 * k + 1) * n : (2 * n + 1) * k);

            sum += x * (back && n == 0 ? 5793 : scale);
        }
        out[k] = (!back && k == 0 ? sum / 8192 * 5793 / 8192 : sum / 8192) / 2;
    }
    for (int k = 0; k < 8; k++)
        row[k * step] = out[k];
}

static void all(bool back) {
    for (int n = 0; n < 8; n++)
        transform(block + 8 * n, 1, back);
    for (int n = 0; n < 8; n++)
        transform(block + n, 8, back);
}

static uint64_t work(void) {
    uint64_t seed = 6, sum = 0;

    for (int n = 0; n < BLOCKS; n++) {
        for (int i = 0; i < 64; i++)
            block[i] = (int32_t)(input_next(&seed) % 256) / 4 + (i & 7) * n - 128;
        all(false);
        for (int i = 0; i < 64; i++)
            block[i] = block[i] / quantum[i & 7] * quantum[i & 7];
        all(true);
        for (int i = 0; i < 64; i++)
            sum = mix(sum, (uint8_t)(block[i] < -128 ? 0 : block[i] > 127 ? 255 : block[i] + 128));
    }
    for (int i = 0; i < TAPS; i++)
        taps[i] = (int16_t)(input_next(&seed) % 512 - 256);
    for (int i = 0; i < SAMPLES + TAPS; i++)
        samples[i] = (int16_t)input_next(&seed);
    for (int i = 0; i < SAMPLES; i++) {
        int64_t value = 0;

        for (int k = 0; k < TAPS; k++)
            value += samples[i + k] * taps[k];
        sum += (uint64_t)(value >> 8);
    }
    return sum;
}

KERNEL("dct", work, 0x654121fc8d0e1685)
