// SPDX-License-Identifier: Apache-2.0
/* The host device alone: files stay in their folder, errors have their numbers, any sequence of accesses is
 * served.
 */
#include "host_device.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char printed[256], fault_text[64];
static size_t printed_n;

static bool print(void *ctx, uint8_t byte) {
    (void)ctx;
    if (printed_n < sizeof printed - 1)
        printed[printed_n++] = (char)byte;
    return byte == '\n';
}

static void fault(const void *ctx, uint64_t cause, uint64_t pc, uint64_t value) {
    (void)ctx;
    snprintf(fault_text, sizeof fault_text, "%d %d %d", (int)cause, (int)pc, (int)value);
}

static int64_t call(struct host_device *h, unsigned hart, enum host_call number, uint64_t a0, uint64_t a1,
                    uint64_t a2, const void *data, size_t n) {
    const uint64_t base = (uint64_t)hart * HOST_WINDOW;
    for (size_t i = 0; i < n; i++)
        host_store(h, base + HOST_DATA, 1, ((const uint8_t *)data)[i]);
    host_store(h, base + HOST_ARG, 8, a0);
    host_store(h, base + HOST_ARG + 8, 8, a1);
    host_store(h, base + HOST_ARG + 16, 8, a2);
    host_store(h, base + HOST_CALL, 8, number);
    return (int64_t)host_load(h, base + HOST_CALL, 8);
}

static int64_t open_path(struct host_device *h, const char *path, uint64_t flags) {
    return call(h, 0, HOST_OPEN, flags, 0, 0, path, strlen(path));
}

static unsigned failures;

static void check(bool ok, const char *what) {
    if (!ok)
        printf("WRONG: %s\n", what);
    failures += !ok;
}

static void files(struct host_device *h) {
    char back[8] = "";
    const int64_t f = open_path(h, "a", HOST_WRITE_ONLY | HOST_CREATE | HOST_TRUNCATE);
    check(f == 3, "the first file is 3");
    check(call(h, 0, HOST_WRITE, (uint64_t)f, 0, 0, "hello", 5) == 5, "write");
    check(call(h, 0, HOST_SIZE, (uint64_t)f, 0, 0, NULL, 0) == 5, "size");
    check(call(h, 0, HOST_CLOSE, (uint64_t)f, 0, 0, NULL, 0) == 0, "close");
    check(call(h, 0, HOST_CLOSE, (uint64_t)f, 0, 0, NULL, 0) == -EBADF, "close twice");
    check(open_path(h, "/a", HOST_READ_ONLY) == 3, "the folder is the program's root");
    check(call(h, 0, HOST_SEEK, 3, 1, 0, NULL, 0) == 1, "seek");
    check(call(h, 0, HOST_READ, 3, 100, 0, NULL, 0) == 4, "read");
    check(host_load(h, HOST_LEFT, 8) == 4, "left");
    back[0] = (char)host_load(h, HOST_DATA, 1);
    const uint64_t rest = host_load(h, HOST_DATA, 8);
    memcpy(back + 1, &rest, 4);
    check(strcmp(back, "ello") == 0 && rest >> 24 == 0, "the answer, and zeros behind it");
    check(call(h, 0, HOST_READ, 3, 100, 0, NULL, 0) == 0, "the end of the file");
    check(call(h, 0, HOST_WRITE, 3, 0, 0, "x", 1) == -EBADF, "write to what is open for reading");
    check(call(h, 0, HOST_RENAME, 0, 0, 0, "a\0b", 3) == 0 && open_path(h, "a", 0) == -ENOENT, "rename");
    check(call(h, 0, HOST_REMOVE, 0, 0, 0, "b", 1) == 0 && open_path(h, "b", 0) == -ENOENT, "remove");
    check(call(h, 0, HOST_CLOSE, 3, 0, 0, NULL, 0) == 0, "close");
}

static void outside(struct host_device *h, const char *folder) {
    char path[512];
    static const char *const paths[] = {"../secret", "sub/../../secret", "link", "up/secret", "/../secret"};
    snprintf(path, sizeof path, "%s/link", folder);
    assert(symlink("../secret", path) == 0);
    snprintf(path, sizeof path, "%s/up", folder);
    assert(symlink("..", path) == 0);
    snprintf(path, sizeof path, "%s/fifo", folder);
    assert(mkfifo(path, 0600) == 0);
    for (unsigned i = 0; i < sizeof paths / sizeof *paths; i++) {
        check(open_path(h, paths[i], HOST_READ_ONLY) < 0, paths[i]);
        check(open_path(h, paths[i], HOST_WRITE_ONLY | HOST_CREATE) < 0, paths[i]);
        check(call(h, 0, HOST_REMOVE, 0, 0, 0, paths[i], strlen(paths[i])) < 0 || i == 2,
              "remove outside of the folder"); /* a link itself may go */
    }
    check(open_path(h, "fifo", HOST_READ_ONLY) == -EACCES, "a pipe is not a file");
    check(open_path(h, ".", HOST_READ_ONLY) == -EISDIR, "a folder is not a file");
    check(open_path(h, "", HOST_READ_ONLY) == -EINVAL, "no path");
    check(open_path(h, "none", 64) == -EINVAL && open_path(h, "none", 3) == -EINVAL, "flags");
    check(call(h, 0, HOST_OPEN, 0, 0, 0, "a\0b", 3) == -EINVAL, "a path with a 0 inside");
}

