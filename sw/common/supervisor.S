/* SPDX-License-Identifier: Apache-2.0 */
/*
 * uint64_t supervisor_call(uint64_t (*function)(void *), void *argument)
 *
 * Down by mret, back by ecall: while the function runs, mtvec points to a small handler of our own that
 * knows that ecall and passes every other trap on to the firmware's.
 */
    .text
    .globl supervisor_call
supervisor_call:
    addi sp, sp, -32
    sd ra, 0(sp)
    sd s0, 8(sp)
    sd s1, 16(sp)
    csrr s0, mstatus
    la s1, came_back
    csrrw s1, mtvec, s1
    li t1, 3 << 11
    csrc mstatus, t1
    li t1, 1 << 11              /* MPP = S */
    csrs mstatus, t1
    la t0, 1f
    csrw mepc, t0
    mv t0, a0
    mv a0, a1
    mret
1:  jalr t0
    .globl supervisor_ecall
supervisor_ecall:
    ecall

    .balign 4
came_back:
    csrrw sp, mscratch, sp      /* room on the trap stack for two registers */
    sd t0, -8(sp)
    sd t1, -16(sp)
    csrr t0, mepc
    la t1, supervisor_ecall
    beq t0, t1, 2f
    ld t0, -8(sp)
    ld t1, -16(sp)
    csrrw sp, mscratch, sp
    j fw_trap_entry
2:  csrrw sp, mscratch, sp
    csrw mstatus, s0            /* s0, s1: preserved by the function */
    csrw mtvec, s1
    ld ra, 0(sp)
    ld s0, 8(sp)
    ld s1, 16(sp)
    addi sp, sp, 32
    ret
