/* SPDX-License-Identifier: Apache-2.0 */
# Reads a byte from the UART, sends it back, and ends with it as exit code (0 = pass, 'R' = reset). Hart 0
# only.

  .globl _start
_start:
  csrr t0, mhartid
  bnez t0, sleep
  li   t0, 0x10000000
receive:
  lbu  t1, 5(t0)              # LSR: data ready
  andi t1, t1, 1
  beqz t1, receive
  lbu  a0, 0(t0)
  sb   a0, 0(t0)
send:
  lbu  t1, 5(t0)              # LSR: transmitter empty
  andi t1, t1, 0x40
  beqz t1, send
  li   t1, 0x100000
  li   t2, 0x5555
  beqz a0, end
  li   t2, 0x7777
  li   t3, 'R'
  beq  a0, t3, end
  slli t2, a0, 16
  li   t3, 0x3333
  or   t2, t2, t3
end:
  .globl end
  sw   t2, 0(t1)
sleep:
  wfi
  j    sleep
