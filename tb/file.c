// SPDX-License-Identifier: Apache-2.0
#include "file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool read_all(int fd, struct file *file, struct error *error) {
    size_t done = 0;
    while (done < file->size) {
        const ssize_t n = read(fd, file->bytes + done, file->size - done);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return error_set(error, "%s: %s", file->path, strerror(errno));
        if (n == 0)
            return error_set(error, "%s: became shorter while it was read", file->path);
        done += (size_t)n;
    }
    return true;
}

static bool open_checked(int fd, struct file *file, uint64_t limit, struct error *error) {
    struct stat st;
    if (fstat(fd, &st) != 0)
        return error_set(error, "%s: %s", file->path, strerror(errno));
    if (S_ISDIR(st.st_mode))
        return error_set(error, "%s: is a directory", file->path);
    if (!S_ISREG(st.st_mode))
        return error_set(error, "%s: not a regular file", file->path);
    if (st.st_size == 0)
        return error_set(error, "%s: empty file", file->path);
    if ((uint64_t)st.st_size > limit)
        return error_set(error, "%s: too large: %lld bytes, at most %llu are accepted", file->path,
                         (long long)st.st_size, (unsigned long long)limit);
    file->size = (size_t)st.st_size;
    file->bytes = malloc(file->size);
    if (!file->bytes)
        return error_set(error, "%s: not enough memory for %lld bytes", file->path, (long long)st.st_size);
    return read_all(fd, file, error);
}

bool file_read(struct file *file, const char *path, uint64_t limit, struct error *error) {
    memset(file, 0, sizeof *file);
    file->path = path;
    const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK); /* a FIFO must not hang us */
    if (fd < 0)
        return error_set(error, "%s: %s", path, strerror(errno));
    const bool ok = open_checked(fd, file, limit, error);
    close(fd);
    if (!ok)
        file_free(file);
    return ok;
}

void file_free(struct file *file) {
    free(file->bytes);
    file->bytes = NULL;
    file->size = 0;
}
