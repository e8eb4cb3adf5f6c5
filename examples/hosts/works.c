// SPDX-License-Identifier: Apache-2.0
// Kernels as of small embedded programs: a table-driven CRC, a product of matrices, a sort by a function
// pointer, strings, and a state machine.

#include "works.h"

static uint32_t next(uint32_t *state) {
    *state = *state * 1664525 + 1013904223;
    return *state >> 8;
}

uint32_t crc(uint32_t seed) {
    static uint32_t table[16];
    for (uint32_t n = 0; n < 16; n++) {
        uint32_t value = n;
        for (unsigned bit = 0; bit < 4; bit++)
            value = value & 1 ? value >> 1 ^ 0xEDB88320 : value >> 1;
        table[n] = value;
    }
    uint32_t value = ~0u;
    for (unsigned n = 0; n < 64; n++) {
        value ^= next(&seed) & 0xff;
        value = table[value & 15] ^ value >> 4;
        value = table[value & 15] ^ value >> 4;
    }
    return ~value;
}

enum { SIDE = 6 };

uint32_t matrix(uint32_t seed) {
    static uint32_t a[SIDE][SIDE], b[SIDE][SIDE];
    for (unsigned i = 0; i < SIDE; i++)
        for (unsigned j = 0; j < SIDE; j++) {
            a[i][j] = next(&seed);
            b[i][j] = next(&seed) | 1;
        }
    uint32_t sum = 0;
    for (unsigned i = 0; i < SIDE; i++)
        for (unsigned j = 0; j < SIDE; j++) {
            uint32_t product = 0;
            for (unsigned k = 0; k < SIDE; k++)
                product += a[i][k] * b[k][j];
            sum = sum * 31 + product / b[j][i] + product % b[i][j];
        }
    return sum;
}

static int by_value(uint16_t a, uint16_t b) { return a < b ? -1 : a > b; }
static int by_low_byte(uint16_t a, uint16_t b) { return by_value(a & 0xff, b & 0xff); }

__attribute__((noinline)) static void sort_part(uint16_t *at, int low, int high,
                                                int (*compare)(uint16_t, uint16_t)) {
    while (low < high) {
        uint16_t pivot = at[(low + high) / 2];
        int i = low, j = high;
        while (i <= j) {
            while (compare(at[i], pivot) < 0)
                i++;
            while (compare(at[j], pivot) > 0)
                j--;
            if (i <= j) {
                uint16_t swap = at[i];
                at[i++] = at[j];
                at[j--] = swap;
            }
        }
        sort_part(at, low, j, compare);
        low = i;
    }
}

uint32_t sort(uint32_t seed) {
    static uint16_t values[40];
    for (unsigned n = 0; n < 40; n++)
        values[n] = (uint16_t)next(&seed);
    int (*const volatile orders[])(uint16_t, uint16_t) = {by_low_byte, by_value};
    uint32_t sum = 0;
    for (unsigned order = 0; order < 2; order++) {
        sort_part(values, 0, 39, orders[order]);
        for (unsigned n = 0; n < 40; n++)
            sum = sum * 31 + values[n];
    }
    return sum;
}

uint32_t string(uint32_t seed) {
    static char text[128];
    char *to = text;
    for (unsigned word = 0; word < 12; word++) {
        for (unsigned length = 2 + next(&seed) % 6; length; length--)
            *to++ = (char)('a' + next(&seed) % 26);
        *to++ = ' ';
    }
    to[-1] = 0;
    uint32_t words = 1, longest = 0, length = 0;
    for (char *p = text; *p; p++) {
        if (*p == ' ') {
            words++;
            longest = length > longest ? length : longest;
            length = 0;
            continue;
        }
        length++;
        if (*p == 'e' || *p == 'a')
            *p = (char)(*p - 'a' + 'A');
    }
    return words << 16 | longest << 8 | (uint32_t)(to - text);
}

// Numbers and words in a stream of characters, one call a character
__attribute__((noinline)) static uint32_t step(uint32_t state, char c) {
    switch (state) {
    case 0:
        return c == '-' ? 1 : c >= '0' && c <= '9' ? 2 : c >= 'a' ? 5 : 0;
    case 1:
        return c >= '0' && c <= '9' ? 2 : 6;
    case 2:
        return c == '.' ? 3 : c >= '0' && c <= '9' ? 2 : c == ' ' ? 0 : 6;
    case 3:
        return c >= '0' && c <= '9' ? 4 : 6;
    case 4:
        return c >= '0' && c <= '9' ? 4 : c == ' ' ? 0 : 6;
    case 5:
        return c >= 'a' ? 5 : c == ' ' ? 0 : 6;
    default:
        return c == ' ' ? 0 : 6;
    }
}

uint32_t machine(uint32_t seed) {
    static const char alphabet[] = "01239.- ab-9 7.";
    uint32_t state = 0, sum = 0;
    for (unsigned n = 0; n < 100; n++) {
        state = step(state, alphabet[next(&seed) % (sizeof alphabet - 1)]);
        sum = sum * 7 + state;
    }
    return sum;
}
