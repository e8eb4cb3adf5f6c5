/* SPDX-License-Identifier: Apache-2.0 */
#include "profile.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

const char *const latency_names[LATENCIES] = {"dispatch", "issue", "execution", "oldest", "total"};
const char *const transfer_names[TRANSFERS] = {"trap return",         "branch not taken", "branch taken",
                                               "indirect call",       "direct call",      "indirect jump",
                                               "direct jump",         "co-routine",       "return",
                                               "indirect jump, link", "direct jump, link"};
const char *const miss_names[MISSES] = {"ITLB", "L1I", "L1D", "last-level cache", "DTLB", "last-level TLB"};
const char *const flush_names[4] = {"other", "branch misprediction", "memory ordering", "3"};

const char *source_name(unsigned code) {
    static const char *const texts[] = TALLY_DSRC_TEXTS;
    return code < TALLY_DSRC_N ? texts[code] : "unknown";
}

enum transfer sample_transfer(const struct sample *s) {
    static const unsigned bits[TRANSFERS] = {
        TALLY_PDISHDREV_TRET_LSB,    TALLY_PDISHDREV_NTBR_LSB,    TALLY_PDISHDREV_TKBR_LSB,
        TALLY_PDISHDREV_INDCALL_LSB, TALLY_PDISHDREV_DIRCALL_LSB, TALLY_PDISHDREV_INDJMP_LSB,
        TALLY_PDISHDREV_DIRJMP_LSB,  TALLY_PDISHDREV_CORSWAP_LSB, TALLY_PDISHDREV_RET_LSB,
        TALLY_PDISHDREV_INDLJMP_LSB, TALLY_PDISHDREV_DIRLJMP_LSB};
    if (!sample_is_transfer(s))
        return TRANSFERS;
    for (unsigned i = 0; i < TRANSFERS; i++) {
        if (s->header >> bits[i] & 1)
            return (enum transfer)i;
    }
    return TRANSFERS;
}

const char *short_name(const char *path) {
    const char *slash = path ? strrchr(path, '/') : NULL;
    return slash ? slash + 1 : path ? path : "?";
}

static void count(struct counts *c, const struct sample *s) {
    c->samples++;
    c->flushed += SAMPLE_HEADER(s, FLUSHED);
#define ADD(which, name, valid)                                                                              \
    if (valid)                                                                                               \
    histogram_add(&c->latency[which], (unsigned)SAMPLE_LATENCY(s, name))
    ADD(LATENCY_DISPATCH, DISPATCH, SAMPLE_LATENCY(s, DISPV));
    ADD(LATENCY_ISSUE, ISSUE, SAMPLE_LATENCY(s, ISSV));
    ADD(LATENCY_EXECUTION, EXECUTION, SAMPLE_LATENCY(s, EXECV));
    ADD(LATENCY_OLDEST, OLDEST, SAMPLE_LATENCY(s, OLDV));
    ADD(LATENCY_TOTAL, TOTAL, true);
#undef ADD
    c->miss[MISS_ITLB] += SAMPLE_HEADER(s, ITMISS);
    c->miss[MISS_ICACHE] += SAMPLE_HEADER(s, ICMISS);
    if (sample_is_memory(s)) {
        c->memory++;
        c->miss[MISS_L1] += SAMPLE_HEADER(s, L1MISS);
        c->miss[MISS_LL] += SAMPLE_HEADER(s, LLMISS);
        c->miss[MISS_L1TLB] += SAMPLE_HEADER(s, L1TLBMISS);
        c->miss[MISS_LLTLB] += SAMPLE_HEADER(s, LLTLBMISS);
        c->source[SAMPLE_HEADER(s, DSRC)]++;
    } else if (sample_is_transfer(s)) {
        const enum transfer kind = sample_transfer(s);
        c->transfers++;
        if (kind < TRANSFERS)
            c->transfer[kind]++;
        c->mispredicted += SAMPLE_HEADER(s, MISPRED);
    }
}

