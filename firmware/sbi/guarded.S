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

    .pushsection .bss.guarded_buffer, "aw", @nobits
    .globl guarded_buffer
guarded_buffer:
    .zero 1
    .popsection

/* Its sign is TRV */
#if __riscv_xlen == 64
#define SPDISAMBCS_HIGH TALLY_CSR_SPDISAMBCS
#else
#define SPDISAMBCS_HIGH TALLY_CSR_SPDISAMBCSH
#endif

/*
 * Physical memory with the rights of S-mode: satp is 0 meanwhile, which needs no fence (privileged manual,
 * Supervisor Address Translation and Protection Register), and mstatus in a6 has MPRV and MPP=S. The
 * firmware's own side of a copy is accessed with mstatus in t6, as it was. The sampling buffer is off
 * meanwhile: the unit would translate its addresses by a satp of 0, and report faults (a7: it was on).
 */
    .macro shared_begin
    lla t0, guarded_shared_fault
    csrrw t0, mtvec, t0
    csrr a5, mepc
    lla a7, guarded_buffer
    lbu a7, 0(a7)
    beqz a7, 7f
    csrrci a7, TALLY_CSR_SPDISAMBCS, 1 << TALLY_SPDISAMBCS_EN_LSB
    andi a7, a7, 1 << TALLY_SPDISAMBCS_EN_LSB
7:  csrrw t5, satp, zero
    csrr t6, mstatus
    li a6, TALLY_PRIV_M << TALLY_MSTATUS_MPP_LSB
    not a6, a6
    and a6, a6, t6
    li t1, (1 << TALLY_MSTATUS_MPRV_LSB) | (TALLY_PRIV_S << TALLY_MSTATUS_MPP_LSB)
    or a6, a6, t1
    .endm

/* Four elements at a time, then one: a1 up to a2, to a0; ends at 9 */
    .macro copy_by load, store, bytes, status_of_load, status_of_store
1:  sub a3, a2, a1
    li a4, 4 * \bytes
    bltu a3, a4, 2f
    csrw mstatus, \status_of_load
    \load t1, 0 * \bytes(a1)
    \load t2, 1 * \bytes(a1)
    \load t3, 2 * \bytes(a1)
    \load t4, 3 * \bytes(a1)
    csrw mstatus, \status_of_store
    \store t1, 0 * \bytes(a0)
    \store t2, 1 * \bytes(a0)
    \store t3, 2 * \bytes(a0)
    \store t4, 3 * \bytes(a0)
    addi a1, a1, 4 * \bytes
    addi a0, a0, 4 * \bytes
    j 1b
2:  beq a1, a2, 9f
    csrw mstatus, \status_of_load
    \load t1, 0(a1)
    csrw mstatus, \status_of_store
    \store t1, 0(a0)
    addi a1, a1, \bytes
    addi a0, a0, \bytes
    j 2b
    .endm

    /* Words where everything is aligned, else bytes */
    .macro shared_copy status_of_load, status_of_store
    shared_begin
    or t1, a0, a1
    or t1, t1, a2
    andi t1, t1, REG_BYTES - 1
    add a2, a1, a2
    bnez t1, 8f
    copy_by REG_L, REG_S, REG_BYTES, \status_of_load, \status_of_store
8:  copy_by lbu, sb, 1, \status_of_load, \status_of_store
9:  li a0, 1
    .endm

/* bool guarded_read(void *to, uintptr_t from, unsigned long size) */
    .globl guarded_read
guarded_read:
    shared_copy a6, t6
guarded_shared_end:
    csrw mstatus, t6
    csrw satp, t5
    beqz a7, 1f
    csrsi TALLY_CSR_SPDISAMBCS, 1 << TALLY_SPDISAMBCS_EN_LSB
2:  csrr t1, SPDISAMBCS_HIGH /* until its pages are translated again: nothing is dropped */
    bltz t1, 1f
    csrr t1, TALLY_CSR_SPDISAMBCS
    andi t1, t1, 1 << TALLY_SPDISAMBCS_TF_LSB
    beqz t1, 2b
1:  csrw mepc, a5
    csrw mtvec, t0
    ret

/* bool guarded_write(uintptr_t to, const void *from, unsigned long size) */
    .globl guarded_write
guarded_write:
    shared_copy t6, a6
    j guarded_shared_end

/* bool guarded_probe(uintptr_t addr) */
    .globl guarded_probe
guarded_probe:
    shared_begin
    csrw mstatus, a6
    amoor.w zero, zero, (a0)
    li a0, 1
    j guarded_shared_end

/* bool guarded_answers(uintptr_t addr) */
    .globl guarded_answers
guarded_answers:
    lla t0, guarded_shared_fault
    csrrw t0, mtvec, t0
    csrr a5, mepc
    csrr t5, satp
    csrr t6, mstatus
    li a7, 0
    lbu zero, 0(a0)
    li a0, 1
    j guarded_shared_end

    .balign 4
guarded_shared_fault:
    lla t4, guarded_shared_end
    csrw mepc, t4
    li t4, TALLY_PRIV_M << TALLY_MSTATUS_MPP_LSB /* back to M-mode; guarded_shared_end restores mstatus */
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
