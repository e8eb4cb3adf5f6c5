/* SPDX-License-Identifier: Apache-2.0 */
# Runs twice, with a reset between (tally-sim --reset-after), and ends in the second run: registers keep their
# values in a reset, so t6 tells them apart. The first run fills the second-level TLB and the I cache with
# content that is wrong in the second, which executes neither sfence.vma nor fence.i. Exit code: which one.

  .equ MAGIC, 0x7a11
  .equ PAGE, 0x40000000       # virtual
  .equ LEAF, 0xcf             # D, A, X, W, R, V

  .option norvc
  .globl _start
_start:
  li   t0, MAGIC
  sub  s0, t6, t0             # 0: the second life
  mv   t6, t0

  # instructions: this word of memory is new
  bnez s0, patch
changed:
  li   a0, 2
  bnez s0, translate
  li   s1, 1
  li   t0, 2
  bne  a0, t0, fail
  j    translate
patch:
  la   t0, changed
  lw   t1, one
  sw   t1, 0(t0)
  fence.i
  j    changed
one:
  li   a0, 1

  # a page: of memory that holds 1 in the first life, 2 in the second
translate:
  la   t0, second
  beqz s0, 1f
  la   t0, first
1:
  srli t0, t0, 2
  ori  t0, t0, LEAF
  la   t1, table0
  sd   t0, 0(t1)
  srli t1, t1, 2
  ori  t1, t1, 1
  la   t2, table1
  sd   t1, 0(t2)
  srli t2, t2, 2
  ori  t2, t2, 1
  la   t3, table2
  sd   t2, 8(t3)
  li   t0, -1
  csrw pmpaddr0, t0
  li   t0, 0x1f
  csrw pmpcfg0, t0
  li   t0, 8 << 60
  srli t3, t3, 12
  or   t0, t0, t3
  csrw satp, t0
  li   t0, 1 << 17 | 1 << 11  # MPRV, MPP = S
  li   t1, PAGE
  csrs mstatus, t0
  ld   a0, 0(t1)
  li   t0, 1 << 17
  csrc mstatus, t0
wait:
  bnez s0, wait
  li   s1, 2
  li   t0, 2
  bne  a0, t0, fail
  li   t1, 0x5555
  j    end
fail:
  slli t1, s1, 16
  li   t0, 0x3333
  or   t1, t1, t0
end:
  li   t0, 0x100000
  sw   t1, 0(t0)
  j    end

  .balign 4096
first:
  .dword 1
  .balign 4096
second:
  .dword 2
  .balign 4096
table0:
  .zero 4096
table1:
  .zero 4096
table2:
  .zero 4096
