/* SPDX-License-Identifier: Apache-2.0 */
/* Entry of a program in S-mode: a0 = hart, a1 = device tree. main()'s result goes to program_exit(). */
    .section .text.start, "ax"
    .globl _start
_start:
    lla sp, stack_end
    lla t0, supervisor_trap
    csrw stvec, t0
    csrw sscratch, zero
    csrw sie, zero
    lla t0, __bss_start
    lla t1, __bss_end
1:  bgeu t0, t1, 2f             /* program.ld aligns both to 64 bytes */
    .irp n, 0,8,16,24,32,40,48,56
    sd zero, \n(t0)
    .endr
    addi t0, t0, 64
    j 1b
2:  call main
    tail program_exit

    .section .stacks, "aw", @nobits
    .balign 16
    .zero 8192
stack_end:
