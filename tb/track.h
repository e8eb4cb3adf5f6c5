// SPDX-License-Identifier: Apache-2.0
/*
 * The reports that a hart should make of its tagged instruction (docs/integration.md, The points in time of a
 * sample), from other signals: instruction bits at decode, the handshakes of dispatch and issue,
 * redirects and flushes, done bits of the scoreboard, addresses and TLB answers in EX, the walker, requests
 * on the bus, the commit trace. tb/track_compare.h compares the two. Plain C, without a simulator.
 *
 * Instructions are followed from decode to their end in a queue in program order, so the cycle of each stage
 * is known; one is executed when the writers of its registers are done. Not derived: that a fetch missed (the
 * front end says it beside the instruction), that an access hit or missed the D cache, was forwarded or
 * failed (the load/store unit says it when it is done), that a walk was not answered by the second-level TLB
 * (the walker). The unit benches of tests/hart check those.
 */
#ifndef TALLY_TRACK_H
#define TALLY_TRACK_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

struct track;

/* Signals of one hart in one cycle. `shown`, `retire` and `next_pc` come from the PMU's ports and from
 * retirement (sim_track_in). */
struct track_in {
    /* decode */
    bool shown, tagged;              /* it shows an instruction, which is tagged */
    bool refused;                    /* ... a fetch exception or illegal instruction instead */
    bool fetch_missed, fetch_walked; /* its fetch missed the I cache, the ITLB */
    bool dispatch, issue;
    uint8_t dispatch_tag; /* scoreboard entry */
    uint32_t insn;        /* raw bits of decode's instruction; compressed: upper half 0 */
    uint32_t done;        /* scoreboard: entries that have completed */
    /* EX */
    uint64_t ex_pc, ex_next_pc;
    bool redirect; /* a mispredicted transfer redirects the front end */
    /* the load/store unit */
    bool access; /* EX: a data access, not one of the load queue's */
    uint8_t access_tag;
    bool translates; /* Sv39, else bare */
    bool tlb_hit;
    bool walk; /* a walk ends, for this entry's access: */
    uint8_t walk_tag;
    bool walk_missed; /* the second-level TLB did not have it */
    bool single;      /* on the bus: AMO, LR, SC or uncached read */
    bool ended;       /* an access is done */
    uint8_t ended_tag;
    bool ended_hit; /* ... as a load from the D cache */
    bool ended_missed, ended_forwarded, ended_failed;
    /* commit */
    bool retire, exception, interrupt, ebb, flush, held;
    uint64_t access_address;
    uint64_t tlb_page; /* physical page number */
    uint64_t next_pc;
};

/* The expected report of a cycle */
struct track_report {
    bool dispatched, issued, completed, oldest, retired, trapped, flushed;
    /* with flushed */
    unsigned flush_why;
    uint64_t flush_pc;
    /* with one of the last three: itype is one of these, a bit each */
    unsigned itypes;
    bool mispred, itmiss, icmiss, l1miss, l1tlbmiss, lltlbmiss;
    unsigned sources; /* data source: one of these */
    uint64_t vaddr, paddr;
    uint64_t target; /* with retired */
};

/* ram: physical range of cacheable memory. NULL if memory is short. */
struct track *track_new(uint64_t ram_base, uint64_t ram_size);
void track_free(struct track *track);

/* One cycle. NULL, or a description of an impossible signal (valid until the next call). */
const char *track_cycle(struct track *track, const struct track_in *in, struct track_report *report);

/* May an instruction be tagged in the next cycle? Only one is followed at a time. */
bool track_idle(const struct track *track);

/* How samples ended, and cells that were seen: lines in the format of crosses_report() */
void track_report(const struct track *track, FILE *out);

#ifdef __cplusplus
}
#endif
#endif
