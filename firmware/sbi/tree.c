/* SPDX-License-Identifier: Apache-2.0 */
#include "tree.h"

#include <string.h>

#include "flat_tree.h"
#include "hart_set.h"
#include "isa.h"
#include "memory_map.h"
#include "platform.h"

enum { SIZE_LIMIT = 1 << 21, CELLS_MAX = 4 };

/* Properties that the firmware reads */
enum property {
    ADDRESS_CELLS,
    SIZE_CELLS,
    COMPATIBLE,
    DEVICE_TYPE,
    STATUS,
    REG,
    REG_SHIFT,
    ISA,
    ISA_EXTENSIONS,
    SELECTORS,
    COUNTERS,
    RAW_COUNTERS,
    NO_SNAPSHOT,
    DELEGATED,
    BRANCHES,
    PROPERTIES
};
static const char *const property_name[PROPERTIES] = {
    "#address-cells",
    "#size-cells",
    "compatible",
    "device_type",
    "status",
    "reg",
    "reg-shift",
    "riscv,isa",
    "riscv,isa-extensions",
    TREE_SELECTORS,
    TREE_COUNTERS,
    TREE_RAW_COUNTERS,
    "tally,no-snapshot",
    "tally,delegated-counters",
    "tally,event-based-branches",
};

struct value {
    const void *bytes; /* NULL: no such property */
    uint32_t size;
};
static const struct value absent;

struct node {
    const char *name;
    uint32_t offset;                   /* in the structure block */
    uint32_t behind_properties;        /* ... and of what follows its properties */
    uint32_t present;                  /* bit i: it has property i, */
    struct value property[PROPERTIES]; /* ... which is this */
};

/* The nodes above the one that is read */
struct above {
    unsigned depth;              /* 0: it is the root node */
    struct tree_cells root, top; /* of the root, and of the node below it */
    bool cpus, reserved_memory;  /* the node below the root is this one */
};

/* --- values ---------------------------------------------------------------------------------------- */

/* Of two properties of one name the first counts, as to libfdt. */
static void note(struct node *node, const struct flat_walk *property) {
    for (unsigned i = 0; i < PROPERTIES; i++) {
        if (property->name[0] != property_name[i][0] || strcmp(property->name, property_name[i]) != 0)
            continue;
        if (!(node->present >> i & 1))
            node->property[i] = (struct value){property->value, property->size};
        node->present |= 1u << i;
        return;
    }
}

static const struct value *get(const struct node *node, enum property property) {
    return node->present >> property & 1 ? &node->property[property] : &absent;
}

static void begin(struct node *node, const char *name, uint32_t offset) {
    node->name = name;
    node->offset = offset;
    node->present = 0;
}

static bool has(const struct node *node, enum property property) { return get(node, property)->bytes; }

static void read_table(const struct node *node, enum property property, struct tree_table *table) {
    const struct value *value = get(node, property);

    table->cells = value->bytes;
    table->count = value->size / 4;
    table->rest = value->size % 4;
}

/* Is it this string? `whole`: alone, or else perhaps with more behind it */
static bool is_string(const struct value *value, const char *string, bool whole) {
    const size_t size = strlen(string) + 1;

    return value->bytes && (whole ? value->size == size : value->size >= size) &&
           memcmp(value->bytes, string, size) == 0;
}

/* Is the string in the list? */
static bool lists(const struct value *list, const char *string) {
    const char *at = list->bytes, *end = at ? at + list->size : NULL;
    const size_t size = strlen(string) + 1;

    while (at && (size_t)(end - at) >= size) {
        const char *next = memchr(at, 0, (size_t)(end - at));

        if (memcmp(at, string, size) == 0)
            return true;
        at = next ? next + 1 : NULL;
    }
    return false;
}

/* Value of `cells` cells at `p`; bits above 63 are lost. */
static uint64_t number(const uint32_t *p, unsigned cells) {
    uint64_t value = 0;

    for (unsigned i = 0; i < cells; i++)
        value = value << 32 | flat_cell(p[i]);
    return value;
}

static unsigned cells(const struct node *node, enum property property, unsigned otherwise) {
    const struct value *value = get(node, property);
    uint32_t count;

    if (!value->bytes)
        return otherwise;
    count = value->size == 4 ? flat_cell(*(const uint32_t *)value->bytes) : 0;
    return count <= CELLS_MAX ? count : 0;
}

static struct tree_cells cells_of(const struct node *node) {
    return (struct tree_cells){cells(node, ADDRESS_CELLS, 2), cells(node, SIZE_CELLS, 1)};
}

/* --- nodes ----------------------------------------------------------------------------------------- */

/* A node is there unless its status says otherwise (Devicetree specification 2.3.4). */
static bool enabled(const struct node *node) {
    const struct value *status = get(node, STATUS);

    return !status->bytes || !status->size || is_string(status, "okay", false) ||
           is_string(status, "ok", false);
}

static void read_memory(const struct node *node, struct tree_cells cells) {
    const struct value *reg = get(node, REG);
    const unsigned row = cells.address + cells.size;
    const uint32_t *at = reg->bytes;

    if (!at || !cells.address || !cells.size)
        return;
    for (uint32_t rows = reg->size / 4 / row; rows; rows--, at += row)
        memory_map_add(number(at, cells.address), number(at + cells.address, cells.size));
}

