// SPDX-License-Identifier: Apache-2.0
#include "iss_checkpoints.h"

#include "iss_events.h"

#include <inttypes.h>
#include <string.h>

bool iss_checkpoints_open(struct iss_checkpoints *c, const struct machine *machine, const struct options *o,
                          struct error *error) {
    memset(c, 0, sizeof *c);
    c->n = o->checkpoint.n;
    for (unsigned i = 0; i < c->n; i++) {
        struct iss_wish *w = &c->wish[i];

        w->path = o->checkpoint.text[i];
        w->at = o->at[i];
        if (!condition_parse(&w->when, "--at", w->at, &machine->symbols, error))
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

static bool write_one(struct iss_checkpoints *c, struct iss_wish *w, struct error *error) {
    const struct checkpoint checkpoint = iss_checkpoint(c->iss);

    w->written = true;
    return checkpoint_write(w->path, &checkpoint, error);
}

static bool write_due(struct iss_checkpoints *c, struct error *error) {
    for (unsigned i = 0; i < c->n; i++)
        if (c->wish[i].due && !c->wish[i].written && !write_one(c, &c->wish[i], error))
            return false;
    c->due = false;
    return true;
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

bool iss_checkpoints_begin(struct iss_checkpoints *c, struct iss *iss, const char *path,
                           struct error *error) {
    const struct checkpoint checkpoint = iss_checkpoint(iss);

    c->iss = iss;
    if (path && !checkpoint_read(path, &checkpoint, error))
        return false;
    for (unsigned i = 0; i < c->n; i++)
        if (c->wish[i].when.kind == CONDITION_CYCLE && c->wish[i].when.value < iss->retired)
            return error_set(error, "--at %s: the run begins after %" PRIu64 " instructions", c->wish[i].at,
                             iss->retired);
    count(c);
    return !c->due || write_due(c, error);
}

static void look_at_pc(struct iss_checkpoints *c, uint64_t pc) {
    for (unsigned i = 0; i < c->n; i++)
        if (!c->wish[i].written && c->wish[i].when.kind == CONDITION_PC && c->wish[i].when.value == pc)
            c->wish[i].due = c->due = true;
}

bool iss_checkpoints_cycle(struct iss_checkpoints *c, unsigned moved, const struct gh_retire *step,
                           struct error *error) {
    if (c->iss->retired >= c->next_count)
        count(c);
    for (unsigned h = 0; c->pcs && moved >> h; h++)
        if (moved >> h & 1 && iss_retires(&step[h]))
            look_at_pc(c, step[h].pc);
    return !c->due || write_due(c, error);
}

bool iss_checkpoints_end(struct iss_checkpoints *c, struct error *error) {
    for (unsigned i = 0; i < c->n; i++) {
        struct iss_wish *w = &c->wish[i];

        if (w->when.kind == CONDITION_NONE && !write_one(c, w, error))
            return false;
        if (!w->written)
            return error_set(error, "--checkpoint %s: the run ended before '%s' came", w->path, w->at);
    }
    return true;
}
