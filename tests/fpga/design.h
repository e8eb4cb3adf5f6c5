// SPDX-License-Identifier: Apache-2.0
/*
 * Random placements, and a judge of tally-refine's results.
 *
 * The judge has the origin of each bundle, and the rules of a tile from Lattice's family data sheet
 * (FPGA-DS-02012, section 2.3, PFU blocks) and from the comments in placement.h. It calls nothing of fpga/.
 */
#ifndef TALLY_TEST_DESIGN_H
#define TALLY_TEST_DESIGN_H

#include "placement.h"

enum { CELLS_MOST = 8000, NETS_MOST = 16000, ARCS_MOST = 40000, WAYS_MOST = 2 };

struct spot {
    int x, y, slot;
};

struct part {
    struct spot at;
    enum cell_kind kind;
    int bundle;
    unsigned flags;
    int tile_set, slice_set;
    bool is_register;
    int feed; /* the cell before it in its bundle, with a wire of their own; else -1 */
    int net, nets_n;
};

struct link {
    int net, sink;
    bool dedicated;
    double end, way[WAYS_MOST];
    int to[WAYS_MOST], n;
};

struct design {
    int width, height;
    bool *tile; /* has slots */
    int *owner; /* of each slot, -1: none */
    struct part cells[CELLS_MOST];
    int unit[CELLS_MOST]; /* of each bundle: it may move within a tile by multiples of so many look-up tables
                           */
    int driver[NETS_MOST];
    double start[NETS_MOST];
    struct link arcs[ARCS_MOST]; /* each behind those that it depends on */
    int cells_n, bundles_n, nets_n, arcs_n;
    int net_number[NETS_MOST], arc_line[ARCS_MOST]; /* in the file: shuffled */
    uint64_t random;
};

struct size {
    int width, height, objects, sites;
};

uint32_t draw(uint64_t *random, uint32_t n);

/* --- Making --- */

struct design *design_empty(int width, int height, uint64_t seed);
struct design *design_random(const struct size *size, uint64_t seed);
void design_free(struct design *d);
/* A cell, in its slot; gives its number. Bundles are numbered by the caller. */
int design_cell(struct design *d, const struct part *part);
int design_net(struct design *d, int driver, double start);
/* `to`: the net behind the sink, -1: it ends there. */
void design_arc(struct design *d, int net, int sink, bool dedicated, double delay, int to);
/* Writes the text, and reads it with placement_read; any failure ends the program. */
void design_load(struct design *d, const char *path, struct placement *p);

/* --- Judging --- */

void spots_now(const struct placement *p, struct spot *spots);
void spots_first(const struct design *d, struct spot *spots);
/* From the file that tally-refine writes; false if that has another form. */
bool spots_read(const struct design *d, const char *path, struct spot *spots);
/* Its error, or NULL */
const char *judge(const struct design *d, const struct spot *spots);
/* Is each cell in its slot of p->tiles, and is nothing else there? */
const char *judge_tiles(const struct design *d, const struct placement *p);
double judge_wire(const struct design *d, const struct spot *spots, int arc);
double judge_longest(const struct design *d, const struct spot *spots);
/* Tiles of wire: half the circumference of each net's box, but of nets that enter more than 256 cells none */
long judge_length(const struct design *d, const struct spot *spots);
/* Over all tiles, the square of the wires beyond 20 that enter one */
long judge_crowd(const struct design *d, const struct spot *spots);
bool judge_tile(const struct design *d, const int *owner);

#define CHECK(condition, ...)                                                                                \
    do {                                                                                                     \
        if (!(condition)) {                                                                                  \
            fprintf(stderr, "%s:%d: ", __FILE__, __LINE__);                                                  \
            fprintf(stderr, __VA_ARGS__);                                                                    \
            fputc('\n', stderr);                                                                             \
            exit(1);                                                                                         \
        }                                                                                                    \
    } while (0)

#endif
