/* SPDX-License-Identifier: Apache-2.0 */
/* The file of sample records: a header of ours (docs/profile.md), then records as the unit writes them
 * (spec/record.yaml). */
#ifndef TALLY_RECORDS_H
#define TALLY_RECORDS_H

#include "error.h"

#include <stddef.h>
#include <stdint.h>
#include <tally_spec.h>

enum { RECORDS_PATH_MAX = 256 }; /* for messages: longer ones are cut */
#define RECORDS_MAGIC "TALLYREC"
enum { RECORDS_VERSION = 3, RECORDS_NAME_MAX = 255, BUILD_ID_MAX = 20 };
/* Version 3: FMT of a record with a call stack, its words, those of all records of a sample; the first words
 */
enum { STACK_FMT = 7, STACK_WORDS = 7, STACK_MAX = 63, STACK_RA = 0, STACK_SP, STACK_FP, STACK_CALLS };
/* Offsets in the header; all numbers are little-endian. */
enum {
    RECORDS_AT_VERSION = 8,      /* 4 bytes */
    RECORDS_AT_HEADER = 12,      /* 4: size of the header, where the first record is */
    RECORDS_AT_XLEN = 16,        /* 4 */
    RECORDS_AT_SIZE = 20,        /* 4: size of a record */
    RECORDS_AT_COUNT = 24,       /* 8: number of records */
    RECORDS_AT_TIME_CLOCK = 32,  /* 8: Hz of `time` */
    RECORDS_AT_CORE_CLOCK = 40,  /* 8: Hz of the cycles */
    RECORDS_AT_PERIOD = 48,      /* 8: instructions a sample; 0: not known */
    RECORDS_AT_BIAS = 56,        /* 8: load address minus address in the ELF file */
    RECORDS_AT_PID = 64,         /* 4 */
    RECORDS_AT_NAME_LENGTH = 68, /* 4 */
    RECORDS_AT_NAME_V1 = 72,     /* version 1: name of the workload, then zeros */
    RECORDS_AT_LOST = 72,        /* 8: samples that came when the log was full */
    RECORDS_AT_BEGIN = 80,       /* 8: `time` when sampling started */
    RECORDS_AT_END = 88,         /* 8: ... and when it stopped; both 0: not known */
    RECORDS_AT_MODES = 96,       /* 4: privilege modes that were asked for, bit n is mode n; 0: not known */
    RECORDS_AT_ID_LENGTH = 100,  /* 4: of the program's build id; 0: none */
    RECORDS_AT_ID = 104,         /* BUILD_ID_MAX: the id, then zeros */
    RECORDS_AT_RESERVED = 124,   /* 4: 0 */
    RECORDS_AT_NAME = 128        /* name of the workload, then zeros */
};

enum { MODE_U = 1 << 0, MODE_S = 1 << 1, MODE_M = 1 << 3, MODES = MODE_U | MODE_S | MODE_M };

enum sample_type {
    SAMPLE_OTHER = TALLY_TYPE_OTHER,
    SAMPLE_LOAD = TALLY_TYPE_LOAD,
    SAMPLE_STORE = TALLY_TYPE_STORE,
    SAMPLE_LOAD_STORE = TALLY_TYPE_LOAD_STORE,
    SAMPLE_TRANSFER = TALLY_TYPE_TRANSFER,
    SAMPLE_TYPES = TALLY_TYPE_N
};

/* One record. Fields of header and latencies are read with sample_field and SAMPLE_HAS. */
struct sample {
    uint64_t header, pc, time, latency, adr1, adr2;
    uint64_t weight; /* how many of them it is: 1, of --where the cycles */
    const uint64_t
        *stack;     /* its call stack: ra, sp, fp, then return addresses by frame pointers; the reader's */
    size_t stack_n; /* 0: it found none */
};

/* Of tally-sim --where: how many cycles are an instruction's */
struct place_cycles {
    uint64_t pc, cycles;
};

