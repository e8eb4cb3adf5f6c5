// SPDX-License-Identifier: Apache-2.0
/*
 * Loads, stores, atomics: values, extension, reports, alignment, devices, fetch, the reservation.
 */
#include "rig.h"

#define DATA (RIG_RAM + 0x4000)

static const struct gh_retire *load(struct rig *r, unsigned funct3, uint64_t addr) {
    rig_set_reg(r, 1, addr);
    return rig_exec(r, enc_i(0x03, funct3, 3, 1, 0));
}

static const struct gh_retire *store(struct rig *r, unsigned funct3, uint64_t addr, uint64_t value) {
    rig_set_reg(r, 1, addr);
    rig_set_reg(r, 2, value);
    return rig_exec(r, enc_s(funct3, 1, 2, 0));
}

static const struct gh_retire *amo(struct rig *r, unsigned funct5, unsigned funct3, uint64_t addr,
                                   uint64_t value) {
    rig_set_reg(r, 1, addr);
    rig_set_reg(r, 2, value);
    return rig_exec(r, enc_amo(funct5, funct3, 3, 1, funct5 == 2 ? 0 : 2));
}

enum { AMO_ADD = 0x00, AMO_SWAP = 0x01, LR = 0x02, SC = 0x03, AMO_XOR = 0x04, AMO_OR = 0x08, AMO_AND = 0x0C };
enum { AMO_MIN = 0x10, AMO_MAX = 0x14, AMO_MINU = 0x18, AMO_MAXU = 0x1C };

/* --- loads and stores */

static void test_loads(struct rig *r) {
    static const struct {
        unsigned funct3, offset;
        uint64_t value; /* as RV64 */
        bool rv32;
    } row[] = {
        {0, 0, 0xFFFFFFFFFFFFFFF0, true},
        {0, 1, 0xFFFFFFFFFFFFFFDE, true},
        {0, 7, 0x12, true},
        {1, 0, 0xFFFFFFFFFFFFDEF0, true},
        {1, 2, 0xFFFFFFFFFFFF9ABC, true},
        {1, 6, 0x1234, true},
        {2, 0, 0xFFFFFFFF9ABCDEF0, true},
        {2, 4, 0x12345678, true},
        {3, 0, 0x123456789ABCDEF0, false},
        {4, 0, 0xF0, true},
        {4, 1, 0xDE, true},
        {5, 0, 0xDEF0, true},
        {5, 2, 0x9ABC, true},
        {6, 0, 0x9ABCDEF0, false},
        {6, 4, 0x12345678, false},
    };
    bool rv32 = r->h->cfg.xlen == 32;

    rig_put(r, DATA, 8, 0x123456789ABCDEF0);
    for (unsigned i = 0; i < sizeof row / sizeof row[0]; i++) {
        const struct gh_retire *out = load(r, row[i].funct3, DATA + row[i].offset);
        if (rv32 && !row[i].rv32) {
            CHECK_EQ(out->cause, TALLY_EXC_ILLEGAL, "RV32 load funct3 %u", row[i].funct3);
            continue;
        }
        CHECK_EQ(out->rd_value, rv32 ? row[i].value & UINT32_MAX : row[i].value, "load funct3 %u at %u",
                 row[i].funct3, row[i].offset);
        CHECK_EQ(out->mem, GH_MEM_LOAD, "a load");
        CHECK_EQ(out->mem_size, 1U << (row[i].funct3 & 3), "size");
        CHECK_EQ(out->mem_paddr, DATA + row[i].offset, "address");
    }
    CHECK_EQ(load(r, 7, DATA)->cause, TALLY_EXC_ILLEGAL, "load funct3 7");
    rig_set_reg(r, 1, DATA + 0x800);
    CHECK_EQ(rig_exec(r, enc_i(0x03, 4, 3, 1, -2048))->rd_value, 0xF0, "smallest offset");
    rig_set_reg(r, 1, DATA - 2047);
    CHECK_EQ(rig_exec(r, enc_i(0x03, 4, 3, 1, 2047))->rd_value, 0xF0, "largest offset");
}

