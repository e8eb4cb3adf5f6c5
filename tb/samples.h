// SPDX-License-Identifier: Apache-2.0
/*
 * What became of the samples of a run, how far they had come, and what the buffer was when they got there:
 * for the table of situations (crosses.h). Reads the golden PMU; knows no simulator.
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
    unsigned queue;       /* of the unit; the rest is 0 in the beginning */
    struct gp_track seen; /* reports of the cycle before, by which the unit goes */
    bool active;          /* a sample is under way, */
    unsigned stage;       /* that has come so far */
    uint64_t kept;        /* records that were accepted, ever, */
    uint64_t words;       /* and words that were performed */
    uint64_t fate[SAMPLES_FATES][SAMPLES_ENDS];
    uint64_t stages[SAMPLES_STAGES][SAMPLES_ENDS];
    uint64_t dropped[SAMPLES_REASONS][2]; /* physical, translated */
    uint64_t place[SAMPLES_PLACES][SAMPLES_FILLS];
};

/* One cycle, before the clock edge. */
void samples_cycle(struct samples *samples, const struct gp *pmu, const struct gp_in *in,
                   const struct gp_out *out);
/* Lines as crosses_report() writes them. */
void samples_report(const struct samples *samples, FILE *out);

#endif
