/* SPDX-License-Identifier: Apache-2.0 */
/* Samples of a loop with known hot spots, through the kernel's ring buffer. */
#include "nolibc.h"

#include "event.h"
#include "tests.h"
#include "verdict.h"

#include <asm/unistd.h>

enum { PAGE = 4096, RING_PAGES = 8, PERIOD = 10000, SAMPLES = 200 };

/* turns of hot_spots() that make SAMPLES periods of instructions: 606 a turn */
enum { TURNS = (int)((long)PERIOD * SAMPLES / 606) };

struct tally {
    unsigned samples, in_a, in_b, elsewhere, lost;
};

static void take(struct tally *tally, const char *ip) {
    tally->samples++;
    if (ip >= hot_a && ip < hot_a_end)
        tally->in_a++;
    else if (ip >= hot_b && ip < hot_b_end)
        tally->in_b++;
    else
        tally->elsewhere++;
}

/* Records do not cross the ring's end in a way that matters here: each word is fetched by itself. */
static void drain(struct perf_event_mmap_page *page, struct tally *tally) {
    const char *data = (const char *)page + PAGE;
    const __u64 size = (__u64)RING_PAGES * PAGE;
    __u64 head = page->data_head, tail = page->data_tail;

    __asm__ volatile("fence r, rw" ::: "memory");
    while (tail < head) {
        struct perf_event_header header;
        const char *ip;

        memcpy(&header, data + tail % size, sizeof header);
        memcpy(&ip, data + (tail + sizeof header) % size, sizeof ip);
        if (header.type == PERF_RECORD_SAMPLE)
            take(tally, ip);
        else if (header.type == PERF_RECORD_LOST)
            tally->lost++;
        tail += header.size;
    }
    page->data_tail = tail;
}

static int open_sampling(void) {
    struct perf_event_attr attr;
    int fd;

    memset(&attr, 0, sizeof attr);
    attr.size = sizeof attr;
    attr.type = PERF_TYPE_HARDWARE;
    attr.config = PERF_COUNT_HW_INSTRUCTIONS;
    attr.sample_period = PERIOD;
    attr.sample_type = PERF_SAMPLE_IP;
    attr.disabled = 1;
    attr.exclude_kernel = 1;
    fd = (int)my_syscall5(__NR_perf_event_open, &attr, 0, -1, -1, 0);
    if (fd < 0)
        fail("sampling: perf_event_open: error %d", -fd);
    return fd;
}

void test_sampling(void *memory) {
    struct tally tally = {0, 0, 0, 0, 0};
    int fd = open_sampling();
    void *ring = mmap(NULL, (RING_PAGES + 1) * PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    unsigned least = SAMPLES * 98 / 100, most = SAMPLES * 102 / 100;

    if (ring == MAP_FAILED)
        fail("sampling: no ring buffer");
    hot_spots(10, memory);
    event_enable(fd);
    hot_spots(TURNS, memory);
    event_disable(fd);
    drain(ring, &tally);
    printf("sampling: %u samples in %u periods; %u in hot_a, %u in hot_b, %u elsewhere, %u lost\n",
           tally.samples, SAMPLES, tally.in_a, tally.in_b, tally.elsewhere, tally.lost);
    if (tally.samples < least || tally.samples > most || tally.lost)
        wrong("sampling: samples are missing");
    /* three quarters and a quarter; 606 instructions a turn and the period have no common beat */
    if (tally.in_a < SAMPLES * 65 / 100 || tally.in_b < SAMPLES * 15 / 100 ||
        tally.elsewhere > SAMPLES * 5 / 100)
        wrong("sampling: samples are in the wrong place");
    munmap(ring, (RING_PAGES + 1) * PAGE);
    close(fd);
}
