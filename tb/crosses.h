// SPDX-License-Identifier: Apache-2.0
/*
 * Situations of the pipeline that a run reached. Counts named crosses, e.g. the cause of an interrupt x the
 * state of the pipeline when it was taken. Plain C, without a simulator. The tables of crosses.c list the
 * crosses, and which cells can occur.
 */
#ifndef TALLY_CROSSES_H
#define TALLY_CROSSES_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { CROSSES_STORES = 8 }; /* entries of the store queue */

/* Signals of one hart in one cycle, besides the instruction that retires or traps */
struct crosses_in {
    bool redirect, dispatch, dispatch_exc; /* of an instruction that carries a fetch exception */
    uint8_t dispatch_cause;
    uint8_t head_tag, rob_used; /* entries, one a tag of three bits */
    uint8_t head_unit, head_op, head_sys;
    bool head_done, device_read; /* the oldest has completed; it is a load from a device */
    bool ex_done, ex_branch, md_done, divides, multiplies;
    bool lc_valid, lc_exc, lc_fwd; /* a memory access completes */
    uint8_t lc_tag, lc_cause;
    uint8_t misses;   /* registers in use, a bit each */
    uint8_t waits;    /* loads that wait for a line, a bit a tag */
    bool walks;       /* the walker works */
    bool fetch_waits; /* fetch waits for a line */
    bool load;        /* a load searches the store queue, as follows */
    bool lc_load;     /* a load that did so in the cycle before completes */
    uint8_t load_size;
    uint64_t load_paddr;
    uint8_t stores, retired_stores; /* entries in use, and those that have retired: a ring */
    uint8_t oldest_store;
    uint64_t store_word[CROSSES_STORES]; /* address / 8 */
    uint8_t store_bytes[CROSSES_STORES]; /* lanes */
};

/* The instruction that retires or traps in this cycle, or before which an event-based branch is delivered */
struct crosses_event {
    bool retire, trap, ebb;
    uint64_t cause, pc, next_pc;
    uint32_t insn;
    uint8_t priv;
};

struct crosses;

/* NULL if memory is short. `ebb`: the hart has event-based branches. */
struct crosses *crosses_new(bool ebb);
void crosses_free(struct crosses *crosses);
/* `event` is NULL in a cycle without one. */
void crosses_cycle(struct crosses *crosses, const struct crosses_in *in, const struct crosses_event *event);
/* One line for each cell that can occur: "cross NAME / ROW / COLUMN COUNT" */
void crosses_report(const struct crosses *crosses, FILE *out);

#ifdef __cplusplus
}
#endif
#endif
