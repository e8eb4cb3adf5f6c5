/* SPDX-License-Identifier: Apache-2.0 */
/*
 * perf.data, as tools/perf/Documentation/perf.data-file-format.txt of Linux has it: a header, an attribute an
 * event, the records (the program's name, its mapped segments, samples), then the additional features. A
 * counter's overflows, instructions, and those of them that access memory are events of their own, each with
 * the fields of its samples. The program is shown as a user's process in any mode: perf would look
 * for a kernel's symbols elsewhere.
 */
#include "export.h"

#include <linux/perf_event.h>
#include <string.h>

enum { MAGIC_BYTES = 8, HEADER_BYTES = 104, FEATURES_AT = 72 };
enum { FEATURE_BUILD_ID = 2, FEATURE_ARCH = 6, FEATURE_EVENT_DESC = 12 }; /* tools/perf/util/header.h */
enum { MISC_BUILD_ID_SIZE = 1 << 15, BUILD_ID_ROOM = 24 };

enum kind { OVERFLOWS, INSTRUCTIONS, MEMORY, KINDS };

/* The events that the file has; an id is its kind + 1. */
struct events {
    size_t n;
    enum kind kind[KINDS];
    const char *name[KINDS];
    struct perf_event_attr attr[KINDS];
};

/* Events begin with type, misc and size; the size is known at their end. */
static size_t begin(struct buffer *out, uint32_t type, uint16_t misc) {
    buffer_u32(out, type);
    buffer_u16(out, misc);
    buffer_u16(out, 0);
    return out->size - sizeof(struct perf_event_header);
}

static void end(struct buffer *out, size_t at) {
    const size_t size = out->size - at;
    out->bytes[at + 6] = (uint8_t)size;
    out->bytes[at + 7] = (uint8_t)(size >> 8);
}

/* A string with zeros up to the next multiple of 8, cut to the size of an event. */
static void add_text(struct buffer *out, const char *text) {
    const size_t n = strlen(text) < 4095 ? strlen(text) : 4095;
    buffer_add(out, text, n);
    buffer_zeros(out, 8 - n % 8);
}

static void add_event(struct events *e, enum kind kind, const char *name, uint64_t period, bool calls) {
    const uint64_t extra[KINDS] = {[OVERFLOWS] = calls ? PERF_SAMPLE_CALLCHAIN : 0,
                                   [INSTRUCTIONS] = PERF_SAMPLE_ADDR | PERF_SAMPLE_WEIGHT,
                                   [MEMORY] = PERF_SAMPLE_ADDR | PERF_SAMPLE_WEIGHT | PERF_SAMPLE_DATA_SRC |
                                              PERF_SAMPLE_PHYS_ADDR};
    struct perf_event_attr *attr = &e->attr[e->n];
    memset(attr, 0, sizeof *attr);
    /* Another type for memory: `perf script -F` chooses fields by type. */
    attr->type = kind == MEMORY ? PERF_TYPE_RAW : PERF_TYPE_HARDWARE;
    attr->config = kind == MEMORY         ? 0
                   : kind == INSTRUCTIONS ? PERF_COUNT_HW_INSTRUCTIONS
                                          : PERF_COUNT_HW_CPU_CYCLES;
    attr->size = sizeof *attr;
    attr->sample_period = period ? period : 1;
    /* The id is first: only so can the kinds of samples differ. */
    attr->sample_type = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME |
                        PERF_SAMPLE_PERIOD | extra[kind];
    attr->precise_ip = 3;
    attr->sample_id_all = 0;
    attr->mmap = attr->comm = e->n == 0;
    e->kind[e->n] = kind;
    e->name[e->n++] = name;
}

