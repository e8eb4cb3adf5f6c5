/* SPDX-License-Identifier: Apache-2.0 */
/* Random attributes and calls, over all PMUs: FUZZ_CALLS of them (3000), from FUZZ_SEED (1); FUZZ_TRACE=1
 * prints each. The kernel's log is the judge (tests/linux/test_drivers.py), and everything works as before
 * afterwards.
 *
 * Interrupts after a few instructions are limited, or nothing else would be tested. perf's core is limited by
 * its sysctl. Long periods limit the stock driver, which does not stop events that perf's core throttles, and
 * clocks, which it does not throttle while they take no sample (of user mode, in the kernel). Events of user
 * mode, which take their tasks' time, are opened for a moment. The drivers' own limits are under test. */
#include "ring.h"

#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { OPEN = 12, RING = PAGE * 5, AUX = 16 * PAGE };
/* In events of the stock driver, and nanoseconds of clocks, at least; in events of user mode, but for a
 * moment */
enum { STOCK_PERIOD = 1 << 17, CLOCK_PERIOD = 1 << 20, OWN_PERIOD = 200 };
#define RATE "/proc/sys/kernel/perf_event_max_sample_rate"

struct opened {
    int fd; /* -1: free */
    bool own;
    uint64_t least; /* a bit that each period has */
    struct perf_event_mmap_page *ring;
    void *aux;
};

static uint64_t state;
static struct opened table[OPEN];
static pid_t other;

static uint64_t chance(uint64_t below) {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (state >> 11) % below;
}

/* One of a hundred draws is anything at all. */
static uint64_t one_of(const uint64_t *list, unsigned n) {
    return chance(100) ? list[chance(n)] : state << chance(64);
}
#define ONE_OF(...)                                                                                          \
    one_of((const uint64_t[]){__VA_ARGS__}, sizeof(const uint64_t[]){__VA_ARGS__} / sizeof(uint64_t))

static uint64_t from_environment(const char *name, uint64_t otherwise) {
    const char *text = getenv(name);

    return text ? strtoull(text, NULL, 0) : otherwise;
}

static void trace(const char *what, uint64_t a, uint64_t b, uint64_t c) {
    static int on = -1;

    on = on < 0 ? (int)from_environment("FUZZ_TRACE", 0) : on;
    if (!on)
        return;
    printf("%s %" PRIx64 " %" PRIx64 " %" PRIx64 "\n", what, a, b, c);
    fflush(stdout);
}

/* --- attributes ------------------------------------------------------------------------------------ */

static uint32_t tally_type(void) {
    static uint32_t type;

    return type = type ? type : device_type("tally");
}

static uint32_t pdis_type(void) {
    static uint32_t type;

    return type = type ? type : device_type("tally_pdis");
}

static void any_event(struct perf_event_attr *attr) {
    const uint32_t tally = tally_type(), pdis = pdis_type();

    attr->type = (uint32_t)ONE_OF(tally, tally, tally, pdis, pdis, pdis, PERF_TYPE_HARDWARE,
                                  PERF_TYPE_HW_CACHE, PERF_TYPE_RAW, PERF_TYPE_SOFTWARE);
    if (attr->type == tally || attr->type == PERF_TYPE_RAW) {
        attr->config = ONE_OF(TALLY_EV_INST_RET, TALLY_EV_INST_STORE_RET, TALLY_EV_INST_LOAD_RET, 1, 2, 0);
        attr->config |= chance(3) ? 0 : EBB_BIT;
        attr->config1 = ONE_OF(0, 0, 3, 4, 5, 6, 31, 32);
    } else if (attr->type == pdis) {
        attr->config = ONE_OF(0, 1, 2, 3, 4, 5) | ONE_OF(0, 0, 1 << 4) | ONE_OF(0, 0, 8) | chance(32) << 8;
        attr->config1 = ONE_OF(0, 0, TALLY_PDISHDREV_TYPE_MASK);
        attr->config2 = ONE_OF(0, 0, TALLY_TYPE_LOAD);
    } else {
        attr->config = ONE_OF(0, 1, 2, 3, 4, 5, 6, 7, 0x10000, 0x10200);
    }
}

static void any_sample(struct perf_event_attr *attr) {
    attr->sample_period = ONE_OF(0, 0, 16, 17, 100, 1000, 1 << 20, INT64_MAX);
    if (!chance(8)) {
        attr->freq = 1;
        attr->sample_freq = ONE_OF(1, 100, 1000, 4000);
    }
    attr->sample_type = ONE_OF(0, TYPES, TYPES, PERF_SAMPLE_IP, PERF_SAMPLE_CALLCHAIN | PERF_SAMPLE_IP,
                               PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER, PERF_SAMPLE_READ);
    attr->sample_stack_user = (uint32_t)ONE_OF(0, 0, 64, 4096);
    attr->aux_watermark = (uint32_t)ONE_OF(0, 0, 1, PAGE, 8 * PAGE);
    attr->wakeup_events = (uint32_t)chance(3);
    attr->precise_ip = chance(6) ? 0 : chance(4);
}

