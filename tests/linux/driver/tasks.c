/* SPDX-License-Identifier: Apache-2.0 */
/* Registers and events of tasks: switches, fork, clone, exec, and events that another task attaches. */
#include "test.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define STORES TALLY_EV_INST_STORE_RET

extern char **environ;

static bool registers_are_0(void) {
    return !csr_read(TALLY_CSR_UBESCR) && !csr_read(TALLY_CSR_UEBBHR) && !csr_read(TALLY_CSR_UEBBRR);
}

/* --- two processes in step ------------------------------------------------------------------------- */

static int to_child[2], to_parent[2];

static void open_pipes(void) { EXPECT(!pipe(to_child) && !pipe(to_parent)); }
static void tell(const int *way) { EXPECT_IS(write(way[1], "", 1), 1); }
static void hear(const int *way) {
    char c;
    EXPECT_IS(read(way[0], &c, 1), 1);
}

/* --- fork, clone, exec ----------------------------------------------------------------------------- */

void own_branches(void *unused) {
    (void)unused;
    EXPECT(registers_are_0());
    EXPECT(window_is_shut());
    for (unsigned i = 0; i < 32; i++)
        calls[i] = 0;
    count_stores(C0, 200);
    enable_branches();
    stores(20 * 200 + 100);
    EXPECT_IS(calls[C0], 20);
}

static void fork_begins_without(void) {
    pid_t child;

    count_stores(C0, 2000);
    enable_branches();
    stores(4 * 2000);
    EXPECT_IS(calls[C0], 4);
    child = start(own_branches, NULL);
    EXPECT_IS(finish(child), 0);
    EXPECT_IS(csr_read(TALLY_CSR_UEBBHR), (uintptr_t)program_entry);
    arm(C0, 2000);
    stores(4 * 2000 + 1000);
    EXPECT_IS(calls[C0], 8);
}

static void *thread(void *unused) {
    own_branches(unused);
    return NULL;
}

static void clone_begins_without(void) {
    pthread_t other;

    count_stores(C0, 2000);
    csr_write(TALLY_CSR_UEBBHR, (uintptr_t)program_entry);
    csr_write(TALLY_CSR_UEBBRR, 0x1234);
    EXPECT(!pthread_create(&other, NULL, thread, NULL));
    EXPECT(!pthread_join(other, NULL));
    EXPECT_IS(csr_read(TALLY_CSR_UEBBRR), 0x1234);
    EXPECT(!window_is_shut());
}

static void exec_in_child(void *unused) {
    static char *const words[] = {"ebb", "--registers", NULL};

    (void)unused;
    count_stores(C0, 2000);
    enable_branches();
    csr_write(TALLY_CSR_UEBBRR, 0x1234);
    execv("/proc/self/exe", words);
    _exit(2);
}

static void exec_begins_without(void) {
    static char *const words[] = {"ebb", "--registers", NULL};
    pid_t child = start(exec_in_child, NULL);

    EXPECT_IS(finish(child), 0);
    enable_branches();
    EXPECT_IS(posix_spawn(&child, "/proc/self/exe", NULL, NULL, words, environ), 0); /* vfork */
    EXPECT_IS(finish(child), 0);
}

/* --- switches -------------------------------------------------------------------------------------- */

static void keep_registers(void *argument) {
    const uintptr_t mine = (uintptr_t)argument << 12;

    csr_write(TALLY_CSR_UEBBHR, mine);
    csr_write(TALLY_CSR_UEBBRR, mine + 2);
    csr_write(TALLY_CSR_UBESCR, TALLY_UBESCR_FZ_MASK | TALLY_UBESCR_PME_MASK);
    for (unsigned i = 0; i < 300; i++) {
        EXPECT_IS(csr_read(TALLY_CSR_UEBBHR), mine);
        EXPECT_IS(csr_read(TALLY_CSR_UEBBRR), mine + 2);
        EXPECT_IS(csr_read(TALLY_CSR_UBESCR), TALLY_UBESCR_FZ_MASK | TALLY_UBESCR_PME_MASK);
        sched_yield();
    }
}

