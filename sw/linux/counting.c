/* SPDX-License-Identifier: Apache-2.0 */
/* Counts of known code: exact where they are known, within bounds where the machine decides. */
#include "nolibc.h"

#include "event.h"
#include "tests.h"

#include <asm/unistd.h>
#include <linux/prctl.h>

#include "tally_spec.h"
#include "verdict.h"

struct expectation {
    struct event event;
    known_code *code;
    const char *code_name;
    __s64 least, most; /* a thousand turns: the difference of two runs, so noise may take it below 0 */
};

#define EXACTLY(n) (n), (n)
#define ABOUT_NONE -50, 50
#define CODE(name) name, #name

static const struct expectation expectations[] = {
    {{"instructions", PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS}, CODE(known_branches), EXACTLY(2000)},
    {{"instructions", PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS}, CODE(known_loads), EXACTLY(4000)},
    {{"branches", PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_INSTRUCTIONS},
     CODE(known_branches),
     EXACTLY(1000)},
    {{"branch-misses", PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_MISSES}, CODE(known_branches), ABOUT_NONE},
    {{"cycles", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES}, CODE(known_branches), 1500, 4000},
    {{"cache-references", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CACHE_REFERENCES},
     CODE(known_loads),
     EXACTLY(2000)},
    {{"cache-misses", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CACHE_MISSES}, CODE(known_loads), ABOUT_NONE},
    {{"cache-misses", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CACHE_MISSES}, CODE(known_misses), 800, 1100},
    {{"L1-dcache-loads", CACHE_EVENT(L1D, READ, ACCESS)}, CODE(known_loads), EXACTLY(2000)},
    {{"L1-dcache-load-misses", CACHE_EVENT(L1D, READ, MISS)}, CODE(known_misses), 800, 1100},
    {{"L1-dcache-stores", CACHE_EVENT(L1D, WRITE, ACCESS)}, CODE(known_stores), EXACTLY(1000)},
    {{"dTLB-loads", CACHE_EVENT(DTLB, READ, ACCESS)}, CODE(known_loads), EXACTLY(2000)},
    {{"dTLB-load-misses", CACHE_EVENT(DTLB, READ, MISS)}, CODE(known_loads), ABOUT_NONE},
    {{"dTLB-load-misses", CACHE_EVENT(DTLB, READ, MISS)}, CODE(known_pages), 900, 1100},
    {{"dTLB-stores", CACHE_EVENT(DTLB, WRITE, ACCESS)}, CODE(known_stores), EXACTLY(1000)},
    {{"raw: loads retired", PERF_TYPE_RAW, TALLY_EV_INST_LOAD_RET}, CODE(known_loads), EXACTLY(2000)},
    {{"raw: stores retired", PERF_TYPE_RAW, TALLY_EV_INST_STORE_RET}, CODE(known_stores), EXACTLY(1000)},
    {{"raw: taken branches", PERF_TYPE_RAW, TALLY_EV_INST_BRJMP_BRANCH_TK_RET},
     CODE(known_stores),
     EXACTLY(1000)},
};

void test_counting(void *memory) {
    for (unsigned i = 0; i < sizeof expectations / sizeof *expectations; i++) {
        const struct expectation *e = &expectations[i];
        __s64 value = (__s64)event_count(&e->event, e->code, 1000, memory);

        if (value < e->least || value > e->most)
            wrong("%s of %s: %d, expected %d to %d", e->event.name, e->code_name, (int)value, (int)e->least,
                  (int)e->most);
        printf("%s of 1000 turns of %s: %d\n", e->event.name, e->code_name, (int)value);
    }
}

/* Misaligned accesses are the firmware's to emulate, and to count. */
void test_firmware_events(void *memory) {
    static const struct event load = {"misaligned loads", FIRMWARE_EVENT(0)};
    static const struct event store = {"misaligned stores", FIRMWARE_EVENT(1)};
    __u64 loads = event_count(&load, known_misaligned, 7, memory);
    __u64 stores = event_count(&store, known_misaligned, 7, memory);

    if (loads != 7 || stores != 14)
        wrong("firmware events: %u misaligned loads and %u stores, expected 7 and 14", (unsigned)loads,
              (unsigned)stores);
    printf("firmware events: 7 misaligned loads, 14 misaligned stores\n");
}

