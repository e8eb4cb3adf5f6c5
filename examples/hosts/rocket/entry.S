# SPDX-License-Identifier: Apache-2.0
# Rocket: its boot ROM goes to 0x10000000, where the harness sends it here
    .section .entry, "ax"
    .globl _start
_start:
    la sp, stack_end
    j main
