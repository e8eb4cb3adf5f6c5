/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The firmware itself, booted on the golden machine with device trees broken at random (tree_change.c). Each
 * boot must end in the supervisor, or in the firmware's word that there is no device tree; its text and
 * constants are whole then, and of the memory that is not the firmware's nothing has changed but the tree.
 * What became of the tree is judged (tree_judge.c).
 *
 *     tree_boot FIRMWARE COUNT SEED TREE...
 */
#include <elf.h>
#include <libfdt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "image.h"
#include "iss_machine.h"
#include "tree_change.h"
#include "tree_judge.h"

enum {
    RAM_SIZE = 16 << 20,
    FIRMWARE = 128 << 10,
    TREE = 8 << 20, /* offset; as much is free behind it as a tree may have */
    SIZE_LIMIT = 1 << 21,
    SEEDS_MAX = 16,
    CYCLES_MAX = 30000000,
    TIME_RATIO = 10,
    NO_TREE = 0x7e,
    OUTPUT = 4096
};

/* Of the supervisor: the finisher, 0x5555 */
static const uint32_t supervisor[] = {0x001002b7, 0x00005337, 0x55530313, 0x0062a023, 0x0000006f};

static struct memory memory; /* as every boot begins */
static struct image firmware;
static uint8_t *ram;         /* of the boot */
static uint8_t *handed_over; /* its tree, as it was */
static size_t tree_size;     /* of the tree that it is handed over, as the tree says */
static uint64_t rom[SOC_ROM_WORDS];
static unsigned xlen;
static struct host_device *host;
static char output[OUTPUT + 1];
static size_t output_n;

static void transmit(void *ctx, uint8_t byte) {
    (void)ctx;
    if (output_n < OUTPUT)
        output[output_n++] = (char)(byte ? byte : '?');
}

static bool load(const char *path) {
    struct error error;
    struct file file;
    const uint64_t next = xlen == 32 ? 4 << 20 : 2 << 20;
    const uint32_t wide = xlen == 64 ? 1 << 12 : 0; /* ld instead of lw */

    memory = (struct memory){.base = SOC_RAM_BASE, .size = RAM_SIZE, .elf_bits = xlen};
    memory.bytes = calloc(1, RAM_SIZE);
    ram = malloc(RAM_SIZE);
    handed_over = malloc(SIZE_LIMIT + TREE_GROWTH);
    if (!memory.bytes || !ram || !handed_over || !file_read(&file, path, RAM_SIZE, &error) ||
        !image_load_elf(&memory, &file, &firmware, &error)) {
        fprintf(stderr, "tree_boot: %s: not a program\n", path);
        return false;
    }
    file_free(&file);
    memcpy(memory.bytes + next, supervisor, sizeof supervisor);
    /* a0 = 0, a1 = tree, a2 = 0, to the firmware */
    const uint32_t code[] = {0x00000513,        0x00000613, 0x00000297, /* auipc t0, 0 (8) */
                             0x0182a583 | wide,                         /* l[wd] a1, 24(t0) */
                             0x0202a283 | wide,                         /* l[wd] t0, 32(t0) */
                             0x00028067};
    memcpy(rom, code, sizeof code);
    rom[4] = SOC_RAM_BASE + TREE;
    rom[5] = firmware.entry;
    return true;
}

static size_t said_size(const unsigned char *blob, size_t size) {
    const size_t said = size >= 8 ? fdt_totalsize(blob) : 0;

    return said > size && said <= SIZE_LIMIT ? said : size;
}

/* Memory that the boot may not change: from `at`, `size` bytes */
static bool same(const char *what, size_t at, size_t size) {
    if (!memcmp(ram + at, memory.bytes + at, size))
        return true;
    for (size_t i = 0; i < size; i++)
        if (ram[at + i] != memory.bytes[at + i]) {
            printf("%s has changed at %zx\n", what, (size_t)SOC_RAM_BASE + at + i);
            break;
        }
    return false;
}

static bool whole(void) {
    const size_t end = TREE + tree_size + TREE_GROWTH;

    for (unsigned i = 0; i < firmware.segments_n; i++) {
        const struct image_segment *s = &firmware.segment[i];

        if (!(s->flags & PF_W) && !same("text", s->start - SOC_RAM_BASE, s->end - s->start))
            return false;
    }
    return same("memory", FIRMWARE, TREE - FIRMWARE) && same("memory behind the tree", end, RAM_SIZE - end);
}

