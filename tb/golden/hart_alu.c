// SPDX-License-Identifier: Apache-2.0
/*
 * Integer computation: opcodes OP, OP-32, OP-IMM, OP-IMM-32 of I, M, Zba and Zbb.
 *
 * Operands and results are 64 bits, sign-extended when XLEN is 32; the caller truncates results. So only
 * operations in which the upper half of a 32-bit operand matters have a case of their own for RV32.
 */
#include "hart_internal.h"

static unsigned funct3_of(uint32_t insn) { return insn >> 12 & 7; }

static uint64_t sext32(uint64_t v) { return (uint64_t)(int64_t)(int32_t)(uint32_t)v; }

/* --- M: multiplication and division --- */

static uint64_t mulhu64(uint64_t a, uint64_t b) {
    uint64_t a0 = (uint32_t)a, a1 = a >> 32, b0 = (uint32_t)b, b1 = b >> 32;
    uint64_t mid1 = a1 * b0 + (a0 * b0 >> 32);
    uint64_t mid2 = a0 * b1 + (uint32_t)mid1;
    return a1 * b1 + (mid1 >> 32) + (mid2 >> 32);
}

static uint64_t mulh64(uint64_t a, uint64_t b) {
    return mulhu64(a, b) - ((int64_t)a < 0 ? b : 0) - ((int64_t)b < 0 ? a : 0);
}

static uint64_t mulhsu64(uint64_t a, uint64_t b) { return mulhu64(a, b) - ((int64_t)a < 0 ? b : 0); }

static uint64_t div_signed(uint64_t a, uint64_t b) {
    if (b == 0)
        return UINT64_MAX;
    if (b == UINT64_MAX)
        return 0 - a; /* also the overflow case: -2^63 / -1 */
    return (uint64_t)((int64_t)a / (int64_t)b);
}

static uint64_t rem_signed(uint64_t a, uint64_t b) {
    if (b == 0)
        return a;
    if (b == UINT64_MAX)
        return 0;
    return (uint64_t)((int64_t)a % (int64_t)b);
}

static uint64_t div_unsigned(uint64_t a, uint64_t b) { return b == 0 ? UINT64_MAX : a / b; }

static uint64_t rem_unsigned(uint64_t a, uint64_t b) { return b == 0 ? a : a % b; }

static uint64_t muldiv64(unsigned funct3, uint64_t a, uint64_t b) {
    switch (funct3) {
    case 0:
        return a * b;
    case 1:
        return mulh64(a, b);
    case 2:
        return mulhsu64(a, b);
    case 3:
        return mulhu64(a, b);
    case 4:
        return div_signed(a, b);
    case 5:
        return div_unsigned(a, b);
    case 6:
        return rem_signed(a, b);
    default:
        return rem_unsigned(a, b);
    }
}

/* Operands are sign-extended 32-bit values. A result that is not (-2^31 / -1) is cut by the caller. */
static uint64_t muldiv32(unsigned funct3, uint64_t a, uint64_t b) {
    uint64_t ua = (uint32_t)a, ub = (uint32_t)b;
    switch (funct3) {
    case 0:
        return a * b;
    case 1:
        return a * b >> 32;
    case 2:
        return a * ub >> 32;
    case 3:
        return ua * ub >> 32;
    case 4:
        return div_signed(a, b);
    case 5:
        return div_unsigned(ua, ub);
    case 6:
        return rem_signed(a, b);
    default:
        return rem_unsigned(ua, ub);
    }
}

/* --- Zbb: bits --- */

static uint64_t count_leading_zeros(uint64_t v, unsigned width) {
    unsigned n = 0;
    while (n < width && !(v >> (width - 1 - n) & 1))
        n++;
    return n;
}

static uint64_t count_trailing_zeros(uint64_t v, unsigned width) {
    unsigned n = 0;
    while (n < width && !(v >> n & 1))
        n++;
    return n;
}

static uint64_t count_ones(uint64_t v, unsigned width) {
    unsigned n = 0;
    for (unsigned i = 0; i < width; i++)
        n += v >> i & 1;
    return n;
}

static uint64_t rotate_right(uint64_t v, unsigned amount, unsigned width) {
    uint64_t mask = width == 64 ? UINT64_MAX : BIT(width) - 1;
    amount &= width - 1;
    v &= mask;
    return amount ? (v >> amount | v << (width - amount)) & mask : v;
}

static uint64_t or_combine_bytes(uint64_t v) {
    uint64_t r = 0;
    for (unsigned i = 0; i < 64; i += 8)
        if (v >> i & 0xFF)
            r |= UINT64_C(0xFF) << i;
    return r;
}

