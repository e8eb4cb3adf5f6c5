/* SPDX-License-Identifier: Apache-2.0 */
# A supervisor of two sentences: says hello over the SBI's legacy console and asks for shutdown (SRST).

  .globl _start
_start:
  la   s0, text
next:
  lbu  a0, 0(s0)
  beqz a0, shutdown
  addi s0, s0, 1
  li   a7, 1                  # legacy console putchar
  ecall
  j    next
shutdown:
  li   a7, 0x53525354         # SRST
  li   a6, 0
  li   a0, 0
  li   a1, 0
  ecall
sleep:
  wfi
  j    sleep

text:
  .asciz "hello from S-mode\n"
