// SPDX-License-Identifier: Apache-2.0
/* Bundles that change places, and what that does to the cost. */
#ifndef TALLY_SWAP_H
#define TALLY_SWAP_H

#include "chance.h"
#include "estimate.h"

struct box {
    int left, right, top, bottom; /* tiles */
};

struct moved {
    int cell, x, y, slot;
};

struct touched {
    int net;
    struct box box; /* behind the swap */
    bool stale;     /* to be found from the places of all of its cells */
};

/* A set of indices that is emptied in no time */
struct mark {
    unsigned *when, now;
};

struct swapper {
    struct placement *p;
    struct estimate estimate;
    double wire_cost, crowd_cost;
    int *load; /* of a tile: wires that enter its cells */
    int *pins; /* of a cell */
    struct mark arcs, nets, slots;
    int *arc, arc_n;     /* touched by the last swap */
    struct touched *net; /* touched, too */
    int net_n;
    struct box *box;         /* of a net */
    int *net_index;          /* in the list of touched ones */
    struct moved *to, *from; /* its cells */
    int moved_n;
};

/* A bundle goes by (dx, dy) tiles, and `shift` look-up tables on within its tile (a multiple of bundle.step).
 */
struct swap {
    int bundle, dx, dy, shift;
};

/* The box around what a cell's net has elsewhere than in the cell's bundle; false if that is nothing, or so
 * much that no place is better than another. */
bool box_elsewhere(const struct swapper *s, int net, const struct cell *cell, struct box *box);

void swapper_new(struct swapper *s, struct placement *p);
void swapper_free(struct swapper *s);

static inline bool mark_add(struct mark *mark, size_t i) {
    const bool fresh = mark->when[i] != mark->now;
    mark->when[i] = mark->now;
    return fresh;
}
static inline bool mark_has(const struct mark *mark, size_t i) { return mark->when[i] == mark->now; }

/* Tiles of wire of a net: half the circumference of its box; 0 for nets of so many cells that no place is
 * better than another. */
int net_wire(const struct placement *p, const struct net *net);

/* By how many look-up tables a bundle goes on within a tile, drawn */
int draw_shift(struct chance *chance, const struct bundle *bundle);

/* Is it this cell's turn? Never if it is fixed, seldom if its bundle takes long to move. */
bool movable(struct chance *chance, const struct placement *p, const struct cell *cell);

/* Do it, if the places are there and all cells may be where they come. `change`: of the cost. Then it is to
 * be kept, or undone. */
bool swap_logic(struct swapper *s, const struct swap *swap, double *change);
bool swap_sites(struct swapper *s, int cell, int other, double *change);
void swap_keep(struct swapper *s);
void swap_undo(struct swapper *s);

/* Put a cell to (x, y), or in the place of any other if it is a site. It stays if the cost becomes less, or
 * if chance has it at this heat (ns of the cost; 0: never). */
bool swap_try(struct swapper *s, struct chance *chance, const struct cell *cell, int x, int y, double heat);

#endif
