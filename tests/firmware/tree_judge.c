/* SPDX-License-Identifier: Apache-2.0 */
#include "tree_judge.h"

#include <libfdt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Names of its own: a wrong one in the firmware shows. */
#define RESERVED_MEMORY "reserved-memory"
#define FIRMWARE "firmware@80000000"
static const char *const tables[] = {"riscv,event-to-mhpmevent", "riscv,event-to-mhpmcounters",
                                     "riscv,raw-event-to-mhpmcounters"};

static void wrong(const char *what) {
    fprintf(stderr, "tree_judge: %s\n", what);
    abort();
}

/* --- reading --------------------------------------------------------------------------------------- */

static void read_table(const void *fdt, int node, const char *name, struct tree_table *table) {
    int size = 0;

    table->cells = fdt_getprop(fdt, node, name, &size);
    table->count = table->cells ? (unsigned)size / 4 : 0;
    table->rest = table->cells ? (unsigned)size % 4 : 0;
}

static bool has(const void *fdt, int node, const char *name) { return fdt_getprop(fdt, node, name, NULL); }

static void read_pmu(const void *fdt, int node, struct tree_pmu *pmu) {
    struct tree_table delegated;

    pmu->present = true;
    read_table(fdt, node, tables[0], &pmu->selectors);
    read_table(fdt, node, tables[1], &pmu->counters);
    read_table(fdt, node, tables[2], &pmu->raw_counters);
    pmu->no_snapshot = has(fdt, node, "tally,no-snapshot");
    read_table(fdt, node, "tally,delegated-counters", &delegated);
    pmu->delegate = delegated.cells;
    pmu->delegated = delegated.count ? fdt32_ld(delegated.cells) : 0;
    pmu->branches = has(fdt, node, "tally,event-based-branches");
}

static uint64_t number(const fdt32_t *p, int cells) {
    uint64_t value = 0;

    for (int i = 0; i < cells; i++)
        value = value << 32 | fdt32_ld(p + i);
    return value;
}

static bool enabled(const void *fdt, int node) {
    int size = 0;
    const char *status = fdt_getprop(fdt, node, "status", &size);

    if (!status || !size)
        return true;
    status = fdt_stringlist_get(fdt, node, "status", 0, NULL);
    return status && (!strcmp(status, "okay") || !strcmp(status, "ok"));
}

static bool is_type(const void *fdt, int node, const char *wanted) {
    int size = 0;
    const char *type = fdt_getprop(fdt, node, "device_type", &size);

    return type && (size_t)size == strlen(wanted) + 1 && !memcmp(type, wanted, (size_t)size);
}

static bool is_compatible(const void *fdt, int node, const char *name) {
    return fdt_stringlist_search(fdt, node, "compatible", name) >= 0;
}

static void read_memory(const void *fdt, int node, struct judged *judged) {
    const int address = fdt_address_cells(fdt, 0), size = fdt_size_cells(fdt, 0);
    int bytes = 0;
    const fdt32_t *reg = fdt_getprop(fdt, node, "reg", &bytes);

    if (!reg || address < 1 || size < 1)
        return;
    for (int i = 0; (i + address + size) * 4 <= bytes; i += address + size) {
        if (judged->ranges < JUDGE_RANGES_MAX)
            judged->memory[judged->ranges++] =
                (struct judged_range){number(reg + i, address), number(reg + i + address, size)};
    }
}

static void read_hart(const void *fdt, int cpus, int node, struct judged *judged) {
    const int cells = fdt_address_cells(fdt, cpus);
    int bytes = 0, size = 0;
    const fdt32_t *reg = fdt_getprop(fdt, node, "reg", &bytes);
    const char *list = fdt_getprop(fdt, node, "riscv,isa-extensions", &size);
    uint64_t id;

    if (!list)
        list = fdt_getprop(fdt, node, "riscv,isa", &size);
    if (!reg || cells < 1 || bytes < cells * 4 || (id = number(reg, cells)) >= HARTS_MAX)
        return;
    judged->harts |= 1ul << id;
    judged->isa[id] = list && size > 0 ? (uint8_t)isa_read(list, (unsigned)size) : 0;
}

static uintptr_t device(const void *fdt, int parent, int node, uint64_t least, uint64_t alignment) {
    const int address = fdt_address_cells(fdt, parent), size = fdt_size_cells(fdt, parent);
    int bytes = 0;
    const fdt32_t *reg = fdt_getprop(fdt, node, "reg", &bytes);

    if (!enabled(fdt, node) || !reg || address < 1 || size < 1 || bytes < 4 * (address + size))
        return 0;
    return number(reg, address) % alignment || number(reg, address) >= 1ul << DEVICES_LOG ||
                   number(reg + address, size) < least
               ? 0
               : (uintptr_t)number(reg, address);
}

