// SPDX-License-Identifier: Apache-2.0
/*
 * Delays of a placement that is not routed yet, and one smooth number for all of its paths.
 *
 * The cost is T ln(sum over all paths of exp(delay / T)): for a small T the longest path, for a larger one
 * all that come near it. Its derivative by an arc's delay is the arc's weight: the share of the sum whose
 * paths take that arc. With the weights at hand the cost of a move is known from the arcs that it touches,
 * without another analysis. T, and all delays, in nanoseconds.
 */
#ifndef TALLY_ESTIMATE_H
#define TALLY_ESTIMATE_H

#include "placement.h"

struct estimate {
    double temperature;
    double sum;     /* over all paths */
    double *before; /* a net: the sum over the ways to it */
    double *behind; /* and from it */
    double *weight; /* an arc's paths, with its delay of the last analysis */
    double *then;   /* that delay */
    double *now;    /* the delay that moves since then gave it */
};

void estimate_new(struct estimate *e, const struct placement *p);
void estimate_free(struct estimate *e);

/* Of the wire to an arc's sink, as nextpnr estimates it for an ECP5 of speed grade 6 (its predictDelay):
 * steps of a tile count double for the first five of a direction. */
double estimate_wire(const struct placement *p, const struct arc *arc);

/* All sums, from where the cells are now. */
void estimate_all(struct estimate *e, const struct placement *p);

/* By how much the cost changes if an arc's wire gets this delay. */
double estimate_change(const struct estimate *e, int arc, double wire);

/* The longest path. */
double estimate_longest(const struct placement *p);

#endif
