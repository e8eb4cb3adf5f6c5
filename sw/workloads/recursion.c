/* SPDX-License-Identifier: Apache-2.0 */
/* Recursive calls: Fibonacci, Ackermann, Hanoi, queens. Deep and wide enough to run over a return-address
 * stack. */
#include "input.h"
#include "workload.h"

static void setup(void) {}

__attribute__((noinline)) static uint64_t fibonacci(unsigned n) {
    return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}

__attribute__((noinline)) static uint64_t ackermann(uint64_t m, uint64_t n) {
    if (m == 0)
        return n + 1;
    return n == 0 ? ackermann(m - 1, 1) : ackermann(m - 1, ackermann(m, n - 1));
}

/* Returns the number of moves. */
__attribute__((noinline)) static uint64_t hanoi(unsigned n, unsigned from, unsigned to) {
    unsigned by = 3 - from - to;

    return n == 0 ? 0 : hanoi(n - 1, from, by) + 1 + hanoi(n - 1, by, to);
}

/* Solutions with the columns and diagonals already taken given as bit masks. */
__attribute__((noinline)) static uint64_t queens(unsigned columns, unsigned left, unsigned right) {
    unsigned all = (1u << QUEENS_N) - 1, open = all & ~(columns | left | right);
    uint64_t n = 0;

    if (columns == all)
        return 1;
    for (; open; open &= open - 1) {
        unsigned bit = open & -open;

        n += queens(columns | bit, (left | bit) << 1, (right | bit) >> 1);
    }
    return n;
}

static uint64_t work(void) {
    uint64_t sum = 0;

    sum = mix(sum, fibonacci(FIBONACCI_N));
    sum = mix(sum, ackermann(2, ACKERMANN_N));
    sum = mix(sum, hanoi(HANOI_N, 0, 2));
    return mix(sum, queens(0, 0, 0));
}

WORKLOAD("recursion", setup, work, EXPECTED_RECURSION)
