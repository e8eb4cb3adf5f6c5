// SPDX-License-Identifier: Apache-2.0
/*
 * tally-refine on random placements: each stays one that the chip allows, and its longest path is as reported
 * and no longer than before; wires become shorter where they settle, paths where these are worked on. Then
 * placements in which the cells that must move are known.
 */
#include "design.h"
#include "refine.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SMALL = 80, LARGE = 2, PLANTED = 8 };

static const char PLACED[] = "test_refine.placed.txt", PLACES[] = "test_refine.places.txt";

struct rounds {
    unsigned settle, paths;
    double wire; /* must become less than that share, instead of the longest path shorter */
};

static struct refine_options options(const struct rounds *rounds, uint64_t seed) {
    return (struct refine_options){.settle = rounds->settle,
                                   .heat = 2,
                                   .rounds = rounds->paths,
                                   .seed = seed,
                                   .first = 0.5,
                                   .last = 0.15,
                                   .wire_cost = rounds->wire > 0 ? 3e-4 : 8e-6,
                                   .crowd_cost = 2e-6};
}

static struct refine_result run(struct design *d, const struct rounds *rounds, uint64_t seed,
                                struct spot *spots) {
    struct placement p;
    struct error error;
    const struct refine_options how = options(rounds, seed);
    design_load(d, PLACED, &p);
    const struct refine_result result = refine(&p, &how, NULL);
    const char *bad = judge_tiles(d, &p);
    CHECK(!bad, "seed %llu: %s", (unsigned long long)seed, bad);
    CHECK(placement_write(&p, PLACES, &error), "%s", error.text);
    CHECK(spots_read(d, PLACES, spots), "%s: not a line of three numbers for each cell", PLACES);
    placement_free(&p);
    return result;
}

static const struct rounds ONE_ROUND = {.paths = 1};

struct sum {
    unsigned cells, moved, better, kept;
    long wire, wire_before;
};

static void random_design(const struct size *size, uint64_t seed, const struct rounds *rounds,
                          struct sum *sum) {
    static struct spot before[CELLS_MOST], after[CELLS_MOST], again[CELLS_MOST];
    struct design *d = design_random(size, seed);
    spots_first(d, before);
    const char *bad = judge(d, before);
    CHECK(!bad, "seed %llu, as it was made: %s", (unsigned long long)seed, bad);
    const double was = judge_longest(d, before);
    const long wire = judge_length(d, before);
    const struct refine_result result = run(d, rounds, seed, after);
    bad = judge(d, after);
    CHECK(!bad, "seed %llu: %s", (unsigned long long)seed, bad);
    const double is = judge_longest(d, after);
    CHECK(fabs(result.longest - is) < 1e-9, "seed %llu: longest path %g, reported %g",
          (unsigned long long)seed, is, result.longest);
    CHECK(is <= was + 1e-9, "seed %llu: longest path %g, before %g", (unsigned long long)seed, is, was);
    CHECK(result.wire == judge_length(d, after), "seed %llu: %ld tiles of wire, reported %ld",
          (unsigned long long)seed, judge_length(d, after), result.wire);
    if (seed % 4 == 1) { /* good placements must not become worse */
        for (int i = 0; i < d->cells_n; i++)
            d->cells[i].at = after[i];
        run(d, &ONE_ROUND, seed, again);
        bad = judge(d, again);
        CHECK(!bad, "seed %llu, the second time: %s", (unsigned long long)seed, bad);
        CHECK(judge_longest(d, again) <= is + 1e-9, "seed %llu: longest path %g, then %g",
              (unsigned long long)seed, is, judge_longest(d, again));
    }
    if (seed % 4 == 0) {
        memset(again, 0, sizeof again);
        run(d, rounds, seed, again);
        CHECK(memcmp(after, again, (size_t)d->cells_n * sizeof *after) == 0,
              "seed %llu: another result the second time", (unsigned long long)seed);
    }
    for (int i = 0; i < d->cells_n; i++)
        sum->moved += memcmp(&before[i], &after[i], sizeof *before) != 0;
    sum->cells += (unsigned)d->cells_n;
    sum->wire += result.wire;
    sum->wire_before += wire;
    sum->kept += (unsigned)result.kept;
    sum->better += rounds->wire > 0 ? result.wire < wire : is < 0.98 * was;
    design_free(d);
}

static void random_designs(const char *name, const struct size *size, uint64_t seed, int n,
                           const struct rounds *rounds) {
    const char *what = rounds->wire > 0 ? "wires" : "paths";
    const double most = rounds->wire > 0 ? rounds->wire : 1;
    struct sum sum = {0};
    for (int i = 0; i < n; i++) {
        struct size of = *size;
        uint64_t random = seed + (uint64_t)i;
        of.objects = size->objects / 4 + (int)draw(&random, (uint32_t)size->objects);
        random_design(&of, seed + (uint64_t)i, rounds, &sum);
    }
    printf("%s: seeds %llu to %llu, %u cells, %u moved, %s shorter in %u of %d, %.2f of the wire, %u moves "
           "kept\n",
           name, (unsigned long long)seed, (unsigned long long)seed + (unsigned)n - 1, sum.cells, sum.moved,
           what, sum.better, n, (double)sum.wire / (double)sum.wire_before, sum.kept);
    CHECK(sum.better * 10 >= 9 * (unsigned)n, "%s: %s became shorter in %u of %d only", name, what,
          sum.better, n);
    CHECK((double)sum.wire < most * (double)sum.wire_before, "%s: %ld tiles of wire, %ld before", name,
          sum.wire, sum.wire_before);
    CHECK(sum.moved * 3 >= sum.cells, "%s: %u of %u cells moved only", name, sum.moved, sum.cells);
}

