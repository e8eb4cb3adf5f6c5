// SPDX-License-Identifier: Apache-2.0
/*
 * The cache of translations. An entry says that this kind of access, in this mode, is allowed on a whole page
 * of main memory.
 */
#include "hart_internal.h"

void gh_tlb_flush(struct gh *h) {
    for (unsigned a = 0; a < ACC_N; a++)
        for (unsigned p = 0; p < 4; p++)
            for (unsigned i = 0; i < TLB_ENTRIES; i++)
                h->tlb[a][p][i].page = TLB_EMPTY;
}

void gh_tlb_fill(struct gh *h, uint64_t va, enum access acc, unsigned priv, uint64_t page) {
    struct tlb_entry *e = tlb_slot(h, va, acc, priv);

    if (page < h->cfg.ram_base || page - h->cfg.ram_base + PAGE_BYTES > h->cfg.ram_size)
        return;
    e->page = va & ~(PAGE_BYTES - 1);
    e->host = ram_at(h, page);
}
