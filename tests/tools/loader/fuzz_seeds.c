// SPDX-License-Identifier: Apache-2.0
/* Writes the fuzzer's first corpus into a folder: good files for each of its loaders. */
#include "devicetree.h"
#include "elf_maker.h"
#include "soc.h"

#include <stdlib.h>

static void seed(const char *folder, const char *name, char kind, const void *bytes, size_t size) {
    char path[512];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *f = fopen(path, "wb");
    if (!f || fputc(kind, f) == EOF || fwrite(bytes, 1, size, f) != size || fclose(f) != 0) {
        perror(path);
        exit(1);
    }
}

int main(int argc, char **argv) {
    struct maker m;
    if (argc != 2)
        return 2;
    for (unsigned n = 1; n <= MAKER_SEGMENTS; n++) {
        char name[16];
        maker_good(&m, n);
        snprintf(name, sizeof name, "elf%u", n);
        seed(argv[1], name, 0, m.bytes, m.size);
        snprintf(name, sizeof name, "symbols%u", n);
        seed(argv[1], name, 2, m.bytes, m.size);
    }
    uint8_t image[64] = {0};
    image[18] = 1;
    memcpy(image + 56, linux_magic, sizeof linux_magic);
    seed(argv[1], "image", 1, image, sizeof image);
    for (unsigned harts = 1; harts <= 2; harts++) {
        const struct devicetree_machine machine = {.harts = harts,
                                                   .ram_size = 64 << 20,
                                                   .time_ratio = 10,
                                                   .xlen = 64,
                                                   .core_clock = SOC_CORE_CLOCK,
                                                   .smepmp = true};
        size_t size;
        void *tree = devicetree_build(&machine, &size);
        if (!tree)
            return 1;
        seed(argv[1], harts == 1 ? "tree1" : "tree2", 3, tree, size);
        free(tree);
    }
    return 0;
}
