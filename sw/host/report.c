/* SPDX-License-Identifier: Apache-2.0 */
#include "report.h"

#include <inttypes.h>
#include <string.h>

static double percent(uint64_t part, uint64_t whole) {
    return whole ? 100.0 * (double)part / (double)whole : 0;
}

static void place(struct buffer *out, const struct profile *p, const struct spot *spot) {
    uint64_t offset;
    const struct frame *f = &spot->frames[0];
    const char *symbol = program_symbol(p->program, spot->pc, &offset);
    if (symbol)
        buffer_print(out, "%s+0x%" PRIx64, symbol, offset);
    else
        buffer_print(out, "%s", f->function);
    if (f->file)
        buffer_print(out, "  %s:%d", short_name(f->file), f->line);
    if (spot->frames_n > 1)
        buffer_print(out, "  (%s, inlined)", f->function);
}

static const char *samples(const struct profile *p) { return p->records->where ? "cycles" : "samples"; }

static void summary(struct buffer *out, const struct profile *p) {
    const struct records *r = p->records;
    char lost[LOST_TEXT];
    buffer_print(out, "%s%s: %" PRIu64 " %s", profile_name(p),
                 p->interrupted ? ", where the interrupts came" : "", p->all.samples, samples(p));
    if (r->where)
        buffer_print(out, ", every one of the run");
    else if (p->period)
        buffer_print(out, ", one of %" PRIu64 " %s", p->period,
                     p->events ? "events of a counter" : "decoded instructions");
    buffer_print(out, "; core %.3f MHz, time %.3f MHz\n", (double)r->core_clock / 1e6,
                 (double)r->time_clock / 1e6);
    if (r->modes)
        buffer_print(out, "  modes: %s\n", profile_modes(p));
    if (p->left_out_n) {
        buffer_print(out, "  ");
        profile_left_out(p, out);
        buffer_print(out, "\n");
    }
    if (profile_lost(p, lost, sizeof lost))
        buffer_print(out, "  %s\n", lost);
    if (p->events)
        return;
    buffer_print(out, " ");
    for (unsigned i = 0; i < SAMPLE_TYPES; i++)
        buffer_print(out, " %s %" PRIu64 " (%.1f %%)%s", type_names[i], p->type[i],
                     percent(p->type[i], p->all.samples), i + 1 < SAMPLE_TYPES ? "," : "\n");
    buffer_print(out, "  flushed %" PRIu64 " (%.1f %%)", p->all.flushed,
                 percent(p->all.flushed, p->all.samples));
    for (unsigned i = 0; i < 4; i++) {
        if (p->flush[i])
            buffer_print(out, ", %s %" PRIu64, flush_names[i], p->flush[i]);
    }
    buffer_print(out, "\n");
}

/* A row: counts of all samples; of instructions also their outcomes, which overflows do not have. */
static void columns(struct buffer *out, const struct profile *p, const struct counts *c) {
    buffer_print(out, "%9" PRIu64 " %6.2f %%  ", c->samples, percent(c->samples, p->all.samples));
    if (!p->events)
        buffer_print(out, "%7" PRIu64 " %8.1f %8.1f %6.2f %%  ", c->flushed,
                     histogram_mean(&c->latency[LATENCY_TOTAL]), histogram_mean(&c->latency[LATENCY_OLDEST]),
                     percent(c->latency[LATENCY_OLDEST].sum, p->all.latency[LATENCY_OLDEST].sum));
}

/* stall: of all cycles in which a sample was the oldest instruction, those of this row. */
static void columns_head(struct buffer *out, const struct profile *p, const char *title, const char *what) {
    buffer_print(out, "\n%s\n%9s %8s  ", title, samples(p), "");
    if (!p->events)
        buffer_print(out, "%7s %8s %8s %8s  ", "flushed", "total", "oldest", "stall");
    buffer_print(out, "%s\n", what);
}

static void rows(struct buffer *out, const struct profile *p, const char *title, const char *what,
                 const struct row *list, size_t n, unsigned top) {
    columns_head(out, p, title, what);
    for (size_t i = 0; i < n && i < top; i++) {
        columns(out, p, &list[i].counts);
        if (list[i].line)
            buffer_print(out, "%s:%d\n", short_name(list[i].name), list[i].line);
        else
            buffer_print(out, "%s\n", list[i].name);
    }
}

static void instructions(struct buffer *out, const struct profile *p, unsigned top) {
    columns_head(out, p, "Hottest instructions", "pc");
    for (size_t i = 0; i < p->spots_n && i < top; i++) {
        const struct spot *spot = &p->spots[p->hottest[i]];
        columns(out, p, &spot->counts);
        buffer_print(out, "0x%" PRIx64 "  ", spot->pc);
        place(out, p, spot);
        buffer_print(out, "\n");
    }
}

