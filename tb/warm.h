// SPDX-License-Identifier: Apache-2.0
/*
 * What a hart of the RTL keeps of the instructions before: predictor, caches, translations (rtl/hart, with
 * the default sizes). A checkpoint may carry it (docs/farm.md). It changes the time that instructions take,
 * not what they do.
 */
#ifndef TALLY_WARM_H
#define TALLY_WARM_H

#include "tally_state.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
    WARM_BTB_SETS = 64,   /* of two ways */
    WARM_BHT_ROWS = 4096, /* of four counters, one a halfword of a fetch group */
    WARM_ITB_ROWS = 512,
    WARM_RAS_ENTRIES = 16,
    WARM_SETS = 64, /* of a cache */
    WARM_WAYS = 4,
    WARM_TLB_ENTRIES = 16, /* of the first level */
    WARM_PAGES = 256,      /* of the second level */
    WARM_HINTS = 64,
    WARM_ENTRY_BITS = 22, /* widths of the RTL's words */
    WARM_TARGET_BITS = 38,
    WARM_INDIRECT_BITS = 36,
    WARM_TAG_BITS = 36,
    WARM_DATA_BITS = 50,
};

/* Lines by set, then way */
struct warm_cache {
    uint64_t line[WARM_SETS * WARM_WAYS]; /* physical address / 64, plus 1; 0: empty */
    uint8_t turn;
};

/* First level, by entries of the page table */
struct warm_tlb {
    uint64_t va[WARM_TLB_ENTRIES], entry[WARM_TLB_ENTRIES]; /* `entry`: 0 if there is none */
    uint16_t asid[WARM_TLB_ENTRIES];
    uint8_t level[WARM_TLB_ENTRIES]; /* 0: 4 KiB */
    uint8_t turn;
    uint8_t hint[WARM_HINTS]; /* where a page was found last: no state, it only saves time */
};

/* What an instruction has missed: numbers of lines, of pages in the first level and in both, and whether the
 * predictor was wrong, or had a target that only decoding gives. */
struct warm_seen {
    uint8_t icache, dcache, itlb, dtlb, walks, walk_lines, mispredicted, resteered;
};

/* Predictor and second level in the form of the RTL's arrays, way 0 first */
struct warm {
    uint32_t btb_entry[2 * WARM_BTB_SETS];  /* {valid, tag, kind, position} */
    uint64_t btb_target[2 * WARM_BTB_SETS]; /* address / 2 */
    uint8_t counter[4 * WARM_BHT_ROWS];     /* bit 0 inverted; of halfword 0 first */
    uint64_t indirect[WARM_ITB_ROWS], returns[WARM_RAS_ENTRIES];
    uint8_t history, top, turn;
    struct warm_cache icache, dcache;
    struct warm_tlb itlb, dtlb;
    uint64_t page_tag[WARM_PAGES], page_data[WARM_PAGES]; /* {page, ASID, G}; {valid, PPN, D, U, X, W, R} */
    uint64_t satp;                                        /* no state, as the next: follows from the hart */
    uint64_t fetched;      /* the line of the last instruction: virtual address / 64 */
    struct warm_seen seen; /* of the last instruction */
};

/* Is a part of one page within the other? By virtual addresses and levels */
static inline bool warm_pages_overlap(uint64_t va, unsigned level, uint64_t other, unsigned other_level) {
    const unsigned larger = level > other_level ? level : other_level;
    return (va ^ other) >> (12 + 9 * larger) == 0;
}

void warm_state(struct warm *warm, struct tally_state *state);

#ifdef __cplusplus
}
#endif
#endif
