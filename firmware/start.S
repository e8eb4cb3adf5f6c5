/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reset entry. Every hart comes here in M-mode with a0 = hartid, a1 = device tree (or 0).
 *
 * Hart 0 clears .bss and calls fw_boot(hartid, fdt). The others sleep until hart 0 has written a function
 * for them to fw_mailbox and sent a software interrupt (hart_start()).
 */
#include "platform.h"

    .section .text.start, "ax"
    .globl _start
_start:
    csrw mie, zero
    csrci mstatus, 8
    la t0, early_trap
    csrw mtvec, t0
    csrr a0, mhartid
    li t0, HARTS_MAX
    bgeu a0, t0, sleep_forever

    .option push
    .option norelax
    la gp, __global_pointer$
    .option pop
    mv tp, a0

    /* Stacks: one for the program, one for its traps (held in mscratch). */
    la sp, fw_stacks
    addi t0, a0, 1
    slli t1, t0, STACK_SHIFT
    add sp, sp, t1
    la t2, fw_trap_stacks
    slli t1, t0, TRAP_STACK_LOG
    add t2, t2, t1
    csrw mscratch, t2
    bnez a0, park

    la t0, __bss_start
    la t1, __bss_end
1:  bgeu t0, t1, 2f             /* firmware.ld aligns both to 64 bytes */
    .irp n, 0,8,16,24,32,40,48,56
    sd zero, \n(t0)
    .endr
    addi t0, t0, 64
    j 1b
2:  call fw_boot
    j sleep_forever

park:
    csrwi mie, 8                /* MSIE: WFI wakes; MIE is 0, so no trap is taken */
    la s0, fw_mailbox
    slli t0, a0, 4
    add s0, s0, t0
1:  wfi
    ld t1, 0(s0)                /* function */
    beqz t1, 1b
    fence r, rw
    ld a1, 8(s0)                /* its argument */
    sd zero, 0(s0)
    csrw mie, zero
    li t0, ACLINT_BASE
    slli t2, a0, 2
    add t0, t0, t2
    sw zero, 0(t0)
    la t0, fw_trap_entry
    csrw mtvec, t0
    jalr t1                     /* function(hartid, argument) */
    csrr a0, mhartid
    j park

    /* A trap before there is anything to handle it: the finisher says so. */
    .balign 4
early_trap:
    li t0, FINISHER_BASE
    csrr t1, mcause
    andi t1, t1, 0xff
    slli t1, t1, 16
    li t2, 0x80003333
    or t1, t1, t2
    sw t1, 0(t0)
sleep_forever:
    wfi
    j sleep_forever

    .section .data.mailbox, "aw"
    .balign 16
    .globl fw_mailbox
fw_mailbox:
    .zero 16 * HARTS_MAX

    .section .stacks, "aw", @nobits
    .balign 16
fw_stacks:
    .zero HARTS_MAX << STACK_SHIFT
fw_trap_stacks:
    .zero HARTS_MAX << TRAP_STACK_LOG
