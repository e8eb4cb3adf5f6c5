/* SPDX-License-Identifier: Apache-2.0 */
/* Traps into M-mode other than the supervisor's calls (sbi.h). */
#ifndef FW_TRAP_H
#define FW_TRAP_H

#include "hart.h"

/* Registers of the trapped mode. trap_entry.S saves them in this order. */
struct trap_frame {
    unsigned long x[32]; /* x[0] is always 0 */
    unsigned long epc;
    unsigned long status;
    unsigned long cause;
    unsigned long tval;
};

/* Registers of an SBI call, below struct hart; trap_entry.S saves them in this order. */
struct call_frame {
    unsigned long ra, t[7], a2, a3, a4, a5, a6, a7, tp, sp;
};

static inline struct call_frame *call_frame(void) { return (struct call_frame *)(void *)this_hart - 1; }

void fw_trap_entry(void);
/* Called by trap_entry.S, on a stack of its own, for a trap inside the firmware: report it and stop the
 * machine. */
__attribute__((noreturn)) void trap_in_firmware(const struct trap_frame *frame);

#endif
