/* SPDX-License-Identifier: Apache-2.0 */
/* Traps into M-mode, but for the supervisor's calls (sbi.h). */
#ifndef FW_TRAP_H
#define FW_TRAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What trap_entry.S saves; the order is known to it. */
struct trap_frame {
    unsigned long x[32]; /* x[0] is always 0 */
    unsigned long epc;
    unsigned long status;
    unsigned long cause;
    unsigned long tval;
};

/* Make the trap one of the supervisor's, as if it had been delegated. The trap must come from S or U. */
void trap_redirect(struct trap_frame *frame, unsigned long cause, unsigned long tval);

/* Bytes of the instruction with low half `insn`. */
static inline unsigned insn_length(uint32_t insn) { return (insn & 3) == 3 ? 4 : 2; }

/* Accesses to memory as the mode that trapped sees it (mstatus.MPP), which may fail. */
struct guarded {
    uint64_t value;      /* low `size` bytes; the rest is left alone */
    unsigned long cause; /* 0: it did not fault */
    unsigned long tval;
};

_Static_assert(offsetof(struct guarded, cause) == 8, "guarded.S");

/* Read `size` (1 to 8) bytes at any alignment. `mstatus_bits`: MSTATUS_MPRV, MSTATUS_MXR. */
void guarded_load(unsigned long addr, unsigned size, unsigned long mstatus_bits, struct guarded *out);
void guarded_store(unsigned long addr, unsigned size, unsigned long mstatus_bits, struct guarded *inout);
/* Would a store to the aligned word at addr fault? It changes nothing (AMOOR with 0). */
void guarded_probe_store(unsigned long addr, struct guarded *out);

void fw_trap_entry(void);
/* False: not an access that can be emulated; the trap is the supervisor's as it is. */
bool misaligned_emulate(struct trap_frame *frame);

#endif
