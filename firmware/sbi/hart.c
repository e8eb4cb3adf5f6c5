/* SPDX-License-Identifier: Apache-2.0 */
/* Machine state of a hart before its supervisor runs, and the entry into the supervisor. */
#include "hart.h"

#include "csr.h"
#include "fwft.h"
#include "hart_state.h"
#include "isa.h"
#include "mailbox.h"
#include "memory_map.h"
#include "pmu.h"
#include "redirect.h"
#include "rfence.h"
#include "sse.h"
#include "timer.h"
#include "trap.h"

extern char __text_end[];   /* firmware.ld: end of what M-mode may execute, from RAM_BASE, */
extern char __rodata_end[]; /* and of what it may not write */

/* pmpaddr of the 1 << log bytes at base, as a naturally aligned power of two */
static unsigned long napot(unsigned long base, unsigned log) { return (base + (1ul << (log - 1)) - 1) >> 2; }

/*
 * Physical memory protection (privileged manual, Physical Memory Protection; Smepmp). The lowest entry that
 * matches decides; locked ones hold for M-mode too, and until the next reset.
 *         what                       with Smepmp (mseccfg.MML)   without
 *   0     guard of this hart's stack nobody                      nobody
 *   2     text (from pmpaddr1)       M: read, execute            all: read, execute; locked
 *   3     constants                  M: read                     all: read; locked
 *   4     the rest of the firmware   M: read, write              M
 *   5     ACLINT                     M: read, write              M
 *   6     devices                    all: read, write            M; below it read, write
 *   7     everything else            S and U                     M, S and U
 */
static void setup_pmp(void) {
    enum { R = 1, W = 2, X = 4, TOR = 1 << 3, NAPOT = 3 << 3, LOCKED = 1 << 7, SHARED_DATA = W | X };
#define ENTRY(n, cfg) ((uint64_t)(cfg) << 8 * (n))
    /* The same in both meanings of L */
    const uint64_t locked =
        ENTRY(0, NAPOT | LOCKED) | ENTRY(2, TOR | LOCKED | R | X) | ENTRY(3, TOR | LOCKED | R);
    const uint64_t of_m_alone = ENTRY(4, NAPOT | LOCKED | R | W) | ENTRY(5, NAPOT | LOCKED | R | W);
    const uint64_t rest = ENTRY(7, NAPOT | R | W | X);
    const bool has_mseccfg = csr_exists(TALLY_CSR_MSECCFG);
    bool smepmp = false;

    if (has_mseccfg && csr_read(TALLY_CSR_MSECCFG) & TALLY_MSECCFG_MML_MASK)
        return; /* it stays set, and so do the rules: this hart was here before */
    csr_write(pmpaddr0,
              napot((uintptr_t)hart_stacks + (this_hart->id << HART_STACK_LOG) + EMERGENCY_SIZE, GUARD_LOG));
    csr_write(pmpaddr1, RAM_BASE >> 2);
    csr_write(pmpaddr2, (uintptr_t)__text_end >> 2);
    csr_write(pmpaddr3, (uintptr_t)__rodata_end >> 2);
    csr_write(pmpaddr4, napot(RAM_BASE, FIRMWARE_LOG));
    csr_write(pmpaddr5, napot(aclint_base, ACLINT_LOG));
    csr_write(pmpaddr6, napot(0, DEVICES_LOG));
    csr_write(pmpaddr7, ~0ul);
    if (has_mseccfg) { /* it may be there for other extensions: then MML stays 0 */
        /* RLB is not needed; QEMU 7.2 refuses shared data without it once MML is set. */
        csr_write(TALLY_CSR_MSECCFG, TALLY_MSECCFG_RLB_MASK);
        csr_write64(pmpcfg0, pmpcfg1, locked);
        csr_set(TALLY_CSR_MSECCFG, TALLY_MSECCFG_MML_MASK);
        smepmp = csr_read(TALLY_CSR_MSECCFG) & TALLY_MSECCFG_MML_MASK;
    }
    if (smepmp) {
        csr_write64(pmpcfg0, pmpcfg1, locked | of_m_alone | ENTRY(6, NAPOT | SHARED_DATA) | rest);
        csr_write(TALLY_CSR_MSECCFG, TALLY_MSECCFG_MML_MASK | TALLY_MSECCFG_MMWP_MASK);
    } else {
        csr_write64(pmpcfg0, pmpcfg1,
                    locked | ENTRY(4, NAPOT) | ENTRY(5, NAPOT) | ENTRY(6, NAPOT | R | W) | rest);
    }
#undef ENTRY
}