static void call_kernel(long n, void *memory) {
    (void)memory;
    for (long i = 0; i < n; i++)
        my_syscall0(__NR_getpid);
}

/* The same code counted in user mode, in the kernel, and in both */
void test_scopes(void *memory) {
    static const struct event instructions = {"instructions", PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS};
    __u64 count[BOTH + 1];

    for (int scope = USER; scope <= BOTH; scope++) {
        int fd = event_open(&instructions, (enum scope)scope, -1);

        call_kernel(1, memory);
        event_enable(fd);
        call_kernel(100, memory);
        event_disable(fd);
        count[scope] = event_read(fd).value;
        close(fd);
    }
    printf("100 system calls: %u instructions in user mode, %u in the kernel, %u in both\n",
           (unsigned)count[USER], (unsigned)count[KERNEL], (unsigned)count[BOTH]);
    if (count[USER] < 200 || count[USER] > 2000)
        wrong("user mode's part of 100 system calls");
    if (count[KERNEL] < 20 * count[USER] / 10 || count[BOTH] <= count[KERNEL])
        wrong("the kernel's part of 100 system calls");
}

/* Three counters of a group run at the same time, so their counts fit together. */
void test_group(void *memory) {
    static const struct event events[3] = {
        {"instructions", PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS},
        {"branches", PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_INSTRUCTIONS},
        {"loads", PERF_TYPE_RAW, TALLY_EV_INST_LOAD_RET},
    };
    __u64 count[2][3];
    int fd[3] = {-1, -1, -1};

    for (int i = 0; i < 3; i++)
        fd[i] = event_open(&events[i], USER, i ? fd[0] : -1);
    for (int turn = 0; turn < 2; turn++) {
        event_enable(fd[0]);
        known_loads(1000 * (turn + 1), memory);
        event_disable(fd[0]);
        for (int i = 0; i < 3; i++) {
            struct reading reading = event_read(fd[i]);

            if (reading.enabled != reading.running)
                wrong("group: a member did not run all the time");
            count[turn][i] = reading.value;
        }
    }
    for (int i = 0; i < 3; i++)
        close(fd[i]);
    if (count[1][0] - count[0][0] != 4000 || count[1][1] - count[0][1] != 1000 ||
        count[1][2] - count[0][2] != 2000)
        wrong("group: %u instructions, %u branches, %u loads", (unsigned)(count[1][0] - count[0][0]),
              (unsigned)(count[1][1] - count[0][1]), (unsigned)(count[1][2] - count[0][2]));
    printf("group: 4000 instructions, 1000 branches, 2000 loads\n");
}

/* More events than counters: the kernel lets them take turns, and scales those that ran part of the time. */
void test_multiplexing(void *memory) {
    enum { EVENTS = 34, TURNS = 400 };
    static const struct event loads = {"loads", PERF_TYPE_RAW, TALLY_EV_INST_LOAD_RET};
    __u64 truth = 0, scaled_min = ~0ull, scaled_max = 0;
    unsigned partly = 0;
    int fd[EVENTS];

    for (int i = 0; i < EVENTS; i++)
        fd[i] = event_open(&loads, USER, -1);
    my_syscall5(__NR_prctl, PR_TASK_PERF_EVENTS_ENABLE, 0, 0, 0, 0);
    for (int i = 0; i < TURNS; i++) {
        known_loads(5000, memory);
        truth += 10000;
    }
    my_syscall5(__NR_prctl, PR_TASK_PERF_EVENTS_DISABLE, 0, 0, 0, 0);
    for (int i = 0; i < EVENTS; i++) {
        struct reading reading = event_read(fd[i]);
        __u64 scaled = reading.running ? reading.value * reading.enabled / reading.running : 0;

        partly += reading.running < reading.enabled;
        scaled_min = scaled < scaled_min ? scaled : scaled_min;
        scaled_max = scaled > scaled_max ? scaled : scaled_max;
        close(fd[i]);
    }
    printf("multiplexing: %d events, %u of them in turns; %u loads, scaled counts %u to %u\n", EVENTS, partly,
           (unsigned)truth, (unsigned)scaled_min, (unsigned)scaled_max);
    if (!partly)
        wrong("multiplexing: every event had a counter of its own");
    if (scaled_min < truth * 7 / 10 || scaled_max > truth * 13 / 10)
        wrong("multiplexing: scaled counts are off by more than 30 percent");
}
