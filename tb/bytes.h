// SPDX-License-Identifier: Apache-2.0
/* Little-endian numbers of 1 to 8 bytes in files and in memory of the machine */
#ifndef TALLY_BYTES_H
#define TALLY_BYTES_H

#include <stdint.h>

static inline void bytes_put(uint8_t *at, uint64_t value, unsigned bytes) {
    for (unsigned i = 0; i < bytes; i++)
        at[i] = (uint8_t)(value >> (8 * i));
}

static inline uint64_t bytes_get(const uint8_t *at, unsigned bytes) {
    uint64_t value = 0;
    while (bytes--)
        value = value << 8 | at[bytes];
    return value;
}

#endif
