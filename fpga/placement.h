// SPDX-License-Identifier: Apache-2.0
/*
 * A placed design, as scripts/placement.py writes it: cells with their places, nets, and arcs with delays.
 *
 * A tile has SLOTS places: look-up table n of eight is slot 2n, its flip-flop 2n+1; the last is the write
 * port of a distributed RAM. Cells that must keep their places relative to each other are a bundle: a look-up
 * table with the flip-flop behind it, a wide multiplexer, a carry chain, a distributed RAM. Cells outside of
 * slots are fixed, or take one site of a kind (block RAM), and any two of these may change places.
 *
 * The file is text, words between blanks and line ends, in this order:
 *   tally-refine 1   WIDTH HEIGHT   TILES CELLS NETS ARCS BUNDLES
 *   TILES times:     X Y                                       of a tile with slots
 *   CELLS times:     X Y SLOT KIND BUNDLE FLAGS TILE_SET SLICE_SET
 *   NETS times:      DRIVER START                              the cell; ns after the clock, or -1
 *   ARCS times:      NET SINK DEDICATED END N, N times NET DELAY
 *
 * SLOT and BUNDLE are -1 if there is none. KIND: enum cell_kind. FLAGS: enum cell_flag. TILE_SET: flip-flops
 * of one tile have the same; SLICE_SET: so have those of one slice; 0 for other cells. START is -1 if the
 * driver is no register. An arc is a net's wire to one cell and the ways through the cell to other nets (ns),
 * or its end there (END: setup time in ns, else -1). DEDICATED is 1 for a wire without delay inside of a
 * bundle.
 */
#ifndef TALLY_PLACEMENT_H
#define TALLY_PLACEMENT_H

#include "file.h"

enum { TILE_LUTS = 8, SLOTS = 17, RAM_PORT = 16, NO_CELL = -1, NO_SLOT = -2 };

enum cell_kind { CELL_FIXED, CELL_LOGIC, CELL_SITE };

enum cell_flag {
    FLAG_MUX = 1,    /* a look-up table whose wide multiplexer takes the slice's M input */
    FLAG_M = 2,      /* a flip-flop that takes M */
    FLAG_RAM = 4,    /* a distributed RAM's bits */
    FLAG_CLKINV = 8, /* inverted clock, and inverted reset or write enable: the same in a whole tile */
    FLAG_LSRINV = 16,
    FLAG_CARRY = 32,
};

struct cell {
    int x, y, slot;
    enum cell_kind kind;
    int bundle; /* -1: fixed */
    unsigned flags;
    int tile_set, slice_set;
    int *in, *out; /* arcs */
    int in_n, out_n;
};

struct net {
    int driver;
    double start;
    int *arcs;
    int arcs_n;
};

struct arc {
    int net, sink;
    bool dedicated;
    double end;
    int n;       /* ways through the sink */
    int *to;     /* their nets */
    double *way; /* and delays */
};

struct bundle {
    int *cells;
    int n;
    enum cell_kind kind;
    int step; /* it may move within a tile by multiples of so many look-up tables; 8: not at all */
};

struct placement {
    int width, height;
    int cells_n, nets_n, arcs_n, bundles_n;
    struct cell *cells;
    struct net *nets;
    struct arc *arcs;
    struct bundle *bundles;
    int largest; /* cells of the largest bundle */
    int *sites;  /* cells of kind CELL_SITE */
    int sites_n;
    int *tiles;   /* SLOTS cells each, NO_CELL, or NO_SLOT where the chip has none */
    int *order;   /* nets, each behind those that it depends on */
    void *memory; /* all lists of cells, nets, arcs and bundles */
};

/* The slots of a tile. */
static inline int *placement_tile(const struct placement *p, int x, int y) {
    return p->tiles + ((size_t)x * (size_t)p->height + (size_t)y) * SLOTS;
}

/* Both: false after filling `error`; then there is nothing to free. */
bool placement_parse(struct placement *p, const struct file *text, struct error *error);
bool placement_read(struct placement *p, const char *path, struct error *error);
/* A line "X Y SLOT" for each cell; the whole file or none. */
bool placement_write(const struct placement *p, const char *path, struct error *error);
void placement_free(struct placement *p);

/* May these cells be in one tile? (Lattice ECP5 family data sheet, Slice) */
bool tile_allowed(const struct placement *p, const int *tile);

#endif
