// SPDX-License-Identifier: Apache-2.0
/*
 * CSRs of the hart: existence, rights, WARL fields; the six CSR instructions.
 */
#include "rig.h"

#define ALL UINT64_MAX

/* Writing all ones and then zeros reads back as: */
static const struct {
    const char *name;
    unsigned num;
    uint64_t ones64, zeros64, ones32, zeros32;
} warl[] = {
    {"mstatus", 0x300, 0xA007E19AA, 0xA00000000, 0x7E19AA, 0},
    {"sstatus", 0x100, 0x2000C0122, 0x200000000, 0xC0122, 0},
    {"misa", 0x301, 0x8000000000141105, 0x8000000000141105, 0x40141105, 0x40141105},
    {"medeleg", 0x302, 0xB3FE, 0, 0xB3FE, 0},
    {"mideleg", 0x303, 0x46222, 0, 0x46222, 0},
    {"mie", 0x304, 0x46AAA, 0, 0x46AAA, 0},
    {"mtvec", 0x305, ALL - 2, 0, 0xFFFFFFFD, 0},
    {"stvec", 0x105, ALL - 2, 0, 0xFFFFFFFD, 0},
    {"mscratch", 0x340, ALL, 0, 0xFFFFFFFF, 0},
    {"sscratch", 0x140, ALL, 0, 0xFFFFFFFF, 0},
    {"mepc", 0x341, ALL - 1, 0, 0xFFFFFFFE, 0},
    {"sepc", 0x141, ALL - 1, 0, 0xFFFFFFFE, 0},
    {"mcause", 0x342, ALL, 0, 0xFFFFFFFF, 0},
    {"scause", 0x142, ALL, 0, 0xFFFFFFFF, 0},
    {"mtval", 0x343, ALL, 0, 0xFFFFFFFF, 0},
    {"stval", 0x143, ALL, 0, 0xFFFFFFFF, 0},
    {"mip", 0x344, 0x46222, 0, 0x46222, 0},
    {"menvcfg", 0x30A, 0xB200000000000001, 0, 1, 0},
    {"senvcfg", 0x10A, 1, 0, 1, 0},
    {"mstateen0", 0x30C, 0xD020000000000001, 0, 1, 0},
    {"mstateen1", 0x30D, 0, 0, 0, 0},
    {"mstateen3", 0x30F, 0, 0, 0, 0},
    {"sstateen1", 0x10D, 0, 0, 0, 0},
    {"sstateen3", 0x10F, 0, 0, 0, 0},
    {"stimecmp", 0x14D, ALL, 0, 0xFFFFFFFF, 0},
    {"mvendorid", 0xF11, 0, 0, 0, 0},
    {"marchid", 0xF12, 0, 0, 0, 0},
    {"mimpid", 0xF13, 0x54414C4C, 0x54414C4C, 0x54414C4C, 0x54414C4C},
    {"mhartid", 0xF14, 5, 5, 5, 5},
    {"mconfigptr", 0xF15, 0, 0, 0, 0},
    {"tselect", 0x7A0, 0, 0, 0, 0},
    {"tdata1", 0x7A1, 0, 0, 0, 0},
    {"tdata2", 0x7A2, 0, 0, 0, 0},
    {"tdata3", 0x7A3, 0, 0, 0, 0},
    {"pmpaddr7", 0x3B7, 0x3FFFFFFFFFFFFF, 0, 0xFFFFFFFF, 0},
    {"pmpaddr8", 0x3B8, 0, 0, 0, 0},
    {"pmpaddr63", 0x3EF, 0, 0, 0, 0},
    {"pmpcfg2", 0x3A2, 0, 0, 0, 0},
    {"pmpcfg14", 0x3AE, 0, 0, 0, 0},
};

static void test_warl(struct rig *r) {
    bool rv32 = r->h->cfg.xlen == 32;

    for (unsigned i = 0; i < sizeof warl / sizeof warl[0]; i++) {
        bool read_only = warl[i].num >> 10 == 3;
        CHECK_EQ(rig_csrw(r, warl[i].num, ALL)->trap, read_only, "%s", warl[i].name);
        CHECK_EQ(rig_csrr(r, warl[i].num), rv32 ? warl[i].ones32 : warl[i].ones64, "%s, ones", warl[i].name);
        rig_csrw(r, warl[i].num, 0);
        CHECK_EQ(rig_csrr(r, warl[i].num), rv32 ? warl[i].zeros32 : warl[i].zeros64, "%s, zeros",
                 warl[i].name);
    }
}

