/* SPDX-License-Identifier: Apache-2.0 */
/* String search: Horspool's algorithm over a text with a small alphabet, so that partial matches are common.
 */
#include "input.h"
#include "workload.h"

static uint8_t text[TEXT_N];
static uint8_t needles[NEEDLES][NEEDLE_N];

static void setup(void) {
    uint64_t state = TEXT_SEED;

    for (int i = 0; i < TEXT_N; i++)
        text[i] = (uint8_t)('a' + input_next(&state) % TEXT_ALPHABET);
    for (int n = 0; n < NEEDLES; n++)
        for (int i = 0; i < NEEDLE_N; i++)
            needles[n][i] = (uint8_t)('a' + input_next(&state) % TEXT_ALPHABET);
}

static uint64_t search(const uint8_t *needle) {
    uint8_t skip[256];
    uint64_t sum = 0;

    for (int i = 0; i < 256; i++)
        skip[i] = NEEDLE_N;
    for (int i = 0; i < NEEDLE_N - 1; i++)
        skip[needle[i]] = (uint8_t)(NEEDLE_N - 1 - i);
    for (int at = 0; at + NEEDLE_N <= TEXT_N; at += skip[text[at + NEEDLE_N - 1]]) {
        int i = NEEDLE_N - 1;

        while (i >= 0 && text[at + i] == needle[i])
            i--;
        if (i < 0)
            sum = mix(sum, (uint64_t)at);
    }
    return sum;
}

static uint64_t work(void) {
    uint64_t sum = 0;

    for (int n = 0; n < NEEDLES; n++)
        sum = mix(sum, search(needles[n]));
    return sum;
}

WORKLOAD("search", setup, work, EXPECTED_SEARCH)
