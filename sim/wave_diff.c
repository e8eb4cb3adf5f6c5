/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Each file is read by a process of its own, which sends the changes in the order of time: the reader of FST
 * files calls back for a whole file, and two files must be read step by step.
 */
#include "wave_diff.h"

#include <errno.h>
#include <fnmatch.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { SHOWN_MAX = 20 };

/* A signal of both files. Names of the same pair of handles are compared once, by their first name. */
struct pair {
    const char *name;
    uint32_t a, b; /* handles */
    uint32_t width;
    size_t next_a, next_b; /* pairs with the same handle; 0: none (counted from 1) */
    bool dirty;
};

struct change {
    uint64_t time;
    uint32_t handle;
};

/* One of the two files, as its process sends it */
struct side {
    struct wave *wave;
    FILE *pipe;
    pid_t child;
    uint32_t *width; /* by handle; 0: not wanted */
    char **value;    /* by handle */
    size_t *pairs;   /* by handle: its first pair, from 1 */
    struct change next;
    bool ended;
};

struct diff {
    struct side a, b;
    struct pair *pair;
    size_t pairs;
    size_t *dirty, dirties;
};

/* --- Selection of signals --------------------------------------------------------------------- */

/* A list sorted by name */
struct entry {
    const struct wave_signal *signal;
};

static int by_name(const void *left, const void *right) {
    const struct entry *l = left, *r = right;
    return strcmp(l->signal->name, r->signal->name);
}

static struct entry *sorted(const struct wave *w) {
    struct entry *list = malloc(w->n * sizeof *list);
    for (size_t i = 0; list && i < w->n; i++)
        list[i].signal = &w->list[i];
    if (list)
        qsort(list, w->n, sizeof *list, by_name);
    return list;
}

static const struct wave_signal *same_name(const struct wave_signal *s, const struct entry *list, size_t n) {
    const struct entry key = {s};
    const struct entry *found = bsearch(&key, list, n, sizeof *list, by_name);
    return found ? found->signal : NULL;
}

static bool ignored(const struct wave_diff_options *o, const char *name) {
    for (size_t i = 0; i < o->ignored; i++) {
        if (fnmatch(o->ignore[i], name, 0) == 0)
            return true;
    }
    return false;
}

static void print_only(const char *which, const struct wave *w, const struct entry *other, size_t n,
                       const struct wave_diff_options *o) {
    size_t count = 0;
    for (size_t i = 0; i < w->n; i++) {
        const struct wave_signal *s = &w->list[i];
        if (ignored(o, s->name) || same_name(s, other, n))
            continue;
        if (count < SHOWN_MAX)
            printf("only in %s: %s\n", which, s->name);
        count++;
    }
    if (count > SHOWN_MAX)
        printf("only in %s: ... and %zu more\n", which, count - SHOWN_MAX);
}

static void add_pair(struct diff *d, const struct wave_signal *a, const struct wave_signal *b) {
    for (size_t i = d->a.pairs[a->handle]; i; i = d->pair[i - 1].next_a) {
        if (d->pair[i - 1].b == b->handle)
            return;
    }
    d->pair[d->pairs] = (struct pair){
        a->name, a->handle, b->handle, a->width, d->a.pairs[a->handle], d->b.pairs[b->handle], false};
    d->pairs++;
    d->a.pairs[a->handle] = d->b.pairs[b->handle] = d->pairs;
    d->a.width[a->handle] = d->b.width[b->handle] = a->width;
}

/* In the order of the first file. */
static bool find_pairs(struct diff *d, const struct wave_diff_options *o) {
    const struct wave *a = d->a.wave, *b = d->b.wave;
    struct entry *in_a = sorted(a), *in_b = sorted(b);
    d->pair = calloc(a->n, sizeof *d->pair);
    d->dirty = calloc(a->n, sizeof *d->dirty);
    const bool ok = in_a && in_b && d->pair && d->dirty;
    for (size_t i = 0; ok && i < a->n; i++) {
        const struct wave_signal *s = &a->list[i];
        const struct wave_signal *t = same_name(s, in_b, b->n);
        if (t && !ignored(o, s->name) && t->width == s->width && s->width)
            add_pair(d, s, t);
    }
    if (ok) {
        print_only("A", a, in_b, b->n, o);
        print_only("B", b, in_a, a->n, o);
    }
    free(in_a);
    free(in_b);
    return ok;
}

