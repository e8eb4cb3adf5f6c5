/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The driver's interrupts, each with a vector table of its own, so that the cause is known. Only used
 * registers are saved, below the stack pointer. Other traps go on to supervisor_trap, untouched. sscratch is
 * as trap.S has it: the supervisor's stack pointer from U-mode, 0 from S-mode; so each body exists twice.
 */
#include "layout.h"
#include "tally_spec.h"

    .equ LCOFIP_UPPER, 1 << (TALLY_INT_LCOFI - 12)      /* for lui */
    .equ LAMBIP_UPPER, 1 << (TALLY_INT_LAMBI - 12)
    .equ INHIBIT_PDIS, 2                                /* bit of scountinhibit */

    .text
    .option norvc
    .macro vectors name, lcofi, lambi
    .balign 64
    .globl \name
\name:
    .rept TALLY_INT_LCOFI
    j supervisor_trap
    .endr
    j \lcofi
    j \lambi
    .rept 17
    j supervisor_trap
    .endr
    .endm
    vectors sampling_counter_vectors, on_counter, supervisor_trap
    vectors sampling_registers_vectors, on_registers, supervisor_trap
    vectors sampling_record_vectors, on_record, on_fault
    vectors sampling_batches_vectors, supervisor_trap, on_batch
    vectors sampling_recorder_vectors, supervisor_trap, on_half
    vectors sampling_together_vectors, on_counter, on_batch
    vectors sampling_together_s_vectors, on_counter_hidden, on_batch
    .option rvc

    .macro save registers:vararg
    .set slot, 0
    .irp r, \registers
    .set slot, slot - 8
    sd \r, slot(sp)
    .endr
    .endm

    .macro restore registers:vararg
    .set slot, 0
    .irp r, \registers
    .set slot, slot - 8
    ld \r, slot(sp)
    .endr
    .endm

    /* name: body from U-mode, and from S-mode; it ends by `leave mode, registers` */
    .macro handler name, body
    .balign 64
\name:
    csrrw sp, sscratch, sp
    beqz sp, \name\()_from_s
    \body u
    .balign 4
\name\()_from_s:
    csrr sp, sscratch
    \body s
    .endm

    .macro leave mode, registers:vararg
    restore \registers
    .ifc \mode, u
    csrrw sp, sscratch, sp
    .else
    csrw sscratch, zero
    .endif
    sret
    .endm

    /* S-mode may be sampled: not this */
    .macro inhibit mode
    .ifc \mode, s
    csrsi TALLY_CSR_SCOUNTINHIBIT, INHIBIT_PDIS
    .endif
    .endm

    .macro permit mode
    .ifc \mode, s
    csrci TALLY_CSR_SCOUNTINHIBIT, INHIBIT_PDIS
    .endif
    .endm

    /* The log is full: empty it and go on at `again` with t2, the place for the next record. Fall through if
     * there is no sink. link: a register that is free. */
    .macro full link, again
    ld \link, NOW_FULL(t0)
    beqz \link, 7f
    jal \link, empty_log_\link
    ld t2, NOW_NEXT(t0)
    j \again
7:
    .endm

    /* to = seed & jitter, by an xorshift of the seed; t0: sampling_now */
    .macro roll to, tmp, mask
    ld \to, NOW_SEED(t0)
    ld \mask, NOW_JITTER(t0)
    slli \tmp, \to, 13
    xor \to, \to, \tmp
    srli \tmp, \to, 7
    xor \to, \to, \tmp
    slli \tmp, \to, 17
    xor \to, \to, \tmp
    sd \to, NOW_SEED(t0)
    and \to, \to, \mask
    .endm

    /* the sampling counter starts anew, with another period */
    .macro renew a, b, c
    roll \a, \b, \c
    slli \b, \a, 32
    or \a, \a, \b
    ld \b, NOW_INSTRUCTIONS(t0)
    sub \b, \b, \a
    csrw TALLY_CSR_SPDISCOUNTER, \b
    .endm

