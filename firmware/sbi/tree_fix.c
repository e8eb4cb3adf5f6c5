/* SPDX-License-Identifier: Apache-2.0 */
/* What the supervisor shall see: the firmware's memory reserved, and no table of the PMU. */
#include <stddef.h>
#include <string.h>

#include "flat_tree.h"
#include "platform.h"
#include "tree.h"

/* The tables are the firmware's; a supervisor asks the SBI. They become FDT_NOP tokens, so that nothing
 * moves. */
static void strip_pmu(void *blob, uint32_t node) {
    static const char *const tables[] = {TREE_SELECTORS, TREE_COUNTERS, TREE_RAW_COUNTERS};
    struct flat_walk walk = flat_walk(blob, node);
    enum flat_token token;

    flat_next(&walk);
    while ((token = flat_next(&walk)) == FLAT_PROP || token == FLAT_NOP) {
        bool table = false;

        for (unsigned i = 0; token == FLAT_PROP && i < sizeof tables / sizeof *tables; i++)
            table |= strcmp(walk.name, tables[i]) == 0;
        for (const char *at = walk.at; table && at < walk.next; at += 4)
            *(uint32_t *)(void *)((char *)blob + (at - (const char *)blob)) = flat_cell(FLAT_NOP);
    }
}

/* --- what is inserted ------------------------------------------------------------------------------ */

/* Into the strings block */
struct names {
    char reg[sizeof "reg"], no_map[sizeof "no-map"];
    char address_cells[sizeof "#address-cells"], size_cells[sizeof "#size-cells"], ranges[sizeof "ranges"];
};
static const struct names names = {"reg", "no-map", "#address-cells", "#size-cells", "ranges"};

/* ... and into the structure block */
struct text {
    uint32_t cell[64];
    unsigned cells;
    uint32_t names; /* where the names are in the strings block */
};

static void put(struct text *text, uint32_t cell) { text->cell[text->cells++] = flat_cell(cell); }

static void begin_node(struct text *text, const char *name) {
    const size_t size = strlen(name) + 1;

    put(text, FLAT_BEGIN_NODE);
    memcpy(&text->cell[text->cells], name, size);
    text->cells += (unsigned)(size + 3) / 4;
}

/* Its value follows. */
static void put_property(struct text *text, size_t name, unsigned cells) {
    put(text, FLAT_PROP);
    put(text, 4 * cells);
    put(text, text->names + (uint32_t)name);
}

static void put_number(struct text *text, uint32_t value, unsigned cells) {
    while (--cells)
        put(text, 0);
    put(text, value);
}

static void put_cell(struct text *text, size_t name, uint32_t value) {
    put_property(text, name, 1);
    put(text, value);
}

static void reservation(struct text *text, const struct tree *tree) {
    const struct tree_cells cells = tree->cells;

    if (!tree->reserved_memory) {
        begin_node(text, TREE_RESERVED_MEMORY);
        put_cell(text, offsetof(struct names, address_cells), cells.address);
        put_cell(text, offsetof(struct names, size_cells), cells.size);
        put_property(text, offsetof(struct names, ranges), 0);
    }
    begin_node(text, TREE_FIRMWARE_NODE);
    put_property(text, offsetof(struct names, reg), cells.address + cells.size);
    put_number(text, RAM_BASE, cells.address);
    put_number(text, 1u << FIRMWARE_LOG, cells.size);
    put_property(text, offsetof(struct names, no_map), 0);
    put(text, FLAT_END_NODE);
    if (!tree->reserved_memory)
        put(text, FLAT_END_NODE);
}

/* The blocks in their order, which leaves the strings at the end (Devicetree specification, chapter 5) */
static bool ordered(const void *blob) {
    const struct flat_header *header = blob;
    const uint32_t structure = flat_cell(header->off_dt_struct);

    return flat_reservations_end(blob) <= structure &&
           structure + flat_cell(header->size_dt_struct) <= flat_cell(header->off_dt_strings);
}

static void add(uint32_t *cell, uint32_t more) { *cell = flat_cell(flat_cell(*cell) + more); }

/* Cells up by `distance` cells; the C library's memmove() moves bytes. */
static void move_up(uint32_t *from, size_t cells, size_t distance) {
    while (cells--)
        from[cells + distance] = from[cells];
}

bool tree_fix(void *blob, const struct tree *tree) {
    struct flat_header *header = blob;
    const uint32_t strings_size = flat_cell(header->size_dt_strings);
    char *at = (char *)blob + flat_cell(header->off_dt_struct) + tree->behind_properties;
    char *end = (char *)blob + flat_cell(header->off_dt_strings) + strings_size;
    struct text text = {.names = strings_size};
    const bool possible =
        ordered(blob) && tree->cells.address && tree->cells.size && !tree->firmware_reserved;
    uint32_t size;

    if (tree->pmu.present)
        strip_pmu(blob, tree->pmu_node);
    if (!possible)
        return false;
    reservation(&text, tree);
    size = 4 * text.cells;
    /* Up to three bytes behind the end go with them: the names come there. */
    move_up((uint32_t *)(void *)at, (size_t)(end - at + 3) / 4, text.cells);
    memcpy(at, text.cell, size);
    memcpy(end + size, &names, sizeof names);
    add(&header->size_dt_struct, size);
    add(&header->off_dt_strings, size);
    add(&header->size_dt_strings, sizeof names);
    header->totalsize = flat_cell((uint32_t)(end + size + sizeof names - (char *)blob));
    return true;
}
