/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Traps. While the supervisor runs, mscratch points to the hart's struct hart, at the top of its stack;
 * while the firmware runs, it is 0. So a trap inside the firmware is known before anything is stored,
 * and no register that the supervisor chose is ever used as a stack. MIE is 0 until the return and the
 * firmware's own accesses that may fault go through guarded_*: a trap that nests is a fault of the
 * firmware, is reported on a stack of its own, and stops the machine.
 *
 * An ecall of S-mode is a function call: registers that C preserves need not be saved, and the
 * arguments are where a C function expects them. Every other trap saves all registers in a struct
 * trap_frame.
 */
#include "asm.h"
#include "deliberate_fault.h"
#include "hart_state.h"
#include "sbi.h"
#include "tally_spec.h"

/* ra, t0-t6, a2-a7, tp, and the supervisor's sp */
    .equ CALL_FRAME, 16 * REG_BYTES
/* struct trap_frame, a multiple of 16 bytes */
    .equ TRAP_FRAME, 36 * REG_BYTES

    .text
    .balign 4
    .globl fw_trap_entry
fw_trap_entry:
    csrrw sp, mscratch, sp
    beqz sp, from_firmware
    REG_S t0, -CALL_FRAME + 1 * REG_BYTES(sp)
    csrrw t0, mscratch, zero
    REG_S t0, -CALL_FRAME + 15 * REG_BYTES(sp)
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
    lhu t0, HART_CALLS_COUNTED(tp)
    bnez t0, count_call
#ifdef FW_DELIBERATE_FAULT
    li t0, DELIBERATE_FAULT_MAGIC
    srli t1, a5, 8
    bne t0, t1, 1f
    andi a0, a5, 0xff
    call deliberate_fault
#endif
1:  li t0, SBI_EXT_PMU          /* the one whose calls are to cost little */
    bne a7, t0, forward
    call pmu_call
served:
    csrw mscratch, tp
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
    REG_L sp, 15 * REG_BYTES(sp)
    mret

forward:
#define FORWARD(id, function) li t0, id; beq a7, t0, forward_##function;
    SBI_EXTENSIONS(FORWARD)
    call other_call
    j served

    .macro forward_to function
forward_\function:
    call \function
    j served
    .endm
#define FORWARDED(id, function) forward_to function;
    SBI_EXTENSIONS(FORWARDED)

/* Calls are counted (FW_PLATFORM_CALL): t0 says by which counters. */
count_call:
    addi sp, sp, -8 * REG_BYTES
    .irp n, 0,1,2,3,4,5,6,7
    REG_S a\n, \n * REG_BYTES(sp)
    .endr
    mv a0, t0
    call pmu_fw_add
    .irp n, 0,1,2,3,4,5,6,7
    REG_L a\n, \n * REG_BYTES(sp)
    .endr
    addi sp, sp, 8 * REG_BYTES
    j 1b

any_trap:
    REG_L t0, -CALL_FRAME + 1 * REG_BYTES(sp)
    addi sp, sp, -TRAP_FRAME
    .irp n, 1,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31
    REG_S x\n, REG_BYTES * \n(sp)
    .endr
    addi tp, sp, TRAP_FRAME
    REG_L t0, REG_BYTES * 35(sp) /* the supervisor's sp: the last word of either frame */
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
    csrw mscratch, tp
    .irp n, 1,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31
    REG_L x\n, REG_BYTES * \n(sp)
    .endr
    REG_L sp, REG_BYTES * 2(sp)
    mret

/*
 * A trap inside the firmware. sp was in mscratch, and no register may be trusted: the stack is found by
 * the number of the hart alone. sscratch is the supervisor's, which does not run again. Another trap
 * while this one is reported goes to early_trap, which needs no memory.
 */
from_firmware:
    csrw sscratch, t0
    lla t0, early_trap
    csrw mtvec, t0
    csrr t0, mhartid
    slli t0, t0, HART_STACK_LOG
    lla sp, hart_stacks + EMERGENCY_SIZE - TRAP_FRAME
    add sp, sp, t0
    .irp n, 1,3,4,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31
    REG_S x\n, REG_BYTES * \n(sp)
    .endr
    csrr t1, mscratch
    csrr t2, sscratch
    REG_S zero, 0(sp)
    REG_S t1, REG_BYTES * 2(sp)
    REG_S t2, REG_BYTES * 5(sp)
    csrr t1, mepc
    csrr t2, mstatus
    csrr t3, mcause
    csrr t4, mtval
    REG_S t1, REG_BYTES * 32(sp)
    REG_S t2, REG_BYTES * 33(sp)
    REG_S t3, REG_BYTES * 34(sp)
    REG_S t4, REG_BYTES * 35(sp)
    lla tp, hart_stacks + (1 << HART_STACK_LOG) - HART_SIZE
    add tp, tp, t0
    mv a0, sp
    call trap_in_firmware

/* void hart_restart(void (*function)(void)) */
    .globl hart_restart
hart_restart:
    mv sp, tp
    jr a0

/* void hart_return(unsigned long a0, unsigned long a1): the supervisor must not see what the firmware
 * has in registers */
    .globl hart_return
hart_return:
    .irp n, 1,2,3,4,5,6,7,8,9,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31
    mv x\n, zero
    .endr
    mret