/* A delegated counter overflowed: siselect is at its registers. sampled: the mode whose instructions may be
 * sampled now, as `inhibit` has it. */
    .macro counter_of mode, sampled
    inhibit \sampled
    save t0, t1, t2, t3
    lla t0, sampling_now
    lui t3, LCOFIP_UPPER
    ld t2, NOW_NEXT(t0)
    ld t1, NOW_EVENT(t0)
    csrc sip, t3
    csrrw t3, TALLY_CSR_SIREG2, t1      /* clears OF */
    ld t1, NOW_END(t0)
    bgez t3, 3f                         /* OF is 0: not its interrupt */
    bgeu t2, t1, 2f
5:  ld t3, NOW_HEADER(t0)
    csrr t1, TALLY_CSR_SHPMSPC
    sd t3, RECORD_HDREV(t2)
    sd t1, RECORD_PC(t2)
    csrr t3, sepc
    csrr t1, time
    sd t3, RECORD_ADR1(t2)
    sd t1, RECORD_TIME(t2)
    addi t2, t2, RECORD_BYTES
    sd t2, NOW_NEXT(t0)
    .ifc \mode, u
    ld t1, NOW_WALK(t0)
    bnez t1, 6f
    .endif
1:  roll t1, t2, t3
    ld t2, NOW_PRESET(t0)
    sub t2, t2, t1
    csrw TALLY_CSR_SIREG, t2
3:  permit \sampled
    leave \mode, t0, t1, t2, t3
2:  full t1, 5b
    ld t1, NOW_LOST(t0)
    addi t1, t1, 1
    sd t1, NOW_LOST(t0)
    j 1b
    .ifc \mode, u
6:  jal t1, walk_stack_t1               /* ra, s0 and sscratch are U-mode's */
    j 1b
    .endif
    .endm
    .macro counter_body mode
    counter_of \mode, \mode
    .endm
    handler on_counter, counter_body

/* The same, if instructions of S-mode are sampled too: this is not one, wherever it came from. */
    .macro counter_hidden_body mode
    counter_of \mode, s
    .endm
    handler on_counter_hidden, counter_hidden_body

/* The sample registers, selected by siselect. */
    .macro registers_body mode
    inhibit \mode
    save t0, t1, t2, t3, t4
    lla t0, sampling_now
    lui t4, LCOFIP_UPPER
    ld t2, NOW_NEXT(t0)
    ld t1, NOW_END(t0)
    csrc sip, t4
    bgeu t2, t1, 2f
5:  csrr t1, TALLY_CSR_SIREG
    csrr t3, TALLY_CSR_SIREG2
    csrr t4, TALLY_CSR_SIREG3
    sd t1, RECORD_HDREV(t2)
    sd t3, RECORD_PC(t2)
    sd t4, RECORD_TIME(t2)
    csrr t1, TALLY_CSR_SIREG4
    csrr t3, TALLY_CSR_SIREG5
    csrr t4, TALLY_CSR_SIREG6
    sd t1, RECORD_LAT(t2)
    sd t3, RECORD_ADR1(t2)
    sd t4, RECORD_ADR2(t2)
    addi t2, t2, RECORD_BYTES
1:  li t1, 1
    slli t1, t1, TALLY_SPDISCTL_OF_LSB
    csrrc t3, TALLY_CSR_SPDISCTL, t1
    bgez t3, 3f                         /* OF was 0: not its interrupt */
    sd t2, NOW_NEXT(t0)
    renew t1, t2, t3
3:  permit \mode
    leave \mode, t0, t1, t2, t3, t4
2:  full t1, 5b
    ld t1, NOW_LOST(t0)
    addi t1, t1, 1
    sd t1, NOW_LOST(t0)
    j 1b
    .endm
    handler on_registers, registers_body

