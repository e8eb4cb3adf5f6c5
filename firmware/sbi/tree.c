/* SPDX-License-Identifier: Apache-2.0 */
#include "tree.h"

#include <libfdt.h>

#include "hart_set.h"
#include "isa.h"
#include "memory_map.h"
#include "platform.h"

#define RESERVED_MEMORY "reserved-memory"

enum { VERSION = 17, SIZE_LIMIT = 1 << 21 };

static const char selectors_property[] = "riscv,event-to-mhpmevent";
static const char counters_property[] = "riscv,event-to-mhpmcounters";
static const char raw_counters_property[] = "riscv,raw-event-to-mhpmcounters";

static void read_table(const void *fdt, int node, const char *name, struct tree_table *table) {
    int size;

    table->cells = fdt_getprop(fdt, node, name, &size);
    table->count = table->cells ? (unsigned)size / 4 : 0;
    table->rest = table->cells ? (unsigned)size % 4 : 0;
}

static bool has(const void *fdt, int node, const char *name) { return fdt_getprop(fdt, node, name, 0) != 0; }

static void read_pmu(const void *fdt, int node, struct tree_pmu *pmu) {
    struct tree_table delegated;

    pmu->present = true;
    read_table(fdt, node, selectors_property, &pmu->selectors);
    read_table(fdt, node, counters_property, &pmu->counters);
    read_table(fdt, node, raw_counters_property, &pmu->raw_counters);
    pmu->no_snapshot = has(fdt, node, "tally,no-snapshot");
    read_table(fdt, node, "tally,delegated-counters", &delegated);
    pmu->delegate = delegated.cells != 0;
    pmu->delegated = delegated.count ? tree_cell(&delegated, 0) : 0;
    pmu->branches = has(fdt, node, "tally,event-based-branches");
}

/* Value of `cells` cells at `p`; bits above 63 are lost. */
static uint64_t number(const fdt32_t *p, int cells) {
    uint64_t value = 0;

    for (int i = 0; i < cells; i++)
        value = value << 32 | fdt32_to_cpu(p[i]);
    return value;
}

/* A node is there unless its status says otherwise (Devicetree specification 2.3.4). */
static bool enabled(const void *fdt, int node) {
    int size;
    const char *status = fdt_getprop(fdt, node, "status", &size);

    return !status || size <= 0 || strcmp(status, "okay") == 0 || strcmp(status, "ok") == 0;
}

static void read_memory(const void *fdt, int node) {
    int address_cells = fdt_address_cells(fdt, 0), size_cells = fdt_size_cells(fdt, 0);
    int row = address_cells + size_cells;
    int size;
    const fdt32_t *reg = fdt_getprop(fdt, node, "reg", &size);

    for (int i = 0; reg && address_cells > 0 && size_cells > 0 && (i + row) * 4 <= size; i += row)
        memory_map_add(number(reg + i, address_cells), number(reg + i + address_cells, size_cells));
}

/* The list as it is made today, or the string of old */
static unsigned read_isa(const void *fdt, int node) {
    int size;
    const char *list = fdt_getprop(fdt, node, "riscv,isa-extensions", &size);

    if (!list)
        list = fdt_getprop(fdt, node, "riscv,isa", &size);
    return list && size > 0 ? isa_read(list, (unsigned)size) : 0;
}

static void read_hart(const void *fdt, int cpus, int node) {
    int cells = fdt_address_cells(fdt, cpus);
    int size;
    const fdt32_t *reg = fdt_getprop(fdt, node, "reg", &size);
    uint64_t id;

    if (!reg || cells < 1 || size < cells * 4)
        return;
    id = number(reg, cells);
    if (id >= HARTS_MAX)
        return;
    hart_present |= 1ul << id;
    isa_of_hart[id] = (uint8_t)read_isa(fdt, node);
}

/* The address of a device of at least `size` bytes, aligned as needed, in the part of the address space that
 * PMP leaves to M-mode for devices; 0: it is not there, or not to be used. */
static uintptr_t device(const void *fdt, int parent, int node, uint64_t size, uint64_t alignment) {
    const int address_cells = fdt_address_cells(fdt, parent), size_cells = fdt_size_cells(fdt, parent);
    int bytes;
    const fdt32_t *reg = fdt_getprop(fdt, node, "reg", &bytes);
    uint64_t base;

    if (!enabled(fdt, node) || !reg || address_cells < 1 || size_cells < 1 ||
        bytes < 4 * (address_cells + size_cells))
        return 0;
    base = number(reg, address_cells);
    if (base % alignment || base >> DEVICES_LOG || number(reg + address_cells, size_cells) < size)
        return 0;
    return (uintptr_t)base;
}

