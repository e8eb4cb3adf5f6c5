/* SPDX-License-Identifier: Apache-2.0 */
/* LR/SC: begin, life and end of a reservation on one hart; docs/hart.md "Reservation". */
#include "test.h"

static uint64_t lines[64] __attribute__((aligned(64)));

static uint64_t lr_d(volatile uint64_t *p) {
    uint64_t v;

    __asm__ volatile("lr.d %0, (%1)" : "=r"(v) : "r"(p) : "memory");
    return v;
}

static uint64_t lr_w(volatile void *p) {
    uint64_t v;

    __asm__ volatile("lr.w.aq %0, (%1)" : "=r"(v) : "r"(p) : "memory");
    return v;
}

static uint64_t sc_d(volatile uint64_t *p, uint64_t v) {
    uint64_t failed;

    __asm__ volatile("sc.d %0, %2, (%1)" : "=&r"(failed) : "r"(p), "r"(v) : "memory");
    return failed;
}

static uint64_t sc_w(volatile void *p, uint64_t v) {
    uint64_t failed;

    __asm__ volatile("sc.w.rl %0, %2, (%1)" : "=&r"(failed) : "r"(p), "r"(v) : "memory");
    return failed;
}

static void check_basic(void) {
    lines[0] = 0x1111222280000000;
    CHECK_EQ(sc_d(&lines[0], 1), 1); /* never reserved */
    CHECK_EQ(lr_d(&lines[0]), 0x1111222280000000);
    CHECK_EQ(sc_d(&lines[0], 5), 0);
    CHECK_EQ(lines[0], 5);
    CHECK_EQ(sc_d(&lines[0], 6), 1); /* every SC ends it */
    CHECK_EQ(lines[0], 5);
    lines[0] = 0x1111222280000000;
    CHECK_EQ(lr_w(&lines[0]), 0xffffffff80000000);
    CHECK_EQ(sc_w(&lines[0], 0xabcdef0112345678), 0);
    CHECK_EQ(lines[0], 0x1111222212345678);
    CHECK_EQ(lr_w((char *)&lines[0] + 4), 0x11112222);
    CHECK_EQ(sc_w((char *)&lines[0] + 4, -1), 0);
    CHECK_EQ(lines[0], 0xffffffff12345678);
}

/* The reservation is the line of 64 bytes. */
static void check_line(void) {
    lr_d(&lines[8]);
    CHECK_EQ(sc_d(&lines[15], 3), 0);
    lr_d(&lines[8]);
    CHECK_EQ(sc_d(&lines[16], 3), 1);
    CHECK_EQ(sc_d(&lines[8], 3), 1); /* the failed one ended it */
    lr_d(&lines[8]);
    lr_d(&lines[24]); /* the last LR counts */
    CHECK_EQ(sc_d(&lines[8], 3), 1);
    lr_d(&lines[8]);
    lr_d(&lines[24]);
    CHECK_EQ(sc_d(&lines[24], 3), 0);
}

ROUTINE(r_ecall, "ecall");

/* Own stores, AMOs, traps and returns leave it. */
static void check_kept(void) {
    uint64_t old;

    lr_d(&lines[8]);
    *(volatile uint64_t *)&lines[9] = 44;
    *(volatile uint64_t *)&lines[40] = 44;
    CHECK_EQ(sc_d(&lines[8], 7), 0);
    lr_d(&lines[8]);
    __asm__ volatile("amoadd.d %0, %1, (%2)" : "=&r"(old) : "r"(1ull), "r"(&lines[48]) : "memory");
    CHECK_EQ(sc_d(&lines[8], 7), 0);
    lr_d(&lines[8]);
    CHECK_EQ(probe(PRIV_U, r_ecall, 0, 0).cause, TALLY_EXC_ECALL_U);
    CHECK_EQ(sc_d(&lines[8], 8), 0);
    CHECK_EQ(lines[8], 8);
}

/* The usual loop, in its sizes */
static void check_loop(void) {
    volatile uint64_t *p = &lines[32];

    *p = 0;
    for (unsigned i = 0; i < 100; i++)
        while (sc_d(p, lr_d(p) + i))
            ;
    CHECK_EQ(*p, 4950);
}

void test_main(void) {
    open_memory();
    check_basic();
    check_line();
    check_kept();
    check_loop();
    pass();
}
