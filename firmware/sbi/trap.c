/* SPDX-License-Identifier: Apache-2.0 */
/* Traps other than calls: emulated, handed to the supervisor, or served as interrupts. */
#include "trap.h"

#include "console.h"
#include "csr.h"
#include "deliberate_fault.h"
#include "hart_state.h"
#include "mailbox.h"
#include "misaligned.h"
#include "pmu_firmware.h"
#include "redirect.h"
#include "reset.h"
#include "rfence.h"
#include "sse.h"
#include "timer.h"
#include "trap_frame.h"

__attribute__((noreturn)) void trap_in_firmware(const struct trap_frame *frame) {
    con_printf("firmware: trap inside the firmware: cause %lx, epc %lx, tval %lx, ra %lx, sp %lx, hart %lu\n",
               frame->cause, frame->epc, frame->tval, frame->x[1], frame->x[2], this_hart->id);
    fw_exit(0x7f00 | (unsigned)(frame->cause & 0x1f));
}

/* An interrupt that the firmware did not enable */
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
    const unsigned long status_high = redirect_status_high();
    bool misaligned = frame->cause == TALLY_EXC_LOAD_MISALIGNED || frame->cause == TALLY_EXC_STORE_MISALIGNED;

    count_exception(frame->cause);
    fault_if_asked(frame->x[15]);
    if (misaligned ? misaligned_emulate(frame) : frame->cause == TALLY_EXC_ILLEGAL && timer_emulate(frame))
        return;
    redirect(frame, status_high);
}

/* Another hart left mail. */
static void serve_mail(struct trap_frame *frame) {
    unsigned mail;

    mailbox_clear();
    mail = mailbox_take();
    if (mail & MAIL_RFENCE)
        rfence_serve();
    if (mail & MAIL_SOFTWARE_INTERRUPT) {
        pmu_count(FW_IPI_RECEIVED);
        csr_set(mip, INTERRUPT_BIT(SSI));
    }
    if (mail & MAIL_SSE)
        sse_trap(frame);
}

/* Called by trap_entry.S. */
void trap_dispatch(struct trap_frame *frame);

void trap_dispatch(struct trap_frame *frame) {
    switch (frame->cause) {
    case CAUSE_INTERRUPT | TALLY_INT_MSI:
        serve_mail(frame);
        break;
    case CAUSE_INTERRUPT | TALLY_INT_MTI:
        timer_fired();
        break;
    case CAUSE_INTERRUPT | TALLY_INT_LCOFI:
        sse_trap(frame);
        break;
    default:
        if (frame->cause & CAUSE_INTERRUPT)
            give_up(frame);
        exception(frame);
    }
}
