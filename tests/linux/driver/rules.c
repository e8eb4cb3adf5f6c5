/* SPDX-License-Identifier: Apache-2.0 */
/* Events that may be opened and enabled; which of two has the PMU (Linux, pmu-ebb: Creating, Enabling,
 * Reading, Closing an EBB event). */
#include "test.h"

#include <errno.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <unistd.h>

#define STORES TALLY_EV_INST_STORE_RET

static void refused(struct perf_event_attr attr, int error) {
    EXPECT_IS(event_open(&attr, 0, -1, -1), -error);
}

/* An event with one thing wrong, after one with nothing */
#define REFUSED(change, error)                                                                               \
    do {                                                                                                     \
        struct perf_event_attr attr = ebb_attr(C0, STORES);                                                  \
        close(must_open(&attr, 0, -1, -1));                                                                  \
        change;                                                                                              \
        refused(attr, error);                                                                                \
    } while (0)

static void must_be_pinned(void) { REFUSED(attr.pinned = 0, EINVAL); }
static void must_be_exclusive(void) { REFUSED(attr.exclusive = 0, EINVAL); }
static void must_name_its_counter(void) {
    REFUSED(attr.config1 = 0, EINVAL);
    REFUSED(attr.config1 = 2, EINVAL); /* instret does not overflow */
    if (!whole())
        REFUSED(attr.config1 = 7, EINVAL); /* not delegated */
    REFUSED(attr.config1 = 32 + C0, EINVAL);
}
static void must_not_inherit(void) { REFUSED(attr.inherit = 1, EINVAL); }
static void must_have_no_period(void) { REFUSED(attr.sample_period = 1000, EINVAL); }
static void must_have_no_frequency(void) { REFUSED((attr.freq = 1, attr.sample_freq = 100), EINVAL); }
static void must_not_be_enabled_on_exec(void) { REFUSED(attr.enable_on_exec = 1, EINVAL); }
static void must_have_no_sample_type(void) { REFUSED(attr.sample_type = PERF_SAMPLE_IP, EINVAL); }
static void must_have_an_event_that_exists(void) {
    REFUSED(attr.config |= 0xFFFF, EOPNOTSUPP);
    REFUSED(attr.config |= 1ull << 62, EINVAL);
}

static void must_be_a_task_s(void) {
    struct perf_event_attr attr = ebb_attr(C0, STORES);

    EXPECT_IS(event_open(&attr, -1, 0, -1), -EINVAL);
    close(must_open(&attr, 0, -1, -1));
    close(must_open(&attr, getpid(), 0, -1));
}

static void a_member_is_neither_pinned_nor_exclusive(void) {
    struct perf_event_attr attr = ebb_attr(C0, STORES), member = ebb_attr(C1, STORES);
    const int leader = must_open(&attr, 0, -1, -1);

    EXPECT_IS(event_open(&member, 0, -1, leader), -EINVAL);
    member.pinned = 0;
    EXPECT_IS(event_open(&member, 0, -1, leader), -EINVAL);
    member.exclusive = 0;
    must_open(&member, 0, -1, leader);
}

static void all_of_a_group_agree(void) {
    struct perf_event_attr attr = ebb_attr(C0, STORES), plain = plain_attr(STORES),
                           member = ebb_member(C0, STORES);
    const int leader = must_open(&attr, 0, -1, -1), other = must_open(&plain, 0, -1, -1);

    EXPECT_IS(event_open(&plain, 0, -1, leader), -EINVAL);
    EXPECT_IS(event_open(&member, 0, -1, other), -EINVAL);
}

static void a_group_that_cannot_fit_is_refused(void) {
    struct perf_event_attr attr = ebb_attr(C0, STORES), member = ebb_member(C0, STORES),
                           plain = plain_attr(STORES);
    const int leader = must_open(&attr, 0, -1, -1);
    int group;

    EXPECT_IS(event_open(&member, 0, -1, leader), -EINVAL); /* one counter for two */
    group = must_open(&plain, 0, -1, -1);
    for (unsigned i = 1; i < programmable(); i++)
        must_open(&plain, 0, -1, group);
    EXPECT_IS(event_open(&plain, 0, -1, group), -EINVAL); /* one more than there are counters */
    must_open(&plain, 0, -1, -1);                         /* alone it takes turns */
}

