/* SPDX-License-Identifier: Apache-2.0 */
#include "host.h"

#include <string.h>

uintptr_t host_base = HOST_BASE;

static volatile uint64_t *reg64(unsigned at) { return (volatile uint64_t *)(host_base + at); }

static volatile uint8_t *reg8(unsigned at) { return (volatile uint8_t *)(host_base + at); }

long host_call(enum host_call call, uint64_t a0, uint64_t a1, uint64_t a2, const void *data, size_t n) {
    const uint8_t *from = data;
    uint64_t word;

    for (; n >= sizeof word; n -= sizeof word, from += sizeof word) {
        memcpy(&word, from, sizeof word);
        *reg64(HOST_DATA) = word;
    }
    for (; n; n--)
        *reg8(HOST_DATA) = *from++;
    *reg64(HOST_ARG) = a0;
    *reg64(HOST_ARG + 8) = a1;
    *reg64(HOST_ARG + 16) = a2;
    *reg64(HOST_CALL) = call;
    return (long)*reg64(HOST_CALL);
}

void host_answer(void *to, size_t n) {
    uint8_t *at = to;
    uint64_t word;

    for (; n >= sizeof word; n -= sizeof word, at += sizeof word) {
        word = *reg64(HOST_DATA);
        memcpy(at, &word, sizeof word);
    }
    for (; n; n--)
        *at++ = *reg8(HOST_DATA);
}
