/* SPDX-License-Identifier: Apache-2.0 */
/* IPI extension: software interrupts that a supervisor sends to others. */
#include "bits.h"
#include "hart_set.h"
#include "ipi.h"
#include "mailbox.h"
#include "pmu_firmware.h"

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
