/* SPDX-License-Identifier: Apache-2.0 */
/* Computation: units of ALU, bit manipulation, multiplication and compressed instructions */
#include "units.h"

uint32_t random_alu(struct code *c) {
    unsigned rd = near_destination(c), rs1 = source(c), rs2 = source(c), funct3 = below(c, 8);

    switch (below(c, 6)) {
    case 0:
        return i_type(OP_IMM, funct3, rd, rs1,
                      funct3 == 1   ? (int32_t)below(c, 64)
                      : funct3 == 5 ? (int32_t)(below(c, 64) | below(c, 2) << 10)
                                    : imm12(c));
    case 1: {
        static const uint8_t word_funct3[] = {0, 0, 1, 5};

        funct3 = word_funct3[below(c, 4)];
        return i_type(OP_IMM_32, funct3, rd, rs1,
                      funct3 == 1   ? (int32_t)below(c, 32)
                      : funct3 == 5 ? (int32_t)(below(c, 32) | below(c, 2) << 10)
                                    : imm12(c));
    }
    case 2: {
        static const uint8_t word_funct3[] = {0, 1, 5};

        funct3 = word_funct3[below(c, 3)];
        return r_type(OP_OP_32, funct3, funct3 != 1 && chance(c, 50) ? 0x20 : 0, rd, rs1, rs2);
    }
    case 3:
        return u_type(chance(c, 50) ? OP_LUI : OP_AUIPC, rd, below(c, 1u << 20));
    default:
        return r_type(OP_OP, funct3, (funct3 == 0 || funct3 == 5) && chance(c, 50) ? 0x20 : 0, rd, rs1, rs2);
    }
}

static uint32_t random_bitmanip(struct code *c) {
    static const struct {
        uint8_t opcode, funct3, funct7;
    } registers[] = {
        {OP_OP, 2, 0x10},    {OP_OP, 4, 0x10},    {OP_OP, 6, 0x10},    {OP_OP_32, 0, 0x04},
        {OP_OP_32, 2, 0x10}, {OP_OP_32, 4, 0x10}, {OP_OP_32, 6, 0x10}, {OP_OP, 4, 0x20},
        {OP_OP, 6, 0x20},    {OP_OP, 7, 0x20},    {OP_OP, 4, 0x05},    {OP_OP, 5, 0x05},
        {OP_OP, 6, 0x05},    {OP_OP, 7, 0x05},    {OP_OP, 1, 0x30},    {OP_OP, 5, 0x30},
        {OP_OP_32, 1, 0x30}, {OP_OP_32, 5, 0x30},
    };
    static const struct {
        uint8_t opcode, funct3;
        int16_t imm;
    } unary[] = {
        {OP_IMM, 1, 0x600},
        {OP_IMM, 1, 0x601},
        {OP_IMM, 1, 0x602},
        {OP_IMM_32, 1, 0x600},
        {OP_IMM_32, 1, 0x601},
        {OP_IMM_32, 1, 0x602},
        {OP_IMM, 1, 0x604},
        {OP_IMM, 1, 0x605},
        {OP_IMM, 5, 0x287},
        {OP_IMM, 5, 0x6b8},
        {OP_OP_32, 4, 0x080} /* zext.h */,
    };
    unsigned rd = near_destination(c), rs1 = source(c), which;

    switch (below(c, 5)) {
    case 0:
        return i_type(OP_IMM, 5, rd, rs1, (int32_t)(0x600 | below(c, 64))); /* rori */
    case 1:
        return chance(c, 50) ? i_type(OP_IMM_32, 5, rd, rs1, (int32_t)(0x600 | below(c, 32)))  /* roriw */
                             : i_type(OP_IMM_32, 1, rd, rs1, (int32_t)(0x080 | below(c, 64))); /* slli.uw */
    case 2:
        which = below(c, COUNT(unary));
        return i_type(unary[which].opcode, unary[which].funct3, rd, rs1, unary[which].imm);
    default:
        which = below(c, COUNT(registers));
        return r_type(registers[which].opcode, registers[which].funct3, registers[which].funct7, rd, rs1,
                      source(c));
    }
}

void unit_alu(struct code *c) { put(c, chance(c, 25) ? random_bitmanip(c) : random_alu(c)); }

uint16_t random_compressed(struct code *c) {
    unsigned rd = compressed_register(c), rs2 = 8 + below(c, 8);
    int32_t imm6 = (int32_t)below(c, 64) - 32;

    switch (below(c, 13)) {
    case 0:
        return c_ci(1, 0, chance(c, 10) ? 0 : rd, imm6); /* c.addi, c.nop and its hints */
    case 1:
        return c_ci(1, 1, rd, imm6); /* c.addiw */
    case 2:
        return c_ci(1, 2, destination(c), imm6); /* c.li */
    case 3:
        return c_ci(1, 3, rd, imm6 ? imm6 : 1); /* c.lui */
    case 4:
        return c_ci(2, 0, destination(c), imm6); /* c.slli */
    case 5:
        return c_cb_alu(0, rd, imm6);
    case 6:
        return c_cb_alu(1, rd, imm6);
    case 7:
        return c_cb_alu(2, rd, imm6);
    case 8:
        return c_ca(0, below(c, 4), rd, rs2);
    case 9:
        return c_ca(1, below(c, 2), rd, rs2);
    case 10:
        return c_cr(8, destination(c), 1 + below(c, 31)); /* c.mv */
    case 11:
        return c_cr(9, rd, 1 + below(c, 31)); /* c.add */
    default:
        return c_addi4spn(rd, 4 * (1 + below(c, 255)));
    }
}

void unit_compressed(struct code *c) {
    for (unsigned n = 1 + below(c, 3); n > 0; n--)
        put16(c, random_compressed(c));
}

void unit_muldiv(struct code *c) {
    static const uint8_t word_funct3[] = {0, 4, 5, 6, 7};
    unsigned rs1 = source(c), rs2 = source(c);

    if (chance(c, 15)) { /* operands that overflow or divide by zero */
        put(c, i_type(OP_IMM, 0, 11, 0, (int32_t)below(c, 3) - 1));
        rs2 = 11;
        if (chance(c, 50)) {
            put(c, i_type(OP_IMM, 0, 12, 0, 1));
            put(c, i_type(OP_IMM, 1, 12, 12, chance(c, 50) ? 63 : 31));
            rs1 = 12;
        }
    }
    if (chance(c, 60))
        put(c, r_type(OP_OP, below(c, 8), 1, near_destination(c), rs1, rs2));
    else
        put(c, r_type(OP_OP_32, word_funct3[below(c, 5)], 1, near_destination(c), rs1, rs2));
}
