// SPDX-License-Identifier: Apache-2.0
/*
 * mpdisctl: its legal values, and the modes that it lets be sampled (docs/sampling.md).
 */
#include "pmu_internal.h"

uint64_t gp_pdisctl_bits(const struct gp *pmu) {
    uint64_t bits = TALLY_MPDISCTL_WMASK & ~TALLY_MPDISCTL_HPM_MASK;

    if (pmu->cfg.pdis_mem != 2)
        bits &= ~TALLY_MPDISCTL_MEM_MASK;
    if (pmu->cfg.pdis_acc != 2)
        bits &= ~TALLY_MPDISCTL_ACC_MASK;
    return bits | pmu->hpm; /* HPM n is bit n */
}

uint64_t gp_legal_pdisctl(uint64_t ctl) {
    return (ctl & TALLY_MPDISCTL_SEL_MASK) >= TALLY_PDISSEL_N ? ctl & ~TALLY_MPDISCTL_SEL_MASK : ctl;
}

bool gp_mode_sampled(const struct gp *pmu, unsigned mode) {
    uint64_t ctl = mode & 4 ? pmu->pdis.vctl : pmu->pdis.ctl;

    switch (mode & 3) {
    case GP_M:
        return pmu->pdis.ctl & TALLY_MPDISCTL_M_MASK;
    case GP_S:
        return ctl & TALLY_MPDISCTL_S_MASK;
    default:
        return ctl & TALLY_MPDISCTL_U_MASK;
    }
}
