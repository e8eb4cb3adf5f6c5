/* SPDX-License-Identifier: Apache-2.0 */
/* The instruction that trapped. */
#ifndef FW_INSN_H
#define FW_INSN_H

#include <stdbool.h>
#include <stdint.h>

struct trap_frame;

/* Bytes of the instruction with low half `insn` */
static inline unsigned insn_length(uint32_t insn) { return (insn & 3) == 3 ? 4 : 2; }

/* The instruction as the trapped mode fetched it; false: it cannot be read any more. */
bool insn_fetch(const struct trap_frame *frame, uint32_t *insn);

#endif
