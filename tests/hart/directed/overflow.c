/* SPDX-License-Identifier: Apache-2.0 */
/* An overflow interrupt is taken before the instruction behind its cause retires, or has effects, for
 * any two instructions, and whatever the pipeline was waiting for. */
#include "test.h"

/* Instructions of four bytes, each the one behind an overflow in turn. Slow ones precede those that wait
 * to be the oldest, so that these are waiting. a0: memory, a1: the UART, a2: 1. */
#define WORK                                                                                                 \
    "div t0, a2, a0\n amoadd.d t1, a2, (a0)\n"                                                               \
    "div t0, a2, a0\n lr.d t1, (a0)\n sc.d t2, t1, (a0)\n"                                                   \
    "div t0, a2, a0\n lbu t1, 5(a1)\n"                                                                       \
    "ld t0, 64(a0)\n amoswap.w t1, a2, (a0)\n amoadd.w t1, a2, (a0)\n lbu t1, 7(a1)\n lbu t1, 5(a1)\n"       \
    "sd a2, 128(a0)\n amoor.d t1, a2, (a0)\n ld t1, 128(a0)\n sb a2, 7(a1)\n fence\n"                        \
    "mul t0, a2, a0\n csrr t1, sscratch\n csrw sscratch, t1\n fence.i\n sfence.vma\n"                        \
    "beq a2, a2, .+4\n j .+4\n bne a2, a2, .+8\n add t0, t0, t0\n clz t1, t0\n"                              \
    "div t0, a2, a0\n wfi\n wfi\n ld t0, 192(a0)\n sd t0, 256(a0)\n nop\n nop\n"

ROUTINE(r_work, ".option push\n.option norvc\n.option arch, +zbb\n.globl r_work_end\n" WORK
                "r_work_end: ecall\n.option pop");
extern const char r_work_end[];

static uint64_t buffer[64] __attribute__((aligned(64)));

/* Overflow by the instruction number `n` of the routine, counted in S-mode alone */
static struct trap_info run(unsigned n) {
    struct trap_info t;

    csr_write(mhpmcounter3, 0 - (uint64_t)n);
    csr_write(mhpmevent3, TALLY_EV_INST_RET | TALLY_MHPMEVENT_MINH_MASK);
    csr_clear(mip, BIT(TALLY_INT_LCOFI));
    probe_from(&t, status_for(PRIV_S), r_work, (uintptr_t)buffer, UART_BASE, 1);
    return t;
}

void test_main(void) {
    unsigned instructions = (unsigned)(r_work_end - r_work) / 4;
    struct trap_info t;

    open_memory();
    if (!is_tally())
        pass();
    /* It wakes WFI: pending, the supervisor's, and not enabled there */
    csr_write(mideleg, BIT(TALLY_INT_SSI));
    csr_set(mip, BIT(TALLY_INT_SSI));
    csr_write(mie, BIT(TALLY_INT_SSI) | BIT(TALLY_INT_LCOFI));
    for (unsigned turn = 0; turn < 2; turn++)
        for (unsigned n = 1; n <= instructions; n++) {
            context(turn, n, 0);
            t = run(n);
            CHECK_EQ(t.cause, INTERRUPT(TALLY_INT_LCOFI));
            CHECK_EQ(t.epc, (uintptr_t)r_work + 4 * n);
        }
    t = run(instructions + 1);
    CHECK_EQ(t.cause, TALLY_EXC_ECALL_S);
    pass();
}
