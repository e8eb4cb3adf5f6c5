// SPDX-License-Identifier: Apache-2.0
/*
 * Physical memory protection (privileged manual, "Physical Memory Protection"): 8 entries, granule of 4
 * bytes.
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

bool gh_pmp_allows(const struct gh *h, uint64_t pa, uint64_t size, unsigned perm, unsigned priv) {
    for (unsigned i = 0; i < PMP_N; i++) {
        const struct pmp_range *r = &h->pmp[i];
        if (pa + size <= r->first || pa >= r->end || r->end <= r->first)
            continue;
        if (pa < r->first || pa + size > r->end)
            return false; /* matches some bytes but not all */
        if (priv == TALLY_PRIV_M && !(h->pmpcfg[i] & CFG_L))
            return true;
        return (h->pmpcfg[i] & perm) == perm;
    }
    return priv == TALLY_PRIV_M;
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
        if (!(cfg & PMP_R))
            cfg &= (uint8_t)~PMP_W; /* R=0, W=1 is reserved */
        if (!(h->pmpcfg[first + i] & CFG_L))
            h->pmpcfg[first + i] = cfg;
    }
    gh_pmp_decode(h);
}

void gh_pmpaddr_write(struct gh *h, unsigned entry, uint64_t value) {
    bool below_locked_tor =
        entry + 1 < PMP_N && (h->pmpcfg[entry + 1] & CFG_L) && match_mode(h->pmpcfg[entry + 1]) == CFG_A_TOR;

    if (h->pmpcfg[entry] & CFG_L || below_locked_tor)
        return;
    h->pmpaddr[entry] = value & (rv64(h) ? BIT(54) - 1 : UINT32_MAX);
    gh_pmp_decode(h);
}
