// SPDX-License-Identifier: Apache-2.0
#include "placement.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { WIDEST = 1024, MOST = 1 << 24 };

/* --- Words of the file --- */

struct reader {
    const char *path, *at, *end;
    long line;
    bool failed;
    struct error *error;
};

static void __attribute__((format(printf, 2, 3))) reject(struct reader *r, const char *format, ...) {
    if (r->failed)
        return;
    char text[256];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    r->failed = true;
    error_set(r->error, "%s:%ld: %s", r->path, r->line, text);
}

static void skip_blanks(struct reader *r) {
    while (r->at < r->end && (*r->at == ' ' || *r->at == '\n'))
        r->line += *r->at++ == '\n';
}

static bool word_ends(const struct reader *r, const char *at) {
    return at == r->end || *at == ' ' || *at == '\n';
}

/* The next word as a number; the file ends with a NUL, which ends a number. */
static double number(struct reader *r, const char *what) {
    skip_blanks(r);
    char *end;
    const double value = strtod(r->at, &end);
    if (!r->failed && (end == r->at || !word_ends(r, end) || !(value > -1e9 && value < 1e9)))
        reject(r, "%s: not a number", what);
    r->at = end;
    return r->failed ? 0 : value;
}

/* An integer of low..high; low after an error. */
static int integer(struct reader *r, const char *what, int low, int high) {
    const double value = number(r, what);
    if (!r->failed && (value < low || value > high || value != (int)value))
        reject(r, "%s: %g, must be an integer of %d to %d", what, value, low, high);
    return r->failed ? low : (int)value;
}

static void word(struct reader *r, const char *expected) {
    skip_blanks(r);
    const size_t n = strlen(expected);
    if ((size_t)(r->end - r->at) < n || memcmp(r->at, expected, n) != 0 || !word_ends(r, r->at + n))
        reject(r, "not a placement: it begins with \"%s\"", expected);
    else
        r->at += n;
}

/* --- Lists --- */

static void *zeroed(size_t n, size_t size) {
    void *memory = calloc(n ? n : 1, size);
    if (!memory) {
        fputs("tally-refine: no memory\n", stderr);
        abort();
    }
    return memory;
}

static void read_tiles(struct reader *r, struct placement *p, int n) {
    const size_t slots = (size_t)p->width * (size_t)p->height * SLOTS;
    p->tiles = zeroed(slots, sizeof *p->tiles);
    for (size_t i = 0; i < slots; i++)
        p->tiles[i] = NO_SLOT;
    for (int i = 0; i < n && !r->failed; i++) {
        const int x = integer(r, "tile x", 0, p->width - 1);
        const int y = integer(r, "tile y", 0, p->height - 1);
        for (int s = 0; s < SLOTS; s++)
            placement_tile(p, x, y)[s] = NO_CELL;
    }
}

static void put_into_slot(struct reader *r, struct placement *p, int i) {
    const struct cell *cell = &p->cells[i];
    int *slot = placement_tile(p, cell->x, cell->y) + cell->slot;
    if (*slot == NO_SLOT)
        reject(r, "cell %d: no slots at %d, %d", i, cell->x, cell->y);
    else if (*slot != NO_CELL)
        reject(r, "cell %d: slot %d at %d, %d is taken by cell %d", i, cell->slot, cell->x, cell->y, *slot);
    else
        *slot = i;
}

static void read_cells(struct reader *r, struct placement *p) {
    p->cells = zeroed((size_t)p->cells_n, sizeof *p->cells);
    p->sites = zeroed((size_t)p->cells_n, sizeof *p->sites);
    for (int i = 0; i < p->cells_n && !r->failed; i++) {
        struct cell *cell = &p->cells[i];
        cell->x = integer(r, "cell x", 0, p->width - 1);
        cell->y = integer(r, "cell y", 0, p->height - 1);
        cell->slot = integer(r, "slot", -1, SLOTS - 1);
        cell->kind = (enum cell_kind)integer(r, "kind", CELL_FIXED, CELL_SITE);
        cell->bundle = integer(r, "bundle", -1, p->bundles_n - 1);
        cell->flags = (unsigned)integer(r, "flags", 0, 2 * FLAG_CARRY - 1);
        cell->tile_set = integer(r, "tile set", 0, MOST);
        cell->slice_set = integer(r, "slice set", 0, MOST);
        if (!r->failed && (cell->kind == CELL_FIXED) != (cell->bundle < 0))
            reject(r, "cell %d: has a bundle if and only if it is not fixed", i);
        if (!r->failed && cell->kind == CELL_LOGIC && cell->slot < 0)
            reject(r, "cell %d: logic without a slot", i);
        if (!r->failed && cell->kind == CELL_SITE && cell->slot >= 0)
            reject(r, "cell %d: a site in a slot", i);
        if (!r->failed && cell->slot >= 0)
            put_into_slot(r, p, i);
        if (cell->kind == CELL_SITE)
            p->sites[p->sites_n++] = i;
    }
}

