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

    .balign 4
guarded_fault:
    csrr t2, mcause
    csrr t5, mtval
    lla t4, guarded_end
    csrw mepc, t4
    li t4, TALLY_PRIV_M << TALLY_MSTATUS_MPP_LSB /* back to M-mode; guarded_end restores mstatus */
    csrs mstatus, t4
    mret
