// SPDX-License-Identifier: Apache-2.0
/*
 * Oracle of the hart's event wires: computes the value of every wire into the PMU from other signals.
 *
 * The golden PMU uses the wires as given, so it cannot detect a wrong wire. Here each wire is compared with
 * something outside its source: the instruction bits and next pc of the commit trace, addresses and the
 * memory map, requests on the bus, redirects of the front end, and sums over a run. Plain C, without a
 * simulator.
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

/* Signals of one hart in one cycle. First those that are read in every cycle, then those of the PMU's ports
 * and of retirements and traps (sim_oracle_in); relay.c hands on the first part only. */
struct oracle_in {
    /* commit */
    bool exception; /* a trap that is not an interrupt */
    bool interrupt;
    bool ebb;        /* an event-based branch is delivered */
    bool translated; /* explicit accesses are translated in this mode */
    bool rob_empty;
    bool flush; /* commit empties the pipeline */
    bool held;  /* ... because a debugger holds the hart */
    /* front end and EX */
    bool resolve;  /* a control transfer (no trap return) resolves in EX, in program order */
    bool redirect; /* ... and the front end is redirected because it was mispredicted */
    bool dispatch;
    bool issue;
    bool sample; /* the instruction that decode shows the PMU is tagged */
    /* the hart's bus port: requests accepted in this cycle */
    bool i_line;      /* fetch requests a cache line */
    bool d_line;      /* the D side requests a cache line */
    bool read, write; /* any read; any write, AMO or SC */
    /* reports of the hart's units, before they become wires; unit tests check them */
    uint8_t memory_says;    /* evm_o of the load/store unit, TALLY_EVM_x of tally_lsu.vh */
    uint8_t front_end_says; /* evf_o of the front end, TALLY_EVF_x of tally_frontend.vh */
    uint8_t dispatch_says; /* of the dispatched instruction: its fetch missed the I cache (1), the ITLB (2) */
    bool access_done;      /* a memory access is done, which */
    uint8_t access_says;   /* missed L1 (1), the DTLB (2), the L2 TLB (4), was forwarded from a store (8) */
    uint8_t dispatch_tag;  /* scoreboard entry of the dispatched instruction, */
    uint8_t access_tag;    /* of the completed access, */
    uint8_t head_tag;      /* of the oldest instruction */
    uint64_t resolve_pc;
    /* under test: the wires, indexed as in tally_spec.h */
    uint64_t ev_retire;
    uint64_t ev_cycle;
    bool halted;
    /* retirement or trap */
    bool retire;
    uint32_t insn; /* raw bits; compressed: upper half 0 */
    uint64_t pc, next_pc;
    uint64_t cause; /* of the trap, without the interrupt bit */
    uint64_t rd_value;
    uint64_t paddr; /* of a memory access */
};

/* NULL if memory is short. ram: physical range of cacheable memory. */
struct oracle *oracle_new(uint64_t ram_base, uint64_t ram_size);
void oracle_free(struct oracle *oracle);

/* One cycle. NULL if every wire is right, else a description of the error (valid until the next call). */
const char *oracle_cycle(struct oracle *oracle, const struct oracle_in *in);

/* Checks the sums at the end of a run. NULL, or a description of the error. */
const char *oracle_finish(struct oracle *oracle);

/* The number of times that each wire was set, one line each */
void oracle_report(const struct oracle *oracle, FILE *out);

#ifdef __cplusplus
}
#endif
#endif
