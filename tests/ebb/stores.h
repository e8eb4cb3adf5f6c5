/* SPDX-License-Identifier: Apache-2.0 */
/* Stores of a loop, counted by the tests of the library; each stores its number. */
#ifndef TESTS_EBB_STORES_H
#define TESTS_EBB_STORES_H

#include "ebb.h"

/* `turns` stores to `cell`, of the numbers from its value on; the store is at NAME_store. */
#define STORES(name)                                                                                         \
    void name(volatile uint64_t *cell, uint64_t turns);                                                      \
    extern const char name##_store[];                                                                        \
    __asm__(".pushsection .text.stores, \"ax\"\n.balign 4\n.globl " #name "\n" #name ": ld t0, 0(a0)\n"      \
            "1: addi t0, t0, 1\n mul t1, t0, t0\n" #name                                                     \
            "_store: sd t0, 0(a0)\n addi a1, a1, -1\n bnez a1, 1b\n ret\n.popsection")

#endif
