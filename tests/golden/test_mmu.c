// SPDX-License-Identifier: Apache-2.0
/*
 * Address translation: the permission table of a leaf in full, A and D by Svade and Svadu, superpages,
 * reserved bits, canonical addresses, valid addresses of PTEs, need of fences. Sv39 and
 * Sv32.
 */
#include "rig.h"

enum { V = 1, R = 2, W = 4, X = 8, U = 0x10, G = 0x20, A = 0x40, D = 0x80 };

#define ROOT (RIG_RAM + 0x10000)
#define MIDDLE (RIG_RAM + 0x11000)
#define LAST (RIG_RAM + 0x12000)
#define PAGE (RIG_RAM + 0x20000) /* the page under test */
#define VA UINT64_C(0x40003000)  /* and where it is seen */
#define CODE (RIG_RAM + 0x100)   /* seen at its own address */

static unsigned pte_bytes(const struct rig *r) { return r->h->cfg.xlen == 32 ? 4 : 8; }

static void set_pte(struct rig *r, uint64_t table, unsigned index, uint64_t pa, uint64_t flags) {
    rig_put(r, table + index * pte_bytes(r), pte_bytes(r), pa >> 12 << 10 | flags);
}

static uint64_t leaf_address(const struct rig *r) { return LAST + 3 * pte_bytes(r); }

static void set_leaf(struct rig *r, uint64_t flags) { set_pte(r, LAST, 3, PAGE, flags); }

static uint64_t leaf_flags(struct rig *r) { return rig_get(r, leaf_address(r), pte_bytes(r)) & 0x3FF; }

/* Translation on; code executable in `priv` at its own address by a superpage; VA mapped with `flags`. */
static void fresh(struct rig *r, unsigned priv, uint64_t flags) {
    uint64_t code_flags = V | R | W | X | A | D | (priv == TALLY_PRIV_U ? U : 0);

    gh_reset(r->h);
    memset(r->ram + 0x10000, 0, 0x3000);
    r->h->pmpcfg[0] = 0x1F;
    r->h->pmpaddr[0] = r->h->xmask & (BIT(54) - 1);
    gh_pmp_decode(r->h);
    if (r->h->cfg.xlen == 32) {
        set_pte(r, ROOT, 0x200, RIG_RAM, code_flags);
        set_pte(r, ROOT, 0x100, LAST, V);
        r->h->satp = BIT(31) | ROOT >> 12;
    } else {
        set_pte(r, ROOT, 2, RIG_RAM, code_flags);
        set_pte(r, ROOT, 1, MIDDLE, V);
        set_pte(r, MIDDLE, 0, LAST, V);
        r->h->satp = UINT64_C(8) << 60 | ROOT >> 12;
    }
    set_leaf(r, flags);
    rig_put(r, PAGE, 8, 0x0000001300000013); /* two nops */
    r->h->priv = priv;
    rig_set_reg(r, 1, VA);
}

/* 0, or the cause with which an access to VA is refused. */
static unsigned try_access(struct rig *r, enum access acc) {
    if (acc == ACC_FETCH) {
        r->h->pc = VA;
        gh_step(r->h, NULL, &r->out);
    } else {
        rig_exec_at(r, CODE, acc == ACC_LOAD ? enc_i(0x03, 2, 3, 1, 0) : enc_s(2, 1, 0, 0));
    }
    if (!r->out.trap)
        return 0;
    CHECK_EQ(r->out.tval, VA, "tval is the address");
    return (unsigned)r->out.cause;
}

static const unsigned page_fault[] = {TALLY_EXC_INSN_PAGE, TALLY_EXC_LOAD_PAGE, TALLY_EXC_STORE_PAGE};
static const unsigned access_fault[] = {TALLY_EXC_INSN_ACCESS, TALLY_EXC_LOAD_ACCESS, TALLY_EXC_STORE_ACCESS};

/* --- the table --- */

/* The manual's rules as one sentence each. */
static bool permitted(unsigned flags, enum access acc, unsigned priv, bool sum, bool mxr) {
    bool readable = flags & R || (mxr && flags & X);
    bool reserved = (flags & W) && !(flags & R);
    bool leaf = flags & (R | X);
    bool user_page = flags & U;

    if (!(flags & V) || reserved || !leaf)
        return false;
    if (priv == TALLY_PRIV_U && !user_page)
        return false;
    if (priv == TALLY_PRIV_S && user_page && acc == ACC_FETCH)
        return false;
    if (priv == TALLY_PRIV_S && user_page && !sum)
        return false;
    return acc == ACC_FETCH ? flags & X : acc == ACC_LOAD ? readable : flags & W;
}

