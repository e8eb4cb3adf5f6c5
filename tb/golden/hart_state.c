// SPDX-License-Identifier: Apache-2.0
/*
 * The state of a golden hart between two steps, translations included: software that changes a page table
 * without SFENCE.VMA sees the same ones afterwards.
 */
#include "hart_internal.h"

#include "tally_state.h"

enum { TLB_ALL = ACC_N * 4 * TLB_ENTRIES };

/* Entries that are used: index, virtual page, offset in main memory */
static void tlb_state(struct gh *h, struct tally_state *s) {
    struct tlb_entry *const all = &h->tlb[0][0][0];
    uint16_t index[TLB_ALL];
    uint64_t page[TLB_ALL], offset[TLB_ALL];
    uint32_t n = 0;

    tally_state_covers(s, h->tlb, sizeof h->tlb);
    for (unsigned i = 0; i < TLB_ALL && !s->reads; i++) {
        if (!all[i].host || all[i].page == TLB_EMPTY)
            continue;
        index[n] = (uint16_t)i;
        page[n] = all[i].page;
        offset[n++] = (uint64_t)(all[i].host - h->cfg.ram);
    }
    s->numbers(s, "tlb.n", &n, sizeof n, 1);
    if (!STATE_LIMIT(s, n <= TLB_ALL))
        return;
    s->numbers(s, "tlb.index", index, sizeof *index, n);
    s->numbers(s, "tlb.page", page, sizeof *page, n);
    s->numbers(s, "tlb.offset", offset, sizeof *offset, n);
    if (!s->reads || *s->why)
        return;
    gh_tlb_flush(h);
    for (unsigned i = 0; i < n; i++) {
        if (!STATE_LIMIT(s, index[i] < TLB_ALL && page[i] % PAGE_BYTES == 0 && offset[i] % PAGE_BYTES == 0 &&
                                offset[i] <= h->cfg.ram_size - PAGE_BYTES))
            return;
        all[index[i]] = (struct tlb_entry){.page = page[i], .host = h->cfg.ram + offset[i]};
    }
}

void gh_state(struct gh *h, struct tally_state *s) {
    STATE_SKIP(s, h->cfg);
    STATE_SKIP(s, h->host);
    STATE_SKIP(s, h->xmask);
    STATE_SKIP(s, h->rvc);
    STATE_EACH(s, h->x);
    STATE(s, h->pc);
    STATE_SKIP(s, h->next_pc); /* of a step */
    STATE(s, h->priv);
    STATE(s, h->mstatus);
    STATE(s, h->medeleg);
    STATE(s, h->mideleg);
    STATE(s, h->mie);
    STATE(s, h->mip_soft);
    STATE(s, h->mip_line);
    STATE(s, h->mtvec);
    STATE(s, h->mscratch);
    STATE(s, h->mepc);
    STATE(s, h->mcause);
    STATE(s, h->mtval);
    STATE(s, h->menvcfg);
    STATE(s, h->mstateen0);
    STATE(s, h->stvec);
    STATE(s, h->sscratch);
    STATE(s, h->sepc);
    STATE(s, h->scause);
    STATE(s, h->stval);
    STATE(s, h->satp);
    STATE(s, h->senvcfg);
    STATE(s, h->sstateen0);
    STATE(s, h->stimecmp);
    STATE(s, h->mseccfg);
    STATE_EACH(s, h->pmpcfg);
    STATE_EACH(s, h->pmpaddr);
    STATE_SKIP(s, h->pmp);
    if (s->reads && !*s->why)
        gh_pmp_decode(h); /* it forgets translations, too */
    STATE(s, h->linked);
    STATE(s, h->reserved);
    STATE(s, h->reserved_line);
    tlb_state(h, s);
    STATE_SKIP(s, h->hint);
    STATE_SKIP(s, h->out);
    STATE_SKIP(s, h->raw);
    STATE_SKIP(s, h->exc_cause);
    STATE_SKIP(s, h->exc_tval);

    STATE_LIMIT(s, h->x[0] == 0);
    STATE_LIMIT(s, h->pc <= h->xmask && h->pc % 2 == 0);
    STATE_LIMIT(s, h->priv <= TALLY_PRIV_M && h->priv != 2);
    STATE_LIMIT(s, field(h->mstatus, TALLY_MSTATUS_MPP_LSB, 2) != 2);
}
