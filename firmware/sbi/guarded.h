/* SPDX-License-Identifier: Apache-2.0 */
/* Accesses to memory as the mode that trapped sees it (mstatus.MPP). They may fail. */
#ifndef FW_GUARDED_H
#define FW_GUARDED_H

#include <stddef.h>
#include <stdint.h>

struct guarded {
    uint64_t value;      /* low `size` bytes; the others are not changed */
    unsigned long cause; /* 0: no fault */
    unsigned long tval;
};

_Static_assert(offsetof(struct guarded, cause) == 8, "guarded.S");

/* Read `size` (1 to 8) bytes at any alignment. `mstatus_bits`: MSTATUS_MPRV, MSTATUS_MXR. */
void guarded_load(unsigned long addr, unsigned size, unsigned long mstatus_bits, struct guarded *out);
void guarded_store(unsigned long addr, unsigned size, unsigned long mstatus_bits, struct guarded *inout);
/* Copy `size` bytes as M-mode, without translation. False: an access faulted; what was copied before stays.
 */
bool guarded_copy(void *to, const void *from, unsigned long size);
/* Would a store to the aligned word at addr fault? Memory is not changed (AMOOR with 0). */
void guarded_probe_store(unsigned long addr, struct guarded *out);

#endif
