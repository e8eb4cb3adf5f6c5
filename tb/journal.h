// SPDX-License-Identifier: Apache-2.0
/*
 * Input of a run from outside (keyboard, answers of the host's files), so that it can be repeated: a
 * queue of records, in order.
 */
#ifndef TALLY_JOURNAL_H
#define TALLY_JOURNAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum journal_kind { JOURNAL_CONSOLE, JOURNAL_HOST, JOURNAL_KINDS };

struct journal;

struct journal *journal_new(void); /* NULL: not enough memory */
void journal_free(struct journal *j);

/* False: not enough memory. `number` is the cycle, or the result of the host's call. */
bool journal_add(struct journal *j, enum journal_kind kind, uint64_t number, const void *bytes, size_t n);

/* Bytes of all records that were ever added; and those before `position` are not needed any more. */
uint64_t journal_position(const struct journal *j);
void journal_forget(struct journal *j, uint64_t position);

/* The records from `position` on: how many bytes there are, and to where they go. */
const void *journal_from(const struct journal *j, uint64_t position, size_t *n);

/* These bytes are all records now, and the run repeats them. */
void journal_replay(struct journal *j, void *bytes, size_t n);
bool journal_replays(const struct journal *j);

/* The next record of a kind, for the run that repeats them; false: there is none. Without `take` it stays the
 * next. */
bool journal_next(struct journal *j, enum journal_kind kind, bool take, uint64_t *number,
                  const uint8_t **bytes, size_t *n);

#endif
