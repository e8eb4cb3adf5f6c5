/* SPDX-License-Identifier: Apache-2.0 */
/* Traps into M-mode. */
#ifndef FW_TRAP_H
#define FW_TRAP_H

#include <stdbool.h>
#include <stdint.h>

/* What trap_entry.S saves; the order is known to it. */
struct trap_frame {
    uint64_t x[32]; /* x[0] is always 0 */
    uint64_t epc;
    uint64_t status;
    uint64_t cause;
    uint64_t tval;
};

/* Returns false if it cannot handle the trap: it then goes to the supervisor, or ends the program. May change
 * the frame. */
typedef bool (*trap_handler)(struct trap_frame *frame);

/* `code` below 32. NULL removes the handler. */
void trap_set_exception(unsigned code, trap_handler handler);
void trap_set_interrupt(unsigned code, trap_handler handler);

/* Make the trap one of the supervisor's, as if it had been delegated. The trap must come from S or U. */
void trap_redirect(struct trap_frame *frame, uint64_t cause, uint64_t tval);

/* Bytes of the instruction with low half `insn`. */
static inline unsigned insn_length(uint32_t insn) { return (insn & 3) == 3 ? 4 : 2; }

/* Accesses to memory as the mode that trapped sees it (mstatus.MPP), which may fail. */
struct guarded {
    uint64_t value;
    uint64_t cause; /* 0: it did not fault */
    uint64_t tval;
};

/* Read `size` (1 to 8) bytes at any alignment. `mstatus_bits`: MSTATUS_MPRV, MSTATUS_MXR. */
void guarded_load(uint64_t addr, unsigned size, uint64_t mstatus_bits, struct guarded *out);
void guarded_store(uint64_t addr, unsigned size, uint64_t mstatus_bits, struct guarded *inout);

void fw_trap_entry(void);
bool misaligned_emulate(struct trap_frame *frame);

#endif
