/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What perf's events cost under Linux, for scripts/bench_linux.py, which reads the trace of retired
 * instructions: calls, switches between two tasks, and a loop that its own event interrupts. Each kind has
 * a copy of the function, so that the trace tells them apart by pc. Some kinds need the drivers of the unit.
 */
#include <fcntl.h>
#include <linux/perf_event.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "ebb.h"

/* Calls, and switches of each task; interrupts, a prime of instructions apart, so that they come behind each
 * of the loop's */
enum { CALLS = 1040, YIELDS = 560, PERIOD = 499, ROUND = 5, ROUNDS = CALLS * PERIOD / ROUND };
/* Sampled instructions come in batches of 128 */
enum { BATCHES = 40, BATCH_PERIOD = 16, BATCH_ROUNDS = BATCHES * 128 * BATCH_PERIOD / ROUND };
enum { PAGE = 4096, RING = 16 * PAGE, COUNTER = 3, GROUP = 4 };

/* name(a, b, c, number): a system call */
#define CALL(name)                                                                                           \
    long name(long, const void *, long, long);                                                               \
    __asm__(".text\n.balign 64\n.globl " #name ", " #name "_end\n" #name ": mv a7, a3\n ecall\n ret\n" #name \
            "_end:\n")
/* name(rounds, data): load, add, store, add, branch */
#define LOOP(name)                                                                                           \
    void name(uint64_t, uint64_t *);                                                                         \
    __asm__(                                                                                                 \
        ".text\n.balign 64\n.globl " #name ", " #name "_end\n" #name                                         \
        ": 1: ld t0, 0(a1)\n addi t0, t0, 1\n sd t0, 8(a1)\n addi a0, a0, -1\n bnez a0, 1b\n ret\n" #name    \
        "_end:\n")

CALL(cost_getppid);
CALL(cost_read);
CALL(cost_read_group);
CALL(cost_yield0_a);
CALL(cost_yield0_b);
CALL(cost_yield1_a);
CALL(cost_yield1_b);
CALL(cost_yield4_a);
CALL(cost_yield4_b);
LOOP(cost_sample);
LOOP(cost_signal);
LOOP(cost_batch);
LOOP(cost_branch);
EBB_PROGRAM(program);

static uint64_t data[2] __attribute__((aligned(64)));

static void must(bool good, const char *what) {
    if (good)
        return;
    perror(what);
    exit(1);
}

/* --- events ---------------------------------------------------------------------------------------- */

/* General ones, which both drivers have */
static struct perf_event_attr general(unsigned n) {
    static const uint64_t events[GROUP] = {PERF_COUNT_HW_INSTRUCTIONS, PERF_COUNT_HW_CPU_CYCLES,
                                           PERF_COUNT_HW_BRANCH_INSTRUCTIONS, PERF_COUNT_HW_CACHE_REFERENCES};

    return (struct perf_event_attr){
        .size = sizeof(struct perf_event_attr), .config = events[n], .exclude_kernel = 1};
}

static struct perf_event_attr sampling(void) {
    struct perf_event_attr attr = general(0);

    attr.sample_period = PERIOD;
    attr.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_PERIOD;
    attr.disabled = 1;
    return attr;
}

static int event_open_of(struct perf_event_attr *attr, pid_t task, int group) {
    const int fd = (int)syscall(SYS_perf_event_open, attr, task, -1, group, 0);

    must(fd >= 0, "perf_event_open");
    return fd;
}

static int event_open(struct perf_event_attr *attr, int group) { return event_open_of(attr, 0, group); }

/* Of a PMU that the drivers bring; 0: they are not there */
static uint32_t type_of(const char *pmu) {
    char path[64];
    uint32_t type = 0;
    FILE *file;

    snprintf(path, sizeof path, "/sys/bus/event_source/devices/%s/type", pmu);
    file = fopen(path, "r");
    if (!file)
        return 0;
    must(fscanf(file, "%u", &type) == 1, path);
    fclose(file);
    return type;
}

/* Mapped read-only, a ring keeps the newest records, and nobody has to read it. */
static void *map_ring(int fd) {
    void *ring = mmap(NULL, PAGE + RING, PROT_READ, MAP_SHARED, fd, 0);

    must(ring != MAP_FAILED, "mmap");
    return ring;
}

static void enable(int fd) { must(!ioctl(fd, PERF_EVENT_IOC_ENABLE, 0), "PERF_EVENT_IOC_ENABLE"); }

/* --- calls ----------------------------------------------------------------------------------------- */

static void calls(void) {
    struct perf_event_attr attr = general(0);
    uint64_t values[1 + GROUP];
    int fd, leader;

    for (unsigned i = 0; i < CALLS; i++)
        cost_getppid(0, NULL, 0, SYS_getppid);
    fd = event_open(&attr, -1);
    for (unsigned i = 0; i < CALLS; i++)
        must(cost_read(fd, values, sizeof values, SYS_read) == 8, "read");
    close(fd);

    attr.read_format = PERF_FORMAT_GROUP;
    leader = event_open(&attr, -1);
    for (unsigned i = 1; i < GROUP; i++) {
        attr.config = general(i).config;
        event_open(&attr, leader);
    }
    for (unsigned i = 0; i < CALLS; i++)
        must(cost_read_group(leader, values, sizeof values, SYS_read) == sizeof values, "read");
    for (unsigned i = 0; i < GROUP; i++)
        close(leader + (int)i);
}

