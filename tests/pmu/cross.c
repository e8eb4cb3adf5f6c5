// SPDX-License-Identifier: Apache-2.0
#include "cross.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum { WRONG_SHOWN = 12, REASONS_SHOWN = 8 };

static void labels_of(const struct cross *x, unsigned cell, unsigned at[CROSS_DIMS]) {
    for (unsigned d = x->dims; d-- > 0; cell /= x->size[d])
        at[d] = cell % x->size[d];
}

void cross_init(struct cross *x, const struct gp_config *cfg) {
    x->cells = 1;
    for (x->dims = 0; x->dims < CROSS_DIMS && x->dim[x->dims].name; x->dims++) {
        unsigned n = 0;

        while (x->dim[x->dims].labels[n])
            n++;
        if (!n) /* a dimension has values */
            abort();
        x->size[x->dims] = n;
        x->cells *= n;
    }
    x->hits = calloc(x->cells, sizeof(*x->hits));
    x->reason = calloc(x->cells, sizeof(*x->reason));
    if (!x->hits || !x->reason)
        abort();
    for (unsigned cell = 0; cell < x->cells; cell++) {
        unsigned at[CROSS_DIMS] = {0};

        labels_of(x, cell, at);
        x->reason[cell] = x->impossible(cfg, at);
    }
}

void cross_done(struct cross *x) {
    free(x->hits);
    free(x->reason);
}

void cross_hit(struct cross *x, const unsigned at[CROSS_DIMS]) {
    unsigned cell = 0;

    for (unsigned d = 0; d < x->dims; d++)
        cell = cell * x->size[d] + at[d];
    x->hits[cell]++;
}

static void print_cell(const struct cross *x, unsigned cell, const char *what) {
    unsigned at[CROSS_DIMS];

    labels_of(x, cell, at);
    printf("    %s:", what);
    for (unsigned d = 0; d < x->dims; d++)
        printf(" %s=%s", x->dim[d].name, x->dim[d].labels[at[d]]);
    putchar('\n');
}

static unsigned print_wrong(const struct cross *x, unsigned may_miss) {
    unsigned wrong = 0, missed = 0;

    for (unsigned cell = 0; cell < x->cells; cell++)
        missed += !x->hits[cell] && !x->reason[cell];
    may_miss = missed <= may_miss ? missed : 0;
    if (may_miss)
        printf("    seldom %10u: not hit in this run\n", missed);

    for (unsigned cell = 0; cell < x->cells; cell++) {
        bool hit = x->hits[cell] != 0;

        if (hit == !x->reason[cell] || (may_miss && !hit))
            continue;
        if (wrong++ < WRONG_SHOWN)
            print_cell(x, cell, hit ? "hit although impossible" : "not hit");
    }
    return wrong;
}

/* A line a cell that can be reached, as tally-sim --crosses writes them (scripts/cover_points.py). */
static void print_every(const struct cross *x) {
    unsigned at[CROSS_DIMS];

    for (unsigned cell = 0; cell < x->cells; cell++) {
        if (x->reason[cell])
            continue;
        labels_of(x, cell, at);
        printf("cross %s", x->name);
        for (unsigned d = 0; d < x->dims; d++)
            printf(" / %s=%s", x->dim[d].name, x->dim[d].labels[at[d]]);
        printf(" %" PRIu32 "\n", x->hits[cell]);
    }
}

/* The reasons of this cross, each with the number of its cells. */
static void print_reasons(const struct cross *x) {
    const char *seen[REASONS_SHOWN];
    unsigned n = 0;

    for (unsigned cell = 0; cell < x->cells; cell++) {
        const char *reason = x->reason[cell];
        unsigned cells = 0, k = 0;

        while (k < n && seen[k] != reason)
            k++;
        if (!reason || k < n || n == REASONS_SHOWN)
            continue;
        seen[n++] = reason;
        for (unsigned other = 0; other < x->cells; other++)
            cells += x->reason[other] == reason;
        printf("    impossible %6u: %s\n", cells, reason);
    }
}

unsigned cross_report(const struct cross *x, bool every_cell, bool short_run) {
    unsigned hit = 0, possible = 0;
    uint32_t least = UINT32_MAX;

    for (unsigned cell = 0; cell < x->cells; cell++) {
        if (x->reason[cell])
            continue;
        possible++;
        hit += x->hits[cell] != 0;
        least = x->hits[cell] < least ? x->hits[cell] : least;
    }
    printf("  %-34s %6u %8u %12u %10u\n", x->name, possible, hit, x->cells - possible, possible ? least : 0);
    print_reasons(x);
    if (every_cell)
        print_every(x);
    return print_wrong(x, every_cell ? possible : short_run ? possible * x->seldom / 100 : 0);
}
