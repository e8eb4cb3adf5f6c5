/* SPDX-License-Identifier: Apache-2.0 */
/* Firmware features (FWFT): values, locks, errors, and effects. */
#include "suite.h"

#include <string.h>

enum { MISALIGNED_EXC_DELEG = 0, LANDING_PAD = 1, PTE_AD_HW_UPDATING = 4, POINTER_MASKING_PMLEN = 5 };
enum { LOCK = 1 };

static long set(unsigned long feature, unsigned long value, unsigned long flags) {
    return sbi_call3(SBI_EXT_FWFT, 0, feature, value, flags).error;
}

static struct sbiret get(unsigned long feature) { return sbi_call3(SBI_EXT_FWFT, 1, feature, 0, 0); }

static bool offered(void) { return sbi_call3(SBI_EXT_BASE, 3, SBI_EXT_FWFT, 0, 0).value; }

static bool has(unsigned long feature) { return offered() && !get(feature).error; }

TEST(fwft_reserved_and_platform_features_are_denied) {
    static const unsigned long denied[] = {6,          0x3fffffff, 0x40000000, 0x7fffffff,
                                           0x80000000, 0xbfffffff, 0xc0000000, 0xffffffff};

    NEED(offered());
    for (unsigned i = 0; i < sizeof denied / sizeof *denied; i++) {
        EXPECT(set(denied[i], 0, 0), SBI_ERR_DENIED);
        EXPECT(get(denied[i]).error, SBI_ERR_DENIED);
        EXPECT(get(denied[i]).value, 0);
    }
}

TEST(fwft_features_that_the_hart_lacks_are_not_supported) {
    NEED(offered());
    for (unsigned long feature = LANDING_PAD; feature <= POINTER_MASKING_PMLEN; feature++) {
        if (feature == PTE_AD_HW_UPDATING)
            continue;
        EXPECT(set(feature, 0, 0), SBI_ERR_NOT_SUPPORTED);
        EXPECT(get(feature).error, SBI_ERR_NOT_SUPPORTED);
    }
}

TEST(fwft_feature_is_a_32_bit_number) {
    NEED(has(MISALIGNED_EXC_DELEG));
#if __riscv_xlen == 64
    EXPECT(get(1ul << 32 | MISALIGNED_EXC_DELEG).error, SBI_SUCCESS);
#endif
}

TEST(fwft_invalid_values_and_flags_change_nothing) {
    NEED(has(MISALIGNED_EXC_DELEG));
    EXPECT(set(MISALIGNED_EXC_DELEG, 2, 0), SBI_ERR_INVALID_PARAM);
    EXPECT(set(MISALIGNED_EXC_DELEG, ~0ul, 0), SBI_ERR_INVALID_PARAM);
    EXPECT(set(MISALIGNED_EXC_DELEG, 1, 2), SBI_ERR_INVALID_PARAM);
    EXPECT(set(MISALIGNED_EXC_DELEG, 1, 1ul << (__riscv_xlen - 1)), SBI_ERR_INVALID_PARAM);
    EXPECT(get(MISALIGNED_EXC_DELEG).value, 0);
}

static uint64_t words[2];

static unsigned long misaligned_load(void) {
    unsigned long value;

    __asm__ volatile("lhu %0, 1(%1)" : "=r"(value) : "r"(words) : "memory");
    return value;
}

TEST(fwft_misaligned_accesses_are_the_supervisors_if_delegated) {
    NEED(has(MISALIGNED_EXC_DELEG));
    NEED(has_software_event()); /* QEMU performs them */
    words[0] = 0x0102030405060708;
    EXPECT(get(MISALIGNED_EXC_DELEG).value, 0);
    EXPECT(misaligned_load(), 0x0607);
    EXPECT(set(MISALIGNED_EXC_DELEG, 1, 0), SBI_SUCCESS);
    EXPECT(get(MISALIGNED_EXC_DELEG).value, 1);
    trap_expected = true;
    trap_cause = 0;
    misaligned_load();
    EXPECT(trap_cause, 4);
    EXPECT(trap_value, (unsigned long)words + 1);
    EXPECT(set(MISALIGNED_EXC_DELEG, 0, 0), SBI_SUCCESS);
    trap_expected = false;
    EXPECT(misaligned_load(), 0x0607);
}

#if __riscv_xlen == 64
enum { PTE_V = 1, PTE_R = 2, PTE_W = 4, PTE_A = 64, PTE_D = 128, PTE_ALL = 0xcf };

static uint64_t root[512] __attribute__((aligned(4096)));