static uint64_t reverse_bytes(uint64_t v, unsigned width) {
    uint64_t r = 0;
    for (unsigned i = 0; i < width; i += 8)
        r = r << 8 | (v >> i & 0xFF);
    return r;
}

/* Register-register operations of Zba and Zbb in opcode OP. */
static uint64_t op_bitmanip(const struct gh *h, unsigned funct7, uint32_t insn, uint64_t a, uint64_t b,
                            bool *ok) {
    unsigned f3 = funct3_of(insn);
    unsigned width = h->cfg.xlen;

    switch (funct7 << 3 | f3) {
    case 0x10 << 3 | 2: /* sh1add */
        return (a << 1) + b;
    case 0x10 << 3 | 4: /* sh2add */
        return (a << 2) + b;
    case 0x10 << 3 | 6: /* sh3add */
        return (a << 3) + b;
    case 0x20 << 3 | 4: /* xnor */
        return ~(a ^ b);
    case 0x20 << 3 | 6: /* orn */
        return a | ~b;
    case 0x20 << 3 | 7: /* andn */
        return a & ~b;
    case 0x05 << 3 | 4: /* min */
        return (int64_t)a < (int64_t)b ? a : b;
    case 0x05 << 3 | 5: /* minu */
        return a < b ? a : b;
    case 0x05 << 3 | 6: /* max */
        return (int64_t)a < (int64_t)b ? b : a;
    case 0x05 << 3 | 7: /* maxu */
        return a < b ? b : a;
    case 0x30 << 3 | 1: /* rol */
        return rotate_right(a, width - (unsigned)(b & (width - 1)), width);
    case 0x30 << 3 | 5: /* ror */
        return rotate_right(a, (unsigned)(b & (width - 1)), width);
    case 0x04 << 3 | 4: /* RV32: zext.h */
        if (!rv64(h) && (insn >> 20 & 31) == 0)
            return a & 0xFFFF;
        break;
    default:
        break;
    }
    *ok = false;
    return 0;
}

/* Zbb in opcode OP-IMM, but for the shifts of I. `imm` is the 12-bit immediate. */
static uint64_t imm_bitmanip(const struct gh *h, unsigned f3, unsigned imm, uint64_t a, bool *ok) {
    unsigned width = h->cfg.xlen;
    unsigned rev8 = rv64(h) ? 0x6B8 : 0x698;

    if (f3 == 1) {
        switch (imm) {
        case 0x600:
            return count_leading_zeros(a, width);
        case 0x601:
            return count_trailing_zeros(a, width);
        case 0x602:
            return count_ones(a, width);
        case 0x604: /* sext.b */
            return sext(a, 8);
        case 0x605: /* sext.h */
            return sext(a, 16);
        default:
            break;
        }
    } else {
        if (imm == 0x287)
            return or_combine_bytes(a);
        if (imm == rev8)
            return reverse_bytes(a, width);
        if (imm >> 6 == 0x18 && (imm & 63) < width)
            return rotate_right(a, imm & 63, width); /* rori */
    }
    *ok = false;
    return 0;
}

/* --- the four opcodes --- */

static uint64_t op_base(const struct gh *h, unsigned f3, uint64_t a, uint64_t b) {
    switch (f3) {
    case 0:
        return a + b;
    case 1:
        return a << (b & (h->cfg.xlen - 1));
    case 2:
        return (int64_t)a < (int64_t)b;
    case 3:
        return a < b;
    case 4:
        return a ^ b;
    case 5:
        return (a & h->xmask) >> (b & (h->cfg.xlen - 1));
    case 6:
        return a | b;
    default:
        return a & b;
    }
}

uint64_t gh_alu_op(const struct gh *h, uint32_t insn, uint64_t a, uint64_t b, bool *ok) {
    unsigned f3 = funct3_of(insn);
    unsigned funct7 = insn >> 25;

    if (funct7 == 0)
        return op_base(h, f3, a, b);
    if (funct7 == 1)
        return rv64(h) ? muldiv64(f3, a, b) : muldiv32(f3, a, b);
    if (funct7 == 0x20 && f3 == 0)
        return a - b;
    if (funct7 == 0x20 && f3 == 5)
        return (uint64_t)((int64_t)a >> (b & (h->cfg.xlen - 1)));
    if (h->cfg.zba_zbb)
        return op_bitmanip(h, funct7, insn, a, b, ok);
    *ok = false;
    return 0;
}

