/* SPDX-License-Identifier: Apache-2.0 */
/* Whole delegation: events of the PMU `tally` in place of the stock driver's, and their counters. Two
 * runs of a loop differ by what the loop does; the rest cancels out. */
#include "ring.h"

#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

enum { ROUNDS = 1000 };

#define LOADS TALLY_EV_INST_LOAD_RET
#define STORES TALLY_EV_INST_STORE_RET
#define INSTRUCTIONS TALLY_EV_INST_RET
#define TAKEN TALLY_EV_INST_BRJMP_BRANCH_TK_RET

static struct perf_event_attr general(uint32_t type, uint64_t config) {
    struct perf_event_attr attr = plain_attr(config);

    attr.type = type;
    return attr;
}

static uint64_t value(int fd) {
    uint64_t values[3];

    EXPECT_IS(read(fd, values, sizeof values), sizeof values);
    EXPECT_IS(values[2], values[1]); /* always on a counter */
    return values[0];
}

static uint64_t value_of_run(int fd, uint64_t rounds) {
    const uint64_t before = value(fd);

    must_enable(fd);
    known(rounds, known_data);
    must_disable(fd);
    return value(fd) - before;
}

/* ROUNDS more make so many more. */
static uint64_t difference(int fd) {
    const uint64_t few = value_of_run(fd, 10);

    return value_of_run(fd, 10 + ROUNDS) - few;
}

/* --- counting -------------------------------------------------------------------------------------- */

static void counts_are_exact(void) {
    static const struct {
        uint64_t selector;
        unsigned a_round;
    } of[] = {
        {INSTRUCTIONS, KNOWN_INSTRUCTIONS}, {LOADS, 1}, {STORES, 1}, {TAKEN, 1}, {TALLY_EV_INST_LDST_RET, 2}};

    for (unsigned i = 0; i < sizeof of / sizeof *of; i++) {
        struct perf_event_attr attr = plain_attr(of[i].selector);

        EXPECT_IS(difference(must_open(&attr, 0, -1, -1)), of[i].a_round * ROUNDS);
    }
}

static void every_counter_counts(void) {
    const uint64_t counters = device_number("tally/caps/counters", "%lx");

    for (unsigned n = 3; n < 32; n++) {
        struct perf_event_attr attr = plain_attr(LOADS);

        attr.config1 = n;
        if (counters >> n & 1)
            EXPECT_IS(difference(must_open(&attr, 0, -1, -1)), ROUNDS);
        else
            EXPECT_IS(event_open(&attr, 0, -1, -1), -EINVAL);
    }
}

static void general_events_are_its(void) {
    static const struct {
        uint32_t type;
        uint64_t config;
        unsigned a_round;
    } of[] = {{PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS, KNOWN_INSTRUCTIONS},
              {PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_INSTRUCTIONS, 1},
              {PERF_TYPE_HW_CACHE, PERF_COUNT_HW_CACHE_L1D | PERF_COUNT_HW_CACHE_OP_READ << 8, 1},
              {PERF_TYPE_HW_CACHE, PERF_COUNT_HW_CACHE_L1D | PERF_COUNT_HW_CACHE_OP_WRITE << 8, 1},
              {PERF_TYPE_RAW, TALLY_EV_INST_LOAD_RET, 1}};
    struct perf_event_attr attr;

    for (unsigned i = 0; i < sizeof of / sizeof *of; i++) {
        attr = general(of[i].type, of[i].config);
        EXPECT_IS(difference(must_open(&attr, 0, -1, -1)), of[i].a_round * ROUNDS);
    }
    attr = general(PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES);
    EXPECT(difference(must_open(&attr, 0, -1, -1)) >= KNOWN_INSTRUCTIONS * ROUNDS);
    attr = general(PERF_TYPE_HW_CACHE, PERF_COUNT_HW_CACHE_NODE);
    EXPECT_IS(event_open(&attr, 0, -1, -1), -EOPNOTSUPP);
    attr = general(PERF_TYPE_HARDWARE, PERF_COUNT_HW_MAX);
    EXPECT_IS(event_open(&attr, 0, -1, -1), -EINVAL);
}

/* A hundred system calls: the kernel's part, the task's, and both */
static void modes_add_up(void) {
    uint64_t count[3];

    for (unsigned i = 0; i < 3; i++) {
        struct perf_event_attr attr = plain_attr(STORES);
        int fd;

        attr.exclude_user = i == 1;
        attr.exclude_kernel = i == 0;
        fd = must_open(&attr, 0, -1, -1);
        must_enable(fd);
        yielding_stores(100);
        must_disable(fd);
        count[i] = value(fd);
    }
    EXPECT(count[0] >= 100 && count[0] < 150);
    EXPECT(count[1] > 1000); /* a system call stores ten registers at least */
    /* The kernel's part varies with its timers. */
    EXPECT(count[2] > count[0] + count[1] / 2 && count[2] < count[0] + 2 * count[1]);
}

