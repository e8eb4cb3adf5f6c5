// SPDX-License-Identifier: Apache-2.0
#include "cover.h"

#include "cover_group.h"

#include <stdio.h>
#include <stdlib.h>

static const struct cover_group *const groups[] = {&cover_access,  &cover_count,  &cover_select,
                                                   &cover_precise, &cover_buffer, &cover_ebb};
enum { N_GROUPS = sizeof(groups) / sizeof(groups[0]) };

struct cover {
    const struct gp_config *cfg;
    struct rng rng;
    struct cross *crosses[N_GROUPS];
};

struct cover *cover_new(const struct gp_config *cfg) {
    struct cover *c = calloc(1, sizeof(*c));

    if (!c)
        abort();
    c->cfg = cfg;
    rng_seed(&c->rng, 1);
    for (unsigned g = 0; g < N_GROUPS; g++) {
        c->crosses[g] = calloc(groups[g]->n, sizeof(struct cross));
        if (!c->crosses[g])
            abort();
        for (unsigned k = 0; k < groups[g]->n; k++) {
            c->crosses[g][k] = groups[g]->crosses[k];
            cross_init(&c->crosses[g][k], cfg);
        }
    }
    return c;
}

void cover_free(struct cover *c) {
    for (unsigned g = 0; g < N_GROUPS; g++) {
        for (unsigned k = 0; k < groups[g]->n; k++)
            cross_done(&c->crosses[g][k]);
        free(c->crosses[g]);
    }
    free(c);
}

void cover_sample(struct cover *c, const struct gp *pmu, const struct gp_in *in) {
    const struct gp_evaluation *now = gp_evaluate(pmu, in);
    struct cover_cycle cycle = {
        .cfg = c->cfg, .pmu = pmu, .in = in, .cycle = now->cycle, .step = now->step, .rng = &c->rng};

    for (unsigned g = 0; g < N_GROUPS; g++)
        groups[g]->sample(c->crosses[g], &cycle);
}

unsigned cover_report(const struct cover *c, bool every_cell, bool short_run) {
    unsigned wrong = 0;

    printf("  %-34s %6s %8s %12s %10s\n", "cross", "cells", "hit", "impossible", "least");
    for (unsigned g = 0; g < N_GROUPS; g++)
        for (unsigned k = 0; k < groups[g]->n; k++)
            wrong += cross_report(&c->crosses[g][k], every_cell, short_run);
    return wrong;
}
