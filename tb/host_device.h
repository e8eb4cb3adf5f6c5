// SPDX-License-Identifier: Apache-2.0
/*
 * The host device: a program on the machine uses console and files of the host, learns its arguments, and
 * writes its log of samples (docs/host.md). One state behind the RTL's port and behind the golden machine.
 *
 * Each hart has a window of its own. A call is a sequence of stores to DATA, ARG and CALL and loads of CALL
 * (its result, negative: an error number) and DATA. Nothing of the host's time is seen: the same input gives
 * the same answers in the same cycles.
 */
#ifndef TALLY_HOST_DEVICE_H
#define TALLY_HOST_DEVICE_H

#include "error.h"
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum {
    HOST_WINDOW = 0x1000, /* a hart's; they follow each other */
    /* registers, 8 bytes each */
    HOST_ID = 0x00, /* "TALLYHS1" */
    HOST_DATA =
        0x08, /* store: bytes of the request; load: of the answer, 0 behind its end. 1, 2, 4, 8 bytes */
    HOST_CALL = 0x10, /* store: perform; load: its result */
    HOST_LEFT = 0x18, /* bytes of the answer that were not loaded */
    HOST_ARG = 0x20,  /* three of them */
    HOST_ARGS = 3,
    HOST_REQUEST_MAX = 16 << 20, /* bytes of one request or answer */
    HOST_FILES_MAX = 64,         /* open at a time */
    HOST_ENV_MAX = 32,
};

enum host_call {
    HOST_OPEN = 1, /* data: path; ARG0: enum host_open -> number of the file */
    HOST_CLOSE,    /* ARG0: file */
    HOST_READ,     /* ARG0: file, ARG1: bytes -> bytes in the answer, 0 at the end */
    HOST_WRITE,    /* ARG0: file, data -> bytes */
    HOST_SEEK,     /* ARG0: file, ARG1: offset, ARG2: 0 from start, 1 from here, 2 from the end -> position */
    HOST_SIZE,     /* ARG0: file -> bytes; -ESPIPE for the console */
    HOST_REMOVE,   /* data: path */
    HOST_RENAME,   /* data: old path, 0, new path */
    HOST_GETARGS,  /* -> number of arguments; answer: each, with a 0 behind it */
    HOST_GETENV,   /* -> number of variables NAME=VALUE; answer: each, with a 0 behind it */
    HOST_PROGRAM,  /* -> number of words; answer: enum host_program, 8 bytes each; -ENOENT: there is none */
    HOST_RECORDS,  /* data: sample records, as docs/profile.md has them behind the header */
    HOST_FAULT, /* ARG0: cause (scause, or enum host_fault), ARG1: pc, ARG2: stval: for a message with symbols
                 */
};

enum host_fault {
    HOST_STACK_OVERFLOW = 64,
    HOST_HEAP_EXHAUSTED, /* the program goes on */
};

enum host_open {
    HOST_READ_ONLY,
    HOST_WRITE_ONLY,
    HOST_READ_WRITE,
    HOST_CREATE = 4,
    HOST_EXCLUSIVE = 8,
    HOST_TRUNCATE = 16,
    HOST_APPEND = 32,
};

/* Words of HOST_PROGRAM's answer: addresses and sizes in bytes, then for each segment its start, its end and
 * its flags (ELF's: 1 execute, 2 write, 4 read). */
enum host_program {
    PROGRAM_ENTRY,
    PROGRAM_RAM_END, /* the end of the memory that it may use */
    PROGRAM_STACK,
    PROGRAM_HEAP,  /* 0: all that is left */
    PROGRAM_CLOCK, /* of time, Hz */
    PROGRAM_SEGMENTS,
    PROGRAM_SEGMENT,
    PROGRAM_SEGMENT_WORDS = 3
};

struct host_config {
    const char *files; /* the folder that the program sees; NULL: none */
    const char *name;  /* argument 0 */
    char *const *args; /* the others */
    unsigned args_n;
    const char *const *env;
    unsigned env_n;
    const uint64_t *program;                /* words of enum host_program */
    unsigned program_words;                 /* 0: there is none */
    bool (*print)(void *ctx, uint8_t byte); /* the console; true: a text that was waited for is complete */
    void *print_ctx;
    void (*fault)(const void *ctx, uint64_t cause, uint64_t pc, uint64_t value);
    const void *fault_ctx;
};

struct host_device;
struct tally_state; /* tb/golden/tally_state.h */

#ifdef __cplusplus
extern "C" {
#endif

/* The config is copied, but not the objects that it points to. NULL: `error` says why. */
struct host_device *host_new(const struct host_config *config, struct error *error);
void host_free(struct host_device *host);

/* Accesses at an offset into the device, `size` bytes (1, 2, 4, 8). */
uint64_t host_load(struct host_device *host, uint64_t offset, unsigned size);
/* True: print() was. */
bool host_store(struct host_device *host, uint64_t offset, unsigned size, uint64_t value);

/* Its state between two accesses. Of files that are open: their path in the folder and the
 * position, not their contents. */
void host_state(struct host_device *host, struct tally_state *state);

/* Keep a journal of the answers, or give those of a journal that is repeated. */
struct journal;
void host_journal(struct host_device *h, struct journal *journal);

/* The bytes of HOST_RECORDS so far, from the beginning of the file; NULL: none. */
FILE *host_records(struct host_device *host, uint64_t *bytes);

#ifdef __cplusplus
}
#endif

#endif
