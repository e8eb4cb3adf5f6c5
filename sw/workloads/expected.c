/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Host program: computes the workloads' results, by other means than theirs, and prints expected.h.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "input.h"

static int compare_i32(const void *a, const void *b) {
    int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;

    return (x > y) - (x < y);
}

static uint64_t expect_sort(void) {
    static int32_t v[SORT_N];
    uint64_t state = SORT_SEED, sum = 0;

    for (int i = 0; i < SORT_N; i++)
        v[i] = (int32_t)input_next(&state);
    qsort(v, SORT_N, sizeof(v[0]), compare_i32);
    for (int i = 0; i < SORT_N; i++)
        sum = mix(sum, (uint32_t)v[i]);
    return sum;
}

/* Row by row as sums of scaled rows; modulo 2^64 as the target's. */
static uint64_t expect_matmul(void) {
    static uint64_t a[MATRIX_N][MATRIX_N], b[MATRIX_N][MATRIX_N];
    uint64_t state = MATRIX_SEED, sum = 0;

    for (int i = 0; i < MATRIX_N; i++)
        for (int j = 0; j < MATRIX_N; j++) {
            a[i][j] = (uint64_t)(int64_t)(int32_t)input_next(&state);
            b[i][j] = (uint64_t)(int64_t)(int32_t)input_next(&state);
        }
    for (int i = 0; i < MATRIX_N; i++) {
        uint64_t row[MATRIX_N] = {0};

        for (int k = 0; k < MATRIX_N; k++)
            for (int j = 0; j < MATRIX_N; j++)
                row[j] += a[i][k] * b[k][j];
        for (int j = 0; j < MATRIX_N; j++)
            sum = mix(sum, row[j]);
    }
    return sum;
}

/* The hops are whole laps and a rest: the sum of a lap is that of the squares below CHASE_N. */
static uint64_t expect_chase(void) {
    static unsigned next[CHASE_N];
    uint64_t state = CHASE_SEED, n = CHASE_N;
    uint64_t sum = CHASE_HOPS / n * ((n - 1) * n * (2 * n - 1) / 6);
    unsigned at = 0;

    for (unsigned i = 0; i < CHASE_N; i++)
        next[i] = i;
    for (unsigned i = CHASE_N - 1; i > 0; i--) {
        unsigned j = input_next(&state) % i, t = next[i];

        next[i] = next[j];
        next[j] = t;
    }
    for (uint64_t i = 0; i < CHASE_HOPS % n; i++) {
        sum += (uint64_t)at * at;
        at = next[at];
    }
    return mix(sum, at);
}

/* Bit by bit, as long division of polynomials. */
static uint64_t expect_crc(void) {
    uint64_t state = CRC_SEED;
    uint32_t remainder = UINT32_MAX, reflected = 0;

    for (int i = 0; i < CRC_N; i++) {
        uint8_t byte = (uint8_t)input_next(&state);

        for (int bit = 0; bit < 8; bit++) {
            uint32_t in = byte >> bit & 1, out = remainder >> 31;

            remainder <<= 1;
            if (in ^ out)
                remainder ^= 0x04c11db7;
        }
    }
    for (int bit = 0; bit < 32; bit++)
        reflected |= (remainder >> bit & 1) << (31 - bit);
    return (uint32_t)~reflected;
}

static uint64_t expect_search(void) {
    static char text[TEXT_N];
    char needle[NEEDLE_N];
    uint64_t state = TEXT_SEED, sum = 0;

    for (int i = 0; i < TEXT_N; i++)
        text[i] = (char)('a' + input_next(&state) % TEXT_ALPHABET);
    for (int n = 0; n < NEEDLES; n++) {
        uint64_t found = 0;

        for (int i = 0; i < NEEDLE_N; i++)
            needle[i] = (char)('a' + input_next(&state) % TEXT_ALPHABET);
        for (int at = 0; at <= TEXT_N - NEEDLE_N; at++)
            if (memcmp(text + at, needle, NEEDLE_N) == 0)
                found = mix(found, (uint64_t)at);
        sum = mix(sum, found);
    }
    return sum;
}

