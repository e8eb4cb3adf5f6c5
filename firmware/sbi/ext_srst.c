/* SPDX-License-Identifier: Apache-2.0 */
/* System reset. */
#include "reset.h"
#include "sbi.h"

struct sbiret srst_call(SBI_ARGUMENTS) {
    const unsigned long types = 3, reasons = 2;

    SBI_UNUSED;
    if (fid != 0)
        return sbi_error(SBI_ERR_NOT_SUPPORTED);
    if (a0 >= types || a1 >= reasons)
        return sbi_error(SBI_ERR_INVALID_PARAM);
    if (a0 == 0)
        fw_exit(a1 != 0);
    fw_reboot();
}