static bool has_all(const struct tree_devices *devices) {
    return devices->uart && devices->aclint && devices->finisher;
}

/* A node with this list of compatible names, below the root or a bus without translation */
static void read_device(const void *fdt, int parent, int node, const char *names, int size,
                        struct tree_devices *devices) {
    const uint64_t aclint_size = 1ull << ACLINT_LOG;

    if (!devices->uart && fdt_stringlist_contains(names, size, "ns16550a") && !has(fdt, node, "reg-shift"))
        devices->uart = device(fdt, parent, node, 8, 1);
    else if (!devices->aclint && (fdt_stringlist_contains(names, size, "sifive,clint0") ||
                                  fdt_stringlist_contains(names, size, "riscv,clint0")))
        devices->aclint = device(fdt, parent, node, 0xc000, aclint_size);
    else if (!devices->finisher && fdt_stringlist_contains(names, size, "sifive,test0"))
        devices->finisher = device(fdt, parent, node, 4, 4);
}

static bool is_type(const void *fdt, int node, const char *wanted) {
    int size;
    const char *type = fdt_getprop(fdt, node, "device_type", &size);

    return type && (size_t)size == strlen(wanted) + 1 && memcmp(type, wanted, (size_t)size) == 0;
}

/* All in one walk: it is most of what a boot costs. */
static void read_nodes(const void *fdt, struct tree *tree) {
    int depth = 0, cpus = -1, bus = -1;

    for (int node = fdt_next_node(fdt, 0, &depth); node >= 0 && depth > 0;
         node = fdt_next_node(fdt, node, &depth)) {
        const char *name = fdt_get_name(fdt, node, 0);
        const char *names;
        int size;

        if (depth == 1) {
            cpus = name && strcmp(name, "cpus") == 0 ? node : -1;
            bus = node;
            if (name && strcmp(name, RESERVED_MEMORY) == 0)
                tree->reserved_memory = true;
            if (is_type(fdt, node, "memory") && enabled(fdt, node))
                read_memory(fdt, node);
        } else if (depth == 2 && cpus >= 0 && is_type(fdt, node, "cpu") && enabled(fdt, node)) {
            read_hart(fdt, cpus, node);
        }
        /* Looking for a property is what costs. */
        if (tree->pmu.present && (depth > 2 || has_all(&tree->devices)))
            continue;
        names = fdt_getprop(fdt, node, "compatible", &size);
        if (!names || size <= 0)
            continue;
        if (depth <= 2)
            read_device(fdt, depth == 1 ? 0 : bus, node, names, size, &tree->devices);
        if (!tree->pmu.present && fdt_stringlist_contains(names, size, "riscv,pmu")) {
            tree->pmu_node = node;
            read_pmu(fdt, node, &tree->pmu);
        }
    }
}

/* Does the map of reservations have an end, and does every node and property lie inside of the structure? */
static bool whole(const void *fdt) {
    int depth = 0, next = 0;

    if (fdt_num_mem_rsv(fdt) < 0)
        return false;
    for (;;) {
        const int at = next;

        switch (fdt_next_tag(fdt, at, &next)) {
        case FDT_BEGIN_NODE:
            depth++;
            break;
        case FDT_END_NODE:
            if (--depth < 0)
                return false;
            break;
        case FDT_PROP:
            if (!fdt_getprop_by_offset(fdt, at, 0, 0))
                return false;
            break;
        case FDT_NOP:
            break;
        default: /* FDT_END, or what is no tag */
            return next >= 0 && depth == 0;
        }
        if (next < 0)
            return false;
    }
}

/* A tree (or the first of it that says how long it is) must not stand where it would be changed under the
 * firmware. */
static bool overlaps_firmware(const void *blob) {
    const uintptr_t at = (uintptr_t)blob, end = RAM_BASE + (1ul << FIRMWARE_LOG);

    return at < end && at + SIZE_LIMIT > RAM_BASE;
}

/* The map of reservations has numbers of 64 bits, the structure cells (Devicetree specification 5.2): libfdt
 * reads them as such. */
