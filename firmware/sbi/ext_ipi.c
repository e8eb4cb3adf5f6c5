/* SPDX-License-Identifier: Apache-2.0 */
/* Mail between harts, and the extension that lets supervisors send software interrupts. */
#include "bits.h"
#include "csr.h"
#include "hart.h"
#include "mailbox.h"
#include "pmu.h"
#include "rfence.h"
#include "sbi.h"

#define MSIP(hart) (ACLINT_BASE + 4 * (hart))

void mailbox_post(unsigned long set, unsigned mail) {
    for (; set; set &= set - 1) {
        struct hart *hart = hart_of(lowest_bit(set));

        __atomic_fetch_or(&hart->mail, mail, __ATOMIC_RELEASE);
        __asm__ volatile("fence rw, ow" ::: "memory");
        write32(MSIP(hart->id), 1);
    }
}

void mailbox_clear(void) {
    write32(MSIP(this_hart->id), 0);
    __asm__ volatile("fence o, rw" ::: "memory"); /* mail posted after the clearing interrupts again */
}

unsigned mailbox_take(void) { return __atomic_exchange_n(&this_hart->mail, 0, __ATOMIC_ACQUIRE); }

void mailbox_serve(void) {
    unsigned mail;

    mailbox_clear();
    mail = mailbox_take();
    if (mail & MAIL_RFENCE)
        rfence_serve();
    if (mail & MAIL_SOFTWARE_INTERRUPT) {
        pmu_count(FW_IPI_RECEIVED);
        csr_set(mip, INTERRUPT_BIT(SSI));
    }
}

enum sbi_error ipi_send(unsigned long mask, unsigned long base) {
    unsigned long set;

    if (!hart_mask_decode(mask, base, &set))
        return SBI_ERR_INVALID_PARAM;
    set = hart_interruptible(set);
    for (unsigned long rest = set; rest; rest &= rest - 1)
        pmu_count(FW_IPI_SENT);
    mailbox_post(set, MAIL_SOFTWARE_INTERRUPT);
    return SBI_SUCCESS;
}

struct sbiret ipi_call(SBI_ARGUMENTS) {
    SBI_UNUSED;
    return sbi_error(fid == 0 ? ipi_send(a0, a1) : SBI_ERR_NOT_SUPPORTED);
}
