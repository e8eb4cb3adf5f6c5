/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Traps into S-mode, and the way down to U-mode and back. sscratch is the supervisor's stack pointer while
 * U-mode runs, and 0 while the supervisor itself does. A trap from S-mode has its frame on the stack that it
 * finds. Interrupts are off in S-mode here, so nothing comes in between.
 */
#include "asm.h"

    .equ FRAME, 36 * REG_BYTES  /* struct trap_frame */
    .equ CALL_FRAME, 14 * REG_BYTES
    .equ SPP, 1 << 8
    .equ ECALL_U, 8

    .text
    .balign 4
    .globl supervisor_trap
supervisor_trap:
    csrrw sp, sscratch, sp
    bnez sp, 1f
    csrr sp, sscratch
    csrw sscratch, sp           /* from S-mode: the same stack in both */
1:  addi sp, sp, -FRAME
    .irp n, 1,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31
    REG_S x\n, REG_BYTES * \n(sp)
    .endr
    csrrw t0, sscratch, zero
    csrr t1, sepc
    csrr t2, sstatus
    csrr t3, scause
    csrr t4, stval
    REG_S zero, 0(sp)
    REG_S t0, REG_BYTES * 2(sp)
    REG_S t1, REG_BYTES * 32(sp)
    REG_S t2, REG_BYTES * 33(sp)
    REG_S t3, REG_BYTES * 34(sp)
    REG_S t4, REG_BYTES * 35(sp)
    li t0, ECALL_U
    beq t3, t0, user_ecall_trap
dispatch:
    mv a0, sp
    call trap_dispatch
    REG_L t1, REG_BYTES * 32(sp)
    REG_L t2, REG_BYTES * 33(sp)
    csrw sepc, t1
    csrw sstatus, t2
    andi t2, t2, SPP
    bnez t2, 2f
    addi t0, sp, FRAME
    csrw sscratch, t0
2:  .irp n, 1,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31
    REG_L x\n, REG_BYTES * \n(sp)
    .endr
    REG_L sp, REG_BYTES * 2(sp)
    sret

/* uint64_t user_call(uint64_t (*function)(void)): down by sret, back by the one ecall that U-mode makes */
    .globl user_call
user_call:
    addi sp, sp, -CALL_FRAME
    REG_S ra, 0(sp)
    .irp n, 0,1,2,3,4,5,6,7,8,9,10,11
    REG_S s\n, REG_BYTES * (\n + 1)(sp)
    .endr
    csrw sscratch, sp
    csrw sepc, a0
    li t0, SPP
    csrc sstatus, t0
    lla ra, user_ecall
    lla sp, user_stack_end
    sret

/* uint64_t user_enter(entry, sp, argc, argv, envp): the same for a program of its own, with user_calls */
    .globl user_enter
user_enter:
    addi sp, sp, -CALL_FRAME
    REG_S ra, 0(sp)
    .irp n, 0,1,2,3,4,5,6,7,8,9,10,11
    REG_S s\n, REG_BYTES * (\n + 1)(sp)
    .endr
    csrw sscratch, sp
    csrw sepc, a0
    li t0, SPP
    csrc sstatus, t0
    mv sp, a1
    mv a0, a2
    mv a1, a3
    mv a2, a4
    sret

    .globl user_ecall
user_ecall:
    ecall

    /* user_leave(frame, value): out of a handler of U-mode's ecalls, return `value` from user_call() or
     * user_enter() */
    .globl user_leave
user_leave:
    mv sp, a0
    mv a0, a1
    j user_done

user_ecall_trap:
    lbu t0, user_calls
    bnez t0, dispatch

user_done:                      /* a0 (RV32: and a1) is the function's */
    addi sp, sp, FRAME
    REG_L ra, 0(sp)
    .irp n, 0,1,2,3,4,5,6,7,8,9,10,11
    REG_L s\n, REG_BYTES * (\n + 1)(sp)
    .endr
    addi sp, sp, CALL_FRAME
    ret

    .section .bss
    .globl user_calls           /* U-mode's ecalls go to the handler of their cause */
user_calls:
    .zero 1

    .section .stacks, "aw", @nobits
    .balign 16
    .zero 8192
user_stack_end:
