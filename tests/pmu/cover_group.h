// SPDX-License-Identifier: Apache-2.0
/* Shared by the files of the coverage. */
#ifndef PMU_COVER_GROUP_H
#define PMU_COVER_GROUP_H

#include "cross.h"
#include "pmu_internal.h"
#include "random.h"

/* One cycle, before its clock edge. */
struct cover_cycle {
    const struct gp_config *cfg;
    const struct gp *pmu;
    const struct gp_in *in;
    struct gp_cycle cycle;
    struct gp_step step;
    struct rng *rng; /* chooses the counter of a sample */
};

struct cover_group {
    const struct cross *crosses;
    unsigned n;
    void (*sample)(struct cross *x, const struct cover_cycle *c);
};

extern const struct cover_group cover_access, cover_buffer, cover_count, cover_ebb, cover_precise,
    cover_select;

#define HIT(x, ...) cross_hit(x, (const unsigned[CROSS_DIMS]){__VA_ARGS__})

/* ---- labels of several groups */

extern const char *const cover_no_yes[], *const cover_zero_one[], *const cover_modes[],
                                                                      *const cover_access_kinds[];
enum { MODE_M, MODE_S, MODE_U, MODE_VS, MODE_VU };

extern const char cover_no_hyp[], cover_no_counter[], cover_no_andes[], cover_no_stateen[];

static inline unsigned cover_mode(unsigned priv, bool v) {
    return priv == GP_M ? MODE_M : priv == GP_S ? (v ? MODE_VS : MODE_S) : (v ? MODE_VU : MODE_U);
}

static inline unsigned cover_bit(uint32_t word, unsigned i) { return word >> i & 1; }

/* A counter that exists. */
static inline unsigned cover_some_counter(const struct cover_cycle *c) {
    unsigned i;

    do
        i = rng_below(c->rng, HPM3 + c->cfg->hpm_n);
    while (i == TM);
    return i;
}

/* The class of n among ascending least values. */
static inline unsigned cover_class(uint64_t n, const unsigned *least, unsigned classes) {
    unsigned k = 0;

    while (k + 1 < classes && n >= least[k + 1])
        k++;
    return k;
}

#endif