/* --- Reading a file --------------------------------------------------------------------------- */

struct sender {
    FILE *pipe;
    const uint32_t *width;
};

static void send(void *ctx, uint64_t time, uint32_t handle, const char *value) {
    const struct sender *s = ctx;
    const struct change change = {time, handle};
    if (fwrite(&change, sizeof change, 1, s->pipe) != 1 || fwrite(value, s->width[handle], 1, s->pipe) != 1)
        _exit(EXIT_SUCCESS); /* the parent has closed the pipe */
}

/* Processes must not share a file position: each opens the file again. */
static void child(const struct side *side, int to) {
    struct error error;
    struct wave wave;
    struct sender sender = {fdopen(to, "w"), side->width};
    bool *wanted = calloc(side->wave->handles, sizeof *wanted);
    bool ok = sender.pipe && wanted && wave_open(&wave, side->wave->path, &error);
    for (uint32_t i = 0; ok && i < side->wave->handles; i++)
        wanted[i] = side->width[i] != 0;
    ok = ok && wave_read(&wave, wanted, send, &sender, &error) && fflush(sender.pipe) == 0;
    _exit(ok ? EXIT_SUCCESS : EXIT_FAILURE);
}

static bool start(struct side *side, const struct side *other) {
    int ends[2];
    if (pipe(ends) != 0)
        return false;
    fflush(stdout);
    side->child = fork();
    if (side->child == 0) {
        if (other->pipe)
            close(fileno(other->pipe));
        close(ends[0]);
        child(side, ends[1]);
    }
    close(ends[1]);
    side->pipe = fdopen(ends[0], "r");
    return side->child > 0 && side->pipe;
}

/* Time and handle of the next change; its value is still in the pipe. */
static void advance(struct side *side) {
    side->ended = fread(&side->next, sizeof side->next, 1, side->pipe) != 1;
}

static void hang_up(struct side *side) {
    if (side->pipe)
        fclose(side->pipe);
}

/* After hang_up() of both: each child ends. Has the whole file been read? */
static bool finish(const struct side *side) {
    int status = 0;
    if (side->child > 0) {
        while (waitpid(side->child, &status, 0) < 0 && errno == EINTR)
            ;
    }
    return (WIFEXITED(status) && WEXITSTATUS(status) == 0) ||
           (WIFSIGNALED(status) && WTERMSIG(status) == SIGPIPE);
}

static bool set_up(struct side *side) {
    const size_t n = side->wave->handles;
    side->width = calloc(n, sizeof *side->width);
    side->value = calloc(n, sizeof *side->value);
    side->pairs = calloc(n, sizeof *side->pairs);
    return side->width && side->value && side->pairs;
}

static bool make_values(struct side *side) {
    for (uint32_t i = 0; i < side->wave->handles; i++) {
        if (side->width[i] && !(side->value[i] = calloc(1, side->width[i] + 1)))
            return false;
    }
    return true;
}

static void tear_down(struct side *side) {
    for (uint32_t i = 0; side->value && i < side->wave->handles; i++)
        free(side->value[i]);
    free(side->width);
    free(side->value);
    free(side->pairs);
}

/* --- Comparing -------------------------------------------------------------------------------- */

static void make_dirty(struct diff *d, size_t pair) {
    if (!d->pair[pair - 1].dirty)
        d->dirty[d->dirties++] = pair - 1;
    d->pair[pair - 1].dirty = true;
}

/* Every change of one side at `time` */
static bool apply(struct diff *d, struct side *side, uint64_t time) {
    while (!side->ended && side->next.time == time) {
        const uint32_t handle = side->next.handle;
        if (handle >= side->wave->handles || !side->value[handle] ||
            fread(side->value[handle], side->width[handle], 1, side->pipe) != 1)
            return false;
        for (size_t i = side->pairs[handle]; i;
             i = side == &d->a ? d->pair[i - 1].next_a : d->pair[i - 1].next_b)
            make_dirty(d, i);
        advance(side);
    }
    return true;
}

