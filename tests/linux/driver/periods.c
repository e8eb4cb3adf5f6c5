/* SPDX-License-Identifier: Apache-2.0 */
/* Whole delegation: counters that interrupt. A loop has one instruction of each kind, so that the address of
 * the only possible cause is known. */
#include "ring.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#define LOADS TALLY_EV_INST_LOAD_RET
#define STORES TALLY_EV_INST_STORE_RET
#define TAKEN TALLY_EV_INST_BRJMP_BRANCH_TK_RET
#define CYCLES TALLY_EV_CYCLES_HART

enum { PERIOD = 97, ROUNDS = 20000 };

/* Events in the C library's part of two calls of ioctl() */
enum { AROUND = 60 };

static struct perf_event_attr every(uint64_t selector, uint64_t period, unsigned precise) {
    struct perf_event_attr attr = plain_attr(selector);

    attr.sample_period = period;
    attr.sample_type = TYPES;
    attr.read_format = PERF_FORMAT_LOST;
    attr.precise_ip = precise;
    return attr;
}

static void each_period_has_one_sample(void) {
    static const uint64_t periods[] = {1, 2, 97, 1000};

    for (unsigned i = 0; i < 4; i++) {
        const uint64_t rounds = i < 2 ? 500 : ROUNDS;
        struct ring ring = ring_open(every(STORES, periods[i], 0), 0, -1);
        const struct sample *sample;
        uint64_t taken = 0, values[2];

        run_known(&ring, rounds);
        while ((sample = next_sample(&ring))) {
            taken++;
            EXPECT_IS(sample->period, periods[i]);
            EXPECT_IS(sample->pid, getpid());
            EXPECT((sample->header.misc & PERF_RECORD_MISC_CPUMODE_MASK) == PERF_RECORD_MISC_USER);
        }
        EXPECT_IS(read(ring.fd, values, sizeof values), sizeof values);
        EXPECT(values[0] >= rounds && values[0] < rounds + AROUND);
        EXPECT_IS(taken, values[0] / periods[i]);
        EXPECT_IS(values[1], 0);
        close(ring.fd);
    }
}

static const struct {
    uint64_t selector;
    const char *cause, *next;
} known_events[] = {{LOADS, known_load, known_load + 4},
                    {STORES, known_store, known_store + 4},
                    {TAKEN, known_branch, known_load}};

/* Samples at an address, of the loop, and in all */
struct found {
    unsigned here, inside, all;
};

static struct found find(uint64_t selector, unsigned precise, const char *at) {
    struct ring ring = ring_open(every(selector, PERIOD, precise), 0, -1);
    struct found found = {0, 0, 0};
    const struct sample *sample;

    run_known(&ring, ROUNDS);
    while ((sample = next_sample(&ring))) {
        found.all++;
        found.here += is(sample, at);
        found.inside += sample->ip >= (uintptr_t)known_load && sample->ip <= (uintptr_t)known_branch;
    }
    EXPECT_IS(lost_samples(&ring), 0);
    EXPECT(found.all >= ROUNDS / PERIOD && found.all <= (ROUNDS + AROUND) / PERIOD + 1);
    close(ring.fd);
    return found;
}

static void a_precise_sample_is_at_its_cause(void) {
    for (unsigned i = 0; i < 3; i++) {
        for (unsigned precise = 1; precise <= 3; precise++) {
            const struct found found = find(known_events[i].selector, precise, known_events[i].cause);

            EXPECT_IS(found.here, found.inside);
            EXPECT(found.here + 1 >= found.all && found.here >= ROUNDS / PERIOD - 1);
        }
    }
}

/* The interrupt comes directly behind the cause, so that the same samples are at the next instruction. */
static void one_that_is_not_precise_is_behind_it(void) {
    for (unsigned i = 0; i < 3; i++) {
        const struct found found = find(known_events[i].selector, 0, known_events[i].next);

        EXPECT_IS(found.here, found.inside);
        EXPECT(found.here + 1 >= found.all && found.here >= ROUNDS / PERIOD - 1);
    }
}

/* Two interrupts, each with its own samples */
static void precise_events_beside_sampled_instructions(void) {
    struct ring loads = ring_open(every(LOADS, PERIOD, 2), 0, -1),
                instructions = ring_open(sampling(PERIOD), 0, -1);
    const struct sample *sample;
    uint64_t precise = 0, sampled = 0;

    must_enable(loads.fd);
    run_known(&instructions, ROUNDS);
    must_disable(loads.fd);
    while ((sample = next_sample(&loads)))
        precise += is(sample, known_load);
    while ((sample = next_sample(&instructions)))
        sampled += sample->ip >= (uintptr_t)known_load && sample->ip <= (uintptr_t)known_branch;
    EXPECT_IS(lost_samples(&loads), 0);
    EXPECT(precise + 2 >= ROUNDS / PERIOD && precise <= ROUNDS / PERIOD + 1);
    sampled += lost_samples(&instructions);
    EXPECT(sampled + 2 >= KNOWN_INSTRUCTIONS * ROUNDS / PERIOD &&
           sampled <= KNOWN_INSTRUCTIONS * ROUNDS / PERIOD + 2);
}

