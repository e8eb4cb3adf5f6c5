/* SPDX-License-Identifier: Apache-2.0 */
/* The instructions' results, as the manual has them: integer arithmetic on wide types, not a machine's way.
 */
#ifndef DIRECTED_ISA_FORMULAS_H
#define DIRECTED_ISA_FORMULAS_H

#include <stdbool.h>
#include <stdint.h>

typedef __int128 wide;
typedef unsigned __int128 uwide;

static inline wide two_to(unsigned n) { return (wide)1 << n; }

/* The value of the low `bits` bits as a two's complement number */
static inline wide as_signed(uint64_t v, unsigned bits) {
    wide low = (wide)v % two_to(bits);

    return low >= two_to(bits - 1) ? low - two_to(bits) : low;
}

static inline wide as_unsigned(uint64_t v, unsigned bits) { return (wide)v % two_to(bits); }

/* Round towards minus infinity */
static inline wide floor_div(wide a, wide b) {
    wide q = a / b;

    return a % b != 0 && (a < 0) != (b < 0) ? q - 1 : q;
}

static inline uint64_t word(uint64_t v) { return (uint64_t)as_signed(v, 32); }

#define S(v) as_signed(v, 64)
#define U(v) as_unsigned(v, 64)
#define SW(v) as_signed(v, 32)
#define UW(v) as_unsigned(v, 32)

typedef uint64_t formula(uint64_t a, uint64_t b);

formula f_add, f_sub, f_sll, f_srl, f_sra, f_slt, f_sltu, f_and, f_or, f_xor, f_addw, f_subw, f_sllw, f_srlw,
    f_sraw, f_mul, f_mulh, f_mulhsu, f_mulhu, f_div, f_divu, f_rem, f_remu, f_mulw, f_divw, f_divuw, f_remw,
    f_remuw, f_eq, f_ne, f_ge, f_geu, f_second, f_min, f_max, f_minu, f_maxu, f_sh1add, f_sh2add, f_sh3add,
    f_add_uw, f_sh1add_uw, f_sh2add_uw, f_sh3add_uw, f_slli_uw, f_andn, f_orn, f_xnor, f_ror, f_rol, f_rorw,
    f_rolw, f_rev8, f_orc_b, f_clz, f_clzw, f_ctz, f_ctzw, f_cpop, f_cpopw, f_sext_b, f_sext_h, f_zext_h;

#endif
