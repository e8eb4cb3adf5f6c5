/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The body of a random program, unit by unit. A unit is a few instructions that may be executed in any mode:
 * what the mode does not allow traps and is skipped by the runtime, so the generator does not follow modes.
 *
 * Registers: x0; x1, x5 link; x2 (sp), x3 (gp), x8, x9 point to data; x4 (tp) resumes wild jumps; x27 passes,
 * x28..x31 loops; x25 and x26 point to data and to devices and to nothing else ever, so that a store through
 * them hits no code, even if a stale sepc leads into the middle of a unit; x24 likewise to where sample
 * records may lie. The rest is free. Code ends because loops count reserved registers, branches else go
 * forward, and every trap leads on.
 */
#include "random.h"

#include "encode.h"
#include "tally_events.h"
#include "tally_spec.h"

enum {
    RA = 1,
    SP = 2,
    GP = 3,
    TP = 4,
    T0 = 5,
    T1 = 6,
    T2 = 7,
    S0 = 8,
    S1 = 9,
    SAMPLES = 24,
    DATA = 25,
    DEVICE = 26,
    PASSES = 27,
    COUNTERS = 28
};

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static void simple_unit(struct code *c);
static void any_unit(struct code *c);
static void unit_return(struct code *c);

/* --- emission --- */

static void put16(struct code *c, uint16_t insn) {
    if (c->used < c->room)
        c->half[c->used] = insn;
    c->used++;
}

static void put(struct code *c, uint32_t insn) {
    put16(c, (uint16_t)insn);
    put16(c, (uint16_t)(insn >> 16));
}

static void patch32(struct code *c, size_t at, uint32_t insn) {
    if (at + 1 >= c->room)
        return;
    c->half[at] = (uint16_t)insn;
    c->half[at + 1] = (uint16_t)(insn >> 16);
}

static void patch16(struct code *c, size_t at, uint16_t insn) {
    if (at < c->room)
        c->half[at] = insn;
}

static int32_t distance(const struct code *c, size_t from) { return 2 * (int32_t)(c->used - from); }

static uint32_t below(struct code *c, uint32_t n) { return rng_below(c->rng, n); }

static bool chance(struct code *c, unsigned percent) { return rng_chance(c->rng, percent); }

/* A register that may be written; now and then x0. */
static unsigned destination(struct code *c) {
    static const uint8_t free_registers[] = {6, 7, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23};

    return chance(c, 3) ? 0 : free_registers[below(c, COUNT(free_registers))];
}

/* Mostly a few registers, so that instructions depend on each other; any register at times. */
static unsigned source(struct code *c) { return chance(c, 60) ? 10 + below(c, 6) : below(c, 32); }

static unsigned near_destination(struct code *c) { return chance(c, 60) ? 10 + below(c, 6) : destination(c); }

static unsigned compressed_register(struct code *c) { return 10 + below(c, 6); }

static int32_t imm12(struct code *c) {
    static const int16_t corners[] = {0, 1, -1, 2047, -2048, 4, 8};

    return chance(c, 40) ? corners[below(c, COUNT(corners))] : (int32_t)below(c, 4096) - 2048;
}

