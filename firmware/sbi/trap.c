/* SPDX-License-Identifier: Apache-2.0 */
/* Traps that are no call: emulated, handed to the supervisor, or served as interrupts. */
#include "trap.h"

#include "console.h"
#include "csr.h"
#include "hart.h"
#include "mailbox.h"
#include "pmu.h"
#include "reset.h"
#include "timer.h"

void trap_redirect(struct trap_frame *frame, unsigned long cause, unsigned long tval) {
    unsigned long status = frame->status;
    bool from_s = previous_mode(status) == PRIV_S;

    pmu_count(FW_PLATFORM_REDIRECT);
    csr_write(scause, cause);
    csr_write(stval, tval);
    csr_write(sepc, frame->epc);
    status &= ~(MSTATUS_SPP | MSTATUS_SPIE | MSTATUS_MPP);
    status |= (unsigned long)PRIV_S << TALLY_MSTATUS_MPP_LSB;
    if (from_s)
        status |= MSTATUS_SPP;
    if (status & MSTATUS_SIE)
        status |= MSTATUS_SPIE;
    frame->status = status & ~MSTATUS_SIE;
    frame->epc = csr_read(stvec) & ~3ul;
}

__attribute__((noreturn)) static void give_up(const struct trap_frame *frame) {
    con_printf("firmware: trap: cause %lx, epc %lx, tval %lx, mstatus %lx, hart %lu\n", frame->cause,
               frame->epc, frame->tval, frame->status, this_hart->id);
    fw_exit(0x7f00 | (unsigned)(frame->cause & 0x1f));
}

static void count_exception(unsigned long cause) {
    switch (cause) {
    case TALLY_EXC_ILLEGAL:
        pmu_count(FW_ILLEGAL_INSN);
        break;
    case TALLY_EXC_LOAD_MISALIGNED:
        pmu_count(FW_MISALIGNED_LOAD);
        break;
    case TALLY_EXC_STORE_MISALIGNED:
        pmu_count(FW_MISALIGNED_STORE);
        break;
    case TALLY_EXC_LOAD_ACCESS:
        pmu_count(FW_ACCESS_LOAD);
        break;
    case TALLY_EXC_STORE_ACCESS:
        pmu_count(FW_ACCESS_STORE);
        break;
    default:
        break;
    }
}

static void exception(struct trap_frame *frame) {
    bool misaligned = frame->cause == TALLY_EXC_LOAD_MISALIGNED || frame->cause == TALLY_EXC_STORE_MISALIGNED;

    if (previous_mode(frame->status) == PRIV_M)
        give_up(frame);
    count_exception(frame->cause);
    if (!misaligned || !misaligned_emulate(frame))
        trap_redirect(frame, frame->cause, frame->tval);
}

/* Called by trap_entry.S. */
void trap_dispatch(struct trap_frame *frame);

void trap_dispatch(struct trap_frame *frame) {
    switch (frame->cause) {
    case CAUSE_INTERRUPT | TALLY_INT_MSI:
        mailbox_serve();
        break;
    case CAUSE_INTERRUPT | TALLY_INT_MTI:
        timer_fired();
        break;
    default:
        if (frame->cause & CAUSE_INTERRUPT)
            give_up(frame);
        exception(frame);
    }
}