static void period_and_refresh_are_refused(void) {
    uint64_t period = 1000;
    const int fd = count_stores(C0, 1000);

    EXPECT(ioctl(fd, PERF_EVENT_IOC_PERIOD, &period) == -1 && errno == EINVAL);
    EXPECT(ioctl(fd, PERF_EVENT_IOC_REFRESH, 1) == -1 && errno == EINVAL);
    EXPECT(scheduled(fd));
}

static void times_are_right(void) {
    uint64_t values[3], later[3];
    const int fd = count_stores(C0, 1000);

    EXPECT_IS(read(fd, values, sizeof values), sizeof values);
    yielding_stores(200);
    EXPECT_IS(read(fd, later, sizeof later), sizeof later);
    EXPECT(later[1] > values[1] && later[1] - values[1] == later[2] - values[2]);
    must_disable(fd);
    EXPECT_IS(read(fd, values, sizeof values), sizeof values);
    yielding_stores(200);
    EXPECT_IS(read(fd, later, sizeof later), sizeof later);
    EXPECT(later[1] == values[1] && later[2] == values[2]);
}

/* --- two that want the PMU ------------------------------------------------------------------------- */

void run_on_cpu(unsigned cpu) {
    cpu_set_t set;

    CPU_ZERO(&set);
    CPU_SET(cpu, &set);
    EXPECT(!sched_setaffinity(0, sizeof set, &set));
}

static int open_plain(bool cpu_wide, bool pinned) {
    struct perf_event_attr attr = plain_attr(STORES);
    int fd;

    run_on_cpu(0);
    attr.pinned = pinned;
    fd = must_open(&attr, cpu_wide ? -1 : 0, cpu_wide ? 0 : -1, -1);
    must_enable(fd);
    return fd;
}

static int open_branches(void) {
    struct perf_event_attr attr = ebb_attr(C0, STORES);
    const int fd = must_open(&attr, 0, -1, -1);

    run_on_cpu(0);
    must_enable(fd); /* succeeds also if it is not scheduled */
    return fd;
}

static void stays_off_until_enabled_again(int branches, int other) {
    EXPECT(!scheduled(branches));
    EXPECT(scheduled(other));
    EXPECT(window_is_shut());
    close(other);
    EXPECT(!scheduled(branches));
    must_enable(branches);
    EXPECT(scheduled(branches));
    EXPECT(!window_is_shut());
}

static void behind_a_pinned_event_of_the_cpu(void) {
    const int other = open_plain(true, true);
    stays_off_until_enabled_again(open_branches(), other);
}
static void behind_a_pinned_event_of_the_task(void) {
    const int other = open_plain(false, true);
    stays_off_until_enabled_again(open_branches(), other);
}

static void before_a_pinned_event(bool cpu_wide) {
    const int fd = open_branches(), other = open_plain(cpu_wide, true);

    EXPECT(scheduled(fd));
    EXPECT(!scheduled(other));
    EXPECT(!window_is_shut());
    yielding_stores(20);
    EXPECT(scheduled(fd));
}
static void before_a_pinned_event_of_the_cpu(void) { before_a_pinned_event(true); }
static void before_a_pinned_event_of_the_task(void) { before_a_pinned_event(false); }

static uint64_t running(int fd) {
    uint64_t values[3];

    EXPECT_IS(read(fd, values, sizeof values), sizeof values);
    return values[2];
}

