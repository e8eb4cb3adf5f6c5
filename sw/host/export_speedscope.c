/* SPDX-License-Identifier: Apache-2.0 */
/* The file format of speedscope.app: frames once, then a profile of stacks (the outermost first) and weights
 * a value. A frame is a function, without its lines: the tool sums equal frames. */
#include "export.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct frames {
    struct frame *list;
    size_t n;
};

static size_t frame_index(struct frames *f, const struct frame *frame) {
    for (size_t i = 0; i < f->n; i++) {
        const char *a = f->list[i].file, *b = frame->file;
        if (strcmp(f->list[i].function, frame->function) == 0 && (a == b || (a && b && strcmp(a, b) == 0)))
            return i;
    }
    f->list = resize(f->list, f->n + 1, sizeof *f->list);
    f->list[f->n] = *frame;
    return f->n++;
}

static void add_frames(struct buffer *out, const struct frames *f) {
    for (size_t i = 0; i < f->n; i++) {
        buffer_print(out, "%s{\"name\":\"", i ? "," : "");
        buffer_json(out, f->list[i].function);
        buffer_print(out, "\"");
        if (f->list[i].file) {
            buffer_print(out, ",\"file\":\"");
            buffer_json(out, f->list[i].file);
            buffer_print(out, "\"");
        }
        buffer_print(out, "}");
    }
}

static uint64_t samples_of(const struct counts *c) { return c->samples; }
static uint64_t latency_of(const struct counts *c) { return c->latency[LATENCY_TOTAL].sum; }
static uint64_t oldest_of(const struct counts *c) { return c->latency[LATENCY_OLDEST].sum; }

static const struct value {
    const char *name;
    uint64_t (*of)(const struct counts *c);
} values[] = {
    {"samples", samples_of}, {"cycles of latency", latency_of}, {"cycles as the oldest", oldest_of}};
enum { VALUES = sizeof values / sizeof *values };

void export_speedscope(struct buffer *out, const struct profile *p) {
    struct frames frames = {0};
    struct buffer stacks = {0};
    char lost[LOST_TEXT];
    for (size_t i = 0; i < p->spots_n; i++) {
        buffer_print(&stacks, "%s[", i ? "," : "");
        for (size_t k = p->spots[i].frames_n; k-- > 0;)
            buffer_print(&stacks, "%zu%s", frame_index(&frames, &p->spots[i].frames[k]), k ? "," : "");
        buffer_print(&stacks, "]");
    }
    buffer_print(out, "{\"$schema\":\"https://www.speedscope.app/file-format-schema.json\",\"name\":\"");
    buffer_json(out, p->records->name);
    if (profile_lost(p, lost, sizeof lost))
        buffer_print(out, " (%s)", lost);
    buffer_print(out, "\",\"exporter\":\"tally-profile\",\"activeProfileIndex\":0,\"shared\":{\"frames\":[");
    add_frames(out, &frames);
    buffer_print(out, "]},\"profiles\":[");
    for (unsigned v = 0; v < VALUES; v++) {
        buffer_print(out,
                     "%s\n{\"type\":\"sampled\",\"name\":\"%s\",\"unit\":\"none\",\"startValue\":0,"
                     "\"endValue\":%" PRIu64 ",\"samples\":[",
                     v ? "," : "", values[v].name, values[v].of(&p->all));
        buffer_add(out, stacks.bytes, stacks.size);
        buffer_print(out, "],\"weights\":[");
        for (size_t i = 0; i < p->spots_n; i++)
            buffer_print(out, "%s%" PRIu64, i ? "," : "", values[v].of(&p->spots[i].counts));
        buffer_print(out, "]}");
    }
    buffer_print(out, "]}\n");
    buffer_free(&stacks);
    free(frames.list);
}
