// SPDX-License-Identifier: Apache-2.0
/* Coverage: the memory buffer of precise sampling. */
#include "cover_group.h"

#include "tally_spec.h"

enum {
    X_QUEUE,   /* records on their way */
    X_POINTER, /* thresholds and the end of the buffer */
    X_PAGE,    /* the record that fills a page */
    X_FORGET,  /* causes of invalid translations */
    X_FAULT,   /* faults */
    N_CROSSES
};

static const char *const fills[] = {"empty", "some", "full", NULL};
enum { QUEUE_EMPTY, QUEUE_SOME, QUEUE_FULL };
static const char *const moves[] = {"nothing", "accepts", "done", "both", NULL};
static const char *const pointers[] = {"inside", "quarter", "end", NULL};
enum { PASS_INSIDE, PASS_QUARTER, PASS_END };
static const char *const nexts[] = {"there",         "asked for", "answered now", "asked for from now",
                                    "not asked for", NULL};
enum { NEXT_THERE, NEXT_ASKED, NEXT_ANSWERED, NEXT_STARTS, NEXT_NOT };
static const char *const forgets[] = {"SFENCE", "spdisambaddr", "SIZE", "EN=0", "mode", NULL};
enum { FORGET_FENCE, FORGET_ADDR, FORGET_SIZE, FORGET_DISABLED, FORGET_MODE };
static const char *const requests[] = {"none", "out", "answered now", NULL};
static const char *const pages[] = {"current", "next", NULL};

/* ---- impossible cells */

static const char no_pdis[] = "instruction sampling is not built";
static const char no_memory[] = "MEM is hardwired to 0";
static const char no_slot[] = "the queue has no room, or nothing that could be done";

static const char *memory_first(const struct gp_config *cfg) {
    return !cfg->smpdis ? no_pdis : cfg->pdis_mem == 0 ? no_memory : NULL;
}

static const char *queue_impossible(const struct gp_config *cfg, const unsigned at[]) {
    const char *why = memory_first(cfg);

    if (why)
        return why;
    return (at[0] == QUEUE_EMPTY && at[1] & 2) || (at[0] == QUEUE_FULL && at[1] & 1) ? no_slot : NULL;
}

static const char *buffer_impossible(const struct gp_config *cfg, const unsigned at[]) {
    (void)at;
    return memory_first(cfg);
}

static const struct cross crosses[N_CROSSES] = {
    [X_QUEUE] = {.name = "queue of records",
                 .dim = {{"was", fills}, {"cycle", moves}},
                 .impossible = queue_impossible},
    [X_POINTER] = {.name = "buffer pointer",
                   .dim = {{"passes", pointers}, {"BMITH equal", cover_no_yes}, {"BMIEN", cover_zero_one}},
                   .impossible = buffer_impossible},
    [X_PAGE] = {.name = "page filled", .dim = {{"next page", nexts}}, .impossible = buffer_impossible},
    [X_FORGET] = {.name = "translations void",
                  .dim = {{"by", forgets}, {"request", requests}},
                  .impossible = buffer_impossible},
    [X_FAULT] = {.name = "translation answered",
                 .dim = {{"page", pages}, {"fault", cover_no_yes}},
                 .impossible = buffer_impossible},
};

/* ---- samples */

static void sample(struct cross *x, const struct cover_cycle *c) {
    const struct gp_amb *a = &c->pmu->amb;
    const struct gp_buffer *b = &c->cycle.buffer;
    unsigned used = a->used == 0 ? QUEUE_EMPTY : a->used == c->cfg->pdis_queue ? QUEUE_FULL : QUEUE_SOME;

    if (!c->cfg->smpdis || !c->cfg->pdis_mem)
        return;
    HIT(&x[X_QUEUE], used, b->accepts | b->done << 1);
    if (b->done && !gp_writes(&c->cycle, REG_AMBADDR)) {
        unsigned shift = 10 + (unsigned)((a->cs & TALLY_SPDISAMBCS_SIZE_MASK) >> TALLY_SPDISAMBCS_SIZE_LSB);
        uint64_t record = c->cfg->xlen == 32 ? TALLY_RECORD_BYTES_RV32 : TALLY_RECORD_BYTES_RV64;
        uint64_t before = a->addr >> shift & 3, after = (a->addr + record) >> shift & 3;

        HIT(&x[X_POINTER],
            before == after ? PASS_INSIDE
            : after         ? PASS_QUARTER
                            : PASS_END,
            after == (a->cs & TALLY_SPDISAMBCS_BMITH_MASK) >> TALLY_SPDISAMBCS_BMITH_LSB,
            (a->cs & TALLY_SPDISAMBCS_BMIEN_MASK) != 0);
    }
    if (b->leaves && !b->forget)
        HIT(&x[X_PAGE], a->next.valid                                  ? NEXT_THERE
                        : b->answer && !b->fault                       ? NEXT_ANSWERED
                        : a->asks && !b->answer                        ? NEXT_ASKED
                        : a->cs & TALLY_SPDISAMBCS_TF_MASK || b->fault ? NEXT_NOT
                                                                       : NEXT_STARTS);
    if (b->answer)
        HIT(&x[X_FAULT], a->asks_next, b->fault);
    if (b->forget) {
        bool cs = gp_writes(&c->cycle, REG_AMBCS);
        unsigned how = c->in->env.tlb_inval                                          ? FORGET_FENCE
                       : gp_writes(&c->cycle, REG_AMBADDR)                           ? FORGET_ADDR
                       : !cs                                                         ? FORGET_MODE
                       : gp_merge(a->cs, &c->cycle.write) & TALLY_SPDISAMBCS_EN_MASK ? FORGET_SIZE
                                                                                     : FORGET_DISABLED;

        HIT(&x[X_FORGET], how, !a->asks ? 0 : c->in->xlat_done ? 2 : 1);
    }
}

const struct cover_group cover_buffer = {crosses, N_CROSSES, sample};