static void events_without_a_cause_are_refused(void) {
    /* INST.LOAD.RET or INST.STORE.RET, by a combination */
    const uint64_t combined = 4ull << 16 | 2 | 3ull << 8;
    static const uint64_t imprecise[] = {CYCLES, TALLY_EV_CACHE_L1I_RD_CODE_MISS, TALLY_EV_TLB_LL_MISS_CYCLES,
                                         TALLY_EV_UOP_ISSUE_SPEC};
    struct perf_event_attr attr;

    for (unsigned i = 0; i < sizeof imprecise / sizeof *imprecise; i++) {
        for (unsigned precise = 1; precise <= 3; precise++) {
            attr = every(imprecise[i], 1000, precise);
            EXPECT_IS(event_open(&attr, 0, -1, -1), -EOPNOTSUPP);
        }
        attr = every(imprecise[i], 1000, 0);
        close(must_open(&attr, 0, -1, -1));
    }
    attr = every(combined, 1000, 0);
    if (event_open(&attr, 0, -1, -1) >= 0) { /* the unit may be built without them */
        attr.precise_ip = 1;
        EXPECT_IS(event_open(&attr, 0, -1, -1), -EOPNOTSUPP);
    }
    attr = plain_attr(LOADS);
    attr.precise_ip = 1; /* nothing is sampled */
    EXPECT_IS(event_open(&attr, 0, -1, -1), -EINVAL);
    attr = every(LOADS, 1000, 0);
    attr.sigtrap = attr.remove_on_exec = 1;
    EXPECT_IS(event_open(&attr, 0, -1, -1), -EOPNOTSUPP);
}

/* Events whose periods never end together have all their causes. */
static void each_of_two_has_its_own_cause(void) {
    struct ring rings[2] = {ring_open(every(LOADS, 101, 2), 0, -1), ring_open(every(STORES, 89, 2), 0, -1)};

    must_enable(rings[0].fd);
    run_known(&rings[1], ROUNDS);
    must_disable(rings[0].fd);
    for (unsigned i = 0; i < 2; i++) {
        const struct sample *sample;
        unsigned here = 0, all = 0;

        while ((sample = next_sample(&rings[i]))) {
            all++;
            here += is(sample, known_events[i].cause);
        }
        EXPECT_IS(lost_samples(&rings[i]), 0);
        EXPECT(here >= ROUNDS / 101 - 1 && here + 2 >= all);
    }
}

/* Both count the same instruction with the same period: one of them has the cause, the other says that it has
 * none. */
static void a_cause_is_noted_once(void) {
    struct perf_event_attr attr = every(STORES, PERIOD, 3);
    struct ring rings[2];
    uint64_t taken[2] = {0, 0}, lost[2];

    rings[0] = ring_open(attr, 0, -1);
    attr.disabled = 0;
    rings[1] = (struct ring){.fd = must_open(&attr, 0, -1, rings[0].fd)};
    must_enable(rings[0].fd);
    known(ROUNDS, known_data);
    must_disable(rings[0].fd);
    while (next_sample(&rings[0]))
        taken[0]++;
    for (unsigned i = 0; i < 2; i++)
        lost[i] = lost_samples(&rings[i]);
    EXPECT(taken[0] + lost[0] >= ROUNDS / PERIOD);
    EXPECT_IS(taken[0] && lost[0], 0);
    EXPECT(taken[0] ? lost[1] >= ROUNDS / PERIOD - 1 : lost[1] == 0);
}

/* Also where the kernel has interrupts off, so that the interrupt comes when the task is back. */
static void precise_samples_of_the_kernel_are_in_the_kernel(void) {
    struct perf_event_attr attr = every(STORES, 401, 2);
    const struct sample *sample;
    struct ring ring;
    unsigned taken = 0;

    attr.exclude_kernel = 0;
    attr.exclude_user = 1;
    ring = ring_open(attr, 0, -1);
    must_enable(ring.fd);
    yielding_stores(500);
    must_disable(ring.fd);
    while ((sample = next_sample(&ring))) {
        taken++;
        EXPECT((int64_t)sample->ip < 0);
    }
    EXPECT(taken > 20);
}