static void registers_are_a_task_s_without_events(void) {
    pid_t children[3];

    for (uintptr_t i = 0; i < 3; i++)
        children[i] = start(keep_registers, (void *)(i + 1));
    for (unsigned i = 0; i < 3; i++)
        EXPECT_IS(finish(children[i]), 0);
    EXPECT(registers_are_0());
}

/* Each with its own counter, event, period; `deliveries` of them. Task switches come between any two stores.
 * One that moves is on each CPU in turn. */
struct share {
    unsigned counter;
    uint64_t period, deliveries;
    bool moves;
};

/* Without a store of its own */
static inline void move_to(const unsigned long *cpus) {
    register unsigned long a0 __asm__("a0") = 0, a1 __asm__("a1") = sizeof *cpus;
    register const unsigned long *a2 __asm__("a2") = cpus;
    register unsigned long a7 __asm__("a7") = SYS_sched_setaffinity;

    __asm__ volatile("ecall" : "+r"(a0) : "r"(a1), "r"(a2), "r"(a7) : "memory");
    if (a0) /* expect() may have stores */
        EXPECT_IS(a0, 0);
}

static void share(void *argument) {
    static const unsigned long cpu[2] = {1, 2};
    const struct share *share = argument;
    const uint64_t all = share->period * share->deliveries + share->period / 2;
    const bool two = sysconf(_SC_NPROCESSORS_ONLN) > 1;

    count_stores(share->counter, share->period);
    enable_branches();
    for (uint64_t left = all; left;) {
        const uint64_t part = left < 1000 ? left : 1000;

        if (share->moves)
            move_to(&cpu[two && left / 1000 % 2]);
        stores(part - part / 50);
        yielding_stores(part / 50);
        left -= part;
    }
    EXPECT_IS(calls[share->counter], share->deliveries);
    EXPECT_IS(strays, 0);
}

static void processes(unsigned n, uint64_t deliveries, bool move) {
    struct share shares[4];
    pid_t children[4];

    for (unsigned i = 0; i < n; i++) {
        shares[i] = (struct share){C0 + i % 3, 18 + 2 * i, deliveries / n, move};
        children[i] = start(share, &shares[i]);
    }
    for (unsigned i = 0; i < n; i++)
        EXPECT_IS(finish(children[i]), 0);
}

static void two_processes_have_their_own(void) { processes(2, 2000, false); }
static void four_processes_have_their_own(void) { processes(4, 4000, false); }
static void branches_move_with_their_task(void) { processes(3, 3000, true); }

/* EBB_DELIVERIES of the environment */
static void no_delivery_is_lost(void) {
    const char *number = getenv("EBB_DELIVERIES");

    processes(4, number ? strtoull(number, NULL, 10) : 100000, false);
}

/* --- a task and one that attaches events to it ----------------------------------------------------- */

static void willing(void *unused) {
    (void)unused;
    enable_branches(); /* before any event exists */
    tell(to_parent);
    hear(to_child);
    arm(C0, 1000);
    stores(5 * 1000 + 500);
    EXPECT_IS(calls[C0], 5);
}

static void unwilling(void *unused) {
    (void)unused;
    tell(to_parent);
    hear(to_child);
    arm(C0, 1000);
    stores(5 * 1000 + 500);
    EXPECT(registers_are_0());
    EXPECT_IS(calls[C0], 0);
}

static void attach(void (*child)(void *)) {
    struct perf_event_attr attr = ebb_attr(C0, STORES);
    pid_t pid;

    open_pipes();
    pid = start(child, NULL);
    hear(to_parent);
    must_enable(must_open(&attr, pid, -1, -1));
    tell(to_child);
    EXPECT_IS(finish(pid), 0);
    EXPECT_IS(program.branches, 0);
}
static void a_willing_task_gets_branches(void) { attach(willing); }
static void an_unwilling_task_gets_none(void) { attach(unwilling); }

