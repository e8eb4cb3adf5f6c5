/* SPDX-License-Identifier: Apache-2.0 */
#include "tree_change.h"

#include <libfdt.h>
#include <string.h>

enum { CHANGES_MAX = 8 };

static uint64_t state;

void tree_random_seed(uint64_t seed) { state = seed * 0x9e3779b97f4a7c15ull + 1; }

static uint32_t random32(void) {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (uint32_t)(state * 0x2545f4914f6cdd1dull >> 32);
}

uint32_t tree_random_below(uint32_t n) { return random32() % n; }

#define below tree_random_below
static uint32_t odd_number(void) {
    static const uint32_t odd[] = {0,  1,    2,    3,     4,          8,          9,          16,
                                   17, 0x28, 0x38, 0x7fc, 0x7fffffff, 0x80000000, 0xfffffffc, 0xffffffff};

    return below(4) ? odd[below(sizeof odd / sizeof *odd)] : random32();
}

static void change_once(unsigned char *blob, size_t size) {
    /* some of them in the header and behind it */
    const size_t at = below((uint32_t)(below(8) ? size : size < 128 ? size : 128));
    const uint32_t word = cpu_to_fdt32(odd_number());
    size_t from, length;

    switch (below(4)) {
    case 0:
        blob[at] = (unsigned char)random32();
        break;
    case 1:
        if (at / 4 * 4 + 4 <= size)
            memcpy(blob + at / 4 * 4, &word, 4);
        break;
    case 2:
        blob[at] ^= (unsigned char)(1u << below(8));
        break;
    default: /* a piece of it over another one */
        from = below((uint32_t)size) & ~3u;
        length = below(64);
        if (from + length <= size && (at & ~(size_t)3) + length <= size)
            memmove(blob + (at & ~(size_t)3), blob + from, length);
        break;
    }
}

size_t tree_change(unsigned char *blob, size_t size) {
    for (unsigned n = 1 + below(CHANGES_MAX); n; n--)
        change_once(blob, size);
    return below(8) ? size : below((uint32_t)size);
}