/* High halves: RV32 only. */
static void test_high_halves(struct rig *r) {
    static const struct {
        unsigned low, high;
        uint64_t ones;
    } pair[] = {{0x300, 0x310, 0}, {0x302, 0x312, 0}, {0x30A, 0x31A, 0xB2000000}, {0x30C, 0x31C, 0xD0200000},
                {0x30D, 0x31D, 0}, {0x30F, 0x31F, 0}, {0x14D, 0x15D, 0xFFFFFFFF}, {0x747, 0x757, 0}};

    for (unsigned i = 0; i < sizeof pair / sizeof pair[0]; i++) {
        uint64_t low = rig_csrr(r, pair[i].low);
        const struct gh_retire *out = rig_csrw(r, pair[i].high, ALL);
        if (r->h->cfg.xlen == 64) {
            CHECK_EQ(out->cause, TALLY_EXC_ILLEGAL, "0x%x on RV64", pair[i].high);
            continue;
        }
        CHECK_EQ(out->trap, 0, "0x%x", pair[i].high);
        CHECK_EQ(rig_csrr(r, pair[i].high), pair[i].ones, "0x%x", pair[i].high);
        CHECK_EQ(rig_csrr(r, pair[i].low), low, "0x%x is left alone", pair[i].low);
        rig_csrw(r, pair[i].high, 0);
    }
}

/* Every number in every mode: numbers not in the list are illegal, and so are those of a higher mode. */
static bool in_list(const struct rig *r, unsigned num) {
    bool rv32 = r->h->cfg.xlen == 32;
    static const unsigned high[] = {0x310, 0x312, 0x31A, 0x31C, 0x31D, 0x31E, 0x31F, 0x15D, 0x757};
    static const unsigned also[] = {0x104, 0x144, 0x180, 0x10C, 0x10E, 0x30E,
                                    0x306, 0x747, 0xC01, 0x7D5, 0x9C4, 0x9C5};

    for (unsigned i = 0; i < sizeof warl / sizeof warl[0]; i++)
        if (warl[i].num == num)
            return true;
    for (unsigned i = 0; i < sizeof also / sizeof also[0]; i++)
        if (also[i] == num)
            return true;
    for (unsigned i = 0; i < sizeof high / sizeof high[0]; i++)
        if (high[i] == num)
            return rv32;
    if (num >= 0x3A0 && num < 0x3B0)
        return rv32 || num % 2 == 0;
    return num >= 0x3B0 && num < 0x3F0;
}

static void test_existence(struct rig *r) {
    static const unsigned modes[] = {TALLY_PRIV_U, TALLY_PRIV_S, TALLY_PRIV_M};

    gh_reset(r->h);
    r->mcounteren = 2;
    r->h->mstateen0 = TALLY_MSTATEEN0_WMASK;
    r->h->menvcfg = TALLY_MENVCFG_STCE_MASK;
    r->h->pmpcfg[7] = 0x1F; /* all of memory for U and S */
    r->h->pmpaddr[7] = r->h->xmask & (BIT(54) - 1);
    gh_pmp_decode(r->h);
    for (unsigned m = 0; m < 3; m++)
        for (unsigned num = 0; num < 4096; num++) {
            unsigned level = num >> 8 & 3;
            bool ok = in_list(r, num) && modes[m] >= level;
            bool stateen = num >= 0x10D && num <= 0x10F && modes[m] != TALLY_PRIV_M;
            r->h->priv = modes[m];
            CHECK_EQ(rig_csrr(r, num) == 0xDEADDEADDEADDEAD, !ok || stateen, "0x%03x in mode %u", num,
                     modes[m]);
        }
    r->h->priv = TALLY_PRIV_M;
}

static const struct gh_retire *read_in_s(struct rig *r, unsigned num) {
    r->h->priv = TALLY_PRIV_S;
    rig_exec(r, num << 20 | 2 << 12 | 30 << 7 | 0x73);
    r->h->priv = TALLY_PRIV_M;
    return &r->out;
}

