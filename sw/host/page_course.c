/* SPDX-License-Identifier: Apache-2.0 */
/* The run's course in time, and its memory accesses: from the records, read once more. */
#include "page_course.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { BINS = 240, SERIES = 7, PAGE_BITS = 12, PAGES_MAX = 4096, SHOWN = 200, POINTS = 1200 };

/* In each part of the time; a series a hot function */
struct timeline {
    uint64_t begin, width; /* in `time` */
    uint64_t samples[BINS], total[BINS], oldest[BINS], misses[BINS], memory[BINS], mispredicted[BINS];
    uint64_t series[SERIES][BINS];
    size_t series_n;
    unsigned char *series_of; /* by spot, SERIES: none */
};

/* Accesses to a page of 4 KiB, or to an object */
struct place {
    uint64_t address;
    const char *name;
    uint64_t accesses, stores, missed_cache, missed_tlb, cycles, source[SOURCES];
};

struct places {
    struct place *list;
    size_t n, room, most;
    size_t *table, table_n;
};

struct course {
    struct timeline time;
    struct places pages, objects;
    uint64_t accesses, every; /* every how many accesses a point is shown */
    struct buffer points;
};

static void time_start(struct timeline *t, const struct profile *p) {
    const uint64_t span = p->newest >= p->oldest ? p->newest - p->oldest : 0;
    t->begin = p->oldest;
    t->width = span / BINS + 1;
    t->series_n = p->functions_n < SERIES ? p->functions_n : SERIES;
    t->series_of = resize(NULL, p->spots_n, 1);
    for (size_t i = 0; i < p->spots_n; i++) {
        t->series_of[i] = SERIES;
        for (size_t k = 0; k < t->series_n; k++) {
            if (strcmp(p->functions[k].name, p->spots[i].frames[0].function) == 0)
                t->series_of[i] = (unsigned char)k;
        }
    }
}

static void time_add(struct timeline *t, const struct sample *s, size_t spot) {
    const size_t bin = (size_t)((s->time - t->begin) / t->width);
    t->samples[bin]++;
    t->total[bin] += SAMPLE_LATENCY(s, TOTAL);
    t->oldest[bin] += SAMPLE_LATENCY(s, OLDV) ? SAMPLE_LATENCY(s, OLDEST) : 0;
    t->memory[bin] += sample_is_memory(s);
    t->misses[bin] += sample_is_memory(s) && SAMPLE_HEADER(s, L1MISS);
    t->mispredicted[bin] += sample_is_transfer(s) && SAMPLE_HEADER(s, MISPRED);
    if (t->series_of[spot] < SERIES)
        t->series[t->series_of[spot]][bin]++;
}

static struct place *place_of(struct places *p, uint64_t address, const char *name) {
    if (!p->table) {
        p->table_n = 4 * p->most;
        p->table = resize(NULL, p->table_n, sizeof *p->table);
        memset(p->table, 0, p->table_n * sizeof *p->table);
    }
    size_t slot = (size_t)((address ^ (uintptr_t)name) * 0x9e3779b97f4a7c15u >> 30) % p->table_n;
    for (; p->table[slot]; slot = (slot + 1) % p->table_n) {
        struct place *found = &p->list[p->table[slot] - 1];
        if (found->address == address && found->name == name)
            return found;
    }
    if (p->n == p->most)
        return NULL;
    if (p->n == p->room)
        p->list = resize(p->list, p->room = p->room * 2 + 64, sizeof *p->list);
    p->list[p->n++] = (struct place){.address = address, .name = name};
    p->table[slot] = p->n;
    return &p->list[p->n - 1];
}

static void place_add(struct place *p, const struct sample *s) {
    if (!p)
        return;
    p->accesses++;
    p->stores += SAMPLE_HEADER(s, TYPE) == SAMPLE_STORE;
    p->missed_cache += SAMPLE_HEADER(s, L1MISS);
    p->missed_tlb += SAMPLE_HEADER(s, L1TLBMISS);
    p->cycles += SAMPLE_LATENCY(s, EXECV) ? SAMPLE_LATENCY(s, EXECUTION) : 0;
    p->source[SAMPLE_HEADER(s, DSRC)]++;
}

