/* SPDX-License-Identifier: Apache-2.0 */
/* Machine state of a hart before its supervisor runs, and the entry into the supervisor. */
#include "hart.h"

#include "csr.h"
#include "mailbox.h"
#include "pmu.h"
#include "rfence.h"
#include "timer.h"
#include "trap.h"

bool hart_delegates_counters;

/* The firmware's memory is its own, everything else the supervisor's. */
static void setup_pmp(void) {
    const unsigned long napot = 0x18, rwx = 7;

    csr_write(pmpaddr0, (RAM_BASE + (1ul << (FIRMWARE_LOG - 1)) - 1) >> 2);
    csr_write(pmpaddr1, ~0ul);
    csr_write(pmpcfg0, (napot | rwx) << 8 | napot);
}

static void setup_delegation(void) {
    unsigned long interrupts =
        INTERRUPT_BIT(SSI) | INTERRUPT_BIT(STI) | INTERRUPT_BIT(SEI) | INTERRUPT_BIT(LCOFI);

    if (hart_delegates_counters)
        interrupts |= INTERRUPT_BIT(LAMBI);
    csr_write(mideleg, interrupts); /* WARL: LCOFI where there is Sscofpmf */
    /* Illegal instructions, misaligned and refused accesses come here first: they are emulated, or counted.
     */
    csr_write(medeleg, EXCEPTION_BIT(INSN_MISALIGNED) | EXCEPTION_BIT(INSN_ACCESS) |
                           EXCEPTION_BIT(BREAKPOINT) | EXCEPTION_BIT(ECALL_U) | EXCEPTION_BIT(INSN_PAGE) |
                           EXCEPTION_BIT(LOAD_PAGE) | EXCEPTION_BIT(STORE_PAGE));
}

/* Registers of extensions that not every hart has. */
static void setup_extensions(void) {
    uint64_t menvcfg = TALLY_MENVCFG_STCE_MASK | TALLY_MENVCFG_ADUE_MASK;
    uint64_t mstateen0 = TALLY_MSTATEEN0_SE0_MASK | TALLY_MSTATEEN0_ENVCFG_MASK | TALLY_MSTATEEN0_C_MASK;

    if (hart_delegates_counters) {
        menvcfg |= TALLY_MENVCFG_CDE_MASK | TALLY_MENVCFG_PDISS_MASK;
        mstateen0 |= TALLY_MSTATEEN0_CSRIND_MASK | TALLY_MSTATEEN0_PDIS_MASK;
    }
    if (csr_exists(TALLY_CSR_MENVCFG))
        csr_write64(TALLY_CSR_MENVCFG, TALLY_CSR_MENVCFGH, menvcfg);
    if (csr_exists(TALLY_CSR_MSTATEEN0))
        csr_write64(TALLY_CSR_MSTATEEN0, TALLY_CSR_MSTATEEN0H, mstateen0);
}

static void setup(void) {
    csr_write(mie, 0);
    setup_pmp();
    setup_delegation();
    setup_extensions();
    timer_setup_hart();
    pmu_setup_hart();
    csr_write(mtvec, (uintptr_t)fw_trap_entry);
    csr_write(mie, INTERRUPT_BIT(MSI));
}

void hart_resume(void) {
    const struct hart *hart = this_hart;

    csr_write(mstatus, (unsigned long)PRIV_S << TALLY_MSTATUS_MPP_LSB); /* SIE = 0, SPIE = 0 */
    csr_write(mepc, hart->start_addr);
    csr_write(satp, 0);
    csr_write(sie, 0);
    csr_write(mscratch, hart);
    __asm__ volatile("mv a0, %0\nmv a1, %1\nmret" ::"r"(hart->id), "r"(hart->start_opaque) : "a0", "a1");
    __builtin_unreachable();
}

void hart_enter(void) {
    setup();
    this_hart->state = HART_STARTED;
    hart_resume();
}

void hart_wait(void) {
    struct hart *hart = this_hart;

    csr_write(mie, INTERRUPT_BIT(MSI)); /* wakes; MIE is 0, so no trap is taken */
    while (hart->state != HART_START_PENDING) {
        __asm__ volatile("wfi");
        mailbox_clear();
        (void)mailbox_take();
        rfence_serve(); /* asked for before it was known that this hart stops */
    }
    __asm__ volatile("fence r, rw" ::: "memory");
    hart_restart(hart_enter);
}
