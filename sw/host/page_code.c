/* SPDX-License-Identifier: Apache-2.0 */
/* Disassembly and source lines of the functions in which samples are. */
#include "disassembly.h"
#include "file.h"
#include "page_data.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum {
    SHOWN_PER_MILLE = 990, /* of the samples, in the functions that are shown */
    FUNCTIONS_MAX = 40,
    CODE_MAX = 32 << 20, /* bytes of code that are disassembled at most */
    AROUND = 4,          /* lines before and behind one that is referred to */
    SOURCE_MAX = 4 << 20,
    LINES_MAX = 100000
};

struct wanted {
    const char *file;
    int line;
};

struct sources {
    struct wanted *list;
    size_t n, room;
};

struct sources *sources_new(void) {
    struct sources *s = resize(NULL, 1, sizeof *s);
    *s = (struct sources){0};
    return s;
}

void sources_free(struct sources *s) {
    free(s->list);
    free(s);
}

static void want(struct sources *s, const char *file, int line) {
    if (!file || line <= 0 || line > LINES_MAX)
        return;
    if (s->n == s->room)
        s->list = resize(s->list, s->room = s->room * 2 + 256, sizeof *s->list);
    s->list[s->n++] = (struct wanted){file, line};
}

/* A function with samples */
struct place {
    const struct program *file;
    const char *name;
    uint64_t begin, samples;
};

static int place_by_begin(const void *left, const void *right) {
    const struct place *a = left, *b = right;
    return a->begin < b->begin ? -1 : a->begin > b->begin;
}

static int place_by_samples(const void *left, const void *right) {
    const struct place *a = left, *b = right;
    return a->samples != b->samples ? (a->samples > b->samples ? -1 : 1) : place_by_begin(left, right);
}

/* The functions that have most of the samples, by address */
static struct place *hot_places(const struct run *run, size_t *places_n) {
    struct place *list = NULL;
    uint64_t all = 0, shown = 0;
    size_t n = 0, sums = 0, hot = 0;
    for (size_t k = 0; k < run->n; k++) {
        const struct profile *p = &run->profiles[k];
        list = resize(list, n + p->spots_n, sizeof *list);
        for (size_t i = 0; i < p->spots_n; i++) {
            uint64_t offset;
            const char *name = program_symbol(run->program, p->spots[i].pc, &offset);
            if (!name)
                continue;
            list[n++] = (struct place){program_at(run->program, p->spots[i].pc), name,
                                       p->spots[i].pc - offset, p->spots[i].counts.samples};
        }
    }
    if (n)
        qsort(list, n, sizeof *list, place_by_begin);
    for (size_t i = 0; i < n; i++) {
        all += list[i].samples;
        if (sums && list[sums - 1].begin == list[i].begin)
            list[sums - 1].samples += list[i].samples;
        else
            list[sums++] = list[i];
    }
    if (sums)
        qsort(list, sums, sizeof *list, place_by_samples);
    while (hot < sums && hot < FUNCTIONS_MAX && shown * 1000 < all * SHOWN_PER_MILLE)
        shown += list[hot++].samples;
    if (hot)
        qsort(list, hot, sizeof *list, place_by_begin);
    *places_n = hot;
    return list;
}

/* A row an instruction: bytes behind the one before, text, and the line where it is another one */
static void write_function(struct buffer *out, const struct place *place, const struct disassembly *d,
                           size_t from, struct names *names, struct sources *sources) {
    uint64_t before = place->begin;
    const char *file = NULL;
    int line = 0;
    bool first = true;
    buffer_print(out, "[%zu,\"%" PRIx64 "\",[", names_number(names, place->name), place->begin);
    for (size_t i = from; i < d->n; i++) {
        struct frame frames[FRAMES_MAX];
        uint64_t offset;
        const uint64_t address = d->list[i].address;
        if (!program_symbol(place->file, address, &offset) || address - offset != place->begin)
            break;
        program_frames(place->file, address, frames);
        buffer_print(out, "%s[%" PRIu64 ",\"", first ? "" : ",\n", address - before);
        buffer_json(out, d->list[i].text);
        buffer_print(out, "\"");
        if (frames[0].file &&
            (first || frames[0].line != line || !file || strcmp(file, frames[0].file) != 0)) {
            buffer_print(out, ",%zu,%d", names_number(names, frames[0].file), frames[0].line);
            want(sources, frames[0].file, frames[0].line);
        }
        buffer_print(out, "]");
        file = frames[0].file;
        line = frames[0].line;
        before = address;
        first = false;
    }
    buffer_print(out, "]]");
}

