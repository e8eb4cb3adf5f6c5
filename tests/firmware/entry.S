/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A supervisor without paging, on one hart or more. The boot hart calls suite_main(hart).
 * Traps go through sw/supervisor/trap.S to trap_dispatch(frame), which may change the restored state.
 */
#include "asm.h"

#define STACK_LOG 14

    .section .text.start, "ax"
    .globl _start
_start:
    lla sp, stacks
    addi t0, a0, 1
    slli t0, t0, STACK_LOG
    add sp, sp, t0
    lla t0, supervisor_trap
    csrw stvec, t0
    csrw sscratch, zero
    csrw sie, zero
    lla t0, __bss_start
    lla t1, __bss_end
1:  bgeu t0, t1, 2f
    REG_S zero, 0(t0)
    addi t0, t0, REG_BYTES
    j 1b
2:  call suite_main
3:  wfi
    j 3b

/* Where HSM starts another hart: a0 = hart, a1 = function(hart) */
    .globl second_start
second_start:
    lla sp, stacks
    addi t0, a0, 1
    slli t0, t0, STACK_LOG
    add sp, sp, t0
    lla t0, supervisor_trap
    csrw stvec, t0
    csrw sscratch, zero
    csrw sie, zero
    jalr a1
4:  wfi
    j 4b

/* unsigned long suspend_and_resume(type, fid, eid): the stack survives, registers do not */
    .globl suspend_and_resume
suspend_and_resume:
    addi sp, sp, -16 * REG_BYTES
    REG_S ra, 0(sp)
    .irp n, 0,1,2,3,4,5,6,7,8,9,10,11
    REG_S s\n, REG_BYTES * (\n + 1)(sp)
    .endr
    mv a6, a1
    mv a7, a2
    lla a1, 1f
    mv a2, sp
    ecall
    li a0, 0
    j 2f
1:  mv sp, a1                   /* a0 = hart, a1 = the opaque value */
    li a0, 1
2:  REG_L ra, 0(sp)
    .irp n, 0,1,2,3,4,5,6,7,8,9,10,11
    REG_L s\n, REG_BYTES * (\n + 1)(sp)
    .endr
    addi sp, sp, 16 * REG_BYTES
    ret

    .section .stacks, "aw", @nobits
    .balign 16
stacks:
    .zero 8 << STACK_LOG
