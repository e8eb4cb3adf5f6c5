/* SPDX-License-Identifier: Apache-2.0 */
/* Sampled instructions (PMU tally_pdis): a loop of which every instruction is known, and the records of its
 * samples. */
#include "ring.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

struct perf_event_attr sampling(uint64_t period) {
    struct perf_event_attr attr = {.size = sizeof attr,
                                   .type = device_type("tally_pdis"),
                                   .sample_period = period,
                                   .sample_type = TYPES,
                                   .exclude_kernel = 1,
                                   .disabled = 1,
                                   .read_format = PERF_FORMAT_LOST};

    return attr;
}

static void each_period_has_a_sample(void) {
    const uint64_t period = 97, rounds = 20000;
    struct ring ring = ring_open(sampling(period), 0, -1);
    const struct sample *sample;
    uint64_t taken = 0, inside = 0, time = 0;

    known_data[0] = 1;
    run_known(&ring, rounds);
    while ((sample = next_sample(&ring))) {
        taken++;
        inside += sample->ip >= (uintptr_t)known_load && sample->ip <= (uintptr_t)known_branch + 4;
        EXPECT(sample->time >= time);
        time = sample->time;
        EXPECT_IS(sample->period, period);
        EXPECT_IS(sample->pid, getpid());
        EXPECT((sample->header.misc & PERF_RECORD_MISC_CPUMODE_MASK) == PERF_RECORD_MISC_USER);
    }
    /* What the C library does between the two calls of ioctl() is less than 300 instructions. */
    taken += lost_samples(&ring);
    EXPECT(taken >= 5 * rounds / period && taken <= (5 * rounds + 300) / period + 1);
    EXPECT(inside + lost_samples(&ring) + 4 >= taken);
}

static void a_sample_says_what_it_was(void) {
    struct ring ring = ring_open(sampling(97), 0, -1);
    const struct sample *sample;
    unsigned loads = 0, stores = 0, branches = 0;
    uint64_t physical = 0;

    run_known(&ring, 20000);
    while ((sample = next_sample(&ring))) {
        const union perf_mem_data_src source = {.val = sample->source};

        if (is(sample, known_load) && ++loads) {
            EXPECT_IS(source.mem_op, PERF_MEM_OP_LOAD);
            EXPECT_IS(sample->addr, (uintptr_t)&known_data[0]);
            EXPECT(source.mem_lvl & (PERF_MEM_LVL_HIT | PERF_MEM_LVL_MISS));
            EXPECT(!physical || sample->physical == physical);
            physical = sample->physical;
            EXPECT(physical && physical % PAGE == sample->addr % PAGE);
        } else if (is(sample, known_store) && ++stores) {
            EXPECT_IS(source.mem_op, PERF_MEM_OP_STORE);
            EXPECT_IS(sample->addr, (uintptr_t)&known_data[1]);
        } else if (is(sample, known_branch) && ++branches) {
            EXPECT_IS(source.mem_op, PERF_MEM_OP_NA);
        }
    }
    EXPECT(loads > 100 && stores > 100 && branches > 100);
}

/* Types and filters leave out the rest. */
static void only_what_was_asked_for(void) {
    static const struct {
        uint64_t config, mask, match;
        const char *at;
    } of[] = {{1, 0, 0, known_load},
              {2, 0, 0, known_store},
              {4, 0, 0, known_branch},
              {0, TALLY_PDISHDREV_TYPE_MASK, TALLY_TYPE_STORE, known_store}};

    for (unsigned i = 0; i < sizeof of / sizeof *of; i++) {
        struct perf_event_attr attr = sampling(101);
        const struct sample *sample;
        unsigned here = 0, elsewhere = 0;
        struct ring ring;

        attr.config = of[i].config;
        attr.config1 = of[i].mask;
        attr.config2 = of[i].match;
        ring = ring_open(attr, 0, -1);
        run_known(&ring, 20000);
        while ((sample = next_sample(&ring))) {
            if (is(sample, of[i].at))
                here++;
            else
                elsewhere++;
        }
        EXPECT(here > 100 && elsewhere < 5);
        close(ring.fd);
    }
}

static void periods_vary(void) {
    struct perf_event_attr attr = sampling(100);
    const struct sample *sample;
    unsigned other = 0;
    struct ring ring;

    attr.config = 5 << 8;
    ring = ring_open(attr, 0, -1);
    run_known(&ring, 60000);
    while ((sample = next_sample(&ring))) {
        EXPECT(sample->period >= 100 && sample->period < 132);
        other += sample->period != 100;
    }
    EXPECT(other);
}

static void busy(void *unused) {
    (void)unused;
    for (unsigned i = 0; i < 20; i++) {
        known(5000, known_data);
        yielding_stores(2);
    }
}

/* Two tasks on a CPU: a batch is of one of them. */
static void samples_of_a_cpu_name_their_task(void) {
    struct perf_event_attr attr = sampling(500);
    const struct sample *sample;
    unsigned of[2] = {0, 0};
    struct ring ring;
    pid_t pids[2];

    run_on_cpu(0);
    ring = ring_open(attr, -1, 0);
    must_enable(ring.fd);
    for (unsigned i = 0; i < 2; i++)
        pids[i] = start(busy, NULL);
    for (unsigned i = 0; i < 2; i++)
        EXPECT_IS(finish(pids[i]), 0);
    must_disable(ring.fd);
    while ((sample = next_sample(&ring))) {
        for (unsigned i = 0; i < 2; i++)
            of[i] += sample->pid == (uint32_t)pids[i] && sample->ip >= (uintptr_t)known_load &&
                     sample->ip <= (uintptr_t)known_branch;
    }
    /* Each has run 20 x 25000 of them; neither has the other's. */
    EXPECT_IS(lost_samples(&ring), 0);
    for (unsigned i = 0; i < 2; i++)
        EXPECT(of[i] > 990 && of[i] < 1020);
}

