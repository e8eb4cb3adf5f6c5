/* SPDX-License-Identifier: Apache-2.0 */
/* The supervisor's registers, saved by trap_entry.S on the hart's stack. */
#ifndef FW_TRAP_FRAME_H
#define FW_TRAP_FRAME_H

#include "hart_state.h"

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

#endif
