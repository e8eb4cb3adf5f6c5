/* SPDX-License-Identifier: Apache-2.0 */
/* PMP: OFF, TOR, NA4, NAPOT; permissions by mode; lock; partial matches; priority; WARL fields of registers.
 */
#include "test.h"

ROUTINE(r_load, "ld a0, 0(a0)\necall");
ROUTINE(r_load_w, "lw a0, 0(a0)\necall");
ROUTINE(r_load_b, "lb a0, 0(a0)\necall");
ROUTINE(r_store, "sd a1, 0(a0)\necall");
ROUTINE(r_store_w, "sw a1, 0(a0)\necall");
ROUTINE(r_amo, "amoadd.d a0, a1, (a0)\necall");
ROUTINE(r_lr, "lr.d a0, (a0)\necall");
ROUTINE(r_jump, "jr a0");
ROUTINE(r_load_mprv, "csrw mstatus, a1\nld a0, 0(a0)\necall");

enum { R = 1, W = 2, X = 4, OFF = 0, TOR = 8, NA4 = 0x10, NAPOT = 0x18, L = 0x80 };

#define ENTRIES 8

static uint64_t area[1024] __attribute__((aligned(8192)));

static uint64_t base(void) { return (uintptr_t)area; }

static void set_entry(unsigned n, uint64_t address, unsigned config) {
    uint64_t shift = 8 * n;

    csr_write(pmpcfg0, csr_read(pmpcfg0) & ~(0xffull << shift)); /* off while it changes */
    switch (n) { /* the register's number is part of the instruction */
    case 0:
        csr_write(pmpaddr0, address);
        break;
    case 1:
        csr_write(pmpaddr1, address);
        break;
    case 2:
        csr_write(pmpaddr2, address);
        break;
    case 3:
        csr_write(pmpaddr3, address);
        break;
    case 4:
        csr_write(pmpaddr4, address);
        break;
    case 5:
        csr_write(pmpaddr5, address);
        break;
    case 6:
        csr_write(pmpaddr6, address);
        break;
    default:
        csr_write(pmpaddr7, address);
        break;
    }
    csr_write(pmpcfg0, csr_read(pmpcfg0) | (uint64_t)config << shift);
}

static uint64_t napot(uint64_t address, uint64_t size) { return address >> 2 | (size / 8 - 1); }

/* Everything open by the last entry; the others off. */
static void only_background(void) {
    csr_write(pmpcfg0, 0);
    set_entry(7, UINT64_MAX >> 10, NAPOT | R | W | X);
}

static uint64_t cause_of(unsigned mode, const char *routine, uint64_t address) {
    struct trap_info t = probe(mode, routine, address, 3);

    if (t.cause == TALLY_EXC_LOAD_ACCESS || t.cause == TALLY_EXC_STORE_ACCESS ||
        t.cause == TALLY_EXC_INSN_ACCESS)
        CHECK_EQ(t.tval, address);
    return t.cause;
}

static void expect(unsigned mode, const char *routine, uint64_t address, bool allowed) {
    uint64_t fault = routine == r_jump                                                ? TALLY_EXC_INSN_ACCESS
                     : routine == r_store || routine == r_store_w || routine == r_amo ? TALLY_EXC_STORE_ACCESS
                                                                                      : TALLY_EXC_LOAD_ACCESS;

    CHECK_EQ(cause_of(mode, routine, address), allowed ? ecall_from(mode) : fault);
}

