// SPDX-License-Identifier: Apache-2.0
/*
 * Moves of bundles that shorten the wires and the longest paths of a placement.
 *
 * First everything settles (settle.h): wires become shorter, whereby a router finds ways for them. Then the
 * longest paths are worked on.
 *
 * A move puts a bundle elsewhere; the bundles that it meets there take its place. Groups of bundles that hang
 * on each other by critical arcs move together, since none of them gains by going alone. A move stays if the
 * cost of estimate.h, with a little for the length of all wires and for crowded tiles, becomes less.
 */
#ifndef TALLY_REFINE_H
#define TALLY_REFINE_H

#include "estimate.h"

struct refine_options {
    unsigned settle; /* rounds of settle.h */
    double heat;     /* of their first */
    unsigned rounds; /* of the longest paths: an analysis each, then MOVES moves */
    uint64_t seed;
    double first, last; /* T of the first and the last of these rounds */
    double wire_cost;   /* of a tile of wire, in nanoseconds of the cost */
    double crowd_cost;  /* of many wires into one tile: of the square of those beyond what is easy */
    double enough;      /* ns: no more of these rounds if the longest path is no longer */
};

struct refine_result {
    double longest; /* ns */
    long wire;      /* tiles: half the circumference of each net's box, nets of many cells left out */
    unsigned long tried, kept;
};

/* Delays add up in exponents: paths of more than LONGEST_MOST ns leave the range of a double. */
enum { LONGEST_MOST = 75 };

/* What rounds are about, "wires" or "paths", how many there were, and what has come of all so far */
typedef void refine_progress(const char *what, unsigned rounds, const struct refine_result *now);

/* Improve the placement; the longest path never becomes longer. `progress` (may be NULL) is called after some
 * of the rounds. */
struct refine_result refine(struct placement *p, const struct refine_options *options,
                            refine_progress *progress);
struct refine_result refine_measure(const struct placement *p);

#endif
