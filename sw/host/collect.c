/* SPDX-License-Identifier: Apache-2.0 */
/* Records into profiles, while they are read. */
#include "profile.h"

#include <stdlib.h>
#include <string.h>

enum { EVENTS, INTERRUPTS, INSTRUCTIONS, KINDS };

/* A profile that grows: its spots in the order in which they came, found by a table of hashes. */
struct growing {
    struct profile profile;
    size_t room;
    size_t *table; /* index of a spot + 1, 0: free; a power of two of them */
    size_t table_n;
    bool *machine; /* by spot: left out */
};

static size_t slot_of(const struct growing *g, uint64_t pc) {
    size_t slot = (size_t)(pc * 0x9e3779b97f4a7c15u >> 20) & (g->table_n - 1);
    while (g->table[slot] && g->profile.spots[g->table[slot] - 1].pc != pc)
        slot = (slot + 1) & (g->table_n - 1);
    return slot;
}

static void grow(struct growing *g) {
    struct profile *p = &g->profile;
    g->room = g->room ? g->room * 2 : 64;
    p->spots = resize(p->spots, g->room, sizeof *p->spots);
    g->machine = resize(g->machine, g->room, sizeof *g->machine);
    free(g->table);
    g->table_n = 4 * g->room;
    g->table = resize(NULL, g->table_n, sizeof *g->table);
    memset(g->table, 0, g->table_n * sizeof *g->table);
    for (size_t i = 0; i < p->spots_n; i++)
        g->table[slot_of(g, p->spots[i].pc)] = i + 1;
}

/* The index of the spot of pc; the program is asked about it once. */
static size_t spot_of(struct growing *g, uint64_t pc, bool leave_out) {
    struct profile *p = &g->profile;
    struct frame frames[FRAMES_MAX];
    if (p->spots_n == g->room)
        grow(g);
    const size_t slot = slot_of(g, pc);
    if (g->table[slot])
        return g->table[slot] - 1;
    const size_t index = p->spots_n++;
    struct spot *spot = &p->spots[index];
    g->table[slot] = index + 1;
    g->machine[index] = leave_out && program_is_machine(p->program, pc);
    *spot = (struct spot){.pc = pc, .frames_n = program_frames(p->program, pc, frames)};
    if (g->machine[index]) { /* by symbol, not by inlined functions */
        frames[0] = frames[spot->frames_n - 1];
        spot->frames_n = 1;
    }
    spot->frames = resize(NULL, spot->frames_n, sizeof *frames);
    memcpy(spot->frames, frames, spot->frames_n * sizeof *frames);
    return index;
}

static void add(struct growing *g, const struct sample *s, bool leave_out) {
    struct profile *p = &g->profile;
    const size_t index = spot_of(g, p->interrupted ? s->adr1 : s->pc, leave_out);
    if (g->machine[index]) {
        p->spots[index].counts.samples += s->weight;
        return;
    }
    if (p->events && p->records->version >= 3) {
        uint64_t stack[CALLS_MAX];
        calls_add(&p->calls, stack, calls_of(p->program, s, p->interrupted, stack), s->weight);
    }
    counts_add(&p->spots[index].counts, s);
    counts_add(&p->all, s);
    p->type[SAMPLE_HEADER(s, TYPE)] += s->weight;
    if (SAMPLE_HEADER(s, FLUSHED))
        p->flush[SAMPLE_HEADER(s, FLUSH)]++;
}

/* ----------------------------------------------------------------------------------- when all are read */

static int left_out_by_name(const void *left, const void *right) {
    return strcmp(((const struct left_out *)left)->name, ((const struct left_out *)right)->name);
}

static int left_out_by_samples(const void *left, const void *right) {
    const struct left_out *a = left, *b = right;
    return a->samples != b->samples ? (a->samples > b->samples ? -1 : 1) : strcmp(a->name, b->name);
}

/* The spots that are left out leave, and are added up by function. */
static void part(struct growing *g) {
    struct profile *p = &g->profile;
    size_t shown = 0, n = 0;
    for (size_t i = 0; i < p->spots_n; i++) {
        if (!g->machine[i]) {
            p->spots[shown++] = p->spots[i];
            continue;
        }
        p->left_out = resize(p->left_out, p->left_out_n + 1, sizeof *p->left_out);
        p->left_out[p->left_out_n++] =
            (struct left_out){p->spots[i].frames[0].function, p->spots[i].counts.samples};
        free(p->spots[i].frames);
    }
    p->spots_n = shown;
    if (!p->left_out_n)
        return;
    qsort(p->left_out, p->left_out_n, sizeof *p->left_out, left_out_by_name);
    for (size_t i = 0; i < p->left_out_n; i++) {
        if (n && strcmp(p->left_out[n - 1].name, p->left_out[i].name) == 0)
            p->left_out[n - 1].samples += p->left_out[i].samples;
        else
            p->left_out[n++] = p->left_out[i];
    }
    p->left_out_n = n;
    qsort(p->left_out, n, sizeof *p->left_out, left_out_by_samples);
}

static int spot_by_pc(const void *left, const void *right) {
    const uint64_t a = ((const struct spot *)left)->pc, b = ((const struct spot *)right)->pc;
    return a < b ? -1 : a > b;
}