static void judge(void) {
    const size_t size = tree_size + TREE_GROWTH;
    unsigned char *before = malloc(size), *after = malloc(size);
    static struct judged judged;

    memcpy(before, handed_over, size);
    memcpy(after, ram + TREE, size);
    if (!judge_read(before, SIZE_LIMIT, &judged))
        printf("what the firmware accepts is no tree\n"), abort();
    if (judge_fixable(before))
        judge_fixed(before, after);
    else
        judge_refused(before, after, tree_size);
    free(before);
    free(after);
}

static unsigned entered, refused;

/* One boot. False: it broke a rule. */
static bool boot(const unsigned char *blob, size_t size) {
    static struct iss iss;
    const struct iss_config config = {.xlen = xlen,
                                      .harts = 1,
                                      .time_ratio = TIME_RATIO,
                                      .smepmp = true,
                                      .ram = ram,
                                      .ram_size = RAM_SIZE,
                                      .rom = rom,
                                      .host = host,
                                      .transmit = transmit};
    struct gh_retire step[SOC_HARTS_MAX];
    bool good = true;

    memcpy(ram, memory.bytes, RAM_SIZE);
    memcpy(ram + TREE, blob, size);
    tree_size = said_size(blob, size);
    memcpy(handed_over, ram + TREE, tree_size + TREE_GROWTH);
    output_n = 0;
    if (!iss_open(&iss, &config))
        return false;
    while (iss.finisher.end == ISS_RUNS && iss.cycles < CYCLES_MAX && !iss.hart[0].waiting)
        iss_cycle(&iss, step);
    output[output_n] = 0;
    if (iss.finisher.end == ISS_PASS) {
        entered++;
        judge();
    } else if (iss.finisher.end == ISS_FAIL && iss.finisher.code == NO_TREE) {
        refused++;
    } else {
        printf("it ended otherwise (%d, code %x, %llu instructions)\n", (int)iss.finisher.end,
               iss.finisher.code, (unsigned long long)iss.retired);
        good = false;
    }
    good = whole() && good;
    if (!good)
        printf("%s\n", output);
    iss_close(&iss);
    return good;
}

int main(int argc, char **argv) {
    static unsigned char *seeds[SEEDS_MAX];
    static size_t sizes[SEEDS_MAX];
    const struct host_config host_config = {0};
    struct error error;
    unsigned count = 0, runs;

    if (argc < 5 || argc - 4 > SEEDS_MAX) {
        fprintf(stderr, "tree_boot FIRMWARE COUNT SEED TREE... (at most %d trees)\n", SEEDS_MAX);
        return 2;
    }
    xlen = strstr(argv[1], "32") ? 32 : 64;
    host = host_new(&host_config, &error);
    if (!host || !load(argv[1]))
        return 2;
    runs = (unsigned)strtoul(argv[2], NULL, 0);
    tree_random_seed(strtoull(argv[3], NULL, 0));
    for (int i = 4; i < argc; i++, count++) {
        FILE *file = fopen(argv[i], "rb");

        if (!file) {
            perror(argv[i]);
            return 2;
        }
        seeds[count] = malloc(1 << 16);
        sizes[count] = fread(seeds[count], 1, 1 << 16, file);
        fclose(file);
        if (!boot(seeds[count], sizes[count]) || entered != count + 1) {
            printf("%s, as it is, does not lead to the supervisor\n", argv[i]);
            return 1;
        }
    }
    for (unsigned run = 0; run < runs; run++) {
        const unsigned seed = tree_random_below(count);
        unsigned char *blob = malloc(sizes[seed]);
        size_t size;

        memcpy(blob, seeds[seed], sizes[seed]);
        size = tree_change(blob, sizes[seed]);
        if (!boot(blob, size)) {
            FILE *file = fopen("tree_boot.dtb", "wb");

            printf("tree %u of %s: it is in tree_boot.dtb\n", run, argv[4 + seed]);
            if (file) {
                fwrite(blob, 1, size, file);
                fclose(file);
            }
            return 1;
        }
        free(blob);
    }
    printf("%u trees: %u lead to the supervisor, %u are refused\n", runs + count, entered, refused);
    return 0;
}
