# SPDX-License-Identifier: Apache-2.0
# Ibex: reset at boot address + 0x80, vectors at mtvec: 0 for exceptions, 18 (irq_fast_i[2]) for the unit
    .option norvc
    .section .entry, "ax"
    .globl _start
vectors:
    .rept 19
    j trap
    .endr
    .org 0x80
_start:
    la sp, stack_end
    li t0, 1 << 18
    csrw mie, t0
    csrwi mstatus, 1 << 3       # MIE
    csrw mtvec, zero            # vectors at 0; the hart has vectored mode only
    jal main
    j .
    .include "trap.S"
