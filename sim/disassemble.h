/* SPDX-License-Identifier: Apache-2.0 */
/* RV64IMAC with Zicsr, Zifencei, Zba, Zbb and the privileged instructions as text, in the manner of binutils'
 * objdump.
 *
 * A compressed instruction is shown expanded. Targets are relative to the pc: ".+8". */
#ifndef TALLY_DISASSEMBLE_H
#define TALLY_DISASSEMBLE_H

#include <stddef.h>
#include <stdint.h>

/* `insn` of 32 bits, or of 16 with anything above them; returns `text`. An invalid encoding becomes ".word
 * 0x..." or ".short 0x...". */
const char *disassemble(uint32_t insn, char *text, size_t size);

#endif
