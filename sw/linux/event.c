/* SPDX-License-Identifier: Apache-2.0 */
#include "nolibc.h"

#include "event.h"
#include "verdict.h"

#include <asm/unistd.h>

int event_try(const struct event *event, enum scope scope, int group) {
    struct perf_event_attr attr;

    memset(&attr, 0, sizeof attr);
    attr.size = sizeof attr;
    attr.type = event->type;
    attr.config = event->config;
    attr.disabled = group < 0;
    attr.exclude_kernel = !(scope & KERNEL);
    attr.exclude_user = !(scope & USER);
    attr.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
    return (int)my_syscall5(__NR_perf_event_open, &attr, 0, -1, group, 0);
}

int event_open(const struct event *event, enum scope scope, int group) {
    int fd = event_try(event, scope, group);

    if (fd < 0)
        fail("%s: perf_event_open: error %d", event->name, -fd);
    return fd;
}

struct reading event_read(int fd) {
    struct reading reading;

    if (read(fd, &reading, sizeof reading) != sizeof reading)
        fail("read of a counter failed");
    return reading;
}

void event_enable(int fd) {
    if (ioctl(fd, PERF_EVENT_IOC_RESET, (void *)PERF_IOC_FLAG_GROUP) < 0 ||
        ioctl(fd, PERF_EVENT_IOC_ENABLE, (void *)PERF_IOC_FLAG_GROUP) < 0)
        fail("a counter cannot be enabled");
}

void event_disable(int fd) {
    if (ioctl(fd, PERF_EVENT_IOC_DISABLE, (void *)PERF_IOC_FLAG_GROUP) < 0)
        fail("a counter cannot be disabled");
}

static __u64 count_once(int fd, known_code *code, long n, void *memory) {
    event_enable(fd);
    code(n, memory);
    event_disable(fd);
    return event_read(fd).value;
}

__u64 event_count(const struct event *event, known_code *code, long n, void *memory) {
    int fd = event_open(event, USER, -1);
    __u64 once, twice;

    count_once(fd, code, n, memory); /* pages, caches and predictors are warm now */
    once = count_once(fd, code, n, memory);
    twice = count_once(fd, code, 2 * n, memory);
    close(fd);
    return twice - once;
}
