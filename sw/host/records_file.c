/* SPDX-License-Identifier: Apache-2.0 */
#include "records.h"

#include "where.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PROGRESS_STEP = 1 << 16, GIVE_BACK_BYTES = 8 << 20 }; /* a multiple of every page size */

static uint64_t number(const uint8_t *at, unsigned n) {
    uint64_t value = 0;
    for (unsigned i = 0; i < n; i++)
        value |= (uint64_t)at[i] << 8 * i;
    return value;
}

static bool is_zero(const uint8_t *at, size_t n) {
    for (size_t i = 0; i < n; i++) {
        if (at[i])
            return false;
    }
    return true;
}

/* Offset and length of a word in a record of each XLEN. */
struct word {
    unsigned rv64, rv32, rv32_bytes;
};
#define WORD(name, bytes)                                                                                    \
    { TALLY_##name##_OFFSET_RV64, TALLY_##name##_OFFSET_RV32, bytes }
static const struct word words[] = {WORD(PDISHDREV, 8), WORD(PDISPC, 4),   WORD(PDISTIME, 4),
                                    WORD(PDISLAT, 8),   WORD(PDISADR1, 4), WORD(PDISADR2, 4)};
enum { WORDS = sizeof words / sizeof *words, RV64_USED = TALLY_PDISADR2_OFFSET_RV64 + 8 };

static void decode(struct sample *s, const uint8_t *at, unsigned xlen) {
    uint64_t *const to[WORDS] = {&s->header, &s->pc, &s->time, &s->latency, &s->adr1, &s->adr2};
    for (unsigned i = 0; i < WORDS; i++)
        *to[i] = xlen == 64 ? number(at + words[i].rv64, 8) : number(at + words[i].rv32, words[i].rv32_bytes);
}

static bool check(const struct sample *s, const uint8_t *at, unsigned xlen, struct error *why) {
    if (SAMPLE_HEADER(s, FMT) || SAMPLE_HEADER(s, SFMT))
        return error_set(why, "FMT %u, SFMT %u: only records of format 0.0 are known",
                         (unsigned)SAMPLE_HEADER(s, FMT), (unsigned)SAMPLE_HEADER(s, SFMT));
    if (SAMPLE_HEADER(s, TYPE) >= SAMPLE_TYPES)
        return error_set(why, "TYPE %u: types are 0 to %u", (unsigned)SAMPLE_HEADER(s, TYPE),
                         SAMPLE_TYPES - 1);
    if (s->pc & 1)
        return error_set(why, "pc 0x%" PRIx64 ": instructions have even addresses", s->pc);
    if (xlen == 64 && !is_zero(at + RV64_USED, TALLY_RECORD_BYTES_RV64 - RV64_USED))
        return error_set(why, "its last two words are not 0");
    return true;
}

/* The fields of version 2 between the length of the name and the name */
static bool parse_run(struct records *r, const char *name, const uint8_t *b, struct error *error) {
    const uint64_t id_n = number(b + RECORDS_AT_ID_LENGTH, 4), modes = number(b + RECORDS_AT_MODES, 4);
    r->lost = number(b + RECORDS_AT_LOST, 8);
    r->begin = number(b + RECORDS_AT_BEGIN, 8);
    r->end = number(b + RECORDS_AT_END, 8);
    if (r->begin > r->end)
        return error_set(error, "%s: the run ends at %" PRIu64 ", before it begins at %" PRIu64, name, r->end,
                         r->begin);
    if (modes & ~(uint64_t)MODES)
        return error_set(error, "%s: modes 0x%" PRIx64 ": bits 0 (U), 1 (S) and 3 (M) are known", name,
                         modes);
    if (id_n > BUILD_ID_MAX)
        return error_set(error, "%s: a build id of %" PRIu64 " bytes, it has at most %d", name, id_n,
                         BUILD_ID_MAX);
    if (!is_zero(b + RECORDS_AT_ID + id_n, RECORDS_AT_NAME - RECORDS_AT_ID - id_n))
        return error_set(error, "%s: the header is not 0 behind the build id", name);
    r->modes = (unsigned)modes;
    r->build_id_n = id_n;
    memcpy(r->build_id, b + RECORDS_AT_ID, id_n);
    return true;
}

static bool parse_header(struct records *r, const char *name, const uint8_t *b, size_t size, uint64_t *begin,
                         struct error *error) {
    if (size < sizeof RECORDS_MAGIC - 1 || memcmp(b, RECORDS_MAGIC, sizeof RECORDS_MAGIC - 1) != 0)
        return error_set(error, "%s: not a file of sample records: it does not begin with " RECORDS_MAGIC,
                         name);
    if (size < RECORDS_AT_NAME_V1)
        return error_set(error, "%s: cut short: %zu bytes, the header alone has at least %d", name, size,
                         RECORDS_AT_NAME_V1);
    const uint64_t version = number(b + RECORDS_AT_VERSION, 4);
    if (version < 1 || version > RECORDS_VERSION)
        return error_set(error, "%s: version %" PRIu64 ", only 1 to %d are known", name, version,
                         RECORDS_VERSION);
    const unsigned at_name = version == 1 ? RECORDS_AT_NAME_V1 : RECORDS_AT_NAME;
    const uint64_t xlen = number(b + RECORDS_AT_XLEN, 4);
    if (xlen != 32 && xlen != 64)
        return error_set(error, "%s: XLEN %" PRIu64 " is neither 32 nor 64", name, xlen);
    const unsigned record = xlen == 64 ? TALLY_RECORD_BYTES_RV64 : TALLY_RECORD_BYTES_RV32;
    if (number(b + RECORDS_AT_SIZE, 4) != record)
        return error_set(error, "%s: records of %" PRIu64 " bytes, those of RV%" PRIu64 " have %u", name,
                         number(b + RECORDS_AT_SIZE, 4), xlen, record);
    const uint64_t length = number(b + RECORDS_AT_NAME_LENGTH, 4);
    *begin = number(b + RECORDS_AT_HEADER, 4);
    if (length > RECORDS_NAME_MAX || *begin % 8 || *begin < at_name + length)
        return error_set(error,
                         "%s: header of %" PRIu64 " bytes with a name of %" PRIu64
                         ": it must be a multiple of 8 and hold the name, which has at most %d",
                         name, *begin, length, RECORDS_NAME_MAX);
    if (size < *begin)
        return error_set(error, "%s: cut short: %zu bytes, the header has %" PRIu64, name, size, *begin);
    if (!is_zero(b + at_name + length, *begin - at_name - length))
        return error_set(error, "%s: the header is not 0 behind the name", name);
    if (version == 3 && xlen != 64)
        return error_set(error, "%s: version 3 is of RV64", name);
    r->version = (unsigned)version;
    r->xlen = (unsigned)xlen;
    r->time_clock = number(b + RECORDS_AT_TIME_CLOCK, 8);
    r->core_clock = number(b + RECORDS_AT_CORE_CLOCK, 8);
    r->period = number(b + RECORDS_AT_PERIOD, 8);
    r->bias = number(b + RECORDS_AT_BIAS, 8);
    r->pid = (uint32_t)number(b + RECORDS_AT_PID, 4);
    memcpy(r->name, b + at_name, length);
    if (strlen(r->name) != length)
        return error_set(error, "%s: there is a 0 in the name of the workload", name);
    if (!r->time_clock || !r->core_clock)
        return error_set(error, "%s: a clock of 0 Hz", name);
    if (r->period > 1ull << 32)
        return error_set(error, "%s: a period of %" PRIu64 " instructions, it is at most 2^32", name,
                         r->period);
    if (version > 1 && !parse_run(r, name, b, error))
        return false;
    const uint64_t count = number(b + RECORDS_AT_COUNT, 8), there = size - *begin;
    if (count == 0)
        return error_set(error, "%s: no records", name);
    if (count > there / record)
        return error_set(error,
                         "%s: cut short: %" PRIu64 " records of %u bytes are promised, %" PRIu64 " are there",
                         name, count, record, there / record);
    if (count * record != there)
        return error_set(error, "%s: %" PRIu64 " bytes too many behind the last record", name,
                         there - count * record);
    r->n = count;
    return true;
}

bool records_view(struct records *r, const char *name, const uint8_t *bytes, size_t size,
                  struct error *error) {
    uint64_t first = 0;
    memset(r, 0, sizeof *r);
    snprintf(r->path, sizeof r->path, "%s", name);
    r->bytes = bytes;
    r->size = size;
    if (where_is(bytes, size))
        return where_read(r, name, bytes, size, error);
    if (!parse_header(r, name, bytes, size, &first, error))
        return false;
    r->first = (size_t)first;
    return true;
}

/* A regular file that is not empty, in memory as it is read */
static const uint8_t *map(int fd, const char *path, size_t *size, struct error *error) {
    struct stat st;
    const char *what = fstat(fd, &st) != 0    ? strerror(errno)
                       : S_ISDIR(st.st_mode)  ? "is a directory"
                       : !S_ISREG(st.st_mode) ? "not a regular file"
                       : st.st_size == 0      ? "empty file"
                                              : NULL;
    void *bytes = what ? MAP_FAILED : mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
    if (bytes == MAP_FAILED) {
        error_set(error, "%s: %s", path, what ? what : strerror(errno));
        return NULL;
    }
    *size = (size_t)st.st_size;
    madvise(bytes, *size, MADV_SEQUENTIAL);
    return bytes;
}

bool records_open(struct records *r, const char *path, struct error *error) {
    size_t size = 0;
    const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK); /* a FIFO must not hang us */
    if (fd < 0)
        return error_set(error, "%s: %s", path, strerror(errno));
    const uint8_t *bytes = map(fd, path, &size, error);
    close(fd);
    if (!bytes)
        return false;
    const bool ok = records_view(r, path, bytes, size, error);
    r->mapped = true;
    if (!ok)
        records_close(r);
    return ok;
}

