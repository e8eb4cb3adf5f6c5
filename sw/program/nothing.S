/* SPDX-License-Identifier: Apache-2.0 */
/* A program that ends at once, in a page of its own: its counts are the cost of counting (perf.c). */
#include "calls.h"

    .section .text.user_nothing, "ax"
    .balign 4096
    .globl user_nothing
user_nothing:
    li a7, CALL_EXIT
    ecall
    .balign 4096
