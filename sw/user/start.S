/* SPDX-License-Identifier: Apache-2.0 */
/* Entry of a program in U-mode: a0 = argc, a1 = argv, a2 = envp, sp = its stack. */
    .section .text.start, "ax"
    .globl _start
_start:
    .option push
    .option norelax
    lla gp, __global_pointer$
    .option pop
    lla tp, __tls_base
    lla t0, environ
    sd a2, 0(t0)
    mv s0, a0
    mv s1, a1
    mv s2, a2
    call __libc_init_array
    lla a0, user_flush
    call atexit
    mv a0, s0
    mv a1, s1
    mv a2, s2
    call main
    tail exit
