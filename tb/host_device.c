// SPDX-License-Identifier: Apache-2.0
#include "host_device.h"

#include "journal.h"
#include "soc.h"
#include "tally_state.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { CONSOLE = 3 /* files 0, 1, 2 */ };

struct bytes {
    uint8_t *at;
    size_t n, room;
};

struct window {
    struct bytes request, answer;
    size_t taken; /* of the answer */
    uint64_t arg[HOST_ARGS];
    int64_t result;
    bool too_long;
};

struct host_device {
    struct host_config cfg;
    struct window window[SOC_HARTS_MAX];
    int folder;               /* -1: none */
    int file[HOST_FILES_MAX]; /* -1: free */
    FILE *records;
    uint64_t records_bytes;
    bool printed;            /* print() was true */
    struct journal *journal; /* NULL: none is kept */
};

/* --- bytes ---------------------------------------------------------------------------------------- */

static bool room_for(struct bytes *b, size_t n) {
    if (n > HOST_REQUEST_MAX - b->n)
        return false;
    if (b->n + n > b->room) {
        size_t room = b->room ? b->room : 256;
        while (room < b->n + n)
            room *= 2;
        uint8_t *at = realloc(b->at, room);
        if (!at)
            return false;
        b->at = at;
        b->room = room;
    }
    return true;
}

static bool append(struct bytes *b, const void *bytes, size_t n) {
    if (!room_for(b, n))
        return false;
    if (n)
        memcpy(b->at + b->n, bytes, n);
    b->n += n;
    return true;
}

/* --- files ---------------------------------------------------------------------------------------- */

/* Errors keep their number if it is the same in every POSIX system; the others are input/output errors. */
static int64_t failed(void) { return errno > 0 && errno < 35 ? -errno : -EIO; }

/* Never outside of the folder, by no path and no link. */
static int open_beneath(const struct host_device *h, const char *path, int flags) {
    const struct open_how how = {.flags = (uint64_t)(flags | O_CLOEXEC | O_NOCTTY | O_NONBLOCK),
                                 .mode = flags & O_CREAT ? 0666 : 0,
                                 .resolve = RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS};
    if (h->folder < 0) {
        errno = ENOENT;
        return -1;
    }
    while (*path == '/') /* the folder is the program's root */
        path++;
    const int fd = (int)syscall(SYS_openat2, h->folder, *path ? path : ".", &how, sizeof how);
    if (fd < 0 && (errno == EXDEV || errno == ELOOP))
        errno = EACCES;
    return fd;
}

/* The request as `n` texts, one behind the other, each with a 0 behind it (the last one's is added). */
static bool texts(struct window *w, const char **text, unsigned n) {
    if (!append(&w->request, "", 1))
        return false;
    const char *at = (const char *)w->request.at, *const end = at + w->request.n;
    for (unsigned i = 0; i < n; i++) {
        if (at >= end || !*at)
            return false;
        text[i] = at;
        at += strlen(at) + 1;
    }
    return at == end;
}

static int64_t open_file(struct host_device *h, struct window *w) {
    static const int access[4] = {O_RDONLY, O_WRONLY, O_RDWR, O_RDWR};
    const uint64_t flags = w->arg[0];
    const char *path;
    struct stat st;
    unsigned slot = CONSOLE;
    while (slot < HOST_FILES_MAX && h->file[slot] >= 0)
        slot++;
    if (slot == HOST_FILES_MAX)
        return -EMFILE;
    if (!texts(w, &path, 1) || flags > 63 || (flags & 3) == 3)
        return -EINVAL;
    const int fd = open_beneath(
        h, path,
        access[flags & 3] | (flags & HOST_CREATE ? O_CREAT : 0) | (flags & HOST_EXCLUSIVE ? O_EXCL : 0) |
            (flags & HOST_TRUNCATE ? O_TRUNC : 0) | (flags & HOST_APPEND ? O_APPEND : 0));
    if (fd < 0)
        return failed();
    if (fstat(fd, &st) != 0 || !S_ISREG(st.st_mode)) {
        close(fd);
        return S_ISDIR(st.st_mode) ? -EISDIR : -EACCES;
    }
    h->file[slot] = fd;
    return slot;
}

