/* SPDX-License-Identifier: Apache-2.0 */
#include "callers.h"

#include "buffer.h"
#include "file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { LIMIT = 256 << 20 };
static const char foreign[] = "is not of tally-sim --stacks";

/* One line without its end; `total` is the cycles of the lines before and becomes theirs and its own. Returns
 * the error, or NULL */
static const char *add(struct callers *c, char *line, uint64_t *total) {
    char *count = strrchr(line, ' '), *end;
    struct call_stack s = {0};
    if (!count || count == line)
        return foreign;
    *count++ = 0;
    errno = 0;
    s.weight = strtoull(count, &end, 10);
    if (*count < '0' || *count > '9' || *end)
        return foreign;
    if (errno || s.weight > (uint64_t)INT64_MAX - *total) /* pprof has them signed */
        return "has more cycles than a run can have (2^63 in all)";
    *total += s.weight;
    for (char *name = line; name; name = end) {
        if ((end = strchr(name, ';')))
            *end++ = 0;
        s.names = resize(s.names, s.names_n + 1, sizeof *s.names);
        s.names[s.names_n++] = name;
    }
    c->list = resize(c->list, c->n + 1, sizeof *c->list);
    c->list[c->n++] = s;
    return NULL;
}

int callers_by_names(const void *left, const void *right) {
    const struct call_stack *a = left, *b = right;
    for (size_t i = 0; i < a->names_n && i < b->names_n; i++) {
        const int order = strcmp(a->names[i], b->names[i]);
        if (order)
            return order;
    }
    return (a->names_n > b->names_n) - (a->names_n < b->names_n);
}

static int heavier(const void *left, const void *right) {
    const struct call_stack *a = left, *b = right;
    return a->weight != b->weight ? (a->weight > b->weight ? -1 : 1) : callers_by_names(left, right);
}

void callers_cut(struct callers *c, size_t most) {
    if (c->n)
        qsort(c->list, c->n, sizeof *c->list, heavier);
    if (c->n <= most)
        return;
    struct call_stack *last = &c->list[most];
    for (size_t i = most + 1; i < c->n; i++) {
        last->weight += c->list[i].weight;
        free(c->list[i].names);
    }
    last->names[0] = "[rest]";
    last->names_n = 1;
    c->n = most + 1;
}

bool callers_read(struct callers *c, const char *path, size_t most, struct error *error) {
    struct file file;
    *c = (struct callers){0};
    if (!file_read(&file, path, LIMIT, error))
        return false;
    c->text = resize(NULL, file.size + 1, 1);
    memcpy(c->text, file.bytes, file.size);
    c->text[file.size] = 0;
    const bool text = !memchr(c->text, 0, file.size);
    file_free(&file);
    unsigned number = 0;
    uint64_t total = 0;
    for (char *line = c->text; *line;) {
        char *end = strchr(line, '\n');
        number++;
        if (end)
            *end = 0;
        const char *wrong = !text ? foreign : end ? add(c, line, &total) : "is not whole";
        if (wrong) {
            callers_free(c);
            return error_set(error, "%s: line %u %s", path, number, wrong);
        }
        line = end + 1;
    }
    callers_cut(c, most);
    return true;
}

void callers_free(struct callers *c) {
    for (size_t i = 0; i < c->n; i++)
        free(c->list[i].names);
    free(c->list);
    free(c->text);
    *c = (struct callers){0};
}
