/* SPDX-License-Identifier: Apache-2.0 */
/* Top-down slots of a run, from the table of counts that the machine printed (docs/programs.md). */
#ifndef TALLY_SLOTS_H
#define TALLY_SLOTS_H

#include "error.h"

#include <stdbool.h>
#include <stdint.h>

enum { SLOTS_ALL, SLOTS_RETIRING, SLOTS_FRONTEND, SLOTS_BACKEND, SLOTS_RECOVERY, SLOTS_N };

struct slots {
    bool known;
    uint64_t n[SLOTS_N];
};

/* Read the five counts TOPDOWN.*; a line is a number, with commas, and a name. */
bool slots_read(struct slots *s, const char *path, struct error *error);

#endif
