// SPDX-License-Identifier: Apache-2.0
/*
 * Physical memory protection (privileged manual, "Physical Memory Protection"): 8 entries, granule of 4
 * bytes; with Smepmp mseccfg and its truth table (privileged manual, "Smepmp").
 */
#include "hart_internal.h"

enum { CFG_A_LSB = 3, CFG_A_OFF = 0, CFG_A_TOR = 1, CFG_A_NA4 = 2, CFG_L = 0x80, CFG_MASK = 0x9F };

static unsigned match_mode(uint8_t cfg) { return cfg >> CFG_A_LSB & 3; }

static struct pmp_range napot_range(uint64_t addr) {
    uint64_t ones = addr & ~(addr + 1); /* trailing ones */
    uint64_t first = (addr & ~ones) << 2;
    return (struct pmp_range){first, first + ((ones + 1) << 3)};
}

void gh_pmp_decode(struct gh *h) {
    for (unsigned i = 0; i < PMP_N; i++) {
        uint64_t addr = h->pmpaddr[i];
        switch (match_mode(h->pmpcfg[i])) {
        case CFG_A_OFF:
            h->pmp[i] = (struct pmp_range){0, 0};
            break;
        case CFG_A_TOR:
            h->pmp[i] = (struct pmp_range){i ? h->pmpaddr[i - 1] << 2 : 0, addr << 2};
            break;
        case CFG_A_NA4:
            h->pmp[i] = (struct pmp_range){addr << 2, (addr << 2) + 4};
            break;
        default:
            h->pmp[i] = napot_range(addr);
            break;
        }
    }
    gh_tlb_flush(h);
}

static bool mml(const struct gh *h) { return h->mseccfg & TALLY_MSECCFG_MML_MASK; }
static bool rlb(const struct gh *h) { return h->mseccfg & TALLY_MSECCFG_RLB_MASK; }

/* The truth table of Smepmp with mseccfg.MML=1, by L, R, W, X: rights of M-mode, and of the modes below. */
static const struct {
    uint8_t m, su;
} rights_mml[16] = {
    /* LRWX */
    [0x0] = {0, 0},
    [0x1] = {0, PMP_X},
    [0x2] = {PMP_R | PMP_W, PMP_R},
    [0x3] = {PMP_R | PMP_W, PMP_R | PMP_W},
    [0x4] = {0, PMP_R},
    [0x5] = {0, PMP_R | PMP_X},
    [0x6] = {0, PMP_R | PMP_W},
    [0x7] = {0, PMP_R | PMP_W | PMP_X},
    [0x8] = {0, 0},
    [0x9] = {PMP_X, 0},
    [0xA] = {PMP_X, PMP_X},
    [0xB] = {PMP_R | PMP_X, PMP_X},
    [0xC] = {PMP_R, 0},
    [0xD] = {PMP_R | PMP_X, 0},
    [0xE] = {PMP_R | PMP_W, 0},
    [0xF] = {PMP_R, PMP_R},
};

static unsigned lrwx(uint8_t cfg) {
    return (cfg & CFG_L ? 8 : 0) | (cfg & PMP_R ? 4 : 0) | (cfg & PMP_W ? 2 : 0) | (cfg & PMP_X ? 1 : 0);
}

static unsigned rights(const struct gh *h, uint8_t cfg, unsigned priv) {
    if (mml(h))
        return priv == TALLY_PRIV_M ? rights_mml[lrwx(cfg)].m : rights_mml[lrwx(cfg)].su;
    return priv == TALLY_PRIV_M && !(cfg & CFG_L) ? PMP_R | PMP_W | PMP_X : cfg;
}

/* ... where no entry matches */
static unsigned default_rights(const struct gh *h, unsigned priv) {
    if (priv != TALLY_PRIV_M || h->mseccfg & TALLY_MSECCFG_MMWP_MASK)
        return 0;
    return mml(h) ? PMP_R | PMP_W : PMP_R | PMP_W | PMP_X;
}

bool gh_pmp_allows(const struct gh *h, uint64_t pa, uint64_t size, unsigned perm, unsigned priv) {
    for (unsigned i = 0; i < PMP_N; i++) {
        const struct pmp_range *r = &h->pmp[i];
        if (pa + size <= r->first || pa >= r->end || r->end <= r->first)
            continue;
        if (pa < r->first || pa + size > r->end)
            return false; /* matches some bytes but not all */
        return (rights(h, h->pmpcfg[i], priv) & perm) == perm;
    }
    return (default_rights(h, priv) & perm) == perm;
}

static bool locked(const struct gh *h, unsigned entry) { return h->pmpcfg[entry] & CFG_L && !rlb(h); }

/* Smepmp: rules that let M-mode execute can only be added with MML=0 or RLB=1. */
static bool adds_m_code(const struct gh *h, uint8_t cfg) {
    return mml(h) && !rlb(h) && rights_mml[lrwx(cfg)].m & PMP_X;
}

void gh_mseccfg_write(struct gh *h, uint64_t value) {
    const uint64_t sticky = TALLY_MSECCFG_MML_MASK | TALLY_MSECCFG_MMWP_MASK;
    bool any_locked = false;

    for (unsigned i = 0; i < PMP_N; i++)
        any_locked |= (h->pmpcfg[i] & CFG_L) != 0;
    if (!rlb(h) && any_locked)
        value &= ~TALLY_MSECCFG_RLB_MASK;
    h->mseccfg = (value & TALLY_MSECCFG_WMASK) | (h->mseccfg & sticky);
    gh_tlb_flush(h);
}

/* `index` is the number in pmpcfg0, 1, ...: 4 entries each in RV32, 8 in every second one in RV64. */
uint64_t gh_pmpcfg_read(const struct gh *h, unsigned index) {
    uint64_t value = 0;
    unsigned first = index * 4;
    unsigned n = rv64(h) ? 8 : 4;

    for (unsigned i = 0; i < n && first + i < PMP_N; i++)
        value |= (uint64_t)h->pmpcfg[first + i] << 8 * i;
    return value;
}

void gh_pmpcfg_write(struct gh *h, unsigned index, uint64_t value) {
    unsigned first = index * 4;
    unsigned n = rv64(h) ? 8 : 4;

    for (unsigned i = 0; i < n && first + i < PMP_N; i++) {
        uint8_t cfg = value >> 8 * i & CFG_MASK;
        if (!(cfg & PMP_R) && !mml(h))
            cfg &= (uint8_t)~PMP_W; /* R=0, W=1 is reserved */
        if (!locked(h, first + i) && !adds_m_code(h, cfg))
            h->pmpcfg[first + i] = cfg;
    }
    gh_pmp_decode(h);
}

void gh_pmpaddr_write(struct gh *h, unsigned entry, uint64_t value) {
    bool below_locked_tor =
        entry + 1 < PMP_N && locked(h, entry + 1) && match_mode(h->pmpcfg[entry + 1]) == CFG_A_TOR;

    if (locked(h, entry) || below_locked_tor)
        return;
    h->pmpaddr[entry] = value & (rv64(h) ? BIT(54) - 1 : UINT32_MAX);
    gh_pmp_decode(h);
}
