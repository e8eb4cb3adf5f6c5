// SPDX-License-Identifier: Apache-2.0
/* tally-image: the machine's memories before the first instruction, for the block RAM of a board. */
#include "machine.h"

#include <inttypes.h>
#include <string.h>

static bool write_words(const char *path, const void *bytes, uint64_t size, struct error *error) {
    FILE *f = fopen(path, "w");
    if (!f)
        return error_set(error, "%s: cannot be written", path);
    for (uint64_t at = 0; at < size; at += 8) {
        uint64_t word;
        memcpy(&word, (const uint8_t *)bytes + at, 8);
        fprintf(f, "%016" PRIx64 "\n", word);
    }
    const bool bad = ferror(f) != 0;
    if (fclose(f) != 0 || bad)
        return error_set(error, "%s: cannot be written", path);
    return true;
}

static bool write_image(const char *ram, const char *rom, const struct options *options,
                        struct error *error) {
    struct machine machine;
    if (!options->bios && !options->kernel)
        return error_set(error, "nothing to load: -bios or -kernel is needed");
    if (!machine_load(&machine, options, IMAGE_TIME_RATIO, error))
        return false;
    const bool ok = write_words(ram, machine.memory.bytes, machine.memory.size, error) &&
                    write_words(rom, machine.rom, sizeof machine.rom, error);
    machine_free(&machine);
    return ok;
}

int main(int argc, char **argv) {
    struct options options;
    struct error error = {""};
    if (argc < 4) {
        fputs("usage: tally-image RAM ROM OPTION...\n"
              "Write RAM and boot ROM, a 64-bit word a line, hexadecimal, as loaded by tally-sim's\n"
              "options: -bios, -kernel, -initrd, -dtb, -append, -m, --clock, --delegate.\n",
              stderr);
        return 2;
    }
    const char *const ram = argv[1], *const rom = argv[2];
    argv[2] = argv[0];
    if (options_parse(&options, argc - 2, argv + 2, &error) && write_image(ram, rom, &options, &error))
        return 0;
    fprintf(stderr, "tally-image: %s\n", error.text);
    return 2;
}
