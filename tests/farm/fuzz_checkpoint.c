// SPDX-License-Identifier: Apache-2.0
/*
 * libFuzzer target: reading a checkpoint. The first byte of the input gives the kind of the rest: a file; or
 * changes of the checkpoint of a machine that runs, under a right checksum. A file is refused by one line, or
 * the machine goes on from it for some cycles: no state that is accepted may harm the simulator.
 */
#include "bytes.h"
#include "checkpoint.h"
#include "iss_machine.h"
#include "iss_warm.h"
#include "tally_spec.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum { RAM = 1 << 16, BASE_MAX = 1 << 18, HEADER = 24, BASE_CYCLES = 5000, CYCLES = 200, RECORDS_MAX = 2000 };

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static uint64_t rom[SOC_ROM_WORDS];
static uint8_t base[SOC_HARTS_MAX][BASE_MAX]; /* records of a state, for one hart and for two */
static size_t base_size[SOC_HARTS_MAX];

static void expect(bool ok) {
    if (!ok)
        abort();
}

/* --- machines, one with each number of harts: reading replaces all of their state ----------------------- */

struct fuzzed {
    struct iss iss;
    struct host_device *host;
    uint8_t *ram;
};

static struct fuzzed machine[SOC_HARTS_MAX];

static bool print(void *ctx, uint8_t byte) {
    (void)ctx, (void)byte;
    return false;
}

static void transmit(void *ctx, uint8_t byte) { print(ctx, byte); }

static void fault(const void *ctx, uint64_t cause, uint64_t pc, uint64_t value) {
    (void)ctx, (void)cause, (void)pc, (void)value;
}

static void create(struct fuzzed *f, unsigned harts) {
    const struct host_config device = {.print = print, .fault = fault, .name = ""};
    struct error error;
    f->ram = calloc(1, RAM);
    f->host = host_new(&device, &error);
    const struct iss_config config = {.xlen = 64,
                                      .harts = harts,
                                      .time_ratio = 10,
                                      .smepmp = true,
                                      .ram = f->ram,
                                      .ram_size = RAM,
                                      .rom = rom,
                                      .host = f->host,
                                      .transmit = transmit};
    expect(f->ram && f->host && iss_open(&f->iss, &config) && iss_keep_warm(&f->iss));
}

static void go_on(struct fuzzed *f, unsigned cycles) {
    struct gh_retire step[SOC_HARTS_MAX];
    iss_warm_begin(&f->iss);
    for (unsigned i = 0; i < cycles; i++) {
        const unsigned moved = iss_cycle(&f->iss, step);
        iss_warm_cycle(&f->iss, moved, step);
        if (!moved)
            iss_skip(&f->iss, f->iss.cycles + 1000);
    }
}

/* --- the program: instructions of every kind, counters and sampling in use ----------------------------- */

static uint32_t dice(void) {
    static uint32_t x = 2463534242;
    x ^= x << 13;
    x ^= x >> 17;
    return x ^= x << 5;
}

static uint32_t instruction(void) {
    static const uint16_t csrs[] = {TALLY_CSR_MHPMEVENT3,   TALLY_CSR_MCOUNTINHIBIT, TALLY_CSR_MPDISCTL,
                                    TALLY_CSR_SPDISAMBCS,   TALLY_CSR_MENVCFG,       TALLY_CSR_MSTATUS,
                                    TALLY_CSR_MHPMCOUNTER3, TALLY_CSR_MISELECT,      TALLY_CSR_MIREG,
                                    TALLY_CSR_UBESCR,       TALLY_CSR_SPDISCOUNTER,  TALLY_CSR_MIE};
    const uint32_t r = dice(), rd = r & 15, rs = r >> 4 & 15, rs2 = r >> 8 & 15, imm = r >> 20 & 0x7F8;
    switch (r >> 28 & 7) {
    case 0:
        return imm << 20 | rs << 15 | rd << 7 | 0x13;
    case 1:
        return rs2 << 20 | rs << 15 | 1 << 12 | rd << 7 | 0x33;
    case 2:
        return imm << 20 | 15 << 15 | 3 << 12 | (rd % 14) << 7 | 0x03;
    case 3:
        return (imm >> 5) << 25 | rs2 << 20 | 15 << 15 | 3 << 12 | (imm & 31) << 7 | 0x23;
    case 4:
        return 15 << 15 | 3 << 12 | rs2 << 20 | (rd % 14) << 7 | 0x2F;
    case 5:
        return rs2 << 20 | rs << 15 | 1 << 12 | 8 << 7 | 0x63;
    default:
        return (uint32_t)csrs[r % (sizeof csrs / sizeof *csrs)] << 20 | rs << 15 | (1 + (r >> 12 & 1)) << 12 |
               (rd % 14) << 7 | 0x73;
    }
}

static void fill(struct fuzzed *f) {
    for (unsigned i = 0; i < 512; i++) {
        const uint32_t word = i == 511 ? 0x801FF06F /* back to the beginning */ : instruction();
        memcpy(f->ram + 4 * i, &word, 4);
    }
    for (unsigned i = 0; i < f->iss.cfg.harts; i++) {
        gh_csr_poke(f->iss.hart[i].core, TALLY_CSR_MTVEC, SOC_RAM_BASE + 64);
        gh_set_pc(f->iss.hart[i].core, SOC_RAM_BASE);
        gh_set_reg(f->iss.hart[i].core, 15, SOC_RAM_BASE + 0x8000);
    }
}

