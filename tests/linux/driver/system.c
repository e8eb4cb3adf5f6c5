/* SPDX-License-Identifier: Apache-2.0 */
/* Event-based branches beside other parts of Linux: restartable sequences, the vDSO, core dumps; and what an
 * ordinary user may open. */
#include "ring.h"

#include <elf.h>
#include <errno.h>
#include <grp.h>
#include <linux/rseq.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define STORES TALLY_EV_INST_STORE_RET

/* --- a counter, and a second one as its witness ---------------------------------------------------- */

enum { PAIR = 1 << C0 | 1 << C1 };

/* C0 calls the handler; C1 counts the same events without an overflow. Both start and stop together. */
static void count_twice(uint64_t selector, uint64_t period, ebb_handler *handler) {
    struct perf_event_attr attr = ebb_attr(C0, selector), member = ebb_member(C1, selector);
    const int leader = must_open(&attr, 0, -1, -1);

    member.disabled = 0;
    must_open(&member, 0, -1, leader);
    must_enable(leader);
    EXPECT(scheduled(leader));
    ebb_hold(PAIR);
    arm(C0, period);
    ebb_write(C1, 0);
    enable_branches();
    program.handler = handler;
    ebb_hold(0);
}

static void no_call_is_missing(void) {
    const uint64_t period = program.period[C0];

    ebb_hold(PAIR);
    EXPECT(calls[C0] > 100);
    EXPECT_IS(ebb_read(C1) - period * calls[C0], ebb_read(C0) + period);
}

/* --- restartable sequences ------------------------------------------------------------------------- */

#define SIGNATURE 0xF1401073 /* csrr zero, mhartid */

static struct rseq area __attribute__((aligned(32)));
static uint64_t count;
static volatile uint64_t branches_inside, unseen_switches;
static volatile bool switched_inside;
enum { UNSEEN_ENOUGH = 150 };

/* Adds 1 to *count, by a sequence with a hundred stores between load and commit. False: aborted. */
bool increment(struct rseq *rseq, uint64_t *count);
extern const char increment_begin[], increment_end[];

__asm__(".pushsection .data\n.balign 32\n"
        "increment_sequence: .4byte 0, 0\n"
        ".8byte increment_begin, increment_end - increment_begin, increment_abort\n"
        ".popsection\n"
        ".text\n.globl increment, increment_begin, increment_end\n"
        "increment: lla t0, increment_sequence\n"
        "sd t0, 8(a0)\n"
        "increment_begin: ld t1, 0(a1)\n"
        "li t2, 100\n"
        "1: sd t1, -8(sp)\n"
        "addi t2, t2, -1\n"
        "bnez t2, 1b\n"
        "addi t1, t1, 1\n"
        "sd t1, 0(a1)\n"
        "increment_end: li a0, 1\n"
        "ret\n"
        ".4byte " CSR_STRING(SIGNATURE) "\n"
                                        "increment_abort: li a0, 0\n"
                                        "ret\n");

/* A branch is no preemption: the kernel does not know of it, and uebret goes on inside the sequence. Now and
 * then it sleeps here, often enough: the kernel finds the pc outside the sequence, clears rseq_cs, and does
 * not abort it. */
static void on_sequence(unsigned counter, uintptr_t pc) {
    const uintptr_t resume = csr_read(TALLY_CSR_UEBBRR);
    const struct timespec moment = {.tv_nsec = 1};

    (void)pc;
    calls[counter]++;
    if (resume < (uintptr_t)increment_begin || resume >= (uintptr_t)increment_end)
        return;
    if (branches_inside++ % 16 || unseen_switches >= UNSEEN_ENOUGH)
        return;
    nanosleep(&moment, NULL);
    if (!*(volatile uint64_t *)&area.rseq_cs)
        switched_inside = true;
}

/* Nanoseconds of the shortest sleep of some */
static long shortest_sleep(void) {
    const struct timespec moment = {.tv_nsec = 1};
    long shortest = 999999999;

    for (unsigned i = 0; i < 16; i++) {
        struct timespec from, to;
        long took;

        clock_gettime(CLOCK_MONOTONIC, &from);
        nanosleep(&moment, NULL);
        clock_gettime(CLOCK_MONOTONIC, &to);
        took = (to.tv_sec - from.tv_sec) * 1000000000 + to.tv_nsec - from.tv_nsec;
        shortest = took < shortest ? took : shortest;
    }
    return shortest;
}

