// SPDX-License-Identifier: Apache-2.0
/*
 * Checks the hart's reports of a tagged instruction on the PMU's `track` port against other signals.
 *
 * Follows the instructions from decode to their end by the handshakes of dispatch, issue and commit and by
 * redirects, in a queue of its own; so the cycle of each report is known. Plain C, without a simulator.
 */
#ifndef TALLY_TRACK_H
#define TALLY_TRACK_H

#include "oracle.h"
#include "tally_pmu_model.h"

#ifdef __cplusplus
extern "C" {
#endif

struct track;

/* The instruction that retires or traps in this cycle, besides struct oracle_in */
struct track_event {
    bool memory; /* it accesses memory, there: */
    uint64_t vaddr;
    uint64_t tval;
};

struct track *track_new(void); /* NULL if memory is short */
void track_free(struct track *track);

/* One cycle. NULL if every report is right, else a description of the error (valid until the next call).
 * `event` is used only with in->retire or in->exception. */
const char *track_cycle(struct track *track, const struct oracle_in *in, const struct gp_in *pmu,
                        const struct track_event *event);

/* May an instruction be tagged in the next cycle? Only one is followed at a time. */
bool track_idle(const struct track *track);

/* How samples ended: lines in the format of crosses_report() */
void track_report(const struct track *track, FILE *out);

#ifdef __cplusplus
}
#endif
#endif