static void test_gates(struct rig *r) {
    r->h->mstateen0 = 0;
    CHECK_EQ(read_in_s(r, 0x10A)->trap, 1, "senvcfg needs mstateen0.ENVCFG");
    CHECK_EQ(read_in_s(r, 0x10C)->trap, 1, "sstateen0 needs mstateen0.SE0");
    r->h->mstateen0 = TALLY_MSTATEEN0_ENVCFG_MASK;
    CHECK_EQ(read_in_s(r, 0x10A)->trap, 0, "senvcfg");
    CHECK_EQ(read_in_s(r, 0x10C)->trap, 1, "sstateen0 needs mstateen0.SE0");
    r->h->mstateen0 = TALLY_MSTATEEN0_SE0_MASK;
    CHECK_EQ(read_in_s(r, 0x10A)->trap, 1, "senvcfg needs mstateen0.ENVCFG");
    CHECK_EQ(read_in_s(r, 0x10C)->trap, 0, "sstateen0");

    for (unsigned tm = 0; tm < 2; tm++)
        for (unsigned stce = 0; stce < 2; stce++) {
            r->mcounteren = tm ? 2 : 0;
            r->h->menvcfg = stce ? TALLY_MENVCFG_STCE_MASK : 0;
            CHECK_EQ(read_in_s(r, 0x14D)->trap, !(tm && stce), "stimecmp in S: TM %u, STCE %u", tm, stce);
            CHECK_EQ(rig_csrr(r, TALLY_CSR_STIMECMP) == 0xDEADDEADDEADDEAD, 0, "stimecmp in M");
        }
    r->h->mstatus = TALLY_MSTATUS_TVM_MASK;
    CHECK_EQ(read_in_s(r, 0x180)->trap, 1, "satp with TVM");
    r->h->mstatus = 0;
    CHECK_EQ(read_in_s(r, 0x180)->trap, 0, "satp");

    /* sstateen0 shows its bit only under mstateen0's, and keeps it. */
    r->h->mstateen0 = ALL;
    rig_csrw(r, TALLY_CSR_SSTATEEN0, ALL);
    CHECK_EQ(rig_csrr(r, TALLY_CSR_SSTATEEN0), 1, "sstateen0.C");
    r->h->mstateen0 = 0;
    rig_csrw(r, TALLY_CSR_SSTATEEN0, 0);
    CHECK_EQ(rig_csrr(r, TALLY_CSR_SSTATEEN0), 0, "hidden");
    r->h->mstateen0 = ALL;
    CHECK_EQ(rig_csrr(r, TALLY_CSR_SSTATEEN0), 1, "and kept");
}

