/* SPDX-License-Identifier: Apache-2.0 */
/* The input of the workloads: sizes, and the numbers that they and the host program start from. */
#ifndef SW_INPUT_H
#define SW_INPUT_H

#include <stdint.h>

/* Knuth's MMIX generator; the high half is the random part. */
static inline uint32_t input_next(uint64_t *state) {
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(*state >> 32);
}

/* Accumulates results in which every value and its place matter. */
static inline uint64_t mix(uint64_t sum, uint64_t value) { return (sum ^ value) * 0x9e3779b97f4a7c15u + 1; }

enum {
    SORT_N = 4096,
    SORT_SEED = 1,

    MATRIX_N = 36,
    MATRIX_SEED = 2,

    CHASE_LINE = 64, /* bytes of a node: a cache line */
    CHASE_N = 1024,  /* nodes: 64 KiB, four times the D cache */
    CHASE_HOPS = 8192,
    CHASE_SEED = 3,

    CRC_N = 24 * 1024,
    CRC_SEED = 4,

    TEXT_N = 16 * 1024,
    TEXT_ALPHABET = 4,
    TEXT_SEED = 5,
    NEEDLES = 4,
    NEEDLE_N = 6,

    SCAN_N = 20 * 1024,
    SCAN_SEED = 6,

    FIBONACCI_N = 18,
    ACKERMANN_N = 40, /* A(2, n) */
    HANOI_N = 12,
    QUEENS_N = 6,

    PAGES_N = 512,     /* pages that the program maps when it first touches them */
    PAGES_FRAMES = 64, /* of physical memory behind them */
    PAGES_STRIDE = 37, /* page n is in frame n * PAGES_STRIDE % PAGES_FRAMES */
    PAGES_TOUCHES = 16 * 1024,
    PAGES_SEED = 8,

    STORM_INTERRUPTS = 600,
    STORM_TICKS = 40, /* of mtime, from one interrupt to the next */
    STORM_STEPS = 64, /* of the computation that is interrupted, between two checks */
    STORM_SEED = 9,

    SMC_ROUNDS = 1000,
    SMC_SEED = 10
};

#endif
