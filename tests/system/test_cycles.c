// SPDX-License-Identifier: Apache-2.0
/* The oracle of cycle attribution (tb/cycles.h): the instruction to which each kind of cycle is attributed,
 * and that a port of the unit that differs is reported. */
#include "cycles.h"

#include <stdlib.h>
#include <string.h>

#include "tally_spec.h"

enum { A = 0x1000, B = 0x1004, C = 0x1008, HANDLER = 0x2000 };

/* A cycle's events, and the unit's ports */
struct step {
    const char *what;
    uint64_t retires, excepts, interrupts, redirects; /* pcs; 0: nothing */
    uint64_t next, flusher;                           /* ports: next to retire, the flush's cause (0: none) */
    bool dispatch, empty, flush;
};

static const struct step good[] = {
    {.what = "retires", .retires = A, .next = B},
    {.what = "stalled", .next = B},
    {.what = "a branch that went wrong resolves", .redirects = B, .next = B},
    {.what = "... and retires", .retires = B, .next = C},
    {.what = "flushed", .empty = true, .next = C, .flusher = B},
    {.what = "flushed, and the next is dispatched", .empty = true, .dispatch = true, .next = C, .flusher = B},
    {.what = "stalled again", .next = C},
    {.what = "an exception", .excepts = C, .next = C, .flush = true},
    {.what = "flushed by it", .empty = true, .dispatch = true, .next = HANDLER, .flusher = C},
    {.what = "the handler", .retires = HANDLER, .next = HANDLER + 4},
    {.what = "drained", .empty = true, .next = HANDLER + 4},
    {.what = "an interrupt instead",
     .empty = true,
     .interrupts = HANDLER + 4,
     .next = HANDLER + 4,
     .flush = true},
    {.what = "flushed by it", .empty = true, .next = HANDLER, .flusher = HANDLER + 4, .dispatch = true},
    {.what = "the end", .retires = HANDLER, .next = HANDLER + 4},
};
enum { STEPS = sizeof good / sizeof *good };

static const char *play(struct cycles *c, const struct step *s) {
    struct oracle_in in = {.retire = s->retires,
                           .exception = s->excepts,
                           .interrupt = s->interrupts,
                           .pc = s->retires   ? s->retires
                                 : s->excepts ? s->excepts
                                              : s->interrupts,
                           .redirect = s->redirects,
                           .resolve_pc = s->redirects,
                           .dispatch = s->dispatch,
                           .rob_empty = s->empty,
                           .flush = s->flush};
    struct gp_in pmu;
    memset(&pmu, 0, sizeof pmu);
    pmu.retire[0].valid = s->retires;
    pmu.retire[0].pc = s->retires;
    pmu.ev_retire[0] = s->retires ? 1ull << TALLY_EVR_INST : 0;
    pmu.ret_next_pc = s->next;
    pmu.ret_flushed = s->flusher;
    pmu.ret_flush_pc = s->flusher;
    return cycles_cycle(c, &in, &pmu, s->excepts ? s->excepts : s->interrupts);
}

/* Does a run of the steps, one of them changed, end with a complaint? */
static bool complains(unsigned changed, const struct step *instead) {
    struct cycles *c = cycles_new(NULL, true);
    const char *wrong = NULL;
    if (!c)
        exit(2);
    for (unsigned i = 0; i < STEPS && !wrong; i++)
        wrong = play(c, i == changed ? instead : &good[i]);
    cycles_free(c);
    return wrong;
}

int main(void) {
    int failed = 0;
    if (complains(STEPS, NULL)) {
        printf("wrong: a correct attribution is refused\n");
        failed = 1;
    }
    for (unsigned i = 0; i < STEPS; i++) {
        struct step other = good[i];
        if (other.flusher)
            other.flusher += 2;
        else if (!other.retires)
            other.next += 2;
        else
            continue;
        if (!complains(i, &other)) {
            printf("wrong: step %u (%s) attributed to another pc is not seen\n", i, good[i].what);
            failed = 1;
        }
    }
    return failed;
}
