/* SPDX-License-Identifier: Apache-2.0 */
/* The supervisor's side of event-based branches: permission, routes, context switches, calls of U-mode. */
#include "ebb.h"

#include <stddef.h>

#include "supervisor.h"

#if __riscv_xlen != 64
#error "counters are read as 64 bits"
#endif

#define EN TALLY_SEBBCTL_EN_MASK
#define WIN TALLY_SEBBCTL_WIN_MASK
#define ROUTES TALLY_SEBBCTL_HPM_MASK
#define OF TALLY_MHPMEVENT_OF_MASK
#define SINH TALLY_MHPMEVENT_SINH_MASK

#define CUSTOM TALLY_SSTATEEN0_C_MASK

static bool refused;
static bool has_cause = true;   /* uebbspc: with Sspesa only */
static bool has_stateen = true; /* sstateen0: with Smstateen only */

static void skip(struct trap_frame *frame) {
    refused = true;
    frame->epc += 4; /* a CSR instruction */
}

bool ebb_available(void) {
    refused = false;
    trap_set_exception(TALLY_EXC_ILLEGAL, skip);
    csr_read(TALLY_CSR_SEBBCTL);
    const bool available = !refused;
    if (available)
        csr_read(TALLY_CSR_UEBBSPC);
    has_cause = !refused;
    refused = false;
    csr_read(TALLY_CSR_SSTATEEN0);
    has_stateen = !refused;
    trap_set_exception(TALLY_EXC_ILLEGAL, NULL);
    return available;
}

void ebb_permit(bool permitted) {
    if (!permitted) {
        csr_clear(TALLY_CSR_SEBBCTL, EN);
        return;
    }
    if (has_stateen)
        csr_set(TALLY_CSR_SSTATEEN0, CUSTOM); /* the gate that all programs share; EN is each one's */
    csr_set(TALLY_CSR_SEBBCTL, EN);
}

void ebb_route(unsigned n, uint64_t selector, uint64_t period) {
    const unsigned long selected = csr_read(TALLY_CSR_SISELECT);

    csr_set(TALLY_CSR_SCOUNTINHIBIT, 1ul << n);
    csr_write(TALLY_CSR_SISELECT, TALLY_COUNTER_SELECT + n);
    csr_write(TALLY_CSR_SIREG, 0 - period);
    csr_write(TALLY_CSR_SIREG2, (selector & ~OF) | SINH);
    csr_write(TALLY_CSR_SISELECT, selected);
    csr_set(TALLY_CSR_SEBBCTL, WIN | 1ul << n);
    csr_clear(TALLY_CSR_SCOUNTINHIBIT, 1ul << n);
}

void ebb_unroute(void) {
    csr_set(TALLY_CSR_SCOUNTINHIBIT, ebb_routed());
    csr_clear(TALLY_CSR_SEBBCTL, WIN | ROUTES);
    csr_clear(TALLY_CSR_UBESCR, TALLY_UBESCR_PMEO_MASK);
}

unsigned long ebb_routed(void) { return csr_read(TALLY_CSR_SEBBCTL) & ROUTES; }

/* --- context switch -------------------------------------------------------------------------------- */

/* The lowest counter of the set, whose window siselect opens now */
static unsigned select_lowest(unsigned long set) {
    const unsigned n = (unsigned)__builtin_ctzl(set);

    csr_write(TALLY_CSR_SISELECT, TALLY_COUNTER_SELECT + n);
    return n;
}

void ebb_save(struct ebb_task *task) {
    const unsigned long selected = csr_read(TALLY_CSR_SISELECT);
    unsigned long routed;

    task->control = csr_read(TALLY_CSR_SEBBCTL);
    routed = task->control & ROUTES;
    task->running = routed & ~csr_read(TALLY_CSR_SCOUNTINHIBIT);
    csr_set(TALLY_CSR_SCOUNTINHIBIT, routed);
    for (unsigned long rest = routed; rest; rest &= rest - 1) {
        const unsigned n = select_lowest(rest);

        task->value[n] = csr_read(TALLY_CSR_SIREG);
        task->event[n] = csr_read(TALLY_CSR_SIREG2);
    }
    csr_write(TALLY_CSR_SISELECT, selected);
    task->status = csr_read(TALLY_CSR_UBESCR);
    task->handler = csr_read(TALLY_CSR_UEBBHR);
    task->resume = csr_read(TALLY_CSR_UEBBRR);
    task->select = csr_read(TALLY_CSR_UEBBSEL);
    task->inhibit = csr_read(TALLY_CSR_UEBBINH);
    if (has_cause)
        task->pc = csr_read(TALLY_CSR_UEBBSPC);
    csr_clear(TALLY_CSR_SEBBCTL, WIN | ROUTES);
}

void ebb_restore(const struct ebb_task *task) {
    const unsigned long selected = csr_read(TALLY_CSR_SISELECT);
    const unsigned long routed = task->control & ROUTES;

    csr_set(TALLY_CSR_SCOUNTINHIBIT, routed);
    for (unsigned long rest = routed; rest; rest &= rest - 1) {
        const unsigned n = select_lowest(rest);

        csr_write(TALLY_CSR_SIREG, task->value[n]);
        csr_write(TALLY_CSR_SIREG2, task->event[n]);
    }
    csr_write(TALLY_CSR_SISELECT, selected);
    csr_write(TALLY_CSR_UBESCR, task->status);
    csr_write(TALLY_CSR_UEBBHR, task->handler);
    csr_write(TALLY_CSR_UEBBRR, task->resume);
    csr_write(TALLY_CSR_UEBBSEL, task->select);
    if (has_cause)
        csr_write(TALLY_CSR_UEBBSPC, task->pc);
    csr_write(TALLY_CSR_SEBBCTL, task->control);
    csr_write(TALLY_CSR_UEBBINH, task->inhibit);
    csr_clear(TALLY_CSR_SCOUNTINHIBIT, task->running);
}

/* --- calls of U-mode ------------------------------------------------------------------------------- */

static unsigned long spare; /* counters that may be given to a program */

static long attach(uint64_t selector, uint64_t period) {
    const unsigned long left = spare & ~ebb_routed();
    const unsigned n = left ? (unsigned)__builtin_ctzl(left) : 0;

    if (n)
        ebb_route(n, selector, period);
    return n;
}

extern const char user_ecall[]; /* trap.S: the end of user_call()'s function */

static void call(struct trap_frame *frame) {
    unsigned long *const x = frame->x;

    if (frame->epc == (uintptr_t)user_ecall)
        user_leave(frame, x[10]);
    frame->epc += 4;
    switch (x[17]) {
    case EBB_CALL_OPEN:
        ebb_permit(true);
        x[10] = 1;
        break;
    case EBB_CALL_ATTACH:
        x[10] = (unsigned long)attach(x[10], x[11]);
        break;
    case EBB_CALL_CLOSE:
        ebb_unroute();
        break;
    default:
        program_died(frame);
    }
}

void ebb_serve_calls(unsigned long free) {
    spare = free;
    user_calls = true;
    trap_set_exception(TALLY_EXC_ECALL_U, call);
}
