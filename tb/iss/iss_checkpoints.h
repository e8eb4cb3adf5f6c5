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
    uint64_t first, next;  /* where the first period begins; the number of the next one */
    uint64_t seed;         /* of offsets in periods, */
    bool random;           /* ... if there are any */
    uint64_t often;        /* of new code: executions of an instruction; 0: it is for something else */
    uint64_t skip, window; /* ... instructions from the last one until code is known, and how many */
    bool due, written;
};

struct iss_checkpoints {
    struct iss *iss;
    struct iss_wish wish[OPTIONS_TEXTS_MAX];
    unsigned n;
    uint64_t next_count;      /* instructions: the first count that is still to come */
    bool pcs;                 /* a pc is waited for */
    bool stored;              /* they are not compressed */
    const char *files;        /* the folder that is copied with each; NULL: none is */
    bool due;                 /* of any */
    struct iss_wish *code;    /* the one that waits for new code; NULL: none does */
    uint64_t code_at;         /* instructions when its last one was written */
    bool known;               /* by iss_checkpoints_code() */
    uint64_t warm_up, window; /* of those that come again: instructions until their window, and in it */
    uint64_t window_from, window_to; /* the last one's, as numbers of instructions */
    uint64_t window_name;            /* ... and the number in its file's name */
    uint64_t sampled_from;           /* windows are a sample of the instructions from here on */
    bool (*fill)(void *ctx);         /* NULL, or gives `iss` its state before it is written; false: not now */
    void *ctx;
};

/* Text conditions are seen from here on. */
bool iss_checkpoints_open(struct iss_checkpoints *c, const struct machine *machine,
                          const struct options *options, struct error *error);

/* The program prints a byte. */
void iss_checkpoints_printed(struct iss_checkpoints *c, uint8_t byte);

/* Before the first cycle: restore `path` (NULL: do not), and write files that are due at once. */
bool iss_checkpoints_begin(struct iss_checkpoints *c, struct iss *iss, const char *path, struct error *error);

/* After a cycle, for the harts that moved: is one due? */
bool iss_checkpoints_due(struct iss_checkpoints *c, unsigned moved, const struct gh_retire *step);
/* With `code`: an instruction that is not known has executed so often. If it is new code write a checkpoint
 * (false: `error`). It is `known` then, and if it executes in the window behind the last one. */
bool iss_checkpoints_code(struct iss_checkpoints *c, unsigned hart, unsigned mode, uint64_t pc,
                          uint64_t executions, struct error *error);
/* Has the last instruction executed in the window behind a checkpoint? */
static inline bool iss_checkpoints_in_window(const struct iss_checkpoints *c) {
    return c->iss->retired > c->window_from && c->iss->retired <= c->window_to;
}
/* Write due files. */
bool iss_checkpoints_write(struct iss_checkpoints *c, struct error *error);

/* At the end; false also if a condition has not come. */
bool iss_checkpoints_end(struct iss_checkpoints *c, struct error *error);

#endif
