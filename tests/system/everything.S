/* SPDX-License-Identifier: Apache-2.0 */
# A loop with one of everything that the lockstep compares: loads, stores, AMOs, traps, CSRs, counters.

  .globl _start
_start:
  la   t0, handler
  csrw mtvec, t0
  la   s0, data
again:
  addi s1, s1, 1
  sd   s1, 0(s0)
  ld   a0, 0(s0)
  sw   a0, 8(s0)
  lhu  a1, 8(s0)
  sb   a1, 19(s0)
  lb   a2, 19(s0)
  amoadd.d a3, s1, (s0)
  addi a4, s0, 8
  amoxor.w a5, s1, (a4)
  csrrw a6, mscratch, s1
  csrr a7, mcycle
  csrr a7, minstret
  csrw mhpmevent3, s1
  csrr a7, mhpmevent3
  ecall
  .word 0                     # illegal
  ld   a0, 1(s0)              # misaligned
  csrrs zero, mstatus, s1
  csrrc zero, mstatus, s1
  lr.d t0, (s0)
  sc.d t1, t0, (s0)
  j    again

  .balign 4
handler:
  csrr t0, mepc
  lhu  t1, 0(t0)
  andi t1, t1, 3
  addi t1, t1, -3
  seqz t1, t1
  slli t1, t1, 1
  addi t1, t1, 2              # 4 behind an instruction of 32 bits, 2 behind a compressed one
  add  t0, t0, t1
  csrw mepc, t0
  mret

  .balign 64
data:
  .space 64
