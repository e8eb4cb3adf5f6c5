/* SPDX-License-Identifier: Apache-2.0 */
/* Reading FST wave files. */
#ifndef TALLY_WAVE_FILE_H
#define TALLY_WAVE_FILE_H

#include "error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct wave_signal {
    char *name;      /* with its hierarchy, as in GTKWave */
    uint32_t handle; /* signals that are always equal may share one */
    uint32_t width;  /* bits */
};

struct wave {
    const char *path; /* the caller's string */
    void *reader;
    struct wave_signal *list; /* in the order of the file */
    size_t n;
    uint32_t handles;    /* one more than the highest */
    uint64_t start, end; /* times, in the file's unit */
};

/* `value` has one character per bit, the highest first, and no terminator. */
typedef void wave_change(void *ctx, uint64_t time, uint32_t handle, const char *value);

/* After a failure there is nothing to close. */
bool wave_open(struct wave *wave, const char *path, struct error *error);
void wave_close(struct wave *wave);

/* Every change of the handles with `wanted` set, in the order of time; first the values at the start. */
bool wave_read(struct wave *wave, const bool *wanted, wave_change *change, void *ctx, struct error *error);

/* Hexadecimal digits of a value, or the characters if not all are 0 or 1. `text` holds width + 1 characters.
 */
void wave_hex(char *text, const char *value, uint32_t width);

#endif