static bool equal(const struct diff *d, const struct pair *p) {
    return memcmp(d->a.value[p->a], d->b.value[p->b], p->width) == 0;
}

static void print_difference(const struct diff *d, const struct pair *p) {
    char *a = malloc(p->width + 1), *b = malloc(p->width + 1);
    if (a && b) {
        wave_hex(a, d->a.value[p->a], p->width);
        wave_hex(b, d->b.value[p->b], p->width);
        printf("  %s A=%s B=%s\n", p->name, a, b);
    }
    free(a);
    free(b);
}

static int by_number(const void *left, const void *right) {
    const size_t l = *(const size_t *)left, r = *(const size_t *)right;
    return (l > r) - (l < r);
}

/* Does any changed pair differ now? Prints all that do, in the order of the file. */
static bool differ(struct diff *d, uint64_t time) {
    size_t n = 0;
    for (size_t i = 0; i < d->dirties; i++) {
        struct pair *p = &d->pair[d->dirty[i]];
        p->dirty = false;
        if (!equal(d, p))
            d->dirty[n++] = d->dirty[i];
    }
    d->dirties = 0;
    if (n == 0)
        return false;
    qsort(d->dirty, n, sizeof *d->dirty, by_number);
    printf("first difference at %" PRIu64 ", of %zu signals:\n", time, n);
    for (size_t i = 0; i < n; i++)
        print_difference(d, &d->pair[d->dirty[i]]);
    return true;
}

static enum wave_diff compare(struct diff *d, uint64_t from, uint64_t to, struct error *error) {
    advance(&d->a);
    advance(&d->b);
    for (;;) {
        uint64_t time = UINT64_MAX;
        if (!d->a.ended)
            time = d->a.next.time;
        if (!d->b.ended && d->b.next.time < time)
            time = d->b.next.time;
        if (time == UINT64_MAX || time > to)
            return WAVE_SAME;
        if (!apply(d, &d->a, time) || !apply(d, &d->b, time)) {
            error_set(error, "a file changed while it was read");
            return WAVE_FAILED;
        }
        if (time >= from && differ(d, time))
            return WAVE_DIFFERENT;
    }
}

enum wave_diff wave_diff(struct wave *a, struct wave *b, const struct wave_diff_options *options,
                         struct error *error) {
    struct diff d = {.a = {.wave = a}, .b = {.wave = b}};
    const uint64_t from = a->start > b->start ? a->start : b->start, to = a->end < b->end ? a->end : b->end;
    enum wave_diff result = WAVE_FAILED;
    printf("A: %s: %zu signals, %" PRIu64 " to %" PRIu64 "\n", a->path, a->n, a->start, a->end);
    printf("B: %s: %zu signals, %" PRIu64 " to %" PRIu64 "\n", b->path, b->n, b->start, b->end);
    const bool ready =
        set_up(&d.a) && set_up(&d.b) && find_pairs(&d, options) && make_values(&d.a) && make_values(&d.b);
    if (!ready)
        error_set(error, "not enough memory");
    else if (from > to)
        error_set(error, "the two files have no time in common");
    else if (d.pairs == 0)
        error_set(error, "the two files have no signal in common");
    else if (!start(&d.a, &d.b) || !start(&d.b, &d.a))
        error_set(error, "%s", strerror(errno));
    else
        result = compare(&d, from, to, error);
    hang_up(&d.a);
    hang_up(&d.b);
    const bool whole_a = finish(&d.a), whole_b = finish(&d.b);
    if (result == WAVE_SAME && !(whole_a && whole_b)) {
        result = WAVE_FAILED;
        error_set(error, "%s: damaged", whole_a ? b->path : a->path);
    }
    if (result == WAVE_SAME)
        printf("no difference in %zu signals from %" PRIu64 " to %" PRIu64 "\n", d.pairs, from, to);
    tear_down(&d.a);
    tear_down(&d.b);
    free(d.pair);
    free(d.dirty);
    return result;
}
