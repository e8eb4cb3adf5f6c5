/* SPDX-License-Identifier: Apache-2.0 */
/* The supervisor's timer: stimecmp where the hart has it (Sstc), the machine timer else. */
#ifndef FW_TIMER_H
#define FW_TIMER_H

#include <stdbool.h>
#include <stdint.h>

struct trap_frame;

/* On every hart before it enters the supervisor: no timer set. */
void timer_setup_hart(void);
void timer_set(uint64_t when);
/* The machine timer has fired: the supervisor's timer interrupt is pending now. */
void timer_fired(void);

/* True: the illegal instruction was a read of `time` on a hart that leaves it to M-mode (privileged manual,
 * Machine Counter-Enable Register); done, and epc is that of the next instruction. False: the trap is the
 * supervisor's. */
bool timer_emulate(struct trap_frame *frame);

#endif
