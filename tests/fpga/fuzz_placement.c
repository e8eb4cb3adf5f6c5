// SPDX-License-Identifier: Apache-2.0
/*
 * libFuzzer target: reading a placement, and moving its bundles. The first byte of the input gives the kind
 * of the rest: the text itself; or the text's numbers, a byte each, behind the first line. A text is refused
 * by one line, or its bundles are moved about, some moves undone, and all cells are in their slots and all
 * tiles allowed in the end.
 */
#include "swap.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOVES = 300, TEXT_MOST = 1 << 16, SIDE_MOST = 64 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void expect(bool ok) {
    if (!ok)
        abort();
}

static void check(const struct placement *p) {
    int in_slots = 0, filled = 0;
    for (int i = 0; i < p->cells_n; i++) {
        const struct cell *c = &p->cells[i];
        expect(c->x >= 0 && c->y >= 0 && c->x < p->width && c->y < p->height);
        in_slots += c->slot >= 0;
        expect(c->slot < 0 || placement_tile(p, c->x, c->y)[c->slot] == i);
    }
    for (int x = 0; x < p->width; x++) {
        for (int y = 0; y < p->height; y++) {
            const int *tile = placement_tile(p, x, y);
            expect(tile_allowed(p, tile));
            for (int s = 0; s < SLOTS; s++)
                filled += tile[s] >= 0;
        }
    }
    expect(in_slots == filled);
}

static uint32_t dice(uint32_t n) {
    static uint32_t x = 2463534242;
    x ^= x << 13;
    x ^= x >> 17;
    x ^= x << 5;
    return x % n;
}

/* A move that was done can be undone by one the other way. */
static void move(struct swapper *s) {
    const struct placement *p = s->p;
    const int i = (int)dice((uint32_t)p->bundles_n);
    const struct bundle *bundle = &p->bundles[i];
    double change;
    if (bundle->kind == CELL_SITE) {
        if (swap_sites(s, bundle->cells[0], p->sites[dice((uint32_t)p->sites_n)], &change))
            swap_keep(s);
        return;
    }
    const int shift = bundle->step * (int)dice((uint32_t)(8 / bundle->step));
    const struct swap there = {i, (int)dice(5) - 2, (int)dice(5) - 2, shift};
    const struct swap back = {i, -there.dx, -there.dy, (8 - shift) % 8};
    if (!swap_logic(s, &there, &change))
        return;
    switch (dice(3)) {
    case 0:
        swap_undo(s);
        break;
    case 1:
        swap_keep(s);
        break;
    default:
        swap_keep(s);
        expect(swap_logic(s, &back, &change));
        swap_keep(s);
    }
}

static void move_about(struct placement *p) {
    struct swapper s;
    check(p);
    swapper_new(&s, p);
    s.wire_cost = 1e-5;
    s.estimate.temperature = 0.15;
    estimate_all(&s.estimate, p);
    expect(!isnan(estimate_longest(p)));
    for (int i = 0; i < MOVES && p->bundles_n; i++)
        move(&s);
    check(p);
    swapper_free(&s);
}

/* Bytes as numbers, most of them small; 1.0 for some, since delays need not be whole. */
static size_t spell(char *text, const uint8_t *data, size_t size) {
    size_t n = (size_t)sprintf(text, "tally-refine 1");
    for (size_t i = 0; i < size && n + 8 < TEXT_MOST; i++)
        n += (size_t)sprintf(text + n, data[i] > 250 ? " %d.5" : " %d", data[i] == 255 ? -1 : data[i] % 64);
    return n;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static char text[TEXT_MOST];
    struct file file = {.path = "fuzz"};
    struct placement p;
    struct error error = {""};
    if (size < 2)
        return 0;
    file.size = data[0] % 2 ? spell(text, data + 1, size - 1) : size - 1;
    file.bytes = malloc(file.size); /* of its own, so that reading beyond it is seen */
    expect(file.bytes != NULL);
    memcpy(file.bytes, data[0] % 2 ? (const void *)text : data + 1, file.size);
    if (!placement_parse(&p, &file, &error)) {
        expect(*error.text && !strchr(error.text, '\n'));
    } else {
        if (p.width <= SIDE_MOST && p.height <= SIDE_MOST) /* for the time that it takes */
            move_about(&p);
        placement_free(&p);
    }
    free(file.bytes);
    return 0;
}