static void merge(struct counts *to, const struct counts *from) {
    to->samples += from->samples;
    to->flushed += from->flushed;
    for (unsigned i = 0; i < LATENCIES; i++)
        histogram_merge(&to->latency[i], &from->latency[i]);
    for (unsigned i = 0; i < MISSES; i++)
        to->miss[i] += from->miss[i];
    for (unsigned i = 0; i < SOURCES; i++)
        to->source[i] += from->source[i];
    for (unsigned i = 0; i < TRANSFERS; i++)
        to->transfer[i] += from->transfer[i];
    to->memory += from->memory;
    to->transfers += from->transfers;
    to->mispredicted += from->mispredicted;
}

static int by_number(const void *left, const void *right) {
    const uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;
    return a < b ? -1 : a > b;
}

static int row_by_name(const void *left, const void *right) {
    const struct row *a = left, *b = right;
    const int names = strcmp(a->name, b->name);
    return names ? names : (a->line > b->line) - (a->line < b->line);
}

static int row_by_samples(const void *left, const void *right) {
    const struct row *a = left, *b = right;
    if (a->counts.samples != b->counts.samples)
        return a->counts.samples > b->counts.samples ? -1 : 1;
    return row_by_name(left, right);
}

static int spot_by_pc(const void *key, const void *member) {
    const uint64_t pc = *(const uint64_t *)key, other = ((const struct spot *)member)->pc;
    return pc < other ? -1 : pc > other;
}

struct rank {
    uint64_t samples;
    size_t index;
};

static int rank_by_samples(const void *left, const void *right) {
    const struct rank *a = left, *b = right;
    if (a->samples != b->samples)
        return a->samples > b->samples ? -1 : 1;
    return a->index < b->index ? -1 : 1;
}

static struct spot *find(const struct profile *p, uint64_t pc) {
    return p->spots_n ? bsearch(&pc, p->spots, p->spots_n, sizeof *p->spots, spot_by_pc) : NULL;
}

const struct spot *profile_spot(const struct profile *p, uint64_t pc) { return find(p, pc); }

/* One spot for every pc, without counts. */
static void make_spots(struct profile *p, struct program *program) {
    const struct records *r = p->records;
    uint64_t *pcs = resize(NULL, r->n, sizeof *pcs);
    for (size_t i = 0; i < r->n; i++)
        pcs[i] = r->samples[i].pc;
    if (r->n)
        qsort(pcs, r->n, sizeof *pcs, by_number);
    size_t n = 0;
    for (size_t i = 0; i < r->n; i++) {
        if (n == 0 || pcs[n - 1] != pcs[i])
            pcs[n++] = pcs[i];
    }
    p->spots = resize(NULL, n, sizeof *p->spots);
    p->spots_n = n;
    for (size_t i = 0; i < n; i++) {
        p->spots[i] = (struct spot){.pc = pcs[i]};
        p->spots[i].frames_n = program_frames(program, pcs[i], p->spots[i].frames);
    }
    free(pcs);
}

static void rank_spots(struct profile *p) {
    struct rank *ranks = resize(NULL, p->spots_n, sizeof *ranks);
    p->hottest = resize(NULL, p->spots_n, sizeof *p->hottest);
    for (size_t i = 0; i < p->spots_n; i++)
        ranks[i] = (struct rank){p->spots[i].counts.samples, i};
    if (p->spots_n)
        qsort(ranks, p->spots_n, sizeof *ranks, rank_by_samples);
    for (size_t i = 0; i < p->spots_n; i++)
        p->hottest[i] = ranks[i].index;
    free(ranks);
}

static struct row *make_rows(const struct profile *p, bool lines, size_t *rows_n) {
    struct row *rows = resize(NULL, p->spots_n, sizeof *rows);
    size_t n = 0;
    for (size_t i = 0; i < p->spots_n; i++) {
        const struct frame *f = &p->spots[i].frames[0];
        rows[i] = (struct row){lines ? (f->file ? f->file : "?") : f->function, lines ? f->line : 0, {0}};
        rows[i].counts = p->spots[i].counts;
    }
    if (p->spots_n)
        qsort(rows, p->spots_n, sizeof *rows, row_by_name);
    for (size_t i = 0; i < p->spots_n; i++) {
        if (n > 0 && row_by_name(&rows[n - 1], &rows[i]) == 0)
            merge(&rows[n - 1].counts, &rows[i].counts);
        else
            rows[n++] = rows[i];
    }
    if (n)
        qsort(rows, n, sizeof *rows, row_by_samples);
    *rows_n = n;
    return rows;
}

