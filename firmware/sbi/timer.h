/* SPDX-License-Identifier: Apache-2.0 */
/* The supervisor's timer: stimecmp where the hart has it (Sstc), the machine timer else. */
#ifndef FW_TIMER_H
#define FW_TIMER_H

#include <stdint.h>

/* On every hart before it enters the supervisor: no timer set. */
void timer_setup_hart(void);
void timer_set(uint64_t when);
/* The machine timer has fired: the supervisor's timer interrupt is pending now. */
void timer_fired(void);

#endif
