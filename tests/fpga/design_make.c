// SPDX-License-Identifier: Apache-2.0
#include "design.h"

#include <stdlib.h>
#include <string.h>

enum { LUTS = 8, TRIES = 30, OBJECT_MOST = 64, TILE_SETS = 5, SLICE_SETS = 3 };

uint32_t draw(uint64_t *random, uint32_t n) {
    *random += UINT64_C(0x9e3779b97f4a7c15); /* splitmix64 */
    uint64_t z = *random;
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return (uint32_t)(((z ^ z >> 31) >> 32) * n >> 32);
}

static int *owner_of(struct design *d, struct spot at) {
    return &d->owner[(at.y * d->width + at.x) * SLOTS + at.slot];
}

struct design *design_empty(int width, int height, uint64_t seed) {
    struct design *d = calloc(1, sizeof *d);
    const size_t tiles = (size_t)width * (size_t)height;
    CHECK(d, "no memory");
    *d = (struct design){.width = width, .height = height, .random = seed};
    d->tile = calloc(tiles, sizeof *d->tile);
    d->owner = calloc(tiles * SLOTS, sizeof *d->owner);
    CHECK(d->tile && d->owner, "no memory");
    memset(d->tile, true, tiles);
    memset(d->owner, 0xff, tiles * SLOTS * sizeof *d->owner);
    return d;
}

void design_free(struct design *d) {
    free(d->tile);
    free(d->owner);
    free(d);
}

int design_cell(struct design *d, const struct part *part) {
    CHECK(d->cells_n < CELLS_MOST, "too many cells");
    d->cells[d->cells_n] = *part;
    if (part->at.slot >= 0)
        *owner_of(d, part->at) = d->cells_n;
    return d->cells_n++;
}

int design_net(struct design *d, int driver, double start) {
    CHECK(d->nets_n < NETS_MOST, "too many nets");
    d->driver[d->nets_n] = driver;
    d->start[d->nets_n] = start;
    return d->nets_n++;
}

void design_arc(struct design *d, int net, int sink, bool dedicated, double delay, int to) {
    CHECK(d->arcs_n < ARCS_MOST, "too many arcs");
    struct link *arc = &d->arcs[d->arcs_n++];
    *arc = (struct link){.net = net, .sink = sink, .dedicated = dedicated, .end = to < 0 ? delay : -1};
    if (to >= 0) {
        arc->to[0] = to;
        arc->way[0] = delay;
        arc->n = 1;
    }
}

/* --- Objects: cells placed together --- */

struct object {
    struct part parts[OBJECT_MOST]; /* at.x: from its first tile; feed: index in the object */
    int n, unit;
};

static struct part *add(struct object *o, int dx, int slot, unsigned flags, int feed) {
    struct part *part = &o->parts[o->n++];
    *part = (struct part){.at = {dx, 0, slot}, .kind = CELL_LOGIC, .flags = flags, .feed = feed};
    return part;
}

static void add_register(struct design *d, struct object *o, int dx, int slot, int feed) {
    static const unsigned inversions[TILE_SETS] = {0, 0, FLAG_CLKINV, FLAG_LSRINV, FLAG_CLKINV | FLAG_LSRINV};
    /* The first sets are the most frequent, so that tiles fill up. */
    const uint32_t set = draw(&d->random, 1 + draw(&d->random, TILE_SETS));
    struct part *part =
        add(o, dx, slot, inversions[set] | (feed < 0 && draw(&d->random, 2) ? FLAG_M : 0), feed);
    part->is_register = true;
    part->tile_set = 1 + (int)set;
    part->slice_set = 1 + (int)draw(&d->random, SLICE_SETS);
}

static void add_behind(struct design *d, struct object *o, uint32_t one_of) {
    const struct part *lut = &o->parts[o->n - 1];
    if (!draw(&d->random, one_of))
        add_register(d, o, lut->at.x, lut->at.slot + 1, o->n - 1);
}

static void make_mux(struct design *d, struct object *o, int luts) {
    /* The odd one of a slice drives the even one's multiplexer (F1), or joins two slices (FXA). */
    int last = -1;
    o->unit = luts;
    for (int slice = 0; slice < luts / 2; slice++) {
        add(o, 0, 4 * slice + 2, luts > 2 ? FLAG_MUX : 0, last);
        last = o->n - 1;
        add(o, 0, 4 * slice, FLAG_MUX, last);
        last = o->n - 1;
    }
    add_behind(d, o, 3);
}

