/* SPDX-License-Identifier: Apache-2.0 */
/* Calls that no extension serves, and which extensions there are. trap_entry.S forwards the others. */
#include <stddef.h>

#include "hart_state.h"
#include "pmu.h"
#include "sbi.h"
#include "shadow.h"

_Static_assert(offsetof(struct hart, pmu.fw_counting[FW_PLATFORM_CALL]) == HART_CALLS_COUNTED,
               "hart_state.h");

/* The legacy calls, and every id that nobody serves. The legacy calls leave a1 alone. */
struct sbiret other_call(SBI_ARGUMENTS) {
    if (eid <= SBI_EXT_LEGACY_LAST)
        return legacy_call(a0, a1, a2, a3, a4, a5, fid, eid);
#ifdef FW_SHADOW
    if (eid == SHADOW_EID)
        return sbi_value(shadow_differences());
#endif
    return sbi_error(SBI_ERR_NOT_SUPPORTED);
}

bool sbi_probe(unsigned long eid) {
    switch (eid) {
    case SBI_EXT_PMU:
        return pmu_offered;
#define OFFERED(id, function) case id:
        SBI_EXTENSIONS(OFFERED)
        return true;
    default:
        return eid <= SBI_EXT_LEGACY_LAST;
    }
}
