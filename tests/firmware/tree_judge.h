/* SPDX-License-Identifier: Apache-2.0 */
/* What a device tree says, read with libfdt: the judge of the firmware's own reading. */
#ifndef TESTS_FIRMWARE_TREE_JUDGE_H
#define TESTS_FIRMWARE_TREE_JUDGE_H

#include <stdbool.h>
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

/* ... if the tree does not have what tree_fix() promises, or is otherwise another than before. Both are of no
 * more use. */
void judge_fixed(void *before, void *after);

#endif