static void test_stores(struct rig *r) {
    static const uint64_t after[] = {0x11111111111111F0, 0x111111111111DEF0, 0x111111119ABCDEF0,
                                     0x123456789ABCDEF0};
    unsigned n = r->h->cfg.xlen == 32 ? 3 : 4;

    for (unsigned f3 = 0; f3 < n; f3++) {
        const struct gh_retire *out;
        rig_put(r, DATA, 8, 0x1111111111111111);
        out = store(r, f3, DATA, 0x123456789ABCDEF0);
        CHECK_EQ(rig_get(r, DATA, 8), after[f3], "store funct3 %u", f3);
        CHECK_EQ(out->mem, GH_MEM_STORE, "a store");
        CHECK_EQ(out->mem_wdata, after[f3] & (f3 == 3 ? UINT64_MAX : BIT(8 << f3) - 1),
                 "only the bytes stored");
        CHECK_EQ(out->rd_we, 0, "no register");
    }
    for (unsigned f3 = n; f3 < 8; f3++)
        CHECK_EQ(store(r, f3, DATA, 0)->cause, TALLY_EXC_ILLEGAL, "store funct3 %u", f3);
}

static void test_misaligned(struct rig *r) {
    for (unsigned offset = 1; offset < 8; offset++)
        for (unsigned f3 = 0; f3 < (r->h->cfg.xlen == 32 ? 3U : 4U); f3++) {
            bool bad = offset % (1U << f3) != 0;
            const struct gh_retire *out = load(r, f3, DATA + offset);
            CHECK_EQ(out->trap ? out->cause : 99, bad ? TALLY_EXC_LOAD_MISALIGNED : 99, "load %u at %u", f3,
                     offset);
            if (bad)
                CHECK_EQ(out->tval, DATA + offset, "tval");
            out = store(r, f3, DATA + offset, 0);
            CHECK_EQ(out->trap ? out->cause : 99, bad ? TALLY_EXC_STORE_MISALIGNED : 99, "store %u at %u", f3,
                     offset);
        }
    CHECK_EQ(load(r, 1, 0x1)->cause, TALLY_EXC_LOAD_MISALIGNED, "misaligned comes before access fault");
    CHECK_EQ(amo(r, LR, 2, DATA + 2, 0)->cause, TALLY_EXC_LOAD_MISALIGNED, "LR");
    CHECK_EQ(amo(r, SC, 2, DATA + 2, 0)->cause, TALLY_EXC_STORE_MISALIGNED, "SC");
    CHECK_EQ(amo(r, AMO_ADD, 2, DATA + 1, 0)->cause, TALLY_EXC_STORE_MISALIGNED, "AMO");
}

