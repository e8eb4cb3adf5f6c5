/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Precise sampling from S-mode (docs/sampling.md), for programs that are linked with sw/supervisor. After
 * sampling_start() no SBI call is made: counters, sampling registers and both interrupts are the
 * supervisor's own, if the device tree delegates counters to it (tally-sim --delegate).
 *
 *   kind               interrupt       a record is                                    ends in
 *   SAMPLING_COUNTER   LCOFI a sample  made by the handler from shpmspc (Sspesa)      the log
 *   SAMPLING_REGISTERS LCOFI a sample  read from the sample registers (MEM=0)         the log
 *   SAMPLING_RECORD    LCOFI a sample  read from the buffer (MEM=1)                   the log
 *   SAMPLING_BATCHES   LAMBI a half    read from the buffer, half a buffer at a time  the log
 * SAMPLING_TOGETHER  both            COUNTER and BATCHES at once                    the log
 *   SAMPLING_RECORDER  LAMBI a half    left in the buffer, which goes round           the buffer
 *
 * A counter's sample is a record of type 0 with the counter's bit in HPM, pc shpmspc, and in pdisadr1 the pc
 * that was interrupted (sepc). Behind it there may be records with its call stack (docs/profile.md). Both
 * handlers are in handler.S. While one source runs, siselect belongs to the driver, and stvec leads to its
 * handlers first; traps that are not its own go to supervisor_trap. RV64 only.
 */
#ifndef SW_SAMPLING_H
#define SW_SAMPLING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tally_spec.h"

struct sampling_record {
    uint64_t hdrev, pc, time, lat, adr1, adr2, zero[2];
};

enum sampling_kind {
    SAMPLING_OFF,
    SAMPLING_COUNTER,
    SAMPLING_REGISTERS,
    SAMPLING_RECORD,
    SAMPLING_BATCHES,
    SAMPLING_RECORDER,
    SAMPLING_TOGETHER
};

/* Where samples end: the file of docs/profile.md as stored in memory. `tally-sim --records FILE`
 * writes the log that has the name tally_records. */
enum { SAMPLING_NAME = 64, SAMPLING_BUILD_ID = 20 };
struct sampling_log {
    char magic[8];
    uint32_t version, header_size, xlen, record_size;
    uint64_t count, time_clock, core_clock, period, bias; /* the clocks are the simulator's to fill in */
    uint32_t pid, name_length;
    uint64_t lost, begin, end; /* samples for which there was no space; `time` of start and stop */
    uint32_t modes;            /* bit n: privilege mode n was to be sampled */
    uint32_t build_id_length;
    uint8_t build_id[SAMPLING_BUILD_ID];
    uint32_t zero;
    char name[SAMPLING_NAME];
    struct sampling_record records[];
};

#define SAMPLING_LOG(symbol, capacity)                                                                       \
    union {                                                                                                  \
        struct sampling_log log;                                                                             \
        char bytes[sizeof(struct sampling_log) + (capacity) * sizeof(struct sampling_record)];               \
    } symbol __attribute__((aligned(64)))

/* Logs the call stack that U-mode was interrupted in. */
typedef void sampling_walker(uintptr_t ra, uintptr_t fp, uintptr_t sp);

/* One that walks frame pointers in [stack, end), which is mapped and which the supervisor may read; NULL if
 * that is empty. walk.c is linked only by programs that call it. */
sampling_walker *sampling_stacks(uintptr_t stack, uintptr_t end);

struct sampling_setup {
    enum sampling_kind kind;
    bool user, supervisor; /* modes that are sampled; S-mode must run with interrupts on to be */
    uint64_t period;       /* events, or decoded instructions, a sample */
    uint64_t instructions; /* SAMPLING_TOGETHER: decoded instructions; `period` is of events */
    uint64_t jitter;       /* 2^n - 1: each sample's (batches: each batch's) period is up to this longer */
    uint64_t seed;         /* ... by how much; 0: always the same */

    unsigned counter; /* SAMPLING_COUNTER: a delegated one */
    uint64_t event;   /* ... its selector */

    uint64_t control;             /* others: SEL, HPM, ACC, TS, PA, EPT of spdisctl */
    uint64_t mask, match, filter; /* ... spdisevmask, spdisevmatch, spdisfilter */

    struct sampling_record *buffer; /* with a buffer: aligned to its size, as satp translates it now */
    size_t buffer_size;             /* 4096 << n */

    struct sampling_log *log; /* not SAMPLING_RECORDER; all 0 when it is used for the first time */
    size_t capacity;          /* records */

    sampling_walker *walk; /* SAMPLING_COUNTER, SAMPLING_TOGETHER; NULL: no call stacks */

    /* Takes the records of a full log, which is then used anew; false: they are lost. NULL: samples that find
     * the log full are lost. It runs in the handler, while nothing is sampled. */
    bool (*sink)(const struct sampling_record *records, size_t n);
};

/* State of the handlers; handler.S depends on the layout. */
struct sampling_now {
    struct sampling_record *next, *end; /* of the log */
    uint64_t seed, jitter;
    uint64_t preset;              /* of the counter, before jitter is subtracted */
    uint64_t event, header;       /* of the counter, of its records */
    uint64_t lost;                /* samples for which the log had no room */
    struct sampling_record *tail; /* the oldest record in the buffer that was not read */
    uint64_t control;             /* spdisambcs to acknowledge an interrupt with */
    uint64_t size;                /* of the buffer, bytes */
    uint64_t interrupts;
    uint64_t faults;       /* of the buffer's translation; one ends the sampling */
    uint64_t instructions; /* INITVAL and COUNT of spdiscounter, before jitter is subtracted */
    uint64_t sources;      /* bits of scountinhibit */
    void (*full)(void);    /* empties the log; NULL: samples are lost then */
    sampling_walker *walk; /* of the setup */
};
extern struct sampling_now sampling_now;

/* Everything of one task's sampling; the registers as they are while it does not run. */
struct sampling_state {
    enum sampling_kind kind;
    struct sampling_now now;
    struct sampling_setup setup;
    uint64_t event, value, pc, data; /* of the counter */
    uint64_t control, counter, mask, match, filter, buffer_control, buffer_address, words[6];
    bool pending; /* an LCOFI */
};

/* Is the hardware of this kind of sampling there, and delegated to the supervisor? */
bool sampling_available(enum sampling_kind kind);

/* The setup is copied; its buffer and log stay the caller's. The log is emptied. False: the buffer cannot be
 * translated. */
bool sampling_start(const struct sampling_setup *setup, const char *name);

/* Waits for samples under way, and completes the log. Returns the number of records in log or buffer; those
 * of a recorder are before sampling_newest(), in a circle. */
size_t sampling_stop(void);

/* Of the current or last run */
const struct sampling_now *sampling_status(void);
const struct sampling_record *sampling_newest(void);

/* Context switch: sampling stops, and its state is saved in `state`; or it continues from `state`.
 * The buffer must be mapped at both. */
void sampling_save(struct sampling_state *state);
void sampling_restore(const struct sampling_state *state);

#endif
