// SPDX-License-Identifier: Apache-2.0
/*
 * All wires of a placement become shorter, and long paths with them: simulated annealing from a heat at which
 * the placement keeps its shape. Less wire is what a router needs where a chip is full.
 */
#ifndef TALLY_SETTLE_H
#define TALLY_SETTLE_H

#include "swap.h"

struct settle_result {
    unsigned long tried, kept;
};

/* A round: an analysis of the paths, then SETTLE_MOVES moves for each cell, by the costs of `s` and with the
 * temperature of its estimate. Heat: a net that becomes longer by so many tiles stays with probability 1/e.
 * Reach: a move goes no farther (tiles), if it does not go to where the cell's wires are shortest. */
enum { SETTLE_MOVES = 4 };
struct settle_result settle(struct swapper *s, struct chance *chance, double heat, int reach);

#endif
