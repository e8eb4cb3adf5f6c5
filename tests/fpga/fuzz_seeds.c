// SPDX-License-Identifier: Apache-2.0
/* Small random placements for the fuzzer to begin with: fuzz_seeds FOLDER. */
#include "design.h"

#include <stdlib.h>

enum { SEEDS = 12 };

/* A byte before the text says that it is text. */
static void mark(const char *from, const char *to) {
    FILE *in = fopen(from, "r"), *out = fopen(to, "w");
    CHECK(in && out, "%s: cannot be written", to);
    fputc('t', out);
    for (int c; (c = getc(in)) != EOF;)
        putc(c, out);
    fclose(in);
    CHECK(fclose(out) == 0, "%s: cannot be written", to);
}

int main(int argc, char **argv) {
    CHECK(argc == 2, "usage: fuzz_seeds FOLDER");
    for (int i = 0; i < SEEDS; i++) {
        const struct size size = {.width = 3 + i % 3, .height = 3, .objects = 2 + i, .sites = i % 3};
        struct design *d = design_random(&size, (uint64_t)i);
        struct placement p;
        char text[512], seed[512];
        snprintf(text, sizeof text, "%s/placement.txt", argv[1]);
        snprintf(seed, sizeof seed, "%s/placement%d", argv[1], i);
        design_load(d, text, &p);
        placement_free(&p);
        design_free(d);
        mark(text, seed);
        remove(text);
    }
    return 0;
}
