/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A supervisor that makes the firmware fail: it calls the extension that the boot arguments name, with a5
 * asking for the deliberate fault that they name and registers that point nowhere. Extension 0: a misaligned
 * load instead of a call. The firmware must not return. With ":2" behind them another hart does it, while
 * this one calls without end.
 */
#include "asm.h"

    .section .text.start, "ax"
    .globl _start
_start:
    /* a1: the device tree. Its strings are found byte by byte: "fault=KK:EEEEEEEE;" in hexadecimal digits. */
    mv s0, a1
    mv s3, a0
1:  lbu t0, 0(s0)
    lbu t1, 1(s0)
    lbu t2, 5(s0)
    addi s0, s0, 1
    addi t0, t0, -'f'
    addi t1, t1, -'a'
    addi t2, t2, -'='
    or t0, t0, t1
    or t0, t0, t2
    bnez t0, 1b
    addi s0, s0, 5
    jal number
    mv s1, a0
    jal number
    mv s2, a0
    lbu t0, -1(s0)
    addi t0, t0, -':'
    beqz t0, another
attack:
    lla t0, unexpected
    csrw stvec, t0
    li t0, 0x64656c00           /* "del" and the kind */
    or a5, t0, s1
    mv a7, s2
    li a6, 0
    li a0, 0
    li a1, 0
    li a2, 0
    li sp, 8
    li gp, -1
    li tp, -1
    li ra, -1
    beqz s2, 2f
    ecall
    j unexpected
2:  lla t0, words
    lw t0, 1(t0)

    /* `words` has the arguments: a hart starts without registers. */
another:
    lla t0, words
    sw s1, 0(t0)
    sw s2, 4(t0)
    fence rw, rw
    li a7, 0x48534D
    li a6, 0
    seqz a0, s3                 /* hart 1, or 0 */
    lla a1, other_start
    ecall
    bnez a0, unexpected
4:  li a7, 0x10
    li a6, 3
    li a0, 0x504D55
    ecall
    j 4b
other_start:
    lla t0, words
    lw s1, 0(t0)
    lw s2, 4(t0)
    j attack

    /* The firmware came back, or trapped here. */
    .balign 4
unexpected:
    li t0, 0x100000
    li t1, 0x00013333
    sw t1, 0(t0)
3:  j 3b

/* a0: hexadecimal digits from s0, which is left behind the character that ended them */
number:
    li a0, 0
1:  lbu t0, 0(s0)
    addi s0, s0, 1
    addi t1, t0, -'0'
    li t2, 10
    bltu t1, t2, 2f
    addi t1, t0, -'a'
    li t2, 6
    bgeu t1, t2, 3f
    addi t1, t1, 10
2:  slli a0, a0, 4
    add a0, a0, t1
    j 1b
3:  ret

    .balign 8
words:
    .8byte 0, 0
