/* SPDX-License-Identifier: Apache-2.0 */
/*
 * unsigned long counter_low(unsigned n): cycle, time, instret or hpmcounter n
 * unsigned long counter_high(unsigned n): its high half, on RV32
 */
#include "csr_table.inc"
#include "tally_spec.h"

    .macro reader name, base
    table \name\()_table, csrr, \base
    .globl \name
\name:
    lla t0, \name\()_table
    slli a0, a0, 3
    add t0, t0, a0
    jr t0
    .endm

    .text
    reader counter_low, TALLY_CSR_CYCLE
#if __riscv_xlen == 32
    reader counter_high, TALLY_CSR_CYCLEH
#endif
