/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Two harts in M-mode, each with phases of its own, for sampled simulation: divisions that take as long each,
 * loads from all over an array, and a loop without memory. The harts execute as many instructions on any
 * machine: hart 0 ends the run, and hart 1 has fewer rounds, and then waits.
 */
#define FINISHER 0x100000
#define SIZE 0x40000 /* bytes of a hart's array */
#define STEP 4168    /* ... and from one load to the next */

  .globl _start
_start:
  csrr s0, mhartid
  la s1, array
  li s2, SIZE - 1
  li s4, STEP
  li t0, SIZE
  mul t0, t0, s0
  add s1, s1, t0
  li s3, 8 /* rounds */
  li t0, 4
  mul t0, t0, s0
  sub s3, s3, t0
round:
  li t0, 3000
  li t1, -1
  li t2, 3
1:
  divu t3, t1, t2
  addi t0, t0, -1
  addi t1, t1, -1
  bnez t0, 1b
  li t0, 4000
  li t2, 0
2:
  add t3, s1, t2
  ld t4, (t3)
  add t2, t2, s4
  and t2, t2, s2
  addi t0, t0, -1
  bnez t0, 2b
  li t0, 6000
3:
  addi t1, t1, 3
  xor t1, t1, t0
  addi t0, t0, -1
  bnez t0, 3b
  addi s3, s3, -1
  bnez s3, round
  bnez s0, 4f
  li t0, FINISHER
  li t1, 0x5555
  sw t1, (t0)
4:
  wfi
  j 4b

  .balign 4096
array:
