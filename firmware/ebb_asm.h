/* SPDX-License-Identifier: Apache-2.0 */
/* Names for assembly inside of C: the registers of event-based branches and bits of ubescr, `uebret 0` and
 * `uebret 1`. */
#ifndef FW_EBB_ASM_H
#define FW_EBB_ASM_H

#include "csr.h"

#define ASM_NAME(name, value) __asm__(".equ " #name ", " CSR_STRING(value))

ASM_NAME(ubescr, TALLY_CSR_UBESCR);
ASM_NAME(uebbhr, TALLY_CSR_UEBBHR);
ASM_NAME(uebbrr, TALLY_CSR_UEBBRR);
ASM_NAME(uebbovf, TALLY_CSR_UEBBOVF);
ASM_NAME(uebbsel, TALLY_CSR_UEBBSEL);
ASM_NAME(uebbcnt, TALLY_CSR_UEBBCNT);
ASM_NAME(uebbspc, TALLY_CSR_UEBBSPC);
ASM_NAME(ubescr_pme, TALLY_UBESCR_PME_LSB);
ASM_NAME(ubescr_ge, TALLY_UBESCR_GE_LSB);
ASM_NAME(insn_uebret_0, TALLY_INSN_UEBRET_0);
ASM_NAME(insn_uebret_1, TALLY_INSN_UEBRET_1);
__asm__(".macro uebret ge\n.4byte insn_uebret_\\ge\n.endm");

#endif
