/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The frame of an event-based branch: the program was between any two of its instructions, so all that C may
 * clobber is saved. EBB_PROGRAM's entry has made room, saved a0, and left its struct ebb there. A context
 * switch saves the rest. ubescr is written last: three instructions are counted from then on, and an
 * event of theirs is delivered by uebret.
 */
#include "tally_spec.h"

    .equ FRAME, 144

    .section .text.ebb, "ax"
    .globl ebb_frame
ebb_frame:
    .set slot, 8
    .irp r, ra, t0, t1, t2, t3, t4, t5, t6, a1, a2, a3, a4, a5, a6, a7
    sd \r, slot(sp)
    .set slot, slot + 8
    .endr
    call ebb_events
    .set slot, 8
    .irp r, ra, t0, t1, t2, t3, t4, t5, t6, a1, a2, a3, a4, a5, a6, a7
    ld \r, slot(sp)
    .set slot, slot + 8
    .endr
    csrw TALLY_CSR_UBESCR, a0
    ld a0, 0(sp)
    addi sp, sp, FRAME
    .word TALLY_INSN_UEBRET_1
