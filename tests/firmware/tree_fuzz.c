/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The firmware's reading and changing of device trees, compiled for the host under sanitizers: trees of the
 * simulator and of the tests, broken at random. A tree is accepted or refused, as libfdt sees it; nothing
 * outside of it is read or written. One that is accepted says the same to both, and has the firmware's
 * reservation and no table of the PMU afterwards, and else what it had.
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
#include "tree_judge.h"

enum { SIZE_LIMIT = 1 << 21, SEEDS_MAX = 32 };

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
static struct judged firmware; /* what it has read */

/* By the linker, instead of memory_map_add() */
void __real_memory_map_add(uint64_t base, uint64_t size);
void __wrap_memory_map_add(uint64_t base, uint64_t size);
void __wrap_memory_map_add(uint64_t base, uint64_t size) {
    if (firmware.ranges < JUDGE_RANGES_MAX)
        firmware.memory[firmware.ranges++] = (struct judged_range){base, size};
    __real_memory_map_add(base, size);
}

static bool read_tree(const void *blob) {
    bool good;

    memset(&firmware, 0, sizeof firmware);
    memset(isa_of_hart, 0, sizeof isa_of_hart);
    hart_present = 0;
    good = tree_read(blob, &firmware.tree);
    firmware.harts = hart_present;
    memcpy(firmware.isa, isa_of_hart, sizeof firmware.isa);
    return good;
}

/* The bytes that the tree says it has, and not one more, can be read. */
static void run(const unsigned char *bytes, size_t size) {
    const size_t said = size >= 8 ? fdt_totalsize(bytes) : 0;
    const size_t exact =
        said >= sizeof(struct fdt_header) && said <= SIZE_LIMIT ? said : sizeof(struct fdt_header);
    unsigned char *blob = malloc(exact);
    static struct judged judged;
    const struct tree *tree = &firmware.tree;
    unsigned char *before;
    bool good;

    memset(blob, 0, exact);
    memcpy(blob, bytes, size < exact ? size : exact);
    good = read_tree(blob);
    if (good != judge_read(blob, SIZE_LIMIT, &judged)) {
        fprintf(stderr, "only %s accepts the tree\n", good ? "the firmware" : "libfdt");
        abort();
    }
    if (!good) {
        refused++;
        free(blob);
        return;
    }
    accepted++;
    judge_compare(&judged, &firmware);
    pmu_event_setup(&tree->pmu);
    for (unsigned long event = 0; event < 0x40000; event += event < 64 ? 1 : 0xfff1) {
        struct pmu_event raw;

        (void)pmu_event_find(event, event, &raw);
    }
    before = malloc(exact);
    memcpy(before, blob, exact);
    blob = realloc(blob, exact + TREE_GROWTH);
    if (tree_fix(blob, tree))
        judge_fixed(before, blob);
    else {
        judge_refused(before, blob, exact);
        full++;
    }
    free(before);
    free(blob);
}

int main(int argc, char **argv) {
    static unsigned char *seeds[SEEDS_MAX];
    static size_t sizes[SEEDS_MAX];
    unsigned count = 0, runs;

    if (argc == 3 && strcmp(argv[1], "--devices") == 0) {
        FILE *file = fopen(argv[2], "rb");

        seeds[0] = malloc(1 << 16);
        if (!file || fread(seeds[0], 1, 1 << 16, file) == 0 || !read_tree(seeds[0]))
            return 1;
        printf("UART %lx, ACLINT %lx, finisher %lx\n", (unsigned long)firmware.tree.devices.uart,
               (unsigned long)firmware.tree.devices.aclint, (unsigned long)firmware.tree.devices.finisher);
        fclose(file);
        free(seeds[0]);
        return 0;
    }
    if (argc < 4 || argc - 3 > SEEDS_MAX / 2) {
        fprintf(stderr, "tree_fuzz COUNT SEED TREE... (at most %d trees)\n", SEEDS_MAX / 2);
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
        /* ... and as a second firmware would find it */
        seeds[count] = malloc(1 << 16);
        memcpy(seeds[count], seeds[count - 1], sizes[count - 1]);
        if (!read_tree(seeds[count]) || !tree_fix(seeds[count], &firmware.tree))
            return 1;
        sizes[count] = fdt_totalsize(seeds[count]);
        run(seeds[count], sizes[count]);
        count++;
    }
    if (accepted != count) {
        printf("%u of %u whole trees refused\n", refused, count);
        return 1;
    }
    for (unsigned i = 0; i < runs; i++) {
        const unsigned seed = tree_random_below(count);
        unsigned char *blob = malloc(sizes[seed] + TREE_MORE);
        size_t size = sizes[seed];
        const unsigned how = tree_random_below(3);

        memcpy(blob, seeds[seed], size);
        if (how)
            size = tree_rearrange(blob, size);
        if (how != 1)
            size = tree_change(blob, size);
        run(blob, size);
        free(blob);
    }
    printf("%u trees: %u accepted, %u refused, %u that could not be changed\n", runs + count, accepted,
           refused, full);
    for (unsigned i = 0; i < count; i++)
        free(seeds[i]);
    return 0;
}
