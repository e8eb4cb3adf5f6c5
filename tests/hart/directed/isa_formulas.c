/* SPDX-License-Identifier: Apache-2.0 */
#include "isa_formulas.h"

uint64_t f_add(uint64_t a, uint64_t b) { return (uint64_t)(U(a) + U(b)); }
uint64_t f_sub(uint64_t a, uint64_t b) { return (uint64_t)(S(a) - S(b)); }
uint64_t f_sll(uint64_t a, uint64_t b) { return (uint64_t)((uwide)a * (uwide)two_to(b % 64)); }
uint64_t f_srl(uint64_t a, uint64_t b) { return (uint64_t)(U(a) / two_to(b % 64)); }
uint64_t f_sra(uint64_t a, uint64_t b) { return (uint64_t)floor_div(S(a), two_to(b % 64)); }
uint64_t f_slt(uint64_t a, uint64_t b) { return S(a) - S(b) < 0; }
uint64_t f_sltu(uint64_t a, uint64_t b) { return U(a) - U(b) < 0; }
static uint64_t bitwise(uint64_t a, uint64_t b, const bool table[4]) {
    uint64_t out = 0;

    for (unsigned i = 0; i < 64; i++)
        out += table[(a / (uint64_t)two_to(i)) % 2 * 2 + (b / (uint64_t)two_to(i)) % 2] * (uint64_t)two_to(i);
    return out;
}
uint64_t f_and(uint64_t a, uint64_t b) { return bitwise(a, b, (const bool[]){0, 0, 0, 1}); }
uint64_t f_or(uint64_t a, uint64_t b) { return bitwise(a, b, (const bool[]){0, 1, 1, 1}); }
uint64_t f_xor(uint64_t a, uint64_t b) { return bitwise(a, b, (const bool[]){0, 1, 1, 0}); }
uint64_t f_addw(uint64_t a, uint64_t b) { return word((uint64_t)(SW(a) + SW(b))); }
uint64_t f_subw(uint64_t a, uint64_t b) { return word((uint64_t)(SW(a) - SW(b))); }
uint64_t f_sllw(uint64_t a, uint64_t b) { return word((uint64_t)(UW(a) * two_to(b % 32))); }
uint64_t f_srlw(uint64_t a, uint64_t b) { return word((uint64_t)(UW(a) / two_to(b % 32))); }
uint64_t f_sraw(uint64_t a, uint64_t b) { return (uint64_t)floor_div(SW(a), two_to(b % 32)); }
uint64_t f_mul(uint64_t a, uint64_t b) { return (uint64_t)(uwide)(S(a) * S(b)); }
uint64_t f_mulh(uint64_t a, uint64_t b) { return (uint64_t)floor_div(S(a) * S(b), two_to(64)); }
uint64_t f_mulhsu(uint64_t a, uint64_t b) { return (uint64_t)floor_div(S(a) * U(b), two_to(64)); }
uint64_t f_mulhu(uint64_t a, uint64_t b) { return (uint64_t)((uwide)a * b / (uwide)two_to(64)); }
uint64_t f_div(uint64_t a, uint64_t b) { return b == 0 ? UINT64_MAX : (uint64_t)(S(a) / S(b)); }
uint64_t f_divu(uint64_t a, uint64_t b) { return b == 0 ? UINT64_MAX : (uint64_t)(U(a) / U(b)); }
uint64_t f_rem(uint64_t a, uint64_t b) { return b == 0 ? a : (uint64_t)(S(a) - S(a) / S(b) * S(b)); }
uint64_t f_remu(uint64_t a, uint64_t b) { return b == 0 ? a : (uint64_t)(U(a) - U(a) / U(b) * U(b)); }
uint64_t f_mulw(uint64_t a, uint64_t b) { return word((uint64_t)(SW(a) * SW(b))); }
uint64_t f_divw(uint64_t a, uint64_t b) { return UW(b) == 0 ? UINT64_MAX : word((uint64_t)(SW(a) / SW(b))); }
uint64_t f_divuw(uint64_t a, uint64_t b) { return UW(b) == 0 ? UINT64_MAX : word((uint64_t)(UW(a) / UW(b))); }
uint64_t f_remw(uint64_t a, uint64_t b) {
    return UW(b) == 0 ? word(a) : word((uint64_t)(SW(a) - SW(a) / SW(b) * SW(b)));
}
uint64_t f_remuw(uint64_t a, uint64_t b) {
    return UW(b) == 0 ? word(a) : word((uint64_t)(UW(a) - UW(a) / UW(b) * UW(b)));
}
uint64_t f_eq(uint64_t a, uint64_t b) { return U(a) - U(b) == 0; }
uint64_t f_ne(uint64_t a, uint64_t b) { return U(a) - U(b) != 0; }
uint64_t f_ge(uint64_t a, uint64_t b) { return S(a) - S(b) >= 0; }
uint64_t f_geu(uint64_t a, uint64_t b) { return U(a) - U(b) >= 0; }
uint64_t f_second(uint64_t a, uint64_t b) {
    (void)a;
    return b;
}