void records_close(struct records *r) {
    if (r->mapped)
        munmap((void *)r->bytes, r->size);
    free(r->where);
    memset(r, 0, sizeof *r);
}

void reader_start(struct reader *reader, struct records *r) {
    *reader = (struct reader){.records = r, .time = r->begin};
}

static size_t record_bytes(const struct records *r) {
    return r->xlen == 64 ? TALLY_RECORD_BYTES_RV64 : TALLY_RECORD_BYTES_RV32;
}

static void give_back(struct reader *reader, size_t read) {
    const struct records *r = reader->records;
    while (r->mapped && read - reader->given_back >= GIVE_BACK_BYTES) {
        madvise((uint8_t *)r->bytes + reader->given_back, GIVE_BACK_BYTES, MADV_DONTNEED);
        reader->given_back += GIVE_BACK_BYTES;
    }
}

/* The header of the next record if it has a call stack, else 0 */
static uint64_t stack_header(const struct reader *reader) {
    const struct records *r = reader->records;
    if (r->version < 3 || reader->next == r->n)
        return 0;
    const struct sample s = {.header = number(r->bytes + r->first + reader->next * record_bytes(r), 8)};
    return SAMPLE_HEADER(&s, FMT) == STACK_FMT ? s.header : 0;
}

/* The records behind a sample that have its call stack */
static bool read_stack(struct reader *reader, struct sample *s, struct error *error) {
    const struct records *r = reader->records;
    struct sample stack;
    s->stack = reader->stack;
    s->stack_n = 0;
    for (; (stack.header = stack_header(reader)); reader->next++) {
        const size_t offset = r->first + reader->next * record_bytes(r), n = SAMPLE_HEADER(&stack, SFMT);
        const uint8_t *at = r->bytes + offset;
        const char *why = !sample_is_event(s)             ? "behind no overflow of a counter"
                          : !n || stack.header << 6       ? "without addresses, or with other fields"
                          : s->stack_n + n > STACK_MAX    ? "that is too long"
                          : s->stack_n % STACK_WORDS != 0 ? "that goes on behind its end"
                          : !is_zero(at + 8 + 8 * n, 8 * (STACK_WORDS - n)) ? "that is not 0 behind its end"
                                                                            : NULL;
        if (why)
            return error_set(error, "%s: record %zu, at byte %zu: a call stack %s", r->path, reader->next,
                             offset, why);
        for (size_t i = 0; i < n; i++)
            reader->stack[s->stack_n++] = number(at + 8 + 8 * i, 8);
    }
    return true;
}

