/* SPDX-License-Identifier: Apache-2.0 */
/* Traps that the firmware passes on. */
#ifndef FW_REDIRECT_H
#define FW_REDIRECT_H

#include <stdbool.h>

struct trap_frame;

/* On every hart before it enters the supervisor: does it have the hypervisor extension? */
void redirect_setup_hart(void);

/* The high half of mstatus as the trap left it: 0 on RV64, where frame->status has it. To be read before any
 * access that may fault (guarded.h), which changes it. */
unsigned long redirect_status_high(void);

/* Make the trap the supervisor's, as if it had been delegated: of a guest, if the hypervisor delegates it
 * further. It must not come from M-mode. */
void redirect(struct trap_frame *frame, unsigned long status_high);

/* Software events (SBI, chapter SSE) interrupt like traps, and return unlike them. */
enum { EVENT_SPV = 1, EVENT_SPVP = 2 };
/* hstatus of the supervisor that an event interrupts: EVENT_* */
unsigned redirect_guest_before(void);
/* The status of the supervisor as its handler finds it, and hstatus: interrupts off, where it came from kept
 */
void redirect_to_event(unsigned long *status);
/* ... and as the handler leaves it: SPP, SPIE and what hstatus had are those of before the event. */
void redirect_from_event(unsigned long *status, bool spp, bool spie, unsigned guest);

#endif