static bool aligned(const void *blob) {
    return (uintptr_t)blob % 8 == 0 && fdt_off_mem_rsvmap(blob) % 8 == 0 && fdt_off_dt_struct(blob) % 4 == 0;
}

bool tree_read(const void *blob, struct tree *tree) {
    memset(tree, 0, sizeof *tree);
    /* libfdt is built for this version, see CMakeLists.txt. A tree is looked through once as a whole, so that
     * nothing in it can lead beyond its end. */
    if (!blob || overlaps_firmware(blob) || fdt_check_header(blob) != 0 || !aligned(blob) ||
        fdt_version(blob) < VERSION || fdt_last_comp_version(blob) > VERSION ||
        fdt_totalsize(blob) > SIZE_LIMIT || !whole(blob))
        return false;
    read_nodes(blob, tree);
    return true;
}

/* --- what the supervisor shall see ----------------------------------------------------------------- */

/* Append a range to `reg` of `node`, with the cells that its parent asks for. */
static int add_range(void *fdt, int parent, int node, uint64_t base, uint64_t size) {
    int address_cells = fdt_address_cells(fdt, parent), size_cells = fdt_size_cells(fdt, parent);
    int error;

    error = address_cells == 2 ? fdt_appendprop_u64(fdt, node, "reg", base)
                               : fdt_appendprop_u32(fdt, node, "reg", (uint32_t)base);
    if (error)
        return error;
    return size_cells == 2 ? fdt_appendprop_u64(fdt, node, "reg", size)
                           : fdt_appendprop_u32(fdt, node, "reg", (uint32_t)size);
}

/* The node with the reserved ranges */
static int reserved_memory(void *fdt, const struct tree *tree) {
    int node, error;

    if (tree->reserved_memory)
        return fdt_path_offset(fdt, "/" RESERVED_MEMORY);
    node = fdt_add_subnode(fdt, 0, RESERVED_MEMORY);
    if (node < 0)
        return node;
    error = fdt_setprop_u32(fdt, node, "#address-cells", (uint32_t)fdt_address_cells(fdt, 0));
    if (!error)
        error = fdt_setprop_u32(fdt, node, "#size-cells", (uint32_t)fdt_size_cells(fdt, 0));
    if (!error)
        error = fdt_setprop_empty(fdt, node, "ranges");
    return error ? error : node;
}

static int reserve_firmware(void *fdt, const struct tree *tree) {
    int parent = reserved_memory(fdt, tree);
    int node, error;

    if (parent < 0)
        return parent;
    node = fdt_add_subnode(fdt, parent, "firmware@80000000");
    if (node < 0)
        return node;
    error = add_range(fdt, parent, node, RAM_BASE, 1ul << FIRMWARE_LOG);
    return error ? error : fdt_setprop_empty(fdt, node, "no-map");
}

/* The tables are the firmware's; a supervisor asks the SBI. They become gaps: nothing moves. */
static int strip_pmu(void *fdt, const struct tree *tree) {
    static const char *const names[] = {selectors_property, counters_property, raw_counters_property};

    for (unsigned i = 0; tree->pmu.present && i < sizeof names / sizeof *names; i++) {
        int error;

        do /* a broken tree may have one twice */
            error = fdt_nop_property(fdt, tree->pmu_node, names[i]);
        while (!error);
        if (error != -FDT_ERR_NOTFOUND)
            return error;
    }
    return 0;
}

/* The blocks in their order (Devicetree specification 5.1): libfdt would move others through memory that is
 * not the tree's. */
static bool ordered(const void *fdt) {
    const uint64_t reservations = 16 * ((uint64_t)fdt_num_mem_rsv(fdt) + 1);
    const uint64_t structure = fdt_off_dt_struct(fdt), strings = fdt_off_dt_strings(fdt);

    return fdt_off_mem_rsvmap(fdt) >= sizeof(struct fdt_header) &&
           structure >= fdt_off_mem_rsvmap(fdt) + reservations &&
           strings >= structure + fdt_size_dt_struct(fdt) &&
           fdt_totalsize(fdt) >= strings + fdt_size_dt_strings(fdt);
}

bool tree_fix(void *blob, const struct tree *tree) {
    enum { ROOM = 1024 };

    return ordered(blob) && strip_pmu(blob, tree) == 0 &&
           fdt_open_into(blob, blob, (int)fdt_totalsize(blob) + ROOM) == 0 &&
           reserve_firmware(blob, tree) == 0 && fdt_pack(blob) == 0;
}