/* An event that is not pinned waits. */
static void not_pinned(int fd, int other) {
    uint64_t before;

    EXPECT(scheduled(fd));
    before = running(other);
    stores(20000);
    EXPECT(running(other) == before);
    close(fd);
    /* Until perf's timer lets it have a turn */
    for (unsigned i = 0; i < 200 && running(other) == before; i++)
        stores(20000);
    EXPECT(running(other) > before);
}
static void pushes_an_event_of_the_cpu_off(void) {
    const int other = open_plain(true, false);
    not_pinned(open_branches(), other);
}
static void pushes_an_event_of_the_task_off(void) {
    const int other = open_plain(false, false);
    not_pinned(open_branches(), other);
}
static void keeps_an_event_of_the_cpu_off(void) {
    const int fd = open_branches();
    not_pinned(fd, open_plain(true, false));
}
static void keeps_an_event_of_the_task_off(void) {
    const int fd = open_branches();
    not_pinned(fd, open_plain(false, false));
}

static void of_two_the_first_stays(void) {
    const int fd = open_branches();
    struct perf_event_attr attr = ebb_attr(C1, STORES);
    const int other = must_open(&attr, 0, -1, -1);

    must_enable(other);
    EXPECT(scheduled(fd));
    EXPECT(!scheduled(other));
    must_disable(fd);
    EXPECT(!scheduled(other));
    must_enable(other);
    EXPECT(scheduled(other));
}

static void the_last_close_shuts_the_window(void) {
    const int fd = count_stores(C0, 1000), second = join_stores(fd, C1);

    EXPECT(!window_is_shut());
    close(second);
    EXPECT(!window_is_shut());
    close(fd);
    EXPECT(window_is_shut());
    csr_write(TALLY_CSR_UEBBHR, 0x1234);
    csr_write(TALLY_CSR_UBESCR, TALLY_UBESCR_PME_MASK);
    sleep(0);
    EXPECT(!registers_trap());
    EXPECT_IS(csr_read(TALLY_CSR_UEBBHR), 0x1234);
    EXPECT_IS(csr_read(TALLY_CSR_UBESCR), TALLY_UBESCR_PME_MASK);
}

const struct test rule_tests[] = {
    {"must-be-pinned", must_be_pinned},
    {"must-be-exclusive", must_be_exclusive},
    {"must-be-a-task-s", must_be_a_task_s},
    {"must-name-its-counter", must_name_its_counter},
    {"must-not-inherit", must_not_inherit},
    {"must-have-no-period", must_have_no_period},
    {"must-have-no-frequency", must_have_no_frequency},
    {"must-not-be-enabled-on-exec", must_not_be_enabled_on_exec},
    {"must-have-no-sample-type", must_have_no_sample_type},
    {"must-have-an-event-that-exists", must_have_an_event_that_exists},
    {"a-member-is-neither-pinned-nor-exclusive", a_member_is_neither_pinned_nor_exclusive},
    {"all-of-a-group-agree", all_of_a_group_agree},
    {"a-group-that-cannot-fit-is-refused", a_group_that_cannot_fit_is_refused},
    {"period-and-refresh-are-refused", period_and_refresh_are_refused},
    {"times-are-right", times_are_right},
    {"behind-a-pinned-event-of-the-cpu", behind_a_pinned_event_of_the_cpu},
    {"behind-a-pinned-event-of-the-task", behind_a_pinned_event_of_the_task},
    {"before-a-pinned-event-of-the-cpu", before_a_pinned_event_of_the_cpu},
    {"before-a-pinned-event-of-the-task", before_a_pinned_event_of_the_task},
    {"pushes-an-event-of-the-cpu-off", pushes_an_event_of_the_cpu_off},
    {"pushes-an-event-of-the-task-off", pushes_an_event_of_the_task_off},
    {"keeps-an-event-of-the-cpu-off", keeps_an_event_of_the_cpu_off},
    {"keeps-an-event-of-the-task-off", keeps_an_event_of_the_task_off},
    {"of-two-the-first-stays", of_two_the_first_stays},
    {"the-last-close-shuts-the-window", the_last_close_shuts_the_window},
    {0},
};
