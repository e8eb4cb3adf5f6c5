// SPDX-License-Identifier: Apache-2.0
#include "refine.h"

#include "settle.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    ANYWHERE = 50, /* one move in so many begins with any cell */
    MOVES = 20000, /* between two analyses */
    REPORT = 50,   /* rounds between two calls of progress */
    GROUP_MOST = 15,
    NEAR_MOST = 9, /* tiles between bundles of one group */
    TRIES = 6,     /* of a group's bundle, around its place */
    LEAVING = 256, /* arcs out of a group that are looked at */
};
static const double COLD = 0.02; /* heat when everything has settled */

struct refiner {
    struct swapper s;
    struct chance chance;
    double *share; /* of all weights, up to this arc */
    int reach;     /* tiles */
    struct mark group;
    struct refine_result *result;
};

static struct cell *source(const struct refiner *r, int arc) {
    const struct placement *p = r->s.p;
    return &p->cells[p->nets[p->arcs[arc].net].driver];
}

static struct cell *sink(const struct refiner *r, int arc) { return &r->s.p->cells[r->s.p->arcs[arc].sink]; }

/* Two of a cell's arcs are drawn, and the more critical one taken. */
static int draw_arc(struct refiner *r, const int *arcs, int n) {
    const int a = arcs[below(&r->chance, (uint32_t)n)], b = arcs[below(&r->chance, (uint32_t)n)];
    return r->s.estimate.weight[b] > r->s.estimate.weight[a] ? b : a;
}

/* --- One bundle --- */

/* A place for a cell: between a neighbour before and one behind it, near a neighbour, or near its own. */
static void draw_place(struct refiner *r, const struct cell *cell, int *x, int *y) {
    const uint32_t how = below(&r->chance, 4);
    if (how < 2 && cell->in_n && cell->out_n) {
        const struct cell *a = source(r, draw_arc(r, cell->in, cell->in_n));
        const struct cell *b = sink(r, draw_arc(r, cell->out, cell->out_n));
        *x = a->x + (int)(fraction(&r->chance) * (b->x - a->x)) + around(&r->chance, 2);
        *y = a->y + (int)(fraction(&r->chance) * (b->y - a->y)) + around(&r->chance, 2);
    } else if (how == 2 && cell->in_n + cell->out_n) {
        const int k = (int)below(&r->chance, (uint32_t)(cell->in_n + cell->out_n));
        const struct cell *a = k < cell->in_n ? source(r, cell->in[k]) : sink(r, cell->out[k - cell->in_n]);
        *x = a->x + around(&r->chance, 3);
        *y = a->y + around(&r->chance, 3);
    } else {
        *x = cell->x + around(&r->chance, r->reach);
        *y = cell->y + around(&r->chance, r->reach);
    }
}

static void move_one(struct refiner *r, const struct cell *cell) {
    if (!movable(&r->chance, r->s.p, cell))
        return;
    int x = 0, y = 0;
    if (cell->kind == CELL_LOGIC)
        draw_place(r, cell, &x, &y);
    r->result->tried++;
    r->result->kept += swap_try(&r->s, &r->chance, cell, x, y, 0);
}

/* --- A group --- */

struct group {
    int bundles[GROUP_MOST + 1], n;
    int leaving[LEAVING], leaving_n; /* critical arcs to cells outside */
};

static bool in_group(const struct refiner *r, const struct cell *cell) {
    return cell->bundle >= 0 && mark_has(&r->group, (size_t)cell->bundle);
}

/* The bundles around one that are near and hang on it by arcs of at least this weight. */
static void gather(struct refiner *r, struct group *group, int bundle, double least) {
    const struct placement *p = r->s.p;
    const int most = 2 + (int)below(&r->chance, GROUP_MOST - 1),
              near = 2 + (int)below(&r->chance, NEAR_MOST - 1);
    r->group.now++;
    mark_add(&r->group, (size_t)bundle);
    *group = (struct group){.bundles = {bundle}, .n = 1};
    for (int i = 0; i < group->n; i++) {
        const struct bundle *of = &p->bundles[group->bundles[i]];
        for (int k = 0; k < of->n; k++) {
            const struct cell *cell = &p->cells[of->cells[k]];
            for (int j = 0; j < cell->in_n + cell->out_n; j++) {
                const int arc = j < cell->in_n ? cell->in[j] : cell->out[j - cell->in_n];
                const struct cell *other = j < cell->in_n ? source(r, arc) : sink(r, arc);
                if (r->s.estimate.weight[arc] < least || other->bundle < 0 || in_group(r, other))
                    continue;
                if (other->kind == CELL_LOGIC && group->n < most && abs(other->x - cell->x) <= near &&
                    abs(other->y - cell->y) <= near) {
                    mark_add(&r->group, (size_t)other->bundle);
                    group->bundles[group->n++] = other->bundle;
                } else if (group->leaving_n < LEAVING) {
                    group->leaving[group->leaving_n++] = arc;
                }
            }
        }
    }
}