/* The host's number of a file that is open; -1: none */
static int file_of(const struct host_device *h, uint64_t number) {
    return number >= CONSOLE && number < HOST_FILES_MAX ? h->file[number] : -1;
}

static int64_t close_file(struct host_device *h, uint64_t number) {
    const int fd = file_of(h, number);
    if (number < CONSOLE)
        return 0;
    if (fd < 0)
        return -EBADF;
    h->file[number] = -1;
    return close(fd) == 0 ? 0 : failed();
}

static int64_t read_file(struct host_device *h, struct window *w) {
    const int fd = w->arg[0] == 0 ? STDIN_FILENO : file_of(h, w->arg[0]);
    const size_t n = w->arg[1] < HOST_REQUEST_MAX ? (size_t)w->arg[1] : HOST_REQUEST_MAX;
    if (fd < 0)
        return -EBADF;
    if (!room_for(&w->answer, n))
        return -ENOMEM;
    const ssize_t got = read(fd, w->answer.at, n); /* Ctrl-C: EINTR, and the run ends */
    if (got < 0)
        return failed();
    w->answer.n = (size_t)got;
    return got;
}

static int64_t write_file(struct host_device *h, const struct window *w) {
    const int fd = file_of(h, w->arg[0]);
    if (w->arg[0] == STDOUT_FILENO || w->arg[0] == STDERR_FILENO) {
        for (size_t i = 0; i < w->request.n; i++)
            h->printed |= h->cfg.print(h->cfg.print_ctx, w->request.at[i]);
        return (int64_t)w->request.n;
    }
    if (fd < 0)
        return -EBADF;
    size_t done = 0;
    while (done < w->request.n) {
        const ssize_t n = write(fd, w->request.at + done, w->request.n - done);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return done ? (int64_t)done : failed();
        done += (size_t)n;
    }
    return (int64_t)done;
}

static int64_t seek_file(const struct host_device *h, const struct window *w) {
    static const int from[3] = {SEEK_SET, SEEK_CUR, SEEK_END};
    const int fd = file_of(h, w->arg[0]);
    if (w->arg[0] < CONSOLE)
        return -ESPIPE;
    if (fd < 0)
        return -EBADF;
    if (w->arg[2] > 2)
        return -EINVAL;
    const off_t at = lseek(fd, (off_t)w->arg[1], from[w->arg[2]]);
    return at < 0 ? failed() : at;
}

static int64_t size_file(const struct host_device *h, uint64_t number) {
    struct stat st;
    const int fd = file_of(h, number);
    if (number < CONSOLE)
        return -ESPIPE;
    if (fd < 0)
        return -EBADF;
    return fstat(fd, &st) == 0 ? st.st_size : failed();
}

/* The folder of `path`, opened, and the name in it; -1: errno says why. */
static int parent(const struct host_device *h, const char *path, const char **name) {
    const char *slash = strrchr(path, '/');
    *name = slash ? slash + 1 : path;
    if (!**name || strcmp(*name, ".") == 0 || strcmp(*name, "..") == 0) {
        errno = EINVAL;
        return -1;
    }
    char *folder = strndup(path, slash ? (size_t)(slash - path) : 0);
    if (!folder)
        return -1;
    const int fd = open_beneath(h, folder, O_DIRECTORY | O_RDONLY);
    free(folder);
    return fd;
}

static int64_t remove_file(const struct host_device *h, struct window *w) {
    const char *path, *name;
    if (!texts(w, &path, 1))
        return -EINVAL;
    const int folder = parent(h, path, &name);
    if (folder < 0)
        return failed();
    const int64_t result = unlinkat(folder, name, 0) == 0 ? 0 : failed();
    close(folder);
    return result;
}

static int64_t rename_file(const struct host_device *h, struct window *w) {
    const char *path[2], *name[2];
    int64_t result;
    if (!texts(w, path, 2))
        return -EINVAL;
    const int from = parent(h, path[0], &name[0]);
    if (from < 0)
        return failed();
    const int to = parent(h, path[1], &name[1]);
    result = to >= 0 && renameat(from, name[0], to, name[1]) == 0 ? 0 : failed();
    close(from);
    if (to >= 0)
        close(to);
    return result;
}