/* --- files --------------------------------------------------------------------------------------------- */

/* The header and a stream of `records` */
static uint8_t *seal(const uint8_t *records, size_t size, size_t *file_size) {
    uLongf n = compressBound(size);
    uint8_t *file = calloc(1, HEADER + n);
    expect(file && compress2(file + HEADER, &n, records, size, 0) == Z_OK);
    memcpy(file, "TALLYCKP", 8);
    bytes_put(file + 8, CHECKPOINT_VERSION, 4);
    bytes_put(file + 12, crc32_z(0, file + HEADER, n), 4);
    bytes_put(file + 16, n, 8);
    *file_size = HEADER + n;
    return file;
}

static bool parse(struct fuzzed *f, const uint8_t *file, size_t size) {
    const struct checkpoint c = iss_checkpoint(&f->iss);
    struct error error = {""};
    const bool ok = checkpoint_parse(file, size, "fuzz", &c, &error);
    expect(ok || (*error.text && !strchr(error.text, '\n')));
    return ok;
}

static void make_base(unsigned harts) {
    static const char path[] = "fuzz_checkpoint.base";
    struct fuzzed *const f = &machine[harts - 1];
    struct error error;
    uLongf n = BASE_MAX;
    create(f, harts);
    fill(f);
    go_on(f, BASE_CYCLES);
    const struct checkpoint c = iss_checkpoint(&f->iss);
    expect(checkpoint_write(path, &c, &error));
    FILE *file = fopen(path, "rb");
    uint8_t *bytes = malloc(BASE_MAX);
    expect(file && bytes);
    const size_t size = fread(bytes, 1, BASE_MAX, file);
    fclose(file);
    remove(path);
    expect(parse(f, bytes, size));
    expect(uncompress(base[harts - 1], &n, bytes + HEADER, size - HEADER) == Z_OK);
    base_size[harts - 1] = n;
    free(bytes);
}

/* --- changes ---------------------------------------------------------------------------------------------
 */

/* Where the records of the state begin; memory's are not of interest. */
static size_t record[SOC_HARTS_MAX][RECORDS_MAX];
static unsigned records_n[SOC_HARTS_MAX];

static void find_records(unsigned harts) {
    const uint8_t *const records = base[harts - 1];
    uint64_t count;
    for (size_t at = 0; at < base_size[harts - 1];) {
        const unsigned name = records[at];
        if (memcmp(records + at + 1, "memory.", 7) == 0)
            return;
        expect(records_n[harts - 1] < RECORDS_MAX);
        record[harts - 1][records_n[harts - 1]++] = at;
        memcpy(&count, records + at + 2 + name, 8);
        at += name + 10 + count * records[at + 1 + name];
    }
}

/* The numbers of a record; their bytes in *n */
static uint8_t *numbers(uint8_t *records, unsigned harts, unsigned k, size_t *n) {
    uint8_t *const at = records + record[harts - 1][k % records_n[harts - 1]];
    uint64_t count;
    memcpy(&count, at + 2 + at[0], 8);
    *n = (size_t)count * at[1 + at[0]];
    return at + at[0] + 10;
}

/* Each change is a record (2 bytes), an offset (1), how many bytes (1) and the bytes. */
static void change(uint8_t *records, unsigned harts, const uint8_t *data, size_t n) {
    while (n > 4) {
        const size_t bytes = 1 + data[3] % 8u;
        size_t room;
        uint8_t *at = numbers(records, harts, (unsigned)(data[0] | data[1] << 8), &room);
        for (size_t i = 0; i < bytes && 4 + i < n && room; i++)
            at[(data[2] + i) % room] = data[4 + i];
        data += n > 4 + bytes ? 4 + bytes : n;
        n -= n > 4 + bytes ? 4 + bytes : n;
    }
}

/* Each is an offset in all that there is (4 bytes), and a byte; one of them cuts. */
static size_t damage(uint8_t *records, size_t size, const uint8_t *data, size_t n) {
    for (; n >= 5; data += 5, n -= 5) {
        uint32_t at;
        memcpy(&at, data, 4);
        if (at >> 31)
            size = at % size + 1;
        else
            records[at % size] = data[4];
    }
    return size;
}

int LLVMFuzzerInitialize(int *argc, char ***argv) {
    (void)argc, (void)argv;
    for (unsigned harts = 1; harts <= SOC_HARTS_MAX; harts++) {
        make_base(harts);
        find_records(harts);
    }
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size < 2)
        return 0;
    const unsigned mode = data[0] % 4, harts = 1 + data[0] / 4 % SOC_HARTS_MAX;
    struct fuzzed *const f = &machine[harts - 1];
    if (mode == 0) {
        parse(f, data + 1, size - 1);
    } else {
        size_t n = base_size[harts - 1], file_size;
        uint8_t *records = malloc(n);
        expect(records != NULL);
        memcpy(records, base[harts - 1], n);
        if (mode == 1)
            n = damage(records, n, data + 1, size - 1);
        else
            change(records, harts, data + 1, size - 1);
        uint8_t *file = seal(records, n, &file_size);
        if (parse(f, file, file_size))
            go_on(f, CYCLES);
        free(file);
        free(records);
    }
    return 0;
}