/* Load from, or store to, words[] by an address whose page has neither A nor D; gives that page's entry. */
static uint64_t touch(bool store) {
    const uintptr_t at = (uintptr_t)words + 0x40000000;

    memset(root, 0, sizeof root);
    root[0] = PTE_ALL;
    root[2] = 0x80000000 >> 2 | PTE_ALL;
    root[3] = 0x80000000 >> 2 | PTE_V | PTE_R | PTE_W;
    csr_write(satp, 8ul << 60 | (uintptr_t)root >> 12);
    __asm__ volatile("sfence.vma" ::: "memory");
    trap_cause = 0;
    trap_expected = true;
    if (store)
        __asm__ volatile("sd zero, 0(%0)" ::"r"(at) : "memory");
    else
        __asm__ volatile("ld zero, 0(%0)" ::"r"(at) : "memory");
    trap_expected = false;
    csr_write(satp, 0);
    __asm__ volatile("sfence.vma" ::: "memory");
    return root[3] & (PTE_A | PTE_D);
}

TEST(fwft_pte_ad_hw_updating) {
    NEED(has(PTE_AD_HW_UPDATING));
    EXPECT(set(PTE_AD_HW_UPDATING, 0, 0), SBI_SUCCESS);
    EXPECT(get(PTE_AD_HW_UPDATING).value, 0);
    EXPECT(touch(false), 0);
    EXPECT(trap_cause, 13);
    EXPECT(touch(true), 0);
    EXPECT(trap_cause, 15);
    EXPECT(set(PTE_AD_HW_UPDATING, 1, 0), SBI_SUCCESS);
    EXPECT(get(PTE_AD_HW_UPDATING).value, 1);
    EXPECT(touch(false), PTE_A);
    EXPECT(trap_cause, 0);
    EXPECT(touch(true), PTE_A | PTE_D);
    EXPECT(trap_cause, 0);
    EXPECT(set(PTE_AD_HW_UPDATING, 0, 0), SBI_SUCCESS);
}
#endif

/* --- another hart: its values are its own, and a start of the hart is a reset of it ------------------ */

static struct {
    unsigned long first, after;
    long relocked, same, locked;
} other;

static void lock_on_other(unsigned long hart) {
    (void)hart;
    other.first = get(MISALIGNED_EXC_DELEG).value;
    other.locked = set(MISALIGNED_EXC_DELEG, 1, LOCK);
    other.relocked = set(MISALIGNED_EXC_DELEG, 0, 0);
    other.same = set(MISALIGNED_EXC_DELEG, 1, 0);
    other.after = get(MISALIGNED_EXC_DELEG).value;
}

TEST(fwft_locked_value_stays_until_the_hart_starts_again) {
    NEED(has(MISALIGNED_EXC_DELEG));
    NEED(hart_count > 1);
    for (unsigned i = 0; i < 2; i++) {
        EXPECT(on_other_hart(lock_on_other), true);
        EXPECT(other.first, 0);
        EXPECT(other.locked, SBI_SUCCESS);
        EXPECT(other.relocked, SBI_ERR_DENIED_LOCKED);
        EXPECT(other.same, SBI_SUCCESS);
        EXPECT(other.after, 1);
        EXPECT(get(MISALIGNED_EXC_DELEG).value, 0);
    }
}

unsigned long suspend_and_resume(unsigned long type, unsigned long fid, unsigned long eid);

static struct {
    unsigned long resumed, value;
    long locked;
} kept;

static void suspend_on_other(unsigned long hart) {
    kept.locked = set(MISALIGNED_EXC_DELEG, 1, LOCK);
    csr_write(sie, INTERRUPT_BIT(SSI));
    sbi_call3(SBI_EXT_IPI, 0, 1ul << hart, 0, 0);
    kept.resumed = suspend_and_resume(0x80000000, 3, SBI_EXT_HSM);
    csr_clear(sip, INTERRUPT_BIT(SSI));
    kept.value = get(MISALIGNED_EXC_DELEG).value;
    kept.locked |= set(MISALIGNED_EXC_DELEG, 0, 0) + 14; /* DENIED_LOCKED */
}

TEST(fwft_values_and_locks_are_kept_over_a_suspend) {
    NEED(has(MISALIGNED_EXC_DELEG));
    NEED(hart_count > 1);
    EXPECT(on_other_hart(suspend_on_other), true);
    EXPECT(kept.resumed, 1);
    EXPECT(kept.value, 1);
    EXPECT(kept.locked, 0);
}
