/* SPDX-License-Identifier: Apache-2.0 */
/* ACLINT: machine timer and software interrupts. */
#ifndef FW_TIMER_H
#define FW_TIMER_H

#include <stdint.h>

#define TIMER_NEVER UINT64_MAX

uint64_t timer_now(void); /* mtime */
/* Ask for a timer interrupt of this hart at `when`; TIMER_NEVER takes the interrupt away. MIE and mie are the
 * caller's. */
void timer_set(uint64_t when);

void ipi_send(unsigned hart);
void ipi_clear(unsigned hart);

/* Wake a parked hart: it calls function(hart, argument) and parks again when that returns. */
void hart_start(unsigned hart, void (*function)(uint64_t hart, void *argument), void *argument);

#endif
