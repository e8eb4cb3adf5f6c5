/* SPDX-License-Identifier: Apache-2.0 */
/* Sampled instructions of a command, as the unit wrote them (tally_pdis/aux/), into a file that tally-profile
 * reads (docs/profile.md). */
#include "records.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <linux/perf_event.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PAGE = 4096, FAILED = 1, USAGE = 2, AUX = 1 << 4, RECORD = 64, LEAST = 8 };

static const char usage[] =
    "usage: tally-record [-c PERIOD] [-j JITTER] [-t TYPE] [-m PAGES] [-k] -o FILE COMMAND...\n"
    "  -c  decoded instructions a sample, at least 16 (1000)\n"
    "  -j  each batch's period is up to 2^JITTER - 1 longer, 0 to 31 (0)\n"
    "  -t  0 all, 1 loads, 2 stores, 3 both, 4 control transfers (0)\n"
    "  -m  pages of the AUX area, a power of two, at least 8 (64)\n"
    "  -k  the kernel too; else the command alone\n";

struct recording {
    struct perf_event_attr attr;
    unsigned long pages;
    const char *file;
    char part[PATH_MAX];
    FILE *out;
    int fd;
    struct perf_event_mmap_page *page;
    const uint8_t *area;
    uint64_t n, lost, begin, end;
    pid_t child;
};

static _Noreturn void fail(const struct recording *r, const char *what, int error) {
    fprintf(stderr, "tally-record: %s: %s\n", what, strerror(error));
    if (r && r->out)
        unlink(r->part);
    if (r && r->child > 0)
        kill(r->child, SIGKILL);
    exit(FAILED);
}

static uint64_t ticks(void) {
    uint64_t now;

    __asm__ volatile("rdtime %0" : "=r"(now));
    return now;
}

/* --- sysfs of the machine ---------------------------------------------------------------------------- */

static uint32_t pmu_type(void) {
    FILE *file = fopen("/sys/bus/event_source/devices/tally_pdis/type", "r");
    uint32_t type;

    if (!file || fscanf(file, "%" SCNu32, &type) != 1) {
        fprintf(stderr,
                "tally-record: no PMU tally_pdis: riscv_tally is not loaded, or the hart has no sampling\n");
        exit(FAILED);
    }
    fclose(file);
    return type;
}

/* A clock of the device tree, Hz; 1 if it does not say */
static uint64_t frequency(const char *property) {
    char path[128];
    uint8_t cell[4];
    uint64_t hertz = 0;
    FILE *file;

    snprintf(path, sizeof path, "/sys/firmware/devicetree/base/cpus/%s", property);
    file = fopen(path, "rb");
    if (file && fread(cell, sizeof cell, 1, file) == 1) {
        for (unsigned i = 0; i < sizeof cell; i++)
            hertz = hertz << 8 | cell[i];
    }
    if (file)
        fclose(file);
    return hertz ? hertz : 1;
}

/* --- the file ---------------------------------------------------------------------------------------- */

static void put(uint8_t *header, unsigned at, uint64_t value, unsigned bytes) {
    for (unsigned i = 0; i < bytes; i++)
        header[at + i] = (uint8_t)(value >> 8 * i);
}

/* Behind the header, which is written when its numbers are known */
static size_t header_size(const char *name) { return (RECORDS_AT_NAME + strlen(name) + 7) / 8 * 8; }

static void write_header(struct recording *r, const char *name) {
    const uint64_t jitter = r->attr.config >> 8 & 31;
    const size_t size = header_size(name);
    uint8_t header[RECORDS_AT_NAME + RECORDS_NAME_MAX + 8] = RECORDS_MAGIC;

    put(header, RECORDS_AT_VERSION, 2, 4);
    put(header, RECORDS_AT_HEADER, size, 4);
    put(header, RECORDS_AT_XLEN, 64, 4);
    put(header, RECORDS_AT_SIZE, RECORD, 4);
    put(header, RECORDS_AT_COUNT, r->n, 8);
    put(header, RECORDS_AT_TIME_CLOCK, frequency("timebase-frequency"), 8);
    put(header, RECORDS_AT_CORE_CLOCK, frequency("cpu@0/clock-frequency"), 8);
    put(header, RECORDS_AT_PERIOD, r->attr.sample_period + ((1ull << jitter) - 1) / 2, 8); /* the mean */
    put(header, RECORDS_AT_PID, (uint32_t)r->child, 4);
    put(header, RECORDS_AT_NAME_LENGTH, strlen(name), 4);
    put(header, RECORDS_AT_LOST, r->lost, 8);
    put(header, RECORDS_AT_BEGIN, r->begin, 8);
    put(header, RECORDS_AT_END, r->end, 8);
    put(header, RECORDS_AT_MODES, MODE_U | (r->attr.exclude_kernel ? 0 : MODE_S), 4);
    memcpy(header + RECORDS_AT_NAME, name, strlen(name));
    if (fseek(r->out, 0, SEEK_SET) || fwrite(header, size, 1, r->out) != 1)
        fail(r, r->part, errno);
}

/* Copy new records; a full area has disabled the event. */
static void drain(struct recording *r) {
    const uint64_t head = __atomic_load_n(&r->page->aux_head, __ATOMIC_ACQUIRE), mask = r->pages * PAGE - 1;
    uint64_t tail = r->page->aux_tail;

    for (; tail != head; tail += RECORD, r->n++) {
        if (fwrite(r->area + (tail & mask), RECORD, 1, r->out) != 1)
            fail(r, r->part, errno);
    }
    __atomic_store_n(&r->page->aux_tail, tail, __ATOMIC_RELEASE);
    /* The ring says nothing besides. */
    __atomic_store_n(&r->page->data_tail, __atomic_load_n(&r->page->data_head, __ATOMIC_ACQUIRE),
                     __ATOMIC_RELEASE);
}

