/*
 * Functional coverage: named crosses of the situations that matter, counted while the bench runs. A bin is a
 * combination of one label from every dimension; what a configuration cannot reach is excluded, with the
 * reason beside it in cover.c. All the others have to be hit.
 */
#ifndef PMU_COVER_H
#define PMU_COVER_H

#include "random.h"
#include "tally_pmu_model.h"

#ifdef __cplusplus
extern "C" {
#endif

struct cover;

struct cover *cover_new(const struct gp_config *cfg);
void cover_free(struct cover *c);

/* Count what these inputs do in this state: before the clock edge. */
void cover_sample(struct cover *c, const struct gp *pmu, const struct gp_in *in);

/* Print the table; how many bins are wrong: not hit, or hit although excluded. */
unsigned cover_report(const struct cover *c);

#ifdef __cplusplus
}
#endif
#endif