/* An event is pending; the task is told its parent's steps, and enables delivery. */
static void with_pending_event(void *expected) {
    enable_branches();
    csr_clear(TALLY_CSR_UBESCR, TALLY_UBESCR_GE_MASK);
    tell(to_parent);
    hear(to_child);
    arm(C0, 100);
    stores(150);
    EXPECT(csr_read(TALLY_CSR_UBESCR) & TALLY_UBESCR_PMEO_MASK);
    tell(to_parent);
    hear(to_child); /* disabled or closed */
    EXPECT(window_is_shut());
    csr_set(TALLY_CSR_UBESCR, TALLY_UBESCR_GE_MASK);
    EXPECT_IS(calls[C0], 0);
    EXPECT(!(csr_read(TALLY_CSR_UBESCR) & TALLY_UBESCR_PMEO_MASK));
    tell(to_parent);
    hear(to_child); /* enabled again, or opened anew */
    EXPECT_IS(calls[C0], (uintptr_t)expected);
}

static void let_pend(bool closed) {
    struct perf_event_attr attr = ebb_attr(C0, STORES);
    pid_t pid;
    int fd;

    open_pipes();
    pid = start(with_pending_event, (void *)(closed ? 0ul : 1ul));
    hear(to_parent);
    fd = must_open(&attr, pid, -1, -1);
    must_enable(fd);
    tell(to_child);
    hear(to_parent);
    if (closed)
        close(fd);
    else
        must_disable(fd);
    tell(to_child);
    hear(to_parent);
    if (closed)
        fd = must_open(&attr, pid, -1, -1);
    must_enable(fd);
    tell(to_child);
    EXPECT_IS(finish(pid), 0);
}
static void a_pending_event_waits_for_its_counter(void) { let_pend(false); }
static void the_last_close_drops_a_pending_event(void) { let_pend(true); }

/* --- debugger -------------------------------------------------------------------------------------- */

static void traced(void *unused) {
    (void)unused;
    tell(to_parent);
    hear(to_child);
    share(&(struct share){C0, 20, 1000, false});
}

static void a_debugger_does_no_harm(void) {
    pid_t pid;
    unsigned stops = 0;
    int status;

    open_pipes();
    pid = start(traced, NULL);
    hear(to_parent);
    EXPECT(!ptrace(PTRACE_SEIZE, pid, 0, PTRACE_O_TRACESYSGOOD));
    EXPECT(!ptrace(PTRACE_INTERRUPT, pid, 0, 0));
    tell(to_child);
    for (;;) {
        EXPECT(waitpid(pid, &status, 0) == pid);
        if (!WIFSTOPPED(status))
            break;
        stops++;
        EXPECT(!ptrace(PTRACE_SYSCALL, pid, 0, 0));
    }
    EXPECT(WIFEXITED(status));
    EXPECT_IS(WEXITSTATUS(status), 0);
    EXPECT(stops > 500);
}

const struct test task_tests[] = {
    {"fork-begins-without", fork_begins_without},
    {"clone-begins-without", clone_begins_without},
    {"exec-begins-without", exec_begins_without},
    {"registers-are-a-task-s-without-events", registers_are_a_task_s_without_events},
    {"two-processes-have-their-own", two_processes_have_their_own},
    {"four-processes-have-their-own", four_processes_have_their_own},
    {"branches-move-with-their-task", branches_move_with_their_task},
    {"a-willing-task-gets-branches", a_willing_task_gets_branches},
    {"an-unwilling-task-gets-none", an_unwilling_task_gets_none},
    {"a-pending-event-waits-for-its-counter", a_pending_event_waits_for_its_counter},
    {"the-last-close-drops-a-pending-event", the_last_close_drops_a_pending_event},
    {"a-debugger-does-no-harm", a_debugger_does_no_harm},
    {"no-delivery-is-lost", no_delivery_is_lost},
    {0},
};
