// SPDX-License-Identifier: Apache-2.0
#include "design.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LUTS = 8 };

void spots_now(const struct placement *p, struct spot *spots) {
    for (int i = 0; i < p->cells_n; i++)
        spots[i] = (struct spot){p->cells[i].x, p->cells[i].y, p->cells[i].slot};
}

void spots_first(const struct design *d, struct spot *spots) {
    for (int i = 0; i < d->cells_n; i++)
        spots[i] = d->cells[i].at;
}

bool spots_read(const struct design *d, const char *path, struct spot *spots) {
    FILE *in = fopen(path, "r");
    CHECK(in, "%s: not there", path);
    char line[64];
    int n = 0, used;
    while (n < d->cells_n && fgets(line, sizeof line, in)) {
        struct spot *s = &spots[n++];
        used = 0;
        if (sscanf(line, "%d %d %d%n", &s->x, &s->y, &s->slot, &used) != 3 || // NOLINT(cert-err34-c)
            strcmp(line + used, "\n") != 0)
            n = CELLS_MOST + 1;
    }
    const bool good = n == d->cells_n && !fgets(line, sizeof line, in);
    fclose(in);
    return good;
}

/* --- One tile --- */

static const struct part *in_slot(const struct design *d, const int *owner, int slot) {
    return owner[slot] < 0 ? NULL : &d->cells[owner[slot]];
}

static bool is_ram(const struct part *part) { return part && (part->flags & FLAG_RAM); }

/* Any two cells of it agree. */
bool judge_tile(const struct design *d, const int *owner) {
    const unsigned inversions = FLAG_CLKINV | FLAG_LSRINV;
    for (int lut = 0; lut < LUTS; lut++) {
        const struct part *a = in_slot(d, owner, 2 * lut), *ff = in_slot(d, owner, 2 * lut + 1);
        if (a && a->is_register)
            return false; /* a flip-flop in a look-up table's place */
        if (ff && !ff->is_register)
            return false;
        /* RAM is made of the first two slices, and written through the third. */
        if (is_ram(a) && (lut >= 4 || !in_slot(d, owner, RAM_PORT)))
            return false;
        /* Each half of a slice has one input M, for its multiplexer or straight to its flip-flop. */
        if (a && ff && (a->flags & FLAG_MUX) && (ff->flags & FLAG_M))
            return false;
        for (int other = 0; ff && other < LUTS; other++) {
            const struct part *ram = in_slot(d, owner, 2 * other), *ff2 = in_slot(d, owner, 2 * other + 1);
            if (ff2 && ff2->tile_set != ff->tile_set)
                return false;
            if (ff2 && other / 2 == lut / 2 && ff2->slice_set != ff->slice_set)
                return false;
            if (is_ram(ram) && ((ram->flags ^ ff->flags) & inversions))
                return false;
        }
    }
    return true;
}

/* --- All tiles --- */

static const char *judge_slots(const struct design *d, const struct spot *spots) {
    const size_t tiles = (size_t)d->width * (size_t)d->height;
    int *owner = malloc(tiles * SLOTS * sizeof *owner);
    const char *bad = NULL;
    CHECK(owner, "no memory");
    memset(owner, 0xff, tiles * SLOTS * sizeof *owner);
    for (int i = 0; i < d->cells_n && !bad; i++) {
        const struct spot *s = &spots[i];
        if (s->x < 0 || s->y < 0 || s->x >= d->width || s->y >= d->height)
            bad = "a cell outside of the chip";
        else if (s->slot >= SLOTS || (s->slot < 0) != (d->cells[i].at.slot < 0))
            bad = "a cell in no slot, or in one that it has not";
        else if (s->slot >= 0 && !d->tile[s->y * d->width + s->x])
            bad = "a cell in a tile without slots";
        else if (s->slot >= 0 && owner[(s->y * d->width + s->x) * SLOTS + s->slot] >= 0)
            bad = "two cells in one slot";
        else if (s->slot >= 0)
            owner[(s->y * d->width + s->x) * SLOTS + s->slot] = i;
    }
    for (size_t i = 0; i < tiles && !bad; i++) {
        if (!judge_tile(d, owner + i * SLOTS))
            bad = "a tile of cells that exclude each other";
    }
    free(owner);
    return bad;
}

/* --- Cells against where they were --- */

static bool same(const struct spot *a, const struct spot *b) {
    return a->x == b->x && a->y == b->y && a->slot == b->slot;
}

static const char *judge_sites(const struct design *d, const struct spot *spots) {
    for (int i = 0; i < d->cells_n; i++) {
        int takers = 0, first = 0;
        if (d->cells[i].kind != CELL_SITE)
            continue;
        for (int j = 0; j < d->cells_n; j++) {
            takers += d->cells[j].kind == CELL_SITE && same(&spots[j], &d->cells[i].at);
            first += d->cells[j].kind == CELL_SITE && same(&d->cells[j].at, &d->cells[i].at);
        }
        if (takers != 1 || first != 1)
            return "sites that are not those of the beginning, one cell each";
    }
    return NULL;
}

