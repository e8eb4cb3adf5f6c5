/* SPDX-License-Identifier: Apache-2.0 */
#include "diff.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A function or line of either run */
struct change {
    const char *name;
    int line;
    uint64_t samples[2], stall[2];
    double share[2]; /* percent */
};

static double percent(uint64_t part, uint64_t whole) {
    return whole ? 100.0 * (double)part / (double)whole : 0;
}

static int by_name(const void *left, const void *right) {
    const struct change *a = left, *b = right;
    const int names = strcmp(a->name, b->name);
    return names ? names : (a->line > b->line) - (a->line < b->line);
}

static int by_change(const void *left, const void *right) {
    const struct change *a = left, *b = right;
    const double of_a = fabs(a->share[1] - a->share[0]), of_b = fabs(b->share[1] - b->share[0]);
    return of_a != of_b ? (of_a > of_b ? -1 : 1) : by_name(left, right);
}

/* 95 of 100 changes by chance are below this, in percent: both shares are estimates of the same one. */
static double by_chance(const struct change *c, const struct profile *const p[2]) {
    const double n[2] = {(double)p[0]->all.samples, (double)p[1]->all.samples};
    if (n[0] == 0 || n[1] == 0)
        return 100;
    const double share = (double)(c->samples[0] + c->samples[1]) / (n[0] + n[1]);
    return 196 * sqrt(share * (1 - share) * (1 / n[0] + 1 / n[1]));
}

/* Rows of both, those of one name added up: of a file only its name is known to be the same in both. */
static struct change *changes(const struct profile *const p[2], bool lines, size_t *changes_n) {
    const size_t most = lines ? p[0]->lines_n + p[1]->lines_n : p[0]->functions_n + p[1]->functions_n;
    struct change *list = resize(NULL, most, sizeof *list);
    size_t n = 0, sums = 0;
    for (unsigned k = 0; k < 2; k++) {
        const struct row *rows = lines ? p[k]->lines : p[k]->functions;
        for (size_t i = 0; i < (lines ? p[k]->lines_n : p[k]->functions_n); i++) {
            list[n] = (struct change){.name = lines ? short_name(rows[i].name) : rows[i].name,
                                      .line = rows[i].line};
            list[n].samples[k] = rows[i].counts.samples;
            list[n++].stall[k] = rows[i].counts.latency[LATENCY_OLDEST].sum;
        }
    }
    if (n)
        qsort(list, n, sizeof *list, by_name);
    for (size_t i = 0; i < n; i++) {
        if (!sums || by_name(&list[sums - 1], &list[i]) != 0) {
            list[sums++] = list[i];
            continue;
        }
        for (unsigned k = 0; k < 2; k++) {
            list[sums - 1].samples[k] += list[i].samples[k];
            list[sums - 1].stall[k] += list[i].stall[k];
        }
    }
    for (size_t i = 0; i < sums; i++) {
        for (unsigned k = 0; k < 2; k++)
            list[i].share[k] = percent(list[i].samples[k], p[k]->all.samples);
    }
    if (sums)
        qsort(list, sums, sizeof *list, by_change);
    *changes_n = sums;
    return list;
}

static void table(struct buffer *out, const struct profile *const p[2], bool lines, unsigned top) {
    size_t n;
    struct change *list = changes(p, lines, &n);
    const bool events = p[0]->events;
    buffer_print(out, "\n%s\n%9s  %9s  %9s  %9s   ", lines ? "Lines" : "Functions", "before", "after",
                 "change", "by chance");
    if (!events)
        buffer_print(out, "%19s  ", "stall before, after");
    buffer_print(out, "%s\n", lines ? "line" : "function");
    for (size_t i = 0; i < n && i < top; i++) {
        const struct change *c = &list[i];
        const double change = c->share[1] - c->share[0], chance = by_chance(c, p);
        buffer_print(out, "%7.2f %%  %7.2f %%  %+9.2f  %9.2f %s ", c->share[0], c->share[1], change, chance,
                     fabs(change) > chance ? "*" : " ");
        for (unsigned k = 0; !events && k < 2; k++)
            buffer_print(out, "%7.2f %%%s", percent(c->stall[k], p[k]->all.latency[LATENCY_OLDEST].sum),
                         k ? "  " : " ");
        buffer_print(out, " %s", c->name);
        if (c->line)
            buffer_print(out, ":%d", c->line);
        buffer_print(out, "\n");
    }
    free(list);
}

static void totals(struct buffer *out, const struct profile *const p[2]) {
    buffer_print(out, "%s -> %s: %s, %" PRIu64 " -> %" PRIu64 " samples\n", profile_name(p[0]),
                 profile_name(p[1]),
                 p[0]->interrupted ? "interrupts of overflows"
                 : p[0]->events    ? "overflows of a counter"
                                   : "instructions",
                 p[0]->all.samples, p[1]->all.samples);
    if (p[0]->period && p[1]->period)
        buffer_print(out, "  %s: about %" PRIu64 " -> %" PRIu64 " (samples times period)\n",
                     p[0]->events ? "events" : "decoded instructions", p[0]->all.samples * p[0]->period,
                     p[1]->all.samples * p[1]->period);
    if (!p[0]->events)
        buffer_print(out, "  mean cycles: total %.1f -> %.1f, oldest %.1f -> %.1f\n",
                     histogram_mean(&p[0]->all.latency[LATENCY_TOTAL]),
                     histogram_mean(&p[1]->all.latency[LATENCY_TOTAL]),
                     histogram_mean(&p[0]->all.latency[LATENCY_OLDEST]),
                     histogram_mean(&p[1]->all.latency[LATENCY_OLDEST]));
    for (unsigned k = 0; k < 2; k++) {
        char lost[LOST_TEXT];
        if (profile_lost(p[k], lost, sizeof lost))
            buffer_print(out, "  %s: %s\n", k ? "after" : "before", lost);
    }
}

void diff_tables(struct buffer *out, const struct profile *before, const struct profile *after,
                 unsigned top) {
    const struct profile *const p[2] = {before, after};
    totals(out, p);
    table(out, p, false, top);
    table(out, p, true, top);
    buffer_print(out, "\n* more than chance alone makes of 95 in 100 changes\n");
}
