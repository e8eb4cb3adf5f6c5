# SPDX-License-Identifier: Apache-2.0
# SERV: reset at 0; its only interrupt is the timer's
    .section .entry, "ax"
    .globl _start
_start:
    la sp, stack_end
    la t0, trap
    csrw mtvec, t0
    li t0, 1 << 7               # mie.MTIE
    csrw mie, t0
    csrwi mstatus, 1 << 3       # MIE
    jal main
    j .
    .include "trap.S"
