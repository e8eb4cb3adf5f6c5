/* SPDX-License-Identifier: Apache-2.0 */
/* WFI: wakes on interrupts enabled in mie, for any MIE and SIE; modes in which it is illegal; the clock
 * stops meanwhile. */
#include "test.h"

ROUTINE(r_wfi, "wfi\necall");
ROUTINE(r_wfi_then_work, "wfi\naddi a0, a0, 1\nmul a0, a0, a0\necall");

#define SOON 30 /* ticks of mtime */

/* Interrupt not enabled in the mode: execution goes on after the WFI. */
static void check_wakes(unsigned mode) {
    uint64_t when = read64(MTIME) + SOON;
    struct trap_info t;

    context(mode, 0, 0);
    write64(MTIMECMP, when);
    csr_write(mie, BIT(TALLY_INT_STI) | (mode == PRIV_M ? BIT(TALLY_INT_MTI) : 0));
    if (mode == PRIV_S) { /* an M-mode interrupt would be taken: use one that is the supervisor's */
        csr_write(mideleg, BIT(TALLY_INT_STI));
        csr_set(menvcfg, TALLY_MENVCFG_STCE_MASK);
        csr_write(stimecmp, when);
    }
    t = probe(mode, r_wfi_then_work, 6, 0);
    CHECK_EQ(t.cause, ecall_from(mode));
    CHECK_EQ(t.a0, 49);
    CHECK(read64(MTIME) >= when);
    csr_clear(menvcfg, TALLY_MENVCFG_STCE_MASK);
    csr_write(mie, 0);
    csr_write(mideleg, 0);
}

/* Enabled: WFI retires, then the interrupt is taken, so that epc is behind it. */
static void check_interrupted(unsigned mode) {
    struct trap_info t;

    context(mode, 1, 0);
    write64(MTIMECMP, read64(MTIME) + SOON);
    csr_write(mie, BIT(TALLY_INT_MTI));
    probe_from(&t, status_for(mode) | MSTATUS_MPIE, r_wfi, 0, 0, 0);
    csr_write(mie, 0);
    CHECK_EQ(t.cause, INTERRUPT(TALLY_INT_MTI));
    CHECK_EQ(t.epc, (uintptr_t)r_wfi + 4);
}

/* Something is pending already: no wait. */
static void check_no_wait(void) {
    struct trap_info t;

    write64(MTIMECMP, UINT64_MAX);
    csr_set(mip, BIT(TALLY_INT_SSI));
    csr_write(mie, BIT(TALLY_INT_SSI));
    t = probe(PRIV_M, r_wfi, 0, 0);
    CHECK_EQ(t.cause, TALLY_EXC_ECALL_M);
    csr_clear(mip, BIT(TALLY_INT_SSI));
    csr_write(mie, 0);
}

static void check_illegal(void) {
    struct trap_info t;

    probe_from(&t, status_for(PRIV_S) | MSTATUS_TW, r_wfi, 0, 0, 0);
    CHECK_EQ(t.cause, TALLY_EXC_ILLEGAL);
    CHECK_EQ(t.epc, (uintptr_t)r_wfi);
    CHECK_EQ(t.tval, 0x10500073);
    probe_from(&t, status_for(PRIV_U) | MSTATUS_TW, r_wfi, 0, 0, 0);
    CHECK_EQ(t.cause, TALLY_EXC_ILLEGAL);
    t = probe(PRIV_U, r_wfi, 0, 0);
    CHECK_EQ(t.cause, TALLY_EXC_ILLEGAL);
    /* TW does not concern M-mode */
    csr_set(mip, BIT(TALLY_INT_SSI));
    csr_write(mie, BIT(TALLY_INT_SSI));
    probe_from(&t, status_for(PRIV_M) | MSTATUS_TW, r_wfi, 0, 0, 0);
    CHECK_EQ(t.cause, TALLY_EXC_ECALL_M);
    csr_clear(mip, BIT(TALLY_INT_SSI));
    csr_write(mie, 0);
}

void test_main(void) {
    open_memory();
    write64(MTIMECMP, UINT64_MAX);
    for (unsigned i = 0; i < 4; i++) {
        check_wakes(PRIV_M);
        check_wakes(PRIV_S);
        check_interrupted(PRIV_M);
        check_interrupted(PRIV_S);
    }
    check_no_wait();
    check_illegal();
    pass();
}
