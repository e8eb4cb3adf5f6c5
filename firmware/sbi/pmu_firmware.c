/* SPDX-License-Identifier: Apache-2.0 */
/* Firmware counters: 64 bits, counted where the event happens, by every started counter of the event. */
#include "pmu_firmware.h"

#include "bits.h"
#include "pmu.h"

void pmu_fw_add(unsigned counting) {
    uint64_t *value = this_hart->pmu.fw_value;

    for (; counting; counting &= counting - 1)
        value[lowest_bit(counting)]++;
}

int pmu_fw_event_find(unsigned long event_idx, uint64_t event_data) {
    unsigned code = event_idx & 0xffff;

    if (PMU_EVENT_TYPE(event_idx) != PMU_TYPE_FIRMWARE)
        return -1;
    if (code <= FW_HFENCE_LAST)
        return (int)code;
    if (code == 0xffff && event_data < PMU_FW_EVENTS - FW_PLATFORM_FIRST)
        return FW_PLATFORM_FIRST + (int)event_data;
    return -1;
}
