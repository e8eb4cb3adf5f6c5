// SPDX-License-Identifier: Apache-2.0
/*
 * Oracle of the hart's event wires: recomputes, from what is seen elsewhere, what every wire into the PMU
 * must say.
 *
 * The golden PMU takes the wires as given, so a wrong wire would go unnoticed there. Here each is held
 * against something outside its source: the instruction bits and next pc of the commit trace, addresses
 * against the memory map, requests on the bus, redirects of the front end, and sums that must come out. Plain
 * C; knows no simulator.
 */
#ifndef TALLY_ORACLE_H
#define TALLY_ORACLE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

struct oracle;

/* What one hart shows in one cycle. */
struct oracle_in {
    /* commit */
    bool retire;
    bool exception; /* a trap that is not an interrupt */
    bool interrupt;
    uint64_t pc, next_pc;
    uint32_t insn;  /* raw bits; compressed: upper half 0 */
    uint64_t cause; /* of the trap, without the interrupt bit */
    uint64_t rd_value;
    uint64_t paddr;  /* of a memory access */
    bool translated; /* explicit accesses are translated in this mode */
    bool rob_empty;
    bool halted;
    bool flush; /* commit empties the pipeline */
    /* front end and EX */
    bool resolve;  /* a control transfer (no trap return) resolves in EX, in program order */
    bool redirect; /* ... and the front end is redirected because it had gone elsewhere */
    uint64_t resolve_pc;
    bool dispatch;
    bool issue;
    bool sample; /* what decode shows the PMU is tagged */
    /* the hart's bus port: requests accepted in this cycle */
    bool i_line;      /* fetch asks for a cache line */
    bool d_line;      /* the D side asks for a cache line */
    bool read, write; /* any read; any write, AMO or SC */
    /* what the rooms say, before it becomes wires; that it is true is shown by their unit tests */
    uint8_t memory_says;    /* evm_o of the memory room, TALLY_EVM_x of tally_memory.vh */
    uint8_t front_end_says; /* evf_o of the front end, TALLY_EVF_x of tally_frontend.vh */
    uint8_t dispatch_says;  /* of what is dispatched: its fetch missed the I cache (1), the ITLB (2) */
    bool access_done;       /* a memory access is done, which */
    uint8_t access_says;    /* missed L1 (1), the DTLB (2), the L2 TLB (4), took what a store had left (8) */
    uint8_t dispatch_tag;   /* scoreboard entry of what is dispatched, */
    uint8_t access_tag;     /* of the access that is done, */
    uint8_t head_tag;       /* of the oldest instruction */
    /* under test: the wires, indexed as in tally_spec.h */
    uint64_t ev_retire;
    uint64_t ev_cycle;
};

/* NULL if memory is short. ram: physical range of cacheable memory. */
struct oracle *oracle_new(uint64_t ram_base, uint64_t ram_size);
void oracle_free(struct oracle *oracle);

/* One cycle. NULL if every wire is right, else what is wrong (valid until the next call). */
const char *oracle_cycle(struct oracle *oracle, const struct oracle_in *in);

/* The sums that must come out at the end of a run. NULL or what is wrong. */
const char *oracle_finish(struct oracle *oracle);

/* How often each wire was seen set, one line each. */
void oracle_report(const struct oracle *oracle, FILE *out);

#ifdef __cplusplus
}
#endif
#endif
