// SPDX-License-Identifier: Apache-2.0
#include "ring.h"

#include "journal.h"
#include "run_window.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
    INTERVAL = 1 << 19, /* cycles between two copies, at least: about a second */
    COPIES = 2,         /* so that one is always at least an interval back */
    FILES_MAX = 1024,   /* which a copy may have inherited */
};

struct copy {
    pid_t process; /* 0: none */
    int command;   /* its pipe */
    uint64_t cycle, position;
};

struct command {
    uint64_t end, bytes; /* cycle; of the journal, which follow */
};

struct ring {
    struct run *run;
    struct journal *journal;
    uint64_t last, interval, next; /* cycles; of the next copy */
    struct copy copy[COPIES];      /* the older one first */
    char *part;                    /* the file until it is complete */
    bool broken;                   /* no copy could be made */
};

/* --- In the copy ---------------------------------------------------------------------------------- */

static bool read_all(int fd, void *bytes, size_t n) {
    for (size_t done = 0; done < n;) {
        const ssize_t got = read(fd, (char *)bytes + done, n - done);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return false;
        done += (size_t)got;
    }
    return true;
}

/* Nothing that a copy says or writes reaches a file of the run. */
static void cut_off(int command) {
    const int null = open("/dev/null", O_RDWR | O_CLOEXEC);
    for (int fd = 0; fd < FILES_MAX; fd++)
        if (fd != command && fd != null && fcntl(fd, F_GETFD) >= 0)
            dup2(null, fd);
}

/* As the run has done it up to this cycle */
static void repeat_until(struct ring *r, uint64_t end) {
    struct sim *sim = r->run->sim;
    uint64_t cycle;
    const uint8_t *bytes;
    size_t n;
    while (sim->cycle < end) {
        const bool input = journal_next(r->journal, JOURNAL_CONSOLE, false, &cycle, &bytes, &n);
        if (input && sim->cycle == cycle) {
            sim_uart_send(sim, bytes, (unsigned)n);
            journal_next(r->journal, JOURNAL_CONSOLE, true, &cycle, &bytes, &n);
            continue;
        }
        const uint64_t until = input && cycle < end ? cycle : end;
        if (sim->ops->run(sim, until, run_flags(r->run) | SIM_PAST_EXIT) == SIM_OBSERVER)
            return;
    }
}

static bool repeat(struct ring *r, uint64_t end) {
    struct run *run = r->run;
    run->repeats = true;
    run->options.wave = r->part;
    run->stop.kind = CONDITION_NONE;
    run->capture = NULL;
    repeat_until(r, end > r->last ? end - r->last : 0);
    if (!run_open_waves(run))
        return false;
    repeat_until(r, end);
    return run->sim->ops->wave_close(run->sim);
}

static void wait_and_repeat(struct ring *r, int command) {
    struct command c;
    static const int ignored[] = {SIGINT, SIGTERM, SIGHUP}; /* the run decides */
    for (unsigned i = 0; i < sizeof ignored / sizeof *ignored; i++)
        signal(ignored[i], SIG_IGN);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (!read_all(command, &c, sizeof c))
        _exit(1);
    void *bytes = malloc(c.bytes + 1);
    if (!bytes || !read_all(command, bytes, c.bytes))
        _exit(1);
    cut_off(command);
    journal_replay(r->journal, bytes, c.bytes);
    _exit(repeat(r, c.end) ? 0 : 1);
}

/* --- In the run ------------------------------------------------------------------------------------ */

static void drop(struct copy *c) {
    if (!c->process)
        return;
    kill(c->process, SIGKILL);
    while (waitpid(c->process, NULL, 0) < 0 && errno == EINTR)
        ;
    close(c->command);
    *c = (struct copy){0};
}

bool ring_due(const struct ring *r) { return !r->broken && r->run->sim->cycle >= r->next; }

