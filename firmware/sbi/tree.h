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

struct tree {
    struct tree_pmu pmu;
    struct tree_devices devices;
    int pmu_node;         /* its offset, until the tree changes */
    bool reserved_memory; /* there is a node of that name */
};

/* Read the tree at `blob`. False: it is no device tree. */
bool tree_read(const void *blob, struct tree *tree);

/* Once after tree_read(): reserve the firmware's memory, remove the PMU's tables. The blob may grow by 1
 * KiB. False: it had no room. */
bool tree_fix(void *blob, const struct tree *tree);

#endif
