/* SPDX-License-Identifier: Apache-2.0 */
/* picolibc's are made for size, a byte at a time: half of some programs' cycles would be theirs. */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum { WORD = sizeof(uint64_t), SHORT = 32 };

typedef uint64_t __attribute__((may_alias)) word;

static int apart(const void *p) { return (int)((uintptr_t)p % WORD); }

void *memset(void *to, int byte, size_t n) {
    unsigned char *at = to;
    const uint64_t all = (unsigned char)byte * UINT64_C(0x0101010101010101);

    if (n >= SHORT) {
        for (; apart(at); n--)
            *at++ = (unsigned char)byte;
        for (; n >= 4 * WORD; n -= 4 * WORD, at += 4 * WORD) {
            word *w = (word *)at;

            w[0] = all;
            w[1] = all;
            w[2] = all;
            w[3] = all;
        }
    }
    for (; n; n--)
        *at++ = (unsigned char)byte;
    return to;
}

void *memcpy(void *restrict to, const void *restrict from, size_t n) {
    unsigned char *at = to;
    const unsigned char *source = from;

    if (n >= SHORT && apart(at) == apart(source)) {
        for (; apart(at); n--)
            *at++ = *source++;
        for (; n >= 4 * WORD; n -= 4 * WORD, at += 4 * WORD, source += 4 * WORD) {
            const word *s = (const word *)source;
            word *w = (word *)at;
            const uint64_t a = s[0], b = s[1], c = s[2], d = s[3];

            w[0] = a;
            w[1] = b;
            w[2] = c;
            w[3] = d;
        }
    }
    for (; n; n--)
        *at++ = *source++;
    return to;
}
