// SPDX-License-Identifier: Apache-2.0
/* The checkpoints of a run of tally-iss: when they are written, and the one that it begins with. */
#ifndef TALLY_ISS_CHECKPOINTS_H
#define TALLY_ISS_CHECKPOINTS_H

#include "condition.h"
#include "iss_machine.h"
#include "machine.h"

struct iss_wish {
    const char *path, *at;
    struct condition when; /* CONDITION_NONE: at the end */
    uint64_t period;       /* instructions; 0: it is written once */
    bool due, written;
};

struct iss_checkpoints {
    struct iss *iss;
    struct iss_wish wish[OPTIONS_TEXTS_MAX];
    unsigned n;
    uint64_t next_count;     /* instructions: the first count that is still to come */
    bool pcs;                /* a pc is waited for */
    const char *files;       /* the folder that is copied with each; NULL: none is */
    bool due;                /* of any */
    bool (*fill)(void *ctx); /* NULL, or gives `iss` its state before it is written; false: not now */
    void *ctx;
};

/* Text conditions are seen from here on. */
bool iss_checkpoints_open(struct iss_checkpoints *c, const struct machine *machine,
                          const struct options *options, struct error *error);

/* The program prints a byte. */
void iss_checkpoints_printed(struct iss_checkpoints *c, uint8_t byte);

/* Before the first cycle: restore `path` (NULL: do not), and write what is due at once. */
bool iss_checkpoints_begin(struct iss_checkpoints *c, struct iss *iss, const char *path, struct error *error);

/* After a cycle, for the harts that moved: is one due? */
bool iss_checkpoints_due(struct iss_checkpoints *c, unsigned moved, const struct gh_retire *step);
/* Write what is due. */
bool iss_checkpoints_write(struct iss_checkpoints *c, struct error *error);

/* At the end; false also if a condition has not come. */
bool iss_checkpoints_end(struct iss_checkpoints *c, struct error *error);

#endif
