/* SPDX-License-Identifier: Apache-2.0 */
/* Dispatch of traps to handlers, by cause. */
#include "csr.h"
#include "supervisor.h"

enum { CODES = 32 };

static trap_handler *exceptions[CODES], *interrupts[CODES];

void trap_set_exception(unsigned code, trap_handler *handler) { exceptions[code % CODES] = handler; }

void trap_set_interrupt(unsigned code, trap_handler *handler) { interrupts[code % CODES] = handler; }

/* Called by trap.S. */
void trap_dispatch(struct trap_frame *frame);

void trap_dispatch(struct trap_frame *frame) {
    trap_handler *const *const handlers = frame->cause & CAUSE_INTERRUPT ? interrupts : exceptions;
    const unsigned long code = frame->cause & ~CAUSE_INTERRUPT;

    if (code >= CODES || !handlers[code])
        program_died(frame);
    handlers[code](frame);
}