/* --- other calls ----------------------------------------------------------------------------------- */

static int64_t list(struct window *w, const char *const *text, unsigned n) {
    for (unsigned i = 0; i < n; i++)
        if (!append(&w->answer, text[i], strlen(text[i]) + 1))
            return -ENOMEM;
    return n;
}

static int64_t program(const struct host_device *h, struct window *w) {
    if (!h->cfg.program_words)
        return -ENOENT;
    for (unsigned i = 0; i < h->cfg.program_words; i++)
        for (unsigned b = 0; b < 8; b++) {
            const uint8_t byte = (uint8_t)(h->cfg.program[i] >> (8 * b));
            if (!append(&w->answer, &byte, 1))
                return -ENOMEM;
        }
    return h->cfg.program_words;
}

static int64_t add_records(struct host_device *h, const struct window *w) {
    if (!h->records && !(h->records = tmpfile()))
        return failed();
    if (w->request.n && fwrite(w->request.at, 1, w->request.n, h->records) != w->request.n)
        return failed();
    h->records_bytes += w->request.n;
    return 0;
}

static int64_t perform(struct host_device *h, struct window *w, uint64_t call) {
    switch (call) {
    case HOST_OPEN:
        return open_file(h, w);
    case HOST_CLOSE:
        return close_file(h, w->arg[0]);
    case HOST_READ:
        return read_file(h, w);
    case HOST_WRITE:
        return write_file(h, w);
    case HOST_SEEK:
        return seek_file(h, w);
    case HOST_SIZE:
        return size_file(h, w->arg[0]);
    case HOST_REMOVE:
        return remove_file(h, w);
    case HOST_RENAME:
        return rename_file(h, w);
    case HOST_GETARGS:
        return list(w, &h->cfg.name, 1) < 0 || list(w, (const char *const *)h->cfg.args, h->cfg.args_n) < 0
                   ? -ENOMEM
                   : (int64_t)h->cfg.args_n + 1;
    case HOST_GETENV:
        return list(w, h->cfg.env, h->cfg.env_n);
    case HOST_PROGRAM:
        return program(h, w);
    case HOST_RECORDS:
        return add_records(h, w);
    case HOST_FAULT:
        h->cfg.fault(h->cfg.fault_ctx, w->arg[0], w->arg[1], w->arg[2]);
        return 0;
    default:
        return -ENOSYS;
    }
}

/* --- the registers ---------------------------------------------------------------------------------- */

static uint64_t cut(uint64_t value, unsigned size) {
    return size == 8 ? value : value & ((UINT64_C(1) << (8 * size)) - 1);
}

uint64_t host_load(struct host_device *h, uint64_t offset, unsigned size) {
    struct window *w = &h->window[offset / HOST_WINDOW % SOC_HARTS_MAX];
    uint64_t value = 0;
    switch (offset % HOST_WINDOW) {
    case HOST_ID:
        memcpy(&value, "TALLYHS1", 8);
        return cut(value, size);
    case HOST_DATA:
        for (unsigned i = 0; i < size && w->taken < w->answer.n; i++)
            value |= (uint64_t)w->answer.at[w->taken++] << (8 * i);
        return value;
    case HOST_CALL:
        return cut((uint64_t)w->result, size);
    case HOST_LEFT:
        return cut(w->answer.n - w->taken, size);
    default:
        return 0;
    }
}

/* The host's answer of the first run */
static int64_t answer_again(struct host_device *h, struct window *w) {
    uint64_t result;
    const uint8_t *bytes;
    size_t n;
    if (!journal_next(h->journal, JOURNAL_HOST, true, &result, &bytes, &n) || !append(&w->answer, bytes, n))
        return -EIO;
    return (int64_t)result;
}

static void call(struct host_device *h, struct window *w, uint64_t number) {
    const bool again = h->journal && journal_replays(h->journal);
    w->answer.n = w->taken = 0;
    w->result = again ? answer_again(h, w) : w->too_long ? -EINVAL : perform(h, w, number);
    if (w->result < 0)
        w->answer.n = 0;
    if (h->journal && !again)
        journal_add(h->journal, JOURNAL_HOST, (uint64_t)w->result, w->answer.at, w->answer.n);
    w->request.n = 0;
    w->too_long = false;
}

