/* SPDX-License-Identifier: Apache-2.0 */
/* fence.i: stores before it are seen by fetches after it, in lines that are cached, on their way, or the very
 * next. */
#include "test.h"

static uint32_t code[1024] __attribute__((aligned(4096)));

#define ADDI_A0(imm) ((uint32_t)(imm) << 20 | 10 << 15 | 10 << 7 | 0x13)
#define RET 0x00008067u

static uint64_t call(const void *at, uint64_t a0) {
    uint64_t (*function)(uint64_t) = (uint64_t(*)(uint64_t))(uintptr_t)at;

    return function(a0);
}

static void fence_i(void) { __asm__ volatile("fence.i" ::: "memory"); }

/* The instruction right behind fence.i is the one that was stored. */
ROUTINE(next_insn, "lw t0, 0(a1)\nla t1, 1f\nsw t0, 0(t1)\nfence.i\n"
                   ".option push\n.option norvc\n.balign 4\n1: addi a0, a0, 1\nret\n.option pop");

void test_main(void) {
    uint64_t (*next)(uint64_t, const uint32_t *) =
        (uint64_t(*)(uint64_t, const uint32_t *))(uintptr_t)next_insn;

    for (uint32_t round = 0; round < 40; round++) {
        uint32_t at = round * 7 % 64 * 16; /* other sets, and back to the first */

        for (uint32_t n = 0; n < 3; n++)
            code[at + n] = ADDI_A0(round + n);
        code[at + 3] = RET;
        fence_i();
        context(round, 0, 0);
        CHECK_EQ(call(&code[at], 1000), 1000 + 3 * round + 3);
        CHECK_EQ(call(&code[at + 1], 0), 2 * round + 3);
        code[at + 1] = ADDI_A0(500); /* in a line that was just fetched */
        fence_i();
        CHECK_EQ(call(&code[at], 0), 2 * round + 502);
    }
    for (uint32_t n = 0; n < 10; n++) {
        uint32_t insn = ADDI_A0(n * 3);

        context(n, 1, 0);
        CHECK_EQ(next(100, &insn), 100 + n * 3);
    }
    pass();
}
