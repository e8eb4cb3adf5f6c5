/* SPDX-License-Identifier: Apache-2.0 */
#include "tree.h"

#include <libfdt.h>

#include "hart.h"
#include "memory_map.h"
#include "platform.h"

static void read_table(const void *fdt, int node, const char *name, struct tree_table *table) {
    int size;

    table->cells = fdt_getprop(fdt, node, name, &size);
    table->count = table->cells ? (unsigned)size / 4 : 0;
    table->rest = table->cells ? (unsigned)size % 4 : 0;
}

static bool has(const void *fdt, int node, const char *name) { return fdt_getprop(fdt, node, name, 0) != 0; }

static void read_pmu(const void *fdt, struct tree_pmu *pmu) {
    int node = fdt_node_offset_by_compatible(fdt, -1, "riscv,pmu");
    struct tree_table delegated;

    pmu->present = node >= 0;
    if (!pmu->present)
        return;
    read_table(fdt, node, "riscv,event-to-mhpmevent", &pmu->selectors);
    read_table(fdt, node, "riscv,event-to-mhpmcounters", &pmu->counters);
    read_table(fdt, node, "riscv,raw-event-to-mhpmcounters", &pmu->raw_counters);
    pmu->no_snapshot = has(fdt, node, "tally,no-snapshot");
    read_table(fdt, node, "tally,delegated-counters", &delegated);
    pmu->delegate = delegated.cells != 0;
    pmu->delegated = delegated.count ? tree_cell(&delegated, 0) : 0;
}

/* Value of `cells` cells at `p`; what does not fit into 64 bits is lost. */
static uint64_t number(const fdt32_t *p, int cells) {
    uint64_t value = 0;

    for (int i = 0; i < cells; i++)
        value = value << 32 | fdt32_to_cpu(p[i]);
    return value;
}

static void read_memory(const void *fdt) {
    int address_cells = fdt_address_cells(fdt, 0), size_cells = fdt_size_cells(fdt, 0);
    int node = -1;

    while ((node = fdt_node_offset_by_prop_value(fdt, node, "device_type", "memory", 7)) >= 0) {
        int size;
        const fdt32_t *reg = fdt_getprop(fdt, node, "reg", &size);
        int row = address_cells + size_cells;

        for (int i = 0; reg && address_cells > 0 && size_cells > 0 && (i + row) * 4 <= size; i += row)
            (void)memory_map_add(number(reg + i, address_cells), number(reg + i + address_cells, size_cells));
    }
}

static void read_harts(const void *fdt) {
    int cpus = fdt_path_offset(fdt, "/cpus");
    int cells = cpus < 0 ? -1 : fdt_address_cells(fdt, cpus);
    int node;

    if (cells < 1)
        return;
    fdt_for_each_subnode(node, fdt, cpus) {
        int type_size, size;
        const char *type = fdt_getprop(fdt, node, "device_type", &type_size);
        const fdt32_t *reg = fdt_getprop(fdt, node, "reg", &size);
        uint64_t id;

        if (!type || type_size != 4 || memcmp(type, "cpu", 4) != 0 || !reg || size < cells * 4)
            continue;
        id = number(reg, cells);
        if (id < HARTS_MAX)
            hart_present |= 1ul << id;
    }
}

bool tree_read(const void *blob, struct tree *tree) {
    memset(tree, 0, sizeof *tree);
    if (!blob || fdt_check_header(blob) != 0)
        return false;
    read_memory(blob);
    read_harts(blob);
    read_pmu(blob, &tree->pmu);
    return true;
}

/* --- what the supervisor shall see ----------------------------------------------------------------- */

static int add_range(void *fdt, int node, uint64_t base, uint64_t size) {
    int address_cells = fdt_address_cells(fdt, 0), size_cells = fdt_size_cells(fdt, 0);
    int error;

    error = address_cells == 2 ? fdt_appendprop_u64(fdt, node, "reg", base)
                               : fdt_appendprop_u32(fdt, node, "reg", (uint32_t)base);
    if (error)
        return error;
    return size_cells == 2 ? fdt_appendprop_u64(fdt, node, "reg", size)
                           : fdt_appendprop_u32(fdt, node, "reg", (uint32_t)size);
}

static int reserve_firmware(void *fdt) {
    int parent = fdt_path_offset(fdt, "/reserved-memory");
    int node, error = 0;

    if (parent < 0) {
        parent = fdt_add_subnode(fdt, 0, "reserved-memory");
        if (parent < 0)
            return parent;
        if (!error)
            error = fdt_setprop_u32(fdt, parent, "#address-cells", (uint32_t)fdt_address_cells(fdt, 0));
        if (!error)
            error = fdt_setprop_u32(fdt, parent, "#size-cells", (uint32_t)fdt_size_cells(fdt, 0));
        if (!error)
            error = fdt_setprop_empty(fdt, parent, "ranges");
    }
    if (error)
        return error;
    node = fdt_add_subnode(fdt, parent, "firmware@80000000");
    if (node < 0)
        return node;
    error = add_range(fdt, node, RAM_BASE, 1ul << FIRMWARE_LOG);
    return error ? error : fdt_setprop_empty(fdt, node, "no-map");
}

/* The tables are the firmware's; a supervisor asks the SBI. */
static int strip_pmu(void *fdt) {
    static const char *const names[] = {"riscv,event-to-mhpmevent", "riscv,event-to-mhpmcounters",
                                        "riscv,raw-event-to-mhpmcounters"};
    int node = fdt_node_offset_by_compatible(fdt, -1, "riscv,pmu");
    int error = 0;

    for (unsigned i = 0; node >= 0 && i < sizeof names / sizeof *names; i++) {
        error = fdt_delprop(fdt, node, names[i]);
        if (error && error != -FDT_ERR_NOTFOUND)
            return error;
    }
    return 0;
}

bool tree_fix(void *blob) {
    enum { ROOM = 1024 };

    return fdt_open_into(blob, blob, (int)fdt_totalsize(blob) + ROOM) == 0 && strip_pmu(blob) == 0 &&
           reserve_firmware(blob) == 0 && fdt_pack(blob) == 0;
}