/* The places of one file, `n` of them; false: why not */
static bool write_file(struct buffer *out, const struct place *places, size_t n, const char *objdump,
                       struct names *names, struct sources *sources, struct error *error) {
    enum { BEHIND = 1 << 16 }; /* of the last function its beginning is known, not its end */
    struct disassembly d;
    const uint64_t begin = places[0].begin, end = places[n - 1].begin + BEHIND;
    if (end - begin > CODE_MAX)
        return error_set(error, "%s: hot functions are too far apart to disassemble",
                         short_name(program_path(places[0].file)));
    if (!disassembly_read(&d, objdump, places[0].file, begin, end, error))
        return false;
    for (size_t i = 0, k = 0; k < n; i++) {
        while (k < n && (i == d.n || places[k].begin < d.list[i].address)) /* missing in objdump's output */
            k++;
        if (k == n || i == d.n)
            break;
        if (places[k].begin != d.list[i].address)
            continue;
        buffer_print(out, out->bytes[out->size - 1] == '[' ? "" : ",");
        write_function(out, &places[k++], &d, i, names, sources);
    }
    disassembly_free(&d);
    return true;
}

static bool same_file(const struct place *a, const struct place *b) {
    return strcmp(program_path(a->file), program_path(b->file)) == 0;
}

void page_code(struct buffer *out, const struct run *run, const char *objdump, struct names *names,
               struct sources *sources) {
    struct error why = {""};
    size_t n;
    struct place *places = hot_places(run, &n);
    for (size_t k = 0; k < run->n; k++) {
        const struct profile *p = &run->profiles[k];
        for (size_t i = 0; i < p->spots_n; i++)
            want(sources, p->spots[i].frames[0].file, p->spots[i].frames[0].line);
    }
    buffer_print(out, "{\"functions\":[");
    for (size_t begin = 0, end; objdump && begin < n; begin = end) {
        for (end = begin + 1; end < n && same_file(&places[begin], &places[end]);)
            end++;
        write_file(out, places + begin, end - begin, objdump, names, sources, &why);
    }
    buffer_print(out, "],\"why\":\"");
    buffer_json(out, why.text);
    buffer_print(out, "\"}");
    free(places);
}

/* ------------------------------------------------------------------------------------------------- sources
 */

static int wanted_by_place(const void *left, const void *right) {
    const struct wanted *a = left, *b = right;
    const int files = strcmp(a->file, b->file);
    return files ? files : (a->line > b->line) - (a->line < b->line);
}

/* One line as JSON, tabs as blanks */
static void write_line(struct buffer *out, const char *text, size_t n) {
    struct buffer line = {0};
    for (size_t i = 0, column = 0; i < n && text[i] != '\r'; i++, column++) {
        const size_t blanks = text[i] == '\t' ? 8 - column % 8 : 0;
        if (blanks)
            buffer_add(&line, "        ", blanks);
        else
            buffer_add(&line, text + i, 1);
        column += blanks ? blanks - 1 : 0;
    }
    buffer_zeros(&line, 1);
    buffer_print(out, "\"");
    buffer_json(out, (const char *)line.bytes);
    buffer_print(out, "\"");
    buffer_free(&line);
}

/* Pieces of neighbouring lines: [first line, [texts]] */
static void write_lines(struct buffer *out, const struct file *file, const struct wanted *list, size_t n) {
    const char *at = (const char *)file->bytes, *end = at + file->size;
    int shown_to = 0;
    size_t next = 0;
    bool open = false, any = false;
    for (int line = 1; at < end; line++) {
        const char *newline = memchr(at, '\n', (size_t)(end - at));
        const size_t length = (size_t)((newline ? newline : end) - at);
        while (next < n && list[next].line - AROUND <= line)
            shown_to = list[next++].line + AROUND;
        if (line <= shown_to) {
            if (!open)
                buffer_print(out, "%s[%d,[", any ? "," : "", line);
            else
                buffer_print(out, ",");
            write_line(out, at, length);
            open = any = true;
        } else if (open) {
            buffer_print(out, "]]");
            open = false;
        }
        at += length + (newline ? 1 : 0);
    }
    buffer_print(out, open ? "]]" : "");
}

void page_sources(struct buffer *out, struct sources *s, struct names *names) {
    bool any = false;
    if (s->n)
        qsort(s->list, s->n, sizeof *s->list, wanted_by_place);
    buffer_print(out, "[");
    for (size_t begin = 0, end; begin < s->n; begin = end) {
        struct file file;
        struct error none;
        for (end = begin + 1; end < s->n && strcmp(s->list[begin].file, s->list[end].file) == 0;)
            end++;
        if (!file_read(&file, s->list[begin].file, SOURCE_MAX, &none))
            continue;
        buffer_print(out, "%s[%zu,[", any ? ",\n" : "", names_number(names, s->list[begin].file));
        write_lines(out, &file, s->list + begin, end - begin);
        buffer_print(out, "]]");
        file_free(&file);
        any = true;
    }
    buffer_print(out, "]");
}