static void memory_add(struct course *c, const struct sample *s, const struct profile *p) {
    const uint64_t address = sample_data_address(s);
    if (!sample_is_memory(s) || !address)
        return;
    const char *object = program_object(p->program, address);
    place_add(place_of(&c->pages, address >> PAGE_BITS << PAGE_BITS, NULL), s);
    place_add(place_of(&c->objects, 0, object ? object : "elsewhere (stack, heap, devices)"), s);
    if (c->accesses++ % c->every == 0)
        buffer_print(&c->points, "%s[%" PRIu64 ",\"%" PRIx64 "\",%u,%u]", c->points.size ? "," : "",
                     s->time - p->oldest, address, (unsigned)SAMPLE_HEADER(s, DSRC),
                     (unsigned)SAMPLE_LATENCY(s, EXECUTION));
}

static int most_accesses(const void *left, const void *right) {
    const struct place *a = left, *b = right;
    if (a->accesses != b->accesses)
        return a->accesses > b->accesses ? -1 : 1;
    if (a->address != b->address)
        return a->address < b->address ? -1 : 1;
    return a->name && b->name ? strcmp(a->name, b->name) : 0;
}

/* The hottest places; the rest is one sum. */
static void write_places(struct buffer *out, struct places *p, struct names *names) {
    if (p->n)
        qsort(p->list, p->n, sizeof *p->list, most_accesses);
    buffer_print(out, "[");
    for (size_t i = 0; i < p->n && i < SHOWN; i++) {
        const struct place *at = &p->list[i];
        buffer_print(out, i ? ",[" : "[");
        if (at->name)
            buffer_print(out, "%zu", names_number(names, at->name));
        else
            buffer_print(out, "\"%" PRIx64 "\"", at->address);
        buffer_print(out, ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",", at->accesses,
                     at->stores, at->missed_cache, at->missed_tlb, at->cycles);
        buffer_numbers(out, at->source, SOURCES);
        buffer_print(out, "]");
    }
    buffer_print(out, "]");
    free(p->list);
    free(p->table);
}

static void write_bins(struct buffer *out, const char *name, const uint64_t *bins) {
    buffer_print(out, ",\"%s\":", name);
    buffer_numbers(out, bins, BINS);
}

static void write_time(struct buffer *out, const struct timeline *t, const struct profile *p,
                       struct names *names) {
    buffer_print(out, "\"timeline\":{\"bins\":%d,\"width\":%" PRIu64, BINS, t->width);
    write_bins(out, "samples", t->samples);
    if (!p->events) {
        write_bins(out, "total", t->total);
        write_bins(out, "oldest", t->oldest);
        write_bins(out, "memory", t->memory);
        write_bins(out, "misses", t->misses);
        write_bins(out, "mispredicted", t->mispredicted);
    }
    buffer_print(out, ",\"functions\":[");
    for (size_t i = 0; i < t->series_n; i++) {
        buffer_print(out, "%s[%zu,", i ? "," : "", names_number(names, p->functions[i].name));
        buffer_numbers(out, t->series[i], BINS);
        buffer_print(out, "]");
    }
    buffer_print(out, "]}");
}

void page_course(struct buffer *out, struct run *run, const struct profile *p, struct names *names) {
    struct course *c = resize(NULL, 1, sizeof *c);
    struct reader reader;
    struct error none;
    struct sample s;
    *c = (struct course){
        .pages.most = PAGES_MAX, .objects.most = PAGES_MAX, .every = p->all.memory / POINTS + 1};
    time_start(&c->time, p);
    reader_start(&reader, &run->records);
    while (reader_next(&reader, &s, &none) == READING_RECORD) {
        const struct spot *spot = profile_spot_of(p, &s);
        if (!spot || run->records.where)
            continue;
        time_add(&c->time, &s, (size_t)(spot - p->spots));
        memory_add(c, &s, p);
    }
    write_time(out, &c->time, p, names);
    buffer_print(out, ",\"memory\":{\"every\":%" PRIu64 ",\"pages\":", c->every);
    write_places(out, &c->pages, names);
    buffer_print(out, ",\"objects\":");
    write_places(out, &c->objects, names);
    buffer_print(out, ",\"points\":[");
    buffer_add(out, c->points.bytes, c->points.size);
    buffer_print(out, "]}");
    buffer_free(&c->points);
    free(c->time.series_of);
    free(c);
}