/* Called now and then with the records that were read, of all. */
struct progress {
    void (*step)(void *context, size_t done, size_t all);
    void *context;
};

/* A file of records: its header, and a pointer to the records. */
struct records {
    unsigned xlen;
    uint64_t time_clock, core_clock, period, bias;
    uint64_t lost, begin, end; /* begin, end: of the run in `time`, equal if not known */
    uint32_t pid;
    unsigned version, modes;
    uint8_t build_id[BUILD_ID_MAX];
    size_t build_id_n; /* 0: not known */
    char path[RECORDS_PATH_MAX], name[RECORDS_NAME_MAX + 1];
    size_t n; /* records, with those of call stacks */
    const uint8_t *bytes;
    size_t size, first;         /* of the file; offset of the first record */
    struct place_cycles *where; /* tally-sim --where instead of records: every cycle counted; NULL: records */
    bool mapped;
    const struct progress *progress; /* of every reader; the caller's, or NULL */
};

/* Goes through the records, from the oldest on. */
struct reader {
    struct records *records;
    size_t next;
    uint64_t time;     /* of the record before */
    size_t given_back; /* bytes of the mapping that are no longer in memory */
    uint64_t stack[STACK_MAX];
};

static inline uint64_t sample_bits(uint64_t word, unsigned lsb, unsigned msb) {
    return word >> lsb & ~0ull >> (63 - (msb - lsb));
}
/* SAMPLE_HEADER(s, MISPRED), SAMPLE_LATENCY(s, TOTAL): names of spec/record.yaml */
#define SAMPLE_HEADER(s, name)                                                                               \
    sample_bits((s)->header, TALLY_PDISHDREV_##name##_LSB, TALLY_PDISHDREV_##name##_MSB)
#define SAMPLE_LATENCY(s, name)                                                                              \
    sample_bits((s)->latency, TALLY_PDISLAT_##name##_LSB, TALLY_PDISLAT_##name##_MSB)

static inline bool sample_is_memory(const struct sample *s) {
    const uint64_t type = SAMPLE_HEADER(s, TYPE);
    return type >= SAMPLE_LOAD && type <= SAMPLE_LOAD_STORE;
}
static inline bool sample_is_transfer(const struct sample *s) {
    return SAMPLE_HEADER(s, TYPE) == SAMPLE_TRANSFER;
}
/* A driver's record of a counter's overflow: no latencies, and the counter that overflowed. */
static inline bool sample_is_event(const struct sample *s) {
    return !s->latency && SAMPLE_HEADER(s, TYPE) == SAMPLE_OTHER && SAMPLE_HEADER(s, HPM);
}
/* The virtual address of the data, 0 if there is none. */
static inline uint64_t sample_data_address(const struct sample *s) {
    return !sample_is_memory(s) ? 0 : SAMPLE_HEADER(s, FLUSHED) ? s->adr2 : s->adr1;
}
/* The physical one, 0 if it was not recorded. */
static inline uint64_t sample_physical_address(const struct sample *s) {
    return sample_is_memory(s) && !SAMPLE_HEADER(s, FLUSHED) ? s->adr2 : 0;
}

/* Map a file and check its header; nothing is left to close after a failure. */
bool records_open(struct records *r, const char *path, struct error *error);
/* The same of `size` bytes in memory, which stay the caller's; `name` is for messages. */
bool records_view(struct records *r, const char *name, const uint8_t *bytes, size_t size,
                  struct error *error);
void records_close(struct records *r);

enum reading { READING_RECORD, READING_END, READING_BAD };

void reader_start(struct reader *reader, struct records *r);
/* The next sample, with its call stack, checked. RV32's `time` gets its upper half from the order of the
 * records; one without time has that of the record before it. Pages that were read are given back to the
 * system: a file may be larger than the memory. */
enum reading reader_next(struct reader *reader, struct sample *s, struct error *error);

#endif