static void make_carry(struct design *d, struct object *o) {
    const int pairs = 1 + (int)draw(&d->random, 11);
    o->unit = LUTS;
    int last = -1;
    for (int i = 0; i < 2 * pairs; i++) {
        add(o, i / LUTS, 2 * (i % LUTS), FLAG_CARRY, last);
        last = o->n - 1;
        add_behind(d, o, 3);
    }
}

static void make_ram(struct design *d, struct object *o) {
    const unsigned inverted =
        (draw(&d->random, 2) ? FLAG_CLKINV : 0) | (draw(&d->random, 2) ? FLAG_LSRINV : 0);
    o->unit = LUTS;
    add(o, 0, RAM_PORT, 0, -1);
    for (int lut = 0; lut < 4; lut++)
        add(o, 0, 2 * lut, FLAG_RAM | inverted, 0);
    add(o, 0, 8, 0, -1); /* the write port's inputs */
    add(o, 0, 10, 0, -1);
}

static void make_object(struct design *d, struct object *o) {
    *o = (struct object){.unit = 1};
    const uint32_t what = draw(&d->random, 32);
    if (what < 10) {
        add(o, 0, 0, 0, -1);
    } else if (what < 16) {
        add_register(d, o, 0, 1, -1);
    } else if (what < 22) {
        add(o, 0, 0, 0, -1);
        add_behind(d, o, 1);
    } else if (what < 28) {
        make_mux(d, o, what < 25 ? 2 : what < 27 ? 4 : 8);
    } else if (what < 30) {
        make_carry(d, o);
    } else if (what < 31) {
        make_ram(d, o);
    } else { /* a multiplexer's one half, alone */
        add(o, 0, 0, FLAG_MUX, -1);
        o->unit = 2;
    }
}

/* --- Places --- */

static bool fits(struct design *d, const struct object *o, int x, int y, int shift) {
    bool good = true;
    int put = 0;
    for (; put < o->n && good; put++) {
        const struct part *part = &o->parts[put];
        const struct spot at = {x + part->at.x, y,
                                part->at.slot + (part->at.slot < RAM_PORT ? 2 * shift : 0)};
        good = at.x < d->width && d->tile[y * d->width + at.x] && *owner_of(d, at) < 0;
        if (!good)
            break;
        d->cells[d->cells_n + put] = *part;
        d->cells[d->cells_n + put].at = at;
        *owner_of(d, at) = d->cells_n + put;
    }
    for (int i = 0; i < put && good; i++)
        good = judge_tile(d, owner_of(d, (struct spot){d->cells[d->cells_n + i].at.x, y, 0}));
    for (int i = 0; i < put && !good; i++)
        *owner_of(d, d->cells[d->cells_n + i].at) = -1;
    return good;
}

static void place(struct design *d, const struct object *o) {
    CHECK(d->cells_n + o->n <= CELLS_MOST, "too many cells");
    for (int i = 0; i < TRIES; i++) {
        const int x = (int)draw(&d->random, (uint32_t)d->width),
                  y = (int)draw(&d->random, (uint32_t)d->height);
        if (!fits(d, o, x, y, o->unit * (int)draw(&d->random, (uint32_t)(LUTS / o->unit))))
            continue;
        const bool fixed = !draw(&d->random, 20);
        for (int k = 0; k < o->n; k++) {
            struct part *part = &d->cells[d->cells_n + k];
            part->kind = fixed ? CELL_FIXED : CELL_LOGIC;
            part->bundle = fixed ? -1 : d->bundles_n;
            part->feed = part->feed < 0 ? -1 : d->cells_n + part->feed;
        }
        d->unit[d->bundles_n] = o->unit;
        d->bundles_n += !fixed;
        d->cells_n += o->n;
        return;
    }
}

/* Sites are where no slots are; so are pins. */
static void place_outside(struct design *d, const struct size *size) {
    for (int x = 0, sites = 0; x < d->width; x++) {
        for (int y = 0; y < d->height; y++) {
            if (d->tile[y * d->width + x])
                continue;
            const bool site = sites < size->sites && draw(&d->random, 2);
            const struct part part = {.at = {x, y, -1},
                                      .kind = site ? CELL_SITE : CELL_FIXED,
                                      .bundle = site ? d->bundles_n : -1,
                                      .is_register = true,
                                      .feed = -1};
            design_cell(d, &part);
            d->unit[d->bundles_n] = LUTS;
            d->bundles_n += site;
            sites += site;
        }
    }
}

/* --- Nets: paths go from cells of low numbers to higher ones --- */

