// SPDX-License-Identifier: Apache-2.0
#include "swap.h"

#include <stdlib.h>

enum { WIDE_NET = 256, SLOTS_OF_LUTS = RAM_PORT };
enum { EASY_LOAD = 20 }; /* wires that a tile takes without trouble: the median has 15, one in a hundred 27 */

static void *zeroed(size_t n, size_t size) {
    void *memory = calloc(n ? n : 1, size);
    if (!memory)
        abort();
    return memory;
}

static void mark_new(struct mark *mark, size_t n) {
    *mark = (struct mark){.when = zeroed(n, sizeof *mark->when)};
}

static int *tile_load(const struct swapper *s, int x, int y) {
    return &s->load[(size_t)x * (size_t)s->p->height + (size_t)y];
}

void swapper_new(struct swapper *s, struct placement *p) {
    *s = (struct swapper){.p = p};
    estimate_new(&s->estimate, p);
    mark_new(&s->arcs, (size_t)p->arcs_n);
    mark_new(&s->nets, (size_t)p->nets_n);
    mark_new(&s->slots, (size_t)p->width * (size_t)p->height * SLOTS);
    s->arc = zeroed((size_t)p->arcs_n, sizeof *s->arc);
    s->net = zeroed((size_t)p->nets_n, sizeof *s->net);
    const size_t most = 2 * (size_t)p->largest + 2;
    s->load = zeroed((size_t)p->width * (size_t)p->height, sizeof *s->load);
    s->pins = zeroed((size_t)p->cells_n, sizeof *s->pins);
    for (int i = 0; i < p->arcs_n; i++)
        s->pins[p->arcs[i].sink] += !p->arcs[i].dedicated;
    for (int i = 0; i < p->cells_n; i++)
        *tile_load(s, p->cells[i].x, p->cells[i].y) += s->pins[i];
    s->to = zeroed(most, sizeof *s->to);
    s->from = zeroed(most, sizeof *s->from);
}

void swapper_free(struct swapper *s) {
    estimate_free(&s->estimate);
    free(s->arcs.when);
    free(s->nets.when);
    free(s->slots.when);
    free(s->arc);
    free(s->net);
    free(s->load);
    free(s->pins);
    free(s->to);
    free(s->from);
}

int net_wire(const struct placement *p, const struct net *net) {
    if (net->arcs_n > WIDE_NET)
        return 0;
    const struct cell *driver = &p->cells[net->driver];
    int left = driver->x, right = left, top = driver->y, bottom = top;
    for (int j = 0; j < net->arcs_n; j++) {
        const struct cell *cell = &p->cells[p->arcs[net->arcs[j]].sink];
        left = cell->x < left ? cell->x : left;
        right = cell->x > right ? cell->x : right;
        top = cell->y < top ? cell->y : top;
        bottom = cell->y > bottom ? cell->y : bottom;
    }
    return right - left + bottom - top;
}

/* --- What a swap touches, and its cost --- */

static void touch(struct swapper *s, const int *arcs, int n) {
    for (int i = 0; i < n; i++) {
        if (mark_add(&s->arcs, (size_t)arcs[i]))
            s->arc[s->arc_n++] = arcs[i];
        const int net = s->p->arcs[arcs[i]].net;
        if (mark_add(&s->nets, (size_t)net))
            s->net[s->net_n++] = net;
    }
}

static int touched_wire(const struct swapper *s) {
    int wire = 0;
    for (int i = 0; i < s->net_n; i++)
        wire += net_wire(s->p, &s->p->nets[s->net[i]]);
    return wire;
}

static long crowd(int load) {
    const long over = load > EASY_LOAD ? load - EASY_LOAD : 0;
    return over * over;
}

/* Wires go where their cells go; by how much that makes tiles more crowded. */
static long shift_load(struct swapper *s, const struct moved *old, const struct moved *new) {
    long change = 0;
    for (int i = 0; i < s->moved_n; i++) {
        const int pins = s->pins[old[i].cell];
        int *from = tile_load(s, old[i].x, old[i].y), *to = tile_load(s, new[i].x, new[i].y);
        change -= crowd(*from) + crowd(*to);
        *from -= pins;
        *to += pins;
        change += crowd(*from) + crowd(*to);
    }
    return change;
}

static void put(struct swapper *s, const struct moved *places) {
    for (int i = 0; i < s->moved_n; i++) {
        struct cell *cell = &s->p->cells[places[i].cell];
        cell->x = places[i].x;
        cell->y = places[i].y;
        cell->slot = places[i].slot;
    }
}

/* First all old slots are empty, then each new one has its cell. */
static void fill_slots(struct swapper *s, const struct moved *old, const struct moved *new) {
    for (int i = 0; i < s->moved_n; i++) {
        if (old[i].slot >= 0)
            placement_tile(s->p, old[i].x, old[i].y)[old[i].slot] = NO_CELL;
    }
    for (int i = 0; i < s->moved_n; i++) {
        if (new[i].slot >= 0)
            placement_tile(s->p, new[i].x, new[i].y)[new[i].slot] = new[i].cell;
    }
}

static void note(struct swapper *s, int cell, int x, int y, int slot) {
    const struct cell *c = &s->p->cells[cell];
    s->from[s->moved_n] = (struct moved){cell, c->x, c->y, c->slot};
    s->to[s->moved_n++] = (struct moved){cell, x, y, slot};
}

