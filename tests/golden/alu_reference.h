// SPDX-License-Identifier: Apache-2.0
/*
 * Operands and formulas for tests of instructions. They share nothing with the model: sums bit by bit, shifts
 * as loops, products and quotients by the school methods.
 */
#ifndef ALU_REFERENCE_H
#define ALU_REFERENCE_H

#include <stdbool.h>
#include <stdint.h>

static const uint64_t corner[] = {0,
                                  1,
                                  2,
                                  3,
                                  0x1F,
                                  0x20,
                                  0x3F,
                                  0x40,
                                  0x7F,
                                  0x80,
                                  0xFF,
                                  0x7FFF,
                                  0x8000,
                                  0xFFFF,
                                  0x7FFFFFFF,
                                  0x80000000,
                                  0x80000001,
                                  0xFFFFFFFF,
                                  0x100000000,
                                  0x123456789ABCDEF0,
                                  0x0F00FF0000F0000F,
                                  0x5555555555555555,
                                  0xAAAAAAAAAAAAAAAA,
                                  0x7FFFFFFFFFFFFFFF,
                                  0x8000000000000000,
                                  0x8000000000000001,
                                  0xFFFFFFFF00000000,
                                  0xFFFFFFFF7FFFFFFF,
                                  0xFFFFFFFF80000000,
                                  0xFFFFFFFFFFFFFFFE,
                                  0xFFFFFFFFFFFFFFFF};
enum { CORNERS = sizeof corner / sizeof corner[0] };

/* Values of w bits as arrays of bits: the formulas below work on single bits. */
static inline int bit(uint64_t v, unsigned i) { return (int)(v >> i & 1); }

static inline uint64_t cut(uint64_t v, unsigned w) { return w == 64 ? v : v % (UINT64_C(1) << w); }

static inline uint64_t extend(uint64_t v, unsigned from, unsigned to) {
    uint64_t r = cut(v, from);
    for (unsigned i = from; i < to; i++)
        r |= (uint64_t)bit(v, from - 1) << i;
    return r;
}

static inline uint64_t ref_add(uint64_t a, uint64_t b, unsigned w, int carry) {
    uint64_t r = 0;
    for (unsigned i = 0; i < w; i++) {
        int sum = bit(a, i) + bit(b, i) + carry;
        r |= (uint64_t)(sum & 1) << i;
        carry = sum >> 1;
    }
    return r;
}

static inline uint64_t ref_sub(uint64_t a, uint64_t b, unsigned w) { return ref_add(a, ~b, w, 1); }

static inline uint64_t ref_logic(uint64_t a, uint64_t b, unsigned w, unsigned table) {
    uint64_t r = 0;
    for (unsigned i = 0; i < w; i++)
        r |= (uint64_t)(table >> (2 * bit(a, i) + bit(b, i)) & 1) << i;
    return r;
}

static inline bool ref_less(uint64_t a, uint64_t b, unsigned w, bool is_signed) {
    if (is_signed && bit(a, w - 1) != bit(b, w - 1))
        return bit(a, w - 1);
    for (unsigned i = w; i-- > 0;)
        if (bit(a, i) != bit(b, i))
            return bit(b, i);
    return false;
}

static inline uint64_t ref_shift(uint64_t a, uint64_t b, unsigned w, char kind) {
    uint64_t r = 0;
    unsigned n = (unsigned)(b % w);
    for (unsigned i = 0; i < w; i++) {
        int v = 0;
        if (kind == 'l')
            v = i >= n ? bit(a, i - n) : 0;
        else if (i + n < w)
            v = bit(a, i + n);
        else if (kind == 'a')
            v = bit(a, w - 1);
        else if (kind == 'R')
            v = bit(a, i + n - w);
        r |= (uint64_t)v << i;
    }
    return r;
}

/* Upper or lower half of the product of two w-bit numbers, by addition of shifted rows in a 2w-bit
 * accumulator. */
static inline uint64_t ref_mul(uint64_t a, uint64_t b, unsigned w, bool a_signed, bool b_signed, bool upper) {
    uint8_t acc[128] = {0};
    for (unsigned i = 0; i < 2 * w; i++) {
        int row = i < w ? bit(b, i) : b_signed && bit(b, w - 1);
        int carry = 0;
        if (!row)
            continue;
        for (unsigned j = i; j < 2 * w; j++) {
            unsigned k = j - i;
            int digit = k < w ? bit(a, k) : a_signed && bit(a, w - 1);
            int sum = acc[j] + digit + carry;
            acc[j] = sum & 1;
            carry = sum >> 1;
        }
    }
    uint64_t r = 0;
    for (unsigned i = 0; i < w; i++)
        r |= (uint64_t)acc[i + (upper ? w : 0)] << i;
    return r;
}

/* Long division of magnitudes; signs put on afterwards. */
static inline uint64_t ref_div(uint64_t a, uint64_t b, unsigned w, bool is_signed, bool want_rem) {
    bool na = is_signed && bit(a, w - 1), nb = is_signed && bit(b, w - 1);
    uint64_t ma = na ? ref_sub(0, a, w) : cut(a, w), mb = nb ? ref_sub(0, b, w) : cut(b, w);
    uint64_t quotient = 0, rem = 0;

    if (mb == 0)
        return want_rem ? cut(a, w) : cut(UINT64_MAX, w);
    for (unsigned i = w; i-- > 0;) {
        int top = bit(rem, 63);
        rem = rem << 1 | (uint64_t)bit(ma, i);
        if (top || rem >= mb) {
            rem -= mb;
            quotient |= UINT64_C(1) << i;
        }
    }
    if (want_rem)
        return na ? ref_sub(0, rem, w) : rem;
    return na != nb ? ref_sub(0, quotient, w) : quotient;
}

static inline uint64_t ref_count(uint64_t a, unsigned w, char kind) {
    uint64_t n = 0;
    for (unsigned i = 0; i < w; i++) {
        int v = bit(a, kind == 'l' ? w - 1 - i : i);
        if (kind == 'p')
            n += (unsigned)v;
        else if (v)
            break;
        else
            n++;
    }
    return n;
}

static inline uint64_t ref_bytes(uint64_t a, unsigned w, char kind) {
    uint64_t r = 0;
    for (unsigned i = 0; i < w / 8; i++) {
        uint64_t byte = a / (UINT64_C(1) << 8 * i) % 256;
        if (kind == 'r')
            r |= byte << (w - 8 - 8 * i);
        else if (byte)
            r |= UINT64_C(255) << 8 * i;
    }
    return r;
}

#endif
