/* SPDX-License-Identifier: Apache-2.0 */
/*
 * void deliberate_fault(unsigned long kind): a fault of the firmware, for a build of its own (ecall.c,
 * trap.c). Each kind is a trap inside M-mode; the later ones first wreck state that a handler might rely on.
 */
    .equ KINDS, 15

    .text
    .globl deliberate_fault
deliberate_fault:
    addi a0, a0, -1
    bltz a0, done
    li t0, KINDS
    bgeu a0, t0, done
    slli a0, a0, 2
    lla t0, table
    add t0, t0, a0
    jr t0
done:
    ret

    .option push
    .option norvc
table:
    j load_of_nothing           /* 1 */
    j store_to_nothing          /* 2 */
    j jump_to_nothing           /* 3 */
    j illegal_instruction       /* 4 */
    j store_to_own_text         /* 5 */
    j stack_without_end         /* 6 */
    j stack_nowhere             /* 7 */
    j registers_nowhere         /* 8 */
    j supervisors_stack         /* 9 */
    j call_of_m_mode            /* 10 */
    j jump_to_constants         /* 11 */
    j store_to_constants        /* 12 */
    j jump_to_supervisor        /* 13; from here on with Smepmp */
    j jump_to_own_data          /* 14 */
    j load_of_supervisors       /* 15 */
    .option pop

load_of_nothing:
    lw t0, 0(zero)
store_to_nothing:
    sw zero, 0(zero)
jump_to_nothing:
    jr zero
illegal_instruction:
    .4byte 0
store_to_own_text:
    lla t0, deliberate_fault
    sb zero, 0(t0)
stack_without_end:
    addi sp, sp, -16
    sw zero, 0(sp)
    j stack_without_end
stack_nowhere:
    li sp, 16
    sw ra, 0(sp)
registers_nowhere:
    .irp n, 1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31
    li x\n, -1
    .endr
    lw zero, 0(zero)
supervisors_stack:
    csrw mscratch, zero         /* as it is; and sp into the supervisor's memory */
    li sp, 0x40400000
    slli sp, sp, 1
    lw t0, 0(zero)
call_of_m_mode:
    ecall
jump_to_constants:
    lla t0, __text_end
    jr t0
store_to_constants:
    lla t0, __text_end
    sb zero, 0(t0)
jump_to_supervisor:
    li t0, 0x40400000
    slli t0, t0, 1
    jr t0
jump_to_own_data:
    li t0, 0x00008067           /* ret */
    addi sp, sp, -16
    sw t0, 0(sp)
    fence.i
    jalr sp
    ret
load_of_supervisors:
    li t0, 0x40400000
    slli t0, t0, 1
    lw t0, 0(t0)
    ret
