// SPDX-License-Identifier: Apache-2.0
/*
 * The golden machine: golden harts, each with its golden PMU, main memory and devices; one instruction (or
 * trap) of each hart in a cycle, hart 0 first.
 *
 * It needs no RTL and no simulator. `mtime` ticks every `time_ratio` cycles. In WFI a hart's core clock is
 * halted and cycles go on until an interrupt is pending.
 */
#ifndef TALLY_ISS_MACHINE_H
#define TALLY_ISS_MACHINE_H

#include "checkpoint.h"
#include "iss_hart.h"

bool iss_open(struct iss *iss, const struct iss_config *config); /* false: memory is short */
void iss_close(struct iss *iss);

/* Its state includes `warm` from now on, which whoever runs the machine fills (iss_warm.h). False: memory is
 * short. */
bool iss_keep_warm(struct iss *iss);

/* One cycle. Returns a bit a hart that does not wait; step[] of these is filled. */
unsigned iss_cycle(struct iss *iss, struct gh_retire step[SOC_HARTS_MAX]);

/* The instructions that these harts have just executed take so many cycles more, of time and of counters. */
void iss_stall(struct iss *iss, unsigned moved, unsigned cycles);

/* While all harts wait: skip cycles without events, up to `limit` cycles (0: no limit) in all. False if only
 * input can end the wait. */
bool iss_skip(struct iss *iss, uint64_t limit);

void iss_receive(struct iss *iss, uint8_t byte); /* into the UART, if iss_uart_room() */

/* The state of harts, units and devices was put there from outside: derive the rest. */
void iss_follow(struct iss *iss);

/* iss_state.c: its state between two cycles, without main memory. A state that is read must be
 * of the same configuration. */
void iss_state(struct iss *iss, struct tally_state *state);
/* ... as a file, with main memory */
struct checkpoint iss_checkpoint(struct iss *iss);

#endif
