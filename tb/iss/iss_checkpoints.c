// SPDX-License-Identifier: Apache-2.0
#include "iss_checkpoints.h"

#include "folder.h"
#include "iss_events.h"
#include "iss_samples.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* New code that executes less often than once in so many instructions gets no window. */
enum { PATH = 4096, NEW_SHARE = 5000 };

/* "new:N+SKIP+WINDOW" */
static bool parse_code(struct iss_wish *w, const char *text, struct error *error) {
    char *end;
    errno = 0;
    w->often = strtoull(text, &end, 10);
    w->skip = *end == '+' ? strtoull(end + 1, &end, 10) : 0;
    w->window = *end == '+' ? strtoull(end + 1, &end, 10) : 0;
    if (*end || errno || !w->often || !w->window || strchr(text, '-'))
        return error_set(error, "--at: '%s' is not new:N+SKIP+WINDOW, in executions and instructions", w->at);
    w->when.kind = CONDITION_PC; /* of any pc */
    w->when.value = UINT64_MAX;
    return true;
}

/* Where in its period the next one is */
static uint64_t offset(const struct iss_wish *w) {
    uint64_t x = w->seed + (w->next + 1) * 0x9e3779b97f4a7c15u; /* splitmix64 */
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return w->random ? (x ^ x >> 31) % w->period : 0;
}

static void next_period(struct iss_wish *w) {
    w->next++;
    w->when.value = w->first + w->next * w->period + offset(w);
}

/* "every:N" or "every:N+FIRST": a count of instructions that comes again. "random:N+FIRST+SEED": once in each
 * N */
static bool parse(struct iss_wish *w, const struct symbols *symbols, struct error *error) {
    static const char every[] = "every:", random[] = "random:", code[] = "new:";
    char *end;
    if (w->at && strncmp(w->at, code, sizeof code - 1) == 0)
        return parse_code(w, w->at + sizeof code - 1, error);
    w->random = w->at && strncmp(w->at, random, sizeof random - 1) == 0;
    if (!w->random && (!w->at || strncmp(w->at, every, sizeof every - 1) != 0))
        return condition_parse(&w->when, "--at", w->at, symbols, error);
    errno = 0;
    w->period = strtoull(w->at + (w->random ? sizeof random : sizeof every) - 1, &end, 10);
    w->first = w->random ? 0 : w->period;
    if (*end == '+')
        w->first = strtoull(end + 1, &end, 10);
    if (w->random && *end == '+')
        w->seed = strtoull(end + 1, &end, 10);
    if (*end || errno || !w->period || strchr(w->at, '-'))
        return error_set(error, "--at: '%s' is not %s, in instructions", w->at,
                         w->random ? "random:N+FIRST+SEED" : "every:N or every:N+FIRST");
    w->when = (struct condition){.kind = CONDITION_CYCLE, .value = w->first + offset(w)};
    return true;
}

bool iss_checkpoints_open(struct iss_checkpoints *c, const struct machine *machine, const struct options *o,
                          struct error *error) {
    bool again = false;

    memset(c, 0, sizeof *c);
    c->n = o->checkpoint.n;
    c->stored = o->stored;
    c->warm_up = o->warm_up;
    c->window = o->window;
    c->files = o->copy_files ? o->files : NULL;
    for (unsigned i = 0; i < c->n; i++) {
        struct iss_wish *w = &c->wish[i];

        w->path = o->checkpoint.text[i];
        w->at = o->at[i];
        if (!parse(w, &machine->symbols, error))
            return false;
        if (w->period)
            c->sampled_from = w->first ? w->first + c->warm_up : 0;
        again |= w->period != 0;
        c->pcs |= w->when.kind == CONDITION_PC && !w->often;
        if (w->often && !o->where)
            return error_set(error, "--at %s: with --where only", w->at);
        if (w->often)
            c->code = w;
    }
    if (c->window && !again)
        return error_set(error, "--window: no checkpoint comes again (--at every:, random:)");
    return true;
}

void iss_checkpoints_printed(struct iss_checkpoints *c, uint8_t byte) {
    for (unsigned i = 0; i < c->n; i++)
        if (!c->wish[i].written && condition_printed(&c->wish[i].when, byte))
            c->wish[i].due = c->due = true;
}

/* Files are copied first, so that a checkpoint's copy is complete. */
static bool write_at(struct iss_checkpoints *c, const char *path, struct error *error) {
    struct checkpoint checkpoint = iss_checkpoint(c->iss);
    char copy[PATH];

    checkpoint.stored = c->stored;
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
    c->window_name = w->when.value;
    c->window_from = c->iss->retired + c->warm_up;
    c->window_to = c->window_from + c->window;
    next_period(w);
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
            next_period(w);
        if (w->when.kind == CONDITION_CYCLE && w->when.value < iss->retired)
            return error_set(error, "--at %s: the run begins after %" PRIu64 " instructions", w->at,
                             iss->retired);
    }
    count(c);
    return !c->due || iss_checkpoints_write(c, error);
}

bool iss_checkpoints_code(struct iss_checkpoints *c, unsigned hart, unsigned mode, uint64_t pc,
                          uint64_t executions, struct error *error) {
    const struct iss_wish *w = c->code;
    const uint64_t now = c->iss->retired, since = now - c->code_at;
    const bool free = !c->code_at || since > w->skip + w->window;
    char path[PATH];

    c->known = !free && since > w->skip;
    if (!free || executions < w->often || executions < now / NEW_SHARE || samples(c->iss))
        return true;
    c->known = true;
    c->code_at = now;
    if (snprintf(path, sizeof path, "%s.%" PRIu64 ".%u.%u.0x%" PRIx64, w->path, now, hart, mode, pc) >=
        (int)sizeof path)
        return error_set(error, "--checkpoint %s: the name is too long", w->path);
    return write_at(c, path, error);
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
        if (!w->written && !w->period && !w->often)
            return error_set(error, "--checkpoint %s: the run ended before '%s' came", w->path, w->at);
    }
    return true;
}