uint64_t f_min(uint64_t a, uint64_t b) { return S(a) < S(b) ? a : b; }
uint64_t f_max(uint64_t a, uint64_t b) { return S(a) < S(b) ? b : a; }
uint64_t f_minu(uint64_t a, uint64_t b) { return U(a) < U(b) ? a : b; }
uint64_t f_maxu(uint64_t a, uint64_t b) { return U(a) < U(b) ? b : a; }

uint64_t f_sh1add(uint64_t a, uint64_t b) { return (uint64_t)(2 * U(a) + U(b)); }
uint64_t f_sh2add(uint64_t a, uint64_t b) { return (uint64_t)(4 * U(a) + U(b)); }
uint64_t f_sh3add(uint64_t a, uint64_t b) { return (uint64_t)(8 * U(a) + U(b)); }
uint64_t f_add_uw(uint64_t a, uint64_t b) { return (uint64_t)(UW(a) + U(b)); }
uint64_t f_sh1add_uw(uint64_t a, uint64_t b) { return (uint64_t)(2 * UW(a) + U(b)); }
uint64_t f_sh2add_uw(uint64_t a, uint64_t b) { return (uint64_t)(4 * UW(a) + U(b)); }
uint64_t f_sh3add_uw(uint64_t a, uint64_t b) { return (uint64_t)(8 * UW(a) + U(b)); }
uint64_t f_slli_uw(uint64_t a, uint64_t b) { return (uint64_t)((uwide)UW(a) * (uwide)two_to(b % 64)); }
uint64_t f_andn(uint64_t a, uint64_t b) { return bitwise(a, b, (const bool[]){0, 0, 1, 0}); }
uint64_t f_orn(uint64_t a, uint64_t b) { return bitwise(a, b, (const bool[]){1, 0, 1, 1}); }
uint64_t f_xnor(uint64_t a, uint64_t b) { return bitwise(a, b, (const bool[]){1, 0, 0, 1}); }

/* Number `n` of `bits` that come round again */
static uint64_t bit_of(uint64_t v, unsigned n, unsigned bits) { return v / (uint64_t)two_to(n % bits) % 2; }

/* Bit n of the result is bit n + by of a. */
static uint64_t rotated(uint64_t a, unsigned by, unsigned bits) {
    uint64_t out = 0;

    for (unsigned n = 0; n < bits; n++)
        out += bit_of(a, n + by, bits) * (uint64_t)two_to(n);
    return out;
}
uint64_t f_ror(uint64_t a, uint64_t b) { return rotated(a, (unsigned)(b % 64), 64); }
uint64_t f_rol(uint64_t a, uint64_t b) { return rotated(a, (unsigned)(64 - b % 64), 64); }
uint64_t f_rorw(uint64_t a, uint64_t b) { return word(rotated(a, (unsigned)(b % 32), 32)); }
uint64_t f_rolw(uint64_t a, uint64_t b) { return word(rotated(a, (unsigned)(32 - b % 32), 32)); }

static unsigned zeros_up_from(uint64_t a, unsigned bits) {
    unsigned n = 0;

    while (n < bits && bit_of(a, n, 64) == 0)
        n++;
    return n;
}
static unsigned zeros_down_from(uint64_t a, unsigned bits) {
    unsigned n = 0;

    while (n < bits && bit_of(a, bits - 1 - n, 64) == 0)
        n++;
    return n;
}
static unsigned ones(uint64_t a, unsigned bits) {
    unsigned n = 0;

    for (unsigned i = 0; i < bits; i++)
        n += (unsigned)bit_of(a, i, 64);
    return n;
}
#define UNARY(name, value)                                                                                   \
    uint64_t name(uint64_t a, uint64_t b) {                                                                  \
        (void)b;                                                                                             \
        return value;                                                                                        \
    }
UNARY(f_clz, zeros_down_from(a, 64))
UNARY(f_clzw, zeros_down_from(a, 32))
UNARY(f_ctz, zeros_up_from(a, 64))
UNARY(f_ctzw, zeros_up_from(a, 32))
UNARY(f_cpop, ones(a, 64))
UNARY(f_cpopw, ones(a, 32))
UNARY(f_sext_b, (uint64_t)as_signed(a, 8))
UNARY(f_sext_h, (uint64_t)as_signed(a, 16))
UNARY(f_zext_h, (uint64_t)as_unsigned(a, 16))

/* Byte i of the result is made of byte `from(i)`. */
uint64_t f_rev8(uint64_t a, uint64_t b) {
    uint64_t out = 0;

    (void)b;
    for (unsigned i = 0; i < 8; i++)
        out += a / (uint64_t)two_to(8 * i) % 256 * (uint64_t)two_to(56 - 8 * i);
    return out;
}
uint64_t f_orc_b(uint64_t a, uint64_t b) {
    uint64_t out = 0;

    (void)b;
    for (unsigned i = 0; i < 8; i++)
        out += (a / (uint64_t)two_to(8 * i) % 256 != 0) * 255 * (uint64_t)two_to(8 * i);
    return out;
}