static void read_nets(struct reader *r, struct placement *p) {
    p->nets = zeroed((size_t)p->nets_n, sizeof *p->nets);
    for (int i = 0; i < p->nets_n && !r->failed; i++) {
        p->nets[i].driver = integer(r, "driver", 0, p->cells_n - 1);
        p->nets[i].start = number(r, "start");
    }
}

static void read_arcs(struct reader *r, struct placement *p) {
    p->arcs = zeroed((size_t)p->arcs_n, sizeof *p->arcs);
    for (int i = 0; i < p->arcs_n && !r->failed; i++) {
        struct arc *arc = &p->arcs[i];
        arc->net = integer(r, "net", 0, p->nets_n - 1);
        arc->sink = integer(r, "sink", 0, p->cells_n - 1);
        arc->dedicated = integer(r, "dedicated", 0, 1);
        if (!r->failed && arc->dedicated &&
            p->cells[p->nets[arc->net].driver].bundle != p->cells[arc->sink].bundle)
            reject(r, "arc %d: a dedicated wire between bundles", i);
        arc->end = number(r, "end");
        arc->n = integer(r, "ways", 0, 64);
        arc->to = zeroed((size_t)arc->n, sizeof *arc->to);
        arc->way = zeroed((size_t)arc->n, sizeof *arc->way);
        for (int k = 0; k < arc->n; k++) {
            arc->to[k] = integer(r, "net", 0, p->nets_n - 1);
            arc->way[k] = number(r, "delay");
        }
    }
}

/* --- What follows from it --- */

/* Lists of arcs by net and cell, and of cells by bundle, in one piece of memory. */
static void index_lists(struct placement *p) {
    for (int i = 0; i < p->arcs_n; i++) {
        p->nets[p->arcs[i].net].arcs_n++;
        p->cells[p->arcs[i].sink].in_n++;
        p->cells[p->nets[p->arcs[i].net].driver].out_n++;
    }
    for (int i = 0; i < p->cells_n; i++) {
        if (p->cells[i].bundle >= 0)
            p->bundles[p->cells[i].bundle].n++;
    }
    int *next = p->memory = zeroed(3 * (size_t)p->arcs_n + (size_t)p->cells_n, sizeof *next);
    for (int i = 0; i < p->nets_n; i++) {
        p->nets[i].arcs = next;
        next += p->nets[i].arcs_n;
        p->nets[i].arcs_n = 0;
    }
    for (int i = 0; i < p->cells_n; i++) {
        struct cell *cell = &p->cells[i];
        cell->in = next;
        cell->out = next + cell->in_n;
        next = cell->out + cell->out_n;
        cell->in_n = cell->out_n = 0;
    }
    for (int i = 0; i < p->bundles_n; i++) {
        p->bundles[i].cells = next;
        next += p->bundles[i].n;
        p->bundles[i].n = 0;
    }
    for (int i = 0; i < p->arcs_n; i++) {
        struct net *net = &p->nets[p->arcs[i].net];
        struct cell *sink = &p->cells[p->arcs[i].sink], *driver = &p->cells[net->driver];
        net->arcs[net->arcs_n++] = i;
        sink->in[sink->in_n++] = i;
        driver->out[driver->out_n++] = i;
    }
    for (int i = 0; i < p->cells_n; i++) {
        if (p->cells[i].bundle >= 0) {
            struct bundle *bundle = &p->bundles[p->cells[i].bundle];
            bundle->cells[bundle->n++] = i;
        }
    }
}

/* A bundle of one look-up table fits anywhere in a tile, a slice's in any slice, a pair of slices' in any
 * pair. */
static int step_within_tile(const struct placement *p, const struct bundle *bundle) {
    const struct cell *first = &p->cells[bundle->cells[0]];
    int low = TILE_LUTS - 1, high = 0;
    bool wide = false;
    for (int i = 0; i < bundle->n; i++) {
        const struct cell *cell = &p->cells[bundle->cells[i]];
        if (cell->x != first->x || cell->y != first->y || cell->slot == RAM_PORT ||
            (cell->flags & (FLAG_CARRY | FLAG_RAM)))
            return TILE_LUTS;
        low = cell->slot / 2 < low ? cell->slot / 2 : low;
        high = cell->slot / 2 > high ? cell->slot / 2 : high;
        wide |= (cell->flags & FLAG_MUX) != 0;
    }
    int step = wide ? 2 : 1;
    while (low / step != high / step)
        step *= 2;
    return step;
}

static void measure_bundles(struct reader *r, struct placement *p) {
    for (int i = 0; i < p->bundles_n && !r->failed; i++) {
        struct bundle *bundle = &p->bundles[i];
        if (!bundle->n) {
            reject(r, "bundle %d: no cell", i);
            return;
        }
        bundle->kind = p->cells[bundle->cells[0]].kind;
        for (int k = 1; k < bundle->n; k++) {
            if (p->cells[bundle->cells[k]].kind != bundle->kind || bundle->kind == CELL_SITE)
                reject(r, "bundle %d: cells of several kinds, or several sites", i);
        }
        bundle->step = bundle->kind == CELL_LOGIC ? step_within_tile(p, bundle) : TILE_LUTS;
        p->largest = bundle->n > p->largest ? bundle->n : p->largest;
    }
}

