/* SPDX-License-Identifier: Apache-2.0 */
/* System suspend. The machine has nothing to turn off: the hart sleeps. */
#include <stdint.h>

#include "bits.h"
#include "hart.h"
#include "hart_set.h"
#include "hart_state.h"
#include "sbi.h"

enum { SUSPEND_TO_RAM = 0 };

static bool others_stopped(void) {
    for (unsigned long rest = hart_present & ~(1ul << this_hart->id); rest; rest &= rest - 1)
        if (hart_of(lowest_bit(rest))->state != HART_STOPPED)
            return false;
    return true;
}

struct sbiret susp_call(SBI_ARGUMENTS) {
    SBI_UNUSED;
    if (fid != 0)
        return sbi_error(SBI_ERR_NOT_SUPPORTED);
    if ((uint32_t)a0 != SUSPEND_TO_RAM) /* uint32_t, says the SBI */
        return sbi_error(SBI_ERR_INVALID_PARAM);
    if (!hart_may_enter(a1))
        return sbi_error(SBI_ERR_INVALID_ADDRESS);
    if (!others_stopped())
        return sbi_error(SBI_ERR_DENIED);
    hart_sleep();
    hart_resume_at(a1, a2);
}
