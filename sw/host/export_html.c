/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One page that needs no network and no script: a flame graph and latency plots as SVG, the numbers as
 * tables. It is XML as well as HTML, so that any XML parser can check it.
 */
#include "export.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH = 1200, ROW = 18, TOP = 20 };

/* A function in the flame graph, called by the one it hangs below. */
struct node {
    const char *name;
    uint64_t samples;
    struct node *child, *sibling;
};

static struct node *child_of(struct node *parent, const char *name) {
    struct node **at = &parent->child;
    for (; *at; at = &(*at)->sibling) {
        if (strcmp((*at)->name, name) == 0)
            return *at;
    }
    *at = resize(NULL, 1, sizeof **at);
    **at = (struct node){.name = name};
    return *at;
}

static struct node *make_tree(const struct profile *p) {
    struct node *root = resize(NULL, 1, sizeof *root);
    *root = (struct node){.name = "all", .samples = p->all.samples};
    for (size_t i = 0; i < p->spots_n; i++) { /* boxes lie side by side as the functions in memory */
        struct node *at = root;
        for (size_t k = p->spots[i].frames_n; k-- > 0;) {
            at = child_of(at, p->spots[i].frames[k].function);
            at->samples += p->spots[i].counts.samples;
        }
    }
    return root;
}

/* At most FRAMES_MAX deep. */
static void free_tree(struct node *n) {
    while (n) {
        struct node *next = n->sibling;
        free_tree(n->child);
        free(n);
        n = next;
    }
}

static unsigned depth_of(const struct node *n) {
    unsigned most = 0;
    for (const struct node *c = n->child; c; c = c->sibling) {
        const unsigned depth = depth_of(c);
        most = depth > most ? depth : most;
    }
    return most + 1;
}

/* A warm colour that depends on the name alone. */
static unsigned colour(const char *name) {
    unsigned hash = 2166136261u;
    for (; *name; name++)
        hash = (hash ^ (unsigned char)*name) * 16777619u;
    return (205 + hash % 50) << 16 | (90 + hash / 50 % 120) << 8 | (40 + hash / 6000 % 40);
}

static void flame(struct buffer *out, const struct node *n, uint64_t all, double x, unsigned level) {
    const double width = all ? (double)n->samples * WIDTH / (double)all : 0;
    buffer_print(out, "<g><title>");
    buffer_html(out, n->name);
    buffer_print(out,
                 ": %" PRIu64
                 " samples, %.2f %%</title><rect x=\"%.2f\" y=\"%u\" width=\"%.2f\" height=\"%d\""
                 " fill=\"#%06x\"/>",
                 n->samples, all ? 100.0 * (double)n->samples / (double)all : 0, x, level * ROW, width,
                 ROW - 1, colour(n->name));
    const unsigned letters = (unsigned)(width / 7.2); /* what fits */
    if (letters > 3) {
        char text[256];
        snprintf(text, sizeof text, "%.*s", letters < sizeof text ? (int)letters - 1 : (int)sizeof text - 1,
                 n->name);
        buffer_print(out, "<text x=\"%.2f\" y=\"%u\">", x + 3, level * ROW + 13);
        buffer_html(out, text);
        buffer_print(out, "</text>");
    }
    buffer_print(out, "</g>\n");
    for (const struct node *c = n->child; c; c = c->sibling) {
        flame(out, c, all, x, level + 1);
        x += all ? (double)c->samples * WIDTH / (double)all : 0;
    }
}

