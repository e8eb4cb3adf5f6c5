/* SPDX-License-Identifier: Apache-2.0 */
#include "timer.h"

#include "csr.h"
#include "hart_state.h"
#include "insn.h"
#include "mailbox.h"
#include "pmu.h"
#include "pmu_firmware.h"
#include "sbi.h"
#include "trap_frame.h"

#define MTIMECMP(hart) (aclint_base + 0x4000 + 8 * (hart))

#define MTIME (aclint_base + 0xbff8)

/* A guest's time is not ours: harts with a hypervisor have theirs themselves. */
enum { MISA_H = 1 << 7 };
enum { RDTIME = (int)0xc0102073, RDTIMEH = (int)0xc8102073, ANY_RD = 31 << 7 };

static bool has_sstc, emulates_time;

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
    emulates_time = !csr_exists(TALLY_CSR_TIME) && !(csr_read(misa) & MISA_H);
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

static uint64_t mtime(void) {
#if __riscv_xlen == 64
    return read64(MTIME);
#else
    uint32_t low, high;

    do { /* the low half may wrap between the reads */
        high = read32(MTIME + 4);
        low = read32(MTIME);
    } while (high != read32(MTIME + 4));
    return (uint64_t)high << 32 | low;
#endif
}

/* U-mode's right is the supervisor's to give; the supervisor's own is mcounteren's, which the firmware opens.
 */
bool timer_emulate(struct trap_frame *frame) {
    uint32_t insn;
    bool upper;

    if (!emulates_time || !insn_fetch(frame, &insn))
        return false;
    upper = __riscv_xlen == 32 && (insn & ~ANY_RD) == (uint32_t)RDTIMEH;
    if (!upper && (insn & ~ANY_RD) != (uint32_t)RDTIME)
        return false;
    if (previous_mode(frame->status) == PRIV_U && !(csr_read(scounteren) >> PMU_TIME & 1))
        return false;
    if (insn & ANY_RD)
        frame->x[insn >> 7 & 31] = (unsigned long)(mtime() >> (upper ? 32 : 0));
    pmu_count_emulated(frame, RETIRED);
    frame->epc += 4;
    return true;
}

struct sbiret time_call(SBI_ARGUMENTS) {
    SBI_UNUSED;
    if (fid != 0)
        return sbi_error(SBI_ERR_NOT_SUPPORTED);
    timer_set(__riscv_xlen == 64 ? a0 : (uint64_t)a1 << 32 | a0);
    return sbi_error(SBI_SUCCESS);
}