static struct perf_event_attr any_attr(void) {
    struct perf_event_attr attr = {.size = sizeof attr};
    uint64_t flags;

    any_event(&attr);
    if (chance(16) < 15 - 8 * !!(attr.config & EBB_BIT))
        any_sample(&attr);
    attr.read_format = ONE_OF(0, PERF_FORMAT_LOST, PERF_FORMAT_GROUP, PERF_FORMAT_TOTAL_TIME_ENABLED);
    attr.disabled = chance(2);
    attr.inherit = !chance(4);
    attr.pinned = !chance(3);
    attr.exclusive = attr.pinned ? chance(2) : !chance(8);
    attr.exclude_user = !chance(8);
    attr.exclude_kernel = chance(4) != 0;
    attr.enable_on_exec = !chance(8);
    attr.sample_id_all = chance(2);
    attr.sigtrap = !chance(16);
    attr.remove_on_exec = attr.sigtrap || !chance(16);
    if (!chance(8)) {
        memcpy(&flags, (const char *)&attr + offsetof(struct perf_event_attr, read_format) + 8, sizeof flags);
        flags ^= 1ull << chance(40);
        memcpy((char *)&attr + offsetof(struct perf_event_attr, read_format) + 8, &flags, sizeof flags);
    }
    return attr;
}

/* --- events ---------------------------------------------------------------------------------------- */

static void shut(struct opened *event) {
    if (event->aux)
        munmap(event->aux, AUX);
    if (event->ring)
        munmap(event->ring, RING);
    if (event->fd >= 0)
        close(event->fd);
    *event = (struct opened){.fd = -1};
}

static void set_period(const struct opened *event, uint64_t period) {
    period |= period ? event->least : 0;
    trace("period", (uint64_t)event->fd, period, event->own);
    if (ioctl(event->fd, PERF_EVENT_IOC_PERIOD, &period) || !event->own || period >= OWN_PERIOD)
        return;
    known(10, known_data);
    period = OWN_PERIOD;
    ioctl(event->fd, PERF_EVENT_IOC_PERIOD, &period);
}

static uint64_t least_period(const struct perf_event_attr *attr) {
    if (attr->type == PERF_TYPE_SOFTWARE)
        return attr->config <= PERF_COUNT_SW_TASK_CLOCK ? CLOCK_PERIOD : 0;
    return !whole() && (attr->type == PERF_TYPE_HARDWARE || attr->type == PERF_TYPE_HW_CACHE ||
                        attr->type == PERF_TYPE_RAW)
               ? STOCK_PERIOD
               : 0;
}

static void open_one(struct opened *event) {
    struct perf_event_attr attr = any_attr();
    const int cpu = chance(4) ? -1 : (int)chance((uint64_t)sysconf(_SC_NPROCESSORS_ONLN));
    const pid_t pid = cpu >= 0 && chance(2) ? -1 : chance(4) ? 0 : other;
    const struct opened *leader = &table[chance(OPEN)];
    int fd;

    shut(event);
    event->least = least_period(&attr);
    event->own = attr.exclude_kernel;
    if (event->least) {
        attr.freq = 0;
        attr.sample_period |= attr.sample_period ? event->least : 0;
    }
    trace("open", attr.type, attr.config, attr.config1);
    trace("     ", attr.sample_period, attr.sample_type, (uint64_t)pid);
    fd = event_open(&attr, pid, cpu, chance(3) ? -1 : leader->fd);
    event->fd = fd < 0 ? -1 : fd;
    trace("     ", (uint64_t)fd, attr.exclude_kernel, attr.disabled);
    if (fd >= 0 && event->own && !attr.freq && attr.sample_period && attr.sample_period < OWN_PERIOD)
        set_period(event, attr.sample_period);
}

static void map(struct opened *event) {
    void *at;

    if (!event->ring) {
        at = mmap(NULL, RING, PROT_READ | PROT_WRITE, MAP_SHARED, event->fd, 0);
        event->ring = at == MAP_FAILED ? NULL : at;
        return;
    }
    if (event->aux)
        return;
    event->ring->aux_offset = RING;
    event->ring->aux_size = AUX;
    at = mmap(NULL, AUX, chance(4) ? PROT_READ | PROT_WRITE : PROT_READ, MAP_SHARED, event->fd, RING);
    event->aux = at == MAP_FAILED ? NULL : at;
}

/* --- calls ----------------------------------------------------------------------------------------- */

static void child(void *unused) {
    (void)unused;
    known(1 + chance(500), known_data);
    yielding_stores(2);
    if (!chance(4))
        execl("/proc/self/exe", "tally-test", "--registers", NULL);
}

/* A task to which events are attached; it keeps none open. */
static void worker(void *unused) {
    const struct timespec millisecond = {.tv_nsec = 1000000};

    (void)unused;
    for (unsigned i = 0; i < OPEN; i++)
        shut(&table[i]);
    for (;;) {
        known(20, known_data);
        nanosleep(&millisecond, NULL);
    }
}

