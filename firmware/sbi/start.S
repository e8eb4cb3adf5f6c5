/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reset entry: every hart comes here in M-mode, a0 = hart, a1 = device tree, a2 = fw_dynamic information
 * or 0. The first one boots, the others wait until memory is set up and then for the supervisor to start
 * them.
 */
#include "asm.h"
#include "hart_state.h"
#include "tally_spec.h"

    .section .text.start, "ax"
    .globl _start
_start:
    csrw mie, zero
    csrci mstatus, 1 << TALLY_MSTATUS_MIE_LSB
    csrw mscratch, zero
    lla t0, early_trap
    csrw mtvec, t0
    csrr a0, mhartid
    li t0, HARTS_MAX
    bgeu a0, t0, sleep

    lla t0, hart_stacks
    addi t1, a0, 1
    slli t1, t1, HART_STACK_LOG
    add tp, t0, t1
    addi tp, tp, -HART_SIZE
    mv sp, tp

    lla t0, boot_lottery
    li t1, 1
    amoswap.w.aqrl t1, t1, (t0)
    bnez t1, wait_for_boot

    lla t0, __bss_start
    lla t1, __bss_end
1:  bgeu t0, t1, 2f
    REG_S zero, 0(t0)
    addi t0, t0, REG_BYTES
    j 1b
2:  call fw_boot

wait_for_boot:
    lla t0, boot_done
1:  lw t1, 0(t0)
    fence r, rw
    beqz t1, 1b
    call hart_wait

/* void hart_release_others(void): memory is set up, harts other than this one may use it */
    .globl hart_release_others
hart_release_others:
    fence rw, w
    li t1, 1
    lla t0, boot_done
    sw t1, 0(t0)
    ret

    /*
     * A trap before there is anything to handle it, or while another one is reported: the finisher says
     * so.
     */
    .balign 4
    .globl early_trap
early_trap:
    li t0, FINISHER_BASE
    csrr t1, mcause
    andi t1, t1, 0x7f
    slli t1, t1, 16
    li t2, FINISHER_FAIL | 0x80 << 16
    or t1, t1, t2
    sw t1, 0(t0)
sleep:
    wfi
    j sleep

    /* Outside of .bss: used before it is cleared. */
    .section .data.boot, "aw"
    .balign 4
boot_lottery:
    .word 0
boot_done:
    .word 0

    .section .stacks, "aw", @nobits
    .balign 1 << HART_STACK_LOG
    .globl hart_stacks
hart_stacks:
    .zero HARTS_MAX << HART_STACK_LOG
