// SPDX-License-Identifier: Apache-2.0
/*
 * Golden model of tally_pmu: a performance monitoring unit in plain C11, exact to the cycle.
 *
 * Written from the specifications, never from the RTL; it needs no simulator. docs/golden.md shows its use in
 * one. One call of gp_eval() gives the outputs that the unit shows in a cycle, one call of gp_clock() is the
 * clock edge that ends the cycle:
 *
 *     gp_csr_answer(pmu, &in.csr, &in.env, &rdata);  // may a CSR instruction be performed? changes nothing
 *     gp_eval(pmu, &in, &out);                       // as often as wanted; changes nothing
 *     gp_clock(pmu, &in);                            // state of the next cycle
 *
 * Both have the same inputs; a cycle without gp_eval() is counted too. A simulator
 * without cycles calls gp_clock() once an instruction with the events that happened.
 *
 * No function keeps a pointer that it is given, except the unit itself. Units share nothing, so each may have
 * a thread of its own. A unit is plain memory without pointers.
 */
#ifndef TALLY_PMU_MODEL_H
#define TALLY_PMU_MODEL_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { GP_LANES = 8, GP_COUNTERS = 32, GP_EVC_WORDS = 8, GP_NO_LANE = 0xFF };

enum gp_priv { GP_U = 0, GP_S = 1, GP_M = 3 };
enum gp_op { GP_READ = 0, GP_WRITE = 1, GP_SET = 2, GP_CLEAR = 3 };

/* Which PMU this is: the parameters of tally_pmu. */
struct gp_config {
    unsigned xlen;       /* 32 or 64 */
    unsigned retire_w;   /* retire lanes, 1..8 */
    unsigned decode_w;   /* decode lanes, 1..8 */
    unsigned hpm_n;      /* programmable counters 3 .. 3+hpm_n-1, 0..29; the others read 0 */
    unsigned hpm_w;      /* their width, 1..64 */
    unsigned evc_w;      /* bits of one cycle event's count, 1..8 */
    bool sscofpmf;       /* OF, xINH, scountovf, the overflow interrupt */
    bool smcntrpmf;      /* mcyclecfg, minstretcfg */
    bool smcsrind;       /* miselect, siselect, vsiselect and their windows */
    bool smcdeleg;       /* scountinhibit, selects 0x40-0x5F under menvcfg.CDE; needs smcsrind */
    bool smstateen;      /* obey mstateen0 and hstateen0; false: as if all of their bits were 1 */
    bool hyp;            /* V=1 exists: VSINH, VUINH, vsiselect, vsireg* */
    bool andes;          /* the Andes view beside the standard one; needs sscofpmf and smcntrpmf */
    bool andes_silicon;  /* its masks: false: 1 counts (the proposal); true: 1 does not (AndeStar V5) */
    bool andes_swrite;   /* S-mode writes counters at the user's numbers where mcounterwen allows */
    bool swevent;        /* shpmswinc, the event that software raises */
    bool small_events;   /* only events that a small core can have; needs comb_n 0 */
    unsigned comb_n;     /* counters 3 .. 3+comb_n-1 have the combined selector, 0..29 */
    bool pcrange;        /* shpmpclo, shpmpchi, shpmpcsel: retire events of a range of addresses only */
    bool sspesa;         /* shpmspc, shpmsdata, ret_max; needs sscofpmf */
    bool spesa_next;     /* pc of a cycle event after a flush: false: its cause; true: next to retire */
    bool smpdis;         /* instruction sampling; needs sscofpmf and smcsrind */
    unsigned pdis_mem;   /* mpdisctl.MEM: 0 and 1 hardwired, 2 writable */
    unsigned pdis_acc;   /* mpdisctl.ACC, likewise */
    unsigned pdis_queue; /* records that may be on their way to memory: 2, 4, 8, 16 */
    bool ebb;            /* event-based branches; needs sscofpmf and smcdeleg */
};

/* A CSR access. The answers do not depend on `valid`; only a valid, legal access changes state. */
struct gp_csr {
    bool valid;
    bool v;       /* virtualization mode */
    uint8_t op;   /* enum gp_op */
    uint8_t priv; /* enum gp_priv */
    uint16_t num;
    uint64_t wdata;
};

/* The hart's state that the unit obeys */
struct gp_env {
    bool cde;    /* menvcfg.CDE */
    bool pdiss;  /* menvcfg.PDISS */
    bool pdisv;  /* henvcfg.PDISV */
    bool lcofip; /* mip.LCOFIP now */
    bool tlb_inval;
    uint32_t hcounteren;
    uint64_t mstateen0, hstateen0;
    uint32_t sstateen0;
    uint64_t time, htimedelta;
};

/* Mode at the start of the cycle. */
struct gp_mode {
    uint8_t priv;
    bool v;
    bool stopcount; /* in Debug Mode with dcsr.stopcount */
    bool debug;     /* in Debug Mode */
    bool halted;    /* core clock halted */
};

struct gp_decode {
    bool valid;
    uint8_t type; /* TALLY_TYPE_x */
    uint8_t mode; /* {V, priv} */
    uint64_t pc;
};

/* The tagged instruction, as the ports trk_*_i. */
struct gp_track {
    bool dispatched, issued, completed, oldest, retired, trapped, flushed;
    bool mispred, itmiss, icmiss, l1miss, llmiss, l1tlbmiss, lltlbmiss;
    uint8_t flush_why, itype, dsrc;
    uint64_t flush_pc, ev, vaddr, paddr, target;
};

struct gp_retire_lane {
    bool valid;
    uint8_t mode;
    uint64_t pc;
};

/* Inputs of one cycle, group by group as in rtl/pmu/tally_pmu.v. */
struct gp_in {
    struct gp_csr csr;
    struct gp_env env;
    struct gp_mode mode;
    uint64_t ev_retire[GP_LANES];    /* a lane that retires: bit TALLY_EVR_x; lane 0 is the oldest */
    uint64_t ev_cycle[GP_EVC_WORDS]; /* packed as the port: field TALLY_EVC_x is evc_w bits at x * evc_w, low
                                        word first */
    struct gp_decode decode[GP_LANES];
    struct gp_track track;
    struct gp_retire_lane retire[GP_LANES];
    uint64_t ret_next_pc, ret_flush_pc;
    bool ret_flushed;
    bool ret_uebret, ret_uebret_ge; /* an uebret retires, alone; its operand */
    bool ebb_ack;                   /* the branch is delivered before ret_next_pc, and nothing retires */
    bool rec_ready, rec_done;
    bool xlat_done, xlat_fault;
    uint64_t xlat_paddr;
};

/* Outputs of one cycle. */
struct gp_out {
    bool csr_hit;       /* the unit has this CSR */
    bool csr_illegal;   /* illegal-instruction exception (only with hit) */
    bool csr_virtual;   /* virtual-instruction exception (only with hit) */
    uint64_t csr_rdata; /* old value; 0 unless hit and neither of the two above */
    uint8_t dec_sample; /* a bit a lane */
    uint8_t ret_max;    /* retire at most so many lanes */
    bool csr_tm;        /* mcounteren.TM, which Sstc needs too */
    bool irq_lcofi, irq_lambi, irq_andes;
    bool uebret_illegal, uebret_virtual; /* uebret's exception now; neither: it is legal */
    uint64_t ebb_return;                 /* where it goes */
    bool ebb_req;                        /* deliver a branch before the next instruction, */
    uint64_t ebb_target;                 /* ... to here */
    bool rec_valid;
    uint64_t rec_addr, rec_data;
    bool xlat_req;
    uint8_t xlat_mode;
    uint64_t xlat_vaddr;
    /* Not ports: more about this cycle, for simulators and debuggers */
    uint32_t wraps;             /* counters that wrap at this clock edge */
    uint8_t cause[GP_COUNTERS]; /* where `wraps`: the retire lane whose step wraps it; GP_NO_LANE if no
                                   instruction does (cycle events, combinations) */
    uint8_t end;                /* enum gp_end: of the sample that ends in this cycle */
    uint8_t overflows;          /* of the sampling counter, ... */
    uint8_t collisions;         /* ... and those that found a sample active */
};