/* --- switches -------------------------------------------------------------------------------------- */

typedef long call(long, const void *, long, long);

/* Each task has that many events of its own. */
static void yields(unsigned events, call *yield, int wait, int go) {
    char byte = 0;

    for (unsigned i = 0; i < events; i++) {
        struct perf_event_attr attr = general(i);

        event_open(&attr, -1);
    }
    must(write(go, &byte, 1) == 1 && read(wait, &byte, 1) == 1, "pipe");
    for (unsigned i = 0; i < YIELDS; i++)
        yield(0, NULL, 0, SYS_sched_yield);
}

static void switches(unsigned events, call *a, call *b) {
    int there[2], back[2], status;
    pid_t child[2];

    must(!pipe(there) && !pipe(back), "pipe");
    for (unsigned i = 0; i < 2; i++) {
        child[i] = fork();
        must(child[i] >= 0, "fork");
        if (child[i])
            continue;
        yields(events, i ? b : a, i ? there[0] : back[0], i ? back[1] : there[1]);
        _exit(0);
    }
    for (unsigned i = 0; i < 2; i++)
        must(waitpid(child[i], &status, 0) == child[i] && !status, "child");
}

/* --- interrupts ------------------------------------------------------------------------------------ */

static volatile uint64_t signaled;

static void on_signal(int number) {
    (void)number;
    signaled++;
}

/* As perf record does it: the event is another task's. */
static void samples(void) {
    struct perf_event_attr attr = sampling();
    int go[2], status, fd;
    char byte = 0;
    pid_t child;

    must(!pipe(go), "pipe");
    child = fork();
    must(child >= 0, "fork");
    if (!child) {
        must(read(go[0], &byte, 1) == 1, "pipe");
        cost_sample(ROUNDS, data);
        _exit(0);
    }
    fd = event_open_of(&attr, child, -1);
    map_ring(fd);
    enable(fd);
    must(write(go[1], &byte, 1) == 1 && waitpid(child, &status, 0) == child && !status, "child");
    close(fd);
}

static void signals(void) {
    struct perf_event_attr attr = sampling();
    const int fd = event_open(&attr, -1);

    signal(SIGIO, on_signal);
    must(!fcntl(fd, F_SETOWN, getpid()) && !fcntl(fd, F_SETFL, O_ASYNC), "fcntl");
    enable(fd);
    cost_signal(ROUNDS, data);
    close(fd);
    must(signaled >= CALLS - 1, "signals");
}

static void batches(uint32_t type) {
    struct perf_event_attr attr = {.type = type,
                                   .size = sizeof attr,
                                   .sample_period = BATCH_PERIOD,
                                   .sample_type = sampling().sample_type | PERF_SAMPLE_ADDR |
                                                  PERF_SAMPLE_WEIGHT | PERF_SAMPLE_DATA_SRC,
                                   .exclude_kernel = 1,
                                   .disabled = 1};
    const int fd = event_open(&attr, -1);
    void *ring = map_ring(fd);

    enable(fd);
    cost_batch(BATCH_ROUNDS, data);
    munmap(ring, PAGE + RING);
    close(fd);
}

static void on_branch(unsigned counter, uintptr_t pc) {
    (void)counter;
    (void)pc;
}

static void branches(uint32_t type) {
    struct perf_event_attr attr = {.type = type,
                                   .size = sizeof attr,
                                   .config = 1ull << 63 | TALLY_EV_INST_RET,
                                   .config1 = COUNTER,
                                   .pinned = 1,
                                   .exclusive = 1,
                                   .exclude_kernel = 1,
                                   .disabled = 1};
    const int fd = event_open(&attr, -1);

    program.handler = on_branch;
    program.period[COUNTER] = PERIOD;
    csr_write(TALLY_CSR_UEBBHR, (uintptr_t)program_entry);
    csr_write(TALLY_CSR_UBESCR, TALLY_UBESCR_GE_MASK | TALLY_UBESCR_FZ_MASK | TALLY_UBESCR_PME_MASK);
    enable(fd);
    ebb_write(COUNTER, 0 - (uint64_t)PERIOD);
    cost_branch(ROUNDS, data);
    close(fd);
    must(program.branches >= CALLS - 1, "branches");
}

int main(void) {
    const uint32_t tally = type_of("tally"), pdis = type_of("tally_pdis");

    /* The rest runs on the RTL, from a checkpoint. */
    puts("costs: begin");
    fflush(stdout);
    calls();
    switches(0, cost_yield0_a, cost_yield0_b);
    switches(1, cost_yield1_a, cost_yield1_b);
    switches(4, cost_yield4_a, cost_yield4_b);
    samples();
    signals();
    if (pdis)
        batches(pdis);
    if (tally)
        branches(tally);
    puts("costs: end");
    return 0;
}
