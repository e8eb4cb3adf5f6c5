// SPDX-License-Identifier: Apache-2.0
/*
 * The queue to the second thread: the receiver must get the same message, in every field and every
 * cycle; a full queue holds the machine, a refusal ends the run in its cycle. Signals change at random, as
 * often and as seldom as those of a machine.
 */
#include "lockstep.h"
#include "probe.h"
#include "relay.h"
#include "tally_spec.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { CYCLES = 40000, NEVER = -1, FULL = RELAY_LAG, PATIENCE = 60000 /* ms */ };

/* A machine of random signals: the same from the same seed */
struct player {
    struct sim sim;
    bool calm; /* nothing moves: a batch ends by its cycles, not by its words */
    uint64_t dice;
    struct gp_in in[SOC_HARTS_MAX];
    struct gp_out out[SOC_HARTS_MAX];
    struct sim_probe probe[SOC_HARTS_MAX];
    bool event[SOC_HARTS_MAX];
    bool csrs_due[SOC_HARTS_MAX];
};

static uint64_t roll(struct player *p) {
    p->dice ^= p->dice << 13;
    p->dice ^= p->dice >> 7;
    return p->dice ^= p->dice << 17;
}

/* A CSR is a function of hart, cycle and number; some have no probe. */
static bool csr(const struct sim *sim, unsigned hart, unsigned num, uint64_t *value) {
    *value = (sim->cycle + 1) * 0x9E3779B97F4A7C15 ^ (uint64_t)num << 32 ^ hart;
    return num % 5 != 0;
}

static const struct sim_ops ops = {.csr = csr, .counter_ram = true};

static void change(struct player *p, void *at, size_t n) {
    const uint64_t value = roll(p) % 4 ? roll(p) % 3 : roll(p);
    memcpy(at, &value, n);
}

#define CHANGE(field, signal) change(p, &to->field, sizeof to->field);
#define CHANGE_OUT(field, signal, valid) change(p, &to->field, sizeof to->field);
/* Each field by itself, in one cycle of four */
#define SOMETIMES(field, signal)                                                                             \
    if (roll(p) % 4 == 0)                                                                                    \
    CHANGE(field, signal)
#define SOMETIMES_OUT(field, signal, valid) SOMETIMES(field, signal)

static void play_hart(struct player *p, unsigned hart) {
    p->csrs_due[hart] = p->event[hart] && lockstep_reads_csrs(&p->probe[hart]);
    if (p->calm)
        return;
    p->event[hart] = roll(p) % 2;
    if (p->event[hart]) {
        struct sim_probe *to = &p->probe[hart];
        PROBE_HART(SOMETIMES)
        SOMETIMES(mem_result, )
    }
    if (roll(p) % 8) { /* else nothing moves */
        struct gp_in *to = &p->in[hart];
        PROBE_PMU_IN(SOMETIMES)
        SOMETIMES(ev_cycle[0], )
    }
    if (roll(p) % 8) {
        struct gp_out *to = &p->out[hart];
        PROBE_PMU_OUT(SOMETIMES_OUT)
    }
    if (roll(p) % 8) {
        struct oracle_in *to = &p->sim.flow[hart];
        PROBE_FLOW(SOMETIMES)
    }
    if (roll(p) % 8) {
        struct track_in *to = &p->sim.track[hart];
        PROBE_TRACK(SOMETIMES)
    }
}

static void play(struct player *p) {
    for (unsigned h = 0; h < p->sim.harts; h++)
        play_hart(p, h);
}

static void end_cycle(struct player *p) {
    for (unsigned h = 0; h < p->sim.harts; h++)
        p->sim.retired[h] += p->event[h] && p->probe[h].retire;
    p->sim.cycle++;
}

static void player_init(struct player *p, unsigned harts) {
    memset(p, 0, sizeof *p);
    p->dice = 88172645463325252;
    p->sim.ops = &ops;
    p->sim.harts = harts;
}

/* --- The receiver ----------------------------------------------------------------------------------- */

struct receiver {
    struct player player; /* expected */
    int refuses;          /* in this cycle */
    bool slow;            /* waits in the first cycle until the queue is full, and some time more */
    bool fresh;           /* the relay has just been started: it gives all CSRs */
    unsigned calls;
    const char *wrong;
    atomic_uint put; /* calls of relay_put that have returned */
    unsigned ahead;  /* of them, when this had waited */
};

static void sleep_ms(unsigned n) {
    const struct timespec time = {.tv_nsec = (long)n * 1000000};
    nanosleep(&time, NULL);
}

static const char *compare_csrs(const struct player *p, const struct sim *seen, unsigned hart, bool all) {
    for (const uint16_t *num = gh_csr_list; *num != 0xFFFF; num++) {
        uint64_t expected, found;
        const bool known = csr(&p->sim, hart, *num, &expected);
        if (*num != TALLY_CSR_MIP && !all)
            continue;
        if (seen->ops->csr(seen, hart, *num, &found) != known || (known && found != expected))
            return "a CSR";
    }
    return NULL;
}

#define SAME(field, signal)                                                                                  \
    if (is->field != should->field)                                                                          \
        return #field;
#define SAME_OUT(field, signal, valid) SAME(field, signal)

