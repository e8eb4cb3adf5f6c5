/* SPDX-License-Identifier: Apache-2.0 */
/* Deliveries to the handler. Numbers of calls are exact: the library freezes the counters in the handler
 * (FZ), and the test's other stores are less than half a period. */
#include "test.h"

#include <signal.h>
#include <sys/time.h>
#include <unistd.h>

static void the_handler_runs_at_each_overflow(void) {
    count_stores(C0, 100);
    enable_branches();
    stores(50 * 100 + 50);
    EXPECT_IS(calls[C0], 50);
    EXPECT_IS(program.branches, 50);
    EXPECT_IS(strays, 0);
}

static void each_counter_has_its_own_overflows(void) {
    static const uint64_t events[] = {TALLY_EV_INST_STORE_RET, TALLY_EV_INST_BRJMP_BRANCH_RET,
                                      TALLY_EV_INST_RET, TALLY_EV_INST_BRJMP_TK_RET};
    static const uint64_t periods[] = {500, 900, 7000, 1300};
    int leader = -1;

    for (unsigned i = 0; i < 4; i++) {
        struct perf_event_attr attr = (leader < 0 ? ebb_attr : ebb_member)(C0 + i, events[i]);
        int fd;

        attr.disabled = leader < 0;
        fd = must_open(&attr, 0, -1, leader);
        leader = leader < 0 ? fd : leader;
    }
    must_enable(leader);
    EXPECT(scheduled(leader));
    for (unsigned i = 0; i < 4; i++)
        arm(C0 + i, periods[i]);
    enable_branches();
    stores(90000 + 250);
    EXPECT_IS(calls[C0], 180);
    EXPECT_IS(calls[C1], 100);
    EXPECT(calls[C2] >= 38 && calls[C2] <= 40); /* three a store, and the handler's last instructions */
    EXPECT_IS(calls[C3], 69);
}

static void nothing_comes_while_ge_is_0(void) {
    count_stores(C0, 100);
    enable_branches();
    csr_clear(TALLY_CSR_UBESCR, TALLY_UBESCR_GE_MASK);
    yielding_stores(150);
    EXPECT_IS(calls[C0], 0);
    EXPECT(csr_read(TALLY_CSR_UBESCR) & TALLY_UBESCR_PMEO_MASK);
    csr_set(TALLY_CSR_UBESCR, TALLY_UBESCR_GE_MASK);
    EXPECT_IS(calls[C0], 1);
}

static volatile bool in_handler;
static volatile unsigned nested;

static void overflow_meanwhile(unsigned counter, uintptr_t pc) {
    (void)pc;
    nested += in_handler;
    in_handler = true;
    calls[counter]++;
    if (counter == C0) {
        ebb_write(C1, -10ull);
        program.period[C1] = 1ull << 40;
        yielding_stores(50); /* FZ is 0: they are counted */
        EXPECT_IS(calls[C1], 0);
    }
    in_handler = false;
}

static void an_overflow_in_the_handler_comes_behind_it(void) {
    EXPECT(scheduled(join_stores(count_stores(C0, 100), C1)));
    arm(C1, 1ull << 40);
    arm(C0, 100);
    enable_branches();
    program.handler = overflow_meanwhile;
    program.period[C0] = 1ull << 40;
    csr_clear(TALLY_CSR_UBESCR, TALLY_UBESCR_FZ_MASK);
    stores(120);
    EXPECT_IS(calls[C0], 1);
    EXPECT_IS(calls[C1], 1);
    EXPECT_IS(nested, 0);
}

static volatile unsigned alarms;

/* One at a time: on a kernel with all its checks a signal takes longer than the millisecond. */
static void arm_alarm(void) {
    const struct itimerval soon = {.it_value = {0, 1000}};

    setitimer(ITIMER_REAL, &soon, NULL);
}

static void on_alarm(int signal) {
    (void)signal;
    alarms++;
    yielding_stores(3);
    arm_alarm();
}

/* A signal interrupts the program, the handler and the kernel; the program's own stores are counted besides.
 */
static void signals_and_branches_go_together(void) {
    const struct itimerval never = {0};
    const uint64_t rounds = 20000;

    signal(SIGALRM, on_alarm);
    count_stores(C0, 1000);
    enable_branches();
    arm_alarm();
    for (uint64_t i = 0; i < rounds / 100; i++)
        stores(10000);
    setitimer(ITIMER_REAL, &never, NULL);
    EXPECT(alarms > 5);
    /* The library's signal() and this handler store less than 50 times a signal. */
    EXPECT(calls[C0] >= rounds / 10 && calls[C0] <= rounds / 10 + 50 * alarms / 1000 + 1);
}

static void the_kernel_is_not_counted(void) {
    struct perf_event_attr attr = ebb_attr(C0, TALLY_EV_INST_STORE_RET);
    int fd;

    attr.exclude_kernel = 0;
    fd = must_open(&attr, 0, -1, -1);
    must_enable(fd);
    EXPECT(scheduled(fd));
    enable_branches();
    arm(C0, 1000);
    yielding_stores(900);
    EXPECT_IS(calls[C0], 0);
    yielding_stores(150);
    EXPECT_IS(calls[C0], 1);
}

const struct test delivery_tests[] = {
    {"the-handler-runs-at-each-overflow", the_handler_runs_at_each_overflow},
    {"each-counter-has-its-own-overflows", each_counter_has_its_own_overflows},
    {"nothing-comes-while-ge-is-0", nothing_comes_while_ge_is_0},
    {"an-overflow-in-the-handler-comes-behind-it", an_overflow_in_the_handler_comes_behind_it},
    {"signals-and-branches-go-together", signals_and_branches_go_together},
    {"the-kernel-is-not-counted", the_kernel_is_not_counted},
    {0},
};
