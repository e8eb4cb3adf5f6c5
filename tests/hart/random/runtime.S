/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Runtime of a random program: sets the machine up, and gets it over every trap.
 *
 * A trap is repaired (page table, PMP), served (ecall: the next entry of the table of services) or skipped,
 * so that the program goes on behind it. Traps that were delegated come here too: the supervisor's handler
 * is an ecall and an sret. Virtual addresses of code and data equal the physical ones. A wild jump resumes at
 * tp; the body never touches this file's registers and memory.
 */
#include "layout.h"
#include "tally_spec.h"

    .equ FINISHER, 0x100000
    .equ MSIP, 0x2000000
    .equ MTIMECMP, 0x2004000
    .equ MTIME, 0x200bff8
    .equ PLIC, 0xc000000
    .equ UART, 0x10000000
    .equ UART_IRQ, 10

    .section .text.start, "ax"
    .option norvc
    .globl _start
_start:
    j start

    .org PARAMETERS
parameters:
    .zero P_BRANCHES + 8

    .org RUNTIME_M_VECTORS
m_vectors:
    .rept 32
    j m_common
    .endr
s_common:
s_ecall:
    ecall
s_sret:
    sret

start:
    la t0, m_vectors
    csrw mtvec, t0
    la t0, s_vectors
    csrw stvec, t0
    csrr t0, mhartid
    bnez t0, second
    la t0, save
    csrw mscratch, t0
    la s0, parameters
    li t0, RUNTIME_BASE >> 2 | (RUNTIME_TEXT_SIZE / 8 - 1)
    csrw pmpaddr0, t0
    li t0, RUNTIME_BASE >> 2 | (RUNTIME_SIZE / 8 - 1)
    csrw pmpaddr1, t0
    li t0, CODE_BASE >> 2
    csrw pmpaddr2, t0
    li t0, (CODE_BASE + CODE_SIZE) >> 2
    csrw pmpaddr3, t0
    li t0, -1
    srli t0, t0, 10
    csrw pmpaddr7, t0
    ld t0, P_MSECCFG(s0)
    ld t1, P_PMPCFG(s0)
    beqz t0, 1f
    li t2, 1 << TALLY_MSECCFG_RLB_LSB
    csrw TALLY_CSR_MSECCFG, t2
    li t2, PMP_START_MML
    csrw pmpcfg0, t2
    csrw TALLY_CSR_MSECCFG, t0
1:  csrw pmpcfg0, t1
    li t0, MTIME
    ld t1, 0(t0)
    ld t2, P_TIMER_MASK(s0)
    add t1, t1, t2
    li t0, MTIMECMP
    sd t1, 0(t0)
    li t0, 0x80
    csrw mie, t0
    ld t0, P_BODY(s0)
    csrw mepc, t0
    csrr t0, mstatus
    li t1, 3 << 11 | 1 << 7
    or t0, t0, t1
    csrw mstatus, t0
    addi x31, s0, P_REGISTERS
    .irp n, 1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31
    ld x\n, 8 * \n(x31)
    .endr
    mret

    /*
     * The second hart has work of its own, on memory of its own, while its instructions are
     * sampled into a buffer of its own: the two meet on the bus.
     */
second:
    la s0, parameters
    ld t0, P_SECOND_CONTROL(s0)
    beqz t0, .
    li t1, SECOND_SAMPLES_BASE
    csrw TALLY_CSR_SPDISAMBADDR, t1
    ld t1, P_SECOND_BUFFER(s0)
    csrw TALLY_CSR_SPDISAMBCS, t1
    ld t1, P_SECOND_COUNTER(s0)
    csrw TALLY_CSR_SPDISCOUNTER, t1
    csrw TALLY_CSR_MPDISCTL, t0
    li s1, SECOND_DATA_BASE
    li s2, 0                    /* offset in two pages of it */
    li s3, 8191
    li s4, 1 << TALLY_SPDISAMBCS_TF_LSB | 1 << TALLY_SPDISAMBCS_BMI_LSB | 1 << TALLY_SPDISAMBCS_WRAP_LSB
1:  add t0, s1, s2
    ld t1, 0(t0)
    addi t1, t1, 1
    sd t1, 0(t0)
    amoadd.d t2, t1, (s1)
    mul t3, t2, t1
    andi t4, t3, 4
    beqz t4, 2f
    div t3, t3, t1
    jal t5, 2f
2:  addi s2, s2, 72
    and s2, s2, s3
    andi s2, s2, -8
    andi t4, s2, 1016
    bnez t4, 1b
    csrc TALLY_CSR_SPDISAMBCS, s4
    j 1b

    /*
     * t0 cause, t1 epc, t2 tval; a0 mode that trapped; a5 not 0: by way of the supervisor.
     * s0 state, s1 number of the trap.
     */
