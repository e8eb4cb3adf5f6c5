/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Start of a directed test, and the probe: a routine run in a chosen mode until it traps.
 *
 * Every trap that M-mode gets ends the probe. Traps that are delegated go to s_trap, which hands over to
 * M-mode at once; probe() tells the two apart by the pc of the handing-over instruction.
 */
#include "platform.h"

    .equ CTX_CAUSE, 0           /* struct trap_info, test.h */
    .equ CTX_EPC, 8
    .equ CTX_TVAL, 16
    .equ CTX_A0, 24
    .equ CTX_STATUS, 32
    .equ CTX_HANDLER, 40
    .equ CTX_A1, 48
    .equ CTX_T6, 56
    .equ FRAME, 128

    .section .text.start, "ax"
    .globl _start
_start:
    .option push
    .option norelax
    la gp, __global_pointer$
    .option pop
    csrw mie, zero
    csrw mscratch, zero
    la t0, m_trap
    csrw mtvec, t0
    csrr a0, mhartid
    la sp, stacks
    addi t0, a0, 1
    slli t0, t0, 13
    add sp, sp, t0
    bnez a0, other_hart
    la t0, __bss_start
    la t1, __bss_end
1:  bgeu t0, t1, 2f
    .irp n, 0,8,16,24,32,40,48,56
    sd zero, \n(t0)
    .endr
    addi t0, t0, 64
    j 1b
2:  call test_main
3:  wfi
    j 3b

/* The second hart waits for its function: a word that hart 0 writes, then a software interrupt. */
other_hart:
    li t0, 8
    csrw mie, t0
1:  wfi
    la t0, second_hart
    ld t0, 0(t0)
    beqz t0, 1b
    fence
    csrw mie, zero
    jalr t0
    j 3b

/* void probe_from(struct trap_info *info, uint64_t mstatus, const void *routine, a0, a1, a2)
 * `mstatus` is written as a whole first; its MPP is the mode. mstatus is again what it was when this
 * returns. */
    .text
    .globl probe_from
probe_from:
    addi sp, sp, -FRAME
    .irp n, 0,1,2,3,4,5,6,7,8,9,10,11
    sd s\n, 8 * \n(sp)
    .endr
    sd ra, 96(sp)
    sd a0, 104(sp)
    csrr t0, mstatus
    sd t0, 112(sp)
    csrw mscratch, sp
    csrw mstatus, a1
    csrw mepc, a2
    mv a0, a3
    mv a1, a4
    mv a2, a5
    mret

    .balign 4
    .globl m_trap
m_trap:
    csrrw sp, mscratch, sp
    beqz sp, unexpected
    .globl m_trap_direct
m_trap_direct:                  /* sp = probe's frame */
    ld s0, 104(sp)              /* struct trap_info */
    sd a0, CTX_A0(s0)
    sd a1, CTX_A1(s0)
    sd t6, CTX_T6(s0)
    csrr t0, mcause
    csrr t1, mepc
    csrr t2, mtval
    csrr t3, mstatus
    sd t3, CTX_STATUS(s0)
    li t4, 3
    la t5, s_trap_ecall
    beq t1, t5, by_supervisor
    la t5, s_trap_illegal
    bne t1, t5, 1f
by_supervisor:
    csrr t0, scause
    csrr t1, sepc
    csrr t2, stval
    csrr t3, sscratch
    sd t3, CTX_A0(s0)
    li t4, 1
1:  sd t0, CTX_CAUSE(s0)
    sd t1, CTX_EPC(s0)
    sd t2, CTX_TVAL(s0)
    sd t4, CTX_HANDLER(s0)
    ld t0, 112(sp)
    csrw mstatus, t0
    csrw mscratch, zero
    .irp n, 0,1,2,3,4,5,6,7,8,9,10,11
    ld s\n, 8 * \n(sp)
    .endr
    ld ra, 96(sp)
    addi sp, sp, FRAME
    ret

unexpected:
    csrr sp, mscratch
    csrw mscratch, zero
    la t0, stacks_end
    mv sp, t0
    csrr a0, mcause
    csrr a1, mepc
    csrr a2, mtval
    call test_unexpected

/* The supervisor's handler: over to M-mode by ecall, or, for an ecall, by a CSR that is not its own. */
    .balign 4
    .globl s_trap
s_trap:
    csrw sscratch, a0
    csrr a0, scause
    addi a0, a0, -9
    beqz a0, s_trap_illegal
s_trap_ecall:
    ecall
s_trap_illegal:
    csrr a0, mscratch

/* Tables for vectored traps: the entry taken leaves its number in t6. */
    .option push
    .option rvc
    .balign 256
    .globl m_vectors
m_vectors:
    .set entry, 0
    .rept 32
    c.li t6, entry
    c.j m_trap
    .set entry, entry + 1
    .endr
    .balign 256
    .globl s_vectors
s_vectors:
    .set entry, 0
    .rept 32
    c.li t6, entry
    c.j s_trap
    .set entry, entry + 1
    .endr
    .option pop

    .section .data.second_hart, "aw"
    .balign 8
    .globl second_hart
second_hart:
    .dword 0

    .section .stacks, "aw", @nobits
    .balign 16
stacks:
    .zero 2 << 13
stacks_end:
