/* SPDX-License-Identifier: Apache-2.0 */
/* Records of sampled instructions as they are (tally_pdis/aux/), in the AUX area of an event. */
#include "ring.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { AUX = 1 << 4, AREA = 8 * PAGE, PERIOD = 97, ROUNDS = 20000 };

/* As the unit writes it */
struct record {
    uint64_t header, pc, time, latency, address, physical, zero[2];
};
enum { RECORD = sizeof(struct record), ROOM = AREA / RECORD - 1 /* a ring is never quite full */ };

/* As perf writes it, with the trailer of TYPES */
struct aux_record {
    struct perf_event_header header;
    uint64_t offset, size, flags;
    uint32_t pid, tid;
    uint64_t time;
};

struct area {
    struct ring ring;
    const struct record *records;
    size_t size;
    uint64_t flags;   /* of all its AUX records so far */
    uint64_t updates; /* how many there were */
};

static struct perf_event_attr raw(uint64_t period) {
    struct perf_event_attr attr = sampling(period);

    attr.config = AUX;
    attr.sample_id_all = 1;
    return attr;
}

static struct area area_open(struct perf_event_attr attr, int cpu, size_t size, int protection) {
    struct area area = {.ring = ring_open(attr, cpu < 0 ? 0 : -1, cpu), .size = size};

    area.records = map_aux(&area.ring, 0, size, protection);
    EXPECT(area.records != MAP_FAILED);
    return area;
}

static struct area task_area(uint64_t period) {
    return area_open(raw(period), -1, AREA, PROT_READ | PROT_WRITE);
}

static uint64_t head(const struct area *area) {
    return __atomic_load_n(&area->ring.page->aux_head, __ATOMIC_ACQUIRE);
}

static const struct record *record_at(const struct area *area, uint64_t offset) {
    return &area->records[offset % area->size / RECORD];
}

/* The next AUX record; no sample comes beside them. */
static const struct aux_record *next_aux(struct area *area) {
    const struct perf_event_header *header;

    while ((header = next_record(&area->ring))) {
        EXPECT(header->type != PERF_RECORD_SAMPLE);
        if (header->type == PERF_RECORD_AUX) {
            const struct aux_record *aux = (const struct aux_record *)header;

            EXPECT_IS(header->size, sizeof *aux);
            area->flags |= aux->flags;
            area->updates++;
            return aux;
        }
    }
    return NULL;
}

/* They follow each other without a gap, up to the head. */
static void check_updates(struct area *area, uint64_t from) {
    const struct aux_record *aux;

    while ((aux = next_aux(area))) {
        EXPECT_IS(aux->offset, from);
        EXPECT_IS(aux->pid, getpid());
        EXPECT_IS(aux->size % RECORD, 0);
        from += aux->size;
    }
    EXPECT_IS(from, head(area));
}

/* Samples of the same program in the ordinary mode; returns their number */
static uint64_t ordinary(struct sample **samples) {
    enum { MOST = 4096 };
    struct ring ring = ring_open(sampling(PERIOD), 0, -1);
    const struct sample *sample;
    uint64_t n = 0;

    *samples = malloc(MOST * sizeof **samples);
    EXPECT(*samples);
    run_known(&ring, ROUNDS);
    while ((sample = next_sample(&ring))) {
        EXPECT(n < MOST);
        (*samples)[n++] = *sample;
    }
    EXPECT_IS(lost_samples(&ring), 0);
    close(ring.fd);
    return n;
}

static void check_record(const struct record *record, const struct sample *sample) {
    static const uint64_t types[] = {PERF_MEM_OP_NA, PERF_MEM_OP_LOAD, PERF_MEM_OP_STORE,
                                     PERF_MEM_OP_LOAD | PERF_MEM_OP_STORE, PERF_MEM_OP_NA};
    const union perf_mem_data_src source = {.val = sample->source};
    const uint64_t type = (record->header & TALLY_PDISHDREV_TYPE_MASK) >> TALLY_PDISHDREV_TYPE_LSB;

    EXPECT_IS(record->pc, sample->ip);
    EXPECT_IS(record->address, sample->addr);
    EXPECT_IS(record->physical, sample->physical);
    EXPECT(type < sizeof types / sizeof *types);
    EXPECT_IS(source.mem_op, types[type]);
    EXPECT(!record->zero[0] && !record->zero[1]);
}

static void raw_records_are_what_samples_say(void) {
    struct area area = area_open(raw(PERIOD), -1, 32 * PAGE, PROT_READ | PROT_WRITE);
    struct sample *samples;
    uint64_t time = 0, n;

    known(1, known_data); /* its pages are mapped */
    n = ordinary(&samples);
    EXPECT(n > 1000);
    run_known(&area.ring, ROUNDS);
    EXPECT_IS(head(&area), n * RECORD);
    for (uint64_t i = 0; i < n; i++) {
        const struct record *record = record_at(&area, i * RECORD);

        check_record(record, &samples[i]);
        EXPECT(record->time >= time);
        time = record->time;
    }
    check_updates(&area, 0);
    EXPECT(area.updates >= n / 128);
    EXPECT_IS(area.flags, 0);
    EXPECT_IS(read_count(&area.ring), n * PERIOD);
    EXPECT_IS(lost_samples(&area.ring), 0);
}

/* Without a reader the event stops where the area ends, and missing records are counted. */
static void what_has_no_room_is_counted(void) {
    struct area area = task_area(PERIOD);
    uint64_t lost;

    run_known(&area.ring, ROUNDS);
    lost = lost_samples(&area.ring);
    EXPECT_IS(head(&area), ROOM * RECORD);
    EXPECT_IS(read_count(&area.ring), (ROOM + lost) * PERIOD);
    EXPECT(lost > 0 && lost <= 256);
    check_updates(&area, 0);
    EXPECT_IS(area.flags, PERF_AUX_FLAG_TRUNCATED);
}

static void who_has_read_goes_on(void) {
    struct area area = task_area(PERIOD);
    uint64_t before, lost;

    must_enable(area.ring.fd);
    known(ROUNDS, known_data);
    before = head(&area);
    lost = lost_samples(&area.ring);
    known(ROUNDS, known_data); /* it is disabled */
    EXPECT_IS(head(&area), before);
    EXPECT_IS(lost_samples(&area.ring), lost);
    check_updates(&area, 0);
    __atomic_store_n(&area.ring.page->aux_tail, before, __ATOMIC_RELEASE);
    run_known(&area.ring, 2000);
    EXPECT(head(&area) - before >= 5 * 2000 / PERIOD * RECORD);
    EXPECT_IS(lost_samples(&area.ring), lost);
    for (uint64_t at = before; at < head(&area); at += RECORD) {
        const uint64_t pc = record_at(&area, at)->pc;

        EXPECT(pc && !(pc & 1));
    }
    check_updates(&area, before);
}

/* An invalid tail leaves no room, and does no harm. */
static void a_wild_tail_has_no_room(void) {
    static const uint64_t tails[] = {RECORD, 1 << 20, 1ull << 63};

    for (unsigned i = 0; i < sizeof tails / sizeof *tails; i++) {
        struct area area = task_area(PERIOD);

        area.ring.page->aux_tail = tails[i];
        run_known(&area.ring, 2000);
        EXPECT_IS(head(&area), 0);
        EXPECT(lost_samples(&area.ring) > 0);
        EXPECT_IS(read_count(&area.ring), lost_samples(&area.ring) * PERIOD);
        munmap((void *)(uintptr_t)area.records, area.size);
        close(area.ring.fd);
    }
}

static bool woken(const struct area *area) {
    struct pollfd fd = {.fd = area->ring.fd, .events = POLLIN};

    EXPECT(poll(&fd, 1, 0) >= 0);
    return fd.revents & POLLIN;
}

static void the_watermark_wakes(void) {
    enum { WATERMARK = 4 * PAGE, THIRD = WATERMARK / RECORD / 3 * PERIOD / 5 };
    struct perf_event_attr attr = raw(PERIOD);
    struct area area;

    attr.aux_watermark = WATERMARK;
    area = area_open(attr, -1, 32 * PAGE, PROT_READ | PROT_WRITE);
    for (unsigned i = 0; i < 12; i++) {
        const uint64_t before = head(&area) / WATERMARK;

        run_known(&area.ring, THIRD);
        EXPECT_IS(woken(&area), head(&area) / WATERMARK > before);
        EXPECT(!woken(&area));
    }
    EXPECT(head(&area) > 3 * WATERMARK);
}

/* Mapped read-only: the newest records, and none is truncated. */
static void a_snapshot_has_the_newest(void) {
    struct area area = area_open(raw(PERIOD), -1, AREA, PROT_READ);
    struct sample *samples;
    uint64_t n;

    known(1, known_data);
    n = ordinary(&samples);
    EXPECT(n > AREA / RECORD);
    run_known(&area.ring, ROUNDS);
    EXPECT_IS(head(&area), n * RECORD);
    for (uint64_t i = n - AREA / RECORD; i < n; i++)
        check_record(record_at(&area, i * RECORD), &samples[i]);
    while (next_aux(&area))
        ;
    EXPECT_IS(area.flags, PERF_AUX_FLAG_OVERWRITE);
    EXPECT_IS(lost_samples(&area.ring), 0);
}

static void busy(void *unused) {
    (void)unused;
    for (unsigned i = 0; i < 20; i++) {
        known(5000, known_data);
        yielding_stores(2);
    }
}

static void raw_records_of_a_cpu_name_their_task(void) {
    struct area area = area_open(raw(500), 0, 64 * PAGE, PROT_READ | PROT_WRITE);
    const struct aux_record *aux;
    unsigned of[2] = {0, 0};
    pid_t pids[2];

    must_enable(area.ring.fd);
    for (unsigned i = 0; i < 2; i++)
        pids[i] = start(busy, NULL);
    for (unsigned i = 0; i < 2; i++)
        EXPECT_IS(finish(pids[i]), 0);
    must_disable(area.ring.fd);
    while ((aux = next_aux(&area))) {
        for (uint64_t at = aux->offset; at < aux->offset + aux->size; at += RECORD) {
            const uint64_t pc = record_at(&area, at)->pc;
            const bool inside = pc >= (uintptr_t)known_load && pc <= (uintptr_t)known_branch;

            for (unsigned i = 0; i < 2; i++)
                of[i] += inside && aux->pid == (uint32_t)pids[i];
        }
    }
    EXPECT_IS(area.flags & PERF_AUX_FLAG_TRUNCATED, 0);
    EXPECT_IS(lost_samples(&area.ring), 0);
    /* Each has run 20 x 25000 of them. */
    for (unsigned i = 0; i < 2; i++)
        EXPECT(of[i] > 990 && of[i] < 1020);
}

static void other_areas_are_refused(void) {
    static const struct {
        size_t offset, size;
        int error;
    } bad[] = {{0, 3 * PAGE, EINVAL},
               {0, 12 * PAGE, EINVAL},
               {0, 1 * PAGE, ENOMEM}, /* less than caps/aux_min */
               {0, 4 * PAGE, ENOMEM},
               {0 - (size_t)PAGE, AREA, EINVAL}}; /* inside of the ring */
    struct ring ring = ring_open(raw(PERIOD), 0, -1), other = ring_open(sampling(PERIOD), 0, -1);

    EXPECT_IS(device_number("tally_pdis/caps/aux_min", "%lu"), AREA);
    for (unsigned i = 0; i < sizeof bad / sizeof *bad; i++) {
        EXPECT(map_aux(&ring, bad[i].offset, bad[i].size, PROT_READ | PROT_WRITE) == MAP_FAILED);
        EXPECT_IS(errno, bad[i].error);
    }
    EXPECT(map_aux(&ring, 0, AREA, PROT_READ | PROT_WRITE) != MAP_FAILED);
    EXPECT(map_aux(&ring, 0, 2 * AREA, PROT_READ | PROT_WRITE) == MAP_FAILED && errno == EINVAL);
    /* ... of an event whose records become samples */
    EXPECT(map_aux(&other, 0, AREA, PROT_READ | PROT_WRITE) == MAP_FAILED && errno == ENOMEM);
}

/* As if it had no room */
static void without_an_area_all_is_lost(void) {
    struct ring ring = ring_open(raw(PERIOD), 0, -1);
    uint64_t lost;

    run_known(&ring, ROUNDS);
    lost = lost_samples(&ring);
    EXPECT(lost > 0 && lost <= 256);
    EXPECT_IS(read_count(&ring), lost * PERIOD);
}

/* ... also if it goes while the event counts */
static void an_area_may_go(void) {
    struct area area = task_area(PERIOD);

    must_enable(area.ring.fd);
    known(1000, known_data);
    EXPECT_IS(munmap((void *)(uintptr_t)area.records, area.size), 0);
    known(ROUNDS, known_data);
    must_disable(area.ring.fd);
    area.records = map_aux(&area.ring, 0, AREA, PROT_READ | PROT_WRITE);
    EXPECT(area.records != MAP_FAILED);
    run_known(&area.ring, 2000);
    EXPECT(head(&area) >= 5 * 2000 / PERIOD * RECORD);
}

/* Of a task and its children: an area a CPU */
static void a_child_has_the_same_area(void) {
    struct perf_event_attr attr = raw(500);
    struct area area = {.size = 64 * PAGE};
    const struct aux_record *aux;
    unsigned of[2] = {0, 0};
    pid_t child;

    run_on_cpu(0);
    attr.inherit = 1;
    area.ring = ring_open(attr, 0, 0);
    area.records = map_aux(&area.ring, 0, area.size, PROT_READ | PROT_WRITE);
    EXPECT(area.records != MAP_FAILED);
    must_enable(area.ring.fd);
    child = start(busy, NULL);
    busy(NULL);
    EXPECT_IS(finish(child), 0);
    must_disable(area.ring.fd);
    while ((aux = next_aux(&area))) {
        of[0] += aux->pid == (uint32_t)getpid() ? aux->size / RECORD : 0;
        of[1] += aux->pid == (uint32_t)child ? aux->size / RECORD : 0;
    }
    EXPECT_IS(area.flags & PERF_AUX_FLAG_TRUNCATED, 0);
    EXPECT_IS((of[0] + of[1]) * RECORD, head(&area));
    EXPECT(of[0] > 990 && of[1] > 990);
}

const struct test aux_tests[] = {
    {"raw-records-are-what-samples-say", raw_records_are_what_samples_say},
    {"what-has-no-room-is-counted", what_has_no_room_is_counted},
    {"who-has-read-goes-on", who_has_read_goes_on},
    {"a-wild-tail-has-no-room", a_wild_tail_has_no_room},
    {"the-watermark-wakes", the_watermark_wakes},
    {"a-snapshot-has-the-newest", a_snapshot_has_the_newest},
    {"raw-records-of-a-cpu-name-their-task", raw_records_of_a_cpu_name_their_task},
    {"other-areas-are-refused", other_areas_are_refused},
    {"without-an-area-all-is-lost", without_an_area_all_is_lost},
    {"an-area-may-go", an_area_may_go},
    {"a-child-has-the-same-area", a_child_has_the_same_area},
    {0},
};
