// SPDX-License-Identifier: Apache-2.0
/*
 * Waves of the last cycles of a run that fails (--wave-last), at the cost of nothing while nothing fails: at
 * intervals the process makes a copy of itself (fork), which waits. If the run fails, the copy that is far
 * enough back runs once more to the same cycle, and writes the waves. Input from outside is repeated from
 * the journal.
 */
#ifndef TALLY_RING_H
#define TALLY_RING_H

#include "error.h"
#include "run_state.h"

struct ring;

/* NULL: the file cannot be written, or memory is short. An older file of this name is removed. */
struct ring *ring_new(struct run *run, struct error *error);
void ring_free(struct ring *ring);

/* Is it time for a copy? */
bool ring_due(const struct ring *ring);

/* Between two cycles: a copy, if it is time for one. The process has no other thread then. */
void ring_point(struct ring *ring);

/* The console has got these bytes before the current cycle. */
void ring_console(struct ring *ring, const uint8_t *bytes, unsigned n);

/* Write the waves of the last cycles before `end`. */
bool ring_write(struct ring *ring, uint64_t end, struct error *error);

#endif