/* Part of the way to what one of its critical arcs leads to, most often a small part; else anywhere near. */
static void draw_way(struct refiner *r, const struct group *group, int *dx, int *dy) {
    if (!group->leaving_n || !below(&r->chance, 4)) {
        *dx = around(&r->chance, 6);
        *dy = around(&r->chance, 6);
        return;
    }
    const int arc = group->leaving[below(&r->chance, (uint32_t)group->leaving_n)];
    const struct cell *from = source(r, arc), *to = sink(r, arc);
    const int sign = in_group(r, from) ? 1 : -1;
    const double fx = fraction(&r->chance), fy = fraction(&r->chance);
    *dx = sign * (int)lround(fx * fx * (to->x - from->x));
    *dy = sign * (int)lround(fy * fy * (to->y - from->y));
    const uint32_t straight = below(&r->chance, 9);
    if (straight < 3)
        *dx = 0;
    else if (straight < 5)
        *dy = 0;
}

/* Move a bundle about so far, where there is room. */
static bool move_about(struct refiner *r, struct swap *swap, double *total) {
    const struct bundle *bundle = &r->s.p->bundles[swap->bundle];
    const struct swap wanted = *swap;
    for (int i = 0; i < TRIES; i++) {
        double change;
        *swap = wanted;
        swap->shift = i ? draw_shift(&r->chance, bundle) : 0;
        swap->dx += i > 1 ? around(&r->chance, 1) : 0;
        swap->dy += i > 1 ? around(&r->chance, 1) : 0;
        if (swap_logic(&r->s, swap, &change)) {
            swap_keep(&r->s);
            *total += change;
            return true;
        }
    }
    return false;
}

/* A swap in the other direction brings everything back. */
static void move_back(struct refiner *r, const struct swap *swap) {
    const struct swap back = {swap->bundle, -swap->dx, -swap->dy, (TILE_LUTS - swap->shift) % TILE_LUTS};
    double change;
    if (!swap_logic(&r->s, &back, &change))
        abort();
    swap_keep(&r->s);
}

static void move_group(struct refiner *r, int arc) {
    const struct cell *cell = below(&r->chance, 2) ? source(r, arc) : sink(r, arc);
    if (cell->kind != CELL_LOGIC)
        return;
    struct group group;
    gather(r, &group, cell->bundle, r->s.estimate.weight[arc] / 10);
    int dx, dy, n = 0;
    draw_way(r, &group, &dx, &dy);
    if (!dx && !dy)
        return;
    struct swap done[GROUP_MOST + 1];
    double total = 0;
    r->result->tried++;
    for (int i = 0; i < group.n; i++) {
        done[n] = (struct swap){group.bundles[i], dx, dy, 0};
        n += move_about(r, &done[n], &total);
    }
    if (total < 0) {
        r->result->kept++;
        return;
    }
    while (n > 0)
        move_back(r, &done[--n]);
}

/* --- Rounds --- */

