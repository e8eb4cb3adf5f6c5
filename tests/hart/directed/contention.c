/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Two harts on the same words: counters kept by AMOs and by LR/SC, a lock around plain loads and stores, and
 * messages handed over with fences. Run with -smp 2.
 */
#include "test.h"

enum { ROUNDS = 300, MESSAGES = 200 };

static struct {
    volatile uint64_t amo __attribute__((aligned(64)));
    volatile uint32_t amo_w __attribute__((aligned(64)));
    volatile uint64_t lr_sc __attribute__((aligned(64)));
    volatile uint32_t lr_sc_w[2] __attribute__((aligned(64)));
    volatile uint64_t lock __attribute__((aligned(64)));
    volatile uint64_t guarded[9]; /* in the lock's line and the next */
    volatile uint64_t max __attribute__((aligned(64)));
    volatile uint64_t data[16] __attribute__((aligned(64)));
    volatile uint64_t full __attribute__((aligned(64)));
    volatile uint64_t arrived __attribute__((aligned(64)));
    volatile uint64_t wrong __attribute__((aligned(64)));
} shared;

static uint64_t amo_add(volatile uint64_t *p, uint64_t v) {
    uint64_t old;

    __asm__ volatile("amoadd.d %0, %2, (%1)" : "=&r"(old) : "r"(p), "r"(v) : "memory");
    return old;
}

static void lr_sc_add(void) {
    uint64_t value, failed;

    do
        __asm__ volatile("lr.d %0, (%2)\naddi %0, %0, 1\nsc.d %1, %0, (%2)"
                         : "=&r"(value), "=&r"(failed)
                         : "r"(&shared.lr_sc)
                         : "memory");
    while (failed);
}

static void lr_sc_add_w(volatile uint32_t *p) {
    uint64_t value, failed;

    do
        __asm__ volatile("lr.w %0, (%2)\naddi %0, %0, 1\nsc.w %1, %0, (%2)"
                         : "=&r"(value), "=&r"(failed)
                         : "r"(p)
                         : "memory");
    while (failed);
}

static void lock(void) {
    uint64_t old;

    do
        __asm__ volatile("amoswap.d.aq %0, %2, (%1)" : "=&r"(old) : "r"(&shared.lock), "r"(1ull) : "memory");
    while (old);
}

static void unlock(void) { __asm__ volatile("amoswap.d.rl zero, zero, (%0)" ::"r"(&shared.lock) : "memory"); }

static void barrier(uint64_t turn) {
    amo_add(&shared.arrived, 1);
    while (shared.arrived < 2 * turn)
        ;
    __asm__ volatile("fence rw, rw" ::: "memory");
}

static void add_together(uint64_t hart) {
    for (uint64_t i = 0; i < ROUNDS; i++) {
        uint64_t seen = shared.amo, old;

        if (amo_add(&shared.amo, 1) < seen)
            shared.wrong = 1;
        __asm__ volatile("amoadd.w zero, %1, (%0)" ::"r"(&shared.amo_w), "r"(3ull) : "memory");
        __asm__ volatile("amomaxu.d %0, %2, (%1)"
                         : "=&r"(old)
                         : "r"(&shared.max), "r"(i * 2 + hart)
                         : "memory");
        lr_sc_add();
        lr_sc_add_w(&shared.lr_sc_w[i & 1]);
    }
}

/* The same increment in plain loads and stores, one hart at a time */
static void add_locked(void) {
    for (uint64_t i = 0; i < ROUNDS; i++) {
        lock();
        for (size_t k = 0; k < COUNT(shared.guarded); k++)
            shared.guarded[k] = shared.guarded[k] + k;
        unlock();
    }
}

static void send(void) {
    for (uint64_t n = 1; n <= MESSAGES; n++) {
        while (shared.full)
            ;
        __asm__ volatile("fence r, w" ::: "memory");
        for (size_t k = 0; k < COUNT(shared.data); k++)
            shared.data[k] = n * (k + 1);
        __asm__ volatile("fence w, w" ::: "memory");
        shared.full = n;
    }
}

static void receive(void) {
    for (uint64_t n = 1; n <= MESSAGES; n++) {
        while (shared.full != n)
            ;
        __asm__ volatile("fence r, r" ::: "memory");
        for (size_t k = 0; k < COUNT(shared.data); k++)
            if (shared.data[k] != n * (k + 1))
                shared.wrong = 2;
        __asm__ volatile("fence r, w" ::: "memory");
        shared.full = 0;
    }
}

static void second(void) {
    barrier(1);
    add_together(1);
    barrier(2);
    add_locked();
    barrier(3);
    receive();
    barrier(4);
    for (;;)
        __asm__ volatile("wfi");
}

void test_main(void) {
    open_memory();
    second_hart = second;
    __asm__ volatile("fence rw, rw" ::: "memory");
    write32(MSIP + 4, 1);
    barrier(1);
    add_together(0);
    barrier(2);
    add_locked();
    barrier(3);
    send();
    barrier(4);
    CHECK_EQ(shared.wrong, 0);
    CHECK_EQ(shared.amo, 2 * ROUNDS);
    CHECK_EQ(shared.amo_w, 6 * ROUNDS);
    CHECK_EQ(shared.lr_sc, 2 * ROUNDS);
    CHECK_EQ(shared.lr_sc_w[0], ROUNDS);
    CHECK_EQ(shared.lr_sc_w[1], ROUNDS);
    CHECK_EQ(shared.max, 2 * (ROUNDS - 1) + 1);
    for (size_t k = 0; k < COUNT(shared.guarded); k++)
        CHECK_EQ(shared.guarded[k], 2 * ROUNDS * k);
    pass();
}
