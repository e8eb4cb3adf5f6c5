/* SPDX-License-Identifier: Apache-2.0 */
/* Emulation of misaligned loads and stores. */
#ifndef FW_MISALIGNED_H
#define FW_MISALIGNED_H

#include <stdbool.h>

struct trap_frame;

/* True: done, and epc is that of the next instruction. False: the trap is the supervisor's. If a byte of the
 * access faulted, cause and tval are then those of that fault. */
bool misaligned_emulate(struct trap_frame *frame);

#endif
