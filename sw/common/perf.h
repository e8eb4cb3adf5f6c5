/* SPDX-License-Identifier: Apache-2.0 */
/* Counting a piece of a program, and a table of it in the manner of `perf stat`. */
#ifndef SW_PERF_H
#define SW_PERF_H

#include <stdint.h>

/* Select the events, zero the counters, leave them stopped. */
void perf_setup(void);

/* Calls work() with the counters running, and returns its result. */
uint64_t perf_count(uint64_t (*work)(void));

void perf_report(const char *name);

#endif