static void test_instructions(struct rig *r) {
    uint64_t ones = r->h->xmask;

    r->h->mscratch = 0xF0;
    rig_set_reg(r, 1, 0x3C);
    CHECK_EQ(rig_exec(r, 0x34009173)->rd_value, 0xF0, "csrrw reads"); /* csrrw x2, mscratch, x1 */
    CHECK_EQ(r->h->mscratch, 0x3C, "csrrw writes");
    CHECK_EQ(r->out.csr_changed, 1, "csrrw");
    rig_set_reg(r, 1, 0xC3);
    CHECK_EQ(rig_exec(r, 0x3400A173)->rd_value, 0x3C, "csrrs reads");
    CHECK_EQ(r->h->mscratch, 0xFF, "csrrs sets");
    rig_set_reg(r, 1, 0x0F);
    CHECK_EQ(rig_exec(r, 0x3400B173)->rd_value, 0xFF, "csrrc reads");
    CHECK_EQ(r->h->mscratch, 0xF0, "csrrc clears");
    CHECK_EQ(rig_exec(r, 0x340FD173)->rd_value, 0xF0, "csrrwi"); /* csrrwi x2, mscratch, 31 */
    CHECK_EQ(r->h->mscratch, 31, "csrrwi");
    r->h->mscratch = ones - 31;
    CHECK_EQ(rig_exec(r, 0x3400E173)->rd_value, ones - 31, "csrrsi 1");
    CHECK_EQ(r->h->mscratch, ones - 30, "csrrsi");
    CHECK_EQ(rig_exec(r, 0x3400F173)->rd_value, ones - 30, "csrrci 1");
    CHECK_EQ(r->h->mscratch, ones - 31, "csrrci");
    /* source and destination the same register */
    rig_set_reg(r, 2, 7);
    CHECK_EQ(rig_exec(r, 0x34011173)->rd_value, ones - 31, "csrrw x2, mscratch, x2");
    CHECK_EQ(r->h->mscratch, 7, "the old x2 is written");
    /* x0: no write for set and clear, so that read-only registers can be read; csrrw x0 writes */
    CHECK_EQ(rig_exec(r, 0xF1302173)->trap, 0, "csrrs x2, mimpid, x0");
    CHECK_EQ(r->out.csr_changed, 0, "nothing written");
    CHECK_EQ(rig_exec(r, 0xF1303173)->trap, 0, "csrrc x2, mimpid, x0");
    CHECK_EQ(rig_exec(r, 0xF1306173)->trap, 0, "csrrsi x2, mimpid, 0");
    rig_set_reg(r, 1, 0);
    CHECK_EQ(rig_exec(r, 0xF130A173)->trap, 1, "csrrs x2, mimpid, x1: a write although x1 is 0");
    CHECK_EQ(r->out.tval, 0xF130A173, "tval has the instruction");
    CHECK_EQ(rig_exec(r, 0xF1301173)->trap, 1, "csrrw x2, mimpid, x0");
    CHECK_EQ(rig_exec(r, 0x34001173)->rd_value, 7, "csrrw x2, mscratch, x0");
    CHECK_EQ(r->h->mscratch, 0, "writes zero");
    CHECK_EQ(rig_exec(r, 0x3400C173)->cause, TALLY_EXC_ILLEGAL, "funct3 4");
}

static void test_mstatus(struct rig *r) {
    for (uint64_t mpp = 0; mpp < 4; mpp++) {
        r->h->mstatus = TALLY_MSTATUS_MPP_MASK;
        rig_csrw(r, TALLY_CSR_MSTATUS, mpp << TALLY_MSTATUS_MPP_LSB);
        CHECK_EQ(field(r->h->mstatus, TALLY_MSTATUS_MPP_LSB, 2), mpp == 2 ? 3 : mpp, "MPP written %u",
                 (unsigned)mpp);
    }
    r->h->mstatus = TALLY_MSTATUS_WMASK;
    rig_csrw(r, TALLY_CSR_SSTATUS, 0);
    CHECK_EQ(r->h->mstatus, TALLY_MSTATUS_WMASK & ~TALLY_SSTATUS_WMASK, "sstatus leaves M's bits");
    r->h->mstatus = 0;
}

static void test_satp(struct rig *r) {
    if (r->h->cfg.xlen == 32) {
        rig_csrw(r, TALLY_CSR_SATP, ALL);
        CHECK_EQ(rig_csrr(r, TALLY_CSR_SATP), 0xFFFFFFFF, "RV32: Sv32, ASID and PPN held");
    } else {
        for (uint64_t mode = 0; mode < 16; mode++) {
            rig_csrw(r, TALLY_CSR_SATP, 0);
            rig_csrw(r, TALLY_CSR_SATP, mode << 60 | 0x0ABCD12345678901);
            CHECK_EQ(rig_csrr(r, TALLY_CSR_SATP),
                     mode == 0 || mode == 8 ? mode << 60 | 0x0ABCD12345678901 : 0, "satp mode %u",
                     (unsigned)mode);
        }
    }
    rig_csrw(r, TALLY_CSR_SATP, 0);
}

