// SPDX-License-Identifier: Apache-2.0
/*
 * The samples of a run: their fate, the stages that they reached, and the state of the buffer at that time,
 * for the table of situations (crosses.h). Reads the golden PMU; needs no simulator.
 */
#ifndef TALLY_SAMPLES_H
#define TALLY_SAMPLES_H

#include "tally_pmu_model.h"

#include <stdio.h>

enum {
    SAMPLES_FATES = 5,
    SAMPLES_ENDS = 4,
    SAMPLES_STAGES = 4,
    SAMPLES_REASONS = 5,
    SAMPLES_PLACES = 3,
    SAMPLES_FILLS = 3
};

struct samples {
    unsigned queue;       /* of the unit; everything else starts at 0 */
    struct gp_track seen; /* reports of the cycle before, which the unit uses */
    bool active;          /* a sample is active, */
    unsigned stage;       /* the stage that it has reached */
    uint64_t kept;        /* all records that were accepted, */
    uint64_t words;       /* and words that were performed */
    uint64_t fate[SAMPLES_FATES][SAMPLES_ENDS];
    uint64_t stages[SAMPLES_STAGES][SAMPLES_ENDS];
    uint64_t dropped[SAMPLES_REASONS][2]; /* physical, translated */
    uint64_t place[SAMPLES_PLACES][SAMPLES_FILLS];
};

/* One cycle, before the clock edge. */
void samples_cycle(struct samples *samples, const struct gp *pmu, const struct gp_in *in,
                   const struct gp_out *out);
/* Lines in the format of crosses_report() */
void samples_report(const struct samples *samples, FILE *out);

#endif