static void read_device(const void *fdt, int parent, int node, struct tree_devices *devices) {
    if (!devices->uart && is_compatible(fdt, node, "ns16550a") && !has(fdt, node, "reg-shift"))
        devices->uart = device(fdt, parent, node, 8, 1);
    else if (!devices->aclint &&
             (is_compatible(fdt, node, "sifive,clint0") || is_compatible(fdt, node, "riscv,clint0")))
        devices->aclint = device(fdt, parent, node, 0xc000, 1 << ACLINT_LOG);
    else if (!devices->finisher && is_compatible(fdt, node, "sifive,test0"))
        devices->finisher = device(fdt, parent, node, 4, 4);
}

static void read_nodes(const void *fdt, struct judged *judged) {
    struct tree *tree = &judged->tree;
    int depth = 0, top = -1;
    bool cpus = false;

    for (int node = fdt_next_node(fdt, 0, &depth); node >= 0 && depth > 0;
         node = fdt_next_node(fdt, node, &depth)) {
        const char *name = fdt_get_name(fdt, node, NULL);

        if (depth == 1) {
            cpus = !strcmp(name, "cpus");
            tree->reserved_memory |= !strcmp(name, RESERVED_MEMORY);
            if (is_type(fdt, node, "memory") && enabled(fdt, node))
                read_memory(fdt, node, judged);
        } else if (depth == 2 && cpus && is_type(fdt, node, "cpu") && enabled(fdt, node)) {
            read_hart(fdt, top, node, judged);
        }
        if (depth <= 2)
            read_device(fdt, depth == 1 ? 0 : top, node, &tree->devices);
        if (depth == 1)
            top = node;
        if (!tree->pmu.present && is_compatible(fdt, node, "riscv,pmu"))
            read_pmu(fdt, node, &tree->pmu);
    }
}

/* One root node at the beginning, all else in it, every name and property inside of the blocks */
static bool whole(const void *fdt) {
    int depth = 0, next = 0, size;
    const char *name;

    if (fdt_num_mem_rsv(fdt) < 0)
        return false;
    for (int at = 0;; at = next) {
        const uint32_t tag = fdt_next_tag(fdt, at, &next);

        if (next < 0 || (at == 0) != (tag == FDT_BEGIN_NODE && depth == 0))
            return false;
        if (tag == FDT_END)
            return depth == 0;
        if (tag == FDT_BEGIN_NODE)
            depth++;
        if (tag == FDT_END_NODE && depth-- == 0)
            return false;
        /* Debian's libfdt takes a size above 2^31 for a negative one. */
        if (tag == FDT_PROP && (depth == 0 || !fdt_getprop_by_offset(fdt, at, &name, &size) || size < 0))
            return false;
    }
}

bool judge_read(const void *blob, uint32_t limit, struct judged *judged) {
    memset(judged, 0, sizeof *judged);
    if (fdt_check_header(blob) || fdt_version(blob) < 17 || fdt_last_comp_version(blob) > 17 ||
        fdt_totalsize(blob) > limit || fdt_off_mem_rsvmap(blob) % 8 || fdt_off_dt_struct(blob) % 4 ||
        !whole(blob))
        return false;
    read_nodes(blob, judged);
    return true;
}

/* --- comparing ------------------------------------------------------------------------------------- */

static bool same_table(const struct tree_table *a, const struct tree_table *b) {
    return a->cells == b->cells && a->count == b->count && a->rest == b->rest;
}

void judge_compare(const struct judged *judged, const struct judged *firmware) {
    const struct tree_pmu *a = &judged->tree.pmu, *b = &firmware->tree.pmu;

    if (a->present != b->present || !same_table(&a->selectors, &b->selectors) ||
        !same_table(&a->counters, &b->counters) || !same_table(&a->raw_counters, &b->raw_counters) ||
        a->no_snapshot != b->no_snapshot || a->delegate != b->delegate || a->delegated != b->delegated ||
        a->branches != b->branches)
        wrong("the PMU node is read differently");
    if (memcmp(&judged->tree.devices, &firmware->tree.devices, sizeof judged->tree.devices) != 0)
        wrong("the devices differ");
    if (judged->tree.reserved_memory != firmware->tree.reserved_memory)
        wrong("only one of the two finds reserved-memory");
    if (judged->harts != firmware->harts || memcmp(judged->isa, firmware->isa, sizeof judged->isa) != 0)
        wrong("the harts differ");
    if (judged->ranges != firmware->ranges ||
        memcmp(judged->memory, firmware->memory, judged->ranges * sizeof *judged->memory) != 0)
        wrong("the memory ranges differ");
}

/* The first node of a name is the one that a path names. */
static int child(const void *fdt, int parent, const char *wanted) {
    int node;

    fdt_for_each_subnode(node, fdt, parent) {
        if (!strcmp(fdt_get_name(fdt, node, NULL), wanted))
            return node;
    }
    return -1;
}

/* Of as many cells as the parent says, the firmware's memory */
static bool names_firmware(const void *fdt, int parent, int node) {
    const int address = fdt_address_cells(fdt, parent), size = fdt_size_cells(fdt, parent);
    int bytes = 0;
    const fdt32_t *reg = fdt_getprop(fdt, node, "reg", &bytes);

    return reg && address > 0 && size > 0 && bytes == 4 * (address + size) &&
           number(reg, address) == RAM_BASE && number(reg + address, size) == 1 << FIRMWARE_LOG;
}