/* Every combination of R, W, X and L in every mode. W without R is reserved and left out. */
static void check_permissions(void) {
    struct trap_info t;

    for (unsigned config = 0; config < 8; config++) {
        if ((config & (R | W)) == W)
            continue;
        only_background();
        set_entry(0, napot(base(), 4096), NAPOT | config);
        for (unsigned mode = 0; mode <= 3; mode += 1 + (mode == 1)) {
            bool m = mode == PRIV_M; /* not locked: M-mode is free */

            context(config, mode, 0);
            expect(mode, r_load, base() + 64, m || config & R);
            expect(mode, r_store, base() + 64, m || config & W);
            expect(mode, r_amo, base() + 64, m || config & W);
            expect(mode, r_lr, base() + 64, m || config & R);
            expect(mode, r_jump, base(), m || config & X);
            expect(mode, r_load, base() + 4096, true);
        }
        probe_from(&t, status_for(PRIV_M), r_load_mprv, base() + 8, MSTATUS_MPRV | status_for(PRIV_S), 0);
        CHECK_EQ(t.cause, config & R ? TALLY_EXC_ECALL_M : TALLY_EXC_LOAD_ACCESS);
    }
}

static void check_napot_sizes(void) {
    for (uint64_t size = 8; size <= 4096; size *= 2) {
        uint64_t at = base() + size; /* aligned to its size */

        only_background();
        set_entry(0, napot(at, size), NAPOT);
        context(size, 0, 0);
        expect(PRIV_S, r_load, at - 8, true);
        expect(PRIV_S, r_load, at, false);
        expect(PRIV_S, r_store, at + size - 8, false);
        expect(PRIV_U, r_load_b, at + size - 1, false);
        expect(PRIV_S, r_load, at + size, true);
    }
}

static void check_na4(void) {
    only_background();
    set_entry(0, base() >> 2, NA4);
    set_entry(1, (base() + 12) >> 2, NA4 | R);
    expect(PRIV_S, r_load_w, base(), false);
    expect(PRIV_S, r_load_w, base() + 4, true);
    expect(PRIV_S, r_load_w, base() + 12, true);
    expect(PRIV_S, r_store_w, base() + 12, false);
    expect(PRIV_S, r_store_w, base() + 8, true);
    /* a partial match fails for any rights of the entry, in any mode that it applies to */
    expect(PRIV_S, r_load, base(), false);
    expect(PRIV_S, r_load, base() + 8, false);
    /* M-mode too: "fails if it does not match all bytes, irrespective of L, R, W, X" */
    expect(PRIV_M, r_load, base() + 8, false);
}

static void check_tor(void) {
    only_background();
    set_entry(0, (base() + 0x100) >> 2, OFF);
    set_entry(1, (base() + 0x204) >> 2, TOR | R);
    expect(PRIV_S, r_store, base() + 0xf8, true);
    expect(PRIV_S, r_load, base() + 0x100, true);
    expect(PRIV_S, r_store, base() + 0x100, false);
    expect(PRIV_S, r_store_w, base() + 0x200, false);
    expect(PRIV_S, r_store_w, base() + 0x204, true);
    expect(PRIV_S, r_load, base() + 0x200, false); /* partial */
    /* entry 0's lower bound is address 0 */
    set_entry(0, (base() + 0x100) >> 2, TOR | R | X);
    expect(PRIV_S, r_store, base(), false);
    expect(PRIV_S, r_load, base() + 0xf8, true);
    /* an empty range matches nothing */
    only_background();
    set_entry(0, (base() + 0x100) >> 2, OFF);
    set_entry(1, (base() + 0x100) >> 2, TOR);
    set_entry(2, (base() + 0x80) >> 2, TOR);
    expect(PRIV_S, r_load, base() + 0xf8, true);
    expect(PRIV_S, r_load, base() + 0x100, true);
    expect(PRIV_S, r_load, base() + 0x80, true);
}

static void check_priority(void) {
    only_background();
    set_entry(2, napot(base(), 64), NAPOT);
    set_entry(3, napot(base(), 128), NAPOT | R);
    set_entry(4, napot(base(), 256), NAPOT | R | W);
    expect(PRIV_S, r_load, base() + 56, false);
    expect(PRIV_S, r_load, base() + 64, true);
    expect(PRIV_S, r_store, base() + 64, false);
    expect(PRIV_S, r_store, base() + 128, true);
    set_entry(1, napot(base() + 32, 8), NAPOT | R | W);
    expect(PRIV_S, r_store, base() + 32, true);
    expect(PRIV_S, r_store, base() + 40, false);
    /* nothing matches: M-mode does not mind */
    csr_write(pmpcfg0, 0);
    set_entry(0, napot(base(), 64), NAPOT | R | W | X);
    expect(PRIV_M, r_load, base() + 512, true);
}

