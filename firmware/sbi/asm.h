/* SPDX-License-Identifier: Apache-2.0 */
/* Names for the differences between RV32 and RV64 in assembly. */
#ifndef FW_ASM_H
#define FW_ASM_H

#if __riscv_xlen == 64
#define REG_S sd
#define REG_L ld
#define REG_BYTES 8
#define REG_LOG 3
#else
#define REG_S sw
#define REG_L lw
#define REG_BYTES 4
#define REG_LOG 2
#endif

#endif
