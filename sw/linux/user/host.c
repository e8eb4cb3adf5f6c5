/* SPDX-License-Identifier: Apache-2.0 */
/* The host device (docs/host.md) and the finisher of the simulator, for Linux' shell: through /dev/mem, at
 * the addresses of the device tree. Needs root. */
#include "host.h"

#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <unistd.h>

enum { CHUNK = 1 << 16, PAGE = 4096, FAILED = 1, USAGE = 2 };
enum { FINISHER_FAIL = 0x3333, FINISHER_PASS = 0x5555 };

static const char usage[] =
    "usage: host get NAME [FILE]   copy the host's file NAME here; FILE -: to standard output\n"
    "       host put FILE [NAME]   copy FILE to the host; FILE -: standard input\n"
    "       host rm NAME           remove the host's file\n"
    "       host env NAME          print what --env gives; status 1 if there is none\n"
    "       host exit STATUS       end the machine with that status, 0 to 255\n";

static int failed(const char *what, const char *why) {
    fprintf(stderr, "host: %s: %s\n", what, why);
    return FAILED;
}

/* The registers of the device of this name in the tree; NULL if there is none or it cannot be mapped. */
static volatile void *device(const char *node) {
    uint8_t reg[8];
    uint64_t base = 0;
    char pattern[80];
    glob_t found;
    void *at = MAP_FAILED;
    int memory;
    FILE *file;

    snprintf(pattern, sizeof pattern, "/sys/firmware/devicetree/base/soc/%s@*/reg", node);
    if (glob(pattern, 0, NULL, &found) || !(file = fopen(found.gl_pathv[0], "rb")))
        return NULL;
    if (fread(reg, sizeof reg, 1, file) == 1) {
        for (unsigned i = 0; i < sizeof reg; i++)
            base = base << 8 | reg[i];
        if ((memory = open("/dev/mem", O_RDWR | O_SYNC)) >= 0)
            at = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, memory, (off_t)base);
    }
    fclose(file);
    return at == MAP_FAILED ? NULL : at;
}

/* One process at a time: a call is a sequence of accesses. */
static bool open_device(void) {
    volatile void *at = device("host");
    int lock = open("/tmp/.host", O_RDWR | O_CREAT | O_CLOEXEC, 0600);

    if (!at || lock < 0 || flock(lock, LOCK_EX)) {
        failed("no host device", "the simulator needs --files DIR or --program (docs/host.md)");
        return false;
    }
    host_base = (uintptr_t)at;
    return true;
}

static const char *name_of(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static int get(const char *name, const char *path) {
    static uint8_t chunk[CHUNK];
    int to = strcmp(path, "-") ? open(path, O_WRONLY | O_CREAT | O_TRUNC, 0666) : STDOUT_FILENO;
    long file = host_call(HOST_OPEN, HOST_READ_ONLY, 0, 0, name, strlen(name)), n;

    if (file < 0)
        return failed(name, strerror((int)-file));
    if (to < 0)
        return failed(path, strerror(errno));
    while ((n = host_call(HOST_READ, (uint64_t)file, CHUNK, 0, NULL, 0)) > 0) {
        host_answer(chunk, (size_t)n);
        for (long done = 0, part; done < n; done += part) {
            if ((part = write(to, chunk + done, (size_t)(n - done))) < 0)
                return failed(path, strerror(errno));
        }
    }
    host_call(HOST_CLOSE, (uint64_t)file, 0, 0, NULL, 0);
    return n < 0 ? failed(name, strerror((int)-n)) : close(to) ? failed(path, strerror(errno)) : 0;
}

/* Written under another name, so that the host never sees half of a file. */
static int put(const char *path, const char *name) {
    static uint8_t chunk[CHUNK];
    char part[256], both[512];
    int from = strcmp(path, "-") ? open(path, O_RDONLY) : STDIN_FILENO;
    long file, written = 0;
    ssize_t n;

    if (from < 0)
        return failed(path, strerror(errno));
    if ((size_t)snprintf(part, sizeof part, "%s.part", name) >= sizeof part)
        return failed(name, "name too long");
    file = host_call(HOST_OPEN, HOST_WRITE_ONLY | HOST_CREATE | HOST_TRUNCATE, 0, 0, part, strlen(part));
    if (file < 0)
        return failed(name, strerror((int)-file));
    while (written >= 0 && (n = read(from, chunk, CHUNK)) > 0)
        written = host_call(HOST_WRITE, (uint64_t)file, 0, 0, chunk, (size_t)n);
    host_call(HOST_CLOSE, (uint64_t)file, 0, 0, NULL, 0);
    if (written >= 0 && n == 0) {
        int length = snprintf(both, sizeof both, "%s%c%s", part, 0, name);
        written = host_call(HOST_RENAME, 0, 0, 0, both, (size_t)length);
    } else {
        host_call(HOST_REMOVE, 0, 0, 0, part, strlen(part));
    }
    return n < 0 ? failed(path, strerror(errno)) : written < 0 ? failed(name, strerror((int)-written)) : 0;
}

static int erase(const char *name) {
    long result = host_call(HOST_REMOVE, 0, 0, 0, name, strlen(name));
    return result < 0 ? failed(name, strerror((int)-result)) : 0;
}

/* Status 1 without a word if there is none: a shell asks for it. */
static int environment(const char *name) {
    size_t length = strlen(name), size;
    long n = host_call(HOST_GETENV, 0, 0, 0, NULL, 0);
    char *text;

    if (n < 0)
        return failed(name, strerror((int)-n));
    size = (size_t) * (volatile uint64_t *)(host_base + HOST_LEFT);
    if (!(text = malloc(size + 1)))
        return failed(name, strerror(ENOMEM));
    host_answer(text, size);
    for (char *at = text; n--; at += strlen(at) + 1) {
        if (!strncmp(at, name, length) && at[length] == '=') {
            puts(at + length + 1);
            return 0;
        }
    }
    return FAILED;
}

/* The finisher's words are those of QEMU's `virt` machine. */
static int end(const char *status) {
    char *rest;
    unsigned long code = strtoul(status, &rest, 10);
    volatile uint32_t *finisher;

    if (!*status || *rest || code > 255)
        return failed(status, "the status is a number from 0 to 255"), USAGE;
    if (!(finisher = device("test")))
        return failed("no finisher", "the device tree has none, or /dev/mem is not there");
    sync();
    *finisher = code ? (uint32_t)code << 16 | FINISHER_FAIL : FINISHER_PASS;
    for (;;)
        pause();
}

int main(int argc, char **argv) {
    const char *verb = argc > 1 ? argv[1] : "", *a = argc > 2 ? argv[2] : NULL,
               *b = argc > 3 ? argv[3] : NULL;

    if (!a || argc > 4) {
        fputs(usage, stderr);
        return USAGE;
    }
    if (!strcmp(verb, "exit") && !b)
        return end(a);
    if (!open_device())
        return FAILED;
    if (!strcmp(verb, "get"))
        return get(a, b ? b : name_of(a));
    if (!strcmp(verb, "put") && (b || strcmp(a, "-")))
        return put(a, b ? b : name_of(a));
    if (!strcmp(verb, "rm") && !b)
        return erase(a);
    if (!strcmp(verb, "env") && !b)
        return environment(a);
    fputs(usage, stderr);
    return USAGE;
}
