// SPDX-License-Identifier: Apache-2.0
#include "swap.h"

#include <math.h>
#include <stdlib.h>

enum { WIDE_NET = 256, SLOTS_OF_LUTS = RAM_PORT };
enum { LARGE = 12 };     /* cells of a bundle that takes long to move */
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

static void widen(struct box *box, int x, int y) {
    box->left = x < box->left ? x : box->left;
    box->right = x > box->right ? x : box->right;
    box->top = y < box->top ? y : box->top;
    box->bottom = y > box->bottom ? y : box->bottom;
}

/* Around a net's cells without those of a bundle (or NO_BUNDLE); false if there are no others, or too many.
 */
enum { NO_BUNDLE = -2 };
static bool net_box(const struct placement *p, const struct net *net, int without, struct box *box) {
    if (net->arcs_n > WIDE_NET)
        return false;
    *box = (struct box){p->width, -1, p->height, -1};
    const struct cell *driver = &p->cells[net->driver];
    if (driver->bundle != without)
        widen(box, driver->x, driver->y);
    for (int j = 0; j < net->arcs_n; j++) {
        const struct cell *cell = &p->cells[p->arcs[net->arcs[j]].sink];
        if (cell->bundle != without)
            widen(box, cell->x, cell->y);
    }
    return box->right >= 0;
}

void swapper_new(struct swapper *s, struct placement *p) {
    *s = (struct swapper){.p = p};
    estimate_new(&s->estimate, p);
    mark_new(&s->arcs, (size_t)p->arcs_n);
    mark_new(&s->nets, (size_t)p->nets_n);
    mark_new(&s->slots, (size_t)p->width * (size_t)p->height * SLOTS);
    s->arc = zeroed((size_t)p->arcs_n, sizeof *s->arc);
    s->net = zeroed((size_t)p->nets_n, sizeof *s->net);
    s->net_index = zeroed((size_t)p->nets_n, sizeof *s->net_index);
    s->box = zeroed((size_t)p->nets_n, sizeof *s->box);
    for (int i = 0; i < p->nets_n; i++)
        net_box(p, &p->nets[i], NO_BUNDLE, &s->box[i]);
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
    free(s->net_index);
    free(s->box);
    free(s->load);
    free(s->pins);
    free(s->to);
    free(s->from);
}

static int box_wire(const struct box *box) { return box->right - box->left + box->bottom - box->top; }

int net_wire(const struct placement *p, const struct net *net) {
    struct box box;
    return net_box(p, net, NO_BUNDLE, &box) ? box_wire(&box) : 0;
}

static bool at_edge(const struct box *box, int x, int y) {
    return x == box->left || x == box->right || y == box->top || y == box->bottom;
}

bool box_elsewhere(const struct swapper *s, int net, const struct cell *cell, struct box *box) {
    const struct net *n = &s->p->nets[net];
    if (n->arcs_n > WIDE_NET || at_edge(&s->box[net], cell->x, cell->y))
        return net_box(s->p, n, cell->bundle, box);
    *box = s->box[net]; /* others are at its edges: of the bundle at most where it is long */
    return true;
}

int draw_shift(struct chance *chance, const struct bundle *bundle) {
    return bundle->step * (int)below(chance, (uint32_t)(TILE_LUTS / bundle->step));
}

bool movable(struct chance *chance, const struct placement *p, const struct cell *cell) {
    return cell->bundle >= 0 && !(p->bundles[cell->bundle].n > LARGE && below(chance, 8));
}

/* --- What a swap touches, and its cost --- */

/* A cell that leaves the inside of a net's box leaves the box as it is. */
static void touch_net(struct swapper *s, int net, const struct moved *from, const struct moved *to) {
    const struct net *n = &s->p->nets[net];
    if (n->arcs_n > WIDE_NET)
        return;
    if (mark_add(&s->nets, (size_t)net)) {
        s->net_index[net] = s->net_n;
        s->net[s->net_n++] = (struct touched){net, s->box[net], false};
    }
    struct touched *touched = &s->net[s->net_index[net]];
    touched->stale |= at_edge(&s->box[net], from->x, from->y);
    widen(&touched->box, to->x, to->y);
}

static void touch(struct swapper *s, const int *arcs, int n, int i) {
    int last = NO_CELL;
    for (int k = 0; k < n; k++) {
        const int net = s->p->arcs[arcs[k]].net;
        if (mark_add(&s->arcs, (size_t)arcs[k]))
            s->arc[s->arc_n++] = arcs[k];
        if (net != last)
            touch_net(s, net, &s->from[i], &s->to[i]);
        last = net;
    }
}

/* By how many tiles the touched nets become longer. */
static int longer(struct swapper *s) {
    int change = 0;
    for (int i = 0; i < s->net_n; i++) {
        struct touched *touched = &s->net[i];
        if (touched->stale)
            net_box(s->p, &s->p->nets[touched->net], NO_BUNDLE, &touched->box);
        change += box_wire(&touched->box) - box_wire(&s->box[touched->net]);
    }
    return change;
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
        touch(s, cell->in, cell->in_n, i);
        touch(s, cell->out, cell->out_n, i);
    }
    put(s, s->to);
    double change = s->wire_cost * longer(s);
    change += s->crowd_cost * (double)shift_load(s, s->from, s->to);
    for (int i = 0; i < s->arc_n; i++)
        change += estimate_change(&s->estimate, s->arc[i], estimate_wire(s->p, &s->p->arcs[s->arc[i]]));
    return change;
}

void swap_keep(struct swapper *s) {
    for (int i = 0; i < s->net_n; i++)
        s->box[s->net[i].net] = s->net[i].box;
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

bool swap_try(struct swapper *s, struct chance *chance, const struct cell *cell, int x, int y, double heat) {
    const struct bundle *bundle = &s->p->bundles[cell->bundle];
    double change;
    bool done;
    if (bundle->kind == CELL_SITE) {
        done = swap_sites(s, bundle->cells[0], s->p->sites[below(chance, (uint32_t)s->p->sites_n)], &change);
    } else {
        const struct swap swap = {cell->bundle, x - cell->x, y - cell->y, draw_shift(chance, bundle)};
        done = swap_logic(s, &swap, &change);
    }
    if (!done)
        return false;
    if (change < 0 || (heat > 0 && fraction(chance) < exp(-change / heat))) {
        swap_keep(s);
        return true;
    }
    swap_undo(s);
    return false;
}