/* mode: 0 U, 1 S, 2 M with MPRV and MPP=U, 3 M with MPRV and MPP=S */
static void test_leaf(struct rig *r, unsigned flags, unsigned mode, bool sum, bool mxr, bool adue,
                      enum access acc) {
    unsigned priv = mode & 1 ? TALLY_PRIV_S : TALLY_PRIV_U;
    bool mprv = mode >= 2;
    bool allowed = permitted(flags, acc, priv, sum, mxr);
    unsigned wanted = acc == ACC_STORE ? A | D : A;
    bool updates = allowed && (flags & wanted) != wanted;
    bool works = allowed && (adue || !updates);
    unsigned cause;

    fresh(r, priv, flags);
    r->h->mstatus = (sum ? TALLY_MSTATUS_SUM_MASK : 0) | (mxr ? TALLY_MSTATUS_MXR_MASK : 0);
    r->h->menvcfg = adue ? TALLY_MENVCFG_ADUE_MASK : 0;
    if (mprv) {
        r->h->mstatus |= TALLY_MSTATUS_MPRV_MASK | (uint64_t)priv << TALLY_MSTATUS_MPP_LSB;
        r->h->priv = TALLY_PRIV_M;
    }
    cause = try_access(r, acc);
    CHECK_EQ(cause, works ? 0 : page_fault[acc], "PTE 0x%02x, access %u, mode %u, SUM %u, MXR %u, ADUE %u",
             flags, acc, mode, sum, mxr, adue);
    CHECK_EQ(leaf_flags(r), works ? flags | wanted : flags,
             "PTE 0x%02x, access %u, mode %u: A and D afterwards", flags, acc, mode);
    if (works && acc != ACC_FETCH)
        CHECK_EQ(r->out.mem_paddr, PAGE, "physical address");
}

static void test_table(struct rig *r) {
    for (unsigned flags = 0; flags < 0x100; flags++)
        for (unsigned bits = 0; bits < 32; bits++) {
            unsigned mode = bits >> 3;
            bool sum = bits & 1, mxr = bits & 2, adue = bits & 4;
            if (mode < 2)
                test_leaf(r, flags, mode, sum, mxr, adue, ACC_FETCH);
            test_leaf(r, flags, mode, sum, mxr, adue, ACC_LOAD);
            test_leaf(r, flags, mode, sum, mxr, adue, ACC_STORE);
        }
}

/* MPRV does not concern fetch, and no translation concerns M. */
static void test_machine_mode(struct rig *r) {
    fresh(r, TALLY_PRIV_S, 0);
    r->h->priv = TALLY_PRIV_M;
    CHECK_EQ(rig_exec_at(r, CODE, enc_i(0x03, 2, 3, 1, 0))->cause, TALLY_EXC_LOAD_ACCESS,
             "M loads physical addresses");
    r->h->priv = TALLY_PRIV_M;
    r->h->mstatus = TALLY_MSTATUS_MPRV_MASK | TALLY_MSTATUS_MPP_MASK;
    CHECK_EQ(rig_exec_at(r, CODE, enc_i(0x03, 2, 3, 1, 0))->cause, TALLY_EXC_LOAD_ACCESS,
             "MPP=M: so does MPRV");
    fresh(r, TALLY_PRIV_S, V | R | X | A);
    r->h->priv = TALLY_PRIV_M;
    r->h->mstatus = TALLY_MSTATUS_MPRV_MASK | (uint64_t)TALLY_PRIV_S << TALLY_MSTATUS_MPP_LSB;
    CHECK_EQ(try_access(r, ACC_FETCH), TALLY_EXC_INSN_ACCESS, "MPRV does not translate fetch");
    fresh(r, TALLY_PRIV_S, V | R | A);
    r->h->satp = 0;
    CHECK_EQ(try_access(r, ACC_LOAD), TALLY_EXC_LOAD_ACCESS, "Bare: physical addresses");
}

