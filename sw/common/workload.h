/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A workload: setup() makes its input in S-mode, work() is counted, and its result must be the
 * EXPECTED_* value that workloads/expected.c computed on the host in another way.
 */
#ifndef SW_WORKLOAD_H
#define SW_WORKLOAD_H

#include <stdint.h>

#include "console.h"
#include "expected.h"
#include "perf.h"
#include "supervisor.h"

/* With WORKLOAD_SAMPLED the work is sampled instead (sampled.h). */
#ifdef WORKLOAD_SAMPLED
#include "sampled.h"
#define WORKLOAD_HERE sampled_here
#define WORKLOAD_BEGIN(mode) ((void)0)
#define WORKLOAD_RUN(mode, name, work) sampled_run(mode, work, name)
#define WORKLOAD_END(name) ((void)0)
#else
#define WORKLOAD_HERE perf_here
#define WORKLOAD_BEGIN(mode) perf_setup(mode)
#define WORKLOAD_RUN(mode, name, work) perf_count(work)
#define WORKLOAD_END(name) perf_report(name)
#endif

/* With WORKLOAD_PART it is part of another program, which has the main function. */
struct workload {
    const char *name;
    void (*setup)(void);
    uint64_t (*work)(void);
    uint64_t expected;
};
extern const struct workload the_workload;

/* The main function of a workload; `setup` has no arguments, `work` returns the 64-bit result. It runs in
 * U-mode. */
#define WORKLOAD(name, setup, work, expected) WORKLOAD_IN(user_call, name, setup, work, expected)
/* The same, with a work that runs in S-mode */
#define SUPERVISOR_WORKLOAD(name, setup, work, expected)                                                     \
    WORKLOAD_IN(WORKLOAD_HERE, name, setup, work, expected)

#ifdef WORKLOAD_PART
#define WORKLOAD_IN(mode, name, setup, work, expected)                                                       \
    const struct workload the_workload = {name, setup, work, expected};
#else
#define WORKLOAD_IN(mode, name, setup, work, expected)                                                       \
    int main(void) {                                                                                         \
        uint64_t result;                                                                                     \
                                                                                                             \
        WORKLOAD_BEGIN(mode);                                                                                \
        setup();                                                                                             \
        result = WORKLOAD_RUN(mode, name, work);                                                             \
        WORKLOAD_END(name);                                                                                  \
        return workload_verdict(name, result, expected);                                                     \
    }
#endif

static inline int workload_verdict(const char *name, uint64_t result, uint64_t expected) {
    if (result == expected) {
        con_printf("%s: result %lx, as computed at build time\n", name, result);
        return 0;
    }
    con_printf("%s: WRONG result %lx, expected %lx\n", name, result, expected);
    return 1;
}

#endif
