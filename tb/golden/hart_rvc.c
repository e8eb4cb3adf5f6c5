// SPDX-License-Identifier: Apache-2.0
/*
 * Compressed instructions (unprivileged manual, "C" extension): each 16-bit encoding as its 32-bit
 * equivalent. Hints expand to the instruction that they are hints of (which does nothing); reserved encodings
 * and those of the F and D extensions are illegal (0).
 */
#include "hart_internal.h"

#include <stdlib.h>

enum { ZERO = 0, RA = 1, SP = 2 };
enum { OP_LOAD = 0x03, OP_IMM = 0x13, OP_IMM32 = 0x1B, OP_STORE = 0x23, OP_REG = 0x33, OP_LUI = 0x37 };
enum { OP_REG32 = 0x3B, OP_BRANCH = 0x63, OP_JALR = 0x67, OP_JAL = 0x6F };

static uint32_t enc_r(uint32_t funct7, uint32_t rs2, uint32_t rs1, uint32_t funct3, uint32_t rd,
                      uint32_t op) {
    return funct7 << 25 | rs2 << 20 | rs1 << 15 | funct3 << 12 | rd << 7 | op;
}

static uint32_t enc_i(int32_t imm, uint32_t rs1, uint32_t funct3, uint32_t rd, uint32_t op) {
    return (uint32_t)imm << 20 | rs1 << 15 | funct3 << 12 | rd << 7 | op;
}

static uint32_t enc_s(int32_t imm, uint32_t rs2, uint32_t rs1, uint32_t funct3) {
    uint32_t u = (uint32_t)imm;
    return (u >> 5 & 0x7F) << 25 | rs2 << 20 | rs1 << 15 | funct3 << 12 | (u & 0x1F) << 7 | OP_STORE;
}

static uint32_t enc_b(int32_t imm, uint32_t rs1, uint32_t funct3) {
    uint32_t u = (uint32_t)imm;
    return (u >> 12 & 1) << 31 | (u >> 5 & 0x3F) << 25 | rs1 << 15 | funct3 << 12 | (u >> 1 & 0xF) << 8 |
           (u >> 11 & 1) << 7 | OP_BRANCH;
}

static uint32_t enc_j(int32_t imm, uint32_t rd) {
    uint32_t u = (uint32_t)imm;
    return (u >> 20 & 1) << 31 | (u >> 1 & 0x3FF) << 21 | (u >> 11 & 1) << 20 | (u >> 12 & 0xFF) << 12 |
           rd << 7 | OP_JAL;
}

/* Bits hi..lo of the instruction, moved to position `to`. */
static uint32_t take(uint32_t insn, unsigned hi, unsigned lo, unsigned to) {
    return (insn >> lo & ((1U << (hi - lo + 1)) - 1)) << to;
}

static int32_t sign(uint32_t value, unsigned bits) { return (int32_t)(value << (32 - bits)) >> (32 - bits); }

static int32_t imm6(uint32_t i) { return sign(take(i, 12, 12, 5) | take(i, 6, 2, 0), 6); }

static int32_t jump_offset(uint32_t i) {
    return sign(take(i, 12, 12, 11) | take(i, 11, 11, 4) | take(i, 10, 9, 8) | take(i, 8, 8, 10) |
                    take(i, 7, 7, 6) | take(i, 6, 6, 7) | take(i, 5, 3, 1) | take(i, 2, 2, 5),
                12);
}

static int32_t branch_offset(uint32_t i) {
    return sign(
        take(i, 12, 12, 8) | take(i, 11, 10, 3) | take(i, 6, 5, 6) | take(i, 4, 3, 1) | take(i, 2, 2, 5), 9);
}

static uint32_t quadrant0(unsigned xlen, uint32_t i) {
    uint32_t rs1 = 8 + take(i, 9, 7, 0);
    uint32_t rd = 8 + take(i, 4, 2, 0); /* also rs2 of stores */
    uint32_t off_w = take(i, 12, 10, 3) | take(i, 6, 6, 2) | take(i, 5, 5, 6);
    uint32_t off_d = take(i, 12, 10, 3) | take(i, 6, 5, 6);
    uint32_t nzuimm;

    switch (i >> 13) {
    case 0: /* c.addi4spn */
        nzuimm = take(i, 12, 11, 4) | take(i, 10, 7, 6) | take(i, 6, 6, 2) | take(i, 5, 5, 3);
        return nzuimm ? enc_i((int32_t)nzuimm, SP, 0, rd, OP_IMM) : 0;
    case 2: /* c.lw */
        return enc_i((int32_t)off_w, rs1, 2, rd, OP_LOAD);
    case 3: /* c.ld; RV32: c.flw */
        return xlen == 64 ? enc_i((int32_t)off_d, rs1, 3, rd, OP_LOAD) : 0;
    case 6: /* c.sw */
        return enc_s((int32_t)off_w, rd, rs1, 2);
    case 7: /* c.sd; RV32: c.fsw */
        return xlen == 64 ? enc_s((int32_t)off_d, rd, rs1, 3) : 0;
    default: /* c.fld, reserved, c.fsd */
        return 0;
    }
}