static const char *compare(const struct player *p, const struct sim *seen, unsigned hart, bool all_csrs,
                           const struct sim_probe *event, const struct gp_in *in, const struct gp_out *out) {
    if (seen->cycle != p->sim.cycle || seen->harts != p->sim.harts || !seen->ops->counter_ram)
        return "cycle";
    if (memcmp(seen->retired, p->sim.retired, sizeof seen->retired) != 0)
        return "instructions retired";
    if ((event != NULL) != p->event[hart])
        return "event";
    if (event) {
        const struct sim_probe *is = event, *should = &p->probe[hart];
        PROBE_HART(SAME)
        SAME(mem_result, )
    }
    {
        const struct gp_in *is = in, *should = &p->in[hart];
        PROBE_PMU_IN(SAME)
        SAME(ev_cycle[0], )
    }
    {
        const struct gp_out *is = out, *should = &p->out[hart];
        PROBE_PMU_OUT(SAME_OUT)
    }
    {
        const struct oracle_in *is = &seen->flow[hart], *should = &p->sim.flow[hart];
        PROBE_FLOW(SAME)
    }
    {
        const struct track_in *is = &seen->track[hart], *should = &p->sim.track[hart];
        PROBE_TRACK(SAME)
    }
    if (all_csrs || p->csrs_due[hart] || seen->cycle % LOCKSTEP_MIP_INTERVAL == 0)
        return compare_csrs(p, seen, hart, all_csrs || p->csrs_due[hart]);
    return NULL;
}

static bool receive(void *ctx, struct sim *seen, unsigned hart, const struct sim_probe *event,
                    const struct gp_in *in, const struct gp_out *out) {
    struct receiver *r = ctx;
    struct player *p = &r->player;
    if (r->slow && r->calls == 0) {
        for (unsigned ms = 0; r->put < FULL * p->sim.harts - 1 && ms < PATIENCE; ms++)
            sleep_ms(1);
        sleep_ms(200);
        r->ahead = r->put;
    }
    r->calls++;
    if (hart == 0)
        play(p);
    const char *wrong = compare(p, seen, hart, r->fresh, event, in, out);
    if (wrong && !r->wrong)
        r->wrong = wrong;
    /* models write derived values into flow and track */
    seen->flow[hart].pc = ~seen->flow[hart].pc;
    seen->flow[hart].ev_retire = seen->track[hart].next_pc = seen->cycle;
    if (hart + 1 == p->sim.harts) {
        r->fresh = false;
        end_cycle(p);
    }
    return r->refuses == NEVER || seen->cycle != (uint64_t)r->refuses;
}

/* --- Runs ------------------------------------------------------------------------------------------- */

static int failures;

static void check(bool good, const char *what, const char *why) {
    if (good)
        return;
    printf("FAIL: %s: %s\n", what, why);
    failures++;
}

/* Cycles until `until`, or until one is refused. The number that was put */
static unsigned put_until(struct player *p, struct relay *relay, struct receiver *r, uint64_t until) {
    unsigned cycles = 0;
    for (bool good = true; good && p->sim.cycle < until; cycles += good) {
        play(p);
        for (unsigned h = 0; h < p->sim.harts; h++) {
            good &= relay_put(relay, h, p->event[h] ? &p->probe[h] : NULL, &p->in[h], &p->out[h]);
            r->put++;
        }
        end_cycle(p);
    }
    return cycles;
}

static void run(const char *name, unsigned harts, int refuses, bool slow, unsigned parts) {
    static struct player player;
    static struct receiver receiver;
    struct error error;
    memset(&receiver, 0, sizeof receiver);
    player_init(&player, harts);
    player_init(&receiver.player, harts);
    receiver.refuses = refuses;
    receiver.slow = player.calm = receiver.player.calm = slow;
    struct relay *relay = relay_new(&player.sim, receive, &receiver, &error);
    bool good = relay != NULL;
    check(!relay_runs(NULL) && !relay_runs(relay), name, "it runs before its start");
    for (unsigned part = 0; good && part < parts; part++) {
        receiver.fresh = true;
        check(relay_start(relay) && relay_runs(relay), name, "there is no thread");
        put_until(&player, relay, &receiver, (uint64_t)CYCLES * (part + 1) / parts);
        good = relay_stop(relay);
        check(!relay_runs(relay), name, "it runs after its end");
        check(good == (refuses == NEVER), name, "the receiver's answer");
    }
    const uint64_t end = refuses == NEVER ? CYCLES : (uint64_t)refuses + 1;
    check(!receiver.wrong, name, receiver.wrong ? receiver.wrong : "");
    check(receiver.calls == end * harts, name, "the receiver's cycles");
    check(relay_seen(relay)->cycle == end, name, "the cycle at the end");
    check(memcmp(relay_seen(relay)->retired, receiver.player.sim.retired, sizeof player.sim.retired) == 0,
          name, "the instructions at the end");
    /* the last cycle of a full queue is under way */
    check(!slow || receiver.ahead == FULL * harts - 1, name, "a full queue does not hold the machine");
    check(refuses == NEVER || player.sim.cycle <= end + RELAY_LAG, name, "the machine ran far ahead");
    relay_free(relay);
}

int main(void) {
    run("one hart", 1, NEVER, false, 1);
    run("two harts", 2, NEVER, false, 1);
    run("started and stopped", 1, NEVER, false, 7);
    run("more often than there are batches", 2, NEVER, false, 400);
    run("a full queue", 1, NEVER, true, 1);
    run("a full queue, two harts", 2, NEVER, true, 1);
    run("the first cycle is refused", 1, 0, false, 1);
    run("a cycle is refused", 1, 12345, false, 1);
    run("a cycle is refused, two harts", 2, 12345, false, 1);
    run("the last cycle is refused", 2, CYCLES - 1, false, 1);
    run("refused while the queue is full", 1, 0, true, 1);
    puts(failures ? "FAIL" : "ok");
    return failures != 0;
}