/* Physical addresses without memory; the ends of main memory; devices. */
static void test_regions(struct rig *r) {
    const uint64_t end = RIG_RAM + RIG_RAM_SIZE;
    const struct gh_retire *out;

    CHECK_EQ(load(r, 2, end - 4)->trap, 0, "last word");
    CHECK_EQ(load(r, 2, end)->cause, TALLY_EXC_LOAD_ACCESS, "behind the last word");
    CHECK_EQ(store(r, 2, end, 0)->cause, TALLY_EXC_STORE_ACCESS, "behind the last word");
    CHECK_EQ(r->out.tval, end, "tval");
    CHECK_EQ(load(r, 2, RIG_RAM - 4)->cause, TALLY_EXC_LOAD_ACCESS, "before the first word");
    CHECK_EQ(load(r, 2, 0)->cause, TALLY_EXC_LOAD_ACCESS, "nothing at 0");
    if (r->h->cfg.xlen == 64) {
        CHECK_EQ(load(r, 2, RIG_RAM | BIT(56))->cause, TALLY_EXC_LOAD_ACCESS,
                 "physical addresses have 56 bits");
        CHECK_EQ(store(r, 2, RIG_RAM | BIT(63), 0)->cause, TALLY_EXC_STORE_ACCESS,
                 "physical addresses have 56 bits");
    }

    out = store(r, 2, RIG_DEVICE, 0x89ABCDEF);
    CHECK_EQ(out->mem_device, 1, "device store");
    CHECK_EQ(r->device, 0x89ABCDEF, "the device has it");
    out = load(r, 2, RIG_DEVICE);
    CHECK_EQ(out->rd_value, sext(0x89ABCDEF, 32) & r->h->xmask, "device load is sign-extended");
    CHECK_EQ(out->mem_device, 1, "device load");
    CHECK_EQ(load(r, 0, RIG_DEVICE)->rd_value, sext(0xEF, 8) & r->h->xmask, "only the bytes asked for");
    CHECK_EQ(amo(r, LR, 2, RIG_DEVICE, 0)->cause, TALLY_EXC_LOAD_ACCESS, "LR of a device");
    CHECK_EQ(amo(r, SC, 2, RIG_DEVICE, 0)->cause, TALLY_EXC_STORE_ACCESS, "SC of a device");
    CHECK_EQ(amo(r, AMO_OR, 2, RIG_DEVICE, 0)->cause, TALLY_EXC_STORE_ACCESS, "AMO of a device");
}

static void test_fetch(struct rig *r) {
    const uint64_t end = RIG_RAM + RIG_RAM_SIZE;

    r->rom[0] = 0x0293; /* li t0, 0x7f */
    r->rom[1] = 0x07F0;
    r->rom[7] = 0x0293; /* first half of an instruction that the ROM does not hold */
    r->h->pc = RIG_ROM;
    gh_step(r->h, NULL, &r->out);
    CHECK_EQ(r->out.rd_value, 0x7F, "from the ROM");
    r->h->pc = RIG_ROM + 14;
    gh_step(r->h, NULL, &r->out);
    CHECK_EQ(r->out.cause, TALLY_EXC_INSN_ACCESS, "second half missing");
    CHECK_EQ(r->out.epc, RIG_ROM + 14, "epc is the instruction");
    CHECK_EQ(r->out.tval, RIG_ROM + 16, "tval is the half");
    CHECK_EQ(r->out.insn, 0, "no instruction");
    r->h->pc = RIG_DEVICE;
    gh_step(r->h, NULL, &r->out);
    CHECK_EQ(r->out.cause, TALLY_EXC_INSN_ACCESS, "no fetch from devices");
    rig_put(r, end - 2, 2, 0x0001);
    r->h->pc = end - 2;
    gh_step(r->h, NULL, &r->out);
    CHECK_EQ(r->out.trap, 0, "compressed in the last halfword: the next is not looked at");
    gh_step(r->h, NULL, &r->out);
    CHECK_EQ(r->out.cause, TALLY_EXC_INSN_ACCESS, "and then off the end");
    CHECK_EQ(r->out.tval, end, "tval");

    /* Code that changes: memory decides. */
    CHECK_EQ(rig_exec(r, enc_i(0x13, 0, 3, 0, 1))->rd_value, 1, "li 1");
    CHECK_EQ(rig_exec(r, enc_i(0x13, 0, 3, 0, 2))->rd_value, 2, "li 2 in the same place");
    CHECK_EQ(rig_exec(r, 0x0000100F)->trap, 0, "fence.i");
    CHECK_EQ(rig_exec(r, 0xFFFF8F8F)->trap, 0, "fence with every reserved field set");
    CHECK_EQ(rig_exec(r, 0x0000200F)->cause, TALLY_EXC_ILLEGAL, "cbo: not here");
}

/* --- atomics */