/* A sample is in the buffer, or on its way there. */
    .macro record_body mode
    inhibit \mode
    save t0, t1, t2, t3, t4, t5
    lla t0, sampling_now
    lui t4, LCOFIP_UPPER
    li t1, 1
    slli t1, t1, TALLY_SPDISCTL_OF_LSB
    csrc sip, t4
    csrrc t3, TALLY_CSR_SPDISCTL, t1
    ld t2, NOW_NEXT(t0)
    ld t4, NOW_END(t0)
    bgez t3, 3f                         /* OF was 0: not its interrupt */
    ld t1, NOW_TAIL(t0)
4:  csrr t3, TALLY_CSR_SPDISAMBADDR     /* below it, memory has it */
    beq t3, t1, 4b
    bgeu t2, t4, 2f
5:  ld t4, RECORD_HDREV(t1)
    ld t5, RECORD_PC(t1)
    sd t4, RECORD_HDREV(t2)
    sd t5, RECORD_PC(t2)
    ld t4, RECORD_TIME(t1)
    ld t5, RECORD_LAT(t1)
    sd t4, RECORD_TIME(t2)
    sd t5, RECORD_LAT(t2)
    ld t4, RECORD_ADR1(t1)
    ld t5, RECORD_ADR2(t1)
    sd t4, RECORD_ADR1(t2)
    sd t5, RECORD_ADR2(t2)
    addi t2, t2, RECORD_BYTES
    sd t2, NOW_NEXT(t0)
1:  sd t3, NOW_TAIL(t0)
    renew t1, t2, t3
3:  permit \mode
    leave \mode, t0, t1, t2, t3, t4, t5
2:  full t4, 5b
    ld t4, NOW_LOST(t0)
    addi t4, t4, 1
    sd t4, NOW_LOST(t0)
    j 1b
    .endm
    handler on_record, record_body

/* Half a buffer is full: its records go to the log. Loads of the next record run ahead of the stores of this
 * one, for each is a miss: the unit writes past the cache. */
    .macro batch_body mode
    save t0, t1, t2, t3, t4, t5, t6, a0, a1, a2, a3, a4, a5, a6
    lla t0, sampling_now
    ld t1, NOW_SOURCES(t0)
    lui t4, LAMBIP_UPPER
    csrs TALLY_CSR_SCOUNTINHIBIT, t1
    csrc sip, t4
    acknowledge
    ld t2, NOW_NEXT(t0)
    ld t3, NOW_END(t0)
    ld t4, NOW_TAIL(t0)
    csrr t1, TALLY_CSR_SPDISAMBADDR
    ld t5, NOW_SIZE(t0)
    sub t6, t1, t4                      /* bytes there: head - tail, in the circle */
    addi t5, t5, -1
    and t6, t6, t5
    sd t1, NOW_TAIL(t0)
    beqz t6, 3f
    or a6, t4, t5                       /* the last byte of the buffer */
    addi a6, a6, 1
    ld a0, RECORD_HDREV(t4)
1:  addi t5, t4, RECORD_BYTES
    bne t5, a6, 2f
    ld t5, NOW_SIZE(t0)
    sub t5, a6, t5
2:  ld a1, RECORD_PC(t4)
    ld a2, RECORD_TIME(t4)
    ld a3, RECORD_LAT(t4)
    ld a4, RECORD_ADR1(t4)
    ld a5, RECORD_ADR2(t4)
    mv t4, t5
    bgeu t2, t3, 4f
8:  sd a0, RECORD_HDREV(t2)
    ld a0, RECORD_HDREV(t5)             /* of the next one; behind the last: unused */
    sd a1, RECORD_PC(t2)
    sd a2, RECORD_TIME(t2)
    sd a3, RECORD_LAT(t2)
    sd a4, RECORD_ADR1(t2)
    sd a5, RECORD_ADR2(t2)
    addi t2, t2, RECORD_BYTES
