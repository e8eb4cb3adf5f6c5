// SPDX-License-Identifier: Apache-2.0
#include "folder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <unistd.h>

enum { BLOCK = 1 << 30, DEPTH = 64 };

static bool copy_bytes(int from, int to) {
    ssize_t n;
    do
        n = sendfile(to, from, NULL, BLOCK);
    while (n > 0);
    return n == 0;
}

static bool copy_file(int from, int to, const char *name, mode_t mode) {
    const int in = openat(from, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
    const int out = in < 0 ? -1 : openat(to, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode & 0777);
    bool ok = out >= 0 && copy_bytes(in, out);
    if (in >= 0)
        close(in);
    return out < 0 ? ok : close(out) == 0 && ok;
}

static bool copy_link(int from, int to, const char *name) {
    char target[4096];
    const ssize_t n = readlinkat(from, name, target, sizeof target - 1);
    if (n < 0)
        return false;
    target[n] = 0;
    return symlinkat(target, to, name) == 0;
}

static bool copy_all(int from, int to, unsigned depth);

/* NOLINTNEXTLINE(misc-no-recursion): as deep as folders are, DEPTH at most */
static bool copy_folder(int from, int to, const char *name, mode_t mode, unsigned depth) {
    if (depth == DEPTH) {
        errno = ELOOP;
        return false;
    }
    if (mkdirat(to, name, 0777) != 0)
        return false;
    const int in = openat(from, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
    const int out = openat(to, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    const bool ok = in >= 0 && out >= 0 && copy_all(in, out, depth + 1) && fchmod(out, mode & 0777) == 0;
    if (in >= 0)
        close(in);
    if (out >= 0)
        close(out);
    return ok;
}

/* NOLINTNEXTLINE(misc-no-recursion) */
static bool copy_one(int from, int to, const char *name, unsigned depth) {
    struct stat st;
    if (strcmp(name, ".") == 0 || strcmp(name, "..") == 0)
        return true;
    if (fstatat(from, name, &st, AT_SYMLINK_NOFOLLOW) != 0)
        return false;
    if (S_ISREG(st.st_mode))
        return copy_file(from, to, name, st.st_mode);
    if (S_ISDIR(st.st_mode))
        return copy_folder(from, to, name, st.st_mode, depth);
    return !S_ISLNK(st.st_mode) || copy_link(from, to, name);
}

/* NOLINTNEXTLINE(misc-no-recursion) */
static bool copy_all(int from, int to, unsigned depth) {
    const int listed = dup(from);
    DIR *folder = listed < 0 ? NULL : fdopendir(listed);
    const struct dirent *entry;
    bool ok = folder != NULL;
    while (ok && (errno = 0, entry = readdir(folder)))
        ok = copy_one(from, to, entry->d_name, depth);
    ok = ok && !errno;
    if (folder)
        closedir(folder);
    else if (listed >= 0)
        close(listed);
    return ok;
}

/* Is `folder`, which is open, `of` or below it? */
static bool is_inside(int folder, const struct stat *of) {
    struct stat st, above;
    int at = dup(folder);
    bool inside = false, top = at < 0 || fstat(at, &st) != 0;
    while (!top && !(inside = st.st_dev == of->st_dev && st.st_ino == of->st_ino)) {
        const int up = openat(at, "..", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        top = up < 0 || fstat(up, &above) != 0 || (above.st_dev == st.st_dev && above.st_ino == st.st_ino);
        close(at);
        at = up;
        st = above;
    }
    if (at >= 0)
        close(at);
    return inside;
}

bool folder_copy(const char *from, const char *to, struct error *error) {
    const int in = open(from, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (in < 0)
        return error_set(error, "%s: %s", from, strerror(errno));
    const int out = mkdir(to, 0777) == 0 ? open(to, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
    struct stat st;
    bool ok = out >= 0 && fstat(in, &st) == 0;
    if (ok && is_inside(out, &st)) {
        rmdir(to);
        error_set(error, "%s: a copy of %s cannot be inside it", to, from);
        ok = false;
    } else if (!ok || !copy_all(in, out, 0)) {
        error_set(error, "%s: %s", to, strerror(errno));
        ok = false;
    }
    close(in);
    if (out >= 0)
        close(out);
    return ok;
}