static void others(struct host_device *h) {
    char text[32] = "";
    check(call(h, 0, HOST_WRITE, 1, 0, 0, "line\n", 5) == 5 && strcmp(printed, "line\n") == 0, "console");
    check(call(h, 1, HOST_GETARGS, 0, 0, 0, NULL, 0) == 3, "arguments, of the other hart");
    for (unsigned i = 0; i < 9; i++)
        text[i] = (char)host_load(h, HOST_WINDOW + HOST_DATA, 1);
    check(memcmp(text, "name\0a\0b", 9) == 0, "their texts");
    check(host_load(h, HOST_LEFT, 8) == 0, "harts have answers of their own");
    check(call(h, 0, HOST_PROGRAM, 0, 0, 0, NULL, 0) == -ENOENT, "no program");
    check(call(h, 0, HOST_FAULT, 1, 2, 3, NULL, 0) == 0 && strcmp(fault_text, "1 2 3") == 0, "fault");
    check(call(h, 0, (enum host_call)99, 0, 0, 0, NULL, 0) == -ENOSYS, "a call that is not there");
    check(host_load(h, HOST_ID, 8) == UINT64_C(0x315348594C4C4154), "id");
    uint64_t bytes;
    check(!host_records(h, &bytes) && bytes == 0, "no records");
    check(call(h, 0, HOST_RECORDS, 0, 0, 0, "0123456789", 10) == 0, "records");
    FILE *f = host_records(h, &bytes);
    check(f && bytes == 10 && fread(text, 1, 10, f) == 10 && memcmp(text, "0123456789", 10) == 0,
          "the records as they came");
    unsigned opened = 0;
    while (open_path(h, "many", HOST_READ_WRITE | HOST_CREATE) > 0)
        opened++;
    check(opened == HOST_FILES_MAX - 3, "as many files as it says");
    check(open_path(h, "many", HOST_READ_ONLY) == -EMFILE, "too many files");
}

/* Nothing that a program does may harm the host: no file is touched outside, no memory is. */
static void noise(struct host_device *h, unsigned seed) {
    printf("seed %u\n", seed);
    srandom(seed);
    for (unsigned i = 0; i < 200000; i++) {
        const uint64_t offset = (uint64_t)random() % (random() % 4 ? 0x40 : 2 * HOST_WINDOW);
        const unsigned size = 1u << random() % 4;
        const uint64_t value = random() % 3 ? (uint64_t)random() % 16 : (uint64_t)random() << (random() % 33);
        if (random() % 3 == 0)
            host_load(h, offset, size);
        else if (offset % HOST_WINDOW != HOST_CALL || value != HOST_READ) /* not from this test's input */
            host_store(h, offset, size, value);
    }
}

int main(int argc, char **argv) {
    char folder[] = "/tmp/tally-host-XXXXXX", inside[64], path[96];
    char *const args[] = {"a", "b"};
    struct error error;
    assert(mkdtemp(folder));
    snprintf(inside, sizeof inside, "%s/inside", folder);
    snprintf(path, sizeof path, "%s/secret", folder);
    assert(mkdir(inside, 0700) == 0);
    FILE *secret = fopen(path, "w");
    assert(secret && fputs("secret", secret) >= 0 && fclose(secret) == 0);
    struct host_config config = {
        .files = inside, .name = "name", .args = args, .args_n = 2, .print = print, .fault = fault};
    struct host_device *h = host_new(&config, &error);
    assert(h);
    files(h);
    outside(h, inside);
    others(h);
    host_free(h);
    h = host_new(&config, &error);
    noise(h, argc > 1 ? (unsigned)strtoul(argv[1], NULL, 10) : (unsigned)getpid());
    host_free(h);
    secret = fopen(path, "r");
    check(secret && fgets(path, 16, secret) && strcmp(path, "secret") == 0, "the file outside");
    if (secret)
        fclose(secret);
    config.files = NULL;
    h = host_new(&config, &error);
    check(open_path(h, "a", HOST_READ_ONLY) == -ENOENT, "no folder");
    host_free(h);
    config.files = "/nonexistent";
    check(!host_new(&config, &error) && strstr(error.text, "/nonexistent"), "a folder that is not there");
    printf("%u wrong\n", failures);
    return failures != 0;
}
