// SPDX-License-Identifier: Apache-2.0
/* Compares a hart's reports of its tagged instruction with the expected ones (tb/track.h). */
#ifndef TALLY_TRACK_COMPARE_H
#define TALLY_TRACK_COMPARE_H

#include "tally_pmu_model.h"
#include "track.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The name of the first report that is wrong, or NULL; *expected and *found are its values. `ev_retire`: the
 * event wires of the cycle, which are those of a tagged instruction that retires (tb/oracle.h checks them).
 */
const char *track_compare(const struct track_report *should, const struct gp_track *is, uint64_t ev_retire,
                          uint64_t *expected, uint64_t *found);

#ifdef __cplusplus
}
#endif
#endif
