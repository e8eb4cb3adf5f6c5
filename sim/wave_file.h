/* SPDX-License-Identifier: Apache-2.0 */
/* Reading FST wave files. */
#ifndef TALLY_WAVE_FILE_H
#define TALLY_WAVE_FILE_H

#include "error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct wave_signal {
    char *name;      /* with its place in the hierarchy, as GTKWave shows it */
    uint32_t handle; /* signals that are always equal may share one */
    uint32_t width;  /* bits */
};

struct wave {
    const char *path; /* the caller's string */
    void *reader;
    struct wave_signal *list; /* in the order of the file */
    size_t n;
    uint32_t handles;    /* all are below */
    uint64_t start, end; /* times, in the file's unit */
};

/* `value` has a character a bit, the highest first, and is not terminated. */
typedef void wave_change(void *ctx, uint64_t time, uint32_t handle, const char *value);

/* Nothing is left to close after a failure. */
bool wave_open(struct wave *wave, const char *path, struct error *error);
void wave_close(struct wave *wave);

/* Every change of the handles for which `wanted` is set, in the order of time; at first the values at the
 * start. */
bool wave_read(struct wave *wave, const bool *wanted, wave_change *change, void *ctx, struct error *error);

/* Hexadecimal digits of a value, or the characters if not all are 0 or 1. `text` holds width + 1 characters.
 */
void wave_hex(char *text, const char *value, uint32_t width);

#endif