/* --- Planted: two pins beside each other, with the cells between them in the far corner --- */

static int logic(struct design *d, int x, int y, int slot, int bundle) {
    const struct part part = {.at = {x, y, slot}, .kind = CELL_LOGIC, .bundle = bundle, .feed = -1};
    d->unit[bundle] = 1;
    return design_cell(d, &part);
}

static int pin(struct design *d, int x, int y) {
    const struct part part = {
        .at = {x, y, -1}, .kind = CELL_FIXED, .bundle = -1, .is_register = true, .feed = -1};
    d->tile[y * d->width + x] = false;
    return design_cell(d, &part);
}

/* From one pin through `n` look-up tables, each a bundle, to the other */
static struct design *planted_chain(int n) {
    struct design *d = design_empty(24, 20, 1);
    const int from = pin(d, 2, 0), to = pin(d, 3, 0);
    int net = design_net(d, from, 0);
    for (int i = 0; i < n; i++) {
        const int cell = logic(d, 21 + i % 2, 17 + i / 2 % 2, 2 * (i % 8), d->bundles_n++);
        const int next = design_net(d, cell, -1);
        design_arc(d, net, cell, false, 0.24, next);
        net = next;
    }
    design_arc(d, net, to, false, 0, -1);
    return d;
}

static void planted(int n) {
    static struct spot before[CELLS_MOST], after[CELLS_MOST];
    struct design *d = planted_chain(n);
    spots_first(d, before);
    const struct rounds rounds = {.paths = 10};
    const struct refine_result result = run(d, &rounds, (uint64_t)n, after);
    const char *bad = judge(d, after);
    CHECK(!bad, "chain of %d: %s", n, bad);
    /* Each wire takes 0.51 ns for its own and 0.17 a tile; the pins are a tile off the slots and of each
     * other. */
    const double best = n * 0.24 + (n + 1) * 0.51 + 3 * 0.17;
    const double was = judge_longest(d, before), is = judge_longest(d, after);
    CHECK(is <= best + 2 * 0.17, "chain of %d: %g ns, %g before; %g is possible", n, is, was, best);
    CHECK(fabs(result.longest - is) < 1e-9, "chain of %d: %g ns, reported %g", n, is, result.longest);
    for (int i = 0; i < d->cells_n; i++)
        CHECK(after[i].x < 6 && after[i].y < 6, "chain of %d: cell %d stays at %d, %d", n, i, after[i].x,
              after[i].y);
    design_free(d);
}

/* Two block RAMs, each beside the neighbours of the other */
static void planted_sites(void) {
    struct design *d = design_empty(24, 4, 1);
    struct spot after[4];
    int ram[2], pins[2];
    for (int i = 0; i < 2; i++) {
        pins[i] = pin(d, 20 * i, 0);
        ram[i] = pin(d, 20 * (1 - i) + 1, 0);
        d->cells[ram[i]].kind = CELL_SITE;
        d->unit[d->bundles_n] = 8;
        d->cells[ram[i]].bundle = d->bundles_n++;
    }
    for (int i = 0; i < 2; i++)
        design_arc(d, design_net(d, pins[i], 0), ram[i], false, 0.2, -1);
    run(d, &ONE_ROUND, 1, after);
    const char *bad = judge(d, after);
    CHECK(!bad, "block RAMs: %s", bad);
    CHECK(after[ram[0]].x == 1 && after[ram[1]].x == 21, "block RAMs did not change places");
    design_free(d);
}

/* Without a path there is nothing to do, and nothing is done. */
static void planted_nothing(void) {
    static struct spot before[CELLS_MOST], after[CELLS_MOST];
    struct design *d = planted_chain(PLANTED);
    d->start[0] = -1;
    spots_first(d, before);
    const struct rounds rounds = {.settle = 2, .paths = 2};
    const struct refine_result result = run(d, &rounds, 1, after);
    CHECK(result.longest == 0 && memcmp(before, after, (size_t)d->cells_n * sizeof *before) == 0,
          "no path, and cells moved");
    design_free(d);
}

int main(void) {
    const struct size small = {.width = 9, .height = 8, .objects = 120, .sites = 4};
    const struct size tight = {.width = 5, .height = 4, .objects = 200, .sites = 3};
    const struct size large = {.width = 40, .height = 24, .objects = 1600, .sites = 12};
    const struct rounds paths = {.paths = 4}, wires = {.settle = 20, .wire = 0.5},
                        full = {.settle = 20, .wire = 0.7}, both = {.settle = 8, .paths = 4};
    random_designs("small", &small, 1000, SMALL, &ONE_ROUND);
    random_designs("tight", &tight, 2000, SMALL, &ONE_ROUND);
    random_designs("large", &large, 3000, LARGE, &paths);
    random_designs("small, wires", &small, 4000, SMALL / 4, &wires);
    random_designs("tight, wires", &tight, 5000, SMALL / 4, &full);
    random_designs("large, both", &large, 6000, LARGE, &both);
    for (int n = 1; n <= PLANTED; n++)
        planted(n);
    planted_sites();
    planted_nothing();
    remove(PLACED);
    remove(PLACES);
    return 0;
}
