/* SPDX-License-Identifier: Apache-2.0 */
/* profile.proto of github.com/google/pprof, encoded by hand: a tag is the field's number and how its value is
 * written. */
#include "export.h"
#include "gzip.h"

#include <stdlib.h>
#include <string.h>

enum { VARINT = 0, BYTES = 2 };

static void varint(struct buffer *b, uint64_t value) {
    for (; value > 0x7f; value >>= 7)
        buffer_add(b, &(uint8_t){(uint8_t)(value | 0x80)}, 1);
    buffer_add(b, &(uint8_t){(uint8_t)value}, 1);
}

/* A number; 0 is what a reader takes if there is none. */
static void number(struct buffer *b, unsigned field, uint64_t value) {
    if (value) {
        varint(b, field << 3 | VARINT);
        varint(b, value);
    }
}

static void bytes(struct buffer *b, unsigned field, const void *data, size_t n) {
    varint(b, field << 3 | BYTES);
    varint(b, n);
    buffer_add(b, data, n);
}

/* Add `inner` as a message and empty it. */
static void message(struct buffer *b, unsigned field, struct buffer *inner) {
    bytes(b, field, inner->bytes, inner->size);
    buffer_free(inner);
}

/* Strings are numbered; the first is "". */
struct strings {
    char **list;
    size_t n;
};

static uint64_t string(struct strings *s, const char *text) {
    if (!text)
        return 0;
    for (size_t i = 0; i < s->n; i++) {
        if (strcmp(s->list[i], text) == 0)
            return i;
    }
    s->list = resize(s->list, s->n + 1, sizeof *s->list);
    s->list[s->n] = resize(NULL, strlen(text) + 1, 1);
    memcpy(s->list[s->n], text, strlen(text) + 1);
    return s->n++;
}

static void value_type(struct buffer *b, unsigned field, struct strings *s, const char *type,
                       const char *unit) {
    struct buffer inner = {0};
    number(&inner, 1, string(s, type));
    number(&inner, 2, string(s, unit));
    message(b, field, &inner);
}

/* Functions are told apart by name and file. */
struct functions {
    struct frame *list;
    size_t n;
};

static uint64_t function(struct functions *f, const struct frame *frame) {
    for (size_t i = 0; i < f->n; i++) {
        const char *a = f->list[i].file, *b = frame->file;
        if (strcmp(f->list[i].function, frame->function) == 0 && (a == b || (a && b && strcmp(a, b) == 0)))
            return i + 1;
    }
    f->list = resize(f->list, f->n + 1, sizeof *f->list);
    f->list[f->n++] = *frame;
    return f->n;
}

static void add_sample(struct buffer *b, const struct spot *spot, uint64_t id, uint64_t period) {
    const struct counts *c = &spot->counts;
    const uint64_t values[] = {c->samples, c->samples * (period ? period : 1), c->latency[LATENCY_TOTAL].sum,
                               c->latency[LATENCY_OLDEST].sum};
    struct buffer inner = {0}, packed = {0};
    varint(&packed, id);
    message(&inner, 1, &packed);
    for (unsigned i = 0; i < sizeof values / sizeof *values; i++)
        varint(&packed, values[i]);
    message(&inner, 2, &packed);
    message(b, 2, &inner);
}

/* Which of the mappings (numbered from 1) holds pc; 0: none. */
static uint64_t mapping_of(const struct program *program, uint64_t pc) {
    size_t n;
    for (uint64_t number = 1; program; program = program_next(program)) {
        const struct segment *segments = program_segments(program, &n);
        for (size_t i = 0; i < n; i++, number++) {
            if (pc - segments[i].address < segments[i].size)
                return number;
        }
    }
    return 0;
}

/* Numbered from `first` on; returns the next number. */
static uint64_t add_mappings(struct buffer *b, const struct program *program, struct strings *s,
                             uint64_t first) {
    size_t n, id_n;
    const struct segment *segments = program_segments(program, &n);
    const uint8_t *id = program_build_id(program, &id_n);
    char text[2 * BUILD_ID_MAX + 1] = "";
    for (size_t i = 0; i < id_n; i++)
        snprintf(text + 2 * i, 3, "%02x", id[i]);
    for (size_t i = 0; i < n; i++) {
        struct buffer inner = {0};
        number(&inner, 1, first++);
        number(&inner, 2, segments[i].address);
        number(&inner, 3, segments[i].address + segments[i].size);
        number(&inner, 4, segments[i].offset);
        number(&inner, 5, string(s, program_path(program)));
        number(&inner, 6, string(s, text));
        for (unsigned has = 7; has <= 10; has++) /* functions, files, lines, inlined frames */
            number(&inner, has, 1);
        message(b, 3, &inner);
    }
    return first;
}

static void add_location(struct buffer *b, const struct profile *p, const struct spot *spot, uint64_t id,
                         struct functions *f) {
    struct buffer inner = {0}, line = {0};
    number(&inner, 1, id);
    number(&inner, 2, mapping_of(p->program, spot->pc));
    number(&inner, 3, spot->pc);
    for (size_t i = 0; i < spot->frames_n; i++) {
        number(&line, 1, function(f, &spot->frames[i]));
        number(&line, 2, (uint64_t)spot->frames[i].line);
        message(&inner, 4, &line);
    }
    message(b, 4, &inner);
}

void export_pprof(struct buffer *out, const struct profile *p) {
    const uint64_t period = p->period;
    struct buffer b = {0}, inner = {0};
    struct strings strings = {0};
    struct functions functions = {0};
    char lost[LOST_TEXT];
    string(&strings, "");
    value_type(&b, 1, &strings, "samples", "count");
    value_type(&b, 1, &strings, "instructions", "count");
    value_type(&b, 1, &strings, "latency", "cycles");
    value_type(&b, 1, &strings, "oldest", "cycles");
    for (size_t i = 0; i < p->spots_n; i++)
        add_sample(&b, &p->spots[i], i + 1, period);
    uint64_t mapping = 1;
    for (const struct program *file = p->program; file; file = program_next(file))
        mapping = add_mappings(&b, file, &strings, mapping);
    for (size_t i = 0; i < p->spots_n; i++)
        add_location(&b, p, &p->spots[i], i + 1, &functions);
    for (size_t i = 0; i < functions.n; i++) {
        const uint64_t name = string(&strings, functions.list[i].function);
        number(&inner, 1, i + 1);
        number(&inner, 2, name);
        number(&inner, 3, name);
        number(&inner, 4, string(&strings, functions.list[i].file));
        message(&b, 5, &inner);
    }
    value_type(&b, 11, &strings, "instructions", "count");
    number(&b, 12, period ? period : 1);
    if (profile_lost(p, lost, sizeof lost)) {
        varint(&inner, string(&strings, lost));
        message(&b, 13, &inner); /* a comment */
    }
    number(&b, 14, string(&strings, "samples"));
    for (size_t i = 0; i < strings.n; i++) {
        buffer_text(&inner, strings.list[i]); /* a proto's strings are UTF-8 */
        message(&b, 6, &inner);
        free(strings.list[i]);
    }
    free(strings.list);
    free(functions.list);
    gzip(out, &b);
    buffer_free(&b);
}