/* No entry matches: not even the first instruction of S or U can be fetched. */
static void check_no_match(void) {
    struct trap_info t;

    csr_write(pmpcfg0, 0);
    for (unsigned mode = 0; mode < 2; mode++) {
        t = probe(mode, r_load, base(), 0);
        CHECK_EQ(t.cause, TALLY_EXC_INSN_ACCESS);
        CHECK_EQ(t.epc, (uintptr_t)r_load);
        CHECK_EQ(t.tval, (uintptr_t)r_load);
    }
}

static void check_registers(void) {
    csr_write(pmpcfg0, 0);
    for (unsigned n = 0; n < ENTRIES; n++) {
        set_entry(n, UINT64_MAX, OFF);
        context(n, 0, 0);
    }
    CHECK_EQ(csr_read(pmpaddr0), UINT64_MAX >> 10);
    CHECK_EQ(csr_read(pmpaddr7), UINT64_MAX >> 10);
    csr_write(pmpaddr8, UINT64_MAX);
    CHECK_EQ(csr_read(pmpaddr8), 0);
    csr_write(pmpaddr15, UINT64_MAX);
    CHECK_EQ(csr_read(pmpaddr15), 0);
    csr_write(pmpcfg2, UINT64_MAX);
    CHECK_EQ(csr_read(pmpcfg2), 0);
    /* bits 6:5 are 0; all eight configurations are one register */
    csr_write(pmpcfg0, 0x60);
    CHECK_EQ(csr_read(pmpcfg0), 0);
    csr_write(pmpcfg0, 0x1f1d1917150d0901);
    CHECK_EQ(csr_read(pmpcfg0), 0x1f1d1917150d0901);
}

/* Last, because locks hold until reset. */
static void check_lock(void) {
    only_background();
    set_entry(2, napot(base(), 64), NAPOT | R | L);
    set_entry(1, (base() + 256) >> 2, OFF);
    set_entry(4, (base() + 512) >> 2, OFF | L);
    expect(PRIV_M, r_load, base(), true);
    expect(PRIV_M, r_store, base(), false);
    expect(PRIV_M, r_jump, base(), false);
    expect(PRIV_S, r_store, base(), false);
    /* neither the address nor the configuration changes any more */
    csr_write(pmpaddr2, 0);
    CHECK_EQ(csr_read(pmpaddr2), napot(base(), 64));
    csr_write(pmpcfg0, 0x1f00000000000000);
    CHECK_EQ(csr_read(pmpcfg0), 0x1f00000000000000 | 0x99 << 16 | 0x80ull << 32);
    csr_write(pmpaddr4, 0);
    CHECK_EQ(csr_read(pmpaddr4), (base() + 512) >> 2);
    /* an entry locked as TOR holds the address below it too */
    set_entry(5, (base() + 1024) >> 2, OFF);
    set_entry(6, (base() + 2048) >> 2, TOR | R | L);
    csr_write(pmpaddr5, 0);
    CHECK_EQ(csr_read(pmpaddr5), (base() + 1024) >> 2);
    csr_write(pmpaddr1, 0x1000);
    CHECK_EQ(csr_read(pmpaddr1), 0x1000);
    expect(PRIV_M, r_store, base() + 1024, false);
    expect(PRIV_M, r_store, base() + 1016, true);
    expect(PRIV_M, r_load, base() + 2040, true);
    expect(PRIV_M, r_store, base() + 2048, true);
}

void test_main(void) {
    area[0] = 0x73; /* ecall */
    __asm__ volatile("fence.i" ::: "memory");
    open_memory();
    csr_write(medeleg, 0);
    check_permissions();
    check_napot_sizes();
    check_na4();
    check_tor();
    check_priority();
    check_no_match();
    check_registers();
    check_lock();
    pass();
}
