// SPDX-License-Identifier: Apache-2.0
#include "sample_file.h"

#include "bytes.h"
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
    AT_NAME_LENGTH = 68,
    AT_BUILD_ID_LENGTH = 100,
    AT_BUILD_ID = 104,
    AT_NAME = 128,
    HEADER_MIN = 72,
    HEADER_MAX = 4096
};
static const char magic[8] = "TALLYREC";

/* Bytes of the file at `at`, if `there` bytes of memory hold it; 0: there is no file. */
static uint64_t size_of(const uint8_t *at, uint64_t there) {
    if (there < HEADER_MIN || memcmp(at, magic, sizeof magic) != 0)
        return 0;
    const uint64_t header = bytes_get(at + AT_HEADER, 4), record = bytes_get(at + AT_RECORD, 4),
                   count = bytes_get(at + AT_COUNT, 8);
    if (header < HEADER_MIN || header > HEADER_MAX || header > there || !record ||
        count > (there - header) / record)
        return 0;
    return header + count * record;
}

/* Records are those of the program, not of the supervisor that has the log. */
static void name_program(uint8_t *header, const struct machine *machine, const char *path) {
    const char *slash = strrchr(path, '/'), *const name = slash ? slash + 1 : path;
    const size_t room = bytes_get(header + AT_HEADER, 4) - AT_NAME;
    char *const field = (char *)header + AT_NAME;
    memset(field, 0, room);
    snprintf(field, room, "%s", name);
    bytes_put(header + AT_NAME_LENGTH, (uint32_t)strlen(field), 4);
    memset(header + AT_BUILD_ID, 0, IMAGE_BUILD_ID);
    memcpy(header + AT_BUILD_ID, machine->build_id, machine->build_id_n);
    bytes_put(header + AT_BUILD_ID_LENGTH, machine->build_id_n, 4);
}

static bool copy(FILE *to, FILE *from, uint64_t bytes) {
    uint8_t block[65536];
    while (bytes) {
        const size_t n = bytes < sizeof block ? (size_t)bytes : sizeof block;
        if (fread(block, 1, n, from) != n || fwrite(block, 1, n, to) != n)
            return false;
        bytes -= n;
    }
    return true;
}

bool sample_file_write(const struct machine *machine, const struct options *o, struct host_device *host,
                       unsigned time_ratio, struct error *error) {
    const struct memory *ram = &machine->memory;
    uint64_t address, early_bytes;
    if (!symbols_find(&machine->symbols, "tally_records", &address) || address - SOC_RAM_BASE >= ram->size)
        return error_set(error, "--records: the program has no tally_records in memory");
    const uint8_t *at = ram->bytes + (address - SOC_RAM_BASE);
    const uint64_t size = size_of(at, ram->size - (address - SOC_RAM_BASE));
    if (!size)
        return error_set(error, "--records: the program left no records at tally_records (0x%" PRIx64 ")",
                         address);
    FILE *const early = host_records(host, &early_bytes);
    const uint64_t header_size = bytes_get(at + AT_HEADER, 4), record = bytes_get(at + AT_RECORD, 4);
    uint8_t header[HEADER_MAX];
    memcpy(header, at, header_size);
    bytes_put(header + AT_TIME_CLOCK, o->core_clock / time_ratio, 8);
    bytes_put(header + AT_CORE_CLOCK, o->core_clock, 8);
    bytes_put(header + AT_COUNT, bytes_get(at + AT_COUNT, 8) + (early ? early_bytes / record : 0), 8);
    if (o->program && header_size > AT_NAME)
        name_program(header, machine, o->program);
    FILE *f = fopen(o->records, "wb");
    bool ok = f && fwrite(header, 1, header_size, f) == header_size &&
              (!early || copy(f, early, early_bytes)) &&
              fwrite(at + header_size, 1, size - header_size, f) == size - header_size;
    if (f && fclose(f) != 0)
        ok = false;
    return ok || error_set(error, "%s: %s", o->records, strerror(errno));
}

void sample_file_where(FILE *out, const struct machine *machine, const struct options *o,
                       unsigned time_ratio) {
    const char *path = o->program ? o->program : o->kernel ? o->kernel : o->bios ? o->bios : "?";
    const char *slash = strrchr(path, '/');
    fprintf(out, "where 1 %" PRIu64 " %" PRIu64 " ", (uint64_t)o->core_clock,
            (uint64_t)(o->core_clock / time_ratio));
    for (unsigned i = 0; i < machine->build_id_n; i++)
        fprintf(out, "%02x", machine->build_id[i]);
    fprintf(out, "%s %s\n", machine->build_id_n ? "" : "-", slash ? slash + 1 : path);
}