void ring_point(struct ring *r) {
    const uint64_t cycle = r->run->sim->cycle;
    int ends[2];
    if (!ring_due(r))
        return;
    drop(&r->copy[0]);
    r->copy[0] = r->copy[1];
    r->copy[1] = (struct copy){.cycle = cycle, .position = journal_position(r->journal)};
    journal_forget(r->journal, r->copy[0].process ? r->copy[0].position : r->copy[1].position);
    r->next = cycle + r->interval;
    if (pipe2(ends, O_CLOEXEC) == 0) {
        const pid_t process = fork();
        if (process == 0) {
            close(ends[1]);
            if (r->copy[0].process)
                close(r->copy[0].command); /* or it would not see that the run has ended */
            wait_and_repeat(r, ends[0]);
        }
        close(ends[0]);
        if (process > 0) {
            r->copy[1].process = process;
            r->copy[1].command = ends[1];
            return;
        }
        close(ends[1]);
    }
    fprintf(stderr, "tally-sim: --wave-last: no copy of the process: %s\n", strerror(errno));
    r->broken = true;
}

void ring_console(struct ring *r, const uint8_t *bytes, unsigned n) {
    if (n && !journal_add(r->journal, JOURNAL_CONSOLE, r->run->sim->cycle, bytes, n))
        r->broken = true;
}

static bool write_all(int fd, const void *bytes, size_t n) {
    for (size_t done = 0; done < n;) {
        const ssize_t put = write(fd, (const char *)bytes + done, n - done);
        if (put < 0 && errno == EINTR)
            continue;
        if (put <= 0)
            return false;
        done += (size_t)put;
    }
    return true;
}

/* A copy that has died is an error, no signal. */
static bool send_command(const struct copy *c, const struct command *command, const void *bytes) {
    void (*before)(int) = signal(SIGPIPE, SIG_IGN);
    const bool ok =
        write_all(c->command, command, sizeof *command) && write_all(c->command, bytes, command->bytes);
    signal(SIGPIPE, before);
    return ok;
}

bool ring_write(struct ring *r, uint64_t end, struct error *error) {
    const char *path = r->run->options.wave;
    const uint64_t from = end > r->last ? end - r->last : 0;
    struct copy *c = &r->copy[1];
    if (r->copy[0].process && (!c->process || c->cycle > from))
        c = &r->copy[0];
    if (!c->process || r->broken)
        return error_set(error, "%s: --wave-last: there is no copy of the process", path);
    size_t n;
    int status = 1;
    const void *bytes = journal_from(r->journal, c->position, &n);
    const struct command command = {end, n};
    bool ok = send_command(c, &command, bytes);
    while (ok && waitpid(c->process, &status, 0) < 0)
        ok = errno == EINTR;
    if (ok) {
        c->process = 0;
        close(c->command);
    }
    if (!ok || status != 0 || rename(r->part, path) != 0) {
        unlink(r->part);
        return error_set(error, "%s: --wave-last: the waves could not be written", path);
    }
    return true;
}

struct ring *ring_new(struct run *run, struct error *error) {
    static const char suffix[] = ".part";
    const char *path = run->options.wave;
    struct ring *r = calloc(1, sizeof *r);
    const size_t size = strlen(path) + sizeof suffix;
    if (!r || !(r->part = malloc(size)) || !(r->journal = journal_new())) {
        error_set(error, "not enough memory for --wave-last");
        ring_free(r);
        return NULL;
    }
    snprintf(r->part, size, "%s%s", path, suffix);
    FILE *file = fopen(r->part, "wb");
    if (!file || fclose(file) != 0 || unlink(r->part) != 0 || (unlink(path) != 0 && errno != ENOENT)) {
        error_set(error, "%s: %s", path, strerror(errno));
        ring_free(r);
        return NULL;
    }
    r->run = run;
    r->last = run->options.wave_last;
    r->interval = r->last > INTERVAL ? r->last : INTERVAL;
    r->next = run->sim->cycle;
    if (run->host)
        host_journal(run->host, r->journal);
    return r;
}

void ring_free(struct ring *r) {
    if (!r)
        return;
    for (unsigned i = 0; i < COPIES; i++)
        drop(&r->copy[i]);
    journal_free(r->journal);
    free(r->part);
    free(r);
}
