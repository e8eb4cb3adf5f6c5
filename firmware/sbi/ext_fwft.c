/* SPDX-License-Identifier: Apache-2.0 */
/* Firmware features: what a supervisor may turn on and off. All of them are local to a hart. */
#include <stdbool.h>
#include <stdint.h>

#include "csr.h"
#include "fwft.h"
#include "hart_state.h"
#include "sbi.h"

enum {
    MISALIGNED_EXC_DELEG,
    LANDING_PAD,
    SHADOW_STACK,
    DOUBLE_TRAP,
    PTE_AD_HW_UPDATING,
    POINTER_MASKING_PMLEN,
    FEATURES
};

#define FLAG_LOCK 1ul
#define MISALIGNED (EXCEPTION_BIT(LOAD_MISALIGNED) | EXCEPTION_BIT(STORE_MISALIGNED))

/* menvcfg.ADUE: bit 61, in menvcfgh on RV32 */
#if __riscv_xlen == 64
#define MENVCFG_UPPER TALLY_CSR_MENVCFG
#define ADUE TALLY_MENVCFG_ADUE_MASK
#else
#define MENVCFG_UPPER TALLY_CSR_MENVCFGH
#define ADUE (1ul << (TALLY_MENVCFG_ADUE_LSB - 32))
#endif

static bool delegates_misaligned(void) { return csr_read(medeleg) & MISALIGNED; }

static bool updates_pte(void) { return csr_read(MENVCFG_UPPER) & ADUE; }

static void delegate_misaligned(bool on) {
    if (on)
        csr_set(medeleg, MISALIGNED);
    else
        csr_clear(medeleg, MISALIGNED);
}

static void update_pte(bool on) {
    if (on)
        csr_set(MENVCFG_UPPER, ADUE);
    else
        csr_clear(MENVCFG_UPPER, ADUE);
    __asm__ volatile("sfence.vma" ::: "memory"); /* translations were cached under the other rule */
}

static void set(unsigned feature, bool on) {
    if (feature == MISALIGNED_EXC_DELEG)
        delegate_misaligned(on);
    else
        update_pte(on);
}

static bool get(unsigned feature) {
    return feature == MISALIGNED_EXC_DELEG ? delegates_misaligned() : updates_pte();
}

/* Do the bits of a feature hold a value? */
static bool holds(unsigned feature) {
    const bool was = get(feature);
    bool held;

    set(feature, true);
    held = get(feature);
    set(feature, was);
    return held;
}

void fwft_setup_hart(void) {
    struct fwft_state *fwft = &this_hart->fwft;

    *fwft = (struct fwft_state){0};
    if (holds(MISALIGNED_EXC_DELEG))
        fwft->supported |= 1 << MISALIGNED_EXC_DELEG;
    if (csr_exists(TALLY_CSR_MENVCFG) && holds(PTE_AD_HW_UPDATING))
        fwft->supported |= 1 << PTE_AD_HW_UPDATING;
}

/* Reserved and platform-specific features are denied, known ones that the hart lacks are not supported. */
static enum sbi_error check(uint32_t feature) {
    if (feature >= FEATURES)
        return SBI_ERR_DENIED;
    return this_hart->fwft.supported >> feature & 1 ? SBI_SUCCESS : SBI_ERR_NOT_SUPPORTED;
}

static enum sbi_error feature_set(uint32_t feature, unsigned long value, unsigned long flags) {
    struct fwft_state *fwft = &this_hart->fwft;
    const enum sbi_error error = check(feature);

    if (error)
        return error;
    if (value > 1 || flags & ~FLAG_LOCK)
        return SBI_ERR_INVALID_PARAM;
    if (get(feature) != value) {
        if (fwft->locked >> feature & 1)
            return SBI_ERR_DENIED_LOCKED;
        set(feature, value);
    }
    if (flags & FLAG_LOCK)
        fwft->locked |= (uint8_t)(1u << feature);
    return SBI_SUCCESS;
}

struct sbiret fwft_call(SBI_ARGUMENTS) {
    const uint32_t feature = (uint32_t)a0; /* uint32_t, says the SBI */
    enum sbi_error error;

    SBI_UNUSED;
    switch (fid) {
    case 0:
        return sbi_error(feature_set(feature, a1, a2));
    case 1:
        error = check(feature);
        return error ? sbi_error(error) : sbi_value(get(feature));
    default:
        return sbi_error(SBI_ERR_NOT_SUPPORTED);
    }
}
