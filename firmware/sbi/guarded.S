/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Accesses to memory that may fault (guarded.h). While one is under way mtvec points to guarded_fault, which
 * records the fault and skips the rest. mepc and mstatus are as before afterwards.
 *
 * Byte by byte, upwards: the address need not be aligned, and may cross a page. tval is then the first byte
 * that faults.
 */
#include "asm.h"
#include "tally_spec.h"

    .text

/* void guarded_load(addr, size, mstatus_bits, struct guarded *out) */
    .globl guarded_load
guarded_load:
    lla t0, guarded_fault
    csrrw t0, mtvec, t0
    csrr a5, mepc
    csrr t6, mstatus
    li t2, 0
    li t5, 0
    li t3, 0
1:  add t1, a0, t3
    csrs mstatus, a2
    lbu t4, 0(t1)
    csrw mstatus, t6            /* the value is ours: store it as M-mode */
    add a4, a3, t3
    sb t4, 0(a4)
    addi t3, t3, 1
    bne t3, a1, 1b
guarded_end:
    csrw mstatus, t6
    csrw mepc, a5
    csrw mtvec, t0
    REG_S t2, 8(a3)
    REG_S t5, 8 + REG_BYTES(a3)
    ret

/* void guarded_store(addr, size, mstatus_bits, struct guarded *inout) */
    .globl guarded_store
guarded_store:
    lla t0, guarded_fault
    csrrw t0, mtvec, t0
    csrr a5, mepc
    csrr t6, mstatus
    li t2, 0
    li t5, 0
    li t3, 0
1:  add t1, a0, t3
    add a4, a3, t3
    lbu t4, 0(a4)
    csrs mstatus, a2
    sb t4, 0(t1)
    csrw mstatus, t6
    addi t3, t3, 1
    bne t3, a1, 1b
    j guarded_end

/* void guarded_probe_store(addr, struct guarded *out) */
    .globl guarded_probe_store
guarded_probe_store:
    lla t0, guarded_fault
    csrrw t0, mtvec, t0
    csrr a5, mepc
    csrr t6, mstatus
    mv a3, a1
    li t2, 0
    li t5, 0
    li t1, 1 << TALLY_MSTATUS_MPRV_LSB
    csrs mstatus, t1
    amoor.w zero, zero, (a0)
    j guarded_end

/*
 * bool guarded_copy(to, from, size): M-mode's own accesses, words where everything is aligned; false:
 * one of them faulted, and the rest was not copied
 */
    .globl guarded_copy
guarded_copy:
    lla t0, guarded_copy_fault
    csrrw t0, mtvec, t0
    csrr a5, mepc
    csrr t6, mstatus
    add t3, a1, a2
    or t1, a0, a1
    or t1, t1, a2
    andi t1, t1, REG_BYTES - 1
    beqz a2, 4f
    bnez t1, 3f
2:  REG_L t1, 0(a1)
    REG_S t1, 0(a0)
    addi a1, a1, REG_BYTES
    addi a0, a0, REG_BYTES
    bne a1, t3, 2b
    j 4f
3:  lbu t1, 0(a1)
    sb t1, 0(a0)
    addi a1, a1, 1
    addi a0, a0, 1
    bne a1, t3, 3b
4:  li a0, 1
guarded_copy_end:
    csrw mstatus, t6
    csrw mepc, a5
    csrw mtvec, t0
    ret

    .balign 4
guarded_copy_fault:
    lla t4, guarded_copy_end
    csrw mepc, t4
    li t4, TALLY_PRIV_M << TALLY_MSTATUS_MPP_LSB /* back to M-mode */
    csrs mstatus, t4
    li a0, 0
    mret

    .balign 4
guarded_fault:
    csrr t2, mcause
    csrr t5, mtval
    lla t4, guarded_end
    csrw mepc, t4
    li t4, TALLY_PRIV_M << TALLY_MSTATUS_MPP_LSB /* back to M-mode; guarded_end restores mstatus */
    csrs mstatus, t4
    mret
