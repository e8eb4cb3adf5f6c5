// SPDX-License-Identifier: Apache-2.0
/* Functions that the files of the traffic share. */
#ifndef PMU_TRAFFIC_PARTS_H
#define PMU_TRAFFIC_PARTS_H

#include "rows.h"
#include "tally_events.h"
#include "tally_spec.h"
#include "traffic.h"

/* traffic_values.c */
unsigned some_counter(struct traffic *t);
unsigned any_counter(struct traffic *t);
uint64_t but_for_a_bit(struct traffic *t, unsigned chance, uint64_t value);
uint64_t near_overflow(struct traffic *t);
unsigned some_retire_event(struct traffic *t);
uint64_t some_combination(struct traffic *t);
uint64_t bus_sum(const struct traffic *t, unsigned i);
uint64_t some_selector(struct traffic *t);
uint64_t some_filter(struct traffic *t);
uint64_t some_value(struct traffic *t);
uint64_t inside_pc(struct traffic *t);
uint64_t some_pc(struct traffic *t);
uint64_t some_bound(struct traffic *t, uint64_t other);
uint32_t enable_word(struct traffic *t);
/* The n-th of the modes that exist, and round again */
const struct gp_mode *nth_mode(const struct traffic *t, unsigned n);
void some_mode(struct traffic *t, struct gp_mode *mode);

/* traffic_csr.c: this cycle's access */
void csr_access(struct traffic *t, unsigned num, unsigned op, uint64_t wdata);
void write_wide(struct traffic *t, unsigned low, unsigned high, uint64_t value);
void change_wide(struct traffic *t, unsigned low, unsigned high, unsigned op, uint64_t bits);
/* ... and those that follow, one in a cycle */
void plan_in(struct traffic *t, const struct gp_mode *mode, unsigned num, unsigned op, uint64_t wdata);
void plan(struct traffic *t, unsigned num, unsigned op, uint64_t wdata);
void plan_wide(struct traffic *t, unsigned low, unsigned high, uint64_t value);
void plan_clear(struct traffic *t, unsigned low, unsigned high, uint64_t bits);

/* traffic_access.c */
void csr_setup(struct traffic *t);
void csr_windows(struct traffic *t);
void csr_anything(struct traffic *t);

/* traffic_plans.c */
void plan_after_reset(struct traffic *t);
void next_plan(struct traffic *t);

/* traffic_ebb.c */
void serve_branches(struct traffic *t);
void plan_branch(struct traffic *t);
void plan_branch_rights(struct traffic *t);

/* traffic_sampling.c */
void serve_sampling(struct traffic *t);
void plan_sampling(struct traffic *t);
void plan_sampling_rights(struct traffic *t);

#endif