static void load_immediate(struct code *c, unsigned rd, uint64_t value) {
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
static void load_address(struct code *c, unsigned rd, uint64_t address) {
    int32_t delta = (int32_t)(address - code_address(c));
    int32_t low = ((delta & 0xfff) ^ 0x800) - 0x800;

    put(c, u_type(OP_AUIPC, rd, (uint32_t)(delta - low) >> 12));
    put(c, i_type(OP_IMM, 0, rd, rd, low));
}

/* rd = the address of what follows `halves` halfwords behind these two instructions */
static void load_label(struct code *c, unsigned rd, unsigned halves) {
    put(c, u_type(OP_AUIPC, rd, 0));
    put(c, i_type(OP_IMM, 0, rd, rd, 8 + 2 * (int32_t)halves));
}

/* --- computation --- */

static uint32_t random_alu(struct code *c) {
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

static void unit_alu(struct code *c) { put(c, chance(c, 25) ? random_bitmanip(c) : random_alu(c)); }

static uint16_t random_compressed(struct code *c) {
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

static void unit_compressed(struct code *c) {
    for (unsigned n = 1 + below(c, 3); n > 0; n--)
        put16(c, random_compressed(c));
}

static void unit_muldiv(struct code *c) {
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

/* --- memory --- */

static unsigned pointer(struct code *c) {
    static const uint8_t pointers[] = {SP, GP, S0, S0, S1, S1};

    return pointers[below(c, COUNT(pointers))];
}

/* Mostly a few neighbouring doublewords, so that accesses overlap; mostly aligned. */
static int32_t offset_for(struct code *c, unsigned size) {
    int32_t offset = chance(c, 85) ? (int32_t)below(c, 6) * 8 : ((int32_t)below(c, 512) - 256) * 8;

    offset += (int32_t)(below(c, 8 / size) * size);
    return chance(c, 1) ? offset + 1 + (int32_t)below(c, 3) : offset;
}

static void unit_load(struct code *c) {
    unsigned funct3 = below(c, 7);

    put(c, i_type(OP_LOAD, funct3, near_destination(c), pointer(c), offset_for(c, 1u << (funct3 & 3))));
}

static void unit_store(struct code *c) {
    unsigned funct3 = below(c, 4);

    put(c, s_type(OP_STORE, funct3, pointer(c), source(c), offset_for(c, 1u << funct3)));
}

/* A store and a load of bytes of it, some of it or more than it */
static void unit_forward(struct code *c) {
    unsigned base = pointer(c), store_size = below(c, 4), load = below(c, 7);
    int32_t offset = (int32_t)below(c, 8) * 8;
    int32_t inside = (int32_t)(below(c, 8u >> (load & 3)) << (load & 3));

    put(c, s_type(OP_STORE, store_size, base, source(c),
                  offset + (int32_t)(below(c, 8u >> store_size) << store_size)));
    if (chance(c, 30))
        put(c, s_type(OP_STORE, 0, base, source(c), offset + (int32_t)below(c, 8)));
    put(c, i_type(OP_LOAD, load, near_destination(c), base, offset + inside));
}

static void unit_compressed_memory(struct code *c) {
    unsigned reg = compressed_register(c), base = chance(c, 50) ? S0 : S1;

    switch (below(c, 8)) {
    case 0:
        put16(c, c_word(2, reg, base, 4 * below(c, 16)));
        break;
    case 1:
        put16(c, c_double(3, reg, base, 8 * below(c, 8)));
        break;
    case 2:
        put16(c, c_word(6, 8 + below(c, 8), base, 4 * below(c, 16)));
        break;
    case 3:
        put16(c, c_double(7, 8 + below(c, 8), base, 8 * below(c, 8)));
        break;
    case 4:
        put16(c, c_lwsp(reg, 4 * below(c, 16)));
        break;
    case 5:
        put16(c, c_ldsp(reg, 8 * below(c, 8)));
        break;
    case 6:
        put16(c, c_swsp(source(c), 4 * below(c, 16)));
        break;
    default:
        put16(c, c_sdsp(source(c), 8 * below(c, 8)));
    }
}

static void unit_amo(struct code *c) {
    static const uint8_t funct5[] = {0x00, 0x01, 0x04, 0x08, 0x0c, 0x10, 0x14, 0x18, 0x1c};
    unsigned size = 2 + below(c, 2);

    put(c, i_type(OP_IMM, 0, DATA, pointer(c), offset_for(c, 1u << size)));
    put(c, r_type(OP_AMO, size, (unsigned)funct5[below(c, COUNT(funct5))] << 2 | below(c, 4),
                  near_destination(c), DATA, source(c)));
}

static void unit_lr_sc(struct code *c) {
    unsigned size = 2 + below(c, 2), base = pointer(c);

    put(c, i_type(OP_IMM, 0, DATA, base, offset_for(c, 1u << size)));
    if (chance(c, 90))
        put(c, r_type(OP_AMO, size, 0x02 << 2 | below(c, 4), near_destination(c), DATA, 0));
    for (unsigned n = below(c, 4); n > 0; n--)
        put(c, r_type(OP_OP, 0, 0, 10 + below(c, 6), source(c), source(c)));
    if (chance(c, 15))
        put(c, s_type(OP_STORE, 3, base, source(c), offset_for(c, 8)));
    if (chance(c, 20)) /* another line, or another width */
        put(c, i_type(OP_IMM, 0, DATA, base, offset_for(c, 8)));
    put(c, r_type(OP_AMO, chance(c, 90) ? size : size ^ 1, 0x03 << 2 | below(c, 4), near_destination(c), DATA,
                  source(c)));
}

/* Move one of the pointers. */
static void unit_pointer(struct code *c) {
    unsigned reg = chance(c, 50) ? S0 : S1;
    uint64_t target = DATA_BASE + below(c, DATA_SIZE / 8) * 8;

    if (chance(c, 40)) /* meet the others, or the end of a page */
        target = DATA_BASE + (chance(c, 50) ? 0x8000 : 0x9000 - 24);
    if (chance(c, 15)) {
        load_address(c, SP, target & ~15ull);
        put16(c, c_ci(1, 3, SP, 0) | 1u << 6); /* c.addi16sp 16 */
        return;
    }
    if (chance(c, 15)) { /* for a moment, where every access or nearly every one traps in some mode */
        uint64_t other = chance(c, 30) ? target + 1 + below(c, 7)
                                       : (chance(c, 50) ? ALIAS_BASE : BIG_BASE) + target % DATA_SIZE;

        load_address(c, reg, other);
        for (unsigned n = 1 + below(c, 3); n > 0; n--)
            put(c, chance(c, 50)
                       ? i_type(OP_LOAD, below(c, 7), near_destination(c), reg, 8 * (int32_t)below(c, 4))
                       : s_type(OP_STORE, below(c, 4), reg, source(c), 8 * (int32_t)below(c, 4)));
    }
    load_address(c, reg, target);
}

/* --- misses, and what happens meanwhile --- */

/* DATA = the start of a line that is most likely not in the cache; lines around it are in reach. */
static void cold_line(struct code *c) {
    load_address(c, DATA, DATA_BASE + 0x800 + below(c, (DATA_SIZE - 0x1000) / 64) * 64);
}

/* Offset of a line in reach of DATA, and of something aligned in it */
static int32_t cold_offset(struct code *c, unsigned size) {
    return ((int32_t)below(c, 63) - 31) * 64 + (int32_t)(below(c, 64 / size) * size);
}

static void cold_load(struct code *c, unsigned rd) {
    unsigned funct3 = below(c, 7);

    put(c, i_type(OP_LOAD, funct3, rd, DATA, cold_offset(c, 1u << (funct3 & 3))));
}

/* Computation that does not need what x16 and up wait for */
static void independent(struct code *c) {
    unsigned rd = 10 + below(c, 6), rs1 = 10 + below(c, 6), rs2 = 10 + below(c, 6);

    switch (below(c, 8)) {
    case 0:
    case 1:
        put(c, r_type(OP_OP, below(c, 4), 1, rd, rs1, rs2)); /* mul.. */
        break;
    case 2:
        put(c, r_type(chance(c, 50) ? OP_OP : OP_OP_32, 4 + below(c, 4), 1, rd, rs1, rs2)); /* div.. */
        break;
    case 3:
        put(c, i_type(OP_IMM, 1, rd, rs1, (int32_t)(0x600 + below(c, 3)))); /* clz, ctz, cpop */
        break;
    case 4:
        put(c, s_type(OP_STORE, 3, S0, rs1, (int32_t)below(c, 8) * 8));
        break;
    case 5:
        put(c, i_type(OP_LOAD, 3, rd, S0, (int32_t)below(c, 8) * 8));
        break;
    case 6:
        put(c, b_type(below(c, 2), rs1, rs2, 8)); /* over one instruction, as often predicted wrong as not */
        put(c, r_type(OP_OP, 0, 0, rd, rs1, rs2));
        break;
    default:
        put(c, r_type(OP_OP, 0, below(c, 2) * 0x20, rd, rs1, rs2));
    }
}

/* Loads that miss, work behind them that does not need them, then their values */
static void unit_misses(struct code *c) {
    unsigned loads = 1 + below(c, 4);

    cold_line(c);
    for (unsigned n = 0; n < loads; n++) {
        cold_load(c, 16 + n);
        if (chance(c, 30))
            independent(c);
    }
    for (unsigned n = below(c, 8); n > 0; n--)
        independent(c);
    if (chance(c, 20)) /* into a line on its way */
        put(c, s_type(OP_STORE, 3, DATA, 10 + below(c, 6), cold_offset(c, 8)));
    for (unsigned n = 0; n < loads; n++)
        if (chance(c, 60))
            put(c, r_type(OP_OP, 0, 0, near_destination(c), 16 + n, source(c)));
}

/* A jump to where nothing is */
static void wild_jump(struct code *c) {
    static const uint64_t nowhere[] = {
        0,          0x40000000,         0x10000000,        0x8000000000,       1ull << 56,
        0xc0000000, 0xffffffff00000000, 0x4000000000,      0xffffffc000000000, 0x88000000,
        0x2000000,  0x100000000000,     0x7ffffffffffff000};

    load_immediate(c, T1, nowhere[below(c, COUNT(nowhere))]);
    put(c, i_type(OP_JALR, 0, chance(c, 80) ? 0 : 10, T1, (int32_t)below(c, 2)));
}

/* An exception between loads that miss. T1 points nowhere, or to pages that may not be used. */
static void unit_fault_among_misses(struct code *c) {
    static const uint64_t nowhere[] = {0x88000000, 0x7ffffff8, 0xc0000000, 0xffffffff00000000, 0x4000000000};
    unsigned kind = below(c, 8), size = 1 + below(c, 3);
    size_t at = c->used;

    put(c, 0); /* x4 for a jump astray: what follows it */
    put(c, 0);
    load_immediate(c, T1,
                   kind < 4 ? nowhere[below(c, COUNT(nowhere))]
                            : (chance(c, 50) ? ALIAS_BASE : DATA_BASE) + below(c, DATA_SIZE / 8) * 8);
    if (chance(c, 10))
        put(c, i_type(OP_MISC_MEM, 0, 0, 0, 0xff));
    cold_line(c);
    for (unsigned n = below(c, 4); n > 0; n--)
        cold_load(c, 16 + n);
    for (unsigned n = below(c, 3); n > 0; n--)
        independent(c);
    switch (kind) {
    case 0:
    case 1:
    case 4:
        put(c, i_type(OP_LOAD, below(c, 7), 10 + below(c, 6), T1, 0));
        break;
    case 2:
    case 5:
        put(c, s_type(OP_STORE, below(c, 4), T1, source(c), 0));
        break;
    case 3:
        put(c, 0xffffffff); /* illegal */
        break;
    case 6:
        if (chance(c, 50))
            put(c, i_type(OP_LOAD, size, 10 + below(c, 6), DATA, 1));
        else
            put(c, s_type(OP_STORE, size, DATA, source(c), 1));
        break;
    default:
        wild_jump(c);
    }
    if (kind == 7) {
        patch32(c, at, u_type(OP_AUIPC, TP, 0));
        patch32(c, at + 2, i_type(OP_IMM, 0, TP, TP, distance(c, at)));
    } else {
        patch32(c, at, i_type(OP_IMM, 0, 0, 0, 0));
        patch32(c, at + 2, i_type(OP_IMM, 0, 0, 0, 0));
    }
    for (unsigned n = below(c, 5); n > 0; n--)
        cold_load(c, 16 + n);
}

/* Stores and loads of every size around the border of two lines, so that some overlap and some only look
 * alike */
static void unit_alias(struct code *c) {
    unsigned missing = below(c, 3);

    cold_line(c);
    if (missing == 0) /* the oldest waits, so that stores stay in the queue and are not yet retired */
        put(c, i_type(OP_LOAD, 3, 16, DATA, 0x600));
    else if (missing == 1)
        put(c, i_type(OP_LOAD, 3, 16, DATA, 0)); /* the line itself comes */
    for (unsigned n = 3 + below(c, 8); n > 0; n--) {
        unsigned funct3 = below(c, 7), size = 1u << (funct3 & 3);
        int32_t offset = (int32_t)(below(c, 16 / size) * size) - 8;

        if (chance(c, 55))
            put(c, s_type(OP_STORE, funct3 & 3, DATA, source(c), offset));
        else
            put(c, i_type(OP_LOAD, funct3, 10 + below(c, 6), DATA, offset));
    }
}

/* Where nothing is, or a device; devices whose reading or writing disturbs nobody. */
static void unit_wild_access(struct code *c) {
    static const uint64_t anywhere[] = {0,
                                        0x40000000,
                                        0x7ffffff8,
                                        0x8000000000,
                                        0xffffffffffffff00,
                                        0xffffffc000000000,
                                        0x4000000000,
                                        0x3ffffff000,
                                        1ull << 56,
                                        0x88000000,
                                        0xc0000000};
    static const uint64_t readable[] = {0x10000005, 0x0200bff8, 0x02004000, 0x0c000028,
                                        0x0c001000, 0x10000002, 0x1000};
    static const uint64_t writable[] = {0x10000007, 0x0c000004, 0x0c000018};
    bool load = chance(c, 60);
    uint64_t address = anywhere[below(c, COUNT(anywhere))] + (chance(c, 10) ? below(c, 8) : 0);

    if (chance(c, 40))
        address = load ? readable[below(c, COUNT(readable))] : writable[below(c, COUNT(writable))];
    load_immediate(c, DEVICE, address);
    if (load)
        put(c, i_type(OP_LOAD, below(c, 7), near_destination(c), DEVICE, 0));
    else if (chance(c, 70))
        put(c, s_type(OP_STORE, address < 0x20000000 ? address < 0x0d000000 ? 2 : 0 : below(c, 4), DEVICE,
                      source(c), 0));
    else
        put(c, r_type(OP_AMO, 2 + below(c, 2), 0, near_destination(c), DEVICE, source(c)));
}

/* --- control flow --- */

/* Over one to three short units */
static void unit_branch(struct code *c) {
    static const uint8_t funct3[] = {0, 1, 4, 5, 6, 7};
    unsigned kind = funct3[below(c, 6)], rs1 = source(c), rs2 = source(c);
    bool compressed = chance(c, 30);
    size_t at = c->used;

    put16(c, 0);
    if (!compressed)
        put16(c, 0);
    for (unsigned n = 1 + below(c, 3); n > 0; n--)
        simple_unit(c);
    if (compressed)
        patch16(c, at, c_branch(6 + kind % 2, 8 + rs1 % 8, distance(c, at)));
    else
        patch32(c, at, b_type(kind, rs1, rs2, distance(c, at)));
}

static void unit_jump(struct code *c) {
    size_t at = c->used;

    switch (below(c, 4)) {
    case 0:
        put16(c, 0);
        simple_unit(c);
        patch16(c, at, c_j(distance(c, at)));
        break;
    case 1: {
        unsigned link = destination(c); /* a link that is none: other direct jump */

        put(c, 0);
        simple_unit(c);
        patch32(c, at, j_type(link, distance(c, at)));
        break;
    }
    case 2: /* indirect, by register and offset, with or without another link */
        load_label(c, T2, 2 + 2);
        put(c, i_type(OP_JALR, 0, chance(c, 50) ? 0 : 10 + below(c, 6), T2, (int32_t)below(c, 2)));
        put(c, random_alu(c));
        break;
    default:
        load_label(c, T2, 1 + 1);
        put16(c, c_cr(8, T2, 0)); /* c.jr */
        put16(c, random_compressed(c));
    }
}

static void unit_loop(struct code *c) {
    unsigned counter = COUNTERS + c->loops + (c->calls ? 2 : 0);
    unsigned turns = 1 + below(c, c->loops || c->calls ? 4 : 12);
    size_t top;

    if (c->loops >= (c->calls ? 1u : 2u) || c->calls == 2 || counter > 31) {
        simple_unit(c);
        return;
    }
    put(c, i_type(OP_IMM, 0, counter, 0, (int32_t)turns));
    c->loops++;
    top = c->used;
    for (unsigned n = 1 + below(c, 8); n > 0; n--)
        any_unit(c);
    c->loops--;
    put(c, i_type(OP_IMM, 0, counter, counter, -1));
    /* Until it is not positive: where a trap's return has led past the first instruction it begins at 0. */
    if (distance(c, top) < 4000) {
        put(c, b_type(4, 0, counter, -distance(c, top)));
    } else {
        put(c, b_type(5, 0, counter, 8));
        put(c, j_type(0, -distance(c, top)));
    }
}

/* A level-1 function returns by x1, a level-2 function by x5. */
static void unit_call(struct code *c) {
    unsigned link;
    uint64_t target;

    if (c->calls == 2) {
        simple_unit(c);
        return;
    }
    link = c->calls == 0 && chance(c, 60) ? RA : T0;
    target = link == RA ? c->level1[below(c, COUNT(c->level1))] : c->level2[below(c, COUNT(c->level2))];
    if (chance(c, 60)) {
        put(c, j_type(link, (int32_t)(target - code_address(c))));
    } else {
        load_address(c, T2, target);
        if (link == RA && chance(c, 50))
            put16(c, c_cr(9, T2, 0)); /* c.jalr */
        else
            put(c, i_type(OP_JALR, 0, link, T2, 0));
    }
}

/* jalr with both link registers: push and pop of a return-address stack at once */
static void unit_swap(struct code *c) {
    if (c->calls) {
        simple_unit(c);
        return;
    }
    if (chance(c, 50)) {
        load_label(c, T0, 2);
        put(c, i_type(OP_JALR, 0, RA, T0, 0));
    } else {
        load_label(c, RA, 2);
        put(c, i_type(OP_JALR, 0, T0, RA, 0));
    }
}

static void unit_wild_jump(struct code *c) {
    size_t at = c->used;

    put(c, 0);
    put(c, 0);
    wild_jump(c);
    patch32(c, at, u_type(OP_AUIPC, TP, 0));
    patch32(c, at + 2, i_type(OP_IMM, 0, TP, TP, distance(c, at)));
}

/* --- system --- */

static void csr(struct code *c, unsigned funct3, unsigned number, unsigned rd, unsigned rs1) {
    put(c, i_type(OP_SYSTEM, funct3, rd, rs1, (int32_t)number));
}

static const uint16_t counters[] = {TALLY_CSR_MCYCLE,           TALLY_CSR_MINSTRET,
                                    TALLY_CSR_MHPMCOUNTER3,     TALLY_CSR_MHPMCOUNTER3 + 1,
                                    TALLY_CSR_MHPMCOUNTER3 + 2, TALLY_CSR_MHPMCOUNTER3 + 15,
                                    TALLY_CSR_MHPMCOUNTER3 + 28};

static const uint16_t readable[] = {TALLY_CSR_CYCLE,
                                    TALLY_CSR_TIME,
                                    TALLY_CSR_INSTRET,
                                    TALLY_CSR_HPMCOUNTER3,
                                    TALLY_CSR_HPMCOUNTER3 + 1,
                                    TALLY_CSR_HPMCOUNTER3 + 28,
                                    TALLY_CSR_MCYCLE,
                                    TALLY_CSR_MINSTRET,
                                    TALLY_CSR_MHPMCOUNTER3,
                                    TALLY_CSR_MHPMCOUNTER3 + 2,
                                    TALLY_CSR_SCOUNTOVF,
                                    TALLY_CSR_MSTATUS,
                                    TALLY_CSR_SSTATUS,
                                    TALLY_CSR_MIP,
                                    TALLY_CSR_SIP,
                                    TALLY_CSR_MIE,
                                    TALLY_CSR_SIE,
                                    TALLY_CSR_MEPC,
                                    TALLY_CSR_MCAUSE,
                                    TALLY_CSR_MTVAL,
                                    TALLY_CSR_SEPC,
                                    TALLY_CSR_SCAUSE,
                                    TALLY_CSR_STVAL,
                                    TALLY_CSR_SATP,
                                    TALLY_CSR_MISA,
                                    TALLY_CSR_MHARTID,
                                    TALLY_CSR_PMPCFG0,
                                    TALLY_CSR_MEDELEG,
                                    TALLY_CSR_MIDELEG,
                                    TALLY_CSR_STIMECMP,
                                    TALLY_CSR_SHPMSPC,
                                    TALLY_CSR_SHPMSDATA,
                                    TALLY_CSR_MPDISCTL,
                                    TALLY_CSR_SPDISCTL,
                                    TALLY_CSR_SPDISCOUNTER,
                                    TALLY_CSR_SPDISEVMASK,
                                    TALLY_CSR_SPDISEVMATCH,
                                    TALLY_CSR_SPDISFILTER,
                                    TALLY_CSR_SPDISAMBCS,
                                    TALLY_CSR_SPDISAMBADDR};

static void unit_csr_read(struct code *c) {
    unsigned number = chance(c, 80) ? readable[below(c, COUNT(readable))] : below(c, 4096);

    if (chance(c, 50))
        csr(c, 2, number, near_destination(c), 0); /* csrr */
    else
        csr(c, 6 + below(c, 2), number, near_destination(c), 0); /* csrrsi, csrrci 0 */
}

/* Those that may hold anything */
static void unit_csr_write(struct code *c) {
    static const uint16_t any[] = {
        TALLY_CSR_SSTATUS,  TALLY_CSR_MCOUNTEREN,   TALLY_CSR_SCOUNTEREN,    TALLY_CSR_MCOUNTINHIBIT,
        TALLY_CSR_SSCRATCH, TALLY_CSR_SEPC,         TALLY_CSR_SCAUSE,        TALLY_CSR_STVAL,
        TALLY_CSR_MEPC,     TALLY_CSR_MCAUSE,       TALLY_CSR_MTVAL,         TALLY_CSR_MIP,
        TALLY_CSR_SIP,      TALLY_CSR_SIE,          TALLY_CSR_STIMECMP,      TALLY_CSR_SENVCFG,
        TALLY_CSR_MISA,     TALLY_CSR_MHARTID,      TALLY_CSR_CYCLE,         TALLY_CSR_MCYCLE,
        TALLY_CSR_MINSTRET, TALLY_CSR_MHPMCOUNTER3, TALLY_CSR_MCYCLECFG,     TALLY_CSR_MINSTRETCFG,
        TALLY_CSR_SISELECT, TALLY_CSR_SIREG,        TALLY_CSR_SCOUNTINHIBIT, TALLY_CSR_SHPMSPC,
        TALLY_CSR_SHPMSDATA};
    unsigned number = any[below(c, COUNT(any))], funct3 = 1 + below(c, 3);

    if (chance(c, 50))
        csr(c, funct3, number, near_destination(c), source(c));
    else
        csr(c, funct3 | 4, number, near_destination(c), below(c, 32));
}

/* Event, mode bits and OF of a counter; or a counter itself, often close to its overflow */
static void unit_counter(struct code *c) {
    unsigned n = below(c, 5);

    if (chance(c, 50)) {
        const struct tally_event *event = &tally_events[below(c, COUNT(tally_events))];

        load_immediate(c, T1, event->selector);
        load_immediate(c, T2, below(c, 64));
        put(c, i_type(OP_IMM, 1, T2, T2, 58));
        put(c, r_type(OP_OP, 6, 0, T1, T1, T2));
        csr(c, 1, TALLY_CSR_MHPMEVENT3 + n, near_destination(c), T1);
    } else {
        put(c, i_type(OP_IMM, 0, T1, 0, -1 - (int32_t)below(c, 60)));
        csr(c, 1, counters[below(c, COUNT(counters))], near_destination(c), T1);
    }
}

/* Registers in which some bits must stay as they are: set or clear bits of a mask. */
static void unit_csr_bits(struct code *c) {
    static const struct {
        uint16_t number;
        uint64_t set, clear;
    } fields[] = {
        {TALLY_CSR_MSTATUS, 0x7e19aa, 0x7e19aa},
        {TALLY_CSR_MSTATUS, 0x0c19aa, 0x7e19aa},
        {TALLY_CSR_MIE, 0x46aaa, 0x46a2a},   /* MTIE stays, so that WFI ends */
        {TALLY_CSR_MEDELEG, 0xb1ff, 0xb1ff}, /* the supervisor's ecall is the way to M-mode */
        {TALLY_CSR_MIDELEG, 0x46222, 0x46222},
        {TALLY_CSR_MENVCFG, 7ull << 60 | 1ull << 63, 7ull << 60 | 1ull << 63},
        {TALLY_CSR_MENVCFG, TALLY_MENVCFG_PDISS_MASK, TALLY_MENVCFG_PDISS_MASK},
        {TALLY_CSR_MSTATEEN0, 1ull << 63 | 1ull << 60 | 1ull << 53, 1ull << 63 | 1ull << 60 | 1ull << 53},
    };
    size_t which = below(c, COUNT(fields));
    bool set = chance(c, 55);
    uint64_t mask = set ? fields[which].set : fields[which].clear;

    load_immediate(c, T1, mask & rng_dense(c->rng));
    csr(c, set ? 2 : 3, fields[which].number, near_destination(c), T1);
}

/* Counters that are delegated: the window of siselect, open or not */
static void unit_delegated_counter(struct code *c) {
    static const uint16_t window[] = {TALLY_CSR_SIREG, TALLY_CSR_SIREG2, TALLY_CSR_SIREG3, TALLY_CSR_SIREG5};
    static const uint16_t others[] = {TALLY_CSR_SCOUNTINHIBIT, TALLY_CSR_SCOUNTOVF, TALLY_CSR_STIMECMP,
                                      TALLY_CSR_SCOUNTEREN};

    if (chance(c, 25)) { /* open or shut it, in M-mode */
        bool set = chance(c, 75);

        load_immediate(c, T1, 1ull << 63 | 1ull << 60);
        csr(c, set ? 2 : 3, TALLY_CSR_MENVCFG, 0, T1);
        csr(c, set ? 2 : 3, TALLY_CSR_MSTATEEN0, 0, T1);
        put(c, i_type(OP_IMM, 0, T1, 0, -1));
        csr(c, 1, TALLY_CSR_MCOUNTEREN, 0, T1);
    }
    if (chance(c, 70)) {
        load_immediate(c, T1, 0x40 + below(c, 33));
        csr(c, 1, TALLY_CSR_SISELECT, near_destination(c), T1);
    }
    for (unsigned n = 1 + below(c, 3); n > 0; n--) {
        unsigned number = chance(c, 70) ? window[below(c, COUNT(window))] : others[below(c, COUNT(others))];

        if (chance(c, 50))
            csr(c, 2, number, near_destination(c), 0);
        else
            csr(c, 1 + below(c, 3), number, near_destination(c), source(c));
    }
}

/* --- sampling --- */

/* The buffer: one, two or four pages of those for it, the pointer sometimes near the end of a page. */
static void sample_buffer(struct code *c) {
    uint64_t at = SAMPLES_BASE + (uint64_t)below(c, SAMPLES_SIZE / 4096) * 4096;
    uint64_t cs = (uint64_t)below(c, 3) << TALLY_SPDISAMBCS_SIZE_LSB | (uint64_t)below(c, 4)
                                                                           << TALLY_SPDISAMBCS_BMITH_LSB;

    if (chance(c, 4))
        load_immediate(c, SAMPLES, 0x10000000); /* no main memory */
    else
        load_address(c, SAMPLES, chance(c, 50) ? at : at + 4096 - (1 + below(c, 8)) * 64);
    csr(c, 1, TALLY_CSR_SPDISAMBADDR, 0, SAMPLES);
    cs |= chance(c, 90) ? TALLY_SPDISAMBCS_EN_MASK : 0;
    cs |= chance(c, 60) ? TALLY_SPDISAMBCS_BMIEN_MASK : 0;
    cs |= chance(c, 25) ? TALLY_SPDISAMBCS_SOF_MASK : 0;
    cs |= chance(c, 10) ? TALLY_SPDISAMBCS_WRAP_MASK : 0;
    load_immediate(c, T1, cs);
    csr(c, 1, TALLY_CSR_SPDISAMBCS, near_destination(c), T1);
}

/* Short periods, often shorter than an instruction's way through the pipeline */
static void sample_counter(struct code *c) {
    uint64_t period = chance(c, 30) ? 1 + below(c, 6) : 1 + below(c, 80);

    load_immediate(c, T1, (0 - period) << TALLY_SPDISCOUNTER_INITVAL_LSB | (uint32_t)(0 - below(c, 30) - 1));
    csr(c, 1, TALLY_CSR_SPDISCOUNTER, near_destination(c), T1);
}

static void sample_control(struct code *c) {
    uint64_t ctl = chance(c, 60) ? 0 : below(c, 8);

    ctl |= rng_next(c->rng) & 0xf8; /* HPM3 to 7 */
    ctl |= rng_dense(c->rng) & (TALLY_MPDISCTL_TS_MASK | TALLY_MPDISCTL_PA_MASK | TALLY_MPDISCTL_EPT_MASK |
                                TALLY_MPDISCTL_U_MASK | TALLY_MPDISCTL_S_MASK | TALLY_MPDISCTL_M_MASK);
    ctl |= chance(c, 65) ? TALLY_MPDISCTL_MEM_MASK : 0;
    ctl |= chance(c, 25) ? TALLY_MPDISCTL_ACC_MASK : 0;
    ctl |= chance(c, 40) ? TALLY_MPDISCTL_OF_MASK : 0;
    load_immediate(c, T1, ctl);
    csr(c, 1, chance(c, 70) ? TALLY_CSR_MPDISCTL : TALLY_CSR_SPDISCTL, near_destination(c), T1);
}

static void sample_filters(struct code *c) {
    bool all = chance(c, 50);
    uint64_t mask = all ? 0 : 1ull << below(c, 56) | (chance(c, 30) ? 7 : 0);

    load_immediate(c, T1, mask);
    csr(c, 1, TALLY_CSR_SPDISEVMASK, near_destination(c), T1);
    load_immediate(c, T1, chance(c, 60) ? below(c, 5) : rng_next(c->rng) & mask);
    csr(c, 1, TALLY_CSR_SPDISEVMATCH, near_destination(c), T1);
    load_immediate(c, T1, all || chance(c, 50) ? 0 : below(c, 40) | (uint64_t)below(c, 16) << 12);
    csr(c, 1, TALLY_CSR_SPDISFILTER, near_destination(c), T1);
}

/* The sample registers */
static void sample_access(struct code *c) {
    static const uint16_t window[] = {TALLY_CSR_SIREG,  TALLY_CSR_SIREG2, TALLY_CSR_SIREG3,
                                      TALLY_CSR_SIREG4, TALLY_CSR_SIREG5, TALLY_CSR_SIREG6};

    load_immediate(c, T1, 0x60 + chance(c, 10));
    csr(c, 1, TALLY_CSR_SISELECT, near_destination(c), T1);
    for (unsigned n = 1 + below(c, 6); n > 0; n--)
        csr(c, chance(c, 80) ? 2 : 1, window[below(c, COUNT(window))], near_destination(c),
            chance(c, 80) ? 0 : source(c));
}

/* What a handler acknowledges */
static void sample_acknowledge(struct code *c) {
    load_immediate(c, T1, TALLY_SPDISAMBCS_TF_MASK | TALLY_SPDISAMBCS_BMI_MASK | TALLY_SPDISAMBCS_WRAP_MASK);
    csr(c, 3, TALLY_CSR_SPDISAMBCS, near_destination(c), T1);
    load_immediate(c, T1, TALLY_MPDISCTL_OF_MASK);
    csr(c, 3, chance(c, 50) ? TALLY_CSR_MPDISCTL : TALLY_CSR_SPDISCTL, near_destination(c), T1);
}

/* Instructions are sampled, whatever is executed from here on: set up by M-mode, or by who may. */
static void unit_sampling(struct code *c) {
    static void (*const parts[])(struct code *) = {sample_buffer,  sample_counter,    sample_counter,
                                                   sample_control, sample_control,    sample_filters,
                                                   sample_access,  sample_acknowledge};
    unsigned which = below(c, COUNT(parts) + 1);

    if (!c->sampling)
        return;
    if (which < COUNT(parts))
        parts[which](c);
    else /* stop, or go on */
        csr(c, chance(c, 35) ? 6 : 7, chance(c, 70) ? TALLY_CSR_MCOUNTINHIBIT : TALLY_CSR_SCOUNTINHIBIT,
            near_destination(c), 2);
}

/* --- interrupts that come when they like --- */

/* What takes a while, or is in the way of others */
enum { SCENES = 15, SCENE_STORES = 4 };

static void scene(struct code *c, unsigned kind) {
    unsigned n = 2 + below(c, 5);

    switch (kind) {
    case 0:
        for (; n > 0; n--)
            put(c, r_type(OP_OP, 4 + below(c, 4), 1, 10 + below(c, 6), 10 + below(c, 6), 10 + below(c, 6)));
        break;
    case 1:
        for (; n > 0; n--)
            put(c, r_type(OP_OP, below(c, 4), 1, 10, 10, 10 + below(c, 6)));
        break;
    case 2: /* AMOs that wait for stores */
        for (; n > 0; n--) {
            put(c, s_type(OP_STORE, 3, S0, source(c), (int32_t)below(c, 8) * 8));
            if (chance(c, 70))
                unit_amo(c);
            else
                unit_lr_sc(c);
        }
        break;
    case 3: /* of the UART, which has nothing to say */
        load_immediate(c, DEVICE, 0x10000005);
        for (; n > 0; n--)
            put(c, i_type(OP_LOAD, 4, 10 + below(c, 6), DEVICE, 2 * (int32_t)below(c, 2)));
        break;
    case SCENE_STORES:
    case 12:
    case 13:
        cold_line(c); /* more stores than there is room for, on the bus and in the queue */
        for (unsigned loads = below(c, 3); loads > 0; loads--)
            cold_load(c, 16 + loads);
        for (n = 40; n > 0; n--)
            put(c, s_type(OP_STORE, 3, DATA, source(c), cold_offset(c, 8)));
        break;
    case 5:
    case 6:
        cold_line(c);
        for (; n > 0; n--)
            cold_load(c, 16 + below(c, 4));
        for (n = 8; n > 0; n--)
            put(c, r_type(OP_OP, 0, 0, 10 + below(c, 6), 10 + below(c, 6), 10 + below(c, 6)));
        break;
    case 7:
        for (; n > 0; n--)
            csr(c, 2, chance(c, 50) ? TALLY_CSR_SSCRATCH : TALLY_CSR_CYCLE, near_destination(c), 0);
        break;
    case 8:
        cold_line(c);
        put(c, s_type(OP_STORE, 3, DATA, source(c), 0));
        for (; n > 0; n--)
            put(c, i_type(OP_MISC_MEM, chance(c, 20), 0, 0, chance(c, 20) ? 0 : 0xff));
        break;
    case 9:
        for (n += 4; n > 0; n--) /* of pages far from each other */ {
            load_address(c, T2, DATA_BASE + below(c, DATA_SIZE / 8) * 8);
            put(c, i_type(OP_LOAD, 3, 10 + below(c, 6), T2, 0));
        }
        break;
    case 10:
        for (; n > 0; n--) {
            put(c, b_type(below(c, 2), 10 + below(c, 6), 10 + below(c, 6), 8));
            put(c, r_type(OP_OP, 4, 0, 10 + below(c, 6), 10 + below(c, 6), 10 + below(c, 6)));
        }
        break;
    case 11:
        for (n = 4; n > 0; n--) { /* to M-mode */
            load_immediate(c, T1, 3ull << 11 | 1ull << 7);
            csr(c, 2, TALLY_CSR_MSTATUS, 0, T1);
            load_label(c, T2, 4);
            csr(c, 1, TALLY_CSR_MEPC, 0, T2);
            put(c, 0x30200073);
        }
        break;
    default:
        put(c, 0x10500073); /* wfi */
        for (n = below(c, 3); n > 0; n--)
            put(c, OP_SYSTEM); /* ecall */
    }
}

/* Something that interrupts soon, whatever is under way then. Setting it up needs M-mode, mostly. */
static void unit_interrupt(struct code *c) {
    load_immediate(c, T1, 0x46aaa & rng_dense(c->rng));
    csr(c, 2, TALLY_CSR_MIE, 0, T1);
    if (chance(c, 60))
        csr(c, 6, chance(c, 70) ? TALLY_CSR_MSTATUS : TALLY_CSR_SSTATUS, 0, chance(c, 50) ? 10 : 8);
    if (chance(c, 40)) /* down to S- or U-mode, in which M-mode's interrupts are always on */
        unit_return(c);
    if (chance(c, 30))
        scene(c, SCENE_STORES);
    switch (below(c, 8)) {
    case 0: /* a store that takes its way to the ACLINT */
        load_immediate(c, DEVICE, 0x02000000);
        put(c, i_type(OP_IMM, 0, T1, 0, 1));
        put(c, s_type(OP_STORE, 2, DEVICE, T1, 0));
        break;
    case 1:
        load_immediate(c, DEVICE, 0x0200bff8);
        put(c, i_type(OP_LOAD, 3, T1, DEVICE, 0));
        put(c, i_type(OP_IMM, 0, T1, T1, 1 + (int32_t)below(c, 20)));
        load_immediate(c, DEVICE, 0x02004000);
        put(c, s_type(OP_STORE, 3, DEVICE, T1, 0));
        break;
    case 2: /* the UART's, by way of the PLIC: to M-mode or S-mode */
    {
        unsigned context = below(c, 2), stores = chance(c, 50) ? 40 : 0;

        if (stores)
            cold_line(c);
        load_immediate(c, DEVICE, 0x0c000000);
        put(c, i_type(OP_IMM, 0, T1, 0, 1));
        put(c, s_type(OP_STORE, 2, DEVICE, T1, 40));
        load_immediate(c, DEVICE, 0x0c002000 + 0x80 * context);
        put(c, i_type(OP_IMM, 0, T1, 0, 1 << 10));
        put(c, s_type(OP_STORE, 2, DEVICE, T1, 0));
        load_immediate(c, DEVICE, 0x0c200000 + 0x1000 * context);
        put(c, s_type(OP_STORE, 2, DEVICE, 0, 0));
        load_immediate(c, DEVICE, 0x10000000);
        put(c, i_type(OP_IMM, 0, T1, 0, 2));
        for (unsigned n = stores; n > 0; n--) /* the UART's turn comes when the queue is full */
            put(c, s_type(OP_STORE, 3, DATA, source(c), cold_offset(c, 8)));
        put(c, s_type(OP_STORE, 0, DEVICE, T1, 1));
        for (unsigned n = stores; n > 0; n--) /* ... and stays so */
            put(c, s_type(OP_STORE, 3, DATA, source(c), cold_offset(c, 8)));
        break;
    }
    case 3: /* set by software: at once, or when it is let through */
        load_immediate(c, T1, 1ull << (chance(c, 50) ? 14 : 18));
        csr(c, 2, chance(c, 70) ? TALLY_CSR_MIP : TALLY_CSR_SIP, 0, T1);
        break;
    default: { /* an overflow, of cycles or of anything */
        const struct tally_event *event = &tally_events[below(c, COUNT(tally_events))];

        load_immediate(c, T1,
                       chance(c, 40)   ? TALLY_EV_CYCLES_HART
                       : chance(c, 40) ? TALLY_EV_CYCLES_BUS
                                       : event->selector);
        csr(c, 1, TALLY_CSR_MHPMEVENT3, 0, T1);
        csr(c, 6 + below(c, 2), TALLY_CSR_MCOUNTERINEN, 0, 8); /* LCOFI, or the Andes interrupt */
        put(c, i_type(OP_IMM, 0, T1, 0, -1 - (int32_t)below(c, 120)));
        csr(c, 1, TALLY_CSR_MHPMCOUNTER3, 0, T1);
    }
    }
    for (unsigned n = 1 + below(c, 3); n > 0; n--)
        scene(c, below(c, SCENES));
}

static void unit_vectors(struct code *c) {
    bool machine = chance(c, 50);

    load_address(c, T1, RUNTIME_BASE + (machine ? RUNTIME_M_VECTORS : RUNTIME_S_VECTORS) + below(c, 2));
    csr(c, 1, machine ? TALLY_CSR_MTVEC : TALLY_CSR_STVEC, near_destination(c), T1);
}

static void unit_satp(struct code *c) {
    static const uint8_t modes[] = {8, 8, 8, 8, 0, 0, 9, 1};

    load_immediate(c, T1,
                   (uint64_t)modes[below(c, COUNT(modes))] << 60 | (uint64_t)below(c, 4) << 44 |
                       TABLES_BASE >> 12);
    csr(c, 1, TALLY_CSR_SATP, near_destination(c), T1);
    if (chance(c, 70))
        put(c, r_type(OP_SYSTEM, 0, 9, 0, chance(c, 50) ? 0 : source(c), chance(c, 50) ? 0 : source(c)));
}

static void unit_fence(struct code *c) {
    switch (below(c, 4)) {
    case 0:
        put(c, i_type(OP_MISC_MEM, 1, 0, 0, 0)); /* fence.i */
        break;
    case 1:
        put(c, r_type(OP_SYSTEM, 0, 9, 0, chance(c, 50) ? 0 : source(c), chance(c, 50) ? 0 : source(c)));
        break;
    default:
        put(c, i_type(OP_MISC_MEM, 0, 0, 0,
                      chance(c, 10) ? -0x7cd : (int32_t)below(c, 256))); /* fence, fence.tso */
    }
}

static void unit_ecall(struct code *c) { put(c, OP_SYSTEM); }

static void unit_trap(struct code *c) {
    static const uint32_t illegal[] = {0xffffffff,
                                       0x0000007f,
                                       0x00007003 /* LOAD 7 */,
                                       0x00004023 /* STORE 4 */,
                                       0x00002063 /* BRANCH 2 */,
                                       0x00001067 /* JALR 1 */,
                                       0x00004073 /* SYSTEM 4 */,
                                       0x0000200b /* custom-0 */,
                                       0x00002007 /* flw */,
                                       0x00003027 /* fsd */,
                                       0x00000053 /* fadd.s */,
                                       0x00000043 /* fmadd.s */,
                                       0x0000302f | 5u << 27 /* AMO 5 */,
                                       0x0000102f /* AMO, 2 bytes */,
                                       0xfe000033 /* OP, funct7 */,
                                       0x7e00003b,
                                       0x00200073 /* uret */,
                                       0x00300073,
                                       0x10101073 /* csrw of nothing */,
                                       0x00007013 | 0x3b /* OP-32 */,
                                       0x8000101b /* slliw, bit 31 */};
    static const uint16_t short_illegal[] = {0x0000,
                                             0x0004 /* c.addi4spn 0, rd x9 */,
                                             0x2000 /* c.fld */,
                                             0xa000,
                                             0x2002,
                                             0xa002,
                                             0x8000,
                                             0x6001 /* c.lui 0 */,
                                             0x2001 /* c.addiw x0 */,
                                             0x4002 /* c.lwsp x0 */,
                                             0x6002,
                                             0x8002 /* c.jr x0 */,
                                             0x9c41,
                                             0x9c61};

    switch (below(c, 4)) {
    case 0:
        put16(c, short_illegal[below(c, COUNT(short_illegal))]);
        break;
    case 1:
        if (chance(c, 50))
            put(c, 0x00100073); /* ebreak */
        else
            put16(c, 0x9002);
        break;
    default:
        put(c, illegal[below(c, COUNT(illegal))]);
    }
}

static void unit_wfi(struct code *c) { put(c, 0x10500073); }

/* A return to what follows, in whatever mode the status names */
static void unit_return(struct code *c) {
    bool machine = chance(c, 50);

    if (chance(c, 70)) {
        load_immediate(c, T1,
                       machine ? (uint64_t)below(c, 4) << 11 | below(c, 2) << 7
                               : below(c, 2) << 8 | below(c, 2) << 5);
        csr(c, 2 + below(c, 2), machine ? TALLY_CSR_MSTATUS : TALLY_CSR_SSTATUS, 0, T1);
    }
    load_label(c, T2, 4);
    csr(c, 1, machine ? TALLY_CSR_MEPC : TALLY_CSR_SEPC, 0, T2);
    put(c, machine ? 0x30200073 : 0x10200073);
}

/* A slot of 32 bits that is written (to one fixed instruction, or two short ones) before it is executed */
static void unit_self_modifying(struct code *c) {
    size_t at = c->used, slot;
    uint32_t fresh =
        chance(c, 50) ? random_alu(c) : random_compressed(c) | (uint32_t)random_compressed(c) << 16;

    put(c, 0);
    put(c, 0);
    load_immediate(c, T1, (uint64_t)(int64_t)(int32_t)fresh);
    put(c, s_type(OP_STORE, 2, T2, T1, 0));
    put(c, i_type(OP_MISC_MEM, 1, 0, 0, 0)); /* fence.i */
    if (chance(c, 50))
        unit_alu(c);
    if (c->used % 2)
        put16(c, 1); /* c.nop */
    slot = c->used;
    put(c, random_alu(c));
    patch32(c, at, u_type(OP_AUIPC, T2, 0));
    patch32(c, at + 2, i_type(OP_IMM, 0, T2, T2, 2 * (int32_t)(slot - at)));
}

/* --- the mixture --- */

struct weighted {
    void (*emit)(struct code *c);
    unsigned weight;
};

static void pick(struct code *c, const struct weighted *table, size_t n) {
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

/* Short, and without labels of their own: what branches jump over */
static void simple_unit(struct code *c) {
    static const struct weighted table[] = {
        {unit_alu, 40},   {unit_compressed, 20},       {unit_load, 14},   {unit_store, 10},
        {unit_muldiv, 8}, {unit_compressed_memory, 8}, {unit_csr_read, 1}};

    pick(c, table, COUNT(table));
}

static void any_unit(struct code *c) {
    static const struct weighted table[] = {
        {unit_alu, 220},
        {unit_compressed, 150},
        {unit_muldiv, 60},
        {unit_load, 110},
        {unit_store, 80},
        {unit_forward, 40},
        {unit_misses, 30},
        {unit_fault_among_misses, 10},
        {unit_alias, 20},
        {unit_interrupt, 12},
        {unit_delegated_counter, 8},
        {unit_sampling, 14},
        {unit_compressed_memory, 50},
        {unit_amo, 16},
        {unit_lr_sc, 12},
        {unit_pointer, 20},
        {unit_wild_access, 2},
        {unit_branch, 110},
        {unit_jump, 20},
        {unit_loop, 16},
        {unit_call, 30},
        {unit_swap, 4},
        {unit_wild_jump, 2},
        {unit_csr_read, 9},
        {unit_csr_write, 6},
        {unit_counter, 4},
        {unit_csr_bits, 4},
        {unit_vectors, 1},
        {unit_satp, 2},
        {unit_fence, 6},
        {unit_ecall, 5},
        {unit_trap, 3},
        {unit_wfi, 1},
        {unit_return, 2},
        {unit_self_modifying, 5},
    };

    pick(c, table, COUNT(table));
}

static uint64_t function(struct code *c, unsigned level) {
    uint64_t start = code_address(c);
    unsigned link = level == 1 ? RA : T0;

    c->calls = level;
    for (unsigned n = 1 + below(c, 10); n > 0; n--)
        any_unit(c);
    c->calls = 0;
    if (level == 1 && chance(c, 50))
        put16(c, c_cr(8, link, 0)); /* c.jr */
    else
        put(c, i_type(OP_JALR, 0, 0, link, 0));
    return start;
}

uint64_t generate_code(struct code *c, unsigned length, unsigned passes) {
    uint64_t start, body;

    for (size_t i = 0; i < COUNT(c->level2); i++)
        c->level2[i] = function(c, 2);
    for (size_t i = 0; i < COUNT(c->level1); i++)
        c->level1[i] = function(c, 1);
    start = code_address(c);
    put(c, i_type(OP_IMM, 0, PASSES, 0, (int32_t)passes));
    body = code_address(c);
    if (c->sampling) {
        sample_buffer(c);
        sample_counter(c);
        sample_control(c);
    }
    for (unsigned n = 0; n < length; n++)
        any_unit(c);
    put(c, i_type(OP_IMM, 0, PASSES, PASSES, -1));
    put(c, b_type(0, PASSES, 0, 8));
    put(c, j_type(0, (int32_t)(body - code_address(c))));
    load_immediate(c, T2, FINISH_PC);
    put(c, i_type(OP_JALR, 0, 0, T2, 0));
    return c->used <= c->room ? start : 0;
}
