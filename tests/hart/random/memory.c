/* SPDX-License-Identifier: Apache-2.0 */
/* Loads, stores, AMOs, LR and SC; misses, overlaps, faults */
#include "units.h"

unsigned pointer(struct code *c) {
    static const uint8_t pointers[] = {SP, GP, S0, S0, S1, S1};

    return pointers[below(c, COUNT(pointers))];
}

/* Mostly a few neighbouring doublewords, so that accesses overlap; mostly aligned. */
static int32_t offset_for(struct code *c, unsigned size) {
    int32_t offset = chance(c, 85) ? (int32_t)below(c, 6) * 8 : ((int32_t)below(c, 512) - 256) * 8;

    offset += (int32_t)(below(c, 8 / size) * size);
    return chance(c, 1) ? offset + 1 + (int32_t)below(c, 3) : offset;
}

void unit_load(struct code *c) {
    unsigned funct3 = below(c, 7);

    put(c, i_type(OP_LOAD, funct3, near_destination(c), pointer(c), offset_for(c, 1u << (funct3 & 3))));
}

void unit_store(struct code *c) {
    unsigned funct3 = below(c, 4);

    put(c, s_type(OP_STORE, funct3, pointer(c), source(c), offset_for(c, 1u << funct3)));
}

/* A store and a load of bytes of it, some of it or more than it */
void unit_forward(struct code *c) {
    unsigned base = pointer(c), store_size = below(c, 4), load = below(c, 7);
    int32_t offset = (int32_t)below(c, 8) * 8;
    int32_t inside = (int32_t)(below(c, 8u >> (load & 3)) << (load & 3));

    put(c, s_type(OP_STORE, store_size, base, source(c),
                  offset + (int32_t)(below(c, 8u >> store_size) << store_size)));
    if (chance(c, 30))
        put(c, s_type(OP_STORE, 0, base, source(c), offset + (int32_t)below(c, 8)));
    put(c, i_type(OP_LOAD, load, near_destination(c), base, offset + inside));
}

void unit_compressed_memory(struct code *c) {
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

void unit_amo(struct code *c) {
    static const uint8_t funct5[] = {0x00, 0x01, 0x04, 0x08, 0x0c, 0x10, 0x14, 0x18, 0x1c};
    unsigned size = 2 + below(c, 2);

    put(c, i_type(OP_IMM, 0, DATA, pointer(c), offset_for(c, 1u << size)));
    put(c, r_type(OP_AMO, size, (unsigned)funct5[below(c, COUNT(funct5))] << 2 | below(c, 4),
                  near_destination(c), DATA, source(c)));
}

void unit_lr_sc(struct code *c) {
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
void unit_pointer(struct code *c) {
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

/* --- misses, and other accesses meanwhile --- */

/* DATA = the start of a line that is most likely not in the cache; lines around it are in reach. */
void cold_line(struct code *c) {
    load_address(c, DATA, DATA_BASE + 0x800 + below(c, (DATA_SIZE - 0x1000) / 64) * 64);
}

/* Offset of a line in reach of DATA, and of something aligned in it */
int32_t cold_offset(struct code *c, unsigned size) {
    return ((int32_t)below(c, 63) - 31) * 64 + (int32_t)(below(c, 64 / size) * size);
}

void cold_load(struct code *c, unsigned rd) {
    unsigned funct3 = below(c, 7);

    put(c, i_type(OP_LOAD, funct3, rd, DATA, cold_offset(c, 1u << (funct3 & 3))));
}

/* Computation that does not depend on x16 and up */
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
void unit_misses(struct code *c) {
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
void wild_jump(struct code *c) {
    static const uint64_t nowhere[] = {
        0,          0x40000000,         0x10000000,        0x8000000000,       1ull << 56,
        0xc0000000, 0xffffffff00000000, 0x4000000000,      0xffffffc000000000, 0x88000000,
        0x2000000,  0x100000000000,     0x7ffffffffffff000};

    load_immediate(c, T1, nowhere[below(c, COUNT(nowhere))]);
    put(c, i_type(OP_JALR, 0, chance(c, 80) ? 0 : 10, T1, (int32_t)below(c, 2)));
}

/* An exception between loads that miss. T1 points nowhere, or to pages that may not be used. */
void unit_fault_among_misses(struct code *c) {
    static const uint64_t nowhere[] = {0x88000000, 0x7ffffff8, 0xc0000000, 0xffffffff00000000, 0x4000000000};
    unsigned kind = below(c, 8), size = 1 + below(c, 3);
    size_t at = c->used;

    put(c, 0); /* x4 for a wild jump: the next instruction */
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
void unit_alias(struct code *c) {
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

/* Unmapped addresses, or devices without side effects of the access */
void unit_wild_access(struct code *c) {
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