/* The firmware is not counted: a misaligned load, which it emulates, is one instruction and one load. */
static void the_firmware_is_left_out(void) {
    static const uint64_t selectors[] = {LOADS, INSTRUCTIONS};
    static char memory[16] __attribute__((aligned(16)));

    for (unsigned i = 0; i < 2; i++) {
        struct perf_event_attr attr = plain_attr(selectors[i]);
        const int fd = must_open(&attr, 0, -1, -1);
        uint64_t turns[2];

        for (unsigned shift = 0; shift < 2; shift++) {
            const uint64_t before = value(fd);
            unsigned rest = 100;

            must_enable(fd);
            __asm__ volatile("1: lw t0, 0(%1)\naddi %0, %0, -1\nbnez %0, 1b"
                             : "+r"(rest)
                             : "r"(memory + shift)
                             : "t0", "memory");
            must_disable(fd);
            turns[shift] = value(fd) - before;
        }
        EXPECT_IS(turns[1], turns[0]);
    }
}

static void children(void *unused) {
    (void)unused;
    known(ROUNDS, known_data);
}

static void children_are_counted_with_inherit(void) {
    uint64_t count[2];

    for (unsigned inherit = 0; inherit < 2; inherit++) {
        struct perf_event_attr attr = plain_attr(STORES);
        int fd;

        attr.inherit = inherit;
        fd = must_open(&attr, 0, -1, -1);
        must_enable(fd);
        for (unsigned i = 0; i < 3; i++)
            EXPECT_IS(finish(start(children, NULL)), 0);
        must_disable(fd);
        count[inherit] = value(fd);
    }
    EXPECT(count[1] >= count[0] + 3 * ROUNDS);
}

/* --- groups, and events that take turns ------------------------------------------------------------ */

static void a_group_is_counted_together(void) {
    static const uint64_t selectors[] = {LOADS, STORES, TAKEN, INSTRUCTIONS};
    uint64_t before[5], after[5];
    int leader = -1;

    for (unsigned i = 0; i < 4; i++) {
        struct perf_event_attr attr = plain_attr(selectors[i]);
        int fd;

        attr.read_format = PERF_FORMAT_GROUP;
        attr.disabled = leader < 0;
        fd = must_open(&attr, 0, -1, leader);
        leader = leader < 0 ? fd : leader;
    }
    must_enable(leader);
    EXPECT_IS(read(leader, before, sizeof before), sizeof before);
    known(ROUNDS, known_data);
    EXPECT_IS(read(leader, after, sizeof after), sizeof after);
    must_disable(leader);
    EXPECT_IS(after[0], 4);
    for (unsigned i = 1; i < 4; i++) /* the calls' own instructions, few */
        EXPECT(after[i] - before[i] >= ROUNDS && after[i] - before[i] < ROUNDS + 40);
    EXPECT(after[4] - before[4] >= KNOWN_INSTRUCTIONS * ROUNDS &&
           after[4] - before[4] < KNOWN_INSTRUCTIONS * ROUNDS + 200);
}

/* cycle and instret have counters of their own besides, but only one each, and none that is named twice. */
static void a_group_has_room_for_the_fixed_counters_too(void) {
    struct perf_event_attr stores_attr = plain_attr(STORES),
                           cycles = general(PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES),
                           instructions = general(PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS), named;
    const int leader = must_open(&cycles, 0, -1, -1);

    must_open(&instructions, 0, -1, leader);
    named = stores_attr;
    named.config1 = 31;
    must_open(&named, 0, -1, leader);
    EXPECT_IS(event_open(&named, 0, -1, leader), -EINVAL);
    for (unsigned i = 1; i < programmable(); i++)
        must_open(&stores_attr, 0, -1, leader);
    EXPECT_IS(event_open(&instructions, 0, -1, leader), -EINVAL);
    EXPECT_IS(event_open(&stores_attr, 0, -1, leader), -EINVAL);
    must_enable(leader);
    known(ROUNDS, known_data);
    EXPECT(value(leader) >= KNOWN_INSTRUCTIONS * ROUNDS); /* it is not only open, but counted */
}

