/* SPDX-License-Identifier: Apache-2.0 */
/* Traps into M-mode other than the supervisor's calls (sbi.h). */
#ifndef FW_TRAP_H
#define FW_TRAP_H

struct trap_frame;

void fw_trap_entry(void);
/* Called by trap_entry.S, on a stack of its own, for a trap inside the firmware: report it and stop the
 * machine. */
__attribute__((noreturn)) void trap_in_firmware(const struct trap_frame *frame);

#endif