static void test_mip(struct rig *r) {
    r->h->mip_soft = 0;
    r->h->menvcfg = 0;
    gh_set_mip(r->h, BIT(9), 0);
    CHECK_EQ(rig_csrr(r, TALLY_CSR_MIP), BIT(9), "SEIP shows the line");
    rig_set_reg(r, 1, BIT(1));
    rig_exec(r, 0x3440A073); /* csrs mip, x1 */
    gh_set_mip(r->h, 0, 0);
    CHECK_EQ(rig_csrr(r, TALLY_CSR_MIP), BIT(1), "csrs does not turn the line into the software bit");
    gh_set_mip(r->h, BIT(3) | BIT(7) | BIT(11), 0);
    rig_csrw(r, TALLY_CSR_MIP, 0);
    CHECK_EQ(rig_csrr(r, TALLY_CSR_MIP), BIT(3) | BIT(7) | BIT(11), "M's lines are read-only");
    gh_set_mip(r->h, 0, BIT(13) | BIT(14) | BIT(18));
    CHECK_EQ(rig_csrr(r, TALLY_CSR_MIP), BIT(13) | BIT(14) | BIT(18), "set by the machine");
    gh_set_mip(r->h, 0, 0);
    CHECK_EQ(rig_csrr(r, TALLY_CSR_MIP), BIT(13) | BIT(14) | BIT(18), "and sticky");
    rig_csrw(r, TALLY_CSR_MIP, BIT(14));
    CHECK_EQ(rig_csrr(r, TALLY_CSR_MIP), BIT(14), "until software clears them");

    /* sip: delegated bits only; STIP and SEIP are read-only there */
    rig_csrw(r, TALLY_CSR_MIP, ALL);
    rig_csrw(r, TALLY_CSR_MIDELEG, 0);
    CHECK_EQ(rig_csrr(r, TALLY_CSR_SIP), 0, "sip without delegation");
    rig_csrw(r, TALLY_CSR_SIP, 0);
    CHECK_EQ(rig_csrr(r, TALLY_CSR_MIP), 0x46222, "writes through sip do nothing then");
    rig_csrw(r, TALLY_CSR_MIDELEG, ALL);
    CHECK_EQ(rig_csrr(r, TALLY_CSR_SIP), 0x46222, "sip");
    rig_csrw(r, TALLY_CSR_SIP, 0);
    CHECK_EQ(rig_csrr(r, TALLY_CSR_MIP), BIT(5) | BIT(9), "STIP and SEIP are read-only in sip");
    rig_csrw(r, TALLY_CSR_MIE, 0);
    rig_csrw(r, TALLY_CSR_SIE, ALL);
    CHECK_EQ(rig_csrr(r, TALLY_CSR_MIE), 0x46222, "sie writes what is delegated");
    rig_csrw(r, TALLY_CSR_MIDELEG, BIT(13));
    CHECK_EQ(rig_csrr(r, TALLY_CSR_SIE), BIT(13), "sie shows what is delegated");
    rig_csrw(r, TALLY_CSR_SIE, 0);
    CHECK_EQ(rig_csrr(r, TALLY_CSR_MIE), 0x46222 & ~BIT(13), "and changes nothing else");
}

static bool traps_in(struct rig *r, unsigned priv, unsigned num) {
    bool trap;

    r->h->priv = priv;
    trap = rig_exec(r, num << 20 | 2 << 12 | 30 << 7 | 0x73)->trap;
    r->h->priv = TALLY_PRIV_M;
    return trap;
}

/* mslideleg, slie and slip show bit 18 of mideleg, mie and mip; the last two delegated bits only, and
 * below M-mode only where mstateen0.C allows it. */