/* Moves are only undone, and tiles only left as they are, if all is allowed in the beginning. */
static void check_tiles(struct reader *r, const struct placement *p) {
    for (int x = 0; x < p->width; x++) {
        for (int y = 0; y < p->height; y++) {
            if (!tile_allowed(p, placement_tile(p, x, y)))
                reject(r, "the cells at %d, %d must not be in one tile", x, y);
        }
    }
}

/* Nets behind those that they depend on. */
static void order_nets(struct reader *r, struct placement *p) {
    int *waits = zeroed((size_t)p->nets_n, sizeof *waits);
    int n = 0;
    p->order = zeroed((size_t)p->nets_n, sizeof *p->order);
    for (int i = 0; i < p->arcs_n; i++) {
        for (int k = 0; k < p->arcs[i].n; k++)
            waits[p->arcs[i].to[k]]++;
    }
    for (int i = 0; i < p->nets_n; i++) {
        if (!waits[i])
            p->order[n++] = i;
    }
    for (int i = 0; i < n; i++) {
        const struct net *net = &p->nets[p->order[i]];
        for (int j = 0; j < net->arcs_n; j++) {
            const struct arc *arc = &p->arcs[net->arcs[j]];
            for (int k = 0; k < arc->n; k++) {
                if (--waits[arc->to[k]] == 0)
                    p->order[n++] = arc->to[k];
            }
        }
    }
    free(waits);
    if (n < p->nets_n)
        reject(r, "%d nets depend on themselves", p->nets_n - n);
}

bool placement_parse(struct placement *p, const struct file *file, struct error *error) {
    *p = (struct placement){0};
    char *text = zeroed(file->size + 1, 1);
    memcpy(text, file->bytes, file->size);
    struct reader r = {.path = file->path, .at = text, .end = text + file->size, .line = 1, .error = error};
    word(&r, "tally-refine 1");
    p->width = integer(&r, "width", 1, WIDEST);
    p->height = integer(&r, "height", 1, WIDEST);
    const int most = file->size < MOST ? (int)file->size : MOST; /* of anything, a word or more each */
    const int tiles = integer(&r, "tiles", 0, most);
    p->cells_n = integer(&r, "cells", 1, most);
    p->nets_n = integer(&r, "nets", 0, most);
    p->arcs_n = integer(&r, "arcs", 0, most);
    p->bundles_n = integer(&r, "bundles", 0, most);
    if (r.failed) {
        p->cells_n = p->nets_n = p->arcs_n = p->bundles_n = 0;
    } else {
        read_tiles(&r, p, tiles);
        read_cells(&r, p);
        read_nets(&r, p);
        read_arcs(&r, p);
    }
    skip_blanks(&r);
    if (r.at < r.end)
        reject(&r, "more than its counts say");
    if (!r.failed) {
        p->bundles = zeroed((size_t)p->bundles_n, sizeof *p->bundles);
        index_lists(p);
        measure_bundles(&r, p);
        check_tiles(&r, p);
        order_nets(&r, p);
    }
    free(text);
    if (r.failed)
        placement_free(p);
    return !r.failed;
}

bool placement_read(struct placement *p, const char *path, struct error *error) {
    struct file file;
    if (!file_read(&file, path, UINT64_C(1) << 30, error))
        return false;
    const bool ok = placement_parse(p, &file, error);
    file_free(&file);
    return ok;
}

void placement_free(struct placement *p) {
    for (int i = 0; p->arcs && i < p->arcs_n; i++) {
        free(p->arcs[i].to);
        free(p->arcs[i].way);
    }
    free(p->tiles);
    free(p->cells);
    free(p->sites);
    free(p->nets);
    free(p->arcs);
    free(p->bundles);
    free(p->order);
    free(p->memory);
    *p = (struct placement){0};
}

/* Under another name first, so that nothing half-written has the file's. */
bool placement_write(const struct placement *p, const char *path, struct error *error) {
    char temporary[4096];
    if (snprintf(temporary, sizeof temporary, "%s.part", path) >= (int)sizeof temporary)
        return error_set(error, "a path of more than %zu characters", sizeof temporary - sizeof ".part");
    FILE *out = fopen(temporary, "w");
    if (!out)
        return error_set(error, "%s: %s", temporary, strerror(errno));
    for (int i = 0; i < p->cells_n; i++)
        fprintf(out, "%d %d %d\n", p->cells[i].x, p->cells[i].y, p->cells[i].slot);
    bool ok = !ferror(out);
    ok = fclose(out) == 0 && ok && rename(temporary, path) == 0;
    if (!ok) {
        error_set(error, "%s: %s", path, strerror(errno));
        remove(temporary);
    }
    return ok;
}