/* At once, whoever runs; but most of the time is left to others, however slow the kernel is. */
static void wake_often(void *unused) {
    const struct timespec moment = {.tv_nsec = 3 * shortest_sleep()};
    const struct sched_param priority = {.sched_priority = 1};

    (void)unused;
    EXPECT_IS(syscall(SYS_sched_setscheduler, 0, SCHED_FIFO, &priority), 0); /* musl has none */
    for (;;)
        nanosleep(&moment, NULL);
}

static void a_restartable_sequence_comes_back_right(void) {
    const uint64_t enough = 1000, most = 20000;
    uint64_t commits = 0, aborts = 0;
    pid_t other;

    run_on_cpu(0);
    other = start(wake_often, NULL);
    EXPECT_IS(syscall(SYS_rseq, &area, 32, 0, SIGNATURE), 0);
    count_twice(STORES, 37, on_sequence);
    while ((commits < enough || unseen_switches < UNSEEN_ENOUGH || aborts <= 10) && commits < most) {
        switched_inside = false;
        if (increment(&area, &count)) {
            commits++;
            unseen_switches += switched_inside;
        } else {
            aborts++;
            EXPECT(!switched_inside);
        }
        area.rseq_cs = 0;
    }
    no_call_is_missing();
    kill(other, SIGKILL);
    finish(other);
    EXPECT_IS(count, commits);
    EXPECT(aborts > 10);
    EXPECT(branches_inside > 1000 && branches_inside < calls[C0]);
    EXPECT(unseen_switches >= UNSEEN_ENOUGH);
}

/* --- the vDSO -------------------------------------------------------------------------------------- */

static volatile uint64_t latest, backwards, calls_inside;
static uintptr_t vdso;
static int (*vdso_gettime)(clockid_t, struct timespec *);

/* musl does not ask the vDSO for the time on RISC-V. */
static void *vdso_function(const char *name) {
    const Elf64_Ehdr *head = (const Elf64_Ehdr *)vdso;
    const Elf64_Phdr *part = (const Elf64_Phdr *)(vdso + head->e_phoff);
    const Elf64_Dyn *entry;
    uintptr_t tables[DT_SYMTAB + 1] = {0};
    const Elf64_Word *hash;
    const Elf64_Sym *symbols;

    while (part->p_type != PT_DYNAMIC)
        part++;
    for (entry = (const Elf64_Dyn *)(vdso + part->p_vaddr); entry->d_tag != DT_NULL; entry++) {
        if (entry->d_tag <= DT_SYMTAB)
            tables[entry->d_tag] = vdso + entry->d_un.d_ptr;
    }
    hash = (const Elf64_Word *)tables[DT_HASH];
    symbols = (const Elf64_Sym *)tables[DT_SYMTAB];
    for (unsigned i = 0; i < hash[1]; i++) {
        if (!strcmp((const char *)tables[DT_STRTAB] + symbols[i].st_name, name))
            return (void *)(vdso + symbols[i].st_value);
    }
    return NULL;
}

