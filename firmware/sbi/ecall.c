/* SPDX-License-Identifier: Apache-2.0 */
/* Which extension serves a call. */
#include "pmu.h"
#include "pmu_firmware.h"
#include "sbi.h"

struct sbi_extension {
    unsigned long first, last; /* ids */
    sbi_call *call;
    const bool *offered;
};

static const bool always = true;

/* What is called often stands first. */
static const struct sbi_extension extensions[] = {
    {SBI_EXT_PMU, SBI_EXT_PMU, pmu_call, &pmu_offered},
    {SBI_EXT_TIME, SBI_EXT_TIME, time_call, &always},
    {SBI_EXT_IPI, SBI_EXT_IPI, ipi_call, &always},
    {SBI_EXT_RFENCE, SBI_EXT_RFENCE, rfence_call, &always},
    {SBI_EXT_BASE, SBI_EXT_BASE, base_call, &always},
    {SBI_EXT_DBCN, SBI_EXT_DBCN, dbcn_call, &always},
    {SBI_EXT_HSM, SBI_EXT_HSM, hsm_call, &always},
    {SBI_EXT_SRST, SBI_EXT_SRST, srst_call, &always},
    {0, SBI_EXT_LEGACY_LAST, legacy_call, &always},
};

enum { EXTENSIONS = sizeof extensions / sizeof *extensions };

static const struct sbi_extension *find(unsigned long eid) {
    for (const struct sbi_extension *e = extensions; e < extensions + EXTENSIONS; e++)
        if (eid - e->first <= e->last - e->first && *e->offered)
            return e;
    return 0;
}

bool sbi_probe(unsigned long eid) { return find(eid) != 0; }

struct sbiret sbi_ecall(SBI_ARGUMENTS) {
    const struct sbi_extension *extension = find(eid);

    pmu_count(FW_PLATFORM_CALL);
    if (!extension)
        return (struct sbiret){SBI_ERR_NOT_SUPPORTED, eid <= SBI_EXT_LEGACY_LAST ? a1 : 0};
    return extension->call(a0, a1, a2, a3, a4, a5, fid, eid);
}
