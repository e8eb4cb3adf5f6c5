/* SPDX-License-Identifier: Apache-2.0 */
/* The program's side of event-based branches: calls of the supervisor, and the entry's C function. */
#include "ebb.h"

#define GE TALLY_UBESCR_GE_MASK
#define FZ TALLY_UBESCR_FZ_MASK
#define PME TALLY_UBESCR_PME_MASK

static long supervisor_call(unsigned long number, unsigned long a, unsigned long b) {
    register unsigned long a0 __asm__("a0") = a;
    register unsigned long a1 __asm__("a1") = b;
    register unsigned long a7 __asm__("a7") = number;

    __asm__ volatile("ecall" : "+r"(a0) : "r"(a1), "r"(a7) : "memory");
    return (long)a0;
}

bool ebb_open(struct ebb *ebb, const char *entry, ebb_handler *handler) {
    if (!supervisor_call(EBB_CALL_OPEN, 0, 0))
        return false;
    ebb->handler = handler;
    csr_write(TALLY_CSR_UEBBHR, (uintptr_t)entry);
    csr_write(TALLY_CSR_UBESCR, GE | FZ | PME);
    return true;
}

unsigned ebb_attach(struct ebb *ebb, uint64_t selector, uint64_t period) {
    const unsigned long enabled = csr_read(TALLY_CSR_UBESCR) & GE;

    csr_clear(TALLY_CSR_UBESCR, GE); /* an event waits until the handler knows the period */
    const unsigned n = (unsigned)supervisor_call(EBB_CALL_ATTACH, selector, period);
    ebb->period[n] = period;
    csr_set(TALLY_CSR_UBESCR, enabled);
    return n;
}

void ebb_close(void) {
    supervisor_call(EBB_CALL_CLOSE, 0, 0);
    csr_write(TALLY_CSR_UBESCR, 0);
}

/* ebb_frame.S calls it, with GE=0, PME=0 and PMEO=1: nothing is counted. Each counter that has overflowed is
 * served, and armed from where its overflow left it, so that no event is lost. The result goes to ubescr
 * last of all. */
unsigned long ebb_events(struct ebb *ebb);

unsigned long ebb_events(struct ebb *ebb) {
    const unsigned long selected = csr_read(TALLY_CSR_UEBBSEL);
    const uintptr_t pc = ebb->without_cause ? csr_read(TALLY_CSR_UEBBRR) : csr_read(TALLY_CSR_UEBBSPC);
    const unsigned long overflowed = csr_read(TALLY_CSR_UEBBOVF);

    csr_clear(TALLY_CSR_UEBBOVF, overflowed);
    ebb->branches++;
    for (unsigned n = 0; overflowed >> n; n++) {
        if (!(overflowed >> n & 1))
            continue;
        ebb->handler(n, pc);
        csr_write(TALLY_CSR_UEBBSEL, n);
        csr_write(TALLY_CSR_UEBBCNT, csr_read(TALLY_CSR_UEBBCNT) - ebb->period[n]);
    }
    csr_write(TALLY_CSR_UEBBSEL, selected);
    return FZ | PME;
}
