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

/* A number; 0 is a reader's default. */
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

enum { VALUES = 4 };

/* Locations are numbered from 1 on; the innermost is first. */
static void add_sample(struct buffer *b, const uint64_t *locations, size_t n, const uint64_t *values,
                       size_t values_n) {
    struct buffer inner = {0}, packed = {0};
    for (size_t i = 0; i < n; i++)
        varint(&packed, locations[i]);
    message(&inner, 1, &packed);
    for (size_t i = 0; i < values_n; i++)
        varint(&packed, values[i]);
    message(&inner, 2, &packed);
    message(b, 2, &inner);
}

static void add_spot(struct buffer *b, const struct profile *p, size_t i) {
    const struct counts *c = &p->spots[i].counts;
    const uint64_t values[VALUES] = {c->samples, c->samples * (p->period ? p->period : 1),
                                     c->latency[LATENCY_TOTAL].sum, c->latency[LATENCY_OLDEST].sum};
    add_sample(b, &(uint64_t){i + 1}, 1, values, p->events ? 2 : VALUES);
}

/* The number (from 1) of the mapping that holds pc; 0: none. */
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

/* pc 0: a function by its name alone */
static void add_location(struct buffer *b, const struct profile *p, uint64_t pc, const struct frame *frames,
                         size_t frames_n, uint64_t id, struct functions *f) {
    struct buffer inner = {0}, line = {0};
    number(&inner, 1, id);
    number(&inner, 2, pc ? mapping_of(p->program, pc) : 0);
    number(&inner, 3, pc);
    for (size_t i = 0; i < frames_n; i++) {
        number(&line, 1, function(f, &frames[i]));
        number(&line, 2, (uint64_t)frames[i].line);
        message(&inner, 4, &line);
    }
    message(b, 4, &inner);
}

/* --- whose samples, and where they are ------------------------------------------------------------- */

static void add_spots(struct buffer *b, const struct profile *p, struct functions *f) {
    for (size_t i = 0; i < p->spots_n; i++)
        add_spot(b, p, i);
    for (size_t i = 0; i < p->spots_n; i++)
        add_location(b, p, p->spots[i].pc, p->spots[i].frames, p->spots[i].frames_n, i + 1, f);
}

static int by_address(const void *left, const void *right) {
    const uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;
    return (a > b) - (a < b);
}

/* The addresses of calls and instructions, each once */
static size_t addresses_of(const struct calls *c, uint64_t *list) {
    size_t n = 0;
    for (size_t i = 1; i < c->n; i++)
        list[i - 1] = c->list[i].address;
    qsort(list, c->n - 1, sizeof *list, by_address);
    for (size_t i = 0; i < c->n - 1; i++) {
        if (i == 0 || list[i] != list[i - 1])
            list[n++] = list[i];
    }
    return n;
}

static void add_calls(struct buffer *b, const struct profile *p, struct functions *f) {
    const struct calls *c = &p->calls;
    uint64_t *addresses = resize(NULL, c->n, sizeof *addresses);
    const size_t n = addresses_of(c, addresses);
    for (size_t i = 1; i < c->n; i++) {
        const uint64_t values[] = {c->list[i].samples, c->list[i].samples * (p->period ? p->period : 1)};
        uint64_t locations[CALLS_MAX];
        size_t k = 0;
        for (size_t at = i; at && c->list[i].samples; at = c->list[at].parent) {
            const uint64_t *found =
                bsearch(&c->list[at].address, addresses, n, sizeof *addresses, by_address);
            locations[k++] = (uint64_t)(found - addresses) + 1;
        }
        if (k)
            add_sample(b, locations, k, values, 2);
    }
    for (size_t i = 0; i < n; i++) {
        struct frame frames[FRAMES_MAX];
        const size_t frames_n = program_frames(p->program, addresses[i], frames);
        add_location(b, p, addresses[i], frames, frames_n, i + 1, f);
    }
    free(addresses);
}

/* Stacks of names: a location is a function. */
static void add_callers(struct buffer *b, const struct profile *p, const struct callers *callers,
                        struct functions *f) {
    uint64_t *locations = NULL;
    for (size_t i = 0; i < callers->n; i++) {
        const struct call_stack *s = &callers->list[i];
        locations = resize(locations, s->names_n, sizeof *locations);
        for (size_t k = 0; k < s->names_n; k++)
            locations[s->names_n - 1 - k] = function(f, &(struct frame){s->names[k], NULL, 0});
        add_sample(b, locations, s->names_n, &s->weight, 1);
    }
    free(locations);
    for (size_t i = 0, n = f->n; i < n; i++) {
        const struct frame frame = f->list[i];
        add_location(b, p, 0, &frame, 1, i + 1, f);
    }
}

/* The types of samples; the first is shown first */
static const char *add_types(struct buffer *b, const struct profile *p, bool cycles, struct strings *s) {
    if (cycles) {
        value_type(b, 1, s, "cycles", "cycles");
        return "cycles";
    }
    value_type(b, 1, s, "samples", "count");
    value_type(b, 1, s, p->events ? "events" : "instructions", "count");
    if (!p->events) {
        value_type(b, 1, s, "latency", "cycles");
        value_type(b, 1, s, "oldest", "cycles");
    }
    return "samples";
}

void export_pprof(struct buffer *out, const struct profile *p, const struct callers *callers) {
    const bool cycles = callers->n > 0;
    const uint64_t period = cycles ? 1 : p->period;
    struct buffer b = {0}, inner = {0};
    struct strings strings = {0};
    struct functions functions = {0};
    char lost[LOST_TEXT];
    string(&strings, "");
    const char *first = add_types(&b, p, cycles, &strings);
    if (cycles)
        add_callers(&b, p, callers, &functions);
    else if (p->calls.n)
        add_calls(&b, p, &functions);
    else
        add_spots(&b, p, &functions);
    uint64_t mapping = 1;
    for (const struct program *file = p->program; file; file = program_next(file))
        mapping = add_mappings(&b, file, &strings, mapping);
    for (size_t i = 0; i < functions.n; i++) {
        const uint64_t name = string(&strings, functions.list[i].function);
        number(&inner, 1, i + 1);
        number(&inner, 2, name);
        number(&inner, 3, name);
        number(&inner, 4, string(&strings, functions.list[i].file));
        message(&b, 5, &inner);
    }
    value_type(&b, 11, &strings,
               cycles      ? "cycles"
               : p->events ? "events"
                           : "instructions",
               cycles ? "cycles" : "count");
    number(&b, 12, period ? period : 1);
    if (!cycles && profile_lost(p, lost, sizeof lost)) {
        varint(&inner, string(&strings, lost));
        message(&b, 13, &inner); /* a comment */
    }
    number(&b, 14, string(&strings, first));
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