/* --- the command ------------------------------------------------------------------------------------- */

/* It waits for a byte before it begins; the event begins with it. */
static int start(struct recording *r, char **command) {
    int gate[2];

    if (pipe2(gate, O_CLOEXEC))
        fail(NULL, "pipe", errno);
    r->child = fork();
    if (r->child < 0)
        fail(NULL, "fork", errno);
    if (!r->child) {
        char byte;

        close(gate[1]);
        if (read(gate[0], &byte, 1) != 1)
            _exit(FAILED);
        execvp(command[0], command);
        fprintf(stderr, "tally-record: %s: %s\n", command[0], strerror(errno));
        _exit(127);
    }
    close(gate[0]);
    return gate[1];
}

static void open_event(struct recording *r) {
    r->fd = (int)syscall(SYS_perf_event_open, &r->attr, r->child, -1, -1, PERF_FLAG_FD_CLOEXEC);
    if (r->fd < 0)
        fail(r, "perf_event_open", errno);
    r->page = mmap(NULL, 2 * PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, r->fd, 0);
    if (r->page == MAP_FAILED)
        fail(r, "the event's ring", errno);
    r->page->aux_offset = 2 * PAGE;
    r->page->aux_size = r->pages * PAGE;
    r->area = mmap(NULL, r->pages * PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, r->fd, 2 * PAGE);
    if (r->area == MAP_FAILED)
        fail(r, "the AUX area", errno);
}

/* Until the command has ended; its status */
static int follow(struct recording *r) {
    struct pollfd event = {.fd = r->fd, .events = POLLIN};
    uint64_t values[2];
    int status, ended;

    do {
        enum { PATIENCE = 100 }; /* ms: there is no wake-up below the watermark */

        poll(&event, 1, PATIENCE);
        ended = waitpid(r->child, &status, WNOHANG) == r->child;
        drain(r);
        if (!ended && r->n) /* exec has enabled it before */
            ioctl(r->fd, PERF_EVENT_IOC_ENABLE, 0);
    } while (!ended);
    r->end = ticks();
    if (read(r->fd, values, sizeof values) != sizeof values)
        fail(r, "reading the event", errno);
    r->lost = values[1];
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static int record(struct recording *r, char **command) {
    const char *slash = strrchr(command[0], '/'), *name = slash ? slash + 1 : command[0];
    int gate, status;

    if (strlen(name) > RECORDS_NAME_MAX ||
        (size_t)snprintf(r->part, sizeof r->part, "%s.part", r->file) >= PATH_MAX)
        fail(NULL, "a name is too long", ENAMETOOLONG);
    gate = start(r, command);
    open_event(r);
    r->out = fopen(r->part, "wb");
    if (!r->out || fseek(r->out, (long)header_size(name), SEEK_SET))
        fail(r, r->part, errno);
    r->begin = ticks();
    if (write(gate, "", 1) != 1)
        fail(r, "the command", errno);
    status = follow(r);
    if (!r->n) {
        unlink(r->part);
        fprintf(stderr, "tally-record: no records: the command was shorter than a period\n");
        return status ? status : FAILED;
    }
    write_header(r, name);
    if (fclose(r->out) || rename(r->part, r->file))
        fail(NULL, r->file, errno);
    fprintf(stderr, "tally-record: %s: %" PRIu64 " records, %" PRIu64 " lost\n", r->file, r->n, r->lost);
    return status;
}

static unsigned long number(const char *text, unsigned long least, unsigned long most, char option) {
    char *rest;
    unsigned long value;

    errno = 0;
    value = strtoul(text, &rest, 0);
    if (errno || rest == text || *rest || *text == '-' || value < least || value > most) {
        fprintf(stderr, "tally-record: -%c %s: a number of %lu to %lu\n", option, text, least, most);
        exit(USAGE);
    }
    return value;
}

int main(int argc, char **argv) {
    struct recording r = {.attr = {.size = sizeof r.attr,
                                   .sample_period = 1000,
                                   .config = AUX,
                                   .read_format = PERF_FORMAT_LOST,
                                   .disabled = 1,
                                   .enable_on_exec = 1,
                                   .exclude_kernel = 1},
                          .pages = 64};
    int option;

    while ((option = getopt(argc, argv, "+c:j:t:m:o:k")) != -1) {
        switch (option) {
        case 'c':
            r.attr.sample_period = number(optarg, 16, INT32_MAX, 'c');
            break;
        case 'j':
            r.attr.config |= number(optarg, 0, 31, 'j') << 8;
            break;
        case 't':
            r.attr.config |= number(optarg, 0, 4, 't');
            break;
        case 'm':
            r.pages = number(optarg, LEAST, 1 << 20, 'm');
            break;
        case 'o':
            r.file = optarg;
            break;
        case 'k':
            r.attr.exclude_kernel = 0;
            break;
        default:
            fputs(usage, stderr);
            return USAGE;
        }
    }
    if (r.pages & (r.pages - 1)) {
        fprintf(stderr, "tally-record: -m %lu: not a power of two\n", r.pages);
        return USAGE;
    }
    if (!r.file || optind == argc) {
        fputs(usage, stderr);
        return USAGE;
    }
    r.attr.type = pmu_type();
    return record(&r, argv + optind);
}
