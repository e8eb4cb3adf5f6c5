/* SPDX-License-Identifier: Apache-2.0 */
/*
 * For a build that tests what a fault of the firmware itself does (tests/firmware/hostile): whoever has the
 * magic word in a5 gets the fault whose number is in its low byte. Nothing otherwise.
 */
#ifndef FW_DELIBERATE_FAULT_H
#define FW_DELIBERATE_FAULT_H

#define DELIBERATE_FAULT_MAGIC 0x64656c

#ifndef __ASSEMBLER__
#ifdef FW_DELIBERATE_FAULT
void deliberate_fault(unsigned long kind);

static inline void fault_if_asked(unsigned long a5) {
    if (a5 >> 8 == DELIBERATE_FAULT_MAGIC)
        deliberate_fault(a5 & 0xff);
}
#else
static inline void fault_if_asked(unsigned long a5) { (void)a5; }
#endif
#endif

#endif
