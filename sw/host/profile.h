/* SPDX-License-Identifier: Apache-2.0 */
/* Samples added up: by pc, line and function. */
#ifndef TALLY_PROFILE_H
#define TALLY_PROFILE_H

#include "buffer.h"
#include "callers.h"
#include "calls.h"
#include "counts.h"
#include "program.h"
#include "records.h"
#include "slots.h"

enum { LOST_TEXT = 160 }; /* characters that profile_lost needs at most */

struct spot {
    uint64_t pc;
    struct counts counts;
    struct frame *frames; /* the innermost function first */
    size_t frames_n;
};

/* A function or a line. */
struct row {
    const char *name; /* function; or file */
    int line;         /* 0: a function */
    struct counts counts;
};

/* Samples that are not shown, of a function */
struct left_out {
    const char *name;
    uint64_t samples;
};

struct profile {
    const struct records *records;
    const struct program *program;
    bool events;             /* samples of a counter's overflows (Sspesa), not of instructions */
    bool interrupted;        /* ... each at the pc that its interrupt met, not at its cause */
    uint64_t period;         /* events or decoded instructions a sample; 0: not known */
    uint64_t oldest, newest; /* times of the file's records */
    uint64_t read;           /* samples of the file, of every kind */
    struct counts all;
    uint64_t type[SAMPLE_TYPES], flush[4];
    struct spot *spots; /* by pc */
    size_t spots_n;
    size_t *hottest;               /* indices of spots, most samples first */
    struct row *functions, *lines; /* most samples first */
    size_t functions_n, lines_n;
    struct calls calls;        /* of overflows with call stacks; n = 0: none has one */
    struct left_out *left_out; /* in M-mode, which was not to be sampled; most samples first */
    size_t left_out_n;
};

/* The records of a run and the program that ran: a profile of its overflows, one of its instructions, or
 * both, in this order. */
struct run {
    struct records records;
    struct program *program;
    bool interrupts;        /* asked for */
    struct slots slots;     /* asked for */
    struct callers callers; /* of all cycles, from tally-sim --stacks; n = 0: not known */
    struct profile profiles[3];
    size_t n;
};

/* Add up the run's records, which are read once and not kept. A delegated counter counts M-mode too, and the
 * supervisor cannot turn that off: if M-mode was not to be sampled, samples in the program's files of M-mode
 * are left out. After a failure there are no profiles. */
bool run_read(struct run *run, struct error *error);
void run_free_profiles(struct run *run);

/* The spot of a sample in a profile; NULL if it is of another kind or was left out. */
const struct spot *profile_spot_of(const struct profile *p, const struct sample *s);
/* The spot of a pc that was sampled. */
const struct spot *profile_spot(const struct profile *p, uint64_t pc);
/* Its name: the workload, or the file. */
const char *profile_name(const struct profile *p);
/* The modes of the profile, as "U, S"; "" if they are not known. */
const char *profile_modes(const struct profile *p);
/* Write how many samples of M-mode were left out, and of which functions. False: there are none. */
bool profile_left_out(const struct profile *p, struct buffer *out);
/* Write that the log was full, and how much of the run the profile covers. False: it was not. */
bool profile_lost(const struct profile *p, char *text, size_t size);
/* The last part of a path, "?" if there is none. */
const char *short_name(const char *path);

#endif
