/* SPDX-License-Identifier: Apache-2.0 */
/* Counting a piece of a program by calls of the SBI, and a table of it in the manner of `perf stat`. */
#ifndef SW_PERF_H
#define SW_PERF_H

#include <stdbool.h>
#include <stdint.h>

enum perf_event {
    PERF_CYCLES,
    PERF_INSTRUCTIONS,
    PERF_BRANCHES,
    PERF_BRANCH_MISSES,
    PERF_L1D_LOADS,
    PERF_L1D_LOAD_MISSES,
    PERF_L1D_STORES,
    PERF_L1D_STORE_MISSES,
    PERF_L1I_LOADS,
    PERF_L1I_LOAD_MISSES,
    PERF_DTLB_LOADS,
    PERF_DTLB_LOAD_MISSES,
    PERF_DTLB_STORES,
    PERF_DTLB_STORE_MISSES,
    PERF_ITLB_LOADS,
    PERF_ITLB_LOAD_MISSES,
    PERF_STALLED_FRONTEND,
    PERF_STALLED_BACKEND,
    PERF_SET_TIMER, /* calls of the SBI */
    PERF_EVENTS
};

enum { PERF_MORE = 10 };

typedef uint64_t perf_work(void);
/* Runs work where it shall run, and returns its result: perf_here, or user_call (supervisor.h). */
typedef uint64_t perf_runner(perf_work *work);
perf_runner perf_here;

/* Before perf_setup(): also count the event of this selector of mhpmevent. False: PERF_MORE are more already.
 */
bool perf_more(const char *name, uint64_t selector);
/* The first of them that found no counter; NULL: each has one. */
const char *perf_without_counter(void);

/* Give every event a counter, and measure the counts of counting itself. */
void perf_setup(perf_runner *run);

/* Count run(work) and return its result. U-mode and S-mode are counted, the firmware is not. The counts
 * of an empty `work` are subtracted: instructions are exactly those of work() without its return. */
uint64_t perf_count(perf_work *work);

/* The count of an event that has a counter. */
uint64_t perf_value(enum perf_event event);

void perf_report(const char *name);

#endif
