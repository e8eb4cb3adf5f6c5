// SPDX-License-Identifier: Apache-2.0
/*
 * PMP: match modes at every edge, permissions, priority, partial matches, lock, and the effective mode.
 */
#include "rig.h"

enum { R = 1, W = 2, X = 4, TOR = 0x08, NA4 = 0x10, NAPOT = 0x18, L = 0x80 };

#define CODE (RIG_RAM + 0x100)
#define DATA (RIG_RAM + 0x4000)

static uint64_t everything(const struct rig *r) { return r->h->xmask & (BIT(54) - 1); }

/* Entry 7 lets everything through, so that entries before it decide. */
static void fresh(struct rig *r, unsigned priv) {
    gh_reset(r->h);
    r->h->pmpcfg[7] = NAPOT | R | W | X;
    r->h->pmpaddr[7] = everything(r);
    gh_pmp_decode(r->h);
    r->h->priv = priv;
}

static void entry(struct rig *r, unsigned i, unsigned cfg, uint64_t addr) {
    r->h->pmpcfg[i] = (uint8_t)cfg;
    r->h->pmpaddr[i] = addr;
    gh_pmp_decode(r->h);
}

/* Load of 2^size bytes: does it go through in `priv`? */
static bool loads(struct rig *r, unsigned priv, unsigned size, uint64_t addr) {
    r->h->priv = priv;
    rig_set_reg(r, 1, addr);
    rig_exec_at(r, CODE, enc_i(0x03, size, 3, 1, 0));
    if (r->out.trap) {
        CHECK_EQ(r->out.cause, TALLY_EXC_LOAD_ACCESS, "cause");
        CHECK_EQ(r->out.tval, addr, "tval");
    }
    return !r->out.trap;
}

static bool stores(struct rig *r, unsigned priv, uint64_t addr) {
    r->h->priv = priv;
    rig_set_reg(r, 1, addr);
    rig_exec_at(r, CODE, enc_s(2, 1, 0, 0));
    if (r->out.trap)
        CHECK_EQ(r->out.cause, TALLY_EXC_STORE_ACCESS, "cause");
    return !r->out.trap;
}

static bool fetches(struct rig *r, unsigned priv, uint64_t addr) {
    r->h->priv = priv;
    rig_exec_at(r, addr, 0x00000013);
    if (r->out.trap)
        CHECK_EQ(r->out.cause, TALLY_EXC_INSN_ACCESS, "cause");
    return !r->out.trap;
}

/* Entry 0 forbids [first, end): every word around its edges. */
static void check_range(struct rig *r, const char *mode, uint64_t first, uint64_t end) {
    const uint64_t edges[] = {first - 8, first - 4, first, first + 4, end - 4, end, end + 4};
    for (unsigned i = 0; i < sizeof edges / sizeof edges[0]; i++) {
        uint64_t a = edges[i];
        CHECK_EQ(loads(r, TALLY_PRIV_S, 2, a), a < first || a >= end, "%s %llx-%llx: word at %llx", mode,
                 (unsigned long long)first, (unsigned long long)end, (unsigned long long)a);
        CHECK_EQ(loads(r, TALLY_PRIV_M, 2, a), 1, "%s: an entry without L does not concern M", mode);
    }
}

static void test_match_modes(struct rig *r) {
    fresh(r, TALLY_PRIV_S);
    entry(r, 0, NA4, DATA >> 2);
    check_range(r, "NA4", DATA, DATA + 4);
    for (unsigned k = 3; k <= 13; k++) {
        uint64_t size = BIT(k);
        entry(r, 0, NAPOT, (DATA | (size / 2 - 1)) >> 2);
        check_range(r, "NAPOT", DATA & ~(size - 1), (DATA & ~(size - 1)) + size);
    }
    entry(r, 0, 0, (DATA - 64) >> 2);
    entry(r, 1, TOR, (DATA + 64) >> 2);
    check_range(r, "TOR", DATA - 64, DATA + 64);
    entry(r, 1, TOR, (DATA - 60) >> 2);
    check_range(r, "TOR", DATA - 64, DATA - 60);
    entry(r, 1, TOR, (DATA - 64) >> 2);
    CHECK_EQ(loads(r, TALLY_PRIV_S, 2, DATA - 64), 1, "TOR: an empty range matches nothing");
    entry(r, 1, TOR, (DATA - 128) >> 2);
    CHECK_EQ(loads(r, TALLY_PRIV_S, 2, DATA - 100), 1, "TOR: nor does one upside down");
    fresh(r, TALLY_PRIV_S);
    entry(r, 0, TOR | X, (RIG_RAM + 0x1000) >> 2); /* first entry: from 0; code stays executable */
    CHECK_EQ(loads(r, TALLY_PRIV_S, 2, RIG_RAM + 0xFFC), 0, "TOR of entry 0 begins at 0");
    CHECK_EQ(loads(r, TALLY_PRIV_S, 2, RIG_RAM + 0x1000), 1, "and ends before its address");
}

