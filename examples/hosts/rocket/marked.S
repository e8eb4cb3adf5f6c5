# SPDX-License-Identifier: Apache-2.0
# A Linux program without a library. The harness counts from its first instruction to the last that retires:
# those that `perf stat` counts in U-mode.
    .globl _start
_start:
    slti zero, zero, 1 # a hint for the harness
    .option push
    .option norelax
    la gp, __global_pointer$
    .option pop
    .irp work, crc, matrix, sort, string, machine
    li a0, 12345
    call \work
    .endr
    li a7, 172 # getpid
    ecall
    li a0, 0
    li a7, 93 # exit
    slti zero, zero, 2
    ecall
