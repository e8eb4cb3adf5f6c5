// SPDX-License-Identifier: Apache-2.0
#include "relay.h"

#include "lockstep.h"
#include "tally_spec.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/*
 * A message has a hart's signals of a cycle, as differences to the cycle before:
 *
 *     1 word     bit i: block i has changed; MESSAGE_x
 *     2 words    for each block that has
 *     1 word     with MESSAGE_MIP: mip
 *     n words    with MESSAGE_CSRS: mip, and the CSRs that are compared
 *
 * Messages are handed over in batches, so that the threads meet once in some hundred cycles. Batches are
 * written in turn; a thread owns one until it takes the lock and hands it over.
 */
#define MESSAGE_EVENT (UINT64_C(1) << 63)
#define MESSAGE_MIP (UINT64_C(1) << 62)
#define MESSAGE_CSRS (UINT64_C(1) << 61)

enum {
    BLOCK = 16, /* bytes */
    BLOCKS = 61,
    CSRS = 64,
    MESSAGE_WORDS = 1 + BLOCKS * BLOCK / 8 + CSRS, /* at most */
    BATCH_WORDS = RELAY_BATCH * 32,                /* an ordinary message is shorter */
    BATCH_ROOM = BATCH_WORDS + SOC_HARTS_MAX * MESSAGE_WORDS,
    NUMBERS = 4096, /* of CSRs */
};

/* The parts of these signals: X(name, structure, from, to). Of the PMU's ports those of one lane: the others
 * are never driven. */
#define PARTS(X)                                                                                             \
    X(pmu_in, struct gp_in, 0, offsetof(struct gp_in, ev_retire[1]))                                         \
    X(pmu_in, struct gp_in, offsetof(struct gp_in, ev_cycle), offsetof(struct gp_in, ev_cycle[1]))           \
    X(pmu_in, struct gp_in, offsetof(struct gp_in, decode), offsetof(struct gp_in, decode[1]))               \
    X(pmu_in, struct gp_in, offsetof(struct gp_in, track), offsetof(struct gp_in, retire[1]))                \
    X(pmu_in, struct gp_in, offsetof(struct gp_in, ret_next_pc), sizeof(struct gp_in))                       \
    X(pmu_out, struct gp_out, 0, offsetof(struct gp_out, wraps))                                             \
    X(flow, struct oracle_in, 0, offsetof(struct oracle_in, ev_retire))                                      \
    X(track, struct track_in, 0, sizeof(struct track_in))
#define EVENT_PARTS(X) X(event, struct sim_probe, 0, sizeof(struct sim_probe))

/* They are placed in struct sim itself, without room behind a part. */
_Static_assert(offsetof(struct oracle_in, ev_retire) % BLOCK == 0 && sizeof(struct track_in) % BLOCK == 0,
               "blocks");

/* NOLINTNEXTLINE(bugprone-macro-parentheses): terms of a sum */
#define COUNT_BLOCKS(name, structure, from, to) (((to) - (from) + BLOCK - 1) / BLOCK) +
_Static_assert(PARTS(COUNT_BLOCKS) EVENT_PARTS(COUNT_BLOCKS) 0 <= BLOCKS, "bits of a message");
_Static_assert(TALLY_EVC_N <= 64, "cycle events are one word");

struct batch {
    unsigned cycles, words;
    uint64_t word[BATCH_ROOM];
};

/* A hart's signals for the receiver, besides flow and track of struct sim */
struct shown {
    struct gp_in pmu_in;
    struct gp_out pmu_out;
    struct sim_probe event;
    uint64_t behind; /* the last block of an event may be longer than its rest */
    uint64_t csr[CSRS];
    uint64_t csrs; /* bit i: csr[i] is of this cycle */
    bool retires;
    void *block[BLOCKS];
};

