/* SPDX-License-Identifier: Apache-2.0 */
#include "timer.h"

#include "csr.h"
#include "hart.h"
#include "mailbox.h"
#include "pmu_firmware.h"
#include "sbi.h"

#define MTIMECMP(hart) (aclint_base + 0x4000 + 8 * (hart))

static bool has_sstc;

static void set_mtimecmp(uint64_t when) {
    const uintptr_t at = MTIMECMP(this_hart->id);

#if __riscv_xlen == 64
    *(volatile uint64_t *)at = when;
#else
    write32(at, ~0u); /* no moment in between may be in the past */
    write32(at + 4, (uint32_t)(when >> 32));
    write32(at, (uint32_t)when);
#endif
}

void timer_setup_hart(void) {
    has_sstc = csr_exists(TALLY_CSR_STIMECMP);
    set_mtimecmp(~0ull);
    if (has_sstc)
        csr_write64(TALLY_CSR_STIMECMP, TALLY_CSR_STIMECMPH, ~0ull);
    csr_clear(mip, INTERRUPT_BIT(STI));
}

void timer_set(uint64_t when) {
    pmu_count(FW_SET_TIMER);
    if (has_sstc) {
        csr_write64(TALLY_CSR_STIMECMP, TALLY_CSR_STIMECMPH, when);
        return;
    }
    set_mtimecmp(when);
    csr_clear(mip, INTERRUPT_BIT(STI));
    csr_set(mie, INTERRUPT_BIT(MTI));
}

void timer_fired(void) {
    pmu_count(FW_PLATFORM_MTIMER);
    csr_clear(mie, INTERRUPT_BIT(MTI));
    csr_set(mip, INTERRUPT_BIT(STI));
}

struct sbiret time_call(SBI_ARGUMENTS) {
    SBI_UNUSED;
    if (fid != 0)
        return sbi_error(SBI_ERR_NOT_SUPPORTED);
    timer_set(__riscv_xlen == 64 ? a0 : (uint64_t)a1 << 32 | a0);
    return sbi_error(SBI_SUCCESS);
}
