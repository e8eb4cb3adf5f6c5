/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Files that change all the time, for sampled simulation (docs/farm.md): `rounds N`, above sw/program. A
 * round writes a file, gives it the name of the one before, reads it, and adds a line to another. A round
 * that finds another round's file has failed.
 */
#include <stdio.h>
#include <stdlib.h>

static int failed(const char *what, unsigned round) {
    fprintf(stderr, "round %u: %s\n", round, what);
    return 1;
}

static int write_numbers(unsigned round) {
    FILE *f = fopen("new", "w");
    if (!f)
        return failed("new cannot be written", round);
    for (unsigned i = 0; i < 100; i++)
        fprintf(f, "%u %u\n", round, i);
    return fclose(f) ? failed("new is not written", round) : 0;
}

static int read_numbers(unsigned round) {
    unsigned first, second, lines = 0;
    FILE *f = fopen("numbers", "r");
    if (!f)
        return failed("numbers cannot be read", round);
    while (fscanf(f, "%u %u", &first, &second) == 2 && first == round && second == lines)
        lines++;
    fclose(f);
    return lines == 100 ? 0 : failed("numbers is another round's", round);
}

int main(int argc, char **argv) {
    const unsigned rounds = argc == 2 ? (unsigned)strtoul(argv[1], NULL, 10) : 0;
    FILE *log = fopen("log", "w");
    if (!log)
        return failed("log cannot be written", 0);
    for (unsigned round = 1; round <= rounds; round++) {
        if (write_numbers(round) || rename("new", "numbers") || read_numbers(round))
            return 1;
        fprintf(log, "round %u\n", round);
        fflush(log);
    }
    return fclose(log) ? failed("log is not written", rounds) : 0;
}