/* AMO and SC are stores, LR is a load. */
static void test_atomics(struct rig *r) {
    fresh(r, TALLY_PRIV_S, V | R | A | D);
    CHECK_EQ(rig_exec_at(r, CODE, enc_amo(2, 2, 3, 1, 0))->trap, 0, "LR of a read-only page");
    CHECK_EQ(rig_exec_at(r, CODE, enc_amo(3, 2, 3, 1, 2))->cause, TALLY_EXC_STORE_PAGE, "SC");
    fresh(r, TALLY_PRIV_S, V | R | A | D);
    CHECK_EQ(rig_exec_at(r, CODE, enc_amo(0, 2, 3, 1, 2))->cause, TALLY_EXC_STORE_PAGE, "AMO");
    fresh(r, TALLY_PRIV_S, V | R | W | A);
    CHECK_EQ(rig_exec_at(r, CODE, enc_amo(0, 2, 3, 1, 2))->cause, TALLY_EXC_STORE_PAGE, "AMO with D=0");
    fresh(r, TALLY_PRIV_S, 0);
    CHECK_EQ(rig_exec_at(r, CODE, enc_amo(2, 2, 3, 1, 0))->cause, TALLY_EXC_LOAD_PAGE, "LR");
    /* an SC that must fail translates all the same */
    fresh(r, TALLY_PRIV_S, V | R | W | A);
    r->h->menvcfg = TALLY_MENVCFG_ADUE_MASK;
    CHECK_EQ(rig_exec_at(r, CODE, enc_amo(3, 2, 3, 1, 2))->rd_value, 1, "SC fails");
    CHECK_EQ(leaf_flags(r), V | R | W | A | D, "and sets D");
}

/* --- levels --- */

static void test_superpages(struct rig *r) {
    bool sv32 = r->h->cfg.xlen == 32;
    uint64_t flags = V | R | W | A | D;

    if (!sv32) {
        fresh(r, TALLY_PRIV_S, 0);
        set_pte(r, MIDDLE, 0, RIG_RAM, flags); /* 2 MiB */
        CHECK_EQ(try_access(r, ACC_LOAD), 0, "2 MiB");
        CHECK_EQ(r->out.mem_paddr, RIG_RAM + 0x3000, "2 MiB");
        for (unsigned bit = 12; bit < 21; bit++) {
            fresh(r, TALLY_PRIV_S, 0);
            set_pte(r, MIDDLE, 0, RIG_RAM | BIT(bit), flags);
            CHECK_EQ(try_access(r, ACC_LOAD), TALLY_EXC_LOAD_PAGE, "misaligned 2 MiB");
        }
    }
    fresh(r, TALLY_PRIV_S, 0);
    set_pte(r, ROOT, sv32 ? 0x100 : 1, RIG_RAM, flags);
    CHECK_EQ(try_access(r, ACC_LOAD), 0, "1 GiB or 4 MiB");
    CHECK_EQ(r->out.mem_paddr, RIG_RAM + 0x3000, "1 GiB or 4 MiB");
    for (unsigned bit = 12; bit < (sv32 ? 22U : 30U); bit++) {
        fresh(r, TALLY_PRIV_S, 0);
        set_pte(r, ROOT, sv32 ? 0x100 : 1, RIG_RAM | BIT(bit), flags);
        CHECK_EQ(try_access(r, ACC_STORE), TALLY_EXC_STORE_PAGE, "misaligned 1 GiB or 4 MiB");
    }
}

static void test_reserved(struct rig *r) {
    static const unsigned pointer_bits[] = {A, D, U};
    bool sv32 = r->h->cfg.xlen == 32;
    uint64_t leaf = V | R | W | X | A | D;

    for (unsigned bit = 54; bit < 64 && !sv32; bit++) {
        fresh(r, TALLY_PRIV_S, leaf);
        rig_put(r, leaf_address(r), 8, PAGE >> 12 << 10 | leaf | BIT(bit));
        CHECK_EQ(try_access(r, ACC_LOAD), TALLY_EXC_LOAD_PAGE, "leaf bit %u", bit);
        fresh(r, TALLY_PRIV_S, leaf);
        rig_put(r, MIDDLE, 8, LAST >> 12 << 10 | V | BIT(bit));
        CHECK_EQ(try_access(r, ACC_LOAD), TALLY_EXC_LOAD_PAGE, "pointer bit %u", bit);
    }
    for (unsigned i = 0; i < 3; i++) {
        fresh(r, TALLY_PRIV_S, leaf);
        set_pte(r, ROOT, sv32 ? 0x100 : 1, sv32 ? LAST : MIDDLE, V | pointer_bits[i]);
        CHECK_EQ(try_access(r, ACC_LOAD), TALLY_EXC_LOAD_PAGE, "pointer with 0x%x", pointer_bits[i]);
    }
    fresh(r, TALLY_PRIV_S, leaf | G | 0x300);
    CHECK_EQ(try_access(r, ACC_LOAD), 0, "G and RSW do no harm");
}

