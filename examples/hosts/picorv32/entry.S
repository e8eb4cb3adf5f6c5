# SPDX-License-Identifier: Apache-2.0
# PicoRV32: reset at 0, interrupts at 0x10, in instructions of its own: q0 holds the interrupted pc.
.macro getq rd, qs
    .word 0x0000400b | \rd << 7 | \qs << 15
.endm
    .option norvc
    .section .entry, "ax"
    .globl _start
_start:
    lui sp, %hi(stack_end)
    addi sp, sp, %lo(stack_end)
    j begin
    .balign 16
interrupt:
    addi sp, sp, -64
    sw ra, 0(sp)
    sw t0, 4(sp)
    sw t1, 8(sp)
    sw t2, 12(sp)
    sw a0, 16(sp)
    sw a1, 20(sp)
    sw a2, 24(sp)
    sw a3, 28(sp)
    sw a4, 32(sp)
    sw a5, 36(sp)
    sw a6, 40(sp)
    sw a7, 44(sp)
    sw t3, 48(sp)
    sw t4, 52(sp)
    sw t5, 56(sp)
    sw t6, 60(sp)
    getq 10, 0                  # a0
    andi a0, a0, -2             # bit 0: the interrupted instruction is compressed
    jal overflow_handler
    lw ra, 0(sp)
    lw t0, 4(sp)
    lw t1, 8(sp)
    lw t2, 12(sp)
    lw a0, 16(sp)
    lw a1, 20(sp)
    lw a2, 24(sp)
    lw a3, 28(sp)
    lw a4, 32(sp)
    lw a5, 36(sp)
    lw a6, 40(sp)
    lw a7, 44(sp)
    lw t3, 48(sp)
    lw t4, 52(sp)
    lw t5, 56(sp)
    lw t6, 60(sp)
    addi sp, sp, 64
    .word 0x0400000b            # retirq
begin:
    li t0, -11                  # interrupts 3, and 1 for exceptions
    .word 0x0602e00b            # maskirq zero, t0
    jal main
    j .
