// SPDX-License-Identifier: Apache-2.0
/*
 * Constrained-random traffic on every input of tally_pmu.
 *
 * It depends on the configuration and the CSR numbers, not on the state of the unit. The run is cut into
 * phases of some hundred cycles, each with its own rates (CSR accesses, density of events, changes of mode,
 * ...). In between, short plans create situations that are rare by chance: counters that wrap together,
 * writes in the very cycle of a wrap, a delegated counter in use.
 */
#ifndef PMU_TRAFFIC_H
#define PMU_TRAFFIC_H

#include "host.h"
#include "random.h"
#include "tally_pmu_model.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { TRAFFIC_PLAN = 128 };

struct traffic {
    const struct gp_config *cfg;
    struct rng rng;
    struct gp_in in; /* the inputs of this cycle */
    bool rst;
    unsigned left;                    /* cycles of this phase */
    unsigned recent;                  /* the counter that was preset last */
    uint64_t lo, hi;                  /* the bounds that were written last */
    unsigned sleep;                   /* cycles to halt for when the plan is done */
    unsigned pin;                     /* cycles in which the mode is */
    struct gp_mode pinned;            /* ... this one */
    bool still;                       /* nothing else retires: a branch is delivered, or uebret retires */
    struct gp_csr plan[TRAFFIC_PLAN]; /* accesses that follow one another, from `planned_next` on */
    unsigned planned, planned_next;
    bool held; /* an access that the unit made wait */
    struct gp_csr held_csr;
    bool waits;       /* the unit does: to be set after traffic_init() */
    bool pipelined;   /* ... for CSR_PIPELINE: the inputs that give rights do not change during an access */
    unsigned looks;   /* traffic_look() has been called so often */
    unsigned numbers; /* ... traffic_numbers() */
    struct host host; /* whose instructions are sampled (SMPDIS) */
    struct mood {
        unsigned csr_rate;    /* of 256: an access that is performed */
        unsigned setup_rate;  /* of 256: ... that makes something happen, in M-mode */
        unsigned retire_rate; /* of 256: a lane retires */
        unsigned dense;       /* of 16: density of event bits */
        unsigned mode_rate;   /* of 256: the mode changes */
        unsigned odd_rate;    /* of 256: halted, debug */
        unsigned env_rate;    /* of 256: something of env changes */
        bool open;            /* enables are mostly 1 */
        bool crowded;         /* counters are read nearly all the time: those in a RAM fall behind */
    } mood;
};

void traffic_init(struct traffic *t, const struct gp_config *cfg, uint64_t seed);

/* The next cycle: t->in, t->rst, as far as it does not depend on the unit's answers. */
void traffic_next(struct traffic *t);

/* With event-based branches: deliver one, or execute uebret, depending on t->in. request, returns: whether
 * the unit requests a branch, and allows uebret. Then the other functions; the last is traffic_return(). */
void traffic_branch(struct traffic *t, bool request, bool returns);
void traffic_return(struct traffic *t, bool may_retire);

/* The unit wants a cycle in which nothing retires and no access is performed: ret_max = 0. */
void traffic_stall(struct traffic *t);

/* The rest of t->in, given the unit's outputs for the first part in this cycle: ret_max, dec_sample,
 * rec_valid, xlat_req. */
void traffic_react(struct traffic *t, const struct gp_out *out);

/* Let M-mode read the next of traffic_state, or the next of traffic_numbers() be tried. */
void traffic_look(struct traffic *t);

/* The next of all numbers: one after the other, then again by another operation, then in other modes. */
struct gp_csr traffic_numbers(struct traffic *t);

/* Numbers whose state M-mode can read: to compare all of it. Ends with 0xFFFF. */
extern const uint16_t traffic_state[];

#ifdef __cplusplus
}
#endif
#endif
