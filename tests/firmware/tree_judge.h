/* SPDX-License-Identifier: Apache-2.0 */
/* What a device tree says, read with libfdt: the judge of the firmware's own reading. */
#ifndef TESTS_FIRMWARE_TREE_JUDGE_H
#define TESTS_FIRMWARE_TREE_JUDGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "hart_set.h"
#include "isa.h"
#include "platform.h"
#include "tree.h"

enum { JUDGE_RANGES_MAX = 64 };

struct judged {
    struct tree tree; /* but what is for tree_fix() alone */
    unsigned long harts;
    uint8_t isa[HARTS_MAX];
    struct judged_range {
        uint64_t base, size;
    } memory[JUDGE_RANGES_MAX]; /* the first of them, in the tree's order */
    unsigned ranges;
};

/* False: it is no tree. */
bool judge_read(const void *blob, uint32_t limit, struct judged *judged);

/* Ends the program with a message if the two differ. */
void judge_compare(const struct judged *judged, const struct judged *firmware);

/* Can tree_fix() reserve the firmware's memory? */
bool judge_fixable(const void *blob);

/* Each ends the program with a message if tree_fix() has not done what it promises: the tree has the
 * reservation and no table, and else what it had; or the tables alone are gone. The trees are of no more use.
 */
void judge_fixed(void *before, void *after);
void judge_refused(void *before, const void *after, size_t size);

#endif