/* An arc, the more critical the more often */
static int critical_arc(struct refiner *r) {
    const int n = r->s.p->arcs_n;
    const double share = fraction(&r->chance) * r->share[n - 1];
    int low = 0, high = n - 1;
    while (low < high) {
        const int middle = (low + high) / 2;
        if (r->share[middle] < share)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void one_round(struct refiner *r) {
    const struct placement *p = r->s.p;
    double share = 0;
    estimate_all(&r->s.estimate, p);
    if (!(r->s.estimate.sum > 0)) /* no path: nothing is better than anything else */
        return;
    for (int i = 0; i < p->arcs_n; i++)
        r->share[i] = share += r->s.estimate.weight[i] / r->s.estimate.sum;
    for (int i = 0; i < MOVES; i++) {
        if (!below(&r->chance, ANYWHERE)) {
            move_one(r, &p->cells[below(&r->chance, (uint32_t)p->cells_n)]);
            continue;
        }
        const int arc = critical_arc(r);
        if (!below(&r->chance, 3))
            move_group(r, arc);
        else
            move_one(r, below(&r->chance, 2) ? sink(r, arc) : source(r, arc));
    }
}

struct refine_result refine_measure(const struct placement *p) {
    struct refine_result result = {.longest = estimate_longest(p)};
    for (int i = 0; i < p->nets_n; i++)
        result.wire += net_wire(p, &p->nets[i]);
    return result;
}

static void measure(const struct placement *p, struct refine_result *result) {
    const struct refine_result now = refine_measure(p);
    result->longest = now.longest;
    result->wire = now.wire;
}

/* Where everything was in the beginning */
struct snapshot {
    struct cell *cells;
    int *tiles;
};

static size_t slots_of(const struct placement *p) { return (size_t)p->width * (size_t)p->height * SLOTS; }

static void snapshot_take(struct snapshot *snapshot, const struct placement *p) {
    snapshot->cells = malloc((size_t)p->cells_n * sizeof *p->cells);
    snapshot->tiles = malloc(slots_of(p) * sizeof *p->tiles);
    if (!snapshot->cells || !snapshot->tiles)
        abort();
    memcpy(snapshot->cells, p->cells, (size_t)p->cells_n * sizeof *p->cells);
    memcpy(snapshot->tiles, p->tiles, slots_of(p) * sizeof *p->tiles);
}

static void snapshot_restore(const struct snapshot *snapshot, struct placement *p) {
    memcpy(p->cells, snapshot->cells, (size_t)p->cells_n * sizeof *p->cells);
    memcpy(p->tiles, snapshot->tiles, slots_of(p) * sizeof *p->tiles);
}

static void snapshot_free(struct snapshot *snapshot) {
    free(snapshot->cells);
    free(snapshot->tiles);
}

static void tell(const struct refiner *r, const char *what, unsigned round, refine_progress *progress) {
    if (!progress || (round + 1) % REPORT)
        return;
    measure(r->s.p, r->result);
    progress(what, round + 1, r->result);
}

struct refine_result refine(struct placement *p, const struct refine_options *options,
                            refine_progress *progress) {
    struct refine_result result = {0};
    struct refiner r = {.chance = chance_new(options->seed), .result = &result};
    r.share = calloc((size_t)p->arcs_n + 1, sizeof *r.share);
    r.group.when = calloc((size_t)p->bundles_n + 1, sizeof *r.group.when);
    if (!r.share || !r.group.when)
        abort();
    swapper_new(&r.s, p);
    struct snapshot begin;
    snapshot_take(&begin, p);
    const double longest = estimate_longest(p);
    r.s.estimate.temperature = options->first;
    r.s.wire_cost = options->wire_cost;
    r.s.crowd_cost = options->crowd_cost;
    for (unsigned round = 0; round < options->settle; round++) {
        const double left = 1 - round / (double)options->settle;
        const struct settle_result moves =
            settle(&r.s, &r.chance, options->heat * left * left + COLD, 2 + (int)(6 * left));
        result.tried += moves.tried;
        result.kept += moves.kept;
        tell(&r, "wires", round, progress);
    }
    for (unsigned round = 0; round < options->rounds && estimate_longest(p) > options->enough; round++) {
        const double done = round / (double)options->rounds;
        r.s.estimate.temperature = options->first * pow(options->last / options->first, done);
        r.reach = 3 + (int)(12 * (1 - done));
        one_round(&r);
        tell(&r, "paths", round, progress);
    }
    /* The cost is of many paths, and known from before the round: the longest may be longer after all. */
    if (estimate_longest(p) > longest) {
        snapshot_restore(&begin, p);
        result.kept = 0;
    }
    measure(p, &result);
    snapshot_free(&begin);
    swapper_free(&r.s);
    free(r.share);
    free(r.group.when);
    return result;
}
