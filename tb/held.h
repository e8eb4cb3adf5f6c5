// SPDX-License-Identifier: Apache-2.0
/*
 * The harts of tally-sim held between two instructions, until stores have left and nothing is under way, so
 * that RTL and golden models get the same values: for a debugger, and for a checkpoint.
 *
 * A CSR is written as an instruction of M-mode would write it, and the golden PMU sees that at its ports.
 */
#ifndef TALLY_HELD_H
#define TALLY_HELD_H

#include "cycles.h"
#include "lockstep.h"

enum { HELD_PC = 32, HELD_MODE = 33 }; /* registers of held_reg() behind x1 to x31 */
enum { HELD_FOLLOW = 4 };              /* cycles until all logic has seen a write */

struct held {
    struct sim *sim;
    struct cycles *const *cycles; /* of each hart, or NULL */
    struct lockstep_state golden[SOC_HARTS_MAX];
    unsigned flags;            /* of the run, without SIM_WATCH */
    bool event[SOC_HARTS_MAX]; /* an instruction retired, or a trap was taken, in the current cycle */
    bool on, failed, exited;   /* the harts are held; lockstep has found a difference; the program ended */
    bool stale;                /* caches and translations are to be emptied */
    char refusal[160];         /* why something was refused */
};

void held_init(struct held *held, struct sim *sim, struct lockstep *lockstep, struct cycles *const *cycles);

/* Fills `refusal`, returns false. */
__attribute__((format(printf, 2, 3))) bool held_refuse(struct held *held, const char *format, ...);

/* Run for some cycles; false: a difference. */
bool held_run(struct held *held, unsigned cycles);

/* Hold the harts, if they aren't held; false: refused. */
bool held_begin(struct held *held);
/* Empty stale caches and translations. */
void held_forget(struct held *held);
/* ... and let the harts go, HELD_FOLLOW cycles later. */
void held_end(struct held *held);

/* Write x1 to x31, the pc, the mode; a CSR; RAM from an offset on. Held before, or refused. */
bool held_reg(struct held *held, unsigned hart, unsigned i, uint64_t value);
bool held_csr(struct held *held, unsigned hart, unsigned num, uint64_t value);
bool held_ram(struct held *held, uint64_t offset, const uint8_t *bytes, uint64_t n);

#endif
