/* SPDX-License-Identifier: Apache-2.0 */
#include "flat_tree.h"

#define MAGIC 0xd00dfeed
enum { VERSION = 17 };

static uint32_t cell_at(const char *at) { return flat_cell(*(const uint32_t *)(const void *)at); }

static uint32_t whole_cells(uint32_t size) { return (size + 3) & ~3u; }

/* The null byte that ends a name, or `end` */
static const char *name_end(const char *name, const char *end) {
    while (name < end && *name)
        name++;
    return name;
}

struct flat_walk flat_walk(const void *blob, uint32_t offset) {
    const struct flat_header *header = blob;
    const char *structure = (const char *)blob + flat_cell(header->off_dt_struct);
    const char *strings = (const char *)blob + flat_cell(header->off_dt_strings);

    return (struct flat_walk){.end = structure + flat_cell(header->size_dt_struct),
                              .strings = strings,
                              .strings_end = strings + flat_cell(header->size_dt_strings),
                              .next = structure + offset};
}

/* A property's name, value and size; its own size, or 0: it is broken. */
static uint32_t read_property(struct flat_walk *w, uint32_t room) {
    uint32_t name;

    if (room < 12)
        return 0;
    w->size = cell_at(w->at + 4);
    name = cell_at(w->at + 8);
    w->value = w->at + 12;
    if (w->size > room - 12 || name >= (uint32_t)(w->strings_end - w->strings))
        return 0;
    w->name = w->strings + name;
    return name_end(w->name, w->strings_end) < w->strings_end ? 12 + w->size : 0;
}

enum flat_token flat_next(struct flat_walk *w) {
    const uint32_t room = (uint32_t)(w->end - w->next);
    enum flat_token token;
    uint32_t size = 4;

    w->at = w->next;
    if (room < 4)
        return FLAT_BROKEN;
    token = (enum flat_token)cell_at(w->at);
    switch (token) {
    case FLAT_BEGIN_NODE:
        w->name = w->at + 4;
        size += (uint32_t)(name_end(w->name, w->end) - w->name) + 1;
        break;
    case FLAT_PROP:
        size = read_property(w, room);
        break;
    case FLAT_END_NODE:
    case FLAT_NOP:
    case FLAT_END:
        break;
    default:
        size = 0;
    }
    if (!size || size > room || whole_cells(size) > room)
        return FLAT_BROKEN;
    w->next = w->at + whole_cells(size);
    return token;
}

/* Does a block lie between the header and the end? */
static bool inside(uint32_t offset, uint32_t size, uint32_t total) {
    return offset >= sizeof(struct flat_header) && offset <= total && size <= total - offset;
}

uint32_t flat_reservations_end(const void *blob) {
    enum { ENTRY = 16 };
    const struct flat_header *header = blob;
    const uint32_t total = flat_cell(header->totalsize);

    for (uint32_t at = flat_cell(header->off_mem_rsvmap); at <= total - ENTRY; at += ENTRY) {
        if (*(const uint64_t *)(const void *)((const char *)blob + at + 8) == 0)
            return at + ENTRY;
    }
    return 0;
}

static bool well_formed(const void *blob) {
    struct flat_walk walk = flat_walk(blob, 0);
    unsigned depth = 1;

    if (flat_next(&walk) != FLAT_BEGIN_NODE)
        return false;
    for (;;) {
        switch (flat_next(&walk)) {
        case FLAT_BEGIN_NODE:
            if (depth++ == 0)
                return false;
            break;
        case FLAT_END_NODE:
            if (depth-- == 0)
                return false;
            break;
        case FLAT_PROP:
            if (depth == 0)
                return false;
            break;
        case FLAT_NOP:
            break;
        case FLAT_END:
            return depth == 0;
        default:
            return false;
        }
    }
}

bool flat_whole(const void *blob, uint32_t limit) {
    const struct flat_header *header = blob;
    const uint32_t total = flat_cell(header->totalsize), structure = flat_cell(header->off_dt_struct);
    const uint32_t reservations = flat_cell(header->off_mem_rsvmap);

    return (uintptr_t)blob % 8 == 0 && header->magic == flat_cell(MAGIC) && total <= limit &&
           flat_cell(header->version) >= VERSION && flat_cell(header->last_comp_version) <= VERSION &&
           inside(reservations, 0, total) && reservations % 8 == 0 && structure % 4 == 0 &&
           inside(structure, flat_cell(header->size_dt_struct), total) &&
           inside(flat_cell(header->off_dt_strings), flat_cell(header->size_dt_strings), total) &&
           flat_reservations_end(blob) && well_formed(blob);
}
