/* SPDX-License-Identifier: Apache-2.0 */
#include "ring.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { DATA = 128 * PAGE };

struct ring ring_open(struct perf_event_attr attr, pid_t pid, int cpu) {
    struct ring ring = {.fd = must_open(&attr, pid, cpu, -1)};

    ring.page = mmap(NULL, PAGE + DATA, PROT_READ | PROT_WRITE, MAP_SHARED, ring.fd, 0);
    EXPECT(ring.page != MAP_FAILED);
    return ring;
}

void *map_aux(const struct ring *ring, size_t offset, size_t size, int protection) {
    ring->page->aux_offset = PAGE + DATA + offset;
    ring->page->aux_size = size;
    return mmap(NULL, size, protection, MAP_SHARED, ring->fd, (off_t)(PAGE + DATA + offset));
}

const struct perf_event_header *next_record(struct ring *ring) {
    static union {
        struct perf_event_header header;
        uint8_t bytes[512];
    } copy;
    const uint8_t *data = (const uint8_t *)ring->page + PAGE;
    struct perf_event_header header;

    if (ring->tail >= __atomic_load_n(&ring->page->data_head, __ATOMIC_ACQUIRE))
        return NULL;
    memcpy(&header, data + ring->tail % DATA, sizeof header); /* records are multiples of 8 */
    EXPECT(header.size <= sizeof copy);
    for (unsigned i = 0; i < header.size; i++)
        copy.bytes[i] = data[(ring->tail + i) % DATA];
    ring->tail += header.size;
    EXPECT(header.type != PERF_RECORD_LOST);
    return &copy.header;
}

const struct sample *next_sample(struct ring *ring) {
    const struct perf_event_header *header;

    while ((header = next_record(ring))) {
        if (header->type == PERF_RECORD_SAMPLE)
            return (const struct sample *)header;
    }
    return NULL;
}

uint64_t read_count(const struct ring *ring) {
    uint64_t values[2];

    EXPECT_IS(read(ring->fd, values, sizeof values), sizeof values);
    return values[0];
}

uint64_t lost_samples(const struct ring *ring) {
    uint64_t values[2];

    EXPECT_IS(read(ring->fd, values, sizeof values), sizeof values);
    return values[1];
}

uint64_t known_data[2] __attribute__((aligned(64)));

__asm__(".text\n.balign 4\n.globl known, known_load, known_store, known_branch\n.option push\n.option norvc\n"
        "known:\n"
        "known_load: 1: ld t0, 0(a1)\n"
        "addi t0, t0, 1\n"
        "known_store: sd t0, 8(a1)\n"
        "addi a0, a0, -1\n"
        "known_branch: bnez a0, 1b\n"
        "ret\n.option pop\n");

void run_known(struct ring *ring, uint64_t rounds) {
    must_enable(ring->fd);
    known(rounds, known_data);
    must_disable(ring->fd);
}

bool is(const struct sample *sample, const char *at) { return sample->ip == (uintptr_t)at; }

void kernel_lives_on(struct perf_event_attr attr) {
    struct ring ring;
    unsigned count = 0;

    attr.exclude_kernel = 0;
    ring = ring_open(attr, 0, -1);
    must_enable(ring.fd);
    for (unsigned i = 0; i < 50; i++) {
        yielding_stores(10);
        while (next_sample(&ring))
            count++;
    }
    must_disable(ring.fd);
    EXPECT(count > 100);
}
