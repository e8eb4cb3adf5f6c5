/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Trap entry: saves all registers on the hart's trap stack (mscratch) and calls trap_dispatch(frame). MIE
 * is 0 until the return, and the firmware's own accesses that may fault go through guarded_*: no trap
 * nests.
 */
    .equ FRAME, 36 * 8          /* struct trap_frame */

    .text
    .balign 4
    .globl fw_trap_entry
fw_trap_entry:
    csrrw sp, mscratch, sp
    addi sp, sp, -FRAME
    .irp n, 1,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31
    sd x\n, 8 * \n(sp)
    .endr
    csrr t0, mscratch
    sd zero, 0(sp)
    sd t0, 8 * 2(sp)
    csrr t0, mepc
    csrr t1, mstatus
    csrr t2, mcause
    csrr t3, mtval
    sd t0, 8 * 32(sp)
    sd t1, 8 * 33(sp)
    sd t2, 8 * 34(sp)
    sd t3, 8 * 35(sp)
    addi t0, sp, FRAME
    csrw mscratch, t0
    .option push
    .option norelax
    la gp, __global_pointer$
    .option pop
    csrr tp, mhartid
    mv a0, sp
    call trap_dispatch
    ld t0, 8 * 32(sp)
    ld t1, 8 * 33(sp)
    csrw mepc, t0
    csrw mstatus, t1
    .irp n, 1,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31
    ld x\n, 8 * \n(sp)
    .endr
    ld sp, 8 * 2(sp)
    mret

/*
 * void guarded_load(addr, size, mstatus_bits, struct guarded *out)
 * Byte by byte, highest first. A fault comes to guarded_fault below, which skips the rest.
 */
    .globl guarded_load
guarded_load:
    la t0, guarded_fault
    csrrw t0, mtvec, t0
    csrr t6, mstatus
    li t1, 0
    li t2, 0
    li t5, 0
    csrs mstatus, a2
1:  addi a1, a1, -1
    add t3, a0, a1
    lbu t4, 0(t3)
    slli t1, t1, 8
    or t1, t1, t4
    bnez a1, 1b
guarded_end:
    csrw mstatus, t6
    csrw mtvec, t0
    sd t1, 0(a3)
    sd t2, 8(a3)
    sd t5, 16(a3)
    ret

/*
 * void guarded_store(addr, size, mstatus_bits, struct guarded *inout)
 * Highest byte first: if the access crosses into a page that faults, nothing has been stored.
 */
    .globl guarded_store
guarded_store:
    la t0, guarded_fault
    csrrw t0, mtvec, t0
    csrr t6, mstatus
    ld t1, 0(a3)
    li t2, 0
    li t5, 0
    csrs mstatus, a2
1:  addi a1, a1, -1
    add t3, a0, a1
    slli t4, a1, 3
    srl t4, t1, t4
    sb t4, 0(t3)
    bnez a1, 1b
    j guarded_end

    .balign 4
guarded_fault:
    csrr t2, mcause
    csrr t5, mtval
    la t4, guarded_end
    csrw mepc, t4
    li t4, 3 << 11              /* back to M-mode; guarded_end restores the rest of mstatus */
    csrs mstatus, t4
    mret