m_common:
    csrrw sp, mscratch, sp
    .irp n, 1,5,6,7,8,9,10,11,12,13,14,15
    sd x\n, 8 * \n(sp)
    .endr
    la s0, state
    ld s1, 0(s0)                /* traps so far */
    addi s1, s1, 1
    sd s1, 0(s0)
    ld a1, parameters + P_TRAP_LIMIT
    bgeu s1, a1, finish
    csrr t0, mcause
    csrr t1, mepc
    csrr t2, mtval
    csrr a0, mstatus
    srli a0, a0, 11
    andi a0, a0, 3
    li a5, 0
    la a1, s_ecall
    bne t1, a1, 1f
    csrr t0, scause
    csrr t1, sepc
    csrr t2, stval
    csrr a0, sstatus
    srli a0, a0, 8
    andi a0, a0, 1
    li a5, 1
1:  bltz t0, interrupt

    addi a1, t0, -1
    beqz a1, fetch_access
    addi a1, t0, -12
    beqz a1, fetch_page
    addi a1, t0, -13
    beqz a1, data_page
    addi a1, t0, -15
    beqz a1, data_page
    addi a1, t0, -5
    beqz a1, data_access
    addi a1, t0, -7
    beqz a1, data_access
    addi a1, t0, -8
    beqz a1, service
    addi a1, t0, -9
    beqz a1, service
    addi a1, t0, -11
    beqz a1, service

skip:
    andi a1, s1, 7              /* each eighth goes on in M-mode, where more is allowed */
    or a1, a1, a5
    bnez a1, 1f
    li a1, 3 << 11
    csrs mstatus, a1
1:  lhu a1, 0(t1)
    not a1, a1
    andi a1, a1, 3
    seqz a1, a1                 /* 32 bits? */
    slli a1, a1, 1
    addi a1, a1, 2
    add t1, t1, a1
resume:
    beqz a5, 1f
    csrw sepc, t1
    la t1, s_sret
    li a1, 1 << 22              /* TSR would trap the sret */
    csrc mstatus, a1
1:  csrw mepc, t1
    .irp n, 1,5,6,7,8,9,10,11,12,13,14,15
    ld x\n, 8 * \n(sp)
    .endr
    csrrw sp, mscratch, sp
    mret

finish:
    li t0, FINISHER
    li t1, 0x5555
    sw t1, 0(t0)
    j .

    /* Is t1 in the code? If not, a jump went astray: resume at tp. */
fetch_access:
    li a1, CODE_BASE
    bltu t1, a1, astray
    ld a1, parameters + P_CODE_END
    bgeu t1, a1, astray
    ld a1, parameters + P_PMPCFG
    csrw pmpcfg0, a1
    sfence.vma
    j resume
fetch_page:
    li a1, CODE_BASE
    bltu t1, a1, astray
    ld a1, parameters + P_CODE_END
    bgeu t1, a1, astray
    li a4, 0xcb                 /* V R X A D */
    j repair
astray:
    li a1, FINISH_PC
    beq t1, a1, finish
    mv t1, tp
    j resume

    /* Skipped; each fourth time PMP is opened again. */
data_access:
    andi a1, s1, 3
    bnez a1, skip
    ld a1, parameters + P_PMPCFG
    csrw pmpcfg0, a1
    sfence.vma
    j skip

    /* A data page is repaired once an instruction; if that did not help, the instruction is skipped. */
data_page:
    ld a1, 8(s0)
    sd zero, 8(s0)
    beq a1, t1, skip
    sd t1, 8(s0)
    li a4, 0xc7                 /* V R W A D */
    li a1, CODE_BASE
    bltu t2, a1, skip
    li a1, REGION_END
    bgeu t2, a1, skip
repair:
    /* leaf[tval >> 12]: add a4, clear the reserved bits, U as the mode needs it (M-mode: turn it). */
    li a1, RUNTIME_BASE
    sub a1, t2, a1
    srli a1, a1, 12
    slli a1, a1, 3
    li a2, TABLES_BASE + 2 * 4096
    add a1, a1, a2
    ld a2, 0(a1)
    or a2, a2, a4
    li a4, -1
    srli a4, a4, 10
    and a2, a2, a4
    xori a2, a2, 0x10
    addi a4, a0, -3
    beqz a4, 2f
    andi a2, a2, ~0x10
    bnez a0, 2f
    ori a2, a2, 0x10
2:  sd a2, 0(a1)
    sfence.vma
    j resume

    /* Two at a time may be asked for; each is made quiet. */
interrupt:
    andi t0, t0, 31
    li a1, 1
    sll a1, a1, t0
    addi a2, t0, -7
    beqz a2, timer
    csrc mip, a1
    addi a2, t0, -3
    bnez a2, 1f
    li a2, MSIP
    sw zero, 0(a2)
    j resume
1:  addi a2, t0, -5
    bnez a2, 2f
    li a2, -1
    csrw stimecmp, a2
    j resume