static void test_andes_local_interrupt(struct rig *r) {
    const uint64_t local = BIT(18);

    rig_csrw(r, TALLY_CSR_MIDELEG, 0);
    rig_csrw(r, TALLY_CSR_MIE, 0);
    rig_csrw(r, TALLY_CSR_MIP, 0);
    rig_csrw(r, TALLY_CSR_MSLIDELEG, ALL);
    CHECK_EQ(rig_csrr(r, TALLY_CSR_MSLIDELEG), local, "mslideleg");
    CHECK_EQ(rig_csrr(r, TALLY_CSR_MIDELEG), local, "... is mideleg");
    rig_csrw(r, TALLY_CSR_MIDELEG, ALL);
    rig_csrw(r, TALLY_CSR_MSLIDELEG, 0);
    CHECK_EQ(rig_csrr(r, TALLY_CSR_MIDELEG), 0x46222 & ~local, "... and leaves its other bits alone");
    rig_csrw(r, TALLY_CSR_MIE, ALL);
    rig_csrw(r, TALLY_CSR_MIP, ALL);
    CHECK_EQ(rig_csrr(r, TALLY_CSR_SLIE), 0, "slie without delegation");
    CHECK_EQ(rig_csrr(r, TALLY_CSR_SLIP), 0, "slip without delegation");
    rig_csrw(r, TALLY_CSR_SLIE, 0);
    rig_csrw(r, TALLY_CSR_SLIP, 0);
    CHECK_EQ(rig_csrr(r, TALLY_CSR_MIE) & local, local, "slie writes nothing then");
    CHECK_EQ(rig_csrr(r, TALLY_CSR_MIP) & local, local, "nor does slip");
    rig_csrw(r, TALLY_CSR_MSLIDELEG, local);
    CHECK_EQ(rig_csrr(r, TALLY_CSR_SLIE), local, "slie");
    CHECK_EQ(rig_csrr(r, TALLY_CSR_SLIP), local, "slip");
    rig_csrw(r, TALLY_CSR_SLIE, 0);
    rig_csrw(r, TALLY_CSR_SLIP, 0);
    CHECK_EQ(rig_csrr(r, TALLY_CSR_MIE), 0x46AAA & ~local, "slie writes bit 18 of mie alone");
    CHECK_EQ(rig_csrr(r, TALLY_CSR_MIP), 0x46222 & ~local, "slip writes bit 18 of mip alone");
    for (unsigned c = 0; c < 2; c++) {
        r->h->mstateen0 = c ? TALLY_MSTATEEN0_C_MASK : 0;
        CHECK_EQ(traps_in(r, TALLY_PRIV_S, 0x9C4), !c, "slie in S-mode, mstateen0.C %u", c);
        CHECK_EQ(traps_in(r, TALLY_PRIV_S, 0x9C5), !c, "slip in S-mode, mstateen0.C %u", c);
        CHECK_EQ(traps_in(r, TALLY_PRIV_S, 0x7D5), 1, "mslideleg in S-mode");
        CHECK_EQ(traps_in(r, TALLY_PRIV_U, 0x9C4), 1, "slie in U-mode");
    }
    r->h->mstateen0 = 0;
    r->h->cfg.andes = false;
    CHECK_EQ(traps_in(r, TALLY_PRIV_M, 0x7D5), 1, "mslideleg without the Andes view");
    CHECK_EQ(traps_in(r, TALLY_PRIV_M, 0x9C4), 1, "slie without the Andes view");
    CHECK_EQ(traps_in(r, TALLY_PRIV_M, 0x9C5), 1, "slip without the Andes view");
    r->h->cfg.andes = true;
    rig_csrw(r, TALLY_CSR_MIDELEG, 0);
    rig_csrw(r, TALLY_CSR_MIE, 0);
    rig_csrw(r, TALLY_CSR_MIP, 0);
}

static void test_sstc(struct rig *r) {
    r->h->mip_soft = 0;
    r->h->menvcfg = TALLY_MENVCFG_STCE_MASK;
    r->h->stimecmp = 100;
    r->now = 99;
    CHECK_EQ(rig_csrr(r, TALLY_CSR_MIP), 0, "before stimecmp");
    rig_csrw(r, TALLY_CSR_MIP, BIT(5));
    CHECK_EQ(rig_csrr(r, TALLY_CSR_MIP), 0, "STIP is read-only with STCE");
    r->now = 100;
    CHECK_EQ(rig_csrr(r, TALLY_CSR_MIP), BIT(5), "time = stimecmp");
    r->now = ALL;
    CHECK_EQ(rig_csrr(r, TALLY_CSR_MIP), BIT(5), "the comparison is unsigned");
    r->h->menvcfg = 0;
    CHECK_EQ(rig_csrr(r, TALLY_CSR_MIP), 0, "without STCE the software bit counts");
    r->now = 0;
}

int main(void) {
    for (unsigned xlen = 32; xlen <= 64; xlen += 32) {
        struct rig r;
        rig_open(&r, xlen, false);
        test_warl(&r);
        test_high_halves(&r);
        test_existence(&r);
        test_gates(&r);
        test_instructions(&r);
        test_mstatus(&r);
        test_satp(&r);
        test_mip(&r);
        test_andes_local_interrupt(&r);
        test_sstc(&r);
        rig_close(&r);
    }
    return rig_result("csr");
}
