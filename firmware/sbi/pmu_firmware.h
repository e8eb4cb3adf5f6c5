/* SPDX-License-Identifier: Apache-2.0 */
/* Firmware counters (SBI 3.0, 11.5): one count where a firmware event happens. */
#ifndef FW_PMU_FIRMWARE_H
#define FW_PMU_FIRMWARE_H

#include <stdint.h>

#include "hart_state.h"

/* The firmware event (enum pmu_fw_event) of an event_idx of type 15, -1 if there is none. */
int pmu_fw_event_find(unsigned long event_idx, uint64_t event_data);

void pmu_fw_add(unsigned counting);

/* A firmware event has happened on this hart. */
static inline void pmu_count(enum pmu_fw_event event) {
    unsigned counting = this_hart->pmu.fw_counting[event];

    if (counting)
        pmu_fw_add(counting);
}

#endif