/* Item by item with the C library's span functions. */
static uint64_t expect_scanner(void) {
    static const char alphabet[] = "abcdef0123 \n\t_\"\"//+*<=>(){};xyz.";
    static const char letters[] = "abcdefxyz_", word[] = "abcdefxyz_0123";
    static char text[SCAN_N + 1];
    uint64_t state = SCAN_SEED, sum = 0;
    uint64_t words = 0, numbers = 0, strings = 0, comments = 0, signs = 0, spaces = 0, lines = 0, longest = 0;

    for (int i = 0; i < SCAN_N; i++) {
        text[i] = alphabet[input_next(&state) % (sizeof(alphabet) - 1)];
        lines += text[i] == '\n';
    }
    for (const char *p = text; *p;) {
        size_t n = 1;

        if (strchr(letters, *p)) {
            words++;
            n = strspn(p, word);
            if (n > 1 && n > longest)
                longest = n;
        } else if (*p >= '0' && *p <= '3') {
            numbers++;
            n = strspn(p, "0123.");
        } else if (*p == '"') {
            strings++;
            n = 1 + strcspn(p + 1, "\"\n");
            n += p[n] != 0;
        } else if (*p == '/' && p[1] == '/') {
            comments++;
            n = strcspn(p, "\n");
            n += p[n] != 0;
        } else if (strchr(" \n\t", *p)) {
            spaces++;
        } else if (*p != '/' || p[1]) { /* a slash at the very end is never decided */
            signs++;
        }
        p += n;
    }
    sum = mix(sum, words);
    sum = mix(sum, numbers);
    sum = mix(sum, strings);
    sum = mix(sum, comments);
    sum = mix(sum, signs);
    sum = mix(sum, spaces);
    sum = mix(sum, lines);
    return mix(sum, longest);
}

/* Tries every placement of one queen a row. */
static uint64_t count_queens(void) {
    uint64_t placements = 1, solutions = 0;

    for (int i = 0; i < QUEENS_N; i++)
        placements *= QUEENS_N;
    for (uint64_t p = 0; p < placements; p++) {
        int column[QUEENS_N], ok = 1;
        uint64_t rest = p;

        for (int i = 0; i < QUEENS_N; i++, rest /= QUEENS_N)
            column[i] = (int)(rest % QUEENS_N);
        for (int i = 0; i < QUEENS_N; i++)
            for (int j = 0; j < i; j++)
                ok &= column[i] != column[j] && abs(column[i] - column[j]) != i - j;
        solutions += (uint64_t)ok;
    }
    return solutions;
}

static uint64_t expect_recursion(void) {
    uint64_t a = 0, b = 1, sum = 0;

    for (int i = 0; i < FIBONACCI_N; i++) {
        uint64_t c = a + b;

        a = b;
        b = c;
    }
    sum = mix(sum, a);
    sum = mix(sum, 2 * ACKERMANN_N + 3);
    sum = mix(sum, ((uint64_t)1 << HANOI_N) - 1);
    return mix(sum, count_queens());
}

static uint64_t expect_pages(void) {
    static uint64_t words[PAGES_FRAMES * 512];
    static char touched[PAGES_N];
    uint64_t state = PAGES_SEED, sum = 0, pages = 0;
    unsigned page = 0;

    for (int i = 0; i < PAGES_TOUCHES; i++) {
        uint32_t r = input_next(&state);

        if (r % 8 == 0)
            page = r / 8 % PAGES_N;
        pages += !touched[page];
        touched[page] = 1;
        sum += words[page * PAGES_STRIDE % PAGES_FRAMES * 512 + (r >> 19) % 512] += r;
    }
    return mix(sum, pages);
}

static uint64_t expect_storm_step(void) {
    uint64_t state = STORM_SEED, sum = 0;

    for (int i = 0; i < STORM_STEPS; i++)
        sum = mix(sum, input_next(&state));
    return sum;
}

static uint64_t expect_smc(void) {
    uint64_t state = SMC_SEED, value = 1;

    for (int i = 0; i < SMC_ROUNDS; i++) {
        uint32_t r = input_next(&state);
        uint64_t factor = r / 8 % 2048, term = (uint64_t)(r >> 20) - 2048;

        value = value * factor + term;
        value = (value | 1) * factor + term;
    }
    return value;
}

static void define(const char *name, uint64_t value) {
    printf("#define EXPECTED_%s 0x%" PRIx64 "u\n", name, value);
}

int main(void) {
    puts("/* Generated by workloads/expected.c */");
    define("SORT", expect_sort());
    define("MATMUL", expect_matmul());
    define("CHASE", expect_chase());
    define("CRC", expect_crc());
    define("SEARCH", expect_search());
    define("SCANNER", expect_scanner());
    define("RECURSION", expect_recursion());
    define("PAGES", expect_pages());
    define("STORM_STEP", expect_storm_step());
    define("STORM", mix(mix(mix(0, STORM_INTERRUPTS), 0), 0));
    define("SMC", expect_smc());
    return 0;
}