static const struct {
    unsigned funct5;
    uint64_t old, operand, w, d; /* results of the W and the D form */
} amos[] = {
    {AMO_ADD, 0x7FFFFFFF, 1, 0x80000000, 0x80000000},
    {AMO_ADD, 0xFFFFFFFFFFFFFFFF, 2, 1, 1},
    {AMO_SWAP, 0x1111111122222222, 0x3333333344444444, 0x44444444, 0x3333333344444444},
    {AMO_XOR, 0xFF00FF00FF00FF00, 0x0FF00FF00FF00FF0, 0xF0F0F0F0, 0xF0F0F0F0F0F0F0F0},
    {AMO_OR, 0xFF00FF00FF00FF00, 0x0FF00FF00FF00FF0, 0xFFF0FFF0, 0xFFF0FFF0FFF0FFF0},
    {AMO_AND, 0xFF00FF00FF00FF00, 0x0FF00FF00FF00FF0, 0x0F000F00, 0x0F000F000F000F00},
    {AMO_MIN, 0x00000000FFFFFFFF, 1, 0xFFFFFFFF, 1},
    {AMO_MAX, 0x00000000FFFFFFFF, 1, 1, 0xFFFFFFFF},
    {AMO_MINU, 0x00000000FFFFFFFF, 1, 1, 1},
    {AMO_MAXU, 0x00000000FFFFFFFF, 1, 0xFFFFFFFF, 0xFFFFFFFF},
    {AMO_MIN, 0x7FFFFFFF80000000, 0x7FFFFFFF7FFFFFFF, 0x80000000, 0x7FFFFFFF7FFFFFFF},
    {AMO_MAX, 0x8000000000000000, 0x7FFFFFFFFFFFFFFF, 0, 0x7FFFFFFFFFFFFFFF},
    {AMO_MINU, 0x8000000000000000, 0x7FFFFFFFFFFFFFFF, 0, 0x7FFFFFFFFFFFFFFF},
    {AMO_MAXU, 0x8000000000000000, 0x7FFFFFFFFFFFFFFF, 0xFFFFFFFF, 0x8000000000000000},
    {AMO_MIN, 5, 5, 5, 5},
    {AMO_MAXU, 0, 0, 0, 0},
};

static void test_amo_values(struct rig *r) {
    bool rv32 = r->h->cfg.xlen == 32;

    for (unsigned i = 0; i < sizeof amos / sizeof amos[0]; i++) {
        const struct gh_retire *out;
        rig_put(r, DATA, 8, amos[i].old);
        out = amo(r, amos[i].funct5, 2, DATA, amos[i].operand);
        CHECK_EQ(out->rd_value, sext(amos[i].old, 32) & r->h->xmask, "row %u: old word", i);
        CHECK_EQ(rig_get(r, DATA, 4), amos[i].w, "row %u: new word", i);
        CHECK_EQ(rig_get(r, DATA + 4, 4), amos[i].old >> 32, "row %u: the word beside it", i);
        CHECK_EQ(out->mem_wdata, amos[i].w, "row %u: report", i);
        CHECK_EQ(out->mem, GH_MEM_AMO, "row %u", i);
        rig_put(r, DATA, 8, amos[i].old);
        out = amo(r, amos[i].funct5, 3, DATA, amos[i].operand);
        if (rv32) {
            CHECK_EQ(out->cause, TALLY_EXC_ILLEGAL, "RV32 has no D form");
            continue;
        }
        CHECK_EQ(out->rd_value, amos[i].old, "row %u: old doubleword", i);
        CHECK_EQ(rig_get(r, DATA, 8), amos[i].d, "row %u: new doubleword", i);
    }
}

static void test_amo_encodings(struct rig *r) {
    unsigned legal = 0;
    rig_set_reg(r, 1, DATA);
    for (unsigned funct5 = 0; funct5 < 32; funct5++)
        for (unsigned f3 = 0; f3 < 8; f3++)
            for (unsigned aqrl = 0; aqrl < 4; aqrl++)
                legal += !rig_exec(r, enc_amo(funct5, f3, 3, 1, 0) | aqrl << 25)->trap;
    CHECK_EQ(legal, (r->h->cfg.xlen == 32 ? 11 : 22) * 4, "legal encodings of opcode AMO");
    CHECK_EQ(rig_exec(r, enc_amo(LR, 2, 3, 1, 1))->cause, TALLY_EXC_ILLEGAL, "LR with rs2");
}