2:  addi a2, t0, -9
    beqz a2, 3f
    addi a2, t0, -11
    bnez a2, resume
3:  li a2, UART
    sb zero, 1(a2)
    li a2, PLIC + 0x200004
    lw a3, 0(a2)
    sw a3, 0(a2)
    li a2, PLIC + 0x201004
    lw a3, 0(a2)
    sw a3, 0(a2)
    j resume
timer:
    ld a1, parameters + P_BRANCHES
    beqz a1, 1f
    li a1, 0xf8                 /* switch the program's task (docs/rulings.md, EBB and context switches) */
    csrrs a2, mcountinhibit, a1
    csrrw a3, TALLY_CSR_UBESCR, zero
    csrrw a4, TALLY_CSR_UEBBRR, zero
    csrrw t0, TALLY_CSR_SEBBCTL, zero
    csrw TALLY_CSR_UBESCR, a3   /* ... and in */
    csrw TALLY_CSR_UEBBRR, a4
    csrw TALLY_CSR_SEBBCTL, t0
    csrw mcountinhibit, a2
1:
    li a1, 0x9e3779b1
    mul a1, a1, s1
    srli a1, a1, 16
    ld a2, parameters + P_TIMER_MASK
    and a1, a1, a2
    addi a1, a1, 12
set_timer:
    li a2, MTIME
    ld a3, 0(a2)
    add a3, a3, a1
    li a2, MTIMECMP
    sd a3, 0(a2)
    j resume

service:
    addi t1, t1, 4
    ld a1, 16(s0)               /* number of the next one */
    addi a2, a1, 1
    andi a2, a2, SERVICES_N - 1
    sd a2, 16(s0)
    slli a1, a1, SERVICE_SHIFT
    li a2, SERVICES_BASE
    add a1, a1, a2
    ld t0, 0(a1)
    ld a2, 8(a1)
    ld a3, 16(a1)
    beqz t0, service_mode
    addi t0, t0, -1
    beqz t0, service_satp
    addi t0, t0, -1
    beqz t0, service_pte
    addi t0, t0, -1
    beqz t0, service_pmp
    addi t0, t0, -1
    beqz t0, service_status
    addi t0, t0, -1
    beqz t0, service_timer
    addi t0, t0, -1
    beqz t0, service_msip
    addi t0, t0, -1
    beqz t0, service_uart
    addi t0, t0, -1
    beqz t0, service_delegate
    addi t0, t0, -2
    beqz t0, service_mseccfg
    li t0, 0x80
    or a2, a2, t0
    csrw mie, a2
    j resume
service_mode:
    bnez a5, 1f
    li a1, 3 << 11 | 1 << 17    /* MPRV too: with another MPP it would change the runtime's loads */
    csrc mstatus, a1
    slli a2, a2, 11
    csrs mstatus, a2
    j resume
1:  li a1, 1 << 8               /* the supervisor returns: to itself or to U-mode */
    csrc sstatus, a1
    andi a2, a2, 1
    slli a2, a2, 8
    csrs sstatus, a2
    j resume
service_satp:
    csrw satp, a2
    sfence.vma
    j resume
service_pte:
    sd a3, 0(a2)
    sfence.vma
    j resume
service_pmp:
    ld a4, parameters + P_PMPCFG
    csrw pmpcfg0, a4
    csrw pmpaddr4, a2
    csrw pmpaddr5, a3
    ld a2, 32 + 8(a1)
    ld a3, 32 + 16(a1)
    csrw pmpaddr6, a2
    or a4, a4, a3
    csrw pmpcfg0, a4
    sfence.vma
    j resume
service_status:
    csrs mstatus, a2
    csrc mstatus, a3
    j resume
service_timer:
    mv a1, a2
    j set_timer
service_msip:
    li a1, MSIP
    li a2, 1
    sw a2, 0(a1)
    j resume
service_uart:
    li a1, PLIC
    li a3, 1
    sw a3, 4 * UART_IRQ(a1)
    li a1, PLIC + 0x2000
    slli a4, a2, 7
    add a1, a1, a4
    li a3, 1 << UART_IRQ
    sw a3, 0(a1)
    li a1, PLIC + 0x200000
    slli a4, a2, 12
    add a1, a1, a4
    sw zero, 0(a1)
    li a1, UART
    li a2, 2
    sb a2, 1(a1)
    j resume
service_mseccfg:
    csrw TALLY_CSR_MSECCFG, a2
    j resume
service_delegate:
    csrw medeleg, a2
    csrw mideleg, a3
    j resume

    .org RUNTIME_S_VECTORS
s_vectors:
    .rept 32
    j s_common
    .endr
    .org RUNTIME_S_VECTORS + 4 * 274
    j s_common                  /* the Andes interrupt is 256 + 18 here */

    .data
    .balign 64
state:
    .zero 64                    /* traps; pc of the last repair; next service */
save:
    .zero 32 * 8