static void plot(struct buffer *out, const char *name, const struct histogram *h) {
    enum { BAR = 26, HEIGHT = 90, LABELS = 30 };
    uint64_t most = 1;
    for (unsigned i = 0; i < HISTOGRAM_BUCKETS; i++)
        most = h->bucket[i] > most ? h->bucket[i] : most;
    buffer_print(out,
                 "<figure><figcaption>%s: %" PRIu64 " samples, mean %.1f, longest %u</figcaption>"
                 "<svg width=\"%d\" height=\"%d\">",
                 name, h->n, histogram_mean(h), h->max, HISTOGRAM_BUCKETS * BAR, HEIGHT + LABELS);
    for (unsigned i = 0; i < HISTOGRAM_BUCKETS; i++) {
        const double height = (double)h->bucket[i] * HEIGHT / (double)most;
        buffer_print(out,
                     "<g><title>%u to %u cycles: %" PRIu64 "</title><rect x=\"%u\" y=\"%.1f\" width=\"%d\" "
                     "height=\"%.1f\" fill=\"#4a7ab5\"/><text x=\"%u\" y=\"%d\">%u</text></g>",
                     histogram_low(i), histogram_high(i), h->bucket[i], i * BAR, HEIGHT - height, BAR - 2,
                     height, i * BAR, HEIGHT + 14, histogram_low(i));
    }
    buffer_print(out, "</svg></figure>\n");
}

static void plots(struct buffer *out, const struct counts *c) {
    for (unsigned i = 0; i < LATENCIES; i++) {
        if (c->latency[i].n)
            plot(out, latency_names[i], &c->latency[i]);
    }
}

/* As in the text: an overflow does not tell what became of the instruction. */
static void cells(struct buffer *out, const struct profile *p, const struct counts *c) {
    const uint64_t oldest = p->all.latency[LATENCY_OLDEST].sum;
    buffer_print(out, "<td>%" PRIu64 "</td><td>%.2f %%</td>", c->samples,
                 100.0 * (double)c->samples / (double)p->all.samples);
    if (!p->events)
        buffer_print(out, "<td>%.1f</td><td>%.1f</td><td>%.2f %%</td>",
                     histogram_mean(&c->latency[LATENCY_TOTAL]), histogram_mean(&c->latency[LATENCY_OLDEST]),
                     oldest ? 100.0 * (double)c->latency[LATENCY_OLDEST].sum / (double)oldest : 0);
}

static void table(struct buffer *out, const struct profile *p, const char *title, const struct row *rows,
                  size_t n) {
    buffer_print(out, "<h2>%s</h2>\n<table><tr><th>samples</th><th></th>%s<th></th></tr>\n", title,
                 p->events ? "" : "<th>total</th><th>oldest</th><th>stall</th>");
    for (size_t i = 0; i < n && i < TOP; i++) {
        buffer_print(out, "<tr>");
        cells(out, p, &rows[i].counts);
        buffer_print(out, "<td>");
        buffer_html(out, rows[i].line ? short_name(rows[i].name) : rows[i].name);
        if (rows[i].line)
            buffer_print(out, ":%d", rows[i].line);
        buffer_print(out, "</td></tr>\n");
    }
    buffer_print(out, "</table>\n");
}

/* A line an instruction, behind which lie the plots of its latencies if it has any */
static void instructions(struct buffer *out, const struct profile *p) {
    buffer_print(out, "<h2>Hottest instructions%s</h2>\n", p->events ? "" : " and their latencies");
    for (size_t i = 0; i < p->spots_n && i < TOP; i++) {
        const struct spot *s = &p->spots[p->hottest[i]];
        buffer_print(out, p->events ? "<div class=\"pc\">" : "<details><summary class=\"pc\">");
        buffer_print(out, "%" PRIu64 " samples (%.2f %%): 0x%" PRIx64 " ", s->counts.samples,
                     100.0 * (double)s->counts.samples / (double)p->all.samples, s->pc);
        buffer_html(out, s->frames[0].function);
        buffer_print(out, " ");
        buffer_html(out, short_name(s->frames[0].file));
        buffer_print(out, ":%d", s->frames[0].line);
        if (p->events) {
            buffer_print(out, "</div>\n");
            continue;
        }
        buffer_print(out, "</summary>\n");
        plots(out, &s->counts);
        buffer_print(out, "</details>\n");
    }
}

