/* SPDX-License-Identifier: Apache-2.0 */
/* Base extension. */
#include "csr.h"
#include "sbi.h"

struct sbiret base_call(SBI_ARGUMENTS) {
    SBI_UNUSED;
    switch (fid) {
    case 0:
        return sbi_value(SBI_SPEC_VERSION);
    case 1:
        return sbi_value(SBI_IMPLEMENTATION_ID);
    case 2:
        return sbi_value(SBI_IMPLEMENTATION_VERSION);
    case 3:
        return sbi_value(sbi_probe(a0));
    case 4:
        return sbi_value(csr_read(mvendorid));
    case 5:
        return sbi_value(csr_read(marchid));
    case 6:
        return sbi_value(csr_read(mimpid));
    default:
        return sbi_error(SBI_ERR_NOT_SUPPORTED);
    }
}