/* perf's core begins with a period of 1 and corrects it with samples and ticks: so look at the later half. */
static void a_frequency_is_kept(void) {
    enum { FREQUENCY = 1000, MOST = 4096 };
    struct perf_event_attr attr = every(TALLY_EV_INST_RET, 0, 1);
    static uint64_t times[MOST];
    const struct sample *sample;
    unsigned count = 0, late = 0;
    struct ring ring;

    attr.freq = 1;
    attr.sample_freq = FREQUENCY;
    ring = ring_open(attr, 0, -1);
    run_known(&ring, 4000000); /* 0.2 s */
    while (count < MOST && (sample = next_sample(&ring)))
        times[count++] = sample->time;
    EXPECT(count > 50 && count < MOST);
    uint64_t middle = times[0] + (times[count - 1] - times[0]) / 2;
    while (times[late] < middle)
        late++;
    EXPECT(count - late > 10);
    uint64_t each = (times[count - 1] - times[late]) / (count - 1 - late);
    EXPECT(each >= 1000000000 / FREQUENCY / 2 && each <= 1000000000 / FREQUENCY * 2);
}

static volatile unsigned signals;

static void on_sample(int signal) {
    (void)signal;
    signals++;
}

static void refresh_ends_after_so_many(void) {
    struct perf_event_attr attr = every(STORES, PERIOD, 1);
    struct pollfd ready = {.events = POLLIN};
    struct ring ring;
    unsigned taken = 0;

    attr.wakeup_events = 3;
    ring = ring_open(attr, 0, -1);
    ready.fd = ring.fd;
    signal(SIGIO, on_sample);
    EXPECT(!fcntl(ring.fd, F_SETFL, O_ASYNC));
    EXPECT(!fcntl(ring.fd, F_SETOWN, getpid()));
    EXPECT(!ioctl(ring.fd, PERF_EVENT_IOC_REFRESH, 3));
    known(ROUNDS, known_data);
    while (next_sample(&ring))
        taken++;
    EXPECT_IS(taken, 3);
    EXPECT(signals >= 1);
    EXPECT_IS(poll(&ready, 1, 0), 1);
    EXPECT(!ioctl(ring.fd, PERF_EVENT_IOC_REFRESH, 2));
    known(ROUNDS, known_data);
    while (next_sample(&ring))
        taken++;
    EXPECT_IS(taken, 5);
}

static void a_new_period_holds_from_then_on(void) {
    struct ring ring = ring_open(every(STORES, 1000000, 1), 0, -1);
    uint64_t period = PERIOD;
    unsigned taken = 0;

    must_enable(ring.fd);
    known(ROUNDS, known_data);
    EXPECT(!next_sample(&ring));
    EXPECT(!ioctl(ring.fd, PERF_EVENT_IOC_PERIOD, &period));
    known(ROUNDS, known_data);
    must_disable(ring.fd);
    while (next_sample(&ring))
        taken++;
    EXPECT(taken >= ROUNDS / PERIOD && taken <= (ROUNDS + AROUND) / PERIOD + 2);
}

/* Every instruction, the kernel's included, would interrupt the kernel for ever. */
static void the_kernel_lives_on_with_a_period_of_one(void) {
    kernel_lives_on(every(TALLY_EV_INST_RET, 1, 0));
}

static void callee(void *unused) {
    (void)unused;
    known(ROUNDS, known_data);
}

static void children_are_sampled_with_inherit(void) {
    struct perf_event_attr attr = every(STORES, PERIOD, 2);
    unsigned own = 0, others = 0;
    const struct sample *sample;
    struct ring ring;

    run_on_cpu(0); /* inherited events share a buffer only if they are of one CPU */
    attr.inherit = 1;
    attr.read_format = 0;
    ring = ring_open(attr, getpid(), 0);
    must_enable(ring.fd);
    EXPECT_IS(finish(start(callee, NULL)), 0);
    must_disable(ring.fd);
    while ((sample = next_sample(&ring))) {
        own += sample->pid == (uint32_t)getpid();
        others += sample->pid != (uint32_t)getpid() && is(sample, known_store);
    }
    EXPECT(others >= ROUNDS / PERIOD - 1);
    EXPECT(own < 100);
}

const struct test period_tests[] = {
    {"each-period-has-one-sample", each_period_has_one_sample},
    {"a-precise-sample-is-at-its-cause", a_precise_sample_is_at_its_cause},
    {"precise-events-beside-sampled-instructions", precise_events_beside_sampled_instructions},
    {"one-that-is-not-precise-is-behind-it", one_that_is_not_precise_is_behind_it},
    {"events-without-a-cause-are-refused", events_without_a_cause_are_refused},
    {"each-of-two-has-its-own-cause", each_of_two_has_its_own_cause},
    {"a-cause-is-noted-once", a_cause_is_noted_once},
    {"precise-samples-of-the-kernel-are-in-the-kernel", precise_samples_of_the_kernel_are_in_the_kernel},
    {"a-frequency-is-kept", a_frequency_is_kept},
    {"refresh-ends-after-so-many", refresh_ends_after_so_many},
    {"a-new-period-holds-from-then-on", a_new_period_holds_from_then_on},
    {"the-kernel-lives-on-with-a-period-of-one", the_kernel_lives_on_with_a_period_of_one},
    {"children-are-sampled-with-inherit", children_are_sampled_with_inherit},
    {0},
};
