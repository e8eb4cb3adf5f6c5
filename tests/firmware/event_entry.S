/* SPDX-License-Identifier: Apache-2.0 */
/* Entries of software events: a6 = hart, a7 = argument; every other register is the interrupted program's. */
#include "asm.h"

    .equ EID_SSE, 0x535345
    .equ EID_PMU, 0x504D55
    .equ FRAME, 16 * REG_BYTES

/* a7: struct handler */
    .text
    .balign 4
    .globl event_entry
event_entry:
    addi sp, sp, -FRAME
    REG_S ra, 0(sp)
    .irp n, 0,1,2,3,4,5,6
    REG_S t\n, REG_BYTES * (\n + 1)(sp)
    .endr
    .irp n, 0,1,2,3,4,5
    REG_S a\n, REG_BYTES * (\n + 8)(sp)
    .endr
    mv a0, a7
    mv a1, a6
    REG_L t0, 0(a0)
    jalr t0
    REG_L ra, 0(sp)
    .irp n, 0,1,2,3,4,5,6
    REG_L t\n, REG_BYTES * (\n + 1)(sp)
    .endr
    .irp n, 0,1,2,3,4,5
    REG_L a\n, REG_BYTES * (\n + 8)(sp)
    .endr
    addi sp, sp, FRAME
    li a7, EID_SSE
    li a6, 6
    ecall
    unimp

/*
 * a7: struct sampler (events_pmu.c). It notes sepc and starts the counter again. Between the call that starts
 * it and the one that completes the event SAMPLER_TAIL instructions retire.
 */
    .balign 4
    .globl sampler_entry
sampler_entry:
    REG_S t0, REG_BYTES * 4(a7)
    REG_S a0, REG_BYTES * 5(a7)
    REG_S a1, REG_BYTES * 6(a7)
    REG_S a2, REG_BYTES * 7(a7)
    REG_S a3, REG_BYTES * 8(a7)
    REG_S a4, REG_BYTES * 9(a7)
    mv t0, a7
    REG_L a0, 0(t0)             /* counter_stop(index, 1, 0) */
    li a1, 1
    li a2, 0
    li a6, 4
    li a7, EID_PMU
    ecall
    REG_L a2, REG_BYTES * 1(t0) /* where the sample goes, and where the room ends */
    REG_L a3, REG_BYTES * 2(t0)
    bgeu a2, a3, 1f
    csrr a4, sepc
    REG_S a4, 0(a2)
    addi a2, a2, REG_BYTES
    REG_S a2, REG_BYTES * 1(t0)
    REG_L a0, 0(t0)             /* counter_start(index, 1, SET_INIT_VALUE, -period) */
    li a1, 1
    li a2, 1
    REG_L a3, REG_BYTES * 3(t0)
    li a4, -1
    li a6, 3
    li a7, EID_PMU
    ecall
1:  mv a7, t0                   /* the first of SAMPLER_TAIL */
    REG_L t0, REG_BYTES * 4(a7)
    REG_L a0, REG_BYTES * 5(a7)
    REG_L a1, REG_BYTES * 6(a7)
    REG_L a2, REG_BYTES * 7(a7)
    REG_L a3, REG_BYTES * 8(a7)
    REG_L a4, REG_BYTES * 9(a7)
    lui a7, %hi(EID_SSE)
    addi a7, a7, %lo(EID_SSE)
    li a6, 6                    /* the last */
    ecall
    unimp

/* void sampled_loop(unsigned long turns): LOOP_LENGTH instructions a turn, of 4 bytes each */
    .option push
    .option norvc
    .balign 4
    .globl sampled_loop
sampled_loop:
    addi t0, zero, 1
    add t1, t0, t0
    xor t2, t1, t0
    nop
    slli t3, t2, 3
    nop
    addi a0, a0, -1
    bnez a0, sampled_loop
    ret
    .option pop
