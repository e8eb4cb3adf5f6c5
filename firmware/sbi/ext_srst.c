/* SPDX-License-Identifier: Apache-2.0 */
/* System reset. */
#include <stdint.h>

#include "reset.h"
#include "sbi.h"

struct sbiret srst_call(SBI_ARGUMENTS) {
    const uint32_t types = 3, reasons = 2;
    const uint32_t type = (uint32_t)a0, reason = (uint32_t)a1; /* uint32_t, says the SBI */

    SBI_UNUSED;
    if (fid != 0)
        return sbi_error(SBI_ERR_NOT_SUPPORTED);
    if (type >= types || reason >= reasons)
        return sbi_error(SBI_ERR_INVALID_PARAM);
    if (type == 0)
        fw_exit(reason != 0);
    fw_reboot();
}
