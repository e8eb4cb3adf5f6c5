/* SPDX-License-Identifier: Apache-2.0 */
/* Legacy calls: they return one value in a0 and leave a1 alone. */
#include <stddef.h>
#include <stdint.h>

#include "console.h"
#include "csr.h"
#include "guarded.h"
#include "hart_set.h"
#include "ipi.h"
#include "redirect.h"
#include "reset.h"
#include "rfence.h"
#include "sbi.h"
#include "timer.h"
#include "trap_frame.h"

enum {
    SET_TIMER,
    CONSOLE_PUTCHAR,
    CONSOLE_GETCHAR,
    CLEAR_IPI,
    SEND_IPI,
    REMOTE_FENCE_I,
    REMOTE_SFENCE_VMA,
    REMOTE_SFENCE_VMA_ASID,
    SHUTDOWN
};

/* A fault of a hart mask is the supervisor's, at its ECALL (SBI, chapter Legacy Extensions). */
static void fault(const struct guarded *word, unsigned long status_high) {
    struct trap_frame frame = {.epc = csr_read(mepc) - 4, /* the call returns behind it */
                               .status = csr_read(mstatus),
                               .cause = word->cause,
                               .tval = word->tval};

    redirect(&frame, status_high);
    csr_write(mepc, frame.epc);
    csr_write(mstatus, frame.status);
}

/* A hart mask is in the supervisor's (virtual) memory; a null pointer names every hart. */
static bool read_mask(unsigned long pointer, unsigned long *mask) {
    struct guarded word = {0};

    if (!pointer) {
        *mask = hart_present;
        return true;
    }
    const unsigned long status_high = redirect_status_high();
    guarded_load(pointer, sizeof *mask, MSTATUS_MPRV, &word);
    if (word.cause)
        fault(&word, status_high);
    *mask = (unsigned long)word.value;
    return !word.cause;
}

static long clear_ipi(void) {
    bool pending = csr_read(mip) & INTERRUPT_BIT(SSI);

    csr_clear(mip, INTERRUPT_BIT(SSI));
    return pending;
}

static long to_harts(unsigned long call, unsigned long pointer, unsigned long start, unsigned long size,
                     unsigned long asid) {
    struct rfence f = {(enum rfence_kind)(call - REMOTE_FENCE_I), start, size, asid};
    unsigned long mask;

    if (!read_mask(pointer, &mask))
        return (long)pointer; /* a0 stays */
    return call == SEND_IPI ? ipi_send(mask, 0) : rfence_send(mask, 0, &f);
}

static long serve(SBI_ARGUMENTS) {
    SBI_UNUSED;
    switch (eid) {
    case SET_TIMER:
        timer_set(__riscv_xlen == 64 ? a0 : (uint64_t)a1 << 32 | a0);
        return 0;
    case CONSOLE_PUTCHAR:
        con_putc((char)a0);
        return 0;
    case CONSOLE_GETCHAR:
        return con_getc();
    case CLEAR_IPI:
        return clear_ipi();
    case SHUTDOWN:
        fw_exit(0);
    default:
        return to_harts(eid, a0, a1, a2, a3);
    }
}

struct sbiret legacy_call(SBI_ARGUMENTS) {
    return (struct sbiret){serve(a0, a1, a2, a3, a4, a5, fid, eid), a1};
}