const char *profile_name(const struct profile *p) {
    return p->records->name[0] ? p->records->name : short_name(program_path(p->program));
}

void profile_leave_out(struct records *r, const struct program *program) {
    size_t n = 0, out = 0;
    if (!r->modes || r->modes & MODE_M)
        return;
    struct sample *others = resize(NULL, r->n, sizeof *others);
    for (size_t i = 0; i < r->n; i++) {
        if (program_is_machine(program, r->samples[i].pc))
            others[out++] = r->samples[i];
        else
            r->samples[n++] = r->samples[i];
    }
    if (out)
        memcpy(r->samples + n, others, out * sizeof *others);
    free(others);
    r->n = n;
    r->left_out = out;
}

const char *profile_modes(const struct profile *p) {
    static const char *const names[MODES + 1] = {"",     "U",    "S",      "U, S", [MODE_M] = "M",
                                                 "U, M", "S, M", "U, S, M"};
    return names[p->records->modes];
}

static int by_text(const void *left, const void *right) {
    return strcmp(*(const char *const *)left, *(const char *const *)right);
}

/* The functions that have most of the samples left out */
static void print_left_out(struct buffer *out, const char **names, size_t n) {
    enum { SHOWN = 4 };
    struct rank ranks[SHOWN] = {{0, 0}};
    qsort(names, n, sizeof *names, by_text);
    for (size_t begin = 0, end; begin < n; begin = end) {
        for (end = begin + 1; end < n && strcmp(names[begin], names[end]) == 0;)
            end++;
        struct rank rank = {end - begin, begin};
        for (unsigned k = 0; k < SHOWN; k++) {
            if (rank.samples > ranks[k].samples) {
                const struct rank swap = ranks[k];
                ranks[k] = rank;
                rank = swap;
            }
        }
    }
    for (unsigned k = 0; k < SHOWN && ranks[k].samples; k++)
        buffer_print(out, "%s %s %" PRIu64, k ? "," : ":", names[ranks[k].index], ranks[k].samples);
}

bool profile_left_out(const struct profile *p, struct buffer *out) {
    const struct records *r = p->records;
    if (!r->left_out)
        return false;
    const char **names = resize(NULL, r->left_out, sizeof *names);
    for (size_t i = 0; i < r->left_out; i++) {
        struct frame frames[FRAMES_MAX];
        const size_t frames_n = program_frames(p->program, r->samples[r->n + i].pc, frames);
        names[i] = frames[frames_n - 1].function; /* by symbol, not by what is inlined */
    }
    buffer_print(out, "not shown: %zu samples in M-mode", r->left_out);
    print_left_out(out, names, r->left_out);
    free(names);
    return true;
}

bool profile_lost(const struct profile *p, char *text, size_t size) {
    bool by_time;
    if (!p->records->lost)
        return false;
    const double covered = records_covered(p->records, &by_time);
    snprintf(text, size, "the log was full: %" PRIu64 " samples lost, only the first %.1f %% of the %s shown",
             p->records->lost, covered, by_time ? "run is" : "samples are");
    return true;
}

void profile_make(struct profile *p, const struct records *records, struct program *program) {
    memset(p, 0, sizeof *p);
    p->records = records;
    p->program = program;
    make_spots(p, program);
    p->events = records->n > 0;
    for (size_t i = 0; i < records->n; i++) {
        const struct sample *s = &records->samples[i];
        struct spot *spot = find(p, s->pc);
        p->events &= sample_is_event(s);
        if (spot)
            count(&spot->counts, s);
        count(&p->all, s);
        p->type[SAMPLE_HEADER(s, TYPE)]++;
        if (SAMPLE_HEADER(s, FLUSHED))
            p->flush[SAMPLE_HEADER(s, FLUSH)]++;
    }
    rank_spots(p);
    p->functions = make_rows(p, false, &p->functions_n);
    p->lines = make_rows(p, true, &p->lines_n);
}

void profile_free(struct profile *p) {
    free(p->spots);
    free(p->hottest);
    free(p->functions);
    free(p->lines);
}
