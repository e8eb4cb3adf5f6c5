/* SPDX-License-Identifier: Apache-2.0 */
/* Emission of single instructions, registers and addresses; choices */
#include "units.h"

void put16(struct code *c, uint16_t insn) {
    if (c->used < c->room)
        c->half[c->used] = insn;
    c->used++;
}

void put(struct code *c, uint32_t insn) {
    put16(c, (uint16_t)insn);
    put16(c, (uint16_t)(insn >> 16));
}

void patch32(struct code *c, size_t at, uint32_t insn) {
    if (at + 1 >= c->room)
        return;
    c->half[at] = (uint16_t)insn;
    c->half[at + 1] = (uint16_t)(insn >> 16);
}

void patch16(struct code *c, size_t at, uint16_t insn) {
    if (at < c->room)
        c->half[at] = insn;
}

int32_t distance(const struct code *c, size_t from) { return 2 * (int32_t)(c->used - from); }

uint32_t below(struct code *c, uint32_t n) { return rng_below(c->rng, n); }

bool chance(struct code *c, unsigned percent) { return rng_chance(c->rng, percent); }

/* A register that may be written; now and then x0. */
unsigned destination(struct code *c) {
    static const uint8_t free_registers[] = {6, 7, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23};

    return chance(c, 3) ? 0 : free_registers[below(c, COUNT(free_registers))];
}

/* Mostly a few registers, so that instructions depend on each other; any register at times. */
unsigned source(struct code *c) { return chance(c, 60) ? 10 + below(c, 6) : below(c, 32); }

unsigned near_destination(struct code *c) { return chance(c, 60) ? 10 + below(c, 6) : destination(c); }

unsigned compressed_register(struct code *c) { return 10 + below(c, 6); }

int32_t imm12(struct code *c) {
    static const int16_t corners[] = {0, 1, -1, 2047, -2048, 4, 8};

    return chance(c, 40) ? corners[below(c, COUNT(corners))] : (int32_t)below(c, 4096) - 2048;
}

void load_immediate(struct code *c, unsigned rd, uint64_t value) {
    int64_t v = (int64_t)value;
    int32_t low = (int32_t)((v & 0xfff) ^ 0x800) - 0x800;
    int64_t rest = (int64_t)((uint64_t)v - (uint64_t)(int64_t)low);

    if (v >= -2048 && v < 2048) {
        put(c, i_type(OP_IMM, 0, rd, 0, (int32_t)v));
    } else if (v == (int32_t)v) {
        put(c, u_type(OP_LUI, rd, (uint32_t)(rest >> 12) & 0xfffff));
        put(c, i_type(OP_IMM_32, 0, rd, rd, low));
    } else {
        load_immediate(c, rd, (uint64_t)(rest >> 12));
        put(c, i_type(OP_IMM, 1, rd, rd, 12));
        put(c, i_type(OP_IMM, 0, rd, rd, low));
    }
}

/* rd = address, by auipc and addi */
void load_address(struct code *c, unsigned rd, uint64_t address) {
    int32_t delta = (int32_t)(address - code_address(c));
    int32_t low = ((delta & 0xfff) ^ 0x800) - 0x800;

    put(c, u_type(OP_AUIPC, rd, (uint32_t)(delta - low) >> 12));
    put(c, i_type(OP_IMM, 0, rd, rd, low));
}

/* rd = the address `halves` halfwords behind these two instructions */
void load_label(struct code *c, unsigned rd, unsigned halves) {
    put(c, u_type(OP_AUIPC, rd, 0));
    put(c, i_type(OP_IMM, 0, rd, rd, 8 + 2 * (int32_t)halves));
}

void pick(struct code *c, const struct weighted *table, size_t n) {
    unsigned total = 0, at;

    for (size_t i = 0; i < n; i++)
        total += table[i].weight;
    at = below(c, total);
    for (size_t i = 0; i < n; i++) {
        if (at < table[i].weight) {
            table[i].emit(c);
            return;
        }
        at -= table[i].weight;
    }
}
