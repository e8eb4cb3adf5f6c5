/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Every access to memory that is not the firmware's: as the mode that trapped sees it (mstatus.MPP), or to
 * physical addresses with the rights of S-mode. All go by MPRV, so PMP refuses the firmware's own memory, and
 * with Smepmp nothing else would reach the supervisor's. They may fail.
 */
#ifndef FW_GUARDED_H
#define FW_GUARDED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct guarded {
    uint64_t value;      /* low `size` bytes; the others are not changed */
    unsigned long cause; /* 0: no fault */
    unsigned long tval;
};

_Static_assert(offsetof(struct guarded, cause) == 8, "guarded.S");

/* The hart samples into a buffer (spdisambcs), which must not see another satp. Before supervisors run */
extern bool guarded_buffer;

/* Read `size` (1 to 8) bytes at any alignment. `mstatus_bits`: MSTATUS_MPRV, MSTATUS_MXR. */
void guarded_load(unsigned long addr, unsigned size, unsigned long mstatus_bits, struct guarded *out);
void guarded_store(unsigned long addr, unsigned size, unsigned long mstatus_bits, struct guarded *inout);
/* Does the byte at addr answer to M-mode? For the boot: later the supervisor's memory is not M-mode's. */
bool guarded_answers(uintptr_t addr);
/* Copy `size` bytes from or to physical memory with the rights of S-mode, and to or from the firmware's with
 * its own. False: an access faulted; bytes copied before it stay. */
bool guarded_read(void *to, uintptr_t from, unsigned long size);
bool guarded_write(uintptr_t to, const void *from, unsigned long size);
/* Would a load or store of S-mode to the aligned word at the physical address fault? Memory is not changed.
 */
bool guarded_probe(uintptr_t addr);
/* Would a store to the aligned word at addr fault? Memory is not changed (AMOOR with 0). */
void guarded_probe_store(unsigned long addr, struct guarded *out);

#endif