5:  addi t6, t6, -RECORD_BYTES
    bnez t6, 1b
    sd t2, NOW_NEXT(t0)
3:  renew t1, t2, t3
    ld t1, NOW_SOURCES(t0)
    csrc TALLY_CSR_SCOUNTINHIBIT, t1
    leave \mode, t0, t1, t2, t3, t4, t5, t6, a0, a1, a2, a3, a4, a5, a6
4:  sd t2, NOW_NEXT(t0)
    full t1, 8b
    ld a1, NOW_LOST(t0)
    addi a1, a1, 1
    sd a1, NOW_LOST(t0)
    ld a0, RECORD_HDREV(t5)
    j 5b
    .endm

/* BMI is answered by a write that waits for the other half. A fault instead ends it: EN is 0. */
    .macro acknowledge
    ld t1, NOW_CONTROL(t0)
    csrrw t3, TALLY_CSR_SPDISAMBCS, t1
    ld t2, NOW_INTERRUPTS(t0)
    li t4, 2 << TALLY_SPDISAMBCS_BMITH_LSB
    xor t1, t1, t4
    addi t2, t2, 1
    sd t1, NOW_CONTROL(t0)
    sd t2, NOW_INTERRUPTS(t0)
    andi t3, t3, 1 << TALLY_SPDISAMBCS_TF_LSB
    beqz t3, 9f
    csrci TALLY_CSR_SPDISAMBCS, 1 << TALLY_SPDISAMBCS_EN_LSB
    ld t1, NOW_FAULTS(t0)
    addi t1, t1, 1
    sd t1, NOW_FAULTS(t0)
9:
    .endm
    handler on_batch, batch_body

    .macro half_body mode
    save t0, t1, t2, t3, t4
    lla t0, sampling_now
    ld t1, NOW_SOURCES(t0)
    lui t4, LAMBIP_UPPER
    csrs TALLY_CSR_SCOUNTINHIBIT, t1
    csrc sip, t4
    acknowledge
    renew t1, t2, t3
    ld t1, NOW_SOURCES(t0)
    csrc TALLY_CSR_SCOUNTINHIBIT, t1
    leave \mode, t0, t1, t2, t3, t4
    .endm
    handler on_half, half_body

/* One sample at a time has LAMBI for faults only. */
    .macro fault_body mode
    save t0, t1, t2, t3, t4
    lla t0, sampling_now
    ld t1, NOW_SOURCES(t0)
    lui t4, LAMBIP_UPPER
    csrs TALLY_CSR_SCOUNTINHIBIT, t1
    csrc sip, t4
    acknowledge
    ld t1, NOW_SOURCES(t0)
    csrc TALLY_CSR_SCOUNTINHIBIT, t1
    leave \mode, t0, t1, t2, t3, t4
    .endm
    handler on_fault, fault_body

/* Call the function at `where` of sampling_now; `link` has the way back. Below the stack pointer are the
 * handler's registers. */
    .equ CALL_FRAME, 256
    .macro calls name, where, link
\name\()_\link:
    addi sp, sp, -CALL_FRAME
    .set slot, 0
    .irp r, ra, t0, t1, t2, t3, t4, t5, t6, a0, a1, a2, a3, a4, a5, a6, a7
    sd \r, slot(sp)
    .set slot, slot + 8
    .endr
    ld t2, \where(t0)
    mv a0, ra
    mv a1, s0
    csrr a2, sscratch
    jalr t2
    .set slot, 0
    .irp r, ra, t0, t1, t2, t3, t4, t5, t6, a0, a1, a2, a3, a4, a5, a6, a7
    ld \r, slot(sp)
    .set slot, slot + 8
    .endr
    addi sp, sp, CALL_FRAME
    jr \link
    .endm
    calls empty_log, NOW_FULL, t1
    calls empty_log, NOW_FULL, t4
    calls walk_stack, NOW_WALK, t1
