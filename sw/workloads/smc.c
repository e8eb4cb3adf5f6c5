/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Self-modifying code: writes a little function over the last one, fence.i, calls it. Each multiplies by a
 * new constant, adds another, and has a random number of nops (16 bits) in front, so that the instructions
 * move.
 */
#include "input.h"
#include "workload.h"

enum { A0 = 10, T0 = 5, NOPS = 8 };

static uint16_t code[NOPS + 16] __attribute__((aligned(64)));

static void setup(void) {}

static uint16_t *emit32(uint16_t *p, uint32_t insn) {
    *p++ = (uint16_t)insn;
    *p++ = (uint16_t)(insn >> 16);
    return p;
}

static uint32_t addi(unsigned rd, unsigned rs1, int32_t imm) {
    return (uint32_t)imm << 20 | rs1 << 15 | rd << 7 | 0x13;
}

static uint32_t mul(unsigned rd, unsigned rs1, unsigned rs2) {
    return 1u << 25 | rs2 << 20 | rs1 << 15 | rd << 7 | 0x33;
}

static void generate(unsigned nops, int32_t factor, int32_t term) {
    uint16_t *p = code;

    while (nops--)
        *p++ = 0x0001; /* c.nop */
    p = emit32(p, addi(T0, 0, factor));
    p = emit32(p, mul(A0, A0, T0));
    p = emit32(p, addi(A0, A0, term));
    *p = 0x8082; /* ret */
    __asm__ volatile("fence.i" ::: "memory");
}

static uint64_t work(void) {
    uint64_t (*function)(uint64_t) = (uint64_t(*)(uint64_t))(uintptr_t)code;
    uint64_t state = SMC_SEED, value = 1;

    for (int i = 0; i < SMC_ROUNDS; i++) {
        uint32_t r = input_next(&state);

        generate(r % NOPS, (int32_t)(r >> 3 & 0x7ff), (int32_t)(r >> 20) - 2048);
        value = function(value);
        value = function(value | 1);
    }
    return value;
}

WORKLOAD("smc", setup, work, EXPECTED_SMC)