static int hotter(const void *left, const void *right, void *spots) {
    const size_t a = *(const size_t *)left, b = *(const size_t *)right;
    const uint64_t of_a = ((const struct spot *)spots)[a].counts.samples,
                   of_b = ((const struct spot *)spots)[b].counts.samples;
    return of_a != of_b ? (of_a > of_b ? -1 : 1) : a < b ? -1 : 1;
}

static void sort_spots(struct profile *p) {
    p->hottest = resize(NULL, p->spots_n, sizeof *p->hottest);
    for (size_t i = 0; i < p->spots_n; i++)
        p->hottest[i] = i;
    if (!p->spots_n)
        return;
    qsort(p->spots, p->spots_n, sizeof *p->spots, spot_by_pc);
    qsort_r(p->hottest, p->spots_n, sizeof *p->hottest, hotter, p->spots);
}

struct key {
    const char *name;
    int line;
    size_t spot;
};

static int key_by_name(const void *left, const void *right) {
    const struct key *a = left, *b = right;
    const int names = strcmp(a->name, b->name);
    return names ? names : (a->line > b->line) - (a->line < b->line);
}

static int row_by_samples(const void *left, const void *right) {
    const struct row *a = left, *b = right;
    if (a->counts.samples != b->counts.samples)
        return a->counts.samples > b->counts.samples ? -1 : 1;
    const int names = strcmp(a->name, b->name);
    return names ? names : (a->line > b->line) - (a->line < b->line);
}

static struct row *make_rows(const struct profile *p, bool lines, size_t *rows_n) {
    struct key *keys = resize(NULL, p->spots_n, sizeof *keys);
    struct row *rows = NULL;
    size_t n = 0, room = 0;
    for (size_t i = 0; i < p->spots_n; i++) {
        const struct frame *f = &p->spots[i].frames[0];
        keys[i] = (struct key){lines ? (f->file ? f->file : "?") : f->function, lines ? f->line : 0, i};
    }
    if (p->spots_n)
        qsort(keys, p->spots_n, sizeof *keys, key_by_name);
    for (size_t i = 0; i < p->spots_n; i++) {
        if (n == 0 || key_by_name(&keys[i - 1], &keys[i]) != 0) {
            if (n == room)
                rows = resize(rows, room = room * 2 + 16, sizeof *rows);
            rows[n++] = (struct row){keys[i].name, keys[i].line, {0}};
        }
        counts_merge(&rows[n - 1].counts, &p->spots[keys[i].spot].counts);
    }
    if (n)
        qsort(rows, n, sizeof *rows, row_by_samples);
    free(keys);
    *rows_n = n;
    return rows;
}

static void finish(struct growing *g) {
    struct profile *p = &g->profile;
    part(g);
    sort_spots(p);
    p->functions = make_rows(p, false, &p->functions_n);
    p->lines = make_rows(p, true, &p->lines_n);
}

static void free_profile(struct profile *p) {
    for (size_t i = 0; i < p->spots_n; i++)
        free(p->spots[i].frames);
    free(p->spots);
    free(p->hottest);
    free(p->functions);
    free(p->lines);
    calls_free(&p->calls);
    free(p->left_out);
}

/* ------------------------------------------------------------------------------------------------ the run */

static bool read_all(struct growing *kinds, struct run *run, struct error *error) {
    const bool leave_out = run->records.modes && !(run->records.modes & MODE_M);
    uint64_t oldest = UINT64_MAX, newest = 0, samples = 0;
    enum reading reading;
    struct reader reader;
    struct sample s;
    reader_start(&reader, &run->records);
    while ((reading = reader_next(&reader, &s, error)) == READING_RECORD) {
        add(&kinds[sample_is_event(&s) ? EVENTS : INSTRUCTIONS], &s, leave_out);
        if (run->interrupts && sample_is_event(&s))
            add(&kinds[INTERRUPTS], &s, leave_out);
        samples += s.weight;
        oldest = s.time < oldest ? s.time : oldest;
        newest = s.time > newest ? s.time : newest;
    }
    for (unsigned i = 0; i < KINDS; i++) {
        kinds[i].profile.oldest = oldest;
        kinds[i].profile.newest = newest;
        kinds[i].profile.read = samples;
    }
    return reading == READING_END;
}

bool run_read(struct run *run, struct error *error) {
    struct growing kinds[KINDS];
    memset(kinds, 0, sizeof kinds);
    run->n = 0;
    for (unsigned i = 0; i < KINDS; i++) {
        kinds[i].profile.records = &run->records;
        kinds[i].profile.program = run->program;
        kinds[i].profile.events = i != INSTRUCTIONS;
        kinds[i].profile.interrupted = i == INTERRUPTS;
    }
    const bool ok = read_all(kinds, run, error);
    const bool events = kinds[EVENTS].profile.spots_n > 0;
    for (unsigned i = 0; i < KINDS; i++) {
        struct profile *p = &kinds[i].profile;
        /* With both the header's period is that of the overflows. */
        p->period = p->events || !events ? run->records.period : 0;
        if (ok && p->spots_n) {
            finish(&kinds[i]);
            run->profiles[run->n++] = *p;
        } else {
            free_profile(p);
        }
        free(kinds[i].table);
        free(kinds[i].machine);
    }
    return ok;
}

void run_free_profiles(struct run *run) {
    while (run->n)
        free_profile(&run->profiles[--run->n]);
}