/* The machine's copy of the receiver */
struct replica {
    struct sim sim; /* the first member: replica_csr() gets a pointer to it */
    struct sim_ops ops;
    struct shown hart[SOC_HARTS_MAX];
    uint8_t csr_at[NUMBERS]; /* index of shown.csr; CSRS: no probe */
};

struct relay {
    /* of the machine's thread */
    struct sim *sim;
    bool runs;
    struct batch *open; /* is written */
    uint64_t before[SOC_HARTS_MAX][BLOCKS * BLOCK / 8];
    bool csrs_due[SOC_HARTS_MAX];
    uint16_t csr[CSRS];
    unsigned csrs;
    pthread_t thread;
    /* of both */
    pthread_mutex_t lock;
    pthread_cond_t filled, emptied;
    unsigned given, taken; /* batches, ever */
    bool ends;
    atomic_bool refused;
    struct batch batch[RELAY_BATCHES];
    /* of the receiver's thread, while it runs */
    relay_receiver *receiver;
    void *ctx;
    struct replica replica;
};

/* --- The machine's thread ------------------------------------------------------------------------- */

struct writer {
    uint64_t *at, *before, changed, bit;
};

static inline void put_block(struct writer *w, const char *from, size_t n) {
    uint64_t now[2] = {0, 0};
    memcpy(now, from, n);
    const bool changed = ((now[0] ^ w->before[0]) | (now[1] ^ w->before[1])) != 0;
    memcpy(w->before, now, BLOCK);
    memcpy(w->at, now, BLOCK); /* is written over unless it has changed */
    w->at += changed ? 2 : 0;
    w->changed |= changed ? w->bit : 0;
    w->bit <<= 1;
    w->before += 2;
}

static inline void put_part(struct writer *w, const void *part, size_t from, size_t to) {
    const char *at = (const char *)part + from;
    const size_t size = to - from;
    for (size_t i = 0; i + BLOCK <= size; i += BLOCK)
        put_block(w, at + i, BLOCK);
    if (size % BLOCK)
        put_block(w, at + size / BLOCK * BLOCK, size % BLOCK);
}

static uint64_t *put_csrs(const struct relay *r, unsigned hart, uint64_t *at, unsigned n) {
    for (unsigned i = 0; i < n; i++)
        r->sim->ops->csr(r->sim, hart, r->csr[i], at++);
    return at;
}

/* Hand over the open batch; wait for a free one. */
static void hand_over(struct relay *r) {
    pthread_mutex_lock(&r->lock);
    r->given++;
    pthread_cond_signal(&r->filled);
    while (r->given - r->taken == RELAY_BATCHES)
        pthread_cond_wait(&r->emptied, &r->lock);
    pthread_mutex_unlock(&r->lock);
    r->open = &r->batch[r->given % RELAY_BATCHES];
    r->open->cycles = r->open->words = 0;
}

bool relay_put(struct relay *r, unsigned hart, const struct sim_probe *event, const struct gp_in *pmu_in,
               const struct gp_out *pmu_out) {
    struct batch *b = r->open;
    uint64_t *const head = b->word + b->words;
    struct writer w = {head + 1, r->before[hart], 0, 1};
    const struct oracle_in *flow = &r->sim->flow[hart];
    const struct track_in *track = &r->sim->track[hart];

    if (atomic_load_explicit(&r->refused, memory_order_relaxed))
        return false;
#define PUT(name, structure, from, to) put_part(&w, name, from, to);
    PARTS(PUT)
    if (event) {
        EVENT_PARTS(PUT)
        w.changed |= MESSAGE_EVENT;
    }
#undef PUT
    if (r->csrs_due[hart]) {
        w.changed |= MESSAGE_CSRS;
        w.at = put_csrs(r, hart, w.at, r->csrs);
    } else if (r->sim->cycle % LOCKSTEP_MIP_INTERVAL == 0) {
        w.changed |= MESSAGE_MIP;
        w.at = put_csrs(r, hart, w.at, 1);
    }
    r->csrs_due[hart] = event && lockstep_reads_csrs(event);
    *head = w.changed;
    b->words = (unsigned)(w.at - b->word);
    if (hart + 1 == r->sim->harts && (++b->cycles == RELAY_BATCH || b->words > BATCH_WORDS))
        hand_over(r);
    return true;
}

