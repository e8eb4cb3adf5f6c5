/* SPDX-License-Identifier: Apache-2.0 */
/* The firmware's reads and edits of the device tree. */
#ifndef FW_TREE_H
#define FW_TREE_H

#include <stdbool.h>
#include <stdint.h>

/* A property as stored: cells, big-endian. */
struct tree_table {
    const uint32_t *cells; /* NULL: no such property */
    unsigned count;        /* of cells */
    unsigned rest;         /* bytes behind the last whole cell */
};

static inline uint32_t tree_cell(const struct tree_table *table, unsigned i) {
    return __builtin_bswap32(table->cells[i]);
}

/* The node riscv,pmu (its bindings: the OpenSBI document on the PMU; the properties with "tally," are ours).
 */
struct tree_pmu {
    bool present;
    struct tree_table selectors;    /* riscv,event-to-mhpmevent: rows of 3 */
    struct tree_table counters;     /* riscv,event-to-mhpmcounters: rows of 3 */
    struct tree_table raw_counters; /* riscv,raw-event-to-mhpmcounters: rows of 5 */
    bool no_snapshot;               /* tally,no-snapshot: FID 7 is not supported */
    bool delegate;                  /* tally,delegated-counters is there: open counter delegation, ... */
    uint32_t delegated;             /* ... and leave these counters to the supervisor */
    bool branches;                  /* tally,event-based-branches: the supervisor may route its counters */
};

/* Addresses of devices; 0: the tree has none that the firmware can use. */
struct tree_devices {
    uintptr_t uart, aclint, finisher;
};

/* #address-cells and #size-cells of a node, for `reg` of its children (Devicetree specification 2.3.5); a
 * number that cannot be used is 0. */
struct tree_cells {
    unsigned address, size;
};

struct tree {
    struct tree_pmu pmu;
    struct tree_devices devices;
    /* For tree_fix(): offsets in the structure block, until the tree changes */
    uint32_t pmu_node;
    uint32_t behind_properties; /* of the node reserved-memory, or without one of the root node */
    struct tree_cells cells;    /* of the same node */
    bool reserved_memory;       /* there is a node of that name, ... */
    bool firmware_reserved;     /* ... and in it the firmware's already */
};

enum { TREE_GROWTH = 256 };

/* Read the tree at `blob`. False: it is no device tree. */
bool tree_read(const void *blob, struct tree *tree);

/* Once after tree_read(): remove the PMU's tables, and reserve the firmware's memory; the blob may grow by
 * TREE_GROWTH bytes. False: nothing is reserved. The blob's blocks are not in the order of the specification
 * (chapter 5), the cells of reserved-memory cannot be used, or it has the firmware's node already. */
bool tree_fix(void *blob, const struct tree *tree);

/* Shared by tree.c and tree_fix.c */
#define TREE_RESERVED_MEMORY "reserved-memory"
#define TREE_FIRMWARE_NODE "firmware@80000000"
#define TREE_SELECTORS "riscv,event-to-mhpmevent"
#define TREE_COUNTERS "riscv,event-to-mhpmcounters"
#define TREE_RAW_COUNTERS "riscv,raw-event-to-mhpmcounters"

#endif
