/* SPDX-License-Identifier: Apache-2.0 */
/* Encodings of instructions, by format. Immediates as in assembly. */
#ifndef RANDOM_ENCODE_H
#define RANDOM_ENCODE_H

#include <stdint.h>

enum opcode {
    OP_LOAD = 0x03,
    OP_MISC_MEM = 0x0f,
    OP_IMM = 0x13,
    OP_AUIPC = 0x17,
    OP_IMM_32 = 0x1b,
    OP_STORE = 0x23,
    OP_AMO = 0x2f,
    OP_OP = 0x33,
    OP_LUI = 0x37,
    OP_OP_32 = 0x3b,
    OP_BRANCH = 0x63,
    OP_JALR = 0x67,
    OP_JAL = 0x6f,
    OP_SYSTEM = 0x73
};

static inline uint32_t bits(uint32_t value, unsigned high, unsigned low) {
    return value >> low & ((1u << (high - low + 1)) - 1);
}

static inline uint32_t r_type(unsigned opcode, unsigned funct3, unsigned funct7, unsigned rd, unsigned rs1,
                              unsigned rs2) {
    return funct7 << 25 | rs2 << 20 | rs1 << 15 | funct3 << 12 | rd << 7 | opcode;
}

static inline uint32_t i_type(unsigned opcode, unsigned funct3, unsigned rd, unsigned rs1, int32_t imm) {
    return (uint32_t)imm << 20 | rs1 << 15 | funct3 << 12 | rd << 7 | opcode;
}

static inline uint32_t s_type(unsigned opcode, unsigned funct3, unsigned rs1, unsigned rs2, int32_t imm) {
    uint32_t v = (uint32_t)imm;

    return bits(v, 11, 5) << 25 | rs2 << 20 | rs1 << 15 | funct3 << 12 | bits(v, 4, 0) << 7 | opcode;
}

static inline uint32_t b_type(unsigned funct3, unsigned rs1, unsigned rs2, int32_t offset) {
    uint32_t v = (uint32_t)offset;

    return bits(v, 12, 12) << 31 | bits(v, 10, 5) << 25 | rs2 << 20 | rs1 << 15 | funct3 << 12 |
           bits(v, 4, 1) << 8 | bits(v, 11, 11) << 7 | OP_BRANCH;
}

static inline uint32_t u_type(unsigned opcode, unsigned rd, uint32_t imm20) {
    return imm20 << 12 | rd << 7 | opcode;
}

static inline uint32_t j_type(unsigned rd, int32_t offset) {
    uint32_t v = (uint32_t)offset;

    return bits(v, 20, 20) << 31 | bits(v, 10, 1) << 21 | bits(v, 11, 11) << 20 | bits(v, 19, 12) << 12 |
           rd << 7 | OP_JAL;
}

/* Compressed. x8..x15 are given by their full number where the format has three bits. */
static inline uint16_t c_ci(unsigned quadrant, unsigned funct3, unsigned rd, int32_t imm) {
    uint32_t v = (uint32_t)imm;

    return (uint16_t)(funct3 << 13 | bits(v, 5, 5) << 12 | rd << 7 | bits(v, 4, 0) << 2 | quadrant);
}

static inline uint16_t c_cr(unsigned funct4, unsigned rd, unsigned rs2) {
    return (uint16_t)(funct4 << 12 | rd << 7 | rs2 << 2 | 2);
}

static inline uint16_t c_ca(unsigned bit12, unsigned funct2, unsigned rd, unsigned rs2) {
    return (uint16_t)(4u << 13 | bit12 << 12 | 3u << 10 | (rd - 8) << 7 | funct2 << 5 | (rs2 - 8) << 2 | 1);
}

/* srli 0, srai 1, andi 2 */
static inline uint16_t c_cb_alu(unsigned funct2, unsigned rd, int32_t imm) {
    uint32_t v = (uint32_t)imm;

    return (uint16_t)(4u << 13 | bits(v, 5, 5) << 12 | funct2 << 10 | (rd - 8) << 7 | bits(v, 4, 0) << 2 | 1);
}

static inline uint16_t c_word(unsigned funct3, unsigned reg, unsigned base, uint32_t offset) {
    return (uint16_t)(funct3 << 13 | bits(offset, 5, 3) << 10 | (base - 8) << 7 | bits(offset, 2, 2) << 6 |
                      bits(offset, 6, 6) << 5 | (reg - 8) << 2);
}

static inline uint16_t c_double(unsigned funct3, unsigned reg, unsigned base, uint32_t offset) {
    return (uint16_t)(funct3 << 13 | bits(offset, 5, 3) << 10 | (base - 8) << 7 | bits(offset, 7, 6) << 5 |
                      (reg - 8) << 2);
}

static inline uint16_t c_lwsp(unsigned rd, uint32_t offset) {
    return (uint16_t)(2u << 13 | bits(offset, 5, 5) << 12 | rd << 7 | bits(offset, 4, 2) << 4 |
                      bits(offset, 7, 6) << 2 | 2);
}

static inline uint16_t c_ldsp(unsigned rd, uint32_t offset) {
    return (uint16_t)(3u << 13 | bits(offset, 5, 5) << 12 | rd << 7 | bits(offset, 4, 3) << 5 |
                      bits(offset, 8, 6) << 2 | 2);
}

static inline uint16_t c_swsp(unsigned rs2, uint32_t offset) {
    return (uint16_t)(6u << 13 | bits(offset, 5, 2) << 9 | bits(offset, 7, 6) << 7 | rs2 << 2 | 2);
}

static inline uint16_t c_sdsp(unsigned rs2, uint32_t offset) {
    return (uint16_t)(7u << 13 | bits(offset, 5, 3) << 10 | bits(offset, 8, 6) << 7 | rs2 << 2 | 2);
}

static inline uint16_t c_addi4spn(unsigned rd, uint32_t imm) {
    return (uint16_t)(bits(imm, 5, 4) << 11 | bits(imm, 9, 6) << 7 | bits(imm, 2, 2) << 6 |
                      bits(imm, 3, 3) << 5 | (rd - 8) << 2);
}

static inline uint16_t c_j(int32_t offset) {
    uint32_t v = (uint32_t)offset;

    return (uint16_t)(5u << 13 | bits(v, 11, 11) << 12 | bits(v, 4, 4) << 11 | bits(v, 9, 8) << 9 |
                      bits(v, 10, 10) << 8 | bits(v, 6, 6) << 7 | bits(v, 7, 7) << 6 | bits(v, 3, 1) << 3 |
                      bits(v, 5, 5) << 2 | 1);
}

/* funct3: 6 c.beqz, 7 c.bnez */
static inline uint16_t c_branch(unsigned funct3, unsigned rs1, int32_t offset) {
    uint32_t v = (uint32_t)offset;

    return (uint16_t)(funct3 << 13 | bits(v, 8, 8) << 12 | bits(v, 4, 3) << 10 | (rs1 - 8) << 7 |
                      bits(v, 7, 6) << 5 | bits(v, 2, 1) << 3 | bits(v, 5, 5) << 2 | 1);
}

#endif
