// SPDX-License-Identifier: Apache-2.0
#include "track_compare.h"

#define SAME(what, expected_value, found_value)                                                              \
    do {                                                                                                     \
        *expected = (expected_value);                                                                        \
        *found = (found_value);                                                                              \
        if (*expected != *found)                                                                             \
            return what;                                                                                     \
    } while (0)

const char *track_compare(const struct track_report *r, const struct gp_track *is, uint64_t ev_retire,
                          uint64_t *expected, uint64_t *found) {
    SAME("dispatched", r->dispatched, is->dispatched);
    SAME("issued", r->issued, is->issued);
    SAME("completed", r->completed, is->completed);
    SAME("oldest", r->oldest, is->oldest);
    SAME("retired", r->retired, is->retired);
    SAME("trapped", r->trapped, is->trapped);
    SAME("flushed", r->flushed, is->flushed);
    if (!r->retired && !r->trapped && !r->flushed)
        return NULL;
    if (r->flushed) {
        SAME("reason of the flush", r->flush_why, is->flush_why);
        SAME("pc of the instruction that flushed it", r->flush_pc, is->flush_pc);
    }
    if (r->retired) {
        SAME("events", ev_retire, is->ev);
        SAME("target", r->target, is->target);
    }
    SAME("kind of control transfer (a bit each)", r->itypes,
         r->itypes & 1u << is->itype ? r->itypes : 1u << is->itype);
    SAME("mispredicted", r->mispred, is->mispred);
    SAME("ITLB miss", r->itmiss, is->itmiss);
    SAME("I cache miss", r->icmiss, is->icmiss);
    SAME("L1 miss", r->l1miss, is->l1miss);
    SAME("last-level cache miss", 0, is->llmiss); /* the hart has one level */
    SAME("first-level TLB miss", r->l1tlbmiss, is->l1tlbmiss);
    SAME("last-level TLB miss", r->lltlbmiss, is->lltlbmiss);
    SAME("data source (a bit each)", r->sources, r->sources & 1u << is->dsrc ? r->sources : 1u << is->dsrc);
    SAME("virtual address", r->vaddr, is->vaddr);
    SAME("physical address", r->paddr, is->paddr);
    return NULL;
}
