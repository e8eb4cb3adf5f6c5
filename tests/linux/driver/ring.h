/* SPDX-License-Identifier: Apache-2.0 */
/* Samples of an event, and a loop of which every instruction is known. */
#ifndef TESTS_LINUX_DRIVER_RING_H
#define TESTS_LINUX_DRIVER_RING_H

#include "test.h"

#include <stddef.h>

enum { PAGE = 4096 };

#define TYPES                                                                                                \
    (PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_ADDR | PERF_SAMPLE_PERIOD |           \
     PERF_SAMPLE_WEIGHT | PERF_SAMPLE_DATA_SRC | PERF_SAMPLE_PHYS_ADDR)

/* As perf writes it for TYPES */
struct sample {
    struct perf_event_header header;
    uint64_t ip;
    uint32_t pid, tid;
    uint64_t time, addr, period, weight, source, physical;
};

struct ring {
    int fd;
    struct perf_event_mmap_page *page;
    uint64_t tail;
};

/* An event of tally_pdis: every instruction of user mode, with TYPES; disabled */
struct perf_event_attr sampling(uint64_t period);
/* The event's sample_type is TYPES. */
struct ring ring_open(struct perf_event_attr attr, pid_t pid, int cpu);
/* With the event of kernel and user mode, this task still gets its work done, and samples. */
void kernel_lives_on(struct perf_event_attr attr);
/* An AUX area, so far behind the ring; MAP_FAILED and errno */
void *map_aux(const struct ring *ring, size_t offset, size_t size, int protection);
/* The next record, until the one after it is asked for, or NULL */
const struct perf_event_header *next_record(struct ring *ring);
/* The next sample, or NULL; other records are passed over. */
const struct sample *next_sample(struct ring *ring);
/* The read_format is PERF_FORMAT_LOST. */
uint64_t read_count(const struct ring *ring);
uint64_t lost_samples(const struct ring *ring);

/* Of rounds: a load of data[0], a store to data[1], a branch, taken but for the last; two additions */
enum { KNOWN_INSTRUCTIONS = 5 };
void known(uint64_t rounds, uint64_t *data);
extern const char known_load[], known_store[], known_branch[];
extern uint64_t known_data[2];
/* ... while the event counts */
void run_known(struct ring *ring, uint64_t rounds);

bool is(const struct sample *sample, const char *at);

#endif