/* --- reservation: a 64-byte line */

static bool sc_succeeds(struct rig *r, uint64_t addr) {
    const struct gh_retire *out = amo(r, SC, 2, addr, 0x600D);
    CHECK_EQ(out->trap, 0, "SC");
    CHECK_EQ(out->mem, out->rd_value ? GH_MEM_NONE : GH_MEM_STORE, "a failed SC stores nothing");
    CHECK_EQ(rig_get(r, addr, 4) == 0x600D, !out->rd_value, "memory changes iff SC succeeds");
    rig_put(r, addr, 4, 0);
    return !out->rd_value;
}

static void test_reservation(struct rig *r) {
    rig_put(r, DATA, 8, 0x8000000080000000);
    CHECK_EQ(amo(r, LR, 2, DATA, 0)->rd_value, sext(0x80000000, 32) & r->h->xmask, "LR reads");
    CHECK_EQ(r->out.mem, GH_MEM_LOAD, "LR is a load");
    CHECK_EQ(sc_succeeds(r, DATA), 1, "SC after LR");
    CHECK_EQ(sc_succeeds(r, DATA), 0, "every SC ends the reservation");
    amo(r, LR, 2, DATA, 0);
    CHECK_EQ(sc_succeeds(r, DATA + 60), 1, "another word of the line");
    amo(r, LR, 2, DATA, 0);
    CHECK_EQ(sc_succeeds(r, DATA + 64), 0, "the next line");
    CHECK_EQ(sc_succeeds(r, DATA), 0, "and that SC ended it too");
    amo(r, LR, 2, DATA, 0);
    amo(r, LR, 2, DATA + 128, 0);
    CHECK_EQ(sc_succeeds(r, DATA), 0, "the last LR counts");
    amo(r, LR, 2, DATA, 0);
    store(r, 2, DATA, 1);
    amo(r, AMO_ADD, 2, DATA, 1);
    CHECK_EQ(sc_succeeds(r, DATA), 1, "own stores and AMOs do not end it");
    amo(r, LR, 2, DATA, 0);
    CHECK_EQ(rig_exec(r, 0x00000073)->trap, 1, "ecall");
    CHECK_EQ(sc_succeeds(r, DATA), 1, "traps do not end it");
    amo(r, LR, 2, DATA, 0);
    CHECK_EQ(amo(r, SC, 2, DATA + 2, 0)->trap, 1, "misaligned SC");
    CHECK_EQ(sc_succeeds(r, DATA), 1, "an SC that traps does not end it");
    amo(r, LR, 2, DATA, 0);
    gh_reservation_break(r->h, DATA + 64);
    CHECK_EQ(sc_succeeds(r, DATA), 1, "another hart's store to another line");
    amo(r, LR, 2, DATA, 0);
    gh_reservation_break(r->h, DATA + 63);
    CHECK_EQ(sc_succeeds(r, DATA), 0, "another hart's store to the line");
    if (r->h->cfg.xlen == 64) {
        amo(r, LR, 3, DATA, 0);
        CHECK_EQ(amo(r, SC, 3, DATA, 0x123456789)->rd_value, 0, "LR.D, SC.D");
        CHECK_EQ(rig_get(r, DATA, 8), 0x123456789, "SC.D stores");
    }
}

int main(void) {
    for (unsigned xlen = 32; xlen <= 64; xlen += 32) {
        struct rig r;
        rig_open(&r, xlen, false);
        test_loads(&r);
        test_stores(&r);
        test_misaligned(&r);
        test_regions(&r);
        test_fetch(&r);
        test_amo_values(&r);
        test_amo_encodings(&r);
        test_reservation(&r);
        rig_close(&r);
    }
    return rig_result("memory");
}
