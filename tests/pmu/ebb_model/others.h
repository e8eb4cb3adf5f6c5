// SPDX-License-Identifier: Apache-2.0
// Effects of accesses to other registers of the unit on the counters of the model of event-based branches.
#ifndef EBB_OTHERS_H
#define EBB_OTHERS_H

#include "ebb_model.h"
#include "tally_pmu_model.h"

#include <cstdint>

// Counted events: a few of each sort.
enum ebb_event { EVENT_NONE, EVENT_INST, EVENT_LOAD, EVENT_CYCLE, EVENT_BUS_RD, EBB_EVENTS };
extern const uint64_t ebb_selectors[EBB_EVENTS];

struct ebb_effects {
    ebb_other other;
    unsigned counter, event; // counter 0: no event is written
};

// Of an allowed access by its number, operation and data; `siselect` is that of M- and S-mode.
ebb_effects other_effects(const ebb_config &c, const ebb_state &s, const gp_csr &csr, unsigned siselect);

#endif