static struct events events_of(const struct run *run, const char *name) {
    struct events e = {0};
    for (size_t i = 0; i < run->n; i++) {
        const struct profile *p = &run->profiles[i];
        if (p->interrupted)
            continue;
        if (p->events) {
            add_event(&e, OVERFLOWS, name, p->period, p->calls.n > 0);
            continue;
        }
        add_event(&e, INSTRUCTIONS, "instructions", p->period, false);
        if (p->all.memory)
            add_event(&e, MEMORY, "memory", p->period, false);
    }
    return e;
}

static uint64_t data_source(const struct sample *s) {
    union perf_mem_data_src d = {.mem_op = PERF_MEM_OP_NA,
                                 .mem_lvl = PERF_MEM_LVL_NA,
                                 .mem_snoop = PERF_MEM_SNOOP_NA,
                                 .mem_lock = PERF_MEM_LOCK_NA,
                                 .mem_dtlb = PERF_MEM_TLB_NA,
                                 .mem_lvl_num = PERF_MEM_LVLNUM_NA};
    const uint64_t type = SAMPLE_HEADER(s, TYPE);
    if (!sample_is_memory(s))
        return d.val;
    d.mem_op = (type & SAMPLE_LOAD ? PERF_MEM_OP_LOAD : 0) | (type & SAMPLE_STORE ? PERF_MEM_OP_STORE : 0);
    d.mem_lock = type == SAMPLE_LOAD_STORE ? PERF_MEM_LOCK_LOCKED : PERF_MEM_LOCK_NA;
    if (SAMPLE_HEADER(s, FLUSHED))
        return d.val;
    d.mem_dtlb = SAMPLE_HEADER(s, LLTLBMISS)   ? PERF_MEM_TLB_MISS | PERF_MEM_TLB_L2
                 : SAMPLE_HEADER(s, L1TLBMISS) ? PERF_MEM_TLB_HIT | PERF_MEM_TLB_L2
                                               : PERF_MEM_TLB_HIT | PERF_MEM_TLB_L1;
    switch (SAMPLE_HEADER(s, DSRC)) {
    case TALLY_DSRC_L1:
        d.mem_lvl = PERF_MEM_LVL_HIT | PERF_MEM_LVL_L1;
        d.mem_lvl_num = PERF_MEM_LVLNUM_L1;
        break;
    case TALLY_DSRC_STQ: /* perf has no store queue; like other machines, ours counts as the L1 */
        d.mem_lvl = PERF_MEM_LVL_HIT | PERF_MEM_LVL_L1;
        d.mem_lvl_num = PERF_MEM_LVLNUM_L1;
        break;
    case TALLY_DSRC_COMING:
        d.mem_lvl = PERF_MEM_LVL_HIT | PERF_MEM_LVL_LFB;
        d.mem_lvl_num = PERF_MEM_LVLNUM_LFB;
        break;
    case TALLY_DSRC_MEM:
        d.mem_lvl = PERF_MEM_LVL_HIT | PERF_MEM_LVL_LOC_RAM;
        d.mem_lvl_num = PERF_MEM_LVLNUM_RAM;
        break;
    case TALLY_DSRC_DEVICE:
        d.mem_lvl = PERF_MEM_LVL_HIT | PERF_MEM_LVL_IO;
        break;
    default: /* a store says only whether it missed */
        if (SAMPLE_HEADER(s, L1MISS))
            d.mem_lvl = PERF_MEM_LVL_MISS | PERF_MEM_LVL_L1;
        break;
    }
    return d.val;
}

static uint64_t nanoseconds(uint64_t time, uint64_t clock) {
    return (uint64_t)((unsigned __int128)time * 1000000000u / clock);
}

static void add_segments(struct buffer *out, const struct program *file, uint32_t pid) {
    size_t n;
    const struct segment *segments = program_segments(file, &n);
    for (size_t i = 0; i < n; i++) {
        const size_t at = begin(out, PERF_RECORD_MMAP, PERF_RECORD_MISC_USER);
        buffer_u32(out, pid);
        buffer_u32(out, pid);
        buffer_u64(out, segments[i].address);
        buffer_u64(out, segments[i].size);
        buffer_u64(out, segments[i].offset);
        add_text(out, program_copy_path(file));
        end(out, at);
    }
}

