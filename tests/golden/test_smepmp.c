// SPDX-License-Identifier: Apache-2.0
/*
 * Smepmp: the truth table of mseccfg.MML, accesses that match no entry, and WARL rules of the registers.
 * Each function is a sentence of the privileged manual, Smepmp.
 */
#include "rig.h"

enum { R = 1, W = 2, X = 4, TOR = 0x08, NAPOT = 0x18, L = 0x80, MML = 1, MMWP = 2, RLB = 4 };
enum { MSECCFG = 0x747, MSECCFGH = 0x757, PMPCFG0 = 0x3A0, PMPADDR0 = 0x3B0 };

#define CODE (RIG_RAM + 0x100)
#define DATA (RIG_RAM + 0x4000)
#define NOWHERE (RIG_RAM + 0x8000) /* no entry matches */

static const unsigned modes[] = {TALLY_PRIV_M, TALLY_PRIV_S, TALLY_PRIV_U};

/* Code, for M-mode to read and execute and for others to execute: a shared code region in entry 3 */
static void fresh(struct rig *r, unsigned mseccfg) {
    gh_reset(r->h);
    r->h->mseccfg = mseccfg;
    r->h->pmpcfg[3] = mseccfg & MML ? NAPOT | L | W | X : NAPOT | L | R | X;
    r->h->pmpaddr[3] = RIG_RAM >> 2 | 0x1FF;
    gh_pmp_decode(r->h);
}

static void entry(struct rig *r, unsigned i, unsigned cfg, uint64_t addr) {
    r->h->pmpcfg[i] = (uint8_t)cfg;
    r->h->pmpaddr[i] = addr;
    gh_pmp_decode(r->h);
}

