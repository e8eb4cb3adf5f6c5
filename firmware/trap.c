/* SPDX-License-Identifier: Apache-2.0 */
/* Dispatch of traps to handlers, by cause. */
#include "trap.h"

#include <stddef.h>

#include "console.h"
#include "csr.h"
#include "reset.h"

#define CODES 32

static trap_handler exceptions[CODES];
static trap_handler interrupts[CODES];

void trap_set_exception(unsigned code, trap_handler handler) { exceptions[code % CODES] = handler; }

void trap_set_interrupt(unsigned code, trap_handler handler) { interrupts[code % CODES] = handler; }

void trap_redirect(struct trap_frame *frame, uint64_t cause, uint64_t tval) {
    uint64_t status = frame->status;
    bool from_s = previous_mode(status) == PRIV_S;

    csr_write(scause, cause);
    csr_write(stval, tval);
    csr_write(sepc, frame->epc);
    status &= ~(MSTATUS_SPP | MSTATUS_SPIE | MSTATUS_MPP);
    status |= (uint64_t)PRIV_S << TALLY_MSTATUS_MPP_LSB;
    if (from_s)
        status |= MSTATUS_SPP;
    if (status & MSTATUS_SIE)
        status |= MSTATUS_SPIE;
    frame->status = status & ~MSTATUS_SIE;
    frame->epc = csr_read(stvec) & ~3ull;
}

static void give_up(const struct trap_frame *frame) {
    con_printf("unhandled trap: cause %lx, epc %lx, tval %lx, status %lx, hart %lu\n", frame->cause,
               frame->epc, frame->tval, frame->status, csr_read(mhartid));
    fw_exit(0x7f00 | (unsigned)(frame->cause & 0x1f));
}

/* Called by trap_entry.S. */
void trap_dispatch(struct trap_frame *frame);

void trap_dispatch(struct trap_frame *frame) {
    bool is_interrupt = frame->cause & CAUSE_INTERRUPT;
    uint64_t code = frame->cause & ~CAUSE_INTERRUPT;
    trap_handler handler = code >= CODES ? NULL : is_interrupt ? interrupts[code] : exceptions[code];

    if (handler && handler(frame))
        return;
    if (!is_interrupt && previous_mode(frame->status) != PRIV_M && csr_read(stvec)) {
        trap_redirect(frame, frame->cause, frame->tval);
        return;
    }
    give_up(frame);
}
