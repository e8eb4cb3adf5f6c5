// SPDX-License-Identifier: Apache-2.0
/* Small matrices of 16 bits: by a constant, by a vector, by each other, and by bit fields. */
#include "kernel.h"

enum { N = 12, ROUNDS = 10 };

static int16_t a[N][N], b[N][N];
static int32_t c[N][N], v[N];

static void add(int16_t constant) {
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            a[i][j] = (int16_t)(a[i][j] + constant);
}

static void by_constant(int16_t constant) {
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            c[i][j] = a[i][j] * constant;
}

static void by_vector(void) {
    for (int i = 0; i < N; i++) {
        v[i] = 0;
        for (int j = 0; j < N; j++)
            v[i] += a[i][j] * b[0][j];
    }
}

static void by_matrix(bool fields) {
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            c[i][j] = 0;
            for (int k = 0; k < N; k++) {
                const int32_t product = a[i][k] * b[k][j];

                c[i][j] += fields ? (product >> 2 & 15) * (product >> 5 & 127) : product;
            }
        }
}

/* What CoreMark does with a matrix: counts how often it rises, or passes a limit. */
static int16_t judge(int32_t limit) {
    int32_t sum = 0, last = 0;
    int16_t score = 0;

    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            sum += c[i][j];
            if (sum > limit) {
                score = (int16_t)(score + 10);
                sum = 0;
            } else {
                score = (int16_t)(score + (c[i][j] > last));
            }
            last = c[i][j];
        }
    return score;
}

static uint64_t work(void) {
    uint64_t seed = 3, result = 0;

    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            a[i][j] = (int16_t)(input_next(&seed) & 255);
            b[i][j] = (int16_t)(input_next(&seed) & 255);
        }
    for (int round = 0; round < ROUNDS; round++) {
        const int16_t constant = (int16_t)(round * 7 + 3);

        add(constant);
        by_constant(constant);
        result = mix(result, (uint16_t)judge(3000));
        by_vector();
        for (int i = 0; i < N; i++)
            result = mix(result, (uint32_t)v[i]);
        by_matrix(false);
        result = mix(result, (uint16_t)judge(1000000));
        by_matrix(true);
        result = mix(result, (uint16_t)judge(20000));
        add((int16_t)-constant);
    }
    return result;
}

KERNEL("matrix", work, 0x920d78cd07b142ea)
