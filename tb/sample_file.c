// SPDX-License-Identifier: Apache-2.0
#include "sample_file.h"

#include "file.h"
#include "image.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Offsets in the header (docs/profile.md) */
enum {
    AT_HEADER = 12,
    AT_RECORD = 20,
    AT_COUNT = 24,
    AT_TIME_CLOCK = 32,
    AT_CORE_CLOCK = 40,
    HEADER_MIN = 72,
    HEADER_MAX = 4096
};
static const char magic[8] = "TALLYREC";

static void put64(uint8_t *at, uint64_t value) {
    for (unsigned i = 0; i < 8; i++)
        at[i] = (uint8_t)(value >> (8 * i));
}

static uint64_t get(const uint8_t *at, unsigned bytes) {
    uint64_t value = 0;
    while (bytes--)
        value = value << 8 | at[bytes];
    return value;
}

/* Bytes of the file at `at`, if `there` bytes of memory hold it; 0: there is no file. */
static uint64_t size_of(const uint8_t *at, uint64_t there) {
    if (there < HEADER_MIN || memcmp(at, magic, sizeof magic) != 0)
        return 0;
    const uint64_t header = get(at + AT_HEADER, 4), record = get(at + AT_RECORD, 4),
                   count = get(at + AT_COUNT, 8);
    if (header < HEADER_MIN || header > HEADER_MAX || header > there || !record ||
        count > (there - header) / record)
        return 0;
    return header + count * record;
}

bool sample_file_write(const struct machine *machine, uint64_t core_clock, unsigned time_ratio,
                       const char *path, struct error *error) {
    const struct memory *ram = &machine->memory;
    uint64_t address;
    if (!symbols_find(&machine->symbols, "tally_records", &address) || address - SOC_RAM_BASE >= ram->size)
        return error_set(error, "--records: the program has no tally_records in memory");
    const uint8_t *at = ram->bytes + (address - SOC_RAM_BASE);
    const uint64_t size = size_of(at, ram->size - (address - SOC_RAM_BASE));
    if (!size)
        return error_set(error, "--records: the program left no records at tally_records (0x%" PRIx64 ")",
                         address);
    uint8_t header[HEADER_MIN];
    memcpy(header, at, sizeof header);
    put64(header + AT_TIME_CLOCK, core_clock / time_ratio);
    put64(header + AT_CORE_CLOCK, core_clock);
    FILE *f = fopen(path, "wb");
    bool ok = f && fwrite(header, 1, sizeof header, f) == sizeof header &&
              fwrite(at + sizeof header, 1, size - sizeof header, f) == size - sizeof header;
    if (f && fclose(f) != 0)
        ok = false;
    return ok || error_set(error, "%s: %s", path, strerror(errno));
}
