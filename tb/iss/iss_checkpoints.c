// SPDX-License-Identifier: Apache-2.0
#include "iss_checkpoints.h"

#include "folder.h"
#include "iss_events.h"
#include "iss_samples.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { PATH = 4096 };

/* "every:N" or "every:N+FIRST": a count of instructions that comes again */
static bool parse(struct iss_wish *w, const struct symbols *symbols, struct error *error) {
    static const char every[] = "every:";
    char *end;
    if (!w->at || strncmp(w->at, every, sizeof every - 1) != 0)
        return condition_parse(&w->when, "--at", w->at, symbols, error);
    errno = 0;
    w->period = strtoull(w->at + sizeof every - 1, &end, 10);
    w->when = (struct condition){.kind = CONDITION_CYCLE, .value = w->period};
    if (*end == '+')
        w->when.value = strtoull(end + 1, &end, 10);
    if (*end || errno || !w->period || strchr(w->at, '-'))
        return error_set(error, "--at: '%s' is not every:N or every:N+FIRST, in instructions", w->at);
    return true;
}

bool iss_checkpoints_open(struct iss_checkpoints *c, const struct machine *machine, const struct options *o,
                          struct error *error) {
    memset(c, 0, sizeof *c);
    c->n = o->checkpoint.n;
    c->files = o->copy_files ? o->files : NULL;
    for (unsigned i = 0; i < c->n; i++) {
        struct iss_wish *w = &c->wish[i];

        w->path = o->checkpoint.text[i];
        w->at = o->at[i];
        if (!parse(w, &machine->symbols, error))
            return false;
        c->pcs |= w->when.kind == CONDITION_PC;
    }
    return true;
}

void iss_checkpoints_printed(struct iss_checkpoints *c, uint8_t byte) {
    for (unsigned i = 0; i < c->n; i++)
        if (!c->wish[i].written && condition_printed(&c->wish[i].when, byte))
            c->wish[i].due = c->due = true;
}

/* Files are copied first: with the checkpoint all of it is there. */
static bool write_at(struct iss_checkpoints *c, const char *path, struct error *error) {
    const struct checkpoint checkpoint = iss_checkpoint(c->iss);
    char copy[PATH];

    if (c->files && snprintf(copy, sizeof copy, "%s.files", path) >= (int)sizeof copy)
        return error_set(error, "--checkpoint %s: the name is too long", path);
    return (!c->files || folder_copy(c->files, copy, error)) && checkpoint_write(path, &checkpoint, error);
}

static bool write_one(struct iss_checkpoints *c, struct iss_wish *w, struct error *error) {
    char path[PATH];

    if (!w->period) {
        w->written = true;
        return write_at(c, w->path, error);
    }
    if (snprintf(path, sizeof path, "%s.%" PRIu64, w->path, w->when.value) >= (int)sizeof path)
        return error_set(error, "--checkpoint %s: the name is too long", w->path);
    w->due = false;
    w->when.value += w->period;
    return write_at(c, path, error);
}

/* Counts that have come are due; the next one is remembered. */
static void count(struct iss_checkpoints *c) {
    c->next_count = UINT64_MAX;
    for (unsigned i = 0; i < c->n; i++) {
        struct iss_wish *w = &c->wish[i];

        if (w->written || w->when.kind != CONDITION_CYCLE)
            continue;
        if (w->when.value <= c->iss->retired)
            w->due = c->due = true;
        else if (w->when.value < c->next_count)
            c->next_count = w->when.value;
    }
}

struct search {
    struct tally_state state; /* the first member */
    bool found;
};

static void find_sample(struct tally_state *s, const char *name, void *at, unsigned bytes, uint64_t n) {
    struct search *search = (struct search *)s;
    static const uint8_t zero[8];
    if ((strstr(name, "pdis.active") || strstr(name, "amb.used")) && n == 1 && bytes <= sizeof zero)
        search->found |= memcmp(at, zero, bytes) != 0;
}

/* A sample is under way, or not yet in memory: the RTL cannot go on from here. */
static bool samples(const struct iss *iss) {
    struct search search = {.state.numbers = find_sample};
    for (unsigned h = 0; h < iss->cfg.harts; h++)
        if (iss_samples_armed(&iss->hart[h]))
            gp_state(iss->hart[h].pmu, &search.state);
    return search.found;
}

bool iss_checkpoints_write(struct iss_checkpoints *c, struct error *error) {
    if (c->fill && !c->fill(c->ctx))
        return true;
    c->due = false;
    for (unsigned i = 0; i < c->n; i++) {
        struct iss_wish *w = &c->wish[i];

        if (!w->due || w->written)
            continue;
        if (w->period && samples(c->iss))
            c->due = true; /* some instructions later */
        else if (!write_one(c, w, error))
            return false;
    }
    count(c);
    return true;
}

bool iss_checkpoints_begin(struct iss_checkpoints *c, struct iss *iss, const char *path,
                           struct error *error) {
    const struct checkpoint checkpoint = iss_checkpoint(iss);

    c->iss = iss;
    if (path && !checkpoint_read(path, &checkpoint, error))
        return false;
    for (unsigned i = 0; i < c->n; i++) {
        struct iss_wish *w = &c->wish[i];

        while (w->period && w->when.value < iss->retired)
            w->when.value += w->period;
        if (w->when.kind == CONDITION_CYCLE && w->when.value < iss->retired)
            return error_set(error, "--at %s: the run begins after %" PRIu64 " instructions", w->at,
                             iss->retired);
    }
    count(c);
    return !c->due || iss_checkpoints_write(c, error);
}

static void look_at_pc(struct iss_checkpoints *c, uint64_t pc) {
    for (unsigned i = 0; i < c->n; i++)
        if (!c->wish[i].written && c->wish[i].when.kind == CONDITION_PC && c->wish[i].when.value == pc)
            c->wish[i].due = c->due = true;
}

bool iss_checkpoints_due(struct iss_checkpoints *c, unsigned moved, const struct gh_retire *step) {
    if (c->iss->retired >= c->next_count)
        count(c);
    for (unsigned h = 0; c->pcs && moved >> h; h++)
        if (moved >> h & 1 && iss_retires(&step[h]))
            look_at_pc(c, step[h].pc);
    return c->due;
}

bool iss_checkpoints_end(struct iss_checkpoints *c, struct error *error) {
    for (unsigned i = 0; i < c->n; i++) {
        struct iss_wish *w = &c->wish[i];

        if (w->when.kind == CONDITION_NONE && !write_one(c, w, error))
            return false;
        if (!w->written && !w->period)
            return error_set(error, "--checkpoint %s: the run ended before '%s' came", w->path, w->at);
    }
    return true;
}
