// SPDX-License-Identifier: Apache-2.0
/*
 * Files of checkpoints: the state of a machine and its memory (docs/farm.md has the format).
 */
#ifndef TALLY_CHECKPOINT_H
#define TALLY_CHECKPOINT_H

#include "error.h"
#include "tally_state.h"

enum { CHECKPOINT_VERSION = 2 };

struct checkpoint {
    uint8_t *ram;
    uint64_t ram_size;
    /* Walks all fields but memory, in both directions. */
    void (*state)(void *ctx, struct tally_state *s);
    void *ctx;
    bool stored; /* not compressed: larger, and written faster (docs/farm.md) */
};

/* A file of this name is replaced when the new one is whole; otherwise it stays, and nothing else remains. */
bool checkpoint_write(const char *path, const struct checkpoint *c, struct error *error);

/* Fill the fields and memory. After a failure the machine is of no use. */
bool checkpoint_read(const char *path, const struct checkpoint *c, struct error *error);

/* The same of a file that is in memory; `name` is for messages. */
bool checkpoint_parse(const uint8_t *bytes, size_t size, const char *name, const struct checkpoint *c,
                      struct error *error);

#endif
