/* SPDX-License-Identifier: Apache-2.0 */
/* Samples added up: by pc, line and function. */
#ifndef TALLY_PROFILE_H
#define TALLY_PROFILE_H

#include "buffer.h"
#include "histogram.h"
#include "program.h"
#include "records.h"

enum latency { LATENCY_DISPATCH, LATENCY_ISSUE, LATENCY_EXECUTION, LATENCY_OLDEST, LATENCY_TOTAL, LATENCIES };
extern const char *const latency_names[LATENCIES];

/* Control transfers, in the order of their bits in the record; OTHER has none. */
enum transfer {
    TRET,
    NTBR,
    TKBR,
    INDCALL,
    DIRCALL,
    INDJMP,
    DIRJMP,
    CORSWAP,
    RET,
    INDLJMP,
    DIRLJMP,
    TRANSFERS
};
extern const char *const transfer_names[TRANSFERS];

/* By code of DSRC, of which the reference hart has TALLY_DSRC_N (spec/record.yaml). */
enum { SOURCES = 16 };
const char *source_name(unsigned code);

enum { LOST_TEXT = 160 }; /* characters that profile_lost needs at most */

enum miss { MISS_ITLB, MISS_ICACHE, MISS_L1, MISS_LL, MISS_L1TLB, MISS_LLTLB, MISSES };
extern const char *const miss_names[MISSES];

extern const char *const flush_names[4];

struct counts {
    uint64_t samples, flushed;
    struct histogram latency[LATENCIES];
    uint64_t miss[MISSES], source[SOURCES];
    uint64_t memory; /* loads, stores and both */
    uint64_t transfer[TRANSFERS], transfers, mispredicted;
};

struct spot {
    uint64_t pc;
    struct counts counts;
    struct frame frames[FRAMES_MAX]; /* the innermost function first */
    size_t frames_n;
};

/* A function or a line. */
struct row {
    const char *name; /* function; or file */
    int line;         /* 0: a function */
    struct counts counts;
};

struct profile {
    const struct records *records;
    const struct program *program;
    bool events; /* samples of a counter's overflows (Sspesa), not of instructions */
    struct counts all;
    uint64_t type[SAMPLE_TYPES], flush[4];
    struct spot *spots; /* by pc */
    size_t spots_n;
    size_t *hottest;               /* indices of spots, most samples first */
    struct row *functions, *lines; /* most samples first */
    size_t functions_n, lines_n;
};

/* A delegated counter counts M-mode too, and the supervisor cannot turn that off: if M-mode was not to be
 * sampled, move the samples in the program's files of M-mode behind the others. */
void profile_leave_out(struct records *r, const struct program *program);

/* Both stay the caller's and must outlive the profile. */
void profile_make(struct profile *p, const struct records *records, struct program *program);
void profile_free(struct profile *p);

/* The spot of a pc that was sampled. */
const struct spot *profile_spot(const struct profile *p, uint64_t pc);
/* The kind of a control transfer, TRANSFERS if it has none. */
enum transfer sample_transfer(const struct sample *s);
/* What it is called: the workload, or the file. */
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
