// SPDX-License-Identifier: Apache-2.0
#include "cycles.h"

#include "places.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "tally_spec.h"

enum { WAIT = 1 << 14, MODE_LSB = 4, HALTED_LSB = 8 };

/* Columns of a cycle, in the order of the stream */
enum { ORACLE, PORTS, LAST, NEXT, INTERRUPTED, DECODED, COLUMNS, FLAGS = COLUMNS, WORDS };

/* Columns of the report besides */
enum { RETIRED = COLUMNS, ENTERED, COUNTS };
_Static_assert((int)COUNTS <= (int)PLACES_COUNTS, "more columns than a place has");

struct cycles {
    FILE *stream;
    struct places places;
    uint64_t waiting[WAIT][WORDS]; /* cycles since the last that retired or trapped, and that one */
    unsigned waiting_n;
    bool unsettled; /* the first of them is that one: everything except INTERRUPTED is filled in */
    uint64_t last, culprit;
    bool flushed, behind_transfer;
    uint64_t wires[64], cycle_wires[64];
    char message[200];
};

static const char *const retire_names[] = TALLY_EVR_NAMES, *const cycle_names[] = TALLY_EVC_NAMES;

struct cycles *cycles_new(FILE *stream, bool where) {
    struct cycles *c = calloc(1, sizeof *c);
    if (!c)
        return NULL;
    c->stream = stream;
    if (where && !places_open(&c->places)) {
        free(c);
        return NULL;
    }
    return c;
}

void cycles_free(struct cycles *c) {
    if (c)
        places_close(&c->places);
    free(c);
}

void cycles_clear(struct cycles *c) {
    places_clear(&c->places);
    memset(c->wires, 0, sizeof c->wires);
    memset(c->cycle_wires, 0, sizeof c->cycle_wires);
}

/* --- attribution of waiting cycles --- */

static void settle(struct cycles *c, const uint64_t *cycle) {
    const unsigned mode = cycle[FLAGS] >> MODE_LSB & 3;
    if (c->stream)
        fwrite(cycle, sizeof *cycle, WORDS, c->stream);
    for (unsigned i = 0; c->places.room && i < COLUMNS; i++) {
        if (cycle[FLAGS] >> HALTED_LSB & 1 && i != DECODED)
            continue; /* halted cycles are attributed to no instruction */
        if (i != DECODED || cycle[DECODED])
            places_add(&c->places, cycle[i], mode, i);
    }
}

/* `pc` is next to retire or trap: complete the cycles that waited for it. */
static const char *arrive(struct cycles *c, uint64_t pc) {
    const char *wrong = NULL;
    for (unsigned i = 0; i < c->waiting_n; i++) {
        uint64_t *cycle = c->waiting[i];
        const unsigned kind = cycle[FLAGS] & 15;
        cycle[INTERRUPTED] = pc;
        if (i || !c->unsettled) {
            cycle[NEXT] = pc;
            if (kind != CYCLE_FLUSHED)
                cycle[ORACLE] = pc;
            if (cycle[ORACLE] != cycle[PORTS] && !(cycle[FLAGS] >> HALTED_LSB & 1) && !wrong) {
                snprintf(c->message, sizeof c->message,
                         "%u cycles ago the unit's ports attributed a cycle (kind %u) to pc 0x%" PRIx64
                         ", the oracle to 0x%" PRIx64,
                         c->waiting_n - i, kind, cycle[PORTS], cycle[ORACLE]);
                wrong = c->message;
            }
        }
        settle(c, cycle);
    }
    c->waiting_n = 0;
    c->unsettled = false;
    return wrong;
}

/* --- one cycle --- */

static uint64_t ports(const struct gp_in *pmu) {
    return pmu->retire[0].valid ? pmu->retire[0].pc : pmu->ret_flushed ? pmu->ret_flush_pc : pmu->ret_next_pc;
}

/* Trap returns are excluded: the next instruction begins no block of the program. */
static bool transfers(uint64_t wires) {
    const uint64_t all = 1ull << TALLY_EVR_BR_NT | 1ull << TALLY_EVR_BR_TK | 1ull << TALLY_EVR_IND_CALL |
                         1ull << TALLY_EVR_DIR_CALL | 1ull << TALLY_EVR_IND_JMP | 1ull << TALLY_EVR_DIR_JMP |
                         1ull << TALLY_EVR_CORSWAP | 1ull << TALLY_EVR_RETURN | 1ull << TALLY_EVR_IND_LJMP |
                         1ull << TALLY_EVR_DIR_LJMP;
    return wires & all;
}

