// SPDX-License-Identifier: Apache-2.0
/*
 * A cross: situations named by one label from each of several dimensions, each combination a cell that is
 * counted. A cell that a configuration cannot reach has a reason; all others must be hit.
 */
#ifndef PMU_CROSS_H
#define PMU_CROSS_H

#include "tally_pmu_model.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { CROSS_DIMS = 7 };

struct cross {
    const char *name;
    struct {
        const char *name;
        const char *const *labels; /* ends with NULL */
    } dim[CROSS_DIMS];
    /* Why this cell cannot be reached; NULL if it can. */
    const char *(*impossible)(const struct gp_config *cfg, const unsigned at[CROSS_DIMS]);
    /* Of a hundred cells so many are so seldom that a short run may miss them; a long one may not. */
    unsigned seldom;

    /* From here on cross_init()'s. */
    unsigned dims, cells, size[CROSS_DIMS];
    uint32_t *hits;
    const char **reason;
};

void cross_init(struct cross *x, const struct gp_config *cfg);
void cross_done(struct cross *x);
void cross_hit(struct cross *x, const unsigned at[CROSS_DIMS]);

/* Print its line of the table and its wrong cells; how many cells are wrong: not hit (in a short run: more
 * than are seldom), or hit although there is a reason against it. With every_cell each cell has a line, for
 * who adds up runs: none is wrong for not being hit in this one. */
unsigned cross_report(const struct cross *x, bool every_cell, bool short_run);

#endif
