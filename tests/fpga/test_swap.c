// SPDX-License-Identifier: Apache-2.0
/*
 * Single moves of bundles on random placements: each is done if and only if rules of this test's own allow
 * it, puts every cell where they say, changes the length of wires as computed anew, and is
 * undone without a trace.
 */
#include "design.h"
#include "swap.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { DESIGNS = 60, SWAPS = 1500, RAM_SLOT = 16 };

static const char PLACED[] = "test_swap.placed.txt";
static unsigned done, displaced, refused, shifted, crowded;

/* --- What should come of it --- */

static bool at(const struct spot *a, const struct spot *b) {
    return a->x == b->x && a->y == b->y && a->slot == b->slot;
}

static struct spot goal(const struct spot *from, const struct swap *swap) {
    return (struct spot){from->x + swap->dx, from->y + swap->dy,
                         from->slot == RAM_SLOT ? RAM_SLOT : (from->slot + 2 * swap->shift) % RAM_SLOT};
}

/* The member of the bundle whose goal a place is, or -1 */
static int whose_goal(const struct design *d, const struct spot *spots, const struct swap *swap,
                      const struct spot *place) {
    for (int i = 0; i < d->cells_n; i++) {
        const struct spot to = goal(&spots[i], swap);
        if (d->cells[i].kind == CELL_LOGIC && d->cells[i].bundle == swap->bundle && at(&to, place))
            return i;
    }
    return -1;
}

/* Places after the move; false if it is not allowed. */
static bool expect(const struct design *d, const struct spot *spots, const struct swap *swap,
                   struct spot *after, bool *meets) {
    static bool pushed[CELLS_MOST], stays[CELLS_MOST]; /* bundles: with cells in the way, and with others */
    memset(pushed, 0, sizeof pushed);
    memset(stays, 0, sizeof stays);
    for (int i = 0; i < d->cells_n; i++) {
        const struct part *c = &d->cells[i];
        const int by = c->at.slot < 0 ? -1 : whose_goal(d, spots, swap, &spots[i]);
        after[i] = spots[i];
        if (c->bundle == swap->bundle) {
            if (by >= 0)
                return false;
            after[i] = goal(&spots[i], swap);
        } else if (by >= 0) {
            if (c->bundle < 0 || d->unit[c->bundle] > d->unit[swap->bundle])
                return false;
            pushed[c->bundle] = true;
            after[i] = spots[by];
        } else if (c->bundle >= 0) {
            stays[c->bundle] = true;
        }
    }
    *meets = false;
    for (int i = 0; i < d->bundles_n; i++) {
        *meets |= pushed[i];
        if (pushed[i] && stays[i])
            return false;
    }
    return !judge(d, after);
}

/* --- Results --- */

static void check_same(const struct placement *p, const struct spot *spots, const char *what,
                       unsigned long long seed) {
    static struct spot now[CELLS_MOST];
    spots_now(p, now);
    CHECK(memcmp(now, spots, (size_t)p->cells_n * sizeof *now) == 0, "seed %llu: %s: a cell elsewhere", seed,
          what);
}

static void one_swap(struct design *d, struct swapper *s, unsigned long long seed) {
    static struct spot before[CELLS_MOST], after[CELLS_MOST];
    const int bundle = (int)draw(&d->random, (uint32_t)d->bundles_n);
    if (s->p->bundles[bundle].kind != CELL_LOGIC)
        return;
    const int unit = d->unit[bundle];
    CHECK(s->p->bundles[bundle].step == unit, "seed %llu: bundle %d moves by %d look-up tables, must be %d",
          seed, bundle, s->p->bundles[bundle].step, unit);
    const struct swap swap = {bundle, (int)draw(&d->random, 7) - 3, (int)draw(&d->random, 7) - 3,
                              unit * (int)draw(&d->random, (uint32_t)(8 / unit))};
    bool meets = false;
    spots_now(s->p, before);
    const bool allowed = (swap.dx || swap.dy) && expect(d, before, &swap, after, &meets);
    double change = NAN;
    CHECK(swap_logic(s, &swap, &change) == allowed, "seed %llu: bundle %d by %d, %d, %d: must %sbe allowed",
          seed, bundle, swap.dx, swap.dy, swap.shift, allowed ? "" : "not ");
    if (!allowed) {
        refused++;
        check_same(s->p, before, "refused", seed);
    } else {
        done++;
        displaced += meets;
        shifted += swap.shift != 0;
        check_same(s->p, after, "done", seed);
        /* Wires and crowds count for so much that nothing else is seen. */
        const long length = judge_length(d, after) - judge_length(d, before);
        const long crowd = judge_crowd(d, after) - judge_crowd(d, before);
        crowded += crowd != 0;
        CHECK(lround(change / s->wire_cost) == length + 1000 * crowd,
              "seed %llu: %ld tiles of wire and %ld of crowds, reported %g", seed, length, crowd,
              change / s->wire_cost);
        if (draw(&d->random, 3)) {
            swap_keep(s);
        } else {
            swap_undo(s);
            check_same(s->p, before, "undone", seed);
        }
    }
    const char *bad = judge_tiles(d, s->p);
    CHECK(!bad, "seed %llu: %s", seed, bad);
}

int main(void) {
    for (unsigned long long seed = 1; seed <= DESIGNS; seed++) {
        const struct size size = {
            .width = 4 + (int)(seed % 5), .height = 4, .objects = 10 + (int)(seed * 3 % 90), .sites = 2};
        struct design *d = design_random(&size, seed);
        struct placement p;
        struct swapper s;
        design_load(d, PLACED, &p);
        swapper_new(&s, &p);
        s.wire_cost = 1e12;
        s.crowd_cost = 1e15;
        s.estimate.temperature = 0.5;
        estimate_all(&s.estimate, &p);
        for (int i = 0; i < SWAPS; i++)
            one_swap(d, &s, seed);
        swapper_free(&s);
        placement_free(&p);
        design_free(d);
    }
    remove(PLACED);
    printf("seeds 1 to %d: %u moves refused, %u done, %u with bundles in the way, %u within the tile as "
           "well, %u of crowds\n",
           DESIGNS, refused, done, displaced, shifted, crowded);
    CHECK(refused > 1000 && done > 1000 && displaced > 1000 && shifted > 1000 && crowded > 500,
          "too few moves of some kind");
    return 0;
}
