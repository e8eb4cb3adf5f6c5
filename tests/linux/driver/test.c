/* SPDX-License-Identifier: Apache-2.0 */
/* Common code of the tests */
#include "test.h"

#include <errno.h>
#include <inttypes.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

EBB_PROGRAM(program);
volatile uint64_t calls[32], strays;

void expect(bool good, const char *what, const char *file, int line, long long value, bool has_value) {
    if (good)
        return;
    printf("%s:%d: not so: %s", file, line, what);
    if (has_value)
        printf(", but %lld", value);
    printf("\n");
    fflush(stdout);
    _exit(1);
}

uint64_t number_in(const char *path) {
    uint64_t number = 0;
    FILE *file = fopen(path, "r");

    EXPECT(file && fscanf(file, "%" SCNu64, &number) == 1);
    fclose(file);
    return number;
}

void set_number(const char *path, uint64_t number) {
    FILE *file = fopen(path, "w");

    EXPECT(file && fprintf(file, "%" PRId64, (int64_t)number) > 0 && !fclose(file));
}

/* --- events ---------------------------------------------------------------------------------------- */

uint64_t device_number(const char *file, const char *format) {
    char path[128];
    uint64_t value = 0;
    FILE *stream;

    snprintf(path, sizeof path, "/sys/bus/event_source/devices/%s", file);
    stream = fopen(path, "r");
    EXPECT(stream && fscanf(stream, format, &value) == 1);
    fclose(stream);
    return value;
}

uint32_t device_type(const char *device) {
    char file[64];

    snprintf(file, sizeof file, "%s/type", device);
    return (uint32_t)device_number(file, "%" SCNu64);
}

static uint32_t pmu_type(void) {
    static uint32_t type;

    type = type ? type : device_type("tally");
    return type;
}

/* perf's raw events are its. */
bool whole(void) { return pmu_type() == PERF_TYPE_RAW; }

unsigned programmable(void) {
    return (unsigned)__builtin_popcountll(device_number("tally/caps/counters", "%" SCNx64) & ~7ull);
}

struct perf_event_attr plain_attr(uint64_t selector) {
    return (struct perf_event_attr){.type = pmu_type(),
                                    .size = sizeof(struct perf_event_attr),
                                    .config = selector,
                                    .exclude_kernel = 1,
                                    .disabled = 1,
                                    .read_format =
                                        PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING};
}

struct perf_event_attr ebb_attr(unsigned counter, uint64_t selector) {
    struct perf_event_attr attr = plain_attr(selector | EBB_BIT);

    attr.config1 = counter;
    attr.pinned = attr.exclusive = 1;
    return attr;
}

struct perf_event_attr ebb_member(unsigned counter, uint64_t selector) {
    struct perf_event_attr attr = ebb_attr(counter, selector);

    attr.pinned = attr.exclusive = 0;
    return attr;
}

int event_open(struct perf_event_attr *attr, pid_t pid, int cpu, int group) {
    const long fd = syscall(SYS_perf_event_open, attr, pid, cpu, group, 0);

    return fd < 0 ? -errno : (int)fd;
}

int must_open(struct perf_event_attr *attr, pid_t pid, int cpu, int group) {
    const int fd = event_open(attr, pid, cpu, group);

    expect(fd >= 0, "perf_event_open", __FILE__, __LINE__, fd, true);
    return fd;
}

void must_enable(int fd) { EXPECT_IS(ioctl(fd, PERF_EVENT_IOC_ENABLE, 0), 0); }

void must_disable(int fd) { EXPECT_IS(ioctl(fd, PERF_EVENT_IOC_DISABLE, 0), 0); }

bool scheduled(int fd) {
    uint64_t values[3];
    const ssize_t n = read(fd, values, sizeof values);

    EXPECT(n == 0 || n == sizeof values);
    return n != 0;
}

/* --- the program's side ---------------------------------------------------------------------------- */

extern const char stores_begin[], stores_end[];

__asm__(".text\n.globl stores, yielding_stores, stores_begin, stores_end\n"
        "stores_begin:\n"
        "stores: beqz a0, 2f\n"
        "1: sd zero, -8(sp)\n"
        "addi a0, a0, -1\n"
        "bnez a0, 1b\n"
        "2: ret\n"
        "yielding_stores: beqz a0, 2f\n"
        "mv t0, a0\n"
        "li a7, 124\n"
        "1: sd zero, -8(sp)\n"
        "ecall\n"
        "addi t0, t0, -1\n"
        "bnez t0, 1b\n"
        "2: ret\n"
        "stores_end:\n");

static void on_event(unsigned counter, uintptr_t pc) {
    calls[counter]++;
    if (program.without_cause)
        strays += !pc || pc % 2; /* where the program goes on: perhaps in the vDSO */
    else
        strays += pc < (uintptr_t)stores_begin || pc >= (uintptr_t)stores_end;
}

void enable_branches(void) {
    program.handler = on_event;
    csr_write(TALLY_CSR_UEBBHR, (uintptr_t)program_entry);
    csr_write(TALLY_CSR_UBESCR, ENABLED_STATUS);
}

void arm(unsigned counter, uint64_t period) {
    program.period[counter] = period;
    ebb_write(counter, 0 - period);
}

int count_stores(unsigned counter, uint64_t period) {
    struct perf_event_attr attr = ebb_attr(counter, TALLY_EV_INST_STORE_RET);
    const int fd = must_open(&attr, 0, -1, -1);

    must_enable(fd);
    EXPECT(scheduled(fd));
    arm(counter, period);
    return fd;
}

int join_stores(int leader, unsigned counter) {
    struct perf_event_attr attr = ebb_member(counter, TALLY_EV_INST_STORE_RET);
    const int fd = must_open(&attr, 0, -1, leader);

    must_enable(fd);
    return fd;
}

/* --- illegal instructions -------------------------------------------------------------------------- */

static sigjmp_buf trapped;

static void on_illegal(int signal) {
    (void)signal;
    siglongjmp(trapped, 1);
}

static bool traps(bool window) {
    struct sigaction action = {.sa_handler = on_illegal}, before;
    volatile bool result = true;

    sigaction(SIGILL, &action, &before);
    if (!sigsetjmp(trapped, 1)) {
        if (window)
            csr_read(TALLY_CSR_UEBBOVF);
        else
            csr_read(TALLY_CSR_UBESCR);
        result = false;
    }
    sigaction(SIGILL, &before, NULL);
    return result;
}

bool window_is_shut(void) { return traps(true); }

bool registers_trap(void) { return traps(false); }

/* --- processes ------------------------------------------------------------------------------------- */

pid_t start(void (*child)(void *), void *argument) {
    const pid_t pid = fork();

    EXPECT(pid >= 0);
    if (pid)
        return pid;
    child(argument);
    _exit(0);
}

int finish(pid_t pid) {
    int status;

    EXPECT(waitpid(pid, &status, 0) == pid);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}
