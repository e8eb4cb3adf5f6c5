// SPDX-License-Identifier: Apache-2.0
#include "iss_where.h"

#include "iss_events.h"
#include "sample_file.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { ROOM = 1 << 10, BLOCK = 2 * WHERE_PLACES };

/* --- the table ------------------------------------------------------------------------------------ */

static struct iss_where_block *slot(struct iss_where_block *block, size_t room, uint64_t base,
                                    unsigned mode) {
    size_t i = (size_t)((base ^ mode) * 0x9e3779b97f4a7c15u >> 32) & (room - 1);
    while (block[i].used && (block[i].base != base || block[i].mode != mode))
        i = (i + 1) & (room - 1);
    return &block[i];
}

static bool grow(struct iss_where_table *t) {
    struct iss_where_block *more = calloc(2 * t->room, sizeof *more);
    if (!more)
        return false;
    for (size_t i = 0; i < t->room; i++)
        if (t->block[i].used)
            *slot(more, 2 * t->room, t->block[i].base, t->block[i].mode) = t->block[i];
    free(t->block);
    t->block = more;
    t->room *= 2;
    return true;
}

/* NULL: memory is short */
static struct iss_where_block *find(struct iss_where_table *t, uint64_t pc, unsigned mode) {
    const uint64_t base = pc & ~(uint64_t)(BLOCK - 1);
    if (t->last && t->last->base == base && t->last->mode == mode)
        return t->last;
    if (2 * t->used >= t->room && !grow(t))
        return t->last = NULL;
    t->last = slot(t->block, t->room, base, mode);
    if (!t->last->used) {
        *t->last = (struct iss_where_block){.base = base, .mode = (uint8_t)mode, .used = true};
        t->used++;
    }
    return t->last;
}

struct iss_where *iss_where_new(unsigned harts) {
    struct iss_where *w = calloc(1, sizeof *w);
    for (unsigned h = 0; w && h < harts; h++) {
        w->hart[h].room = ROOM;
        if (!(w->hart[h].block = calloc(ROOM, sizeof *w->hart[h].block))) {
            iss_where_free(w);
            return NULL;
        }
    }
    return w;
}

void iss_where_free(struct iss_where *w) {
    for (unsigned h = 0; w && h < SOC_HARTS_MAX; h++)
        free(w->hart[h].block);
    if (w)
        free(w->window);
    free(w);
}

/* --- counting ------------------------------------------------------------------------------------- */

static void add(struct iss_where_sums *sums, const struct gh_retire *step, const struct warm_seen *seen,
                unsigned cycles) {
    sums->count++;
    sums->cycles += cycles;
    sums->taken += step->next_pc != step->pc + ((step->insn & 3) == 3 ? 4 : 2);
    sums->loads += step->mem == GH_MEM_LOAD;
    sums->stores += step->mem == GH_MEM_STORE;
#define SUM(what) sums->what += seen->what;
    ISS_WHERE_SEEN(SUM)
#undef SUM
}

/* The sums of the window; NULL: memory is short */
static struct iss_where_sums *window(struct iss_where *w, uint64_t name) {
    if (!w->windows || w->window[w->windows - 1].name != name) {
        struct iss_where_window *more = realloc(w->window, (w->windows + 1) * sizeof *more);
        if (!more)
            return NULL;
        w->window = more;
        w->window[w->windows++] = (struct iss_where_window){.name = name};
    }
    return &w->window[w->windows - 1].sums;
}

/* The instruction's estimate, with --timed. False: memory is short. */
static bool foresee(struct iss_where *w, const struct iss_checkpoints *c, struct iss_where_place *place,
                    unsigned hart, const struct gh_retire *step, unsigned cycles) {
    const struct warm_seen *seen = &c->iss->warm[hart].seen;
    if (c->iss->retired > c->sampled_from) {
        place->sampled_count++;
        place->sampled_cycles += cycles;
        add(&w->sampled, step, seen, cycles);
    }
    if (!iss_checkpoints_in_window(c))
        return true;
    struct iss_where_sums *sums = window(w, c->window_name);
    place->window_count++;
    place->window_cycles += cycles;
    if (sums)
        add(sums, step, seen, cycles);
    return sums;
}

bool iss_where_cycle(struct iss_where *w, unsigned moved, const struct gh_retire *step,
                     const unsigned *cycles, struct iss_checkpoints *checkpoints, struct error *error) {
    for (unsigned h = 0; moved >> h; h++) {
        if (!(moved >> h & 1) || !iss_retires(&step[h]))
            continue;
        const uint64_t pc = step[h].pc;
        struct iss_where_block *b = find(&w->hart[h], pc, (unsigned)step[h].priv);
        const unsigned i = (unsigned)(pc % BLOCK / 2);
        struct iss_where_place *place = b ? &b->place[i] : NULL;
        if (!b || (cycles && !foresee(w, checkpoints, place, h, &step[h], cycles[h])))
            return error_set(error, "not enough memory to count instructions");
        place->count++;
        if (!checkpoints->code || b->known >> i & 1)
            continue;
        if (!iss_checkpoints_code(checkpoints, h, b->mode, pc, place->count, error))
            return false;
        b->known |= (uint32_t)checkpoints->known << i;
    }
    return true;
}

static void write_sums(FILE *f, const struct iss_where_sums *s) {
#define SUM(what) fprintf(f, " " #what "=%" PRIu64, s->what);
    ISS_WHERE_OWN(SUM) ISS_WHERE_SEEN(SUM) fputc('\n', f);
#undef SUM
}

bool iss_where_write(const struct iss_where *w, const struct machine *machine, const struct options *o,
                     unsigned time_ratio, struct error *error) {
    FILE *f = fopen(o->where, "w");
    if (f)
        sample_file_where(f, machine, o, time_ratio);
    for (unsigned h = 0; f && h < o->harts; h++)
        for (size_t i = 0; i < w->hart[h].room; i++) {
            const struct iss_where_block *b = &w->hart[h].block[i];
            for (unsigned k = 0; k < WHERE_PLACES; k++) {
                const struct iss_where_place *p = &b->place[k];
                if (!p->count)
                    continue;
                fprintf(f, "pc %u %u 0x%" PRIx64 " %" PRIu64, h, b->mode, b->base + 2 * k, p->count);
                if (o->timed)
                    fprintf(f, " %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64, p->sampled_count,
                            p->sampled_cycles, p->window_count, p->window_cycles);
                fputc('\n', f);
            }
        }
    if (f && w->windows) {
        fprintf(f, "sampled");
        write_sums(f, &w->sampled);
    }
    for (size_t i = 0; f && i < w->windows; i++) {
        fprintf(f, "window %" PRIu64, w->window[i].name);
        write_sums(f, &w->window[i].sums);
    }
    const bool ok = f && !ferror(f);
    return (f && fclose(f) == 0 && ok) || error_set(error, "%s: %s", o->where, strerror(errno));
}
