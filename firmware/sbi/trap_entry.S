/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Traps. mscratch points to the hart's struct hart, at the top of its stack; MIE is 0 until the return
 * and the firmware's own accesses that may fault go through guarded_*: no trap nests.
 *
 * An ecall of S-mode is a function call: what a C function preserves need not be saved, and the arguments
 * are where a C function expects them. Every other trap saves all registers in a struct trap_frame.
 */
#include "asm.h"
#include "hart.h"
#include "tally_spec.h"

/* ra, t0-t6, a2-a7, tp, and one for alignment */
    .equ CALL_FRAME, 16 * REG_BYTES
/* struct trap_frame, a multiple of 16 bytes */
    .equ TRAP_FRAME, 36 * REG_BYTES

    .text
    .balign 4
    .globl fw_trap_entry
fw_trap_entry:
    csrrw sp, mscratch, sp
    REG_S t0, -CALL_FRAME + 1 * REG_BYTES(sp)
    csrr t0, mcause
    addi t0, t0, -TALLY_EXC_ECALL_S
    bnez t0, any_trap

    csrr t0, mepc
    REG_S ra, -CALL_FRAME + 0 * REG_BYTES(sp)
    REG_S t1, -CALL_FRAME + 2 * REG_BYTES(sp)
    REG_S t2, -CALL_FRAME + 3 * REG_BYTES(sp)
    REG_S t3, -CALL_FRAME + 4 * REG_BYTES(sp)
    REG_S t4, -CALL_FRAME + 5 * REG_BYTES(sp)
    REG_S t5, -CALL_FRAME + 6 * REG_BYTES(sp)
    REG_S t6, -CALL_FRAME + 7 * REG_BYTES(sp)
    REG_S a2, -CALL_FRAME + 8 * REG_BYTES(sp)
    REG_S a3, -CALL_FRAME + 9 * REG_BYTES(sp)
    REG_S a4, -CALL_FRAME + 10 * REG_BYTES(sp)
    REG_S a5, -CALL_FRAME + 11 * REG_BYTES(sp)
    REG_S a6, -CALL_FRAME + 12 * REG_BYTES(sp)
    REG_S a7, -CALL_FRAME + 13 * REG_BYTES(sp)
    REG_S tp, -CALL_FRAME + 14 * REG_BYTES(sp)
    addi t0, t0, 4
    csrw mepc, t0
    mv tp, sp
    addi sp, sp, -CALL_FRAME
    call sbi_ecall
    REG_L ra, 0 * REG_BYTES(sp)
    REG_L t0, 1 * REG_BYTES(sp)
    REG_L t1, 2 * REG_BYTES(sp)
    REG_L t2, 3 * REG_BYTES(sp)
    REG_L t3, 4 * REG_BYTES(sp)
    REG_L t4, 5 * REG_BYTES(sp)
    REG_L t5, 6 * REG_BYTES(sp)
    REG_L t6, 7 * REG_BYTES(sp)
    REG_L a2, 8 * REG_BYTES(sp)
    REG_L a3, 9 * REG_BYTES(sp)
    REG_L a4, 10 * REG_BYTES(sp)
    REG_L a5, 11 * REG_BYTES(sp)
    REG_L a6, 12 * REG_BYTES(sp)
    REG_L a7, 13 * REG_BYTES(sp)
    REG_L tp, 14 * REG_BYTES(sp)
    addi sp, sp, CALL_FRAME
    csrrw sp, mscratch, sp
    mret

any_trap:
    REG_L t0, -CALL_FRAME + 1 * REG_BYTES(sp)
    addi sp, sp, -TRAP_FRAME
    .irp n, 1,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31
    REG_S x\n, REG_BYTES * \n(sp)
    .endr
    addi tp, sp, TRAP_FRAME
    csrrw t0, mscratch, tp
    csrr t1, mepc
    csrr t2, mstatus
    csrr t3, mcause
    csrr t4, mtval
    REG_S zero, 0(sp)
    REG_S t0, REG_BYTES * 2(sp)
    REG_S t1, REG_BYTES * 32(sp)
    REG_S t2, REG_BYTES * 33(sp)
    REG_S t3, REG_BYTES * 34(sp)
    REG_S t4, REG_BYTES * 35(sp)
    mv a0, sp
    call trap_dispatch
    REG_L t0, REG_BYTES * 32(sp)
    REG_L t1, REG_BYTES * 33(sp)
    csrw mepc, t0
    csrw mstatus, t1
    .irp n, 1,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31
    REG_L x\n, REG_BYTES * \n(sp)
    .endr
    REG_L sp, REG_BYTES * 2(sp)
    mret

/* void hart_restart(void (*function)(void)) */
    .globl hart_restart
hart_restart:
    mv sp, tp
    jr a0
