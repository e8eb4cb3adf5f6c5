// SPDX-License-Identifier: Apache-2.0
/*
 * Accounting of a run: overflows of the sampling counter against the ends of samples (docs/sampling.md).
 */
#include "tally_pmu_model.h"

bool gp_ledger_add(struct gp_ledger *ledger, const struct gp_out *out, bool acc) {
    const unsigned selected = (unsigned)__builtin_popcount(out->dec_sample);
    const int at_once = (int)selected - (out->overflows - out->collisions);
    uint64_t ended = 0;

    ledger->overflows += out->overflows;
    ledger->collisions += out->collisions;
    ledger->selected += selected;
    ledger->at_once += (uint64_t)at_once;
    ledger->ended[out->end]++;
    ledger->active = selected || (ledger->active && out->end == GP_END_NONE);
    for (unsigned end = GP_END_NONE + 1; end <= GP_END_KEPT; end++)
        ended += ledger->ended[end];
    return (acc ? at_once >= 0 : at_once == 0) && selected <= 1 &&
           ledger->overflows + ledger->at_once == ledger->collisions + ended + ledger->active;
}
