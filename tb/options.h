// SPDX-License-Identifier: Apache-2.0
/* The command line of tally-sim. */
#ifndef TALLY_OPTIONS_H
#define TALLY_OPTIONS_H

#include "error.h"

#include <stdint.h>

enum { OPTIONS_TEXTS_MAX = 32, OPTIONS_WAVE_LAST_MAX = 100000000, OPTIONS_UNSET = -1 };

struct option_texts {
    const char *text[OPTIONS_TEXTS_MAX];
    unsigned n;
};

struct options {
    const char *bios, *kernel, *initrd, *dtb, *append;
    const char *dump_dtb;
    const char *wave, *wave_from, *wave_to, *stop;
    struct option_texts wave_scope; /* parts of the machine */
    uint64_t wave_last;             /* cycles before the end of a run that fails; 0: not so */
    const char *trace, *konata, *stacks, *interrupts, *crosses, *records, *sample_log, *cycles, *where;
    const char *program, *files;
    const char *gdb;         /* address of the debugger (gdb_link.h) */
    struct option_texts set; /* SYMBOL=VALUE */
    struct option_texts env; /* NAME=VALUE */
    struct option_texts checkpoint;
    const char *at[OPTIONS_TEXTS_MAX]; /* the condition of each; NULL: the end of the run */
    const char *restore;
    char *const *args; /* of the program, `args_n` of them: everything behind "--" */
    unsigned args_n;
    uint64_t stack, heap; /* bytes; heap 0: all that is left */
    uint64_t memory;      /* bytes */
    unsigned harts;
    unsigned xlen;            /* of the hart and of ELF files: 64, or 32 (tally-iss only) */
    uint64_t max_cycles;      /* 0: no limit */
    uint64_t warm_up, window; /* instructions before --where counts, and that it counts; 0: all */
    uint64_t reset_after;     /* cycles before a reset; 0: no reset */
    uint64_t core_clock;      /* Hz, in the device tree */
    uint64_t delegated;       /* counters that the device tree delegates to the supervisor */
    int lockstep_threads;     /* of the golden models: 0 or 1; OPTIONS_UNSET */
    bool branches;            /* ... event-based branches too */
    bool stored;              /* checkpoints are not compressed */
    bool warm;                /* checkpoints have the state of caches, translations, predictor */
    bool timed;               /* tally-iss: cycles of instructions are estimated */
    bool copy_files;          /* a copy of `files` beside each checkpoint */
    bool no_smepmp;           /* a hart without Smepmp */
    bool debug, wait;         /* -s, -S */
    bool no_ebb;              /* ... without event-based branches (no option: as the machine is built) */
    bool wave_all;            /* all signals instead of the default set */
    bool lockstep, tags, quiet, help, version, completion, nographic;
};

bool options_parse(struct options *options, int argc, char *const *argv, struct error *error);
void options_help(FILE *out);
/* A completion of the program's options for bash */
void options_completion(const char *program, FILE *out);

#endif