/* As the kernel has it: the context, the instruction, then return addresses */
static void add_calls(struct buffer *out, const struct sample *s, const struct program *program) {
    uint64_t stack[CALLS_MAX];
    const size_t n = calls_of(program, s, false, stack);
    buffer_u64(out, n + 1);
    buffer_u64(out, PERF_CONTEXT_USER);
    for (size_t i = 0; i < n; i++)
        buffer_u64(out, i ? stack[i] + 1 : stack[i]);
}

static void add_sample(struct buffer *out, const struct sample *s, enum kind kind, const struct profile *p,
                       uint32_t pid) {
    const size_t at = begin(out, PERF_RECORD_SAMPLE, PERF_RECORD_MISC_USER | PERF_RECORD_MISC_EXACT_IP);
    buffer_u64(out, kind + 1);
    buffer_u64(out, s->pc);
    buffer_u32(out, pid);
    buffer_u32(out, pid);
    buffer_u64(out, nanoseconds(s->time, p->records->time_clock));
    if (kind != OVERFLOWS)
        buffer_u64(out, sample_is_memory(s) ? sample_data_address(s) : s->adr1);
    buffer_u64(out, (p->period ? p->period : 1) * s->weight);
    if (kind == OVERFLOWS && p->calls.n)
        add_calls(out, s, p->program);
    if (kind != OVERFLOWS)
        buffer_u64(out, SAMPLE_LATENCY(s, TOTAL));
    if (kind == MEMORY) {
        buffer_u64(out, data_source(s));
        buffer_u64(out, sample_physical_address(s));
    }
    end(out, at);
}

/* The profile that shows a sample, NULL: it was left out */
static const struct profile *profile_of(const struct run *run, const struct sample *s) {
    for (size_t i = 0; i < run->n; i++) {
        if (!run->profiles[i].interrupted && profile_spot_of(&run->profiles[i], s))
            return &run->profiles[i];
    }
    return NULL;
}

/* They were checked when they were added up: reading them again does not fail. */
static void add_samples(struct buffer *out, struct run *run, uint32_t pid) {
    struct reader reader;
    struct error none;
    struct sample s;
    reader_start(&reader, &run->records);
    while (reader_next(&reader, &s, &none) == READING_RECORD) {
        const struct profile *p = profile_of(run, &s);
        if (!p)
            continue;
        add_sample(out, &s, p->events ? OVERFLOWS : INSTRUCTIONS, p, pid);
        if (sample_is_memory(&s))
            add_sample(out, &s, MEMORY, p, pid);
        buffer_spill(out);
    }
}

static void add_events(struct buffer *out, struct run *run, const struct events *e) {
    const struct records *r = &run->records;
    const uint32_t pid = r->pid ? r->pid : 1; /* 0 is the idle task, of which perf shows no symbols */
    size_t at = begin(out, PERF_RECORD_COMM, PERF_RECORD_MISC_COMM_EXEC);
    buffer_u32(out, pid);
    buffer_u32(out, pid);
    char comm[16] = ""; /* TASK_COMM_LEN of Linux */
    const char *name = r->name[0] ? r->name : short_name(program_path(run->program));
    memcpy(comm, name, strnlen(name, sizeof comm - 1));
    add_text(out, comm);
    end(out, at);
    for (const struct program *file = run->program; file; file = program_next(file))
        add_segments(out, file, pid);
    add_samples(out, run, pid);
    if (r->lost) {
        at = begin(out, PERF_RECORD_LOST, 0);
        buffer_u64(out, e->kind[0] + 1);
        buffer_u64(out, r->lost);
        end(out, at);
    }
}