/* The handler may come at any instruction, and look at the clock itself. */
static void look_at_clock(void) {
    const uint64_t before = latest;
    struct timespec now;
    uint64_t time;

    EXPECT(!vdso_gettime(CLOCK_MONOTONIC, &now));
    time = (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
    if (time < before)
        backwards++;
    latest = time;
}

static void on_clock(unsigned counter, uintptr_t pc) {
    calls[counter]++;
    calls_inside += pc - vdso < PAGE;
    look_at_clock();
}

static void the_vdso_works_in_and_around_a_handler(void) {
    uint64_t first;

    vdso = getauxval(AT_SYSINFO_EHDR);
    EXPECT(vdso);
    vdso_gettime = (int (*)(clockid_t, struct timespec *))vdso_function("__vdso_clock_gettime");
    EXPECT(vdso_gettime);
    look_at_clock();
    first = latest;
    count_twice(TALLY_EV_INST_RET, 101, on_clock);
    for (unsigned i = 0; i < 5000; i++)
        look_at_clock();
    no_call_is_missing();
    EXPECT_IS(backwards, 0);
    EXPECT(latest > first);
    EXPECT(calls_inside > 100 && calls_inside < calls[C0]);
}

/* --- core dumps ------------------------------------------------------------------------------------ */

static void on_last_event(unsigned counter, uintptr_t pc) {
    (void)counter, (void)pc;
    abort();
}

static void abort_with_branches(void *in_handler) {
    calls[C0] = 0;
    count_stores(C0, 100);
    enable_branches();
    if (in_handler)
        program.handler = on_last_event;
    stores(550);
    EXPECT(!in_handler);
    EXPECT_IS(calls[C0], 5);
    abort();
}

static void dumps_core(bool in_handler) {
    const pid_t pid = start(abort_with_branches, in_handler ? &program : NULL);
    char magic[SELFMAG];
    FILE *core;
    int status;

    EXPECT(waitpid(pid, &status, 0) == pid);
    EXPECT(WIFSIGNALED(status) && WCOREDUMP(status));
    EXPECT_IS(WTERMSIG(status), SIGABRT);
    core = fopen("core", "r");
    EXPECT(core && fread(magic, sizeof magic, 1, core) == 1 && !memcmp(magic, ELFMAG, SELFMAG));
    fclose(core);
    EXPECT(!unlink("core"));
    EXPECT_IS(finish(start(own_branches, NULL)), 0);
}

static void a_core_dump_harms_nobody(void) {
    const struct rlimit unlimited = {RLIM_INFINITY, RLIM_INFINITY};
    char folder[] = "/tmp/core-XXXXXX";

    EXPECT(!setrlimit(RLIMIT_CORE, &unlimited));
    EXPECT(mkdtemp(folder) && !chdir(folder));
    count_stores(C0, 2000);
    enable_branches();
    stores(4 * 2000);
    dumps_core(true);
    dumps_core(false);
    EXPECT_IS(csr_read(TALLY_CSR_UEBBHR), (uintptr_t)program_entry);
    arm(C0, 2000);
    stores(4 * 2000 + 1000);
    EXPECT_IS(calls[C0], 8);
    EXPECT(!chdir("/") && !rmdir(folder));
}

/* --- an ordinary user ------------------------------------------------------------------------------ */

#define PARANOID "/proc/sys/kernel/perf_event_paranoid"

static void opens(struct perf_event_attr attr, pid_t pid, int cpu, bool allowed) {
    if (allowed)
        close(must_open(&attr, pid, cpu, -1));
    else
        EXPECT_IS(event_open(&attr, pid, cpu, -1), -EACCES);
}

static void opens_with_kernel(struct perf_event_attr attr, bool allowed) {
    opens(attr, 0, -1, true);
    attr.exclude_kernel = 0;
    opens(attr, 0, -1, allowed);
}

/* Only root may open what shows the kernel, the CPU, or root's processes. */
static void open_events(bool root) {
    struct perf_event_attr attr = sampling(1000);

    opens(attr, 0, -1, root); /* physical addresses */
    attr.config = 1 << 4;     /* aux */
    opens(attr, 0, -1, root);
    attr.sample_type &= ~(uint64_t)PERF_SAMPLE_PHYS_ADDR;
    opens_with_kernel(attr, root);
    attr.config = 0;
    opens_with_kernel(attr, root);
    opens(attr, -1, 0, root);
    opens_with_kernel(ebb_attr(C0, STORES), root);
    opens(ebb_attr(C0, STORES), getppid(), -1, root);
    attr = plain_attr(STORES);
    opens_with_kernel(attr, root);
    opens(attr, -1, 0, root);
    opens(attr, getppid(), -1, root);
    if (!whole())
        return;
    attr.sample_period = 1000;
    attr.sample_type = PERF_SAMPLE_IP;
    opens_with_kernel(attr, root);
    attr.sample_type = PERF_SAMPLE_CALLCHAIN;
    opens(attr, 0, -1, root);
    attr.exclude_callchain_kernel = 1;
    opens_with_kernel(attr, root);
}

static void ordinary_user(void *unused) {
    EXPECT(!setgroups(0, NULL) && !setgid(1000) && !setuid(1000));
    open_events(false);
    own_branches(unused);
}

static void an_ordinary_user_is_refused_what_shows_the_kernel(void) {
    const uint64_t paranoid = number_in(PARANOID);
    int status;

    open_events(true);
    set_number(PARANOID, 2);
    status = finish(start(ordinary_user, NULL));
    set_number(PARANOID, paranoid);
    EXPECT_IS(status, 0);
}

const struct test system_tests[] = {
    {"a-branch-in-a-restartable-sequence-comes-back-right", a_restartable_sequence_comes_back_right},
    {"the-vdso-works-in-and-around-a-handler", the_vdso_works_in_and_around_a_handler},
    {"a-core-dump-harms-nobody", a_core_dump_harms_nobody},
    {"an-ordinary-user-is-refused-what-shows-the-kernel", an_ordinary_user_is_refused_what_shows_the_kernel},
    {0},
};
