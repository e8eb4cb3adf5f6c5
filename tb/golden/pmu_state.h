/*
 * Inside the golden PMU: its state, and the walls between its files.
 *
 *   pmu_model.c   the life of a unit; gp_eval(), gp_clock()
 *   pmu_access.c  who may touch what: every view of every register, in one place
 *   pmu_count.c   what counts, by how much, and what wraps
 *
 * "facts n" in a comment is a section of the fact sheet the project is built from, "ruling n" one of its
 * rulings; where a rule is ratified the name of the extension stands beside it.
 */
#ifndef PMU_STATE_H
#define PMU_STATE_H

#include "tally_pmu_model.h"
#include "tally_spec.h"

enum { CY = 0, TM = 1, IR = 2, HPM3 = 3 };

/* mhpmevent, and with xINH only mcyclecfg and minstretcfg (facts 2.1, 3). */
#define EV_OF (UINT64_C(1) << 63)
#define EV_MINH (UINT64_C(1) << 62)
#define EV_SINH (UINT64_C(1) << 61)
#define EV_UINH (UINT64_C(1) << 60)
#define EV_VSINH (UINT64_C(1) << 59)
#define EV_VUINH (UINT64_C(1) << 58)
#define EV_SELECTOR ((UINT64_C(1) << 56) - 1)

/* A field of the selector: FIELD(event, COMB_OP). */
#define FIELD(event, name)                                                                                   \
    ((unsigned)((event) >> TALLY_SEL_##name##_LSB &                                                          \
                ((2u << (TALLY_SEL_##name##_MSB - TALLY_SEL_##name##_LSB)) - 1)))

/* mstateen0, hstateen0 (facts 6.2). */
#define STATEEN_C (UINT64_C(1) << 0)
#define STATEEN_CSRIND (UINT64_C(1) << 60)

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
    /* Which counters a wire may move, so that a cycle costs no more than what happens in it. */
    uint64_t retire_used, cycle_used;           /* wires that any counter listens to */
    uint32_t retire_users[64], cycle_users[64]; /* by wire: counters */
    uint32_t internal_users; /* counters of what the unit makes itself, and combinations: always */
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
    REG_MMSC_CFG
};

/* What an access comes to. */
struct gp_access {
    enum gp_answer answer;
    enum gp_reg reg;
    unsigned i;   /* counter number */
    bool high;    /* RV32: bits 63:32 of it */
    uint64_t see; /* its bits that can be read here; the others read 0 */
    uint64_t may; /* its bits that can be written here; the others keep their value */
};

/* A write that is performed in this cycle. */
struct gp_write {
    bool valid;
    struct gp_access to;
    uint64_t value; /* in the register's own position */
    uint64_t mask;  /* bits of it that are written */
};

/* What one clock edge does to the counters. */
struct gp_step {
    uint32_t moves;             /* counters that increment */
    uint32_t wraps;             /* ... and wrap */
    uint64_t n[GP_COUNTERS];    /* by how much; valid where `moves` */
    uint8_t cause[GP_COUNTERS]; /* lane whose step wraps, or GP_NO_LANE; valid where `wraps` */
    uint32_t first;             /* wrap with the overflow flag clear: a request */
    uint32_t lcofi, andes;      /* where the requests go */
    uint32_t history;           /* what struct gp holds after the edge */
};

/* pmu_access.c */
struct gp_access gp_resolve(const struct gp *pmu, const struct gp_csr *csr, const struct gp_env *env);
uint64_t gp_read(const struct gp *pmu, const struct gp_access *access, const struct gp_csr *csr,
                 const struct gp_env *env);
struct gp_write gp_plan_write(const struct gp *pmu, const struct gp_csr *csr, const struct gp_env *env);
void gp_store(struct gp *pmu, const struct gp_write *write);

/* pmu_count.c */
bool gp_selector_known(const struct gp *pmu, unsigned i, uint64_t selector);
bool gp_selector_combines(uint64_t selector);
void gp_event_changed(struct gp *pmu, unsigned i);
uint32_t gp_overflow_flags(const struct gp *pmu);
/* By how much counter i would move in this cycle if neither mcountinhibit nor xINH nor debug mode stopped it.
 */
uint64_t gp_increment(const struct gp *pmu, const struct gp_in *in, const struct gp_write *write, unsigned i);
/* The result of counter i's combined selector, before threshold and edge. */
uint64_t gp_combine(const struct gp *pmu, const struct gp_in *in, const struct gp_write *write, unsigned i);
void gp_count(const struct gp *pmu, const struct gp_in *in, const struct gp_write *write,
              struct gp_step *step);

static inline uint64_t gp_counter_max(const struct gp *pmu, unsigned i) {
    return i < HPM3 ? UINT64_MAX : pmu->hpm_max;
}

#endif
