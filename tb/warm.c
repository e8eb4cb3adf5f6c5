// SPDX-License-Identifier: Apache-2.0
#include "warm.h"

static bool fit(const uint64_t *number, unsigned n, unsigned bits) {
    for (unsigned i = 0; i < n; i++)
        if (number[i] >> bits)
            return false;
    return true;
}

static void cache_state(struct warm_cache *c, struct tally_state *s) {
    STATE_EACH(s, c->line);
    STATE(s, c->turn);
    STATE_LIMIT(s, c->turn < WARM_WAYS);
    for (unsigned i = 0; i < WARM_SETS * WARM_WAYS; i++)
        STATE_LIMIT(s, !c->line[i] || (c->line[i] - 1) % WARM_SETS == i / WARM_WAYS);
}

static void tlb_state(struct warm_tlb *t, struct tally_state *s) {
    STATE_EACH(s, t->va);
    STATE_EACH(s, t->entry);
    STATE_EACH(s, t->asid);
    STATE_EACH(s, t->level);
    STATE(s, t->turn);
    STATE_SKIP(s, t->hint);
    STATE_LIMIT(s, t->turn < WARM_TLB_ENTRIES);
    for (unsigned i = 0; i < WARM_TLB_ENTRIES; i++)
        STATE_LIMIT(s, t->level[i] <= 2);
}

static bool distinct(const struct warm_tlb *t) {
    for (unsigned i = 0; i < WARM_TLB_ENTRIES; i++)
        for (unsigned k = 0; k < i; k++)
            if (t->entry[i] && t->entry[k] &&
                warm_pages_overlap(t->va[i], t->level[i], t->va[k], t->level[k]))
                return false;
    return true;
}

void warm_state(struct warm *w, struct tally_state *s) {
    STATE_EACH(s, w->btb_entry);
    STATE_EACH(s, w->btb_target);
    STATE_EACH(s, w->counter);
    STATE_EACH(s, w->indirect);
    STATE_EACH(s, w->returns);
    STATE(s, w->history);
    STATE(s, w->top);
    STATE(s, w->turn);
    STATE_LIMIT(s, w->top < WARM_RAS_ENTRIES && w->turn < 2);
    for (unsigned i = 0; i < 2 * WARM_BTB_SETS; i++)
        STATE_LIMIT(s, w->btb_entry[i] >> WARM_ENTRY_BITS == 0);
    for (unsigned i = 0; i < 4 * WARM_BHT_ROWS; i++)
        STATE_LIMIT(s, w->counter[i] <= 3);
    STATE_LIMIT(s, fit(w->btb_target, 2 * WARM_BTB_SETS, WARM_TARGET_BITS));
    STATE_LIMIT(s, fit(w->indirect, WARM_ITB_ROWS, WARM_INDIRECT_BITS));
    STATE_LIMIT(s, fit(w->returns, WARM_RAS_ENTRIES, WARM_TARGET_BITS));
    cache_state(&w->icache, s);
    cache_state(&w->dcache, s);
    tlb_state(&w->itlb, s);
    tlb_state(&w->dtlb, s);
    STATE_LIMIT(s, distinct(&w->dtlb));
    STATE_EACH(s, w->page_tag);
    STATE_EACH(s, w->page_data);
    STATE_LIMIT(s, fit(w->page_tag, WARM_PAGES, WARM_TAG_BITS));
    STATE_LIMIT(s, fit(w->page_data, WARM_PAGES, WARM_DATA_BITS));
    STATE_SKIP(s, w->satp);
    STATE_SKIP(s, w->fetched);
    STATE_SKIP(s, w->seen);
}
