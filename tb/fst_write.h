// SPDX-License-Identifier: Apache-2.0
/*
 * Writes wave files in GTKWave's format FST. The caller only logs which signal has which value from now on; a
 * thread sorts the log by signals, compresses it and writes the file.
 *
 * Order of calls: fst_open(), then scopes and signals, then fst_time() and fst_change() as often as one
 * likes, with rising times, and fst_close().
 */
#ifndef TALLY_FST_WRITE_H
#define TALLY_FST_WRITE_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct fst_write;

/* The open part of the log. A record: handle, index of its time, the value in words of 32 bits (lowest
 * first). */
struct fst_log {
    uint32_t *at;
    uint32_t time;
};

/* A time unit is a nanosecond. NULL: `errno` says why. */
struct fst_write *fst_open(const char *path);

void fst_scope(struct fst_write *f, const char *name);
void fst_upscope(struct fst_write *f);

/* A signal of the open scope, with the file format's numbers of type and direction. Returns its handle;
 * `alias` is the handle of a signal that has the same values, or 0. */
uint32_t fst_signal(struct fst_write *f, int type, int direction, const char *name, unsigned bits,
                    uint32_t alias);

/* The time from now on. Between two calls there is at most one change of each signal. */
void fst_time(struct fst_write *f, uint64_t time);

struct fst_log *fst_log_of(struct fst_write *f);

static inline void fst_change32(struct fst_log *log, uint32_t handle, uint32_t value) {
    uint32_t *at = log->at;
    at[0] = handle;
    at[1] = log->time;
    at[2] = value;
    log->at = at + 3;
}

/* Of a signal of more than 32 bits */
static inline void fst_change(struct fst_log *log, uint32_t handle, const uint32_t *words, unsigned n) {
    uint32_t *at = log->at;
    at[0] = handle;
    at[1] = log->time;
    for (unsigned i = 0; i < n; i++)
        at[2 + i] = words[i];
    log->at = at + 2 + n;
}

/* False: not everything could be written. */
bool fst_close(struct fst_write *f);

#ifdef __cplusplus
}
#endif

#endif
