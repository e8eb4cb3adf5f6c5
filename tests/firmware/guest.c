/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Traps of a guest that come through the firmware: with the hypervisor extension (QEMU). The guest is a few
 * instructions of this program, without translation: an illegal instruction, which the firmware takes first,
 * then an ecall, by which it leaves.
 */
#include "suite.h"

enum { HSTATUS_SPV = 1 << 7, HSTATUS_SPVP = 1 << 8, ECALL_VS = 10, SPP = 1 << 8 };

static bool has_hypervisor(void) {
    trap_expected = true;
    trap_cause = ~0ul;
    (void)csr_read(hstatus);
    trap_expected = false;
    return trap_cause == ~0ul;
}

static void run_guest(bool as_supervisor) {
    trap_expected = true;
    trap_hstatus = 0;
    guest_runs = true;
    csr_write(hgatp, 0);
    csr_write(vsatp, 0);
    csr_set(hstatus, HSTATUS_SPV | HSTATUS_SPVP);
    if (as_supervisor)
        csr_set(sstatus, SPP);
    else
        csr_clear(sstatus, SPP);
    __asm__ volatile(".option push\n.option norvc\n"
                     "lla t0, 1f\ncsrw sepc, t0\nsret\n"
                     ".balign 4\n1: .4byte 0xffffffff\necall\n"
                     ".option pop" ::
                         : "t0", "memory");
    guest_runs = trap_expected = false;
}

TEST(a_guests_trap_is_the_hypervisors) {
    NEED(has_hypervisor());
    csr_write(hedeleg, 0);
    run_guest(true);
    EXPECT(trap_cause, ECALL_VS);                      /* the last one */
    EXPECT(trap_hstatus & HSTATUS_SPV, HSTATUS_SPV);   /* of the first: from the guest ... */
    EXPECT(trap_hstatus & HSTATUS_SPVP, HSTATUS_SPVP); /* ... and its S-mode */
}

TEST(a_guests_trap_that_the_hypervisor_delegates_is_the_guests) {
    unsigned long handled;

    NEED(has_hypervisor());
    csr_write(hedeleg, 1ul << 2);
    csr_write(vscause, 0);
    /* Its handler skips the instruction and goes on. */
    __asm__ volatile(".option push\n.option norvc\n"
                     "lla t0, 1f\ncsrw vstvec, t0\nj 2f\n"
                     ".balign 4\n1: csrr t0, sepc\naddi t0, t0, 4\ncsrw sepc, t0\nsret\n"
                     "2:\n.option pop" ::
                         : "t0");
    run_guest(true);
    handled = csr_read(vscause);
    csr_write(hedeleg, 0);
    EXPECT(handled, 2);
    EXPECT(trap_cause, ECALL_VS);
}