static bool loads(struct rig *r, unsigned priv, uint64_t addr) {
    r->h->priv = priv;
    rig_set_reg(r, 1, addr);
    rig_exec_at(r, CODE, enc_i(0x03, 2, 3, 1, 0));
    if (r->out.trap)
        CHECK_EQ(r->out.cause, TALLY_EXC_LOAD_ACCESS, "cause");
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

static bool swaps(struct rig *r, unsigned priv, uint64_t addr) {
    r->h->priv = priv;
    rig_set_reg(r, 1, addr);
    rig_exec_at(r, CODE, enc_amo(1, 2, 3, 1, 0));
    return !r->out.trap;
}

static bool fetches(struct rig *r, unsigned priv, uint64_t addr) {
    r->h->priv = priv;
    rig_exec_at(r, addr, 0x00000013);
    if (r->out.trap)
        CHECK_EQ(r->out.cause, TALLY_EXC_INSN_ACCESS, "cause");
    return !r->out.trap;
}

static uint64_t csr(struct rig *r, unsigned num) {
    r->h->priv = TALLY_PRIV_M;
    return rig_csrr(r, num);
}

static void set_csr(struct rig *r, unsigned num, uint64_t value) {
    r->h->priv = TALLY_PRIV_M;
    CHECK_EQ(rig_csrw(r, num, value)->trap, 0, "write of CSR 0x%03x", num);
}

static unsigned cfg_of_lrwx(unsigned lrwx) {
    return (lrwx & 8 ? L : 0) | (lrwx & 4 ? R : 0) | (lrwx & 2 ? W : 0) | (lrwx & 1 ? X : 0);
}

/* The manual's table, row by row */
static const struct {
    const char *m, *su;
} table[16] = {
    {"", ""}, {"", "x"}, {"rw", "r"}, {"rw", "rw"}, {"", "r"}, {"", "rx"}, {"", "rw"}, {"", "rwx"},
    {"", ""}, {"x", ""}, {"x", "x"},  {"rx", "x"},  {"r", ""}, {"rx", ""}, {"rw", ""}, {"r", "r"},
};

static bool in(const char *rights, char right) { return strchr(rights, right) != NULL; }

static void the_truth_table_holds_with_mml(struct rig *r) {
    for (unsigned lrwx = 0; lrwx < 16; lrwx++)
        for (unsigned i = 0; i < 3; i++)
            for (unsigned more = 0; more < 8; more += 2) { /* MMWP and RLB change nothing */
                const unsigned priv = modes[i];
                const char *rights = priv == TALLY_PRIV_M ? table[lrwx].m : table[lrwx].su;
                fresh(r, MML | more);
                entry(r, 0, NAPOT | cfg_of_lrwx(lrwx), DATA >> 2 | 0x1F);
                CHECK_EQ(loads(r, priv, DATA), in(rights, 'r'), "load, LRWX %x, mode %u", lrwx, priv);
                CHECK_EQ(stores(r, priv, DATA), in(rights, 'w'), "store, LRWX %x, mode %u", lrwx, priv);
                CHECK_EQ(swaps(r, priv, DATA), in(rights, 'w'), "AMO, LRWX %x, mode %u", lrwx, priv);
                CHECK_EQ(fetches(r, priv, DATA), in(rights, 'x'), "fetch, LRWX %x, mode %u", lrwx, priv);
            }
}

static void mprv_takes_the_rights_of_mpp(struct rig *r) {
    fresh(r, MML);
    entry(r, 0, NAPOT | R | W, DATA >> 2 | 0x1F);
    CHECK_EQ(loads(r, TALLY_PRIV_M, DATA), 0, "a rule of S and U");
    r->h->mstatus = TALLY_MSTATUS_MPRV_MASK | (uint64_t)TALLY_PRIV_S << TALLY_MSTATUS_MPP_LSB;
    CHECK_EQ(loads(r, TALLY_PRIV_M, DATA), 1, "... read with MPRV");
    CHECK_EQ(stores(r, TALLY_PRIV_M, DATA), 1, "... written with MPRV");
    entry(r, 0, NAPOT | L | R | W, DATA >> 2 | 0x1F);
    CHECK_EQ(loads(r, TALLY_PRIV_M, DATA), 0, "a rule of M alone, with MPRV");
    CHECK_EQ(fetches(r, TALLY_PRIV_M, CODE), 1, "fetch is not concerned");
}

static void what_matches_no_entry(struct rig *r) {
    for (unsigned mseccfg = 0; mseccfg < 4; mseccfg++)
        for (unsigned i = 0; i < 3; i++) {
            const unsigned priv = modes[i];
            const bool m = priv == TALLY_PRIV_M && !(mseccfg & MMWP);
            fresh(r, mseccfg);
            CHECK_EQ(loads(r, priv, NOWHERE), m, "load, mseccfg %u, mode %u", mseccfg, priv);
            CHECK_EQ(stores(r, priv, NOWHERE), m, "store, mseccfg %u, mode %u", mseccfg, priv);
            CHECK_EQ(fetches(r, priv, NOWHERE), m && !(mseccfg & MML), "fetch, mseccfg %u, mode %u", mseccfg,
                     priv);
        }
}

static void mml_and_mmwp_stay_set(struct rig *r) {
    fresh(r, 0);
    CHECK_EQ(csr(r, MSECCFG), 0, "after reset");
    set_csr(r, MSECCFG, ~UINT64_C(7));
    CHECK_EQ(csr(r, MSECCFG), 0, "other bits read 0");
    set_csr(r, MSECCFG, MMWP);
    set_csr(r, MSECCFG, 0);
    CHECK_EQ(csr(r, MSECCFG), MMWP, "MMWP");
    set_csr(r, MSECCFG, MML);
    set_csr(r, MSECCFG, 0);
    CHECK_EQ(csr(r, MSECCFG), MML | MMWP, "both");
}

static void rlb_stays_0_while_an_entry_is_locked(struct rig *r) {
    gh_reset(r->h);
    set_csr(r, MSECCFG, RLB);
    CHECK_EQ(csr(r, MSECCFG), RLB, "nothing is locked");
    set_csr(r, MSECCFG, 0);
    CHECK_EQ(csr(r, MSECCFG), 0, "cleared");
    set_csr(r, MSECCFG, RLB);
    CHECK_EQ(csr(r, MSECCFG), RLB, "and set again: nothing is locked yet");
    set_csr(r, PMPCFG0, L); /* an entry that is off */
    set_csr(r, MSECCFG, RLB);
    CHECK_EQ(csr(r, MSECCFG), RLB, "1 stays 1 when it is written as 1");
    set_csr(r, MSECCFG, 0);
    set_csr(r, MSECCFG, RLB);
    CHECK_EQ(csr(r, MSECCFG), 0, "a locked entry, though it is off");
    for (unsigned i = 0; i < PMP_N; i++) {
        gh_reset(r->h);
        entry(r, i, L, 0);
        set_csr(r, MSECCFG, RLB);
        CHECK_EQ(csr(r, MSECCFG), 0, "entry %u is locked", i);
    }
}

static void rlb_opens_locked_entries(struct rig *r) {
    fresh(r, RLB);
    entry(r, 0, NAPOT | L | R, DATA >> 2 | 0x1F);
    set_csr(r, PMPADDR0, 0x1234);
    CHECK_EQ(csr(r, PMPADDR0), 0x1234, "address");
    entry(r, 1, TOR | L | R, 0x2000);
    set_csr(r, PMPADDR0, 0x1000);
    CHECK_EQ(csr(r, PMPADDR0), 0x1000, "address below a locked TOR");
    set_csr(r, PMPCFG0, NAPOT | R | W);
    CHECK_EQ(csr(r, PMPCFG0) & 0xFFFFFF, NAPOT | R | W, "configurations, unlocked too");
    set_csr(r, PMPCFG0, W | X);
    CHECK_EQ(csr(r, PMPCFG0) & 0xFF, X, "R=0 with W=1 stays reserved");
}

/* Without MML each byte of pmpcfg is its own; with MML four kinds of rules are refused. */
static void mml_refuses_rules_that_let_m_mode_execute(struct rig *r) {
    for (unsigned mseccfg = 0; mseccfg < 8; mseccfg++)
        for (unsigned lrwx = 0; lrwx < 16; lrwx++)
            for (unsigned a = 0; a < 4; a++) {
                const unsigned old = NAPOT | R, cfg = cfg_of_lrwx(lrwx) | a << 3;
                const bool m_code = in(table[lrwx].m, 'x');
                const bool reserved = (cfg & (R | W)) == W && !(mseccfg & MML);
                unsigned want = reserved ? cfg & ~(unsigned)W : cfg;

                if (m_code && mseccfg & MML && !(mseccfg & RLB))
                    want = old;
                fresh(r, mseccfg);
                entry(r, 0, NAPOT, 0);
                entry(r, 1, old, 0);
                set_csr(r, PMPCFG0, (uint64_t)r->h->pmpcfg[3] << 24 | (NAPOT | W | R) << 16 | cfg << 8 | TOR);
                CHECK_EQ(r->h->pmpcfg[1], want, "mseccfg %u, LRWX %x, A %u", mseccfg, lrwx, a);
                CHECK_EQ(r->h->pmpcfg[0], TOR, "the entry below");
                CHECK_EQ(r->h->pmpcfg[2], NAPOT | W | R, "the entry above");
            }
}

static void locked_rules_stay_with_mml(struct rig *r) {
    fresh(r, MML);
    entry(r, 0, NAPOT | L | R, 0x1234);
    set_csr(r, PMPADDR0, 0);
    CHECK_EQ(csr(r, PMPADDR0), 0x1234, "address");
    set_csr(r, PMPCFG0, 0);
    CHECK_EQ(csr(r, PMPCFG0) & 0xFF, NAPOT | L | R, "configuration");
    entry(r, 1, TOR | L | W | X, 0x2000);
    entry(r, 0, 0, 0x1234);
    set_csr(r, PMPADDR0, 0);
    CHECK_EQ(csr(r, PMPADDR0), 0x1234, "address below a locked TOR");
}

static void a_write_acts_on_the_next_access(struct rig *r) {
    fresh(r, 0);
    entry(r, 0, NAPOT | R | W | X, DATA >> 2 | 0x1F);
    CHECK_EQ(loads(r, TALLY_PRIV_M, DATA), 1, "before");
    CHECK_EQ(loads(r, TALLY_PRIV_M, NOWHERE), 1, "before");
    set_csr(r, MSECCFG, MML | MMWP);
    CHECK_EQ(loads(r, TALLY_PRIV_M, DATA), 0, "it is the supervisor's");
    CHECK_EQ(loads(r, TALLY_PRIV_M, NOWHERE), 0, "no match");
}

static void mseccfg_is_of_m_mode_and_of_smepmp(struct rig *r) {
    const bool rv32 = r->h->cfg.xlen == 32;

    gh_reset(r->h);
    CHECK_EQ(rig_csrw(r, MSECCFGH, UINT64_MAX)->trap, !rv32, "mseccfgh exists on RV32 alone");
    if (rv32)
        CHECK_EQ(rig_csrr(r, MSECCFGH), 0, "and has no bits");
    for (unsigned i = 1; i < 3; i++) {
        gh_reset(r->h);
        entry(r, 0, NAPOT | R | W | X, r->h->xmask & (BIT(54) - 1));
        r->h->priv = modes[i];
        CHECK_EQ(rig_csrw(r, MSECCFG, 0)->cause, TALLY_EXC_ILLEGAL, "mode %u", modes[i]);
    }
    r->h->cfg.smepmp = false;
    gh_reset(r->h);
    CHECK_EQ(rig_csrw(r, MSECCFG, 7)->cause, TALLY_EXC_ILLEGAL, "a hart without");
    gh_reset(r->h);
    CHECK_EQ(rig_csrw(r, MSECCFGH, 7)->cause, TALLY_EXC_ILLEGAL, "a hart without");
    r->h->cfg.smepmp = true;
}

int main(void) {
    for (unsigned xlen = 32; xlen <= 64; xlen += 32) {
        struct rig r;
        rig_open(&r, xlen, false);
        the_truth_table_holds_with_mml(&r);
        mprv_takes_the_rights_of_mpp(&r);
        what_matches_no_entry(&r);
        mml_and_mmwp_stay_set(&r);
        rlb_stays_0_while_an_entry_is_locked(&r);
        rlb_opens_locked_entries(&r);
        mml_refuses_rules_that_let_m_mode_execute(&r);
        locked_rules_stay_with_mml(&r);
        a_write_acts_on_the_next_access(&r);
        mseccfg_is_of_m_mode_and_of_smepmp(&r);
        rig_close(&r);
    }
    return rig_result("smepmp");
}
