/* SPDX-License-Identifier: Apache-2.0 */
/* perf_event_open and its helpers. Errors are printed and end the run. */
#ifndef EVENT_H
#define EVENT_H

#include <linux/perf_event.h>

#include "known.h"

/* An event to open */
struct event {
    const char *name;
    __u32 type;
    __u64 config;
};

#define CACHE_EVENT(cache, op, result)                                                                       \
    PERF_TYPE_HW_CACHE, (PERF_COUNT_HW_CACHE_##cache | PERF_COUNT_HW_CACHE_OP_##op << 8 |                    \
                         PERF_COUNT_HW_CACHE_RESULT_##result << 16)
#define FIRMWARE_EVENT(code) PERF_TYPE_RAW, (2ull << 62 | (code))

enum scope { USER = 1, KERNEL = 2, BOTH = 3 };

/* A counter of this task, disabled; negative errno if the kernel refuses. group: -1, or the leader. */
int event_try(const struct event *event, enum scope scope, int group);
int event_open(const struct event *event, enum scope scope, int group);

struct reading {
    __u64 value, enabled, running;
};

struct reading event_read(int fd);
void event_enable(int fd); /* from zero; a leader takes its group along */
void event_disable(int fd);

/* The count of code(n, memory) alone, in user mode: twice measured, with n and 2 n; the difference excludes
 * the cost of enabling and disabling. */
__u64 event_count(const struct event *event, known_code *code, long n, void *memory);

#endif