bool host_store(struct host_device *h, uint64_t offset, unsigned size, uint64_t value) {
    struct window *w = &h->window[offset / HOST_WINDOW % SOC_HARTS_MAX];
    const uint64_t reg = offset % HOST_WINDOW;
    h->printed = false;
    value = cut(value, size);
    if (reg == HOST_DATA) {
        for (unsigned i = 0; i < size; i++) {
            const uint8_t byte = (uint8_t)(value >> (8 * i));
            w->too_long |= !append(&w->request, &byte, 1);
        }
    } else if (reg == HOST_CALL) {
        call(h, w, value);
    } else if (reg >= HOST_ARG && reg < HOST_ARG + 8 * HOST_ARGS && reg % 8 == 0) {
        w->arg[(reg - HOST_ARG) / 8] = value;
    }
    return h->printed;
}

/* --- creation --------------------------------------------------------------------------------------- */

struct host_device *host_new(const struct host_config *config, struct error *error) {
    struct host_device *h = calloc(1, sizeof *h);
    if (!h) {
        error_set(error, "not enough memory for the host device");
        return NULL;
    }
    h->cfg = *config;
    h->folder = -1;
    for (unsigned i = 0; i < HOST_FILES_MAX; i++)
        h->file[i] = -1;
    if (config->files && (h->folder = open(config->files, O_PATH | O_DIRECTORY | O_CLOEXEC)) < 0) {
        error_set(error, "--files %s: %s", config->files, strerror(errno));
        free(h);
        return NULL;
    }
    return h;
}

void host_free(struct host_device *h) {
    if (!h)
        return;
    for (unsigned i = 0; i < HOST_FILES_MAX; i++)
        if (h->file[i] >= 0)
            close(h->file[i]);
    if (h->folder >= 0)
        close(h->folder);
    if (h->records)
        fclose(h->records);
    for (unsigned i = 0; i < SOC_HARTS_MAX; i++) {
        free(h->window[i].request.at);
        free(h->window[i].answer.at);
    }
    free(h);
}

void host_journal(struct host_device *h, struct journal *journal) { h->journal = journal; }

FILE *host_records(struct host_device *h, uint64_t *bytes) {
    *bytes = h && h->records ? h->records_bytes : 0;
    if (!*bytes || fflush(h->records) != 0)
        return NULL;
    rewind(h->records);
    return h->records;
}

/* --- its state --------------------------------------------------------------------------------------- */

static void bytes_state(struct bytes *b, struct tally_state *s) {
    uint64_t n = b->n;
    STATE_SKIP(s, *b);
    STATE(s, n);
    if (!STATE_LIMIT(s, n <= HOST_REQUEST_MAX))
        return;
    if (s->reads) {
        b->n = 0;
        if (!room_for(b, (size_t)n)) {
            tally_state_refuse(s, "request", "is larger than memory");
            return;
        }
        b->n = (size_t)n;
    }
    s->numbers(s, "bytes", b->at, 1, n);
}

static void window_state(struct window *w, struct tally_state *s) {
    uint64_t taken = w->taken;
    bytes_state(&w->request, s);
    bytes_state(&w->answer, s);
    STATE_SKIP(s, w->taken);
    STATE(s, taken);
    STATE_EACH(s, w->arg);
    STATE(s, w->result);
    STATE(s, w->too_long);
    if (STATE_LIMIT(s, taken <= w->answer.n))
        w->taken = (size_t)taken;
}

