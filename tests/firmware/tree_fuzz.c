/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The firmware's reading and changing of device trees, compiled for the host under sanitizers: trees of the
 * simulator and of the tests, broken at random. A tree is accepted or refused; nothing outside of it is read
 * or written, and one that is accepted has the firmware's reservation and no table of the PMU afterwards.
 *
 *     tree_fuzz COUNT SEED TREE...
 *     tree_fuzz --devices TREE     print where its devices are
 */
#include <libfdt.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "console.h"
#include "guarded.h"
#include "hart_set.h"
#include "memory_map.h"
#include "platform.h"
#include "pmu.h"
#include "tree.h"
#include "tree_change.h"

enum { SIZE_LIMIT = 1 << 21, ROOM = 1024, SEEDS_MAX = 16 };

/* --- surroundings of the firmware ----------------------------------------------------------------- */

unsigned long hart_present;
struct pmu_hardware pmu_hardware = {.present = ~2u, .counters = ~2u};

void con_printf(const char *format, ...) {
    char line[512];
    va_list args;

    va_start(args, format);
    vsnprintf(line, sizeof line, format, args);
    va_end(args);
}

/* 128 MiB of memory */
bool guarded_answers(uintptr_t addr) { return addr >= RAM_BASE && addr - RAM_BASE < 128ul << 20; }

/* No tree makes the firmware share memory. */
bool guarded_read(void *to, uintptr_t from, unsigned long size) {
    (void)to;
    (void)from;
    (void)size;
    abort();
}

bool guarded_write(uintptr_t to, const void *from, unsigned long size) {
    (void)to;
    (void)from;
    (void)size;
    abort();
}

bool guarded_probe(uintptr_t addr) {
    (void)addr;
    abort();
}

uint64_t pmu_selector_read(unsigned n) { return n; }

void pmu_selector_write(unsigned n, uint64_t value) {
    (void)n;
    (void)value;
}

/* --- one tree ------------------------------------------------------------------------------------ */

static unsigned accepted, refused, full;

static void check_changed(void *blob, const struct tree *tree) {
    static const char *const tables[] = {"riscv,event-to-mhpmevent", "riscv,event-to-mhpmcounters",
                                         "riscv,raw-event-to-mhpmcounters"};
    const int parent = fdt_path_offset(blob, "/reserved-memory");
    const int pmu = fdt_node_offset_by_compatible(blob, 0, "riscv,pmu");

    if (parent < 0 || fdt_subnode_offset(blob, parent, "firmware@80000000") < 0) {
        fprintf(stderr, "the firmware's memory is not reserved\n");
        abort();
    }
    for (unsigned i = 0; tree->pmu.present && pmu >= 0 && i < 3; i++) {
        if (fdt_getprop(blob, pmu, tables[i], NULL)) {
            fprintf(stderr, "a table of the PMU is left: %s\n", tables[i]);
            abort();
        }
    }
}

/* The bytes that the tree says it has, and not one more, can be read. */
static void run(const unsigned char *bytes, size_t size) {
    const size_t said = size >= 8 ? fdt_totalsize(bytes) : 0;
    const size_t exact =
        said >= sizeof(struct fdt_header) && said <= SIZE_LIMIT ? said : sizeof(struct fdt_header);
    unsigned char *blob = malloc(exact);
    static struct tree tree;

    memset(blob, 0, exact);
    memcpy(blob, bytes, size < exact ? size : exact);
    hart_present = 0;
    if (!tree_read(blob, &tree)) {
        refused++;
        free(blob);
        return;
    }
    accepted++;
    pmu_event_setup(&tree.pmu);
    for (unsigned long event = 0; event < 0x40000; event += event < 64 ? 1 : 0xfff1) {
        struct pmu_event raw;

        (void)pmu_event_find(event, event, &raw);
    }
    blob = realloc(blob, exact + ROOM);
    if (tree_fix(blob, &tree))
        check_changed(blob, &tree);
    else
        full++;
    free(blob);
}

int main(int argc, char **argv) {
    static struct tree tree;
    static unsigned char *seeds[SEEDS_MAX];
    static size_t sizes[SEEDS_MAX];
    unsigned count = 0, runs;

    if (argc == 3 && strcmp(argv[1], "--devices") == 0) {
        FILE *file = fopen(argv[2], "rb");

        seeds[0] = malloc(1 << 16);
        if (!file || fread(seeds[0], 1, 1 << 16, file) == 0 || !tree_read(seeds[0], &tree))
            return 1;
        printf("UART %lx, ACLINT %lx, finisher %lx\n", (unsigned long)tree.devices.uart,
               (unsigned long)tree.devices.aclint, (unsigned long)tree.devices.finisher);
        fclose(file);
        free(seeds[0]);
        return 0;
    }
    if (argc < 4 || argc - 3 > SEEDS_MAX) {
        fprintf(stderr, "tree_fuzz COUNT SEED TREE... (at most %d trees)\n", SEEDS_MAX);
        return 2;
    }
    runs = (unsigned)strtoul(argv[1], NULL, 0);
    tree_random_seed(strtoull(argv[2], NULL, 0));
    for (int i = 3; i < argc; i++) {
        FILE *file = fopen(argv[i], "rb");

        if (!file) {
            perror(argv[i]);
            return 2;
        }
        seeds[count] = malloc(1 << 16);
        sizes[count] = fread(seeds[count], 1, 1 << 16, file);
        fclose(file);
        run(seeds[count], sizes[count]);
        count++;
    }
    if (accepted != count) {
        printf("%u of %u whole trees refused\n", refused, count);
        return 1;
    }
    for (unsigned i = 0; i < runs; i++) {
        const unsigned seed = tree_random_below(count);
        unsigned char *blob = malloc(sizes[seed]);
        size_t size = sizes[seed];

        memcpy(blob, seeds[seed], size);
        size = tree_change(blob, size);
        run(blob, size);
        free(blob);
    }
    printf("%u trees: %u accepted, %u refused, %u without room for the reservation\n", runs + count, accepted,
           refused, full);
    for (unsigned i = 0; i < count; i++)
        free(seeds[i]);
    return 0;
}
