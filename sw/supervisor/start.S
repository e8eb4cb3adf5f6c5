/* SPDX-License-Identifier: Apache-2.0 */
/* Entry of a program in S-mode: a0 = hart, a1 = device tree. main()'s result goes to program_exit(). */
    .section .text.start, "ax"
    .globl _start
_start:
    lla sp, stack_end
    lla t0, program_trap
    csrw stvec, t0
    csrw sie, zero
    lla t0, __bss_start
    lla t1, __bss_end
1:  bgeu t0, t1, 2f
    sd zero, 0(t0)
    addi t0, t0, 8
    j 1b
2:  call main
    tail program_exit

    /* A trap that the program has not asked for */
    .balign 4
program_trap:
    csrr a0, scause
    csrr a1, sepc
    csrr a2, stval
    tail program_died

    .section .stacks, "aw", @nobits
    .balign 16
    .zero 16384
stack_end:
