// SPDX-License-Identifier: Apache-2.0
/*
 * State of the golden PMU, and the functions that its files share.
 *
 *   pmu_model.c      a unit: configuration, reset, gp_eval(), gp_clock()
 *   pmu_access.c     access rights: every view of every register
 *   pmu_registers.c  values read, values written
 *   pmu_count.c      increments of counters, and their overflows
 *   pmu_spesa.c      attribution of overflows
 *   pmu_pdisctl.c    mpdisctl: legal values, modes that are sampled
 *   pmu_pdis.c       sampling: selection, stages, the end
 *   pmu_record.c     the record of a sample
 *   pmu_amb.c        the buffer in memory
 *   pmu_ebb_gates.c  event-based branches: gates and routes
 *   pmu_ebb.c        ... the event, delivery, uebret
 *   pmu_state.c      the state, field by field, to be written and read
 *
 * Comments cite the public document of a rule by section, or docs/rulings.md by heading, which also lists the
 * documents.
 */
#ifndef PMU_INTERNAL_H
#define PMU_INTERNAL_H

#include "tally_pmu_model.h"
#include "tally_spec.h"

enum { CY = 0, TM = 1, IR = 2, HPM3 = 3 };

/* mhpmevent (Sscofpmf); mcyclecfg and minstretcfg have xINH only (Smcntrpmf). */
#define EV_OF TALLY_MHPMEVENT_OF_MASK
#define EV_MINH TALLY_MHPMEVENT_MINH_MASK
#define EV_SINH TALLY_MHPMEVENT_SINH_MASK
#define EV_UINH TALLY_MHPMEVENT_UINH_MASK
#define EV_VSINH TALLY_MHPMEVENT_VSINH_MASK
#define EV_VUINH TALLY_MHPMEVENT_VUINH_MASK
#define EV_SELECTOR TALLY_MHPMEVENT_SEL_MASK

/* A field of the selector: FIELD(event, COMB_OP). */
#define FIELD(event, name)                                                                                   \
    ((unsigned)((event) >> TALLY_SEL_##name##_LSB &                                                          \
                ((2u << (TALLY_SEL_##name##_MSB - TALLY_SEL_##name##_LSB)) - 1)))

/* mstateen0, hstateen0 (Smstateen) */
#define STATEEN_C TALLY_MSTATEEN0_C_MASK
#define STATEEN_CSRIND TALLY_MSTATEEN0_CSRIND_MASK
#define STATEEN_PDIS TALLY_MSTATEEN0_PDIS_MASK

/* The sample record, word by word. */
enum gp_word { GP_HDREV, GP_PC, GP_TIME, GP_LAT, GP_ADR1, GP_ADR2, GP_WORDS };
struct gp_record {
    uint64_t word[GP_WORDS];
};

/* The hart's report of the sample and of retirement in a cycle. */
struct gp_seen {
    struct gp_track track;
    uint32_t counted; /* counters that select a retire event that the sample has */
    struct gp_retire_lane retire[GP_LANES];
    uint64_t ev_retire[GP_LANES];
    uint64_t ret_next_pc;
};

/* Stages of the sample, in cycles after its selection */
struct gp_stages {
    bool dispatched, issued, completed, oldest;
    uint64_t dispatch, issue, completion, first; /* `first`: when it became the oldest */
};

struct gp_pdis {
    uint64_t ctl;  /* mpdisctl */
    uint64_t vctl; /* fields that only vspdisctl has */
    uint32_t count, initval;
    uint64_t mask, match;
    uint32_t filter;
    struct gp_record registers; /* the sample registers; 0 while MEM is 1 */
    bool accelerate;            /* ACC: the next instruction that matches is the sample */
    uint64_t prior;             /* target of the youngest control transfer that retired */
    struct gp_seen seen;        /* of the cycle before: sampling uses that (docs/sampling.md) */
    enum gp_end ended;          /* events that count in this cycle: of the one before in which the core */
    uint8_t collided;           /* clock ran */
    bool active;                /* a sample is under way: */
    uint64_t age;               /* cycles since its selection */
    uint64_t pc;
    uint8_t type, mode;
    struct gp_stages stages;
};

/* A page of the buffer. */
struct gp_page {
    bool valid;
    uint64_t ppn;
};

struct gp_amb {
    uint64_t cs; /* spdisambcs, without derived bits */
    uint64_t addr;
    uint8_t mode;                 /* xlat_mode_o of the cycle before */
    struct gp_page current, next; /* of the place that the next record gets */
    bool asks, asks_next;         /* a request is pending; it is for the next page */
    struct gp_slot {
        uint64_t paddr;
        struct gp_record record;
    } queue[16];
    unsigned first, used; /* slots of the queue */
    unsigned sent, done;  /* words, counted from the first record's first */
};

struct gp_ebb {
    uint32_t mctl, sctl;       /* mebbctl; sebbctl, also the routes of counters that are not delegated now */
    uint32_t scr;              /* ubescr */
    uint64_t handler, ret, pc; /* uebbhr, uebbrr, uebbspc */
    uint32_t inhibit;          /* uebbinh, also of counters that are not routed now */
    uint8_t select;            /* uebbsel */
    /* Events that count in this cycle: of the one before in which the core clock ran. */
    bool delivered, unheard;
};

struct gp {
    struct gp_config cfg;

    /* Architectural state. It is held once; every CSR is a view of it. Index: counter number. */
    uint64_t counter[GP_COUNTERS];
    uint64_t event[GP_COUNTERS]; /* mhpmevent; [CY] mcyclecfg, [IR] minstretcfg */
    uint32_t inhibit, mcounteren, scounteren;
    uint16_t miselect, siselect, vsiselect;
    uint32_t wen, inten; /* mcounterwen, mcounterinen */
    uint32_t fixed_ovf;  /* mcounterovf of mcycle and minstret, which have no OF */
    uint32_t history;    /* combinations whose result was not 0 in the last cycle */
    uint64_t pclo, pchi; /* shpmpclo, shpmpchi */
    uint32_t pcsel;      /* shpmpcsel */
    uint64_t spc, sdata; /* shpmspc, shpmsdata */
    /* Decoded in the last cycle in which the core clock ran: these events count in this one. */
    struct gp_decode decoded[GP_LANES];
    struct gp_pdis pdis;
    struct gp_amb amb;
    struct gp_ebb ebb;

    /* Follows from the configuration. */
    uint32_t hpm;     /* programmable counters that exist */
    uint32_t present; /* ... and mcycle, minstret */
    uint64_t hpm_max; /* the largest value that they hold */
    uint64_t filters; /* xINH bits that exist */

    /* Follows from `event`, kept by gp_event_changed(). */
    uint8_t number[GP_COUNTERS]; /* index in tally_events */
    uint32_t combined;           /* counters with a combined selector; their number is 0 */
    uint32_t live;               /* counters that count something */
    uint32_t filtered[8];        /* by {V, priv}: counters whose xINH is set for this mode */
    /* Counters that a wire may increment: a cycle costs no more than its events. */
    uint64_t retire_used, cycle_used;           /* wires that any counter listens to */
    uint32_t retire_users[64], cycle_users[64]; /* by wire: counters */
    uint32_t internal_users; /* counters of internal events and of combinations: always evaluated */

    struct gp_evaluation *last; /* of gp_evaluate() */
};

/* The registers that exist once. */
enum gp_reg {
    REG_NONE, /* reads 0, holds nothing */
    REG_COUNTER,
    REG_EVENT,
    REG_INHIBIT,
    REG_MCOUNTEREN,
    REG_SCOUNTEREN,
    REG_TIME,
    REG_OF, /* the OF bits as one word: scountovf */
    REG_MISELECT,
    REG_SISELECT,
    REG_VSISELECT,
    REG_SWINC,
    REG_PCLO,
    REG_PCHI,
    REG_PCSEL,
    REG_WEN,
    REG_INTEN,
    REG_MASK_M,
    REG_MASK_S,
    REG_MASK_U,
    REG_OVF, /* mcounterovf */
    REG_MMSC_CFG,
    REG_SPC,
    REG_SDATA,
    REG_PDISCTL,
    REG_VPDISCTL,
    REG_PDISCOUNTER,
    REG_PDISMASK,
    REG_PDISMATCH,
    REG_PDISFILTER,
    REG_AMBCS,
    REG_AMBADDR,
    REG_SAMPLE, /* word i of the sample registers */
    REG_MEBBCTL,
    REG_SEBBCTL,
    REG_UBESCR,
    REG_UEBBHR,
    REG_UEBBRR,
    REG_UEBBOVF,
    REG_UEBBINH,
    REG_UEBBSEL,
    REG_UEBBSPC
};

/* The result of an access */
struct gp_access {
    enum gp_answer answer;
    enum gp_reg reg;
    unsigned i;   /* counter number; word of the sample registers */
    bool high;    /* RV32: bits 63:32 of it */
    uint64_t see; /* its bits that can be read here; the others read 0 */
    uint64_t may; /* its bits that can be written here; the others keep their value */
};

/* A write that is performed in this cycle. */
struct gp_write {
    bool valid;
    struct gp_access to;
    uint64_t value;  /* in the register's own position */
    uint64_t mask;   /* bits of it that are written */
    uint32_t clears; /* overflow flags that are cleared, before the overflows of the cycle */
};

/* Effects on sampling */
struct gp_sampling {
    uint8_t selected; /* a bit a lane */
    uint8_t overflows, collisions;
    uint32_t count; /* COUNT after the edge, unless it is written */
    enum gp_end end;
    bool lcofi;
    struct gp_record record; /* where `end` is not GP_END_NONE */
};

/* Effects on the buffer */
struct gp_buffer {
    bool accepts; /* a record */
    uint64_t paddr;
    bool leaves; /* ... the last of its page */
    bool sends;  /* a word */
    bool done;   /* the last word of a record is */
    bool wraps, threshold;
    bool answer, fault; /* of a translation */
    bool forget;        /* the translations */
    bool lambi;
};

/* One cycle: its inputs, and the results of inputs and state before the clock edge. */
struct gp_cycle {
    const struct gp_in *in;
    struct gp_write write;
    struct gp_sampling sampling;
    struct gp_buffer buffer;
};

/* Effects of one clock edge on the counters */
struct gp_step {
    uint32_t moves;             /* counters that increment */
    uint32_t wraps;             /* ... and wrap */
    uint64_t n[GP_COUNTERS];    /* by how much; valid where `moves` */
    uint8_t cause[GP_COUNTERS]; /* lane whose step wraps, or GP_NO_LANE; valid where `wraps` */
    uint32_t first;             /* wrap with the overflow flag clear: a request */
    uint32_t lcofi, andes, ebb; /* where the requests go */
    uint32_t history;           /* of struct gp after the edge */
};

/* What the inputs of a cycle mean for the unit's state */
struct gp_evaluation {
    bool valid; /* it is that of the present state */
    struct gp_in in;
    struct gp_cycle cycle;
    struct gp_step step;
};

/* pmu_access.c */
struct gp_access gp_resolve(const struct gp *pmu, const struct gp_csr *csr, const struct gp_env *env);

/* pmu_registers.c */
uint64_t gp_read(const struct gp *pmu, const struct gp_access *access, const struct gp_csr *csr,
                 const struct gp_env *env);
struct gp_write gp_plan_write(const struct gp *pmu, const struct gp_csr *csr, const struct gp_env *env);
/* Clear overflow flags, a bit a counter. */
void gp_clear_flags(struct gp *pmu, uint32_t flags);
/* The cycle's write. */
void gp_store(struct gp *pmu, const struct gp_cycle *cycle);

/* pmu_count.c */
bool gp_selector_known(const struct gp *pmu, unsigned i, uint64_t selector);
bool gp_selector_combines(uint64_t selector);
void gp_event_changed(struct gp *pmu, unsigned i);
uint32_t gp_overflow_flags(const struct gp *pmu);
/* Does counter i select a retire event (no combination)? One that an instruction with these wires has? */
bool gp_counts_retirement(const struct gp *pmu, unsigned i);
bool gp_counts_instruction(const struct gp *pmu, unsigned i, uint64_t wires);
/* The increment of counter i in this cycle without mcountinhibit, xINH and debug mode. */
uint64_t gp_increment(const struct gp *pmu, const struct gp_cycle *cycle, unsigned i);
/* The result of counter i's combined selector, before threshold and edge. */
uint64_t gp_combine(const struct gp *pmu, const struct gp_cycle *cycle, unsigned i);
void gp_count(const struct gp *pmu, const struct gp_cycle *cycle, struct gp_step *step);

/* pmu_model.c */
/* Valid until the state changes or other inputs are evaluated. Most are evaluated more than once, for the
 * outputs, then for the clock edge: this remembers the last. */
const struct gp_evaluation *gp_evaluate(const struct gp *pmu, const struct gp_in *in);

/* pmu_spesa.c */
bool gp_captures(const struct gp *pmu, const struct gp_in *in, const struct gp_step *step, unsigned *counter);
uint64_t gp_captured_pc(const struct gp *pmu, const struct gp_in *in, const struct gp_step *step,
                        unsigned counter);
unsigned gp_retire_limit(const struct gp *pmu);

/* The lane that an overflow without a cause is attributed to: the oldest that retires; GP_NO_LANE: none. */
unsigned gp_oldest_lane(const struct gp *pmu, const struct gp_in *in);

/* pmu_ebb_gates.c */
bool gp_plain_user(const struct gp *pmu, unsigned priv, bool v);        /* U-mode with V=0 */
bool gp_ebb_supervisor(const struct gp *pmu, const struct gp_env *env); /* S-mode's gate is open */
bool gp_ebb_user(const struct gp *pmu, const struct gp_env *env);       /* U-mode's is */
/* Counters whose overflows are events. */
uint32_t gp_routed(const struct gp *pmu, const struct gp_env *env);
/* Counters that event-based branches hold still in this cycle. */
uint32_t gp_ebb_still(const struct gp *pmu, const struct gp_in *in);

/* pmu_ebb.c */
void gp_ebb_clock(struct gp *pmu, const struct gp_cycle *cycle, const struct gp_step *step);
void gp_ebb_store(struct gp *pmu, const struct gp_cycle *cycle);
/* After the cycle's write: the hardware's part of ubescr. */
void gp_ebb_event(struct gp *pmu, const struct gp_cycle *cycle, const struct gp_step *step, uint32_t routed,
                  bool pme_before);

/* pmu_pdis.c */
void gp_sample_cycle(const struct gp *pmu, struct gp_cycle *cycle);
void gp_sample_clock(struct gp *pmu, const struct gp_cycle *cycle);

/* pmu_pdisctl.c */
/* Does software let instructions of this mode ({V, priv}) be sampled? */
bool gp_mode_sampled(const struct gp *pmu, unsigned mode);
/* Legal values of mpdisctl. */
uint64_t gp_pdisctl_bits(const struct gp *pmu);
uint64_t gp_legal_pdisctl(uint64_t ctl);

/* pmu_record.c */
void gp_make_record(const struct gp *pmu, const struct gp_env *env, const struct gp_stages *stages,
                    struct gp_record *record);
/* A latency as the record has it; 0 if it is not valid. */
unsigned gp_latency(const struct gp_record *record, unsigned select);
/* The target of the youngest control transfer that has been seen; `own`: but for the youngest lane's. */
uint64_t gp_prior_target(const struct gp *pmu, bool own);
/* Bits of a word that hardware may set. */
uint64_t gp_word_bits(const struct gp *pmu, enum gp_word word);

/* pmu_amb.c */
bool gp_buffer_accepts(const struct gp *pmu);
void gp_buffer_cycle(const struct gp *pmu, struct gp_cycle *cycle);
void gp_buffer_clock(struct gp *pmu, const struct gp_cycle *cycle);
void gp_buffer_show(const struct gp *pmu, const struct gp_env *env, struct gp_out *out);
uint64_t gp_ambcs(const struct gp *pmu);
uint64_t gp_legal_ambcs(uint64_t cs);
uint64_t gp_ambaddr_bits(const struct gp *pmu);

/* The effective mstateen0 and hstateen0: hstateen0 is 0 where mstateen0 is (Smstateen). */
static inline uint64_t gp_mstateen0(const struct gp *pmu, const struct gp_env *env) {
    return pmu->cfg.smstateen ? env->mstateen0 : UINT64_MAX;
}

static inline uint64_t gp_hstateen0(const struct gp *pmu, const struct gp_env *env) {
    return pmu->cfg.smstateen ? env->mstateen0 & env->hstateen0 : UINT64_MAX;
}

/* menvcfg.CDE, read-only 0 without Smcdeleg */
static inline bool gp_cde(const struct gp *pmu, const struct gp_env *env) {
    return pmu->cfg.smcdeleg && env->cde;
}

/* Counters that are delegated to S-mode (Smcdeleg/Ssccfg). */
static inline uint32_t gp_delegated(const struct gp *pmu, const struct gp_env *env) {
    return gp_cde(pmu, env) ? pmu->mcounteren & pmu->hpm : 0;
}

/* Counters of which custom controls are shared with the modes below M: delegated, or writable by mcounterwen
 * (docs/rulings.md, Custom counter controls below M-mode). */
static inline uint32_t gp_shared(const struct gp *pmu, const struct gp_env *env) {
    return (gp_cde(pmu, env) ? pmu->mcounteren : 0) | pmu->wen;
}

/* Types of instructions (TALLY_TYPE_x): an AMO is load and store. */
static inline bool gp_type_loads(unsigned type) {
    return type == TALLY_TYPE_LOAD || type == TALLY_TYPE_LOAD_STORE;
}

static inline bool gp_type_stores(unsigned type) {
    return type == TALLY_TYPE_STORE || type == TALLY_TYPE_LOAD_STORE;
}

/* The old value with the written bits replaced. */
static inline uint64_t gp_merge(uint64_t old, const struct gp_write *write) {
    return (old & ~write->mask) | (write->value & write->mask);
}

static inline bool gp_writes(const struct gp_cycle *cycle, enum gp_reg reg) {
    return cycle->write.valid && cycle->write.to.reg == reg;
}

static inline uint64_t gp_counter_max(const struct gp *pmu, unsigned i) {
    return i < HPM3 ? UINT64_MAX : pmu->hpm_max;
}

#endif
