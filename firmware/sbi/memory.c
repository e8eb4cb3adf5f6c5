/* SPDX-License-Identifier: Apache-2.0 */
/* The C library moves a byte at a time, and what is moved when a device tree changes is most of a boot's
 * cost. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* A tree is moved by multiples of its cells. */
typedef uint32_t __attribute__((may_alias)) word;

enum { BLOCK = 4 * sizeof(word) };

static bool aligned(const char *p) { return (uintptr_t)p % sizeof(word) == 0; }

/* The first first: to is below from. */
static void move_down(char *to, const char *from, size_t n) {
    for (; n && !aligned(to); n--)
        *to++ = *from++;
    for (; n >= BLOCK && aligned(from); n -= BLOCK, to += BLOCK, from += BLOCK) {
        word *d = (word *)(void *)to;
        const word *s = (const word *)(const void *)from;

        d[0] = s[0];
        d[1] = s[1];
        d[2] = s[2];
        d[3] = s[3];
    }
    while (n--)
        *to++ = *from++;
}

/* The last first: to is above from. */
static void move_up(char *to, const char *from, size_t n) {
    for (; n && !aligned(to + n); n--)
        to[n - 1] = from[n - 1];
    for (; n >= BLOCK && aligned(from + n); n -= BLOCK) {
        word *d = (word *)(void *)(to + n);
        const word *s = (const word *)(const void *)(from + n);

        d[-1] = s[-1];
        d[-2] = s[-2];
        d[-3] = s[-3];
        d[-4] = s[-4];
    }
    while (n--)
        to[n] = from[n];
}

void *memmove(void *to, const void *from, size_t n) {
    if (to < from)
        move_down(to, from, n);
    else if (to > from)
        move_up(to, from, n);
    return to;
}
