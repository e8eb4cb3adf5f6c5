// SPDX-License-Identifier: Apache-2.0
/*
 * libFuzzer target: every loader that reads a user's file. The first byte of the input says which, the rest
 * is the file. For any file, RAM around the array must stay untouched, a refused file must leave RAM
 * empty, and an accepted one must have its entry inside its own memory.
 */
#include "devicetree.h"
#include "image.h"
#include "soc.h"
#include "symbols.h"

#include <stdlib.h>
#include <string.h>

enum { RAM = 64 * 1024 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void expect(bool ok) {
    if (!ok)
        abort();
}

static bool is_zero(const uint8_t *bytes, size_t size) {
    return size == 0 || (bytes[0] == 0 && memcmp(bytes, bytes + 1, size - 1) == 0);
}

static void load(const struct file *file, bool elf) {
    struct error error = {""};
    struct image image;
    struct memory memory = {.bytes = calloc(1, RAM), .base = SOC_RAM_BASE, .size = RAM};
    uint64_t offset, size = 0;
    bool ok;
    if (!memory.bytes)
        return;
    if (elf)
        ok = image_load_elf(&memory, file, &image, &error);
    else
        ok = image_load_raw(&memory, file, SOC_RAM_BASE, image_linux_header(file, &offset, &size) ? size : 0,
                            &image, &error);
    if (ok) {
        expect(image.start >= SOC_RAM_BASE && image.end <= SOC_RAM_BASE + RAM);
        expect(image.entry >= image.start && image.entry < image.end);
    } else {
        expect(*error.text && !strchr(error.text, '\n') && memory.used_n == 0 && is_zero(memory.bytes, RAM));
    }
    free(memory.bytes);
}

static void name(const struct file *file) {
    struct symbols symbols = {0};
    char text[64];
    uint64_t address;
    symbols_add(&symbols, file);
    symbols_sort(&symbols);
    for (size_t i = 0; i < symbols.n && i < 16; i++) {
        symbols_name(&symbols, symbols.list[i].address + i, text, sizeof text);
        expect(symbols_find(&symbols, symbols.list[i].name, &address));
    }
    symbols_free(&symbols);
}

static void describe(const struct file *file) {
    const struct devicetree_chosen chosen = {"console=ttyS0", 0x80200000, 0x80300000};
    struct error error;
    if (!devicetree_check(file, &error))
        return;
    size_t size = file->size;
    void *tree = malloc(size);
    if (!tree)
        return;
    memcpy(tree, file->bytes, size);
    devicetree_set_chosen(&tree, &size, &chosen, &error);
    free(tree);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size < 2)
        return 0;
    struct file file = {"fuzz", malloc(size - 1),
                        size - 1}; /* of its own, so that reading beyond it is seen */
    if (!file.bytes)
        return 0;
    memcpy(file.bytes, data + 1, file.size);
    switch (data[0] & 3) {
    case 0:
        load(&file, true);
        break;
    case 1:
        load(&file, false);
        break;
    case 2:
        name(&file);
        break;
    case 3:
        describe(&file);
        break;
    }
    free(file.bytes);
    return 0;
}