/* An event that names the counter of one that does not: that one moves, and misses nothing. */
static void an_event_makes_way_for_one_that_names_its_counter(void) {
    struct perf_event_attr attr = plain_attr(LOADS);
    int events[4];
    uint64_t before;

    for (unsigned i = 0; i < 3; i++) {
        events[i] = must_open(&attr, 0, -1, -1);
        must_enable(events[i]); /* counters 3, 4 and 5 */
    }
    before = value(events[1]);
    known(ROUNDS, known_data);
    attr.config1 = 4;
    events[3] = must_open(&attr, 0, -1, -1);
    must_enable(events[3]);
    known(ROUNDS, known_data);
    for (unsigned i = 0; i < 4; i++)
        must_disable(events[i]);
    EXPECT(value(events[1]) - before >= 2 * ROUNDS && value(events[1]) - before < 2 * ROUNDS + 300);
    EXPECT(value(events[3]) >= ROUNDS && value(events[3]) < ROUNDS + 300);
}

/* Ten more than there are counters: each has its share of the time, and scaled they agree. */
static void events_without_room_take_turns(void) {
    FILE *interval = fopen("/sys/bus/event_source/devices/tally/perf_event_mux_interval_ms", "w");
    const unsigned count = programmable() + 10;
    struct perf_event_attr attr = plain_attr(STORES);
    unsigned shared = 0;
    int fd[64];

    EXPECT(interval && fputs("2", interval) >= 0 && !fclose(interval));
    for (unsigned i = 0; i < count; i++) {
        fd[i] = must_open(&attr, 0, -1, -1);
        must_enable(fd[i]);
    }
    stores(6000000);
    for (unsigned i = 0; i < count; i++)
        must_disable(fd[i]);
    for (unsigned i = 0; i < count; i++) {
        uint64_t values[3];
        double scaled;

        EXPECT_IS(read(fd[i], values, sizeof values), sizeof values);
        EXPECT(values[2] > 0);
        shared += values[2] < values[1];
        scaled = (double)values[0] * (double)values[1] / (double)values[2];
        EXPECT(scaled > 0.8 * 6e6 && scaled < 1.2 * 6e6);
    }
    EXPECT(shared >= 10);
}

/* Sampled instructions count what they lose on counters that events may name. */
static void sampled_instructions_share_the_counters(void) {
    struct perf_event_attr sampled = {.size = sizeof sampled,
                                      .type = device_type("tally_pdis"),
                                      .sample_period = 100,
                                      .sample_type = TYPES,
                                      .exclude_kernel = 1,
                                      .disabled = 1,
                                      .read_format = PERF_FORMAT_LOST},
                           attr = plain_attr(LOADS);
    struct ring ring = ring_open(sampled, 0, -1);
    unsigned taken = 0;
    int fd[2];

    must_enable(ring.fd); /* has the last two */
    for (unsigned i = 0; i < 2; i++) {
        attr.config1 = 31 - i;
        fd[i] = must_open(&attr, 0, -1, -1);
        must_enable(fd[i]);
    }
    known(20 * ROUNDS, known_data);
    must_disable(ring.fd);
    for (unsigned i = 0; i < 2; i++) {
        must_disable(fd[i]);
        EXPECT(value(fd[i]) >= 20 * ROUNDS && value(fd[i]) < 20 * ROUNDS + 300);
    }
    while (next_sample(&ring))
        taken++;
    taken += lost_samples(&ring);
    EXPECT(taken >= 20 * ROUNDS * KNOWN_INSTRUCTIONS / 100 &&
           taken < 20 * ROUNDS * KNOWN_INSTRUCTIONS / 100 + 10);
}

/* --- user reads ------------------------------------------------------------------------------------ */

unsigned long counter_low(unsigned number);

static struct perf_event_mmap_page *map(int fd) {
    struct perf_event_mmap_page *page = mmap(NULL, PAGE, PROT_READ, MAP_SHARED, fd, 0);

    EXPECT(page != MAP_FAILED);
    return page;
}

/* As the comment of struct perf_event_mmap_page has it */
static uint64_t user_read(const volatile struct perf_event_mmap_page *page) {
    uint64_t count;
    uint32_t lock;

    do {
        lock = page->lock;
        __atomic_signal_fence(__ATOMIC_SEQ_CST);
        EXPECT(page->cap_user_rdpmc && page->index);
        count = counter_low(page->index - 1) << (64 - page->pmc_width);
        count = (uint64_t)page->offset + (uint64_t)((int64_t)count >> (64 - page->pmc_width));
        __atomic_signal_fence(__ATOMIC_SEQ_CST);
    } while (page->lock != lock);
    return count;
}