static uint32_t misc_alu(unsigned xlen, uint32_t i) {
    uint32_t rd = 8 + take(i, 9, 7, 0);
    uint32_t rs2 = 8 + take(i, 4, 2, 0);
    int32_t shamt = imm6(i) & 0x3F;
    static const uint8_t funct3[4] = {0, 4, 6, 7}; /* sub, xor, or, and */
    unsigned op = i >> 5 & 3;

    switch (i >> 10 & 3) {
    case 0: /* c.srli */
        return xlen == 64 || shamt < 32 ? enc_i(shamt, rd, 5, rd, OP_IMM) : 0;
    case 1: /* c.srai */
        return xlen == 64 || shamt < 32 ? enc_i(0x400 | shamt, rd, 5, rd, OP_IMM) : 0;
    case 2: /* c.andi */
        return enc_i(imm6(i), rd, 7, rd, OP_IMM);
    default:
        break;
    }
    if (!(i >> 12 & 1))
        return enc_r(op == 0 ? 0x20 : 0, rs2, rd, funct3[op], rd, OP_REG);
    if (xlen == 64 && op < 2)
        return enc_r(op == 0 ? 0x20 : 0, rs2, rd, 0, rd, OP_REG32); /* c.subw, c.addw */
    return 0;
}

static uint32_t quadrant1(unsigned xlen, uint32_t i) {
    uint32_t rd = take(i, 11, 7, 0);
    uint32_t rs1 = 8 + take(i, 9, 7, 0);
    int32_t imm = imm6(i);

    switch (i >> 13) {
    case 0: /* c.nop, c.addi */
        return enc_i(imm, rd, 0, rd, OP_IMM);
    case 1: /* RV64: c.addiw; RV32: c.jal */
        if (xlen == 32)
            return enc_j(jump_offset(i), RA);
        return rd ? enc_i(imm, rd, 0, rd, OP_IMM32) : 0;
    case 2: /* c.li */
        return enc_i(imm, ZERO, 0, rd, OP_IMM);
    case 3: /* c.addi16sp, c.lui */
        if (rd == SP) {
            int32_t sp = sign(take(i, 12, 12, 9) | take(i, 6, 6, 4) | take(i, 5, 5, 6) | take(i, 4, 3, 7) |
                                  take(i, 2, 2, 5),
                              10);
            return sp ? enc_i(sp, SP, 0, SP, OP_IMM) : 0;
        }
        return imm ? (uint32_t)imm << 12 | rd << 7 | OP_LUI : 0;
    case 4:
        return misc_alu(xlen, i);
    case 5: /* c.j */
        return enc_j(jump_offset(i), ZERO);
    case 6: /* c.beqz */
        return enc_b(branch_offset(i), rs1, 0);
    default: /* c.bnez */
        return enc_b(branch_offset(i), rs1, 1);
    }
}

static uint32_t quadrant2(unsigned xlen, uint32_t i) {
    uint32_t rd = take(i, 11, 7, 0);
    uint32_t rs2 = take(i, 6, 2, 0);
    int32_t shamt = imm6(i) & 0x3F;
    uint32_t load_w = take(i, 12, 12, 5) | take(i, 6, 4, 2) | take(i, 3, 2, 6);
    uint32_t load_d = take(i, 12, 12, 5) | take(i, 6, 5, 3) | take(i, 4, 2, 6);
    uint32_t store_w = take(i, 12, 9, 2) | take(i, 8, 7, 6);
    uint32_t store_d = take(i, 12, 10, 3) | take(i, 9, 7, 6);

    switch (i >> 13) {
    case 0: /* c.slli */
        return xlen == 64 || shamt < 32 ? enc_i(shamt, rd, 1, rd, OP_IMM) : 0;
    case 2: /* c.lwsp */
        return rd ? enc_i((int32_t)load_w, SP, 2, rd, OP_LOAD) : 0;
    case 3: /* c.ldsp */
        return xlen == 64 && rd ? enc_i((int32_t)load_d, SP, 3, rd, OP_LOAD) : 0;
    case 4:
        if (!(i >> 12 & 1)) { /* c.mv, c.jr */
            if (rs2)
                return enc_r(0, rs2, ZERO, 0, rd, OP_REG);
            return rd ? enc_i(0, rd, 0, ZERO, OP_JALR) : 0;
        }
        if (rs2)
            return enc_r(0, rs2, rd, 0, rd, OP_REG);           /* c.add */
        return rd ? enc_i(0, rd, 0, RA, OP_JALR) : 0x00100073; /* c.jalr, c.ebreak */
    case 6:                                                    /* c.swsp */
        return enc_s((int32_t)store_w, rs2, SP, 2);
    case 7: /* c.sdsp */
        return xlen == 64 ? enc_s((int32_t)store_d, rs2, SP, 3) : 0;
    default: /* c.fldsp, c.fsdsp */
        return 0;
    }
}

uint32_t gh_rvc_expand(unsigned xlen, uint16_t insn) {
    switch (insn & 3) {
    case 0:
        return quadrant0(xlen, insn);
    case 1:
        return quadrant1(xlen, insn);
    case 2:
        return quadrant2(xlen, insn);
    default:
        return 0;
    }
}

uint32_t *gh_rvc_table(unsigned xlen) {
    uint32_t *table = malloc(65536 * sizeof *table);
    if (!table)
        return NULL;
    for (unsigned i = 0; i < 65536; i++)
        table[i] = gh_rvc_expand(xlen, (uint16_t)i);
    return table;
}
