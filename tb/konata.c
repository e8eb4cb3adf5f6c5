// SPDX-License-Identifier: Apache-2.0
#include "konata.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ENTRIES = 64, RETIRED = 0, FLUSHED = 1 };

enum stage { DECODE, ISSUE, EXECUTE, COMMIT };
static const char *const stage_names[] = {"ID", "IS", "EX", "CM"};

struct entry {
    uint64_t id;
    unsigned tag; /* of the scoreboard */
    enum stage stage;
};

/* Instructions of a hart in program order, then one in decode. */
struct flight {
    struct entry entries[ENTRIES];
    unsigned first, n;
    struct entry decoding;
    bool decodes;
};

struct konata {
    FILE *file;
    const struct symbols *symbols;
    struct flight hart[SOC_HARTS_MAX];
    uint64_t ids, retired;
    uint64_t now, shown; /* cycles: this one, that of the last line */
    bool begun;
};

struct konata *konata_open(const char *path, const struct symbols *symbols, struct error *error) {
    struct konata *k = calloc(1, sizeof *k);
    if (k && (k->file = fopen(path, "w"))) {
        k->symbols = symbols;
        fputs("Kanata\t0004\n", k->file);
        return k;
    }
    error_set(error, "%s: %s", path, strerror(errno));
    free(k);
    return NULL;
}

bool konata_close(struct konata *k) {
    if (!k)
        return true;
    const bool ok = !ferror(k->file);
    const bool closed = fclose(k->file) == 0;
    free(k);
    return ok && closed;
}

/* --- one instruction --- */

/* Following events are of this cycle. */
static void catch_up(struct konata *k) {
    if (!k->begun)
        fprintf(k->file, "C=\t%" PRIu64 "\n", k->now);
    else if (k->now != k->shown)
        fprintf(k->file, "C\t%" PRIu64 "\n", k->now - k->shown);
    k->begun = true;
    k->shown = k->now;
}

static struct entry *at(struct flight *f, unsigned i) { return &f->entries[(f->first + i) % ENTRIES]; }

static void enter(struct konata *k, struct entry *e, enum stage stage) {
    catch_up(k);
    e->stage = stage;
    fprintf(k->file, "S\t%" PRIu64 "\t0\t%s\n", e->id, stage_names[stage]);
}

static void end(struct konata *k, const struct entry *e, unsigned how) {
    catch_up(k);
    fprintf(k->file, "E\t%" PRIu64 "\t0\t%s\nR\t%" PRIu64 "\t%" PRIu64 "\t%u\n", e->id, stage_names[e->stage],
            e->id, k->retired, how);
    k->retired += how == RETIRED;
}

static void begin(struct konata *k, struct flight *f, unsigned hart, const struct track_in *in) {
    f->decoding = (struct entry){.id = k->ids++};
    f->decodes = true;
    catch_up(k);
    fprintf(k->file, "I\t%" PRIu64 "\t%" PRIu64 "\t%u\n", f->decoding.id, f->decoding.id, hart);
    fprintf(k->file, "L\t%" PRIu64 "\t1\tinstruction %08" PRIx32 "%s%s\n", f->decoding.id, in->insn,
            in->fetch_missed ? ", I cache miss" : "", in->fetch_walked ? ", ITLB miss" : "");
    enter(k, &f->decoding, DECODE);
}

/* Its pc is known when it is the oldest. */
static void name(struct konata *k, const struct entry *e, const struct sim_probe *event) {
    char symbol[128];
    symbols_name(k->symbols, event->pc, symbol, sizeof symbol);
    fprintf(k->file, "L\t%" PRIu64 "\t0\t%" PRIx64 ": %08" PRIx32 " %s\n", e->id, event->pc, event->insn,
            symbol);
    if (event->trap)
        fprintf(k->file, "L\t%" PRIu64 "\t1\ttrap, cause %" PRIx64 "\n", e->id, event->cause);
}

/* --- one cycle --- */

/* The i-th and younger ones have been flushed. */
static void flush(struct konata *k, struct flight *f, unsigned i) {
    for (unsigned j = i; j < f->n; j++)
        end(k, at(f, j), FLUSHED);
    f->n = i;
    if (f->decodes)
        end(k, &f->decoding, FLUSHED);
    f->decodes = false;
}

static unsigned issued(struct flight *f) {
    unsigned i = 0;
    while (i < f->n && at(f, i)->stage != ISSUE)
        i++;
    return i;
}

static void leave(struct konata *k, struct flight *f, const struct sim_probe *event) {
    struct entry *e = at(f, 0);
    if (!f->n)
        return;
    name(k, e, event);
    end(k, e, event->retire ? RETIRED : FLUSHED);
    f->first = (f->first + 1) % ENTRIES;
    f->n--;
}

void konata_cycle(struct konata *k, uint64_t cycle, unsigned hart, const struct track_in *in,
                  const struct sim_probe *event) {
    struct flight *f = &k->hart[hart];
    k->now = cycle;
    for (unsigned i = 0; i < f->n; i++) {
        struct entry *e = at(f, i);
        if (e->stage != COMMIT && in->done >> e->tag & 1)
            enter(k, e, COMMIT);
    }
    if (in->shown && !f->decodes)
        begin(k, f, hart, in);
    if (in->issue && issued(f) < f->n)
        enter(k, at(f, issued(f)), EXECUTE);
    if (in->dispatch && f->decodes && f->n < ENTRIES) {
        f->decoding.tag = in->dispatch_tag;
        enter(k, &f->decoding, ISSUE);
        *at(f, f->n++) = f->decoding;
        f->decodes = false;
    }
    if (event && (event->retire || in->exception))
        leave(k, f, event);
    if (in->flush)
        flush(k, f, 0);
    else if (in->redirect) /* nothing younger than a transfer that resolves has been issued */
        flush(k, f, issued(f));
}
