// SPDX-License-Identifier: Apache-2.0
/*
 * Address translation (privileged manual, Sv32 and Sv39).
 */
#include "hart_internal.h"

enum { PTE_V = 1, PTE_R = 2, PTE_W = 4, PTE_X = 8, PTE_U = 0x10, PTE_G = 0x20, PTE_A = 0x40, PTE_D = 0x80 };
enum { SATP_SV39 = 8 };

struct scheme {
    int levels;
    unsigned vpn_bits, pte_bytes;
};

static const struct scheme sv32 = {2, 10, 4}, sv39 = {3, 9, 8};

bool gh_raise_access_fault(struct gh *h, enum access acc, uint64_t tval) {
    static const uint8_t cause[ACC_N] = {TALLY_EXC_INSN_ACCESS, TALLY_EXC_LOAD_ACCESS,
                                         TALLY_EXC_STORE_ACCESS};
    return raise_exc(h, cause[acc], tval);
}

static bool raise_page_fault(struct gh *h, enum access acc, uint64_t tval) {
    static const uint8_t cause[ACC_N] = {TALLY_EXC_INSN_PAGE, TALLY_EXC_LOAD_PAGE, TALLY_EXC_STORE_PAGE};
    return raise_exc(h, cause[acc], tval);
}

static bool translation_on(const struct gh *h, unsigned priv) {
    if (priv == TALLY_PRIV_M)
        return false;
    return rv64(h) ? h->satp >> 60 == SATP_SV39 : h->satp >> 31 != 0;
}

static bool leaf_permits(const struct gh *h, uint64_t pte, enum access acc, unsigned priv) {
    if (priv == TALLY_PRIV_U && !(pte & PTE_U))
        return false;
    if (priv == TALLY_PRIV_S && pte & PTE_U && (acc == ACC_FETCH || !(h->mstatus & TALLY_MSTATUS_SUM_MASK)))
        return false;
    switch (acc) {
    case ACC_FETCH:
        return pte & PTE_X;
    case ACC_LOAD:
        return pte & PTE_R || (h->mstatus & TALLY_MSTATUS_MXR_MASK && pte & PTE_X);
    default:
        return pte & PTE_W;
    }
}

/* A=0, or a store with D=0: fault (Svade), or set the bits in memory (Svadu). */
static bool update_accessed(struct gh *h, uint64_t va, enum access acc, uint64_t pte_pa, uint64_t pte,
                            unsigned bytes) {
    uint64_t want = acc == ACC_STORE ? PTE_A | PTE_D : PTE_A;

    if ((pte & want) == want)
        return true;
    if (!(h->menvcfg & TALLY_MENVCFG_ADUE_MASK))
        return raise_page_fault(h, acc, va);
    if (!gh_pmp_allows(h, pte_pa, bytes, PMP_W, TALLY_PRIV_S))
        return gh_raise_access_fault(h, acc, va);
    gh_ram_write(h, pte_pa, bytes, pte | want);
    if (h->out) /* not on behalf of the PMU, before the first step */
        h->out->sets_ad = true;
    gh_reservation_break(h, pte_pa);
    if (h->host.entry_marked)
        h->host.entry_marked(h->host.ctx, pte_pa);
    return true;
}

static bool walk(struct gh *h, uint64_t va, enum access acc, unsigned priv, uint64_t *pa) {
    const struct scheme *s = rv64(h) ? &sv39 : &sv32;
    uint64_t table = field(h->satp, 0, rv64(h) ? 44 : 22) << 12;

    if (rv64(h) && sext(va, 39) != va)
        return raise_page_fault(h, acc, va);
    for (int level = s->levels - 1; level >= 0; level--) {
        unsigned shift = 12 + (unsigned)level * s->vpn_bits;
        uint64_t pte_pa = table + field(va, shift, s->vpn_bits) * s->pte_bytes;
        uint64_t pte, ppn;

        if (!gh_in_ram(h, pte_pa, s->pte_bytes) ||
            !gh_pmp_allows(h, pte_pa, s->pte_bytes, PMP_R, TALLY_PRIV_S))
            return gh_raise_access_fault(h, acc, va);
        pte = gh_ram_read(h, pte_pa, s->pte_bytes);
        if (!(pte & PTE_V) || (pte & (PTE_R | PTE_W)) == PTE_W || (rv64(h) && pte >> 54))
            return raise_page_fault(h, acc, va);
        ppn = pte >> 10;
        if (!(pte & (PTE_R | PTE_X))) { /* pointer to the next level */
            if (pte & (PTE_A | PTE_D | PTE_U))
                return raise_page_fault(h, acc, va);
            table = ppn << 12;
            continue;
        }
        if (!leaf_permits(h, pte, acc, priv))
            return raise_page_fault(h, acc, va);
        if (ppn & (BIT(shift - 12) - 1))
            return raise_page_fault(h, acc, va); /* misaligned superpage */
        if (!update_accessed(h, va, acc, pte_pa, pte, s->pte_bytes))
            return false;
        *pa = (ppn << 12 & ~(BIT(shift) - 1)) | (va & (BIT(shift) - 1));
        return true;
    }
    return raise_page_fault(h, acc, va); /* a pointer in the last level */
}

bool gh_translate(struct gh *h, uint64_t va, enum access acc, unsigned priv, uint64_t *pa) {
    if (translation_on(h, priv))
        return walk(h, va, acc, priv, pa);
    if (va >> PADDR_BITS)
        return gh_raise_access_fault(h, acc, va);
    *pa = va;
    return true;
}

bool gh_find_leaf(const struct gh *h, uint64_t va, struct gh_leaf *leaf) {
    const struct scheme *s = rv64(h) ? &sv39 : &sv32;
    uint64_t table = field(h->satp, 0, rv64(h) ? 44 : 22) << 12, global = 0;

    leaf->reads = 0;
    if (!translation_on(h, TALLY_PRIV_S))
        return false;
    for (leaf->level = (unsigned)s->levels; leaf->level--;) {
        const uint64_t at = table + field(va, 12 + leaf->level * s->vpn_bits, s->vpn_bits) * s->pte_bytes;
        uint64_t pte;

        if (!gh_in_ram(h, at, s->pte_bytes) || !((pte = gh_ram_read(h, at, s->pte_bytes)) & PTE_V))
            return false;
        leaf->read[leaf->reads++] = at;
        global |= pte & PTE_G;
        leaf->entry = pte | global;
        if (pte & (PTE_R | PTE_X))
            return true;
        table = pte >> 10 << 12;
    }
    return false;
}

bool gh_record_page(struct gh *h, uint64_t va, uint64_t *pa) {
    const uint64_t mstatus = h->mstatus;
    bool done;

    h->mstatus &= ~(uint64_t)TALLY_MSTATUS_SUM_MASK;
    done = gh_translate(h, va, ACC_STORE, TALLY_PRIV_S, pa);
    h->mstatus = mstatus;
    return done;
}
