/* SPDX-License-Identifier: Apache-2.0 */
#include "page_data.h"

#include "page_course.h"

#include <inttypes.h>

static void text(struct buffer *out, const char *name, const char *value) {
    buffer_print(out, ",\"%s\":\"", name);
    buffer_json(out, value);
    buffer_print(out, "\"");
}

/* Number, sum, longest, then the buckets; 0: nothing */
static void histogram(struct buffer *out, const struct histogram *h) {
    uint64_t list[3 + HISTOGRAM_BUCKETS] = {h->n, h->sum, h->max};
    for (unsigned i = 0; i < HISTOGRAM_BUCKETS; i++)
        list[3 + i] = h->bucket[i];
    if (h->n)
        buffer_numbers(out, list, 3 + HISTOGRAM_BUCKETS);
    else
        buffer_print(out, "0");
}

/* Overflows have counts alone. */
static void counts(struct buffer *out, const struct profile *p, const struct counts *c) {
    if (p->events) {
        buffer_print(out, "[%" PRIu64 "]", c->samples);
        return;
    }
    buffer_print(out, "[%" PRIu64 ",%" PRIu64 ",[", c->samples, c->flushed);
    for (unsigned i = 0; i < LATENCIES; i++) {
        buffer_print(out, i ? "," : "");
        histogram(out, &c->latency[i]);
    }
    buffer_print(out, "],");
    buffer_numbers(out, c->miss, MISSES);
    buffer_print(out, ",%" PRIu64 ",", c->memory);
    buffer_numbers(out, c->source, SOURCES);
    buffer_print(out, ",%" PRIu64 ",%" PRIu64 ",", c->transfers, c->mispredicted);
    buffer_numbers(out, c->transfer, TRANSFERS);
    buffer_print(out, "]");
}

static void spot(struct buffer *out, const struct profile *p, const struct spot *s, struct names *names) {
    buffer_print(out, "[\"%" PRIx64 "\",[", s->pc);
    for (size_t i = 0; i < s->frames_n; i++) {
        const struct frame *f = &s->frames[i];
        buffer_print(out, "%s%zu,%zu,%d", i ? "," : "", names_number(names, f->function),
                     names_number(names, f->file ? f->file : "?"), f->line);
    }
    buffer_print(out, "],");
    counts(out, p, &s->counts);
    buffer_print(out, "]");
}

static void summary(struct buffer *out, const struct run *run, const struct profile *p) {
    const struct records *r = p->records;
    struct buffer left_out = {0};
    char lost[LOST_TEXT] = "";
    profile_lost(p, lost, sizeof lost);
    profile_left_out(p, &left_out);
    buffer_zeros(&left_out, 1);
    text(out, "name", profile_name(p));
    text(out, "program", short_name(program_path(p->program)));
    text(out, "modes", profile_modes(p));
    text(out, "leftOut", (const char *)left_out.bytes);
    text(out, "lostText", lost);
    buffer_print(out,
                 ",\"events\":%s,\"interrupted\":%s,\"lost\":%" PRIu64 ",\"period\":%" PRIu64
                 ",\"xlen\":%u,\"timeClock\":%" PRIu64 ",\"coreClock\":%" PRIu64 ",\"oldest\":%" PRIu64
                 ",\"newest\":%" PRIu64 ",\"exact\":%s,\"allCycles\":%s",
                 p->events ? "true" : "false", p->interrupted ? "true" : "false", r->lost, p->period, r->xlen,
                 r->time_clock, r->core_clock, p->oldest, p->newest, r->where ? "true" : "false",
                 run->callers.n ? "true" : "false");
    if (run->slots.known) {
        buffer_print(out, ",\"slots\":");
        buffer_numbers(out, run->slots.n, SLOTS_N);
    }
    buffer_print(out, ",\"types\":");
    buffer_numbers(out, p->type, SAMPLE_TYPES);
    buffer_print(out, ",\"flushes\":");
    buffer_numbers(out, p->flush, 4);
    buffer_print(out, ",\"all\":");
    counts(out, p, &p->all);
    buffer_free(&left_out);
}

/* Names, the outermost first, and their weight */
static void callers(struct buffer *out, const struct callers *c, struct names *names) {
    if (!c->n)
        return;
    buffer_print(out, "\"callers\":[");
    for (size_t i = 0; i < c->n; i++) {
        buffer_print(out, i ? ",\n[[" : "[[");
        for (size_t k = 0; k < c->list[i].names_n; k++)
            buffer_print(out, "%s%zu", k ? "," : "", names_number(names, c->list[i].names[k]));
        buffer_print(out, "],%" PRIu64 "]", c->list[i].weight);
    }
    buffer_print(out, "],");
}

void page_profile(struct buffer *out, struct run *run, const struct profile *p, size_t pair,
                  struct names *names) {
    buffer_print(out, "{\"pair\":%zu", pair);
    summary(out, run, p);
    buffer_print(out, ",\"spots\":[");
    for (size_t i = 0; i < p->spots_n; i++) {
        buffer_print(out, i ? ",\n" : "");
        spot(out, p, &p->spots[i], names);
    }
    buffer_print(out, "],");
    if (run->callers.n && p == run->profiles) { /* the others of the pair share them */
        callers(out, &run->callers, names);
    } else if (!run->callers.n && p->calls.n) {
        struct callers own;
        calls_names(&p->calls, p->program, CALLERS_MAX, &own);
        callers(out, &own, names);
        callers_free(&own);
    }
    page_course(out, run, p, names);
    buffer_print(out, "}");
}
