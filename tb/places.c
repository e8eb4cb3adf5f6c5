// SPDX-License-Identifier: Apache-2.0
#include "places.h"

#include <stdlib.h>
#include <string.h>

enum { ROOM = 1 << 12 };

bool places_open(struct places *p) {
    *p = (struct places){.place = calloc(ROOM, sizeof *p->place)};
    p->room = p->place ? ROOM : 0;
    return p->place;
}

void places_close(struct places *p) {
    free(p->place);
    *p = (struct places){0};
}

void places_clear(struct places *p) {
    if (p->room)
        memset(p->place, 0, p->room * sizeof *p->place);
    p->used = 0;
}

static struct place *slot(struct place *place, size_t room, uint64_t pc, unsigned mode) {
    size_t i = (size_t)((pc ^ mode) * 0x9e3779b97f4a7c15u >> 20) & (room - 1);
    while (place[i].used && (place[i].pc != pc || place[i].mode != mode))
        i = (i + 1) & (room - 1);
    return &place[i];
}

static bool grow(struct places *p) {
    struct place *more = calloc(2 * p->room, sizeof *more);
    if (!more)
        return false;
    for (size_t i = 0; i < p->room; i++)
        if (p->place[i].used)
            *slot(more, 2 * p->room, p->place[i].pc, p->place[i].mode) = p->place[i];
    free(p->place);
    p->place = more;
    p->room *= 2;
    return true;
}

void places_add(struct places *p, uint64_t pc, unsigned mode, unsigned column) {
    if (!p->room || (2 * p->used >= p->room && !grow(p)))
        return;
    struct place *at = slot(p->place, p->room, pc, mode);
    if (!at->used) {
        *at = (struct place){.pc = pc, .mode = mode, .used = true};
        p->used++;
    }
    at->count[column]++;
}
