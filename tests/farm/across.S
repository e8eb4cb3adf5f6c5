/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Alone in M-mode: at each label cut_... something is under way that a checkpoint must keep. It reads "ab"
 * from the UART. Finisher: passes, or fails with the number of the check.
 */
#define UART 0x10000000
#define PLIC 0xc000000
#define FINISHER 0x100000
#define UART_SOURCE 10
#define MEIP 11

  .macro check number, register, value
  li t6, \value
  li t5, \number
  bne \register, t6, fail
  .endm

  .globl _start, cut_waiting, cut_reserved, cut_pending, cut_claimed, cut_half, cut_served, cut_completed
_start:
  li s2, UART
  li s3, 30000 /* iterations, in which both bytes come */
1:
  addi s3, s3, -1
  bnez s3, 1b
cut_waiting:
  nop
  lbu t0, 5(s2) /* LSR */
  andi t0, t0, 1
  check 1, t0, 1

  la s0, word
  li s1, 42
  lr.d t0, (s0)
cut_reserved:
  nop
  sc.d t1, s1, (s0)
  check 2, t1, 0
  ld t2, (s0)
  check 3, t2, 42

  li s4, PLIC
  li t0, 1
  sw t0, 4 * UART_SOURCE(s4) /* priority */
  li t1, PLIC + 0x2000
  li t0, 1 << UART_SOURCE
  sw t0, (t1) /* enabled in context 0 */
  li s5, PLIC + 0x200000
  sw zero, (s5) /* threshold */
  li t0, 1
  sb t0, 1(s2) /* IER: data */
2:
  csrr t0, mip
  srli t0, t0, MEIP
  andi t0, t0, 1
  beqz t0, 2b
cut_pending:
  nop
  lw t0, 4(s5) /* claim */
  check 4, t0, UART_SOURCE
cut_claimed:
  nop
  lw t0, 4(s5) /* no other one */
  check 5, t0, 0
  lbu t0, (s2)
  check 6, t0, 'a'
cut_half:
  nop
  lbu t0, (s2)
  check 7, t0, 'b'
cut_served:
  nop
  lbu t0, 5(s2)
  andi t0, t0, 1
  check 8, t0, 0
  li t0, UART_SOURCE
  sw t0, 4(s5) /* complete */
cut_completed:
  nop
  lw t0, 4(s5)
  check 9, t0, 0
  li t0, FINISHER
  li t1, 0x5555
  sw t1, (t0)
  j .
fail:
  slli t5, t5, 16
  li t1, 0x3333
  or t1, t1, t5
  li t0, FINISHER
  sw t1, (t0)
  j .

  .balign 64
word:
  .dword 7