static void test_permissions(struct rig *r) {
    for (unsigned rwx = 0; rwx < 8; rwx++)
        for (unsigned lock = 0; lock < 2; lock++)
            for (unsigned priv = 0; priv < 4; priv++) {
                bool applies = priv != TALLY_PRIV_M || lock;
                if (priv == 2 || (rwx & (R | W)) == W)
                    continue;
                fresh(r, priv);
                entry(r, 0, NAPOT | rwx | (lock ? L : 0), DATA >> 2 | 0x1F);
                CHECK_EQ(loads(r, priv, 2, DATA), !applies || rwx & R, "load, rwx %u, lock %u, mode %u", rwx,
                         lock, priv);
                CHECK_EQ(stores(r, priv, DATA), !applies || rwx & W, "store, rwx %u, lock %u, mode %u", rwx,
                         lock, priv);
                CHECK_EQ(fetches(r, priv, DATA), !applies || rwx & X, "fetch, rwx %u, lock %u, mode %u", rwx,
                         lock, priv);
            }
    for (unsigned priv = 0; priv < 4; priv++) {
        gh_reset(r->h);
        CHECK_EQ(fetches(r, priv, DATA), priv == TALLY_PRIV_M, "no entry matches, mode %u", priv);
    }
}

static void test_priority_and_partial(struct rig *r) {
    fresh(r, TALLY_PRIV_S);
    entry(r, 0, NA4 | R, DATA >> 2);
    entry(r, 1, NAPOT, DATA >> 2 | 0x1F);
    CHECK_EQ(loads(r, TALLY_PRIV_S, 2, DATA), 1, "the lowest entry decides");
    CHECK_EQ(loads(r, TALLY_PRIV_S, 2, DATA + 4), 0, "and the next behind it");
    if (r->h->cfg.xlen == 64) {
        CHECK_EQ(loads(r, TALLY_PRIV_S, 3, DATA), 0, "an access that an entry matches in part fails");
        entry(r, 1, NAPOT | R, DATA >> 2 | 0x1F);
        CHECK_EQ(loads(r, TALLY_PRIV_S, 3, DATA), 0, "even if both parts may be read");
        CHECK_EQ(loads(r, TALLY_PRIV_M, 3, DATA), 0, "and in M too");
        entry(r, 0, 0, 0);
        CHECK_EQ(loads(r, TALLY_PRIV_S, 3, DATA), 1, "without the small entry it works");
    }
    /* fetch is by halves: an instruction may cross two entries */
    fresh(r, TALLY_PRIV_S);
    entry(r, 0, NA4 | X, DATA >> 2);
    CHECK_EQ(fetches(r, TALLY_PRIV_S, DATA + 2), 1, "both halves executable");
    entry(r, 0, NA4 | X, (DATA + 4) >> 2);
    entry(r, 1, NAPOT, DATA >> 2 | 0x1F);
    CHECK_EQ(fetches(r, TALLY_PRIV_S, DATA + 2), 0, "first half not");
    CHECK_EQ(r->out.tval, DATA + 2, "tval");
    CHECK_EQ(fetches(r, TALLY_PRIV_S, DATA + 6), 0, "second half not");
    CHECK_EQ(r->out.tval, DATA + 8, "tval");
}

static void test_mprv(struct rig *r) {
    fresh(r, TALLY_PRIV_M);
    entry(r, 0, NAPOT, DATA >> 2 | 0x1F);
    r->h->mstatus = TALLY_MSTATUS_MPRV_MASK;
    CHECK_EQ(loads(r, TALLY_PRIV_M, 2, DATA), 0, "MPRV with MPP=U obeys PMP");
    r->h->mstatus = TALLY_MSTATUS_MPRV_MASK | TALLY_MSTATUS_MPP_MASK;
    CHECK_EQ(loads(r, TALLY_PRIV_M, 2, DATA), 1, "MPP=M does not");
    r->h->mstatus = TALLY_MSTATUS_MPRV_MASK;
    CHECK_EQ(fetches(r, TALLY_PRIV_M, DATA), 1, "fetch is not concerned");
}

static void test_atomics(struct rig *r) {
    fresh(r, TALLY_PRIV_S);
    entry(r, 0, NAPOT | R, DATA >> 2 | 0x1F);
    rig_set_reg(r, 1, DATA);
    CHECK_EQ(rig_exec_at(r, CODE, enc_amo(0, 2, 3, 1, 0))->cause, TALLY_EXC_STORE_ACCESS,
             "AMO of what is read-only");
    r->h->priv = TALLY_PRIV_S;
    CHECK_EQ(rig_exec_at(r, CODE, enc_amo(3, 2, 3, 1, 0))->cause, TALLY_EXC_STORE_ACCESS, "SC");
    r->h->priv = TALLY_PRIV_S;
    CHECK_EQ(rig_exec_at(r, CODE, enc_amo(2, 2, 3, 1, 0))->trap, 0, "LR");
}

/* Registers: R=0 W=1 is not kept, bits 6:5 read 0, lock holds, a locked TOR holds the address below. */
static void test_registers(struct rig *r) {
    bool rv32 = r->h->cfg.xlen == 32;

    gh_reset(r->h);
    for (unsigned cfg = 0; cfg < 128; cfg++) {
        unsigned kept = cfg & 0x1F;
        if (!(kept & R))
            kept &= ~(unsigned)W;
        rig_csrw(r, TALLY_CSR_PMPCFG0, cfg);
        CHECK_EQ(rig_csrr(r, TALLY_CSR_PMPCFG0), kept, "pmpcfg 0x%02x", cfg);
    }
    rig_csrw(r, TALLY_CSR_PMPCFG0, 0x0F0F0F0F0F0F0F0F);
    CHECK_EQ(rig_csrr(r, TALLY_CSR_PMPCFG0), rv32 ? 0x0F0F0F0F : 0x0F0F0F0F0F0F0F0F, "all entries");
    if (rv32) {
        CHECK_EQ(r->h->pmpcfg[4], 0, "pmpcfg0 has four entries");
        rig_csrw(r, TALLY_CSR_PMPCFG1, 0x0F0F0F0F);
        CHECK_EQ(r->h->pmpcfg[7], 0x0F, "pmpcfg1 the others");
    }
    gh_reset(r->h);
    r->h->pmpaddr[1] = 0x1234;
    rig_csrw(r, TALLY_CSR_PMPCFG0, (uint64_t)(L | TOR) << 16);
    rig_csrw(r, TALLY_CSR_PMPCFG0, (uint64_t)(NAPOT | R) << 16 | (TOR | R));
    CHECK_EQ(rig_csrr(r, TALLY_CSR_PMPCFG0), (L | TOR) << 16 | TOR | R,
             "a locked entry is left alone, its neighbour not");
    rig_csrw(r, TALLY_CSR_PMPADDR2, 1);
    CHECK_EQ(rig_csrr(r, TALLY_CSR_PMPADDR2), 0, "locked address");
    rig_csrw(r, TALLY_CSR_PMPADDR1, 1);
    CHECK_EQ(rig_csrr(r, TALLY_CSR_PMPADDR1), 0x1234, "address below a locked TOR");
    rig_csrw(r, TALLY_CSR_PMPADDR0, 1);
    CHECK_EQ(rig_csrr(r, TALLY_CSR_PMPADDR0), 1, "and the one below that is free");
    rig_csrw(r, TALLY_CSR_PMPADDR3, 1);
    CHECK_EQ(rig_csrr(r, TALLY_CSR_PMPADDR3), 1, "and the one above");
    gh_reset(r->h);
    rig_csrw(r, TALLY_CSR_PMPCFG0, (uint64_t)(L | NAPOT) << 16);
    rig_csrw(r, TALLY_CSR_PMPADDR1, 1);
    CHECK_EQ(rig_csrr(r, TALLY_CSR_PMPADDR1), 1, "a locked NAPOT does not hold the address below");
    gh_reset(r->h);
    CHECK_EQ(rig_csrr(r, TALLY_CSR_PMPCFG0), 0, "reset unlocks");
}

/* Writes act on the next access, cached translations or not. */
static void test_at_once(struct rig *r) {
    fresh(r, TALLY_PRIV_S);
    CHECK_EQ(loads(r, TALLY_PRIV_S, 2, DATA), 1, "open");
    r->h->priv = TALLY_PRIV_M;
    rig_csrw(r, TALLY_CSR_PMPADDR0, DATA >> 2 | 0x1F);
    rig_csrw(r, TALLY_CSR_PMPCFG0,
             r->h->cfg.xlen == 32 ? NAPOT : NAPOT | (uint64_t)(NAPOT | R | W | X) << 56);
    CHECK_EQ(loads(r, TALLY_PRIV_S, 2, DATA), 0, "closed");
    r->h->priv = TALLY_PRIV_M;
    rig_csrw(r, TALLY_CSR_PMPADDR0, 0);
    CHECK_EQ(loads(r, TALLY_PRIV_S, 2, DATA), 1, "moved away");
}

int main(void) {
    for (unsigned xlen = 32; xlen <= 64; xlen += 32) {
        struct rig r;
        rig_open(&r, xlen, false);
        test_match_modes(&r);
        test_permissions(&r);
        test_priority_and_partial(&r);
        test_mprv(&r);
        test_atomics(&r);
        test_registers(&r);
        test_at_once(&r);
        rig_close(&r);
    }
    return rig_result("pmp");
}
