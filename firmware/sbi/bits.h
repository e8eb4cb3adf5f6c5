/* SPDX-License-Identifier: Apache-2.0 */
/* Walking through sets that are bit masks. */
#ifndef FW_BITS_H
#define FW_BITS_H

#include <stdint.h>

extern const uint8_t bits_of_hash[64];

/*
 * Index of the lowest bit of a set that is not empty. Without Zbb the compiler's own way is a call of several
 * dozen instructions; a multiplication by a de Bruijn number leaves another value in the top six bits for
 * every single bit.
 */
static inline unsigned lowest_bit(uint64_t set) {
    return bits_of_hash[((set & -set) * 0x03f79d71b4cb0a89ull) >> 58];
}

/* The set without its lowest bit: for (rest = set; rest; rest = without_lowest(rest)) */
static inline uint64_t without_lowest(uint64_t set) { return set & (set - 1); }

#endif