/* Of an open file: its present path in the folder, and enum host_open. */
static bool describe_file(const struct host_device *h, int fd, char *path, size_t size, uint32_t *flags) {
    char name[32], folder[4096], at[4096];
    struct stat st;
    snprintf(name, sizeof name, "/proc/self/fd/%d", h->folder);
    const ssize_t n = readlink(name, folder, sizeof folder - 1);
    snprintf(name, sizeof name, "/proc/self/fd/%d", fd);
    const ssize_t k = readlink(name, at, sizeof at - 1);
    const int mode = fcntl(fd, F_GETFL);
    if (n <= 0 || k <= n || mode < 0 || fstat(fd, &st) != 0 || !st.st_nlink)
        return false;
    at[k] = 0;
    if (memcmp(at, folder, (size_t)n) != 0 || (at[n] != '/' && folder[n - 1] != '/') ||
        (size_t)(k - n) >= size)
        return false;
    snprintf(path, size, "%s", at + n + (at[n] == '/'));
    *flags = (uint32_t)(mode & O_ACCMODE) | (mode & O_APPEND ? HOST_APPEND : 0);
    return true;
}

static bool open_again(struct host_device *h, unsigned slot, const char *path, uint32_t flags,
                       int64_t position) {
    const int fd = open_beneath(h, path, (int)(flags & O_ACCMODE) | (flags & HOST_APPEND ? O_APPEND : 0));
    if (fd < 0)
        return false;
    h->file[slot] = fd;
    return lseek(fd, position, SEEK_SET) == position;
}

static void file_state(struct host_device *h, struct tally_state *s, unsigned slot) {
    char path[4096] = "", what[160];
    uint32_t flags = 0, length = 0;
    int64_t position = 0;
    if (!s->reads) {
        if (!describe_file(h, h->file[slot], path, sizeof path, &flags)) {
            tally_state_refuse(s, "an open file", "has no path in the folder of --files");
            return;
        }
        position = lseek(h->file[slot], 0, SEEK_CUR);
        length = (uint32_t)strlen(path);
    }
    STATE(s, length);
    if (!STATE_LIMIT(s, length < sizeof path))
        return;
    s->numbers(s, "path", path, 1, length);
    STATE(s, flags);
    STATE(s, position);
    if (!s->reads || *s->why || open_again(h, slot, path, flags, position))
        return;
    snprintf(what, sizeof what, "'%.60s' cannot be opened again: %s", path, strerror(errno));
    tally_state_refuse(s, "file", what);
}

static void files_state(struct host_device *h, struct tally_state *s) {
    uint64_t open_files = 0;
    STATE_SKIP(s, h->folder);
    STATE_SKIP(s, h->file);
    for (unsigned i = CONSOLE; i < HOST_FILES_MAX; i++) {
        if (s->reads && h->file[i] >= 0) {
            close(h->file[i]);
            h->file[i] = -1;
        }
        open_files |= (uint64_t)(h->file[i] >= 0) << i;
    }
    STATE(s, open_files);
    for (unsigned i = CONSOLE; i < HOST_FILES_MAX && !*s->why; i++)
        if (open_files >> i & 1)
            file_state(h, s, i);
}

static void records_state(struct host_device *h, struct tally_state *s) {
    uint8_t block[1 << 16];
    uint64_t left;
    STATE_SKIP(s, h->records);
    if (s->reads && h->records) {
        fclose(h->records);
        h->records = NULL;
    }
    STATE(s, h->records_bytes);
    left = h->records_bytes;
    if (!left || *s->why)
        return;
    bool ok = s->reads ? (h->records = tmpfile()) != NULL : fseek(h->records, 0, SEEK_SET) == 0;
    while (left && ok && !*s->why) {
        const size_t n = left < sizeof block ? (size_t)left : sizeof block;
        ok = s->reads || fread(block, 1, n, h->records) == n;
        if (!ok)
            break;
        s->numbers(s, "records", block, 1, n);
        ok = !s->reads || *s->why || fwrite(block, 1, n, h->records) == n;
        left -= n;
    }
    if (!ok || (!s->reads && fseek(h->records, 0, SEEK_END) != 0))
        tally_state_refuse(s, "the file of records", strerror(errno));
}

void host_state(struct host_device *h, struct tally_state *s) {
    STATE_SKIP(s, h->cfg);
    for (unsigned i = 0; i < SOC_HARTS_MAX; i++)
        window_state(&h->window[i], s);
    files_state(h, s);
    records_state(h, s);
    STATE_SKIP(s, h->printed);
    STATE_SKIP(s, h->journal);
}