/* --- The receiver's thread ------------------------------------------------------------------------ */

static const uint64_t *unpack(struct shown *s, const uint64_t *at, unsigned csrs) {
    const uint64_t head = *at++;
    for (uint64_t left = head & (MESSAGE_CSRS - 1); left; left &= left - 1, at += 2)
        memcpy(s->block[__builtin_ctzll(left)], at, BLOCK);
    const unsigned n = head & MESSAGE_CSRS ? csrs : head & MESSAGE_MIP ? 1 : 0;
    memcpy(s->csr, at, n * sizeof *at);
    s->csrs = n ? UINT64_MAX >> (64 - n) : 0;
    return at + n;
}

static bool replica_csr(const struct sim *sim, unsigned hart, unsigned num, uint64_t *value) {
    const struct replica *replica = (const struct replica *)sim;
    const struct shown *s = &replica->hart[hart];
    const unsigned i = replica->csr_at[num % NUMBERS];
    if (i == CSRS)
        return false;
    if (!(s->csrs >> i & 1)) {
        fprintf(stderr, "tally-sim: CSR 0x%03x is read in a cycle that lockstep_reads_csrs() does not name\n",
                num);
        abort();
    }
    *value = s->csr[i];
    return true;
}

/* False: the receiver has refused a cycle; with two harts it sees the other one's too. */
static bool play(struct relay *r, const struct batch *b) {
    struct replica *replica = &r->replica;
    struct sim *sim = &replica->sim;
    const uint64_t *at = b->word;
    for (unsigned cycle = 0; cycle < b->cycles; cycle++) {
        bool good = true;
        for (unsigned h = 0; h < sim->harts; h++) {
            struct shown *s = &replica->hart[h];
            const bool event = *at & MESSAGE_EVENT;
            at = unpack(s, at, r->csrs);
            s->retires = event && s->event.retire;
            good &= r->receiver(r->ctx, sim, h, event ? &s->event : NULL, &s->pmu_in, &s->pmu_out);
        }
        for (unsigned h = 0; h < sim->harts; h++)
            sim->retired[h] += replica->hart[h].retires;
        sim->cycle++;
        if (!good)
            return false;
    }
    return true;
}

static void *receive(void *ctx) {
    struct relay *r = ctx;
    pthread_mutex_lock(&r->lock);
    for (;;) {
        while (r->given == r->taken && !r->ends)
            pthread_cond_wait(&r->filled, &r->lock);
        if (r->given == r->taken)
            break;
        pthread_mutex_unlock(&r->lock);
        if (!atomic_load_explicit(&r->refused, memory_order_relaxed) &&
            !play(r, &r->batch[r->taken % RELAY_BATCHES]))
            atomic_store_explicit(&r->refused, true, memory_order_relaxed);
        pthread_mutex_lock(&r->lock);
        r->taken++;
        pthread_cond_signal(&r->emptied);
    }
    pthread_mutex_unlock(&r->lock);
    return NULL;
}

/* --- Interface ------------------------------------------------------------------------------------ */

bool relay_runs(const struct relay *r) { return r && r->runs; }

struct sim *relay_seen(struct relay *r) {
    return &r->replica.sim;
}

