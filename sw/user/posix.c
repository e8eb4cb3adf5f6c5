/* SPDX-License-Identifier: Apache-2.0 */
/* The functions that picolibc asks its system for, by calls of the supervisor (calls.h). */
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio-bufio.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/times.h>
#include <unistd.h>
#include <utime.h>

#include "calls.h"

static long call(long number, long a0, long a1, long a2) {
    register long r0 __asm__("a0") = a0;
    register long r1 __asm__("a1") = a1;
    register long r2 __asm__("a2") = a2;
    register long r7 __asm__("a7") = number;

    __asm__ volatile("ecall" : "+r"(r0) : "r"(r1), "r"(r2), "r"(r7) : "memory");
    return r0;
}

static long checked(long result) {
    if (result >= 0)
        return result;
    errno = (int)-result;
    return -1;
}

/* --- files ---------------------------------------------------------------------------------------- */

int open(const char *path, int flags, ...) {
    long mode = flags & O_ACCMODE; /* 0, 1, 2 in both */

    mode |= flags & O_CREAT ? 4 : 0;
    mode |= flags & O_EXCL ? 8 : 0;
    mode |= flags & O_TRUNC ? 16 : 0;
    mode |= flags & O_APPEND ? 32 : 0;
    return (int)checked(call(CALL_OPEN, (long)path, mode, 0));
}

int close(int file) { return (int)checked(call(CALL_CLOSE, file, 0, 0)); }

ssize_t read(int file, void *buffer, size_t n) {
    return checked(call(CALL_READ, file, (long)buffer, (long)n));
}

ssize_t write(int file, const void *buffer, size_t n) {
    return checked(call(CALL_WRITE, file, (long)buffer, (long)n));
}

off_t lseek(int file, off_t offset, int from) { return checked(call(CALL_SEEK, file, offset, from)); }

int unlink(const char *path) { return (int)checked(call(CALL_REMOVE, (long)path, 0, 0)); }

int rename(const char *from, const char *to) {
    return (int)checked(call(CALL_RENAME, (long)from, (long)to, 0));
}

int fstat(int file, struct stat *st) {
    const long size = call(CALL_SIZE, file, 0, 0);

    if (size < 0 && size != -ESPIPE)
        return (int)checked(size);
    memset(st, 0, sizeof *st);
    st->st_mode = size < 0 ? S_IFCHR | 0600 : S_IFREG | 0600;
    st->st_size = size < 0 ? 0 : size;
    st->st_blksize = 4096;
    st->st_nlink = 1;
    return 0;
}

int stat(const char *path, struct stat *st) {
    const int file = open(path, O_RDONLY);
    int result;

    if (file < 0)
        return -1;
    result = fstat(file, st);
    close(file);
    return result;
}

int lstat(const char *path, struct stat *st) { return stat(path, st); }

int access(const char *path, int mode) {
    const int file = open(path, mode & W_OK ? O_RDWR : O_RDONLY);

    return file < 0 ? -1 : close(file);
}

/* Owners, rights and times of files are the host's: accepted, and nothing changes. */
int chmod(const char *path, mode_t mode) {
    (void)path, (void)mode;
    return 0;
}

int fchmod(int file, mode_t mode) {
    (void)file, (void)mode;
    return 0;
}

int chown(const char *path, uid_t user, gid_t group) {
    (void)path, (void)user, (void)group;
    return 0;
}

int fchown(int file, uid_t user, gid_t group) {
    (void)file, (void)user, (void)group;
    return 0;
}

int utime(const char *path, const struct utimbuf *times) {
    (void)path, (void)times;
    return 0;
}

int isatty(int file) {
    if (file >= 0 && file <= 2)
        return 1;
    errno = ENOTTY;
    return 0;
}

/* --- process ---------------------------------------------------------------------------------------- */

void _exit(int status) {
    call(CALL_EXIT, status & 255, 0, 0);
    __builtin_unreachable();
}

void *sbrk(ptrdiff_t by) {
    const long old = call(CALL_BREAK, 0, 0, 0);

    if (by == 0 || call(CALL_BREAK, old + by, 0, 0) == old + by)
        return (void *)old;
    errno = ENOMEM;
    return (void *)-1;
}

pid_t getpid(void) { return 1; }

int kill(pid_t pid, int signal) {
    (void)pid;
    _exit(128 + signal); /* there is no other process */
}

/* --- time ------------------------------------------------------------------------------------------- */

int gettimeofday(struct timeval *restrict now, void *restrict zone) {
    const long nanoseconds = call(CALL_CLOCK, 0, 0, 0);

    (void)zone;
    now->tv_sec = nanoseconds / 1000000000;
    now->tv_usec = nanoseconds % 1000000000 / 1000;
    return 0;
}

clock_t times(struct tms *t) {
    const clock_t now = (clock_t)(call(CALL_CLOCK, 0, 0, 0) / (1000000000 / CLOCKS_PER_SEC));

    *t = (struct tms){.tms_utime = now};
    return now;
}

/* --- standard streams -------------------------------------------------------------------------------- */

static char in[BUFSIZ], out[BUFSIZ], err[64];
static struct __file_bufio streams[3] = {
    FDEV_SETUP_BUFIO(0, in, sizeof in, read, write, lseek, close, __SRD, 0),
    FDEV_SETUP_BUFIO(1, out, sizeof out, read, write, lseek, close, __SWR, __BLBF),
    FDEV_SETUP_BUFIO(2, err, sizeof err, read, write, lseek, close, __SWR, __BLBF),
};
FILE *const stdin = (FILE *)&streams[0];
FILE *const stdout = (FILE *)&streams[1];
FILE *const stderr = (FILE *)&streams[2];

/* At exit */
void user_flush(void);

void user_flush(void) {
    fflush(stdout);
    fflush(stderr);
}
