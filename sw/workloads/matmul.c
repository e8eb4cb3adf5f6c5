/* SPDX-License-Identifier: Apache-2.0 */
/* Matrix multiplication of 32-bit integers, 64-bit sums. */
#include "input.h"
#include "workload.h"

static int32_t a[MATRIX_N][MATRIX_N], b[MATRIX_N][MATRIX_N];
static int64_t c[MATRIX_N][MATRIX_N];

static void setup(void) {
    uint64_t state = MATRIX_SEED;

    for (int i = 0; i < MATRIX_N; i++)
        for (int j = 0; j < MATRIX_N; j++) {
            a[i][j] = (int32_t)input_next(&state);
            b[i][j] = (int32_t)input_next(&state);
        }
}

static uint64_t work(void) {
    uint64_t sum = 0;

    for (int i = 0; i < MATRIX_N; i++)
        for (int j = 0; j < MATRIX_N; j++) {
            int64_t dot = 0;

            for (int k = 0; k < MATRIX_N; k++)
                dot = (int64_t)((uint64_t)dot + (uint64_t)((int64_t)a[i][k] * b[k][j]));
            c[i][j] = dot;
        }
    for (int i = 0; i < MATRIX_N; i++)
        for (int j = 0; j < MATRIX_N; j++)
            sum = mix(sum, (uint64_t)c[i][j]);
    return sum;
}

WORKLOAD("matmul", setup, work, EXPECTED_MATMUL)