static const char *check_retire(struct cycles *c, const struct oracle_in *in, const struct gp_in *pmu) {
    for (uint64_t rest = pmu->ev_retire[0]; rest; rest &= rest - 1) {
        const unsigned wire = (unsigned)__builtin_ctzll(rest);
        c->wires[wire]++;
        if (!in->retire || !pmu->retire[0].valid || pmu->retire[0].pc != in->pc) {
            snprintf(c->message, sizeof c->message,
                     "event %s is reported with pc 0x%" PRIx64 ", the retiring instruction is at 0x%" PRIx64,
                     retire_names[wire], pmu->retire[0].pc, in->retire ? in->pc : 0);
            return c->message;
        }
    }
    return NULL;
}

/* The cause of an empty pipeline, from this cycle until the next dispatch. An instruction that is fetched
 * again for another action (A and D bits) waits for itself. */
static void follow_flush(struct cycles *c, const struct oracle_in *in, uint64_t epc) {
    if (in->dispatch)
        c->flushed = false;
    if (in->redirect) {
        c->flushed = true;
        c->culprit = in->resolve_pc;
    }
    if (in->flush) {
        c->flushed = in->retire || in->exception || in->interrupt || in->ebb;
        c->culprit = in->interrupt ? epc : in->pc;
    }
}

const char *cycles_cycle(struct cycles *c, const struct oracle_in *in, const struct gp_in *pmu,
                         uint64_t epc) {
    const bool event = in->retire || in->exception || in->interrupt || in->ebb;
    const char *wrong = check_retire(c, in, pmu);
    enum cycle_kind kind = CYCLE_STALLED;
    for (uint64_t rest = pmu->ev_cycle[0]; rest; rest &= rest - 1)
        c->cycle_wires[__builtin_ctzll(rest)]++;
    if (in->retire)
        kind = CYCLE_COMMITTING;
    else if (in->rob_empty)
        kind = c->flushed ? CYCLE_FLUSHED : CYCLE_DRAINED;
    if (c->waiting_n == WAIT) /* a long halt: do not wait for the next instruction */
        arrive(c, c->waiting[WAIT - 1][PORTS]);
    if (in->retire)
        c->last = in->pc;

    uint64_t now[WORDS] = {
        [ORACLE] = in->retire ? in->pc : c->culprit,
        [PORTS] = ports(pmu),
        [LAST] = c->last,
        [NEXT] = in->pc,
        [DECODED] = pmu->decode[0].valid ? pmu->decode[0].pc : 0,
        [FLAGS] = kind | (uint64_t)(pmu->mode.priv & 3) << MODE_LSB |
                  (uint64_t)(in->halted || in->held) << HALTED_LSB,
    };
    if (in->retire) {
        const char *late = arrive(c, in->pc);
        wrong = wrong ? wrong : late;
        if (!wrong && now[PORTS] != in->pc)
            wrong = "the unit's ports attribute a cycle to another instruction than the one that retires";
        memcpy(c->waiting[0], now, sizeof now);
        c->waiting_n = 1;
        c->unsettled = true;
        places_add(&c->places, in->pc, pmu->mode.priv & 3, RETIRED);
        if (c->behind_transfer)
            places_add(&c->places, in->pc, pmu->mode.priv & 3, ENTERED);
        c->behind_transfer = transfers(pmu->ev_retire[0]);
    } else {
        memcpy(c->waiting[c->waiting_n++], now, sizeof now);
        if (event) {
            const char *late = arrive(c, epc);
            wrong = wrong ? wrong : late;
            c->behind_transfer = true;
        }
    }
    follow_flush(c, in, epc);
    return wrong;
}

const char *cycles_moved(struct cycles *c, uint64_t pc) { return arrive(c, pc); }

void cycles_report(const struct cycles *c, unsigned hart, FILE *out) {
    for (size_t i = 0; i < c->places.room; i++) {
        const struct place *p = &c->places.place[i];
        if (!p->used)
            continue;
        fprintf(out, "pc %u %u 0x%" PRIx64, hart, p->mode, p->pc);
        for (unsigned k = 0; k < COUNTS; k++)
            fprintf(out, " %" PRIu64, p->count[k]);
        fprintf(out, "\n");
    }
    for (unsigned i = 0; i < TALLY_EVR_N; i++)
        fprintf(out, "event %u %s %" PRIu64 "\n", hart, retire_names[i], c->wires[i]);
    for (unsigned i = 0; i < TALLY_EVC_N; i++)
        fprintf(out, "cycle %u %s %" PRIu64 "\n", hart, cycle_names[i], c->cycle_wires[i]);
}
