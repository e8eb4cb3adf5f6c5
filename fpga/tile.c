// SPDX-License-Identifier: Apache-2.0
#include "placement.h"

enum { SLICES = 4, SLICE = 4, LUT0 = 0, FF0 = 1, LUT1 = 2, FF1 = 3 };

/* Clock, reset and their inversions are shared by the flip-flops of a tile, inversions also with its RAM. */
static bool tile_wide(const struct placement *p, const int *tile) {
    const unsigned inversions = FLAG_CLKINV | FLAG_LSRINV;
    int set = 0;
    const struct cell *ram = NULL;
    for (int s = 0; s < SLICES * SLICE; s++) {
        if (tile[s] < 0)
            continue;
        const struct cell *cell = &p->cells[tile[s]];
        if (cell->flags & FLAG_RAM)
            ram = cell;
        if (!cell->tile_set)
            continue;
        if (set && cell->tile_set != set)
            return false;
        set = cell->tile_set;
    }
    for (int s = FF0; ram && s < SLICES * SLICE; s += 2) {
        if (tile[s] >= 0 && (p->cells[tile[s]].flags & inversions) != (ram->flags & inversions))
            return false;
    }
    return true;
}

/* Two flip-flops share a clock enable; M is one input, of the multiplexer or the flip-flop. */
static bool slice_wide(const struct placement *p, const int *slice) {
    if (slice[FF0] >= 0 && slice[FF1] >= 0 &&
        p->cells[slice[FF0]].slice_set != p->cells[slice[FF1]].slice_set)
        return false;
    for (int half = LUT0; half <= LUT1; half += LUT1) {
        const int lut = slice[half], ff = slice[half + 1];
        if (lut >= 0 && ff >= 0 && (p->cells[lut].flags & FLAG_MUX) && (p->cells[ff].flags & FLAG_M))
            return false;
    }
    return true;
}

bool tile_allowed(const struct placement *p, const int *tile) {
    for (int s = 0; s < SLICES; s++) {
        if (!slice_wide(p, tile + s * SLICE))
            return false;
    }
    return tile_wide(p, tile);
}
