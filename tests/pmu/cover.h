// SPDX-License-Identifier: Apache-2.0
/*
 * Functional coverage: named crosses of the situations that matter, counted while the bench runs. A cell
 * that a configuration cannot reach has a reason; all others must be hit.
 *
 *   cross.c           crosses, counted and printed
 *   cover_access.c    accesses by mode and enables
 *   cover_count.c     increments, wraps, and simultaneous events
 *   cover_select.c    combined selectors, program counter range, cause of a wrap
 *   cover_ebb.c       event-based branches
 *   cover_sample.c    precise sampling
 */
#ifndef PMU_COVER_H
#define PMU_COVER_H

#include "tally_pmu_model.h"

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

struct cover;

struct cover *cover_new(const struct gp_config *cfg);
void cover_free(struct cover *c);

/* Count the effects of these inputs in this state: before the clock edge. */
void cover_sample(struct cover *c, const struct gp *pmu, const struct gp_in *in);

/* Print the table; how many cells are wrong, as cross_report() counts them. */
unsigned cover_report(const struct cover *c, bool every_cell, bool short_run);

#ifdef __cplusplus
}
#endif
#endif