static double move(struct swapper *s) {
    s->arcs.now++;
    s->nets.now++;
    s->arc_n = s->net_n = 0;
    for (int i = 0; i < s->moved_n; i++) {
        const struct cell *cell = &s->p->cells[s->to[i].cell];
        touch(s, cell->in, cell->in_n);
        touch(s, cell->out, cell->out_n);
    }
    const int before = touched_wire(s);
    put(s, s->to);
    double change = s->wire_cost * (touched_wire(s) - before);
    change += s->crowd_cost * (double)shift_load(s, s->from, s->to);
    for (int i = 0; i < s->arc_n; i++)
        change += estimate_change(&s->estimate, s->arc[i], estimate_wire(s->p, &s->p->arcs[s->arc[i]]));
    return change;
}

void swap_keep(struct swapper *s) {
    for (int i = 0; i < s->arc_n; i++)
        s->estimate.now[s->arc[i]] = estimate_wire(s->p, &s->p->arcs[s->arc[i]]);
}

void swap_undo(struct swapper *s) {
    put(s, s->from);
    shift_load(s, s->to, s->from);
    fill_slots(s, s->to, s->from);
}

/* --- Logic: the bundle's slots and those where it goes change their cells --- */

static size_t slot_index(const struct placement *p, const int *tile, int slot) {
    return (size_t)(tile - p->tiles) + (size_t)slot;
}

static int shifted(int slot, int shift) {
    return slot == RAM_PORT ? RAM_PORT : (slot + 2 * shift) % SLOTS_OF_LUTS;
}

/* Are the slots there, and none of them the bundle's own? Marks them. */
static bool find_slots(struct swapper *s, const struct bundle *bundle, const struct swap *swap) {
    const struct placement *p = s->p;
    s->slots.now++;
    for (int i = 0; i < bundle->n; i++) {
        const struct cell *cell = &p->cells[bundle->cells[i]];
        const int x = cell->x + swap->dx, y = cell->y + swap->dy;
        if (x < 0 || y < 0 || x >= p->width || y >= p->height || placement_tile(p, x, y)[0] == NO_SLOT)
            return false;
        mark_add(&s->slots, slot_index(p, placement_tile(p, x, y), shifted(cell->slot, swap->shift)));
    }
    for (int i = 0; i < bundle->n; i++) {
        const struct cell *cell = &p->cells[bundle->cells[i]];
        if (mark_has(&s->slots, slot_index(p, placement_tile(p, cell->x, cell->y), cell->slot)))
            return false;
    }
    return true;
}

/* May a bundle that is in the way take the place of the one that comes? Only whole. */
static bool gives_way(struct swapper *s, int cell, int step) {
    const struct placement *p = s->p;
    if (p->cells[cell].bundle < 0)
        return false;
    const struct bundle *bundle = &p->bundles[p->cells[cell].bundle];
    if (bundle->step > step)
        return false;
    for (int i = 0; i < bundle->n; i++) {
        const struct cell *c = &p->cells[bundle->cells[i]];
        if (!mark_has(&s->slots, slot_index(p, placement_tile(p, c->x, c->y), c->slot)))
            return false;
    }
    return true;
}

static bool all_allowed(const struct swapper *s) {
    const int *last = NULL;
    for (int i = 0; i < s->moved_n; i++) {
        const int *from = placement_tile(s->p, s->from[i].x, s->from[i].y);
        const int *to = placement_tile(s->p, s->to[i].x, s->to[i].y);
        if (to == last)
            continue;
        if (!tile_allowed(s->p, from) || !tile_allowed(s->p, to))
            return false;
        last = to;
    }
    return true;
}

bool swap_logic(struct swapper *s, const struct swap *swap, double *change) {
    const struct placement *p = s->p;
    const struct bundle *bundle = &p->bundles[swap->bundle];
    if ((!swap->dx && !swap->dy) || !find_slots(s, bundle, swap))
        return false;
    s->moved_n = 0;
    for (int i = 0; i < bundle->n; i++) {
        const struct cell *cell = &p->cells[bundle->cells[i]];
        note(s, bundle->cells[i], cell->x + swap->dx, cell->y + swap->dy, shifted(cell->slot, swap->shift));
    }
    for (int i = 0; i < bundle->n; i++) {
        const struct moved *to = &s->to[i], *from = &s->from[i];
        const int cell = placement_tile(p, to->x, to->y)[to->slot];
        if (cell < 0)
            continue;
        if (!gives_way(s, cell, bundle->step))
            return false;
        note(s, cell, from->x, from->y, from->slot);
    }
    fill_slots(s, s->from, s->to);
    if (!all_allowed(s)) {
        fill_slots(s, s->to, s->from);
        return false;
    }
    *change = move(s);
    return true;
}

bool swap_sites(struct swapper *s, int cell, int other, double *change) {
    if (cell == other)
        return false;
    const struct cell *a = &s->p->cells[cell], *b = &s->p->cells[other];
    s->moved_n = 0;
    note(s, cell, b->x, b->y, b->slot);
    note(s, other, a->x, a->y, a->slot);
    *change = move(s);
    return true;
}