/* How a sample ends. */
enum gp_end { GP_END_NONE, GP_END_INHIBITED, GP_END_FILTERED, GP_END_DROPPED, GP_END_KEPT };

enum gp_answer { GP_CSR_OK, GP_CSR_ILLEGAL, GP_CSR_VIRTUAL, GP_CSR_NOT_MINE };

struct gp; /* one unit */
struct tally_state;

/* The configuration of the reference hart: RV64, one lane, 29 counters of 64 bits, the Andes view, four
 * combined selectors, the pc range; no H. Without its precise sampling and event-based branches: set sspesa,
 * smpdis and ebb for these. */
void gp_config_default(struct gp_config *config);

/* A unit in reset state, to be given to gp_free(). NULL if memory is short or the configuration is not one
 * that struct gp_config allows. */
struct gp *gp_new(const struct gp_config *config);
/* NULL is allowed. */
void gp_free(struct gp *pmu);
/* The reset input for one clock edge: all state 0. The configuration stays. */
void gp_reset(struct gp *pmu);

/* Outputs for these inputs in this cycle, all of *out; the state does not change. Inputs beyond retire_w,
 * decode_w and evc_w are ignored. It remembers what they mean, so a unit is one thread's at a time. */
void gp_eval(const struct gp *pmu, const struct gp_in *in, struct gp_out *out);

/* The clock edge: besides gp_reset() the only place where state changes. A CSR access happens if it is valid,
 * no read, and legal; an illegal one changes nothing, so a simulator need not look before. */
void gp_clock(struct gp *pmu, const struct gp_in *in);

/* `n` clock edges with the same inputs: the state after `n` calls of gp_clock(), in the time of a few if only
 * counters change. */
void gp_clock_many(struct gp *pmu, const struct gp_in *in, uint64_t n);

/* Up to `n` clock edges with the same inputs, until one would do more than increment counters; that one is
 * not performed. Returns how many. None of them has an interrupt, a capture or a sample. */
uint64_t gp_clock_quiet(struct gp *pmu, const struct gp_in *in, uint64_t n);

/* Would a clock edge with these inputs change nothing? */
bool gp_is_still(const struct gp *pmu, const struct gp_in *in);

/* The answer to `uebret` in this mode and state. `target` (may be NULL) is where it goes. */
enum gp_answer gp_uebret_answer(const struct gp *pmu, const struct gp_mode *mode, const struct gp_env *env,
                                uint64_t *target);

/* Is an event-based branch to be delivered before the next instruction? ebb_req and ebb_target of gp_out. */
bool gp_ebb_request(const struct gp *pmu, const struct gp_mode *mode, const struct gp_env *env,
                    uint64_t *target);

/* The answer to one CSR access in this state, whether `valid` or not, and nothing else. `rdata` (may be NULL)
 * is the value before this cycle's increments, in XLEN bits; 0 unless the answer is OK. NOT_MINE: the unit
 * does not have the number. */
enum gp_answer gp_csr_answer(const struct gp *pmu, const struct gp_csr *csr, const struct gp_env *env,
                             uint64_t *rdata);

/* State of an M-mode CSR (counters and events whole: 64 bits also with XLEN 32), without checks; 0 for a
 * number without state. */
uint64_t gp_peek(const struct gp *pmu, unsigned num);

/* A unit's state between two cycles; the inputs that a simulator keeps from one to the next. */
void gp_state(struct gp *pmu, struct tally_state *state);
void gp_in_state(struct gp_in *in, struct tally_state *state);

/* The fate of every overflow of the sampling counter since the reset */
struct gp_ledger {
    uint64_t overflows, collisions;
    uint64_t selected; /* samples */
    uint64_t at_once;  /* of these, selected without an overflow (ACC) */
    uint64_t ended[5]; /* by enum gp_end */
    bool active;
};

/* Add a cycle in which mpdisctl.ACC was `acc`. A ledger starts at reset, all zero. True if it balances:
 * overflows + at_once = collisions + ended samples + 1 if a sample is active (docs/sampling.md), and nothing
 * is selected at once without ACC. */
bool gp_ledger_add(struct gp_ledger *ledger, const struct gp_out *out, bool acc);

#ifdef __cplusplus
}
#endif
#endif