/* perf's core may hand an inherited event from one task to the other without a stop. */
static void samples_of_a_child_name_it(void) {
    struct perf_event_attr attr = sampling(500);
    const struct sample *sample;
    unsigned of[2] = {0, 0};
    struct ring ring;
    pid_t child;

    run_on_cpu(0);
    attr.inherit = 1;
    ring = ring_open(attr, 0, 0);
    must_enable(ring.fd);
    child = start(busy, NULL);
    busy(NULL);
    EXPECT_IS(finish(child), 0);
    must_disable(ring.fd);
    while ((sample = next_sample(&ring))) {
        if (sample->ip < (uintptr_t)known_load || sample->ip > (uintptr_t)known_branch)
            continue;
        of[0] += sample->pid == (uint32_t)getpid();
        of[1] += sample->pid == (uint32_t)child;
    }
    EXPECT_IS(lost_samples(&ring), 0);
    for (unsigned i = 0; i < 2; i++)
        EXPECT(of[i] > 990 && of[i] < 1020);
}

static void what_cannot_be_sampled_is_refused(void) {
    static const struct {
        uint64_t period, config, config1, type;
        int error;
    } bad[] = {{0, 0, 0, TYPES, EINVAL},
               {15, 0, 0, TYPES, EINVAL},
               {1ull << 32, 0, 0, TYPES, EINVAL},
               {1000, 5, 0, TYPES, EINVAL},
               {1000, 1 << 13, 0, TYPES, EINVAL},
               {1000, 8, 0, TYPES, EINVAL}, /* the target of the prior transfer, and physical addresses */
               {1000, 0, 1ull << 56, TYPES, EINVAL},
               {1000, 0, 0, TYPES | PERF_SAMPLE_CALLCHAIN, EOPNOTSUPP},
               {1000, 0, 0, TYPES | PERF_SAMPLE_STACK_USER, EOPNOTSUPP}};

    for (unsigned i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct perf_event_attr attr = sampling(bad[i].period);

        attr.config = bad[i].config;
        attr.config1 = bad[i].config1;
        attr.sample_type = bad[i].type;
        attr.sample_stack_user = bad[i].type & PERF_SAMPLE_STACK_USER ? 64 : 0;
        EXPECT_IS(event_open(&attr, 0, -1, -1), -bad[i].error);
    }
}

static void a_new_period_obeys_the_same_limits(void) {
    struct perf_event_attr attr = sampling(1000);
    const int fd = must_open(&attr, 0, -1, -1);
    uint64_t period = 16;

    EXPECT_IS(ioctl(fd, PERF_EVENT_IOC_PERIOD, &period), 0);
    period = 15;
    EXPECT(ioctl(fd, PERF_EVENT_IOC_PERIOD, &period) == -1 && errno == EINVAL);
    period = 1ull << 32;
    EXPECT(ioctl(fd, PERF_EVENT_IOC_PERIOD, &period) == -1 && errno == EINVAL);
}

/* Reading out a batch takes longer than the instructions of which it is: a kernel of which every batch is
 * read would do nothing else. */
static void the_kernel_lives_on_while_it_is_sampled(void) { kernel_lives_on(sampling(16)); }

static void yield_for_ever(void *unused) {
    (void)unused;
    yielding_stores(UINT64_MAX);
}

/* Nanoseconds that this task and another one take to hand over to each other */
static uint64_t time_of_switches(void) {
    const pid_t other = start(yield_for_ever, NULL);
    struct timespec from, to;

    clock_gettime(CLOCK_MONOTONIC, &from);
    yielding_stores(1000);
    clock_gettime(CLOCK_MONOTONIC, &to);
    kill(other, SIGKILL);
    finish(other);
    return (uint64_t)(to.tv_sec - from.tv_sec) * 1000000000 + (uint64_t)(to.tv_nsec - from.tv_nsec);
}

/* The event begins anew with each switch to its task. */
static void switches_give_it_no_more_time(void) {
    const uint64_t without = time_of_switches();
    struct perf_event_attr attr = sampling(16);
    struct ring ring;
    uint64_t with;

    attr.exclude_kernel = 0;
    ring = ring_open(attr, 0, -1);
    must_enable(ring.fd);
    with = time_of_switches();
    must_disable(ring.fd);
    EXPECT(next_sample(&ring));
    EXPECT_IS(with < 5 * without ? 0 : with / without, 0); /* a quarter of the time, and a batch */
}

const struct test sample_tests[] = {
    {"each-period-has-a-sample", each_period_has_a_sample},
    {"a-sample-says-what-it-was", a_sample_says_what_it_was},
    {"only-what-was-asked-for", only_what_was_asked_for},
    {"periods-vary", periods_vary},
    {"samples-of-a-cpu-name-their-task", samples_of_a_cpu_name_their_task},
    {"samples-of-a-child-name-it", samples_of_a_child_name_it},
    {"the-kernel-lives-on-while-it-is-sampled", the_kernel_lives_on_while_it_is_sampled},
    {"switches-give-it-no-more-time", switches_give_it_no_more_time},
    {"what-cannot-be-sampled-is-refused", what_cannot_be_sampled_is_refused},
    {"a-new-period-obeys-the-same-limits", a_new_period_obeys_the_same_limits},
    {0},
};
