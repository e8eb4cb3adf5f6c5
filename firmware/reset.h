/* SPDX-License-Identifier: Apache-2.0 */
/* The end: SiFive's test finisher, as on QEMU. */
#ifndef FW_RESET_H
#define FW_RESET_H

#include <stdint.h>

extern uintptr_t finisher_base; /* FINISHER_BASE if nobody says otherwise */

/* Leave the machine; 0 is success. The simulator's exit status is the code's low 8 bits, or 1 if these are 0.
 */
__attribute__((noreturn)) void fw_exit(unsigned code);
__attribute__((noreturn)) void fw_reboot(void);

#endif