static void connect(struct design *d, int sink, int net, bool dedicated) {
    const struct part *cell = &d->cells[sink];
    if (cell->is_register) {
        design_arc(d, net, sink, dedicated, draw(&d->random, 4) / 10.0, -1);
        return;
    }
    design_arc(d, net, sink, dedicated, 0.1 + draw(&d->random, 30) / 100.0, cell->net);
    struct link *arc = &d->arcs[d->arcs_n - 1];
    if (cell->nets_n > 1 && draw(&d->random, 2)) {
        arc->to[1] = cell->net + 1;
        arc->way[1] = 0.4;
        arc->n = 2;
    }
    if (!draw(&d->random, 40)) /* a way through it, and an end there as well */
        arc->end = 0.2;
}

static void connect_all(struct design *d) {
    for (int i = 0; i < d->cells_n; i++) {
        struct part *cell = &d->cells[i];
        cell->nets_n = 1 + !draw(&d->random, 6);
        for (int k = 0; k < cell->nets_n; k++) {
            const int net = design_net(d, i, cell->is_register ? draw(&d->random, 8) / 10.0 : -1);
            cell->net = k ? cell->net : net;
        }
    }
    const bool crowd = !draw(&d->random, 3); /* a net that enters all cells */
    for (int i = 0; i < d->cells_n; i++) {
        const struct part *cell = &d->cells[i];
        if (crowd && i)
            connect(d, i, d->cells[0].net, false);
        if (cell->feed >= 0)
            connect(d, i, d->cells[cell->feed].net, true);
        for (int k = (int)draw(&d->random, cell->is_register ? 2 : 4); k >= 0; k--) {
            const int j = (int)draw(&d->random, (uint32_t)d->cells_n);
            if (j < i || d->cells[j].is_register)
                connect(d, i, d->cells[j].net + (int)draw(&d->random, (uint32_t)d->cells[j].nets_n), false);
        }
    }
}

static void shuffle(struct design *d, int *list, int n) {
    for (int i = 0; i < n; i++) {
        const int j = (int)draw(&d->random, (uint32_t)i + 1);
        list[i] = list[j];
        list[j] = i;
    }
}

struct design *design_random(const struct size *size, uint64_t seed) {
    struct design *d = design_empty(size->width, size->height, seed);
    for (int i = 0; i < d->width * d->height; i++)
        d->tile[i] = draw(&d->random, 6) != 0;
    place_outside(d, size);
    for (int i = 0; i < size->objects; i++) {
        struct object o;
        make_object(d, &o);
        place(d, &o);
    }
    connect_all(d);
    return d;
}

/* --- Text --- */

static void write_text(struct design *d, FILE *out) {
    int tiles = 0;
    static int net_at[NETS_MOST], arc_at[ARCS_MOST]; /* by line */
    shuffle(d, net_at, d->nets_n);
    shuffle(d, arc_at, d->arcs_n);
    for (int i = 0; i < d->width * d->height; i++)
        tiles += d->tile[i];
    fprintf(out, "tally-refine 1 %d %d\n%d %d %d %d %d\n", d->width, d->height, tiles, d->cells_n, d->nets_n,
            d->arcs_n, d->bundles_n);
    for (int i = 0; i < d->width * d->height; i++) {
        if (d->tile[i])
            fprintf(out, "%d %d\n", i % d->width, i / d->width);
    }
    for (int i = 0; i < d->cells_n; i++) {
        const struct part *c = &d->cells[i];
        fprintf(out, "%d %d %d %d %d %u %d %d\n", c->at.x, c->at.y, c->at.slot, c->kind, c->bundle, c->flags,
                c->tile_set, c->slice_set);
    }
    for (int i = 0; i < d->nets_n; i++) {
        fprintf(out, "%d %g\n", d->driver[net_at[i]], d->start[net_at[i]]);
        d->net_number[net_at[i]] = i;
    }
    for (int i = 0; i < d->arcs_n; i++) {
        const struct link *arc = &d->arcs[arc_at[i]];
        d->arc_line[arc_at[i]] = i;
        fprintf(out, "%d %d %d %g %d", d->net_number[arc->net], arc->sink, arc->dedicated, arc->end, arc->n);
        for (int k = 0; k < arc->n; k++)
            fprintf(out, " %d %g", d->net_number[arc->to[k]], arc->way[k]);
        fputc('\n', out);
    }
}

void design_load(struct design *d, const char *path, struct placement *p) {
    struct error error;
    FILE *out = fopen(path, "w");
    const uint64_t random = d->random;
    CHECK(out, "%s: cannot be written", path);
    write_text(d, out);
    d->random = random; /* the next time it is the same text */
    CHECK(fclose(out) == 0, "%s: cannot be written", path);
    CHECK(placement_read(p, path, &error), "%s", error.text);
}