static void test_canonical(struct rig *r) {
    if (r->h->cfg.xlen == 32)
        return;
    for (unsigned bit = 38; bit < 64; bit++) {
        fresh(r, TALLY_PRIV_S, V | R | A);
        rig_set_reg(r, 1, VA ^ BIT(bit));
        rig_exec_at(r, CODE, enc_i(0x03, 2, 3, 1, 0));
        CHECK_EQ(r->out.cause, TALLY_EXC_LOAD_PAGE, "bit %u differs", bit);
        CHECK_EQ(r->out.tval, VA ^ BIT(bit), "tval is the whole address");
        fresh(r, TALLY_PRIV_S, V | R | A);
        r->h->pc = VA ^ BIT(bit);
        gh_step(r->h, NULL, &r->out);
        CHECK_EQ(r->out.cause, TALLY_EXC_INSN_PAGE, "fetch, bit %u differs", bit);
    }
    fresh(r, TALLY_PRIV_S, 0);
    set_pte(r, ROOT, 511, MIDDLE, V);
    set_leaf(r, V | R | A);
    rig_set_reg(r, 1, 0xFFFFFFFFC0003000);
    CHECK_EQ(rig_exec_at(r, CODE, enc_i(0x03, 2, 3, 1, 0))->mem_paddr, PAGE, "the upper half");
}

/* PTEs must be in main memory, and PMP must let S read (and for Svadu write) them. */
static void test_walk_faults(struct rig *r) {
    for (unsigned acc = 0; acc < 3; acc++) {
        unsigned root_index = r->h->cfg.xlen == 32 ? 0x100 : 1;
        fresh(r, TALLY_PRIV_S, V | R | W | X | A | D);
        set_pte(r, ROOT, root_index, RIG_DEVICE, V);
        CHECK_EQ(try_access(r, acc), access_fault[acc], "table in a device");

        fresh(r, TALLY_PRIV_S, V | R | W | X | A | D);
        r->h->pmpcfg[1] = 0x1F;
        r->h->pmpaddr[1] = r->h->pmpaddr[0];
        r->h->pmpcfg[0] = 0x18 | 0x04; /* the last table: NAPOT, no read */
        r->h->pmpaddr[0] = LAST >> 2 | 0x1FF;
        gh_pmp_decode(r->h);
        CHECK_EQ(try_access(r, acc), access_fault[acc], "table that PMP hides");
        r->h->pmpcfg[0] = 0x18 | 0x01; /* read-only */
        gh_pmp_decode(r->h);
        r->h->priv = TALLY_PRIV_S;
        CHECK_EQ(try_access(r, acc), 0, "reading is enough while A and D are set");
        set_leaf(r, V | R | W | X);
        gh_tlb_flush(r->h);
        r->h->menvcfg = TALLY_MENVCFG_ADUE_MASK;
        r->h->priv = TALLY_PRIV_S;
        CHECK_EQ(try_access(r, acc), access_fault[acc], "but not for setting them");
        CHECK_EQ(leaf_flags(r), V | R | W | X, "and they stay");

        fresh(r, TALLY_PRIV_S, 0);
        set_pte(r, LAST, 3, RIG_RAM + RIG_RAM_SIZE, V | R | W | X | A | D);
        CHECK_EQ(try_access(r, acc), access_fault[acc], "a page outside memory");
    }
}

/* --- visibility --- */

static void sfence(struct rig *r) {
    unsigned priv = r->h->priv;
    r->h->priv = TALLY_PRIV_M;
    rig_exec(r, 0x12000073);
    r->h->priv = priv;
}

static unsigned again(struct rig *r, unsigned priv, enum access acc) {
    r->h->priv = priv;
    return try_access(r, acc);
}