static int first_pmu(const void *fdt) {
    int node = fdt_next_node(fdt, 0, NULL);

    while (node >= 0 && !is_compatible(fdt, node, "riscv,pmu"))
        node = fdt_next_node(fdt, node, NULL);
    return node;
}

/* The next token that is no gap */
static uint32_t step(const void *fdt, int *at, int *next) {
    uint32_t tag;

    do {
        *at = *next;
        tag = fdt_next_tag(fdt, *at, next);
    } while (tag == FDT_NOP);
    return tag;
}

static bool same_property(const void *a, int at_a, const void *b, int at_b) {
    const char *name_a, *name_b;
    int size_a, size_b;
    const void *value_a = fdt_getprop_by_offset(a, at_a, &name_a, &size_a);
    const void *value_b = fdt_getprop_by_offset(b, at_b, &name_b, &size_b);

    return !strcmp(name_a, name_b) && size_a == size_b && !memcmp(value_a, value_b, (size_t)size_a);
}

static bool same_tokens(const void *a, const void *b) {
    int at_a, next_a = 0, at_b, next_b = 0;

    for (;;) {
        const uint32_t tag = step(a, &at_a, &next_a);

        if (tag != step(b, &at_b, &next_b))
            return false;
        if (tag == FDT_END)
            return true;
        if (tag == FDT_PROP && !same_property(a, at_a, b, at_b))
            return false;
        if (tag == FDT_BEGIN_NODE && strcmp(fdt_get_name(a, at_a, NULL), fdt_get_name(b, at_b, NULL)) != 0)
            return false;
    }
}

static void strip_tables(void *fdt) {
    const int pmu = first_pmu(fdt);

    for (unsigned i = 0; pmu >= 0 && i < sizeof tables / sizeof *tables; i++) {
        while (!fdt_nop_property(fdt, pmu, tables[i]))
            ;
    }
}

static bool same_reservations(const void *a, const void *b) {
    const int count = fdt_num_mem_rsv(a);

    for (int i = 0; i < count; i++) {
        uint64_t base_a, size_a, base_b, size_b;

        if (fdt_get_mem_rsv(a, i, &base_a, &size_a) || fdt_get_mem_rsv(b, i, &base_b, &size_b) ||
            base_a != base_b || size_a != size_b)
            return false;
    }
    return fdt_num_mem_rsv(b) == count && fdt_boot_cpuid_phys(a) == fdt_boot_cpuid_phys(b);
}

/* A new node of reserved memory is as Linux wants it: with `ranges`, and the root's cells. */
static bool like_the_root(const void *fdt, int node) {
    return has(fdt, node, "ranges") && has(fdt, node, "#address-cells") && has(fdt, node, "#size-cells") &&
           fdt_address_cells(fdt, node) == fdt_address_cells(fdt, 0) &&
           fdt_size_cells(fdt, node) == fdt_size_cells(fdt, 0);
}

void judge_fixed(void *before, void *after) {
    const int parent = child(after, 0, RESERVED_MEMORY), before_parent = child(before, 0, RESERVED_MEMORY);
    const int node = parent < 0 ? -1 : child(after, parent, FIRMWARE), pmu = first_pmu(after);

    if (fdt_check_header(after) || !whole(after))
        wrong("the changed tree is not valid");
    if (before_parent >= 0 && child(before, before_parent, FIRMWARE) >= 0)
        wrong("the firmware's memory was reserved already");
    if (node < 0 || !names_firmware(after, parent, node) || !has(after, node, "no-map"))
        wrong("the firmware's memory is not reserved");
    if (before_parent < 0 && !like_the_root(after, parent))
        wrong("the new node of reserved memory is not for Linux");
    for (unsigned i = 0; pmu >= 0 && i < sizeof tables / sizeof *tables; i++) {
        if (has(after, pmu, tables[i]))
            wrong("a table of the PMU is left");
    }
    strip_tables(before);
    if (fdt_nop_node(after, before_parent < 0 ? parent : node) || !same_tokens(before, after) ||
        !same_reservations(before, after))
        wrong("something else of the tree is changed");
}

/* Is the blob in the order of the specification? */
static bool ordered(const void *fdt) {
    return fdt_off_mem_rsvmap(fdt) + 16ul * ((unsigned)fdt_num_mem_rsv(fdt) + 1) <= fdt_off_dt_struct(fdt) &&
           (uint64_t)fdt_off_dt_struct(fdt) + fdt_size_dt_struct(fdt) <= fdt_off_dt_strings(fdt);
}

bool judge_fixable(const void *blob) {
    const int parent = child(blob, 0, RESERVED_MEMORY), at = parent < 0 ? 0 : parent;

    return ordered(blob) && fdt_address_cells(blob, at) > 0 && fdt_size_cells(blob, at) > 0 &&
           !(parent >= 0 && child(blob, parent, FIRMWARE) >= 0);
}

void judge_refused(void *before, const void *after, size_t size) {
    if (judge_fixable(before))
        wrong("nothing is reserved, though it could be");
    strip_tables(before);
    if (memcmp(before, after, size) != 0)
        wrong("a tree that cannot be changed is changed");
}
