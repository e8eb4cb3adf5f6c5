/* SPDX-License-Identifier: Apache-2.0 */
/* The four functions that the compiler may call by itself. */
#include <stddef.h>

void *memcpy(void *restrict to, const void *restrict from, size_t n);
void *memmove(void *to, const void *from, size_t n);
void *memset(void *to, int value, size_t n);
int memcmp(const void *a, const void *b, size_t n);

void *memcpy(void *restrict to, const void *restrict from, size_t n) {
    char *d = to;
    const char *s = from;

    while (n--)
        *d++ = *s++;
    return to;
}

void *memmove(void *to, const void *from, size_t n) {
    char *d = to;
    const char *s = from;

    if (d < s)
        return memcpy(to, from, n);
    while (n--)
        d[n] = s[n];
    return to;
}

void *memset(void *to, int value, size_t n) {
    char *d = to;

    while (n--)
        *d++ = (char)value;
    return to;
}

int memcmp(const void *a, const void *b, size_t n) {
    const unsigned char *x = a, *y = b;

    for (; n; n--, x++, y++)
        if (*x != *y)
            return *x - *y;
    return 0;
}