static void test_visibility(struct rig *r) {
    fresh(r, TALLY_PRIV_S, V | R | A);
    CHECK_EQ(again(r, TALLY_PRIV_S, ACC_LOAD), 0, "readable");
    CHECK_EQ(again(r, TALLY_PRIV_S, ACC_STORE), TALLY_EXC_STORE_PAGE, "read-only");
    set_leaf(r, V | R | W | A);
    CHECK_EQ(again(r, TALLY_PRIV_S, ACC_STORE), TALLY_EXC_STORE_PAGE, "writable, D=0");
    set_leaf(r, V | R | W | A | D);
    CHECK_EQ(again(r, TALLY_PRIV_S, ACC_STORE), 0, "raised permissions need no fence");
    set_leaf(r, 0);
    sfence(r);
    CHECK_EQ(again(r, TALLY_PRIV_S, ACC_STORE), TALLY_EXC_STORE_PAGE, "lowered ones count after a fence");
    CHECK_EQ(again(r, TALLY_PRIV_S, ACC_LOAD), TALLY_EXC_LOAD_PAGE, "for loads too");

    /* mstatus and satp act at once */
    fresh(r, TALLY_PRIV_S, V | R | A | U);
    r->h->mstatus = TALLY_MSTATUS_SUM_MASK;
    CHECK_EQ(again(r, TALLY_PRIV_S, ACC_LOAD), 0, "SUM");
    r->h->priv = TALLY_PRIV_M;
    rig_csrw(r, TALLY_CSR_SSTATUS, 0);
    CHECK_EQ(again(r, TALLY_PRIV_S, ACC_LOAD), TALLY_EXC_LOAD_PAGE, "SUM taken away");
    fresh(r, TALLY_PRIV_S, V | X | A);
    r->h->mstatus = TALLY_MSTATUS_MXR_MASK;
    CHECK_EQ(again(r, TALLY_PRIV_S, ACC_LOAD), 0, "MXR");
    r->h->priv = TALLY_PRIV_M;
    rig_csrw(r, TALLY_CSR_MSTATUS, 0);
    CHECK_EQ(again(r, TALLY_PRIV_S, ACC_LOAD), TALLY_EXC_LOAD_PAGE, "MXR taken away");
    fresh(r, TALLY_PRIV_S, V | R | A);
    CHECK_EQ(again(r, TALLY_PRIV_S, ACC_LOAD), 0, "mapped");
    r->h->priv = TALLY_PRIV_M;
    rig_csrw(r, TALLY_CSR_SATP, 0);
    CHECK_EQ(again(r, TALLY_PRIV_S, ACC_LOAD), TALLY_EXC_LOAD_ACCESS, "satp switched off");
}

static uint64_t marked;

static void note_mark(void *ctx, uint64_t addr) {
    (void)ctx;
    marked = addr;
}

/* The walker's write of A or D ends a reservation on the line of the PTE, and is reported to other harts.
 */
static void test_reservation(struct rig *r) {
    r->h->host.entry_marked = note_mark;
    for (unsigned inside = 0; inside < 2; inside++) {
        fresh(r, TALLY_PRIV_S, V | R | W | A);
        r->h->menvcfg = TALLY_MENVCFG_ADUE_MASK;
        rig_set_reg(r, 4, inside ? LAST + 0x3C : LAST + 0x40);
        rig_exec_at(r, CODE, enc_amo(2, 2, 3, 4, 0));
        CHECK_EQ(r->out.trap, 0, "LR");
        CHECK_EQ(marked, 0, "no PTE written");
        CHECK_EQ(again(r, TALLY_PRIV_S, ACC_STORE), 0, "store that sets D");
        CHECK_EQ(marked, leaf_address(r), "PTE written");
        marked = 0;
        CHECK_EQ(rig_exec_at(r, CODE, enc_amo(3, 2, 3, 4, 0))->rd_value, inside, "SC after it");
    }
}

/* An instruction that begins on one page and ends on the next. */
static void test_crossing(struct rig *r) {
    fresh(r, TALLY_PRIV_S, V | X | A);
    rig_put(r, PAGE + 0xFFE, 2, 0x0293);
    r->h->pc = VA + 0xFFE;
    gh_step(r->h, NULL, &r->out);
    CHECK_EQ(r->out.cause, TALLY_EXC_INSN_PAGE, "second page missing");
    CHECK_EQ(r->out.epc, VA + 0xFFE, "epc");
    CHECK_EQ(r->out.tval, VA + 0x1000, "tval");
    fresh(r, TALLY_PRIV_S, V | X | A);
    rig_put(r, PAGE + 0xFFE, 2, 0x0293);
    rig_put(r, RIG_RAM + 0x30000, 2, 0x07F0);
    set_pte(r, LAST, 4, RIG_RAM + 0x30000, V | X | A);
    r->h->pc = VA + 0xFFE;
    gh_step(r->h, NULL, &r->out);
    CHECK_EQ(r->out.rd_value, 0x7F, "both pages there");
    fresh(r, TALLY_PRIV_S, 0);
    set_pte(r, LAST, 4, RIG_RAM + 0x30000, V | X | A);
    r->h->pc = VA + 0xFFE;
    gh_step(r->h, NULL, &r->out);
    CHECK_EQ(r->out.tval, VA + 0xFFE, "first page missing");
}

int main(void) {
    for (unsigned xlen = 32; xlen <= 64; xlen += 32) {
        struct rig r;
        rig_open(&r, xlen, false);
        test_table(&r);
        test_machine_mode(&r);
        test_atomics(&r);
        test_superpages(&r);
        test_reserved(&r);
        test_canonical(&r);
        test_walk_faults(&r);
        test_visibility(&r);
        test_reservation(&r);
        test_crossing(&r);
        rig_close(&r);
    }
    return rig_result("mmu");
}