static void histogram(struct buffer *out, const char *name, const struct histogram *h) {
    uint64_t most = 1;
    if (!h->n)
        return;
    buffer_print(out, "  %s: %" PRIu64 " valid, mean %.1f, longest %u%s\n", name, h->n, histogram_mean(h),
                 h->max, h->max == 0xfff ? " or more" : "");
    for (unsigned i = 0; i < HISTOGRAM_BUCKETS; i++)
        most = h->bucket[i] > most ? h->bucket[i] : most;
    for (unsigned i = 0; i < HISTOGRAM_BUCKETS; i++) {
        static const char bar[] = "########################################";
        if (h->bucket[i])
            buffer_print(out, "    %4u-%-4u %9" PRIu64 " %.*s\n", histogram_low(i), histogram_high(i),
                         h->bucket[i], (int)((h->bucket[i] * 40 + most - 1) / most), bar);
    }
}

static void latencies(struct buffer *out, const struct profile *p, unsigned n) {
    buffer_print(out, "\nLatencies in cycles\n");
    for (size_t i = 0; i < p->spots_n && i < n; i++) {
        const struct spot *spot = &p->spots[p->hottest[i]];
        buffer_print(out, "0x%" PRIx64 "  ", spot->pc);
        place(out, p, spot);
        buffer_print(out, "\n");
        for (unsigned k = 0; k < LATENCIES; k++)
            histogram(out, latency_names[k], &spot->counts.latency[k]);
    }
}

static void misses(struct buffer *out, const struct profile *p, unsigned top) {
    unsigned shown = 0;
    buffer_print(out, "\nMisses\n");
    for (unsigned i = 0; i < MISSES; i++) {
        const uint64_t of = i <= MISS_ICACHE ? p->all.samples : p->all.memory;
        buffer_print(out, "  %-16s %9" PRIu64 " of %" PRIu64 " %s (%.2f %%)\n", miss_names[i], p->all.miss[i],
                     of, i <= MISS_ICACHE ? "instructions" : "accesses", percent(p->all.miss[i], of));
    }
    buffer_print(out, "Data came from\n");
    for (unsigned i = 0; i < SOURCES; i++) {
        if (p->all.source[i])
            buffer_print(out, "  %-16s %9" PRIu64 " (%.2f %%)\n", source_name(i), p->all.source[i],
                         percent(p->all.source[i], p->all.memory));
    }
    buffer_print(out, "%9s %9s %9s %9s %9s  pc\n", "accesses", "L1D", "memory", "DTLB", "exec.");
    for (size_t i = 0; i < p->spots_n && shown < top; i++) {
        const struct spot *spot = &p->spots[p->hottest[i]];
        const struct counts *c = &spot->counts;
        if (!c->memory)
            continue;
        shown++;
        buffer_print(out, "%9" PRIu64 " %9" PRIu64 " %9" PRIu64 " %9" PRIu64 " %9.1f  0x%" PRIx64 "  ",
                     c->memory, c->miss[MISS_L1], c->source[TALLY_DSRC_MEM], c->miss[MISS_L1TLB],
                     histogram_mean(&c->latency[LATENCY_EXECUTION]), spot->pc);
        place(out, p, spot);
        buffer_print(out, "\n");
    }
}

static void branches(struct buffer *out, const struct profile *p, unsigned top) {
    unsigned shown = 0;
    buffer_print(out, "\nControl transfers: %" PRIu64 ", mispredicted %" PRIu64 " (%.2f %%)\n",
                 p->all.transfers, p->all.mispredicted, percent(p->all.mispredicted, p->all.transfers));
    for (unsigned i = 0; i < TRANSFERS; i++) {
        if (p->all.transfer[i])
            buffer_print(out, "  %-20s %9" PRIu64 "\n", transfer_names[i], p->all.transfer[i]);
    }
    buffer_print(out, "%9s %9s %9s %12s  pc\n", "samples", "taken", "not", "mispredicted");
    for (size_t i = 0; i < p->spots_n && shown < top; i++) {
        const struct spot *spot = &p->spots[p->hottest[i]];
        const struct counts *c = &spot->counts;
        uint64_t taken = 0;
        if (!c->transfers)
            continue;
        shown++;
        for (unsigned k = 0; k < TRANSFERS; k++)
            taken += k == NTBR ? 0 : c->transfer[k];
        buffer_print(out, "%9" PRIu64 " %9" PRIu64 " %9" PRIu64 " %10.2f %%  0x%" PRIx64 "  ", c->transfers,
                     taken, c->transfer[NTBR], percent(c->mispredicted, c->transfers), spot->pc);
        place(out, p, spot);
        buffer_print(out, "\n");
    }
}