/* The list as it is made today, or the string of old */
static void read_hart(const struct node *node, unsigned address_cells) {
    const struct value *reg = get(node, REG);
    const struct value *isa = get(node, has(node, ISA_EXTENSIONS) ? ISA_EXTENSIONS : ISA);
    uint64_t id;

    if (!reg->bytes || !address_cells || reg->size < address_cells * 4)
        return;
    id = number(reg->bytes, address_cells);
    if (id >= HARTS_MAX)
        return;
    hart_present |= 1ul << id;
    isa_of_hart[id] = (uint8_t)isa_read(isa->bytes, isa->size);
}

/* The address of a device of at least `size` bytes, aligned as needed, in the part of the address space that
 * PMP leaves to M-mode for devices; 0: it is not there, or not to be used. */
static uintptr_t device(const struct node *node, struct tree_cells cells, uint64_t size, uint64_t alignment) {
    const struct value *reg = get(node, REG);
    const uint32_t *at = reg->bytes;
    uint64_t base;

    if (!enabled(node) || !at || !cells.address || !cells.size ||
        reg->size < 4 * (cells.address + cells.size))
        return 0;
    base = number(at, cells.address);
    if (base % alignment || base >> DEVICES_LOG || number(at + cells.address, cells.size) < size)
        return 0;
    return (uintptr_t)base;
}

/* A node below the root or a bus without translation, which has these cells */
static void read_device(const struct node *node, struct tree_cells cells, struct tree_devices *devices) {
    const struct value *names = get(node, COMPATIBLE);
    const uint64_t aclint_size = 1ull << ACLINT_LOG;

    if (!devices->uart && lists(names, "ns16550a") && !has(node, REG_SHIFT))
        devices->uart = device(node, cells, 8, 1);
    else if (!devices->aclint && (lists(names, "sifive,clint0") || lists(names, "riscv,clint0")))
        devices->aclint = device(node, cells, 0xc000, aclint_size);
    else if (!devices->finisher && lists(names, "sifive,test0"))
        devices->finisher = device(node, cells, 4, 4);
}

static void read_pmu(const struct node *node, struct tree_pmu *pmu) {
    struct tree_table delegated;

    pmu->present = true;
    read_table(node, SELECTORS, &pmu->selectors);
    read_table(node, COUNTERS, &pmu->counters);
    read_table(node, RAW_COUNTERS, &pmu->raw_counters);
    pmu->no_snapshot = has(node, NO_SNAPSHOT);
    read_table(node, DELEGATED, &delegated);
    pmu->delegate = delegated.cells != 0;
    pmu->delegated = pmu->delegate && delegated.count ? tree_cell(&delegated, 0) : 0;
    pmu->branches = has(node, BRANCHES);
}

/* Where the firmware's memory is to be reserved: in the node for that, or in one that the root node gets */
static void reserve_in(const struct node *node, struct tree *tree) {
    tree->behind_properties = node->behind_properties;
    tree->cells = cells_of(node);
}

static void read_top(const struct node *node, struct above *above, struct tree *tree) {
    above->top = cells_of(node);
    above->cpus = strcmp(node->name, "cpus") == 0;
    above->reserved_memory = !tree->reserved_memory && strcmp(node->name, TREE_RESERVED_MEMORY) == 0;
    if (above->reserved_memory) {
        tree->reserved_memory = true;
        reserve_in(node, tree);
    }
    if (is_string(get(node, DEVICE_TYPE), "memory", true) && enabled(node))
        read_memory(node, above->root);
}

static void read_node(const struct node *node, struct above *above, struct tree *tree) {
    if (above->depth == 0) {
        above->root = cells_of(node);
        reserve_in(node, tree);
        return;
    }
    if (above->depth == 1)
        read_top(node, above, tree);
    if (above->depth == 2 && above->cpus && is_string(get(node, DEVICE_TYPE), "cpu", true) && enabled(node))
        read_hart(node, above->top.address);
    if (above->depth == 2 && above->reserved_memory && strcmp(node->name, TREE_FIRMWARE_NODE) == 0)
        tree->firmware_reserved = true;
    if (above->depth <= 2)
        read_device(node, above->depth == 1 ? above->root : above->top, &tree->devices);
    if (!tree->pmu.present && lists(get(node, COMPATIBLE), "riscv,pmu")) {
        tree->pmu_node = node->offset;
        read_pmu(node, &tree->pmu);
    }
}

/* A node's properties come before the nodes in it (Devicetree specification 5.4.2). */
static void read_nodes(const void *blob, struct tree *tree) {
    struct flat_walk walk = flat_walk(blob, 0);
    struct above above = {0};
    struct node node;
    bool properties = false; /* those of `node` are read */

    for (;;) {
        const enum flat_token token = flat_next(&walk);

        if (token == FLAT_PROP && properties)
            note(&node, &walk);
        if (token == FLAT_PROP || token == FLAT_NOP)
            continue;
        if (properties) {
            node.behind_properties = flat_offset(&walk, blob);
            read_node(&node, &above, tree);
            above.depth++;
        }
        properties = token == FLAT_BEGIN_NODE;
        if (properties)
            begin(&node, walk.name, flat_offset(&walk, blob));
        else if (token == FLAT_END_NODE)
            above.depth--;
        else
            return;
    }
}

/* A tree (or the first of it that says how long it is) must not stand where it would be changed under the
 * firmware. */
static bool overlaps_firmware(const void *blob) {
    const uintptr_t at = (uintptr_t)blob, end = RAM_BASE + (1ul << FIRMWARE_LOG);

    return at < end && at + SIZE_LIMIT + TREE_GROWTH > RAM_BASE;
}

bool tree_read(const void *blob, struct tree *tree) {
    memset(tree, 0, sizeof *tree);
    if (!blob || overlaps_firmware(blob) || !flat_whole(blob, SIZE_LIMIT))
        return false;
    read_nodes(blob, tree);
    return true;
}
