// SPDX-License-Identifier: Apache-2.0
/* A whole file in memory. */
#ifndef TALLY_FILE_H
#define TALLY_FILE_H

#include "error.h"

#include <stddef.h>
#include <stdint.h>

struct file {
    const char *path; /* the caller's string */
    uint8_t *bytes;
    size_t size;
};

/* Read `path`, a regular file of 1..limit bytes. After a failure there is nothing to free. */
bool file_read(struct file *file, const char *path, uint64_t limit, struct error *error);
void file_free(struct file *file);

#endif
