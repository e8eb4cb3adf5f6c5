// SPDX-License-Identifier: Apache-2.0
#include "settle.h"

#include <stdlib.h>

enum {
    NETS_MOST = 32, /* of a cell that are looked at */
    FAR = 6,        /* tiles: for a cell that has farther to go, anywhere near there is good */
};

struct settler {
    struct swapper *s;
    struct chance *chance;
    double heat; /* nanoseconds of the cost */
    int reach;
    struct settle_result result;
};

/* --- Where a cell's wires are shortest --- */

/* Sides of the boxes around what the cell's nets have elsewhere, in order */
struct sides {
    int x[2 * NETS_MOST], y[2 * NETS_MOST], n;
};

static void insert(int *list, int n, int value) {
    for (; n > 0 && list[n - 1] > value; n--)
        list[n] = list[n - 1];
    list[n] = value;
}

static void add_sides(struct settler *t, const struct cell *cell, int arc, struct sides *sides) {
    const int net = t->s->p->arcs[arc].net;
    struct box box;
    if (sides->n > 2 * NETS_MOST - 2 || !mark_add(&t->s->nets, (size_t)net) ||
        !box_elsewhere(t->s, net, cell, &box))
        return;
    insert(sides->x, sides->n, box.left);
    insert(sides->x, sides->n + 1, box.right);
    insert(sides->y, sides->n, box.top);
    insert(sides->y, sides->n + 1, box.bottom);
    sides->n += 2;
}

/* Anywhere between the two sides in the middle: a step to either side makes as many boxes larger as smaller.
 */
static int middle(struct settler *t, const int *list, int n) {
    const int low = list[n / 2 - 1], high = list[n / 2];
    return low + (int)below(t->chance, (uint32_t)(high - low + 1));
}

static bool find_middle(struct settler *t, const struct cell *cell, int *x, int *y) {
    struct sides sides;
    sides.n = 0;
    t->s->nets.now++;
    for (int i = 0; i < cell->in_n; i++)
        add_sides(t, cell, cell->in[i], &sides);
    for (int i = 0; i < cell->out_n; i++)
        add_sides(t, cell, cell->out[i], &sides);
    if (!sides.n)
        return false;
    *x = middle(t, sides.x, sides.n);
    *y = middle(t, sides.y, sides.n);
    return true;
}

/* --- Moves --- */

static void draw_place(struct settler *t, const struct cell *cell, int *x, int *y) {
    int reach = t->reach;
    *x = cell->x;
    *y = cell->y;
    if (below(t->chance, 2) && find_middle(t, cell, x, y))
        reach = abs(*x - cell->x) + abs(*y - cell->y) > FAR ? 3 : 1;
    *x += around(t->chance, reach);
    *y += around(t->chance, reach);
}

static void move_any(struct settler *t) {
    const struct placement *p = t->s->p;
    const struct cell *cell = &p->cells[below(t->chance, (uint32_t)p->cells_n)];
    if (!movable(t->chance, p, cell))
        return;
    int x = 0, y = 0;
    if (cell->kind == CELL_LOGIC)
        draw_place(t, cell, &x, &y);
    t->result.tried++;
    t->result.kept += swap_try(t->s, t->chance, cell, x, y, t->heat);
}

struct settle_result settle(struct swapper *s, struct chance *chance, double heat, int reach) {
    struct settler t = {.s = s, .chance = chance, .heat = s->wire_cost * heat, .reach = reach};
    estimate_all(&s->estimate, s->p);
    if (!(s->estimate.sum > 0)) /* no path: nothing is better than anything else */
        return t.result;
    for (long i = 0; i < (long)SETTLE_MOVES * s->p->cells_n; i++)
        move_any(&t);
    return t.result;
}