uint64_t gh_alu_imm(const struct gh *h, uint32_t insn, uint64_t a, bool *ok) {
    unsigned f3 = funct3_of(insn);
    unsigned imm = insn >> 20;
    unsigned shamt = imm & 63;

    if (f3 != 1 && f3 != 5)
        return op_base(h, f3, a, sext(imm, 12));
    if (shamt < h->cfg.xlen) {
        if (imm >> 6 == 0)
            return op_base(h, f3, a, shamt);
        if (imm >> 6 == 0x10 && f3 == 5)
            return (uint64_t)((int64_t)a >> shamt);
    }
    if (h->cfg.zba_zbb)
        return imm_bitmanip(h, f3, imm, a, ok);
    *ok = false;
    return 0;
}

static uint64_t op32_bitmanip(unsigned funct7, uint32_t insn, uint64_t a, uint64_t b, bool *ok) {
    uint64_t ua = (uint32_t)a;

    switch (funct7 << 3 | funct3_of(insn)) {
    case 0x04 << 3 | 0: /* add.uw */
        return ua + b;
    case 0x10 << 3 | 2: /* sh1add.uw */
        return (ua << 1) + b;
    case 0x10 << 3 | 4: /* sh2add.uw */
        return (ua << 2) + b;
    case 0x10 << 3 | 6: /* sh3add.uw */
        return (ua << 3) + b;
    case 0x30 << 3 | 1: /* rolw */
        return sext32(rotate_right(a, 32 - (unsigned)(b & 31), 32));
    case 0x30 << 3 | 5: /* rorw */
        return sext32(rotate_right(a, (unsigned)(b & 31), 32));
    case 0x04 << 3 | 4: /* zext.h */
        if ((insn >> 20 & 31) == 0)
            return a & 0xFFFF;
        break;
    default:
        break;
    }
    *ok = false;
    return 0;
}

uint64_t gh_alu_op32(const struct gh *h, uint32_t insn, uint64_t a, uint64_t b, bool *ok) {
    unsigned funct7 = insn >> 25;

    if (rv64(h)) {
        switch (funct7 << 3 | funct3_of(insn)) {
        case 0: /* addw */
            return sext32(a + b);
        case 1: /* sllw */
            return sext32(a << (b & 31));
        case 5: /* srlw */
            return sext32((uint32_t)a >> (b & 31));
        case 0x20 << 3 | 0: /* subw */
            return sext32(a - b);
        case 0x20 << 3 | 5: /* sraw */
            return sext32((uint64_t)((int64_t)sext32(a) >> (b & 31)));
        case 1 << 3 | 0: /* mulw, divw, divuw, remw, remuw */
        case 1 << 3 | 4:
        case 1 << 3 | 5:
        case 1 << 3 | 6:
        case 1 << 3 | 7:
            return sext32(muldiv32(funct3_of(insn), sext32(a), sext32(b)));
        default:
            if (h->cfg.zba_zbb)
                return op32_bitmanip(funct7, insn, a, b, ok);
            break;
        }
    }
    *ok = false;
    return 0;
}

static uint64_t imm32_bitmanip(unsigned f3, unsigned imm, uint64_t a, bool *ok) {
    if (f3 == 1 && imm >> 6 == 0x02)
        return (uint64_t)(uint32_t)a << (imm & 63); /* slli.uw */
    if (f3 == 1 && imm == 0x600)
        return count_leading_zeros((uint32_t)a, 32);
    if (f3 == 1 && imm == 0x601)
        return count_trailing_zeros((uint32_t)a, 32);
    if (f3 == 1 && imm == 0x602)
        return count_ones((uint32_t)a, 32);
    if (f3 == 5 && imm >> 5 == 0x30)
        return sext32(rotate_right(a, imm & 31, 32)); /* roriw */
    *ok = false;
    return 0;
}

uint64_t gh_alu_imm32(const struct gh *h, uint32_t insn, uint64_t a, bool *ok) {
    unsigned f3 = funct3_of(insn);
    unsigned imm = insn >> 20;

    if (rv64(h)) {
        if (f3 == 0)
            return sext32(a + sext(imm, 12)); /* addiw */
        if (f3 == 1 && imm < 32)
            return sext32(a << imm); /* slliw */
        if (f3 == 5 && imm < 32)
            return sext32((uint32_t)a >> imm); /* srliw */
        if (f3 == 5 && imm >> 5 == 0x20)
            return (uint64_t)((int64_t)sext32(a) >> (imm & 31)); /* sraiw */
        if (h->cfg.zba_zbb)
            return imm32_bitmanip(f3, imm, a, ok);
    }
    *ok = false;
    return 0;
}
