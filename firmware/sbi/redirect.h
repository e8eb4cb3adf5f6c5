/* SPDX-License-Identifier: Apache-2.0 */
/* Traps that the firmware takes only to hand them on. */
#ifndef FW_REDIRECT_H
#define FW_REDIRECT_H

#include "trap.h"

/* On every hart before it enters the supervisor: does it have the hypervisor extension? */
void redirect_setup_hart(void);

/* The high half of mstatus as the trap left it: 0 on RV64, where frame->status has it. To be read before any
 * access that may fault (guarded.h), which changes it. */
unsigned long redirect_status_high(void);

/* Make the trap the supervisor's, as if it had been delegated: of a guest, if the hypervisor delegates it
 * further. It must not come from M-mode. */
void redirect(struct trap_frame *frame, unsigned long status_high);

#endif