static void heading(struct buffer *out, const struct profile *p, size_t number) {
    char lost[LOST_TEXT];
    buffer_print(out, "<h1 id=\"p%zu\">", number);
    buffer_html(out, profile_name(p));
    buffer_print(out, "</h1>\n<p>%" PRIu64 " samples", p->all.samples);
    if (p->events)
        buffer_print(out, " of a counter's overflows, each where its cause is (Sspesa).</p>\n");
    else
        buffer_print(
            out,
            ", %" PRIu64 " of them flushed; %" PRIu64 " of %" PRIu64
            " control transfers mispredicted; %" PRIu64 " of %" PRIu64 " accesses missed the L1D.</p>\n",
            p->all.flushed, p->all.mispredicted, p->all.transfers, p->all.miss[MISS_L1], p->all.memory);
    if (p->records->modes)
        buffer_print(out, "<p>Modes: %s.</p>\n", profile_modes(p));
    if (p->records->left_out) {
        struct buffer text = {0};
        profile_left_out(p, &text);
        buffer_zeros(&text, 1);
        buffer_print(out, "<p>");
        buffer_html(out, (const char *)text.bytes);
        buffer_print(out, ".</p>\n");
        buffer_free(&text);
    }
    if (profile_lost(p, lost, sizeof lost))
        buffer_print(out, "<p><strong>Incomplete: %s.</strong></p>\n", lost);
}

static void section(struct buffer *out, const struct profile *p, size_t number) {
    struct node *tree = make_tree(p);
    heading(out, p, number);
    buffer_print(
        out,
        "<h2>Flame graph</h2>\n<p>Width: samples. Below a function stand those inlined into it.</p>\n"
        "<svg width=\"%d\" height=\"%u\">\n",
        WIDTH, depth_of(tree) * ROW);
    flame(out, tree, p->all.samples, 0, 0);
    buffer_print(out, "</svg>\n");
    if (!p->events) {
        buffer_print(out, "<h2>Latencies in cycles, all samples</h2>\n");
        plots(out, &p->all);
    }
    table(out, p, "Hottest functions", p->functions, p->functions_n);
    table(out, p, "Hottest lines", p->lines, p->lines_n);
    instructions(out, p);
    free_tree(tree);
}

/* Which profiles there are, each leading to its place */
static void contents(struct buffer *out, const struct profile *p, size_t n) {
    buffer_print(out, "<ul>\n");
    for (size_t i = 0; i < n; i++) {
        buffer_print(out, "<li><a href=\"#p%zu\">", i);
        buffer_html(out, profile_name(&p[i]));
        buffer_print(out, "</a>: %s</li>\n", p[i].events ? "overflows of a counter" : "instructions");
    }
    buffer_print(out, "</ul>\n");
}

void export_html_all(struct buffer *out, const struct profile *p, size_t n) {
    buffer_print(out, "<!DOCTYPE html>\n<html xmlns=\"http://www.w3.org/1999/xhtml\" lang=\"en\"><head>"
                      "<meta charset=\"utf-8\"/><title>");
    buffer_html(out, n == 1 ? profile_name(p) : "Profiles");
    buffer_print(out,
                 "</title>\n<style>body{font:14px sans-serif;margin:2em}svg text{font:11px monospace}"
                 "table{border-collapse:collapse}td,th{padding:2px 10px;text-align:right}"
                 "td:last-child{text-align:left;font-family:monospace}figure{display:inline-block;margin:8px}"
                 "rect:hover{stroke:#000}.pc{font-family:monospace}</style></head>\n<body>\n");
    if (n > 1)
        contents(out, p, n);
    for (size_t i = 0; i < n; i++)
        section(out, &p[i], i);
    buffer_print(out, "</body></html>\n");
}

void export_html(struct buffer *out, const struct profile *p) { export_html_all(out, p, 1); }