static void a_task_reads_its_counter_itself(void) {
    static const uint64_t selectors[] = {LOADS, INSTRUCTIONS};

    for (unsigned i = 0; i < 2; i++) { /* a programmable one, and instret */
        struct perf_event_attr attr = plain_attr(selectors[i]);
        const int fd = must_open(&attr, 0, -1, -1);
        struct perf_event_mmap_page *page = map(fd);
        uint64_t before, between, after, around, pair;

        must_enable(fd);
        around = user_read(page);
        pair = user_read(page) - around;
        before = user_read(page);
        known(ROUNDS, known_data);
        after = user_read(page);
        EXPECT(after - before - pair >= ROUNDS * (i ? KNOWN_INSTRUCTIONS : 1) &&
               after - before - pair < ROUNDS * (i ? KNOWN_INSTRUCTIONS : 1) + 10);
        for (unsigned n = 0; n < 100; n++) { /* read() is between two of its reads, and switches are */
            before = user_read(page);
            between = value(fd);
            after = user_read(page);
            EXPECT(before < between && between < after && after - before < 600);
            usleep(n % 10 ? 0 : 100);
        }
        must_disable(fd);
        EXPECT_IS(page->index, 0);
    }
}

static sigjmp_buf trapped;

static void on_illegal(int signal) {
    (void)signal;
    siglongjmp(trapped, 1);
}

static bool may_read(unsigned number) {
    volatile bool may = false;

    signal(SIGILL, on_illegal);
    if (!sigsetjmp(trapped, 1)) {
        counter_low(number);
        may = true;
    }
    return may;
}

static void a_counter_is_open_while_its_event_is_mapped(void) {
    struct perf_event_attr attr = plain_attr(LOADS);
    struct perf_event_mmap_page *page;
    int fd;

    attr.config1 = 9;
    fd = must_open(&attr, 0, -1, -1);
    must_enable(fd);
    EXPECT(!may_read(9) && !may_read(0) && !may_read(2));
    EXPECT(may_read(1)); /* time */
    page = map(fd);
    EXPECT(may_read(9) && !may_read(10));
    must_disable(fd);
    EXPECT(!may_read(9));
    must_enable(fd);
    EXPECT(may_read(9));
    EXPECT(!munmap(page, PAGE));
    EXPECT(!may_read(9));
}

/* The kernel's instructions count, so that samples take more than their share of a tick. */
static void a_throttled_counter_stays_readable(void) {
    struct perf_event_attr attr = plain_attr(INSTRUCTIONS);
    uint64_t before = 0, count;
    unsigned stopped = 0;
    const struct perf_event_mmap_page *page;
    int fd;

    attr.sample_period = 20;
    attr.exclude_kernel = 0;
    fd = must_open(&attr, 0, -1, -1);
    page = map(fd);
    must_enable(fd);
    for (unsigned n = 0; n < 300000; n++) {
        count = user_read(page);
        EXPECT(count >= before);
        stopped += count == before;
        before = count;
    }
    EXPECT(stopped > 1000 && stopped < 300000);
}

static void events_of_a_cpu_or_another_task_are_not_open(void) {
    struct perf_event_attr attr = plain_attr(LOADS);
    const int fd = must_open(&attr, -1, 0, -1), other = must_open(&attr, getppid(), -1, -1);

    EXPECT(!map(fd)->cap_user_rdpmc);
    must_enable(fd);
    EXPECT(!map(fd)->cap_user_rdpmc);
    EXPECT(!map(other)->cap_user_rdpmc);
}

const struct test counter_tests[] = {
    {"counts-are-exact", counts_are_exact},
    {"every-counter-counts", every_counter_counts},
    {"general-events-are-its", general_events_are_its},
    {"modes-add-up", modes_add_up},
    {"the-firmware-is-left-out", the_firmware_is_left_out},
    {"children-are-counted-with-inherit", children_are_counted_with_inherit},
    {"a-group-is-counted-together", a_group_is_counted_together},
    {"a-group-has-room-for-the-fixed-counters-too", a_group_has_room_for_the_fixed_counters_too},
    {"an-event-makes-way-for-one-that-names-its-counter", an_event_makes_way_for_one_that_names_its_counter},
    {"events-without-room-take-turns", events_without_room_take_turns},
    {"sampled-instructions-share-the-counters", sampled_instructions_share_the_counters},
    {"a-task-reads-its-counter-itself", a_task_reads_its_counter_itself},
    {"a-counter-is-open-while-its-event-is-mapped", a_counter_is_open_while_its_event_is_mapped},
    {"a-throttled-counter-stays-readable", a_throttled_counter_stays_readable},
    {"events-of-a-cpu-or-another-task-are-not-open", events_of_a_cpu_or_another_task_are_not_open},
    {0},
};
