/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Entry of a delegated trap (privileged manual, Supervisor-Level ISA; Hypervisor Extension, Trap Entry), in
 * software.
 */
#include "redirect.h"

#include "csr.h"
#include "pmu_firmware.h"
#include "trap_frame.h"

/* Hypervisor extension: bits that are in mstatus on RV64 and in mstatush on RV32 */
enum {
    STATUS_GVA = 1 << 6,
    STATUS_MPV = 1 << 7,
    HSTATUS_GVA = 1 << 6,
    HSTATUS_SPV = 1 << 7,
    HSTATUS_SPVP = 1 << 8
};
enum { MISA_H = 1 << 7 };

static bool has_hypervisor;

void redirect_setup_hart(void) { has_hypervisor = csr_read(misa) & MISA_H; }

unsigned long redirect_status_high(void) {
#if __riscv_xlen == 32
    return has_hypervisor ? csr_read(TALLY_CSR_MSTATUSH) : 0;
#else
    return 0;
#endif
}

static unsigned high_half(unsigned long status, unsigned long status_high) {
    return (unsigned)(__riscv_xlen == 64 ? (uint64_t)status >> 32 : status_high);
}

/* mret goes to this mode then: of the guest, or of the hypervisor. */
static void return_to(unsigned long *status, enum privilege mode, bool guest) {
    *status &= ~MSTATUS_MPP;
    *status |= (unsigned long)mode << TALLY_MSTATUS_MPP_LSB;
#if __riscv_xlen == 64
    *status &= ~((unsigned long)STATUS_MPV << 32);
    *status |= (unsigned long)(guest ? STATUS_MPV : 0) << 32;
#else
    if (has_hypervisor) {
        csr_clear(TALLY_CSR_MSTATUSH, STATUS_MPV);
        csr_set(TALLY_CSR_MSTATUSH, guest ? STATUS_MPV : 0);
    }
#endif
}

/* The supervisor's status as a trap leaves it: interrupts off, what they were and where it came from kept */
static unsigned long trapped(unsigned long status, bool from_s) {
    const bool enabled = status & MSTATUS_SIE;

    status &= ~(MSTATUS_SPP | MSTATUS_SPIE | MSTATUS_SIE);
    return status | (from_s ? MSTATUS_SPP : 0) | (enabled ? MSTATUS_SPIE : 0);
}

static void trap_to_guest(struct trap_frame *frame, bool from_s) {
    csr_write(vscause, frame->cause);
    csr_write(vstval, frame->tval);
    csr_write(vsepc, frame->epc);
    csr_write(vsstatus, trapped(csr_read(vsstatus), from_s));
    return_to(&frame->status, PRIV_S, true);
    frame->epc = csr_read(vstvec) & ~3ul;
}

void redirect(struct trap_frame *frame, unsigned long status_high) {
    const bool from_s = previous_mode(frame->status) == PRIV_S;
    const unsigned high = high_half(frame->status, status_high);

    pmu_count(FW_PLATFORM_REDIRECT);
    if (has_hypervisor) {
        const bool guest = high & STATUS_MPV;
        unsigned long hstatus = csr_read(hstatus) & ~(unsigned long)(HSTATUS_GVA | HSTATUS_SPV);

        if (guest && csr_read(hedeleg) >> frame->cause & 1) {
            trap_to_guest(frame, from_s);
            return;
        }
        if (guest)
            hstatus = (hstatus & ~(unsigned long)HSTATUS_SPVP) | HSTATUS_SPV | (from_s ? HSTATUS_SPVP : 0);
        csr_write(hstatus, hstatus | (high & STATUS_GVA ? HSTATUS_GVA : 0));
        csr_write(htval, csr_read(mtval2));
        csr_write(htinst, csr_read(mtinst));
    }
    csr_write(scause, frame->cause);
    csr_write(stval, frame->tval);
    csr_write(sepc, frame->epc);
    frame->status = trapped(frame->status, from_s);
    return_to(&frame->status, PRIV_S, false);
    frame->epc = csr_read(stvec) & ~3ul;
}

/* --- software events ------------------------------------------------------------------------------ */

unsigned redirect_guest_before(void) {
    const unsigned long hstatus = has_hypervisor ? csr_read(hstatus) : 0;

    return (hstatus & HSTATUS_SPV ? EVENT_SPV : 0) | (hstatus & HSTATUS_SPVP ? EVENT_SPVP : 0);
}

void redirect_to_event(unsigned long *status) {
    const bool from_s = previous_mode(*status) == PRIV_S;

    if (has_hypervisor) {
        const bool guest = high_half(*status, redirect_status_high()) & STATUS_MPV;

        csr_clear(hstatus, guest ? HSTATUS_SPVP : HSTATUS_SPV);
        csr_set(hstatus, guest ? HSTATUS_SPV | (from_s ? HSTATUS_SPVP : 0) : 0);
    }
    *status = trapped(*status, from_s);
    return_to(status, PRIV_S, false);
}

void redirect_from_event(unsigned long *status, bool spp, bool spie, unsigned guest) {
    const bool enabled = *status & MSTATUS_SPIE;
    const enum privilege mode = *status & MSTATUS_SPP ? PRIV_S : PRIV_U;
    bool to_guest = false;

    if (has_hypervisor) {
        to_guest = csr_read(hstatus) & HSTATUS_SPV;
        csr_clear(hstatus, HSTATUS_SPV | HSTATUS_SPVP);
        csr_set(hstatus, (guest & EVENT_SPV ? HSTATUS_SPV : 0) | (guest & EVENT_SPVP ? HSTATUS_SPVP : 0));
    }
    *status &= ~(MSTATUS_SPP | MSTATUS_SPIE | MSTATUS_SIE);
    *status |= (spp ? MSTATUS_SPP : 0) | (spie ? MSTATUS_SPIE : 0) | (enabled ? MSTATUS_SIE : 0);
    return_to(status, mode, to_guest);
}
