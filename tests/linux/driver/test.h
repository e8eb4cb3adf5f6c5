/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of the driver under Linux, by perf_event_open: a function a rule, each in a process of its own. */
#ifndef TESTS_LINUX_DRIVER_H
#define TESTS_LINUX_DRIVER_H

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "ebb.h"

/* Counters that the device tree delegates: 3 to 6, or all (docs/linux.md) */
enum { C0 = 3, C1, C2, C3 };
#define EBB_BIT (1ull << 63)
#define ENABLED_STATUS (TALLY_UBESCR_GE_MASK | TALLY_UBESCR_FZ_MASK | TALLY_UBESCR_PME_MASK)

/* Ends the test with a line if it is not so. */
#define EXPECT(condition) expect(condition, #condition, __FILE__, __LINE__, 0, false)
/* Both are numbers. */
#define EXPECT_IS(value, expected)                                                                           \
    do {                                                                                                     \
        const long long value_ = (long long)(value);                                                         \
        expect(value_ == (long long)(expected), #value " is " #expected, __FILE__, __LINE__, value_, true);  \
    } while (0)
void expect(bool good, const char *what, const char *file, int line, long long value, bool has_value);

/* In a file of the kernel */
uint64_t number_in(const char *path);
void set_number(const char *path, uint64_t number);
/* A number that sysfs has of a PMU, by scanf's format of a uint64_t */
uint64_t device_number(const char *file, const char *format);
uint32_t device_type(const char *device);
/* Are all counters delegated? */
bool whole(void);
/* How many have events of every kind */
unsigned programmable(void);

/* An event of that counter that meets every rule; disabled. */
struct perf_event_attr ebb_attr(unsigned counter, uint64_t selector);
/* ... of a group whose leader is such an event */
struct perf_event_attr ebb_member(unsigned counter, uint64_t selector);
/* An ordinary event of the same PMU, of any counter */
struct perf_event_attr plain_attr(uint64_t selector);
/* As perf_event_open: the descriptor, or less errno */
int event_open(struct perf_event_attr *attr, pid_t pid, int cpu, int group);
/* ... that must succeed */
int must_open(struct perf_event_attr *attr, pid_t pid, int cpu, int group);
void must_enable(int fd);
void must_disable(int fd);
/* Is it on a counter? False: end of file. */
bool scheduled(int fd);

/* The process's own branches: counted in `calls` a counter, and causes outside of stores() in `strays`. */
extern struct ebb program;
extern const char program_entry[];
extern volatile uint64_t calls[32];
extern volatile uint64_t strays;
void enable_branches(void);
/* The counter overflows with the `period`th event from now on. */
void arm(unsigned counter, uint64_t period);
/* An event of stores, open, enabled and armed; its descriptor */
int count_stores(unsigned counter, uint64_t period);
/* ... a second one in the group of `leader`, enabled */
int join_stores(int leader, unsigned counter);

/* n stores, and no others */
void stores(uint64_t n);
/* ... with a system call (sched_yield) behind each of them */
void yielding_stores(uint64_t n);

/* Does this access trap? By a signal handler. */
bool window_is_shut(void);
bool registers_trap(void);

/* CPU-wide events here are CPU 0's. */
void run_on_cpu(unsigned cpu);
/* Of a new task: its registers and window are as they should be, and its branches work. */
void own_branches(void *unused);
pid_t start(void (*child)(void *), void *argument);
/* Its exit status, or less the signal that killed it */
int finish(pid_t pid);

struct test {
    const char *name;
    void (*run)(void);
};
extern const struct test rule_tests[], delivery_tests[], task_tests[], sample_tests[], aux_tests[],
    together_tests[], fuzz_tests[], system_tests[], counter_tests[], period_tests[];

#endif
