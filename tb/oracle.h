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