static void feature_text(struct buffer *out, const char *text) {
    const size_t n = strlen(text) + 1, room = (n + 63) / 64 * 64;
    buffer_u32(out, (uint32_t)room);
    buffer_add(out, text, n);
    buffer_zeros(out, room - n);
}

static void feature_event_desc(struct buffer *out, const struct events *e) {
    buffer_u32(out, (uint32_t)e->n);
    buffer_u32(out, sizeof *e->attr);
    for (size_t i = 0; i < e->n; i++) {
        buffer_add(out, &e->attr[i], sizeof e->attr[i]);
        buffer_u32(out, 1);
        feature_text(out, e->name[i]);
        buffer_u64(out, e->kind[i] + 1);
    }
}

static void feature_build_id(struct buffer *out, const struct program *program) {
    size_t n;
    const uint8_t *id = program_build_id(program, &n);
    if (!n)
        return;
    const size_t at = begin(out, 0, PERF_RECORD_MISC_USER | MISC_BUILD_ID_SIZE);
    buffer_u32(out, UINT32_MAX); /* of any process */
    buffer_add(out, id, n);
    buffer_zeros(out, BUILD_ID_MAX - n);
    buffer_u32(out, (uint32_t)n); /* one byte of size, three of zeros: BUILD_ID_ROOM in all */
    add_text(out, program_copy_path(program));
    end(out, at);
}

static bool has_build_id(const struct run *run) {
    size_t n = 0;
    for (const struct program *file = run->program; file && !n; file = program_next(file))
        program_build_id(file, &n);
    return n != 0;
}

void export_perf(struct buffer *out, struct run *run, const char *event) {
    const struct events events = events_of(run, event);
    const uint64_t attr_bytes = sizeof *events.attr + 16; /* an attribute and where its ids are */
    const uint64_t ids_at = HEADER_BYTES, attr_at = ids_at + 8 * events.n,
                   data_at = attr_at + attr_bytes * events.n;
    const bool ids = has_build_id(run);
    buffer_add(out, "PERFILE2", MAGIC_BYTES);
    buffer_u64(out, HEADER_BYTES);
    buffer_u64(out, attr_bytes);
    buffer_u64(out, attr_at);
    buffer_u64(out, attr_bytes * events.n);
    buffer_u64(out, data_at);
    const size_t data_size_at = out->size;
    buffer_zeros(out, FEATURES_AT - out->size); /* size of the data; no table of event types */
    buffer_u64(out, (ids ? 1u << FEATURE_BUILD_ID : 0) | 1u << FEATURE_ARCH | 1u << FEATURE_EVENT_DESC);
    buffer_zeros(out, HEADER_BYTES - out->size);
    for (size_t i = 0; i < events.n; i++)
        buffer_u64(out, events.kind[i] + 1);
    for (size_t i = 0; i < events.n; i++) {
        buffer_add(out, &events.attr[i], sizeof events.attr[i]);
        buffer_u64(out, ids_at + 8 * i);
        buffer_u64(out, 8);
    }
    add_events(out, run, &events);
    buffer_set_u64(out, data_size_at, buffer_length(out) - data_at);

    /* A table of where each feature is, in the order of their bits, then they themselves. */
    enum { BUILD_ID, ARCH, EVENT_DESC, FEATURES };
    uint64_t table = buffer_length(out);
    buffer_zeros(out, 16 * (FEATURES - (ids ? 0 : 1)));
    for (unsigned i = ids ? BUILD_ID : ARCH; i < FEATURES; i++, table += 16) {
        const uint64_t at = buffer_length(out);
        for (const struct program *file = i == BUILD_ID ? run->program : NULL; file;
             file = program_next(file))
            feature_build_id(out, file);
        if (i == ARCH)
            feature_text(out, run->records.xlen == 64 ? "riscv64" : "riscv32");
        else if (i == EVENT_DESC)
            feature_event_desc(out, &events);
        buffer_set_u64(out, table, at);
        buffer_set_u64(out, table + 8, buffer_length(out) - at);
    }
}
