/* SPDX-License-Identifier: Apache-2.0 */
/* Writes, inhibition and reads of counters, in straight-line code. Access rights are rules of pmu_counters.c.
 */
#include "test.h"

/* reading with csrrs x0 is not a write, csrrs with a register is, even if it holds 0 */
ROUTINE(r_set_register, "li a0, 0\ncsrs cycle, a0\necall");
ROUTINE(r_set_immediate_0, "csrsi cycle, 0\necall");

static void check_set_forms(void) {
    struct trap_info t = probe(PRIV_M, r_set_register, 0, 0);

    CHECK_EQ(t.cause, TALLY_EXC_ILLEGAL);
    t = probe(PRIV_M, r_set_immediate_0, 0, 0);
    CHECK_EQ(t.cause, TALLY_EXC_ECALL_M);
}

static void check_instret(void) {
    uint64_t a, b, c;

    /* the write replaces its own increment; each instruction counts once, before the next reads */
    __asm__ volatile("csrw minstret, %3\ncsrr %0, minstret\ncsrr %1, minstret\nnop\nnop\ncsrr %2, minstret"
                     : "=&r"(a), "=&r"(b), "=&r"(c)
                     : "r"(1000));
    CHECK_EQ(a, 1000);
    CHECK_EQ(b, 1001);
    CHECK_EQ(c, 1004);
    /* carry over all 64 bits */
    __asm__ volatile("csrw minstret, %2\nnop\ncsrr %0, minstret\ncsrr %1, minstret"
                     : "=&r"(a), "=&r"(b)
                     : "r"(-1ull));
    CHECK_EQ(a, 0);
    CHECK_EQ(b, 1);
    /* an instruction that traps does not retire; ecall and mret: only mret counts */
    __asm__ volatile("csrw minstret, zero\ncsrr %0, minstret" : "=r"(a));
    CHECK_EQ(a, 0);
}

static void check_inhibit(void) {
    uint64_t a, b, c;

    /* the write of mcountinhibit is counted by the old value */
    __asm__ volatile("csrw minstret, zero\ncsrw mcountinhibit, %2\nnop\nnop\ncsrr %0, minstret\n"
                     "csrw mcountinhibit, zero\nnop\ncsrr %1, minstret"
                     : "=&r"(a), "=&r"(b)
                     : "r"(4));
    CHECK_EQ(a, 1);
    CHECK_EQ(b, 2);
    csr_write(mcountinhibit, 1);
    a = csr_read(mcycle);
    c = csr_read(minstret);
    b = csr_read(mcycle);
    CHECK_EQ(a, b);
    CHECK(csr_read(minstret) > c);
    csr_write(mcountinhibit, 0);
    a = csr_read(mcycle);
    CHECK(csr_read(mcycle) > a);
    /* writes are taken while inhibited */
    csr_write(mcountinhibit, -1);
    csr_write(mcycle, 77);
    CHECK_EQ(csr_read(mcycle), 77);
    CHECK_EQ(csr_read(cycle), 77);
    csr_write(mcountinhibit, 0);
}

/* A retire event counts as minstret does. */
static void check_hpm(void) {
    uint64_t a, b;

    csr_write(mhpmevent3, TALLY_EV_INST_RET);
    __asm__ volatile("csrw mhpmcounter3, %2\ncsrr %0, mhpmcounter3\nnop\nnop\ncsrr %1, mhpmcounter3"
                     : "=&r"(a), "=&r"(b)
                     : "r"(50));
    CHECK_EQ(a, 50);
    CHECK_EQ(b, 53);
    csr_write(mhpmevent3, TALLY_EV_INST_BRJMP_BRANCH_TK_RET);
    __asm__ volatile(
        "csrw mhpmcounter3, zero\nli %1, 10\n1: addi %1, %1, -1\nbnez %1, 1b\ncsrr %0, mhpmcounter3"
        : "=&r"(a), "=&r"(b));
    CHECK_EQ(a, 9);
    csr_write(mhpmevent3, 0);
    __asm__ volatile("csrw mhpmcounter3, zero\nnop\nnop\ncsrr %0, mhpmcounter3" : "=&r"(a));
    CHECK_EQ(a, 0);
}

void test_main(void) {
    open_memory();
    check_set_forms();
    if (is_tally()) {
        check_instret();
        check_inhibit();
        check_hpm();
    }
    pass();
}