void report_brief(struct buffer *out, const struct profile *p, unsigned top) {
    char lost[LOST_TEXT];
    buffer_print(out, "  %-10s %6" PRIu64 " %s", profile_name(p), p->all.samples, samples(p));
    if (p->records->modes)
        buffer_print(out, " (%s)", profile_modes(p));
    for (size_t i = 0; i < p->functions_n && i < top; i++)
        buffer_print(out, "%s %5.1f %% %s", i ? "," : ":",
                     percent(p->functions[i].counts.samples, p->all.samples), p->functions[i].name);
    buffer_print(out, "\n");
    if (p->left_out_n) {
        buffer_print(out, "  %10s ", "");
        profile_left_out(p, out);
        buffer_print(out, "\n");
    }
    if (profile_lost(p, lost, sizeof lost))
        buffer_print(out, "  %10s %s\n", "", lost);
}

void report_tables(struct buffer *out, const struct profile *p, unsigned top, unsigned histograms) {
    summary(out, p);
    rows(out, p, "Hottest functions", "function", p->functions, p->functions_n, top);
    rows(out, p, "Hottest lines", "line", p->lines, p->lines_n, top);
    instructions(out, p, top);
    if (p->events)
        return;
    if (histograms)
        latencies(out, p, histograms);
    misses(out, p, top);
    branches(out, p, top);
}

/* Whether a sample is in the symbol that begins `offset` before address. */
static bool sampled(const struct profile *p, uint64_t begin, const char *symbol) {
    for (size_t i = 0; i < p->spots_n; i++) {
        uint64_t offset;
        const char *name = program_symbol(p->program, p->spots[i].pc, &offset);
        if (name && p->spots[i].pc - offset == begin && strcmp(name, symbol) == 0)
            return true;
    }
    return false;
}

/* Samples, share and mean latencies of an instruction; blank without samples. */
static void annotated_columns(struct buffer *out, const struct profile *p, const struct spot *spot) {
    if (!spot) {
        buffer_print(out, "%*s", p->events ? 18 : 36, "");
        return;
    }
    buffer_print(out, "%9" PRIu64 " %6.2f %%", spot->counts.samples,
                 percent(spot->counts.samples, p->all.samples));
    if (!p->events)
        buffer_print(out, " %8.1f %8.1f", histogram_mean(&spot->counts.latency[LATENCY_TOTAL]),
                     histogram_mean(&spot->counts.latency[LATENCY_OLDEST]));
}

static void annotated_head(struct buffer *out, const struct profile *p, const char *symbol) {
    buffer_print(out, "\n%s\n%9s %8s", symbol, samples(p), "");
    if (!p->events)
        buffer_print(out, " %8s %8s", "total", "oldest");
    buffer_print(out, "  %10s\n", "pc");
}

static void annotated_line(struct buffer *out, const struct profile *p, const struct instruction *i,
                           struct frame *last) {
    const struct spot *spot = profile_spot(p, i->address);
    const struct frame *f = spot ? &spot->frames[0] : NULL;
    if (f && f->file && (f->file != last->file || f->line != last->line))
        buffer_print(out, "%*s; %s:%d %s\n", p->events ? 22 : 40, "", short_name(f->file), f->line,
                     f->function);
    if (f)
        *last = *f;
    annotated_columns(out, p, spot);
    buffer_print(out, "  %10" PRIx64 ":  %s\n", i->address, i->text);
}

bool report_annotated(struct buffer *out, const struct profile *p, const struct disassembly *d,
                      const char *function, struct error *error) {
    uint64_t begin = 0;
    bool any = false, show = false, first = true;
    struct frame last = {0};
    for (size_t i = 0; i < d->n; i++) {
        uint64_t offset;
        const char *symbol = program_symbol(p->program, d->list[i].address, &offset);
        if (!symbol) {
            show = false;
            first = true;
            continue;
        }
        if (first || d->list[i].address - offset != begin) {
            begin = d->list[i].address - offset;
            first = false;
            show = (!function || strcmp(function, symbol) == 0) && sampled(p, begin, symbol);
            if (show)
                annotated_head(out, p, symbol);
            any = any || show;
            last = (struct frame){0};
        }
        if (show)
            annotated_line(out, p, &d->list[i], &last);
    }
    if (!any && function)
        return error_set(error, "%s: no samples in a function of this name", function);
    return true;
}