bool relay_start(struct relay *r) {
    struct sim *seen = &r->replica.sim;
    sigset_t all, before;
    seen->cycle = r->sim->cycle;
    memcpy(seen->retired, r->sim->retired, sizeof seen->retired);
    r->open = &r->batch[r->given % RELAY_BATCHES];
    r->open->cycles = r->open->words = 0;
    r->ends = false;
    for (unsigned h = 0; h < r->sim->harts; h++)
        r->csrs_due[h] = true; /* from earlier cycles */
    sigfillset(&all);          /* signals are for the machine's thread */
    pthread_sigmask(SIG_SETMASK, &all, &before);
    r->runs = pthread_create(&r->thread, NULL, receive, r) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (r->runs)
        pthread_setname_np(r->thread, "lockstep");
    return r->runs;
}

bool relay_stop(struct relay *r) {
    pthread_mutex_lock(&r->lock);
    r->given += r->open->cycles != 0;
    r->ends = true;
    pthread_cond_signal(&r->filled);
    pthread_mutex_unlock(&r->lock);
    pthread_join(r->thread, NULL);
    r->runs = false;
    return !atomic_load_explicit(&r->refused, memory_order_relaxed);
}

/* The CSRs with a probe of the machine, mip first */
static bool find_csrs(struct relay *r) {
    uint64_t value;
    memset(r->replica.csr_at, CSRS, sizeof r->replica.csr_at);
    r->csr[r->csrs++] = TALLY_CSR_MIP;
    r->replica.csr_at[TALLY_CSR_MIP] = 0;
    for (const uint16_t *num = gh_csr_list; *num != 0xFFFF; num++) {
        if (r->replica.csr_at[*num] != CSRS || !r->sim->ops->csr(r->sim, 0, *num, &value))
            continue;
        if (r->csrs == CSRS)
            return false;
        r->replica.csr_at[*num] = (uint8_t)r->csrs;
        r->csr[r->csrs++] = *num;
    }
    return true;
}

struct relay *relay_new(struct sim *sim, relay_receiver *receiver, void *ctx, struct error *error) {
    struct relay *r = calloc(1, sizeof *r);
    if (r)
        r->sim = sim;
    if (!r || !find_csrs(r)) {
        error_set(error, r ? "more CSRs than the queue of lockstep has room for"
                           : "not enough memory for the queue of lockstep");
        free(r);
        return NULL;
    }
    struct replica *replica = &r->replica;
    const struct sim_ops *ops = sim->ops;
    r->receiver = receiver;
    r->ctx = ctx;
    replica->ops = (struct sim_ops){.harts = ops->harts,
                                    .mem_latency = ops->mem_latency,
                                    .time_ratio = ops->time_ratio,
                                    .smepmp = ops->smepmp,
                                    .ebb = ops->ebb,
                                    .counter_ram = ops->counter_ram,
                                    .csr = replica_csr};
    replica->sim.ops = &replica->ops;
    replica->sim.harts = sim->harts;
    replica->sim.ram_size = sim->ram_size;
    for (unsigned h = 0; h < sim->harts; h++) {
        const struct {
            struct gp_in *pmu_in;
            struct gp_out *pmu_out;
            struct sim_probe *event;
            struct oracle_in *flow;
            struct track_in *track;
        } shown = {&replica->hart[h].pmu_in, &replica->hart[h].pmu_out, &replica->hart[h].event,
                   &replica->sim.flow[h], &replica->sim.track[h]};
        unsigned n = 0;
#define PLACE(name, structure, from, to)                                                                     \
    for (size_t at = from; at < (to); at += BLOCK)                                                           \
        replica->hart[h].block[n++] = (char *)shown.name + at;
        PARTS(PLACE)
        EVENT_PARTS(PLACE)
#undef PLACE
    }
    pthread_mutex_init(&r->lock, NULL);
    pthread_cond_init(&r->filled, NULL);
    pthread_cond_init(&r->emptied, NULL);
    return r;
}

void relay_free(struct relay *r) {
    if (!r)
        return;
    if (r->runs)
        relay_stop(r);
    pthread_cond_destroy(&r->emptied);
    pthread_cond_destroy(&r->filled);
    pthread_mutex_destroy(&r->lock);
    free(r);
}