/* All cells of a bundle have gone the same way. */
static const char *judge_bundles(const struct design *d, const struct spot *spots) {
    static int first[CELLS_MOST];
    memset(first, 0xff, sizeof first);
    for (int i = 0; i < d->cells_n; i++) {
        const struct part *c = &d->cells[i];
        if (c->kind == CELL_FIXED && !same(&spots[i], &c->at))
            return "a fixed cell moved";
        if (c->kind != CELL_LOGIC)
            continue;
        if ((c->at.slot == RAM_PORT) != (spots[i].slot == RAM_PORT))
            return "a RAM's port elsewhere, or something else in its place";
        const int way = spots[i].slot - c->at.slot;
        if (way % (2 * d->unit[c->bundle]))
            return "a bundle that lost its alignment";
        if (first[c->bundle] < 0)
            first[c->bundle] = i;
        const struct spot *was = &d->cells[first[c->bundle]].at, *is = &spots[first[c->bundle]];
        if (spots[i].x - c->at.x != is->x - was->x || spots[i].y - c->at.y != is->y - was->y ||
            way != is->slot - was->slot)
            return "a bundle that came apart";
    }
    return NULL;
}

const char *judge(const struct design *d, const struct spot *spots) {
    const char *bad = judge_slots(d, spots);
    bad = bad ? bad : judge_bundles(d, spots);
    return bad ? bad : judge_sites(d, spots);
}

const char *judge_tiles(const struct design *d, const struct placement *p) {
    int in_slots = 0, filled = 0;
    for (int i = 0; i < p->cells_n; i++) {
        const struct cell *c = &p->cells[i];
        in_slots += c->slot >= 0;
        if (c->slot >= 0 && placement_tile(p, c->x, c->y)[c->slot] != i)
            return "a cell that is not in its slot";
    }
    for (int i = 0; i < d->width * d->height; i++) {
        for (int s = 0; s < SLOTS; s++) {
            const int cell = placement_tile(p, i % d->width, i / d->width)[s];
            if ((cell == NO_SLOT) == d->tile[i])
                return "slots where there are none";
            filled += cell >= 0;
        }
    }
    return filled == in_slots ? NULL : "a slot with a cell that is elsewhere";
}

/* --- Delays --- */

/* The first five tiles of a direction count twice. */
static int steps(int a, int b) {
    const int distance = abs(a - b);
    return distance + (distance < 5 ? distance : 5);
}

double judge_wire(const struct design *d, const struct spot *spots, int arc) {
    const struct link *link = &d->arcs[arc];
    const struct spot *a = &spots[d->driver[link->net]], *b = &spots[link->sink];
    return link->dedicated ? 0 : 0.085 * (6 + steps(a->x, b->x) + steps(a->y, b->y));
}

double judge_longest(const struct design *d, const struct spot *spots) {
    static double arrival[NETS_MOST];
    double longest = 0;
    for (int i = 0; i < d->nets_n; i++)
        arrival[i] = d->start[i] < 0 ? -INFINITY : d->start[i];
    for (int i = 0; i < d->arcs_n; i++) {
        const struct link *arc = &d->arcs[i];
        const double here = arrival[arc->net] + judge_wire(d, spots, i);
        for (int k = 0; k < arc->n; k++)
            arrival[arc->to[k]] = fmax(arrival[arc->to[k]], here + arc->way[k]);
        if (arc->end >= 0)
            longest = fmax(longest, here + arc->end);
    }
    return longest;
}

static void widen(int box[2], int at) {
    box[0] = at < box[0] ? at : box[0];
    box[1] = at > box[1] ? at : box[1];
}

long judge_length(const struct design *d, const struct spot *spots) {
    static int across[NETS_MOST][2], down[NETS_MOST][2], arcs[NETS_MOST];
    long length = 0;
    for (int i = 0; i < d->nets_n; i++) {
        const struct spot *s = &spots[d->driver[i]];
        arcs[i] = 0;
        across[i][0] = across[i][1] = s->x;
        down[i][0] = down[i][1] = s->y;
    }
    for (int i = 0; i < d->arcs_n; i++) {
        const int net = d->arcs[i].net;
        arcs[net]++;
        widen(across[net], spots[d->arcs[i].sink].x);
        widen(down[net], spots[d->arcs[i].sink].y);
    }
    for (int i = 0; i < d->nets_n; i++)
        length += arcs[i] > 256 ? 0 : across[i][1] - across[i][0] + down[i][1] - down[i][0];
    return length;
}

long judge_crowd(const struct design *d, const struct spot *spots) {
    long crowd = 0;
    for (int x = 0; x < d->width; x++) {
        for (int y = 0; y < d->height; y++) {
            long entering = 0;
            for (int i = 0; i < d->arcs_n; i++) {
                const struct spot *s = &spots[d->arcs[i].sink];
                entering += s->x == x && s->y == y && !d->arcs[i].dedicated;
            }
            crowd += entering > 20 ? (entering - 20) * (entering - 20) : 0;
        }
    }
    return crowd;
}