enum reading reader_next(struct reader *reader, struct sample *s, struct error *error) {
    const struct records *r = reader->records;
    const size_t at = reader->next, offset = r->first + at * record_bytes(r);
    struct error why;
    if (at == r->n)
        return READING_END;
    if (r->where) {
        const struct place_cycles *w = &r->where[reader->next++];
        *s = (struct sample){.header = 1ull << TALLY_PDISHDREV_HPM_LSB, .pc = w->pc, .weight = w->cycles};
        return READING_RECORD;
    }
    give_back(reader, offset);
    s->weight = 1;
    decode(s, r->bytes + offset, r->xlen);
    if (!check(s, r->bytes + offset, r->xlen, &why)) {
        error_set(error, "%s: record %zu, at byte %zu: %s", r->path, at, offset, why.text);
        return READING_BAD;
    }
    if (r->xlen == 32 && s->time)
        s->time = (reader->time & ~0xffffffffull) + (s->time < (reader->time & 0xffffffff) ? 1ull << 32 : 0) +
                  s->time;
    reader->time = s->time = s->time ? s->time : reader->time;
    reader->next++;
    if (!read_stack(reader, s, error))
        return READING_BAD;
    if (r->progress && (reader->next / PROGRESS_STEP != at / PROGRESS_STEP || reader->next == r->n))
        r->progress->step(r->progress->context, reader->next, r->n);
    return READING_RECORD;
}