static void setup_delegation(void) {
    /* A guest's call, page faults of its memory, virtual instruction: the hypervisor's; 0 without the
     * extension (WARL) */
    const unsigned long guests = 1ul << 10 | 1ul << 20 | 1ul << 21 | 1ul << 22 | 1ul << 23;
    unsigned long interrupts =
        INTERRUPT_BIT(SSI) | INTERRUPT_BIT(STI) | INTERRUPT_BIT(SEI) | INTERRUPT_BIT(LCOFI);

    if (pmu_delegates_counters)
        interrupts |= INTERRUPT_BIT(LAMBI);
    csr_write(mideleg, interrupts); /* WARL: LCOFI where there is Sscofpmf */
    /* Illegal instructions, misaligned and refused accesses come here first: they are emulated, or counted.
     */
    csr_write(medeleg, EXCEPTION_BIT(INSN_MISALIGNED) | EXCEPTION_BIT(INSN_ACCESS) |
                           EXCEPTION_BIT(BREAKPOINT) | EXCEPTION_BIT(ECALL_U) | EXCEPTION_BIT(INSN_PAGE) |
                           EXCEPTION_BIT(LOAD_PAGE) | EXCEPTION_BIT(STORE_PAGE) | guests);
}

/* menvcfg of what the device tree lists. CBIE 3: an invalidate is one, where the supervisor's memory alone is
 * open to it (MML); elsewhere it could discard lines of the firmware: CBIE 1, a flush. Without a word about A
 * and D in page tables, and with both ways listed, the supervisor asks (FWFT); Svadu alone is on. */
static uint64_t listed_extensions(void) {
    const bool apart = csr_exists(TALLY_CSR_MSECCFG) && csr_read(TALLY_CSR_MSECCFG) & TALLY_MSECCFG_MML_MASK;
    const uint64_t cbie = (apart ? 3ull : 1ull) << 4, cbcfe = 1ull << 6, cbze = 1ull << 7, pbmte = 1ull << 62;
    const unsigned isa = isa_of_hart[this_hart->id];

    return (isa & ISA_ZICBOM ? cbie | cbcfe : 0) | (isa & ISA_ZICBOZ ? cbze : 0) |
           (isa & ISA_SVPBMT ? pbmte : 0) |
           ((isa & (ISA_SVADE | ISA_SVADU)) == ISA_SVADU ? TALLY_MENVCFG_ADUE_MASK : 0);
}

/* Registers of extensions that not every hart has. */
static void setup_extensions(void) {
    uint64_t menvcfg = TALLY_MENVCFG_STCE_MASK | listed_extensions();
    uint64_t mstateen0 = TALLY_MSTATEEN0_SE0_MASK | TALLY_MSTATEEN0_ENVCFG_MASK | TALLY_MSTATEEN0_C_MASK;

    if (pmu_delegates_counters) {
        menvcfg |= TALLY_MENVCFG_CDE_MASK | TALLY_MENVCFG_PDISS_MASK;
        mstateen0 |= TALLY_MSTATEEN0_CSRIND_MASK | TALLY_MSTATEEN0_PDIS_MASK;
    }
    if (csr_exists(TALLY_CSR_MENVCFG))
        csr_write64(TALLY_CSR_MENVCFG, TALLY_CSR_MENVCFGH, menvcfg);
    if (csr_exists(TALLY_CSR_MSTATEEN0))
        csr_write64(TALLY_CSR_MSTATEEN0, TALLY_CSR_MSTATEEN0H, mstateen0);
    if (pmu_has_branches) {
        csr_write(TALLY_CSR_SEBBCTL, 0); /* what a supervisor before this one left */
        csr_write(TALLY_CSR_UBESCR, 0);
        csr_write(TALLY_CSR_MEBBCTL, TALLY_MEBBCTL_EN_MASK);
    }
}

static void setup(void) {
    csr_write(mie, 0);
    setup_pmp();
    redirect_setup_hart();
    setup_delegation();
    setup_extensions();
    fwft_setup_hart();
    sse_setup_hart();
    timer_setup_hart();
    pmu_setup_hart();
    /* Nothing of the supervisor that ran here before is pending. */
    csr_clear(mip, INTERRUPT_BIT(SSI) | INTERRUPT_BIT(LCOFI) | INTERRUPT_BIT(LAMBI));
    csr_write(mtvec, (uintptr_t)fw_trap_entry);
    csr_write(mie, INTERRUPT_BIT(MSI));
}

bool hart_may_enter(unsigned long addr) {
    uintptr_t at;

    return memory_map_shared(addr, 0, 2, &at);
}

void hart_sleep(void) {
    do
        __asm__ volatile("wfi");
    while (!(csr_read(mip) & csr_read(mie)));
}

__attribute__((noreturn)) static void enter(void) {
    const struct hart *hart = this_hart;

    csr_write(mstatus, (unsigned long)PRIV_S << TALLY_MSTATUS_MPP_LSB); /* SIE = 0, SPIE = 0 */
    csr_write(mepc, hart->start_addr);
    csr_write(satp, 0);
    csr_write(sie, 0);
    csr_write(mscratch, hart);
    /* Fences that other harts sent while this one was stopped were for nobody. */
    __asm__ volatile("fence\n fence.i\n sfence.vma" ::: "memory");
    hart_return(hart->id, hart->start_opaque);
}

void hart_resume_at(unsigned long addr, unsigned long opaque) {
    this_hart->start_addr = addr;
    this_hart->start_opaque = opaque;
    sse_mask_hart(); /* a handler's address is not yet translated */
    hart_restart(enter);
}

void hart_enter(void) {
    setup();
    this_hart->state = HART_STARTED;
    enter();
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