static void another_worker(void) {
    if (other) {
        kill(other, SIGKILL);
        finish(other);
    }
    other = start(worker, NULL);
}

static void simple(const struct opened *event) {
    static const unsigned long calls_of[] = {PERF_EVENT_IOC_ENABLE, PERF_EVENT_IOC_DISABLE,
                                             PERF_EVENT_IOC_RESET};

    switch (chance(8)) {
    case 0:
        ioctl(event->fd, PERF_EVENT_IOC_PAUSE_OUTPUT, chance(2));
        break;
    case 1:
        prctl(chance(2) ? PR_TASK_PERF_EVENTS_ENABLE : PR_TASK_PERF_EVENTS_DISABLE);
        break;
    case 2:
        fcntl(event->fd, F_SETFL, chance(2) ? O_ASYNC : 0);
        fcntl(event->fd, F_SETOWN, getpid());
        break;
    default:
        ioctl(event->fd, calls_of[chance(3)], chance(4) ? 0 : PERF_IOC_FLAG_GROUP);
    }
}

/* Most calls fail, and may. */
static void call(struct opened *event) {
    struct pollfd fd = {.fd = event->fd, .events = POLLIN};
    uint64_t values[64];
    const uint64_t what = chance(13);

    trace("call", what, (uint64_t)event->fd, 0);
    switch (what) {
    case 0:
    case 1:
        simple(event);
        break;
    case 2:
        ioctl(event->fd, PERF_EVENT_IOC_REFRESH, chance(4));
        break;
    case 3:
        set_period(event, ONE_OF(0, 1, 15, 16, 100, INT64_MAX));
        break;
    case 4:
        ioctl(event->fd, PERF_EVENT_IOC_SET_OUTPUT, table[chance(OPEN)].fd);
        break;
    case 5:
    case 6:
        map(event);
        break;
    case 7:
        if (read(event->fd, values, sizeof values) < 0)
            poll(&fd, 1, 0);
        break;
    case 8:
        shut(event);
        break;
    case 9:
        if (chance(4))
            finish(start(child, NULL));
        else
            another_worker();
        break;
    case 10:
        if (event->ring) {
            event->ring->data_tail = event->ring->data_head;
            event->ring->aux_tail = chance(4) ? event->ring->aux_head : state;
        }
        break;
    default:
        known(1 + chance(300), known_data);
    }
}

/* --- the test -------------------------------------------------------------------------------------- */

/* Every counter counts, every period has its sample, and the window is shut. */
static void all_is_well(void) {
    struct perf_event_attr attr = plain_attr(TALLY_EV_INST_STORE_RET);
    struct ring ring = ring_open(sampling(97), 0, -1);
    const unsigned n = programmable();
    uint64_t samples = 0, values[3];
    int fds[32];

    for (unsigned i = 0; i < n; i++)
        must_enable(fds[i] = must_open(&attr, 0, -1, -1));
    stores(1000);
    for (unsigned i = 0; i < n; i++) {
        EXPECT_IS(read(fds[i], values, sizeof values), sizeof values);
        EXPECT(values[0] >= 1000 && values[0] < 20000 && values[1] == values[2]);
        close(fds[i]);
    }
    run_known(&ring, 2000);
    while (next_sample(&ring))
        samples++;
    samples += lost_samples(&ring);
    EXPECT(samples >= 2000 * KNOWN_INSTRUCTIONS / 97);
    EXPECT(window_is_shut());
    count_stores(C0, 100);
    enable_branches();
    stores(550);
    EXPECT_IS(calls[C0], 5);
}

static void any_call_leaves_it_well(void) {
    const uint64_t rounds = from_environment("FUZZ_CALLS", 3000), rate = number_in(RATE);
    unsigned opened = 0;

    set_number(RATE, 1000);
    signal(SIGTRAP, SIG_IGN);
    signal(SIGIO, SIG_IGN);
    state = from_environment("FUZZ_SEED", 1) * 0x9E3779B97F4A7C15 | 1;
    for (unsigned i = 0; i < OPEN; i++)
        table[i].fd = -1;
    another_worker();
    for (uint64_t i = 0; i < rounds; i++) {
        struct opened *event = &table[chance(OPEN)];

        if (event->fd < 0) {
            open_one(event);
            opened += event->fd >= 0;
        } else {
            call(event);
        }
    }
    for (unsigned i = 0; i < OPEN; i++)
        shut(&table[i]);
    kill(other, SIGKILL);
    finish(other);
    EXPECT(opened > rounds / 100);
    /* An event holds the module. */
    EXPECT_IS(number_in("/sys/module/riscv_tally/refcnt"), 0);
    set_number(RATE, rate);
    all_is_well();
}

const struct test fuzz_tests[] = {
    {"any-call-leaves-it-well", any_call_leaves_it_well},
    {0},
};
