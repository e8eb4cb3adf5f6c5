/* SPDX-License-Identifier: Apache-2.0 */
/* State of the PMU extension of one hart. Sets of counters are 64-bit masks of logical indices. */
#ifndef FW_PMU_STATE_H
#define FW_PMU_STATE_H

#include <stdint.h>

#define PMU_FW_COUNTERS 16

/* Firmware events: the SBI's codes 0 to 21, then the platform's own (SBI_PMU_FW_PLATFORM with event_data 0,
 * 1, ...). */
enum pmu_fw_event {
    FW_MISALIGNED_LOAD,
    FW_MISALIGNED_STORE,
    FW_ACCESS_LOAD,
    FW_ACCESS_STORE,
    FW_ILLEGAL_INSN,
    FW_SET_TIMER,
    FW_IPI_SENT,
    FW_IPI_RECEIVED,
    FW_FENCE_I_SENT,
    FW_FENCE_I_RECEIVED,
    FW_SFENCE_VMA_SENT,
    FW_SFENCE_VMA_RECEIVED,
    FW_SFENCE_VMA_ASID_SENT,
    FW_SFENCE_VMA_ASID_RECEIVED,
    FW_HFENCE_FIRST, /* 14 to 21: there is no hypervisor extension to fence */
    FW_HFENCE_LAST = 21,
    FW_PLATFORM_FIRST,
    FW_PLATFORM_CALL = FW_PLATFORM_FIRST, /* event_data 0: calls of the SBI */
    FW_PLATFORM_REDIRECT,                 /* event_data 1: traps handed to the supervisor */
    FW_PLATFORM_MTIMER,                   /* event_data 2: machine timer interrupts */
    PMU_FW_EVENTS
};

/* Memory that the supervisor shares (SBI table 45). */
struct pmu_snapshot {
    uint64_t overflow; /* counter_overflow_bitmap */
    uint64_t value[64];
};

struct pmu_state {
    uint64_t held;      /* counters that have an event, from configuration to a stop with RESET */
    uint64_t started;   /* counters that the supervisor has started; a subset of held */
    uintptr_t snapshot; /* where shared_read() finds it; 0: none */
    uint64_t fw_value[PMU_FW_COUNTERS];
    uint8_t fw_event[PMU_FW_COUNTERS];   /* enum pmu_fw_event of a held counter */
    uint16_t fw_counting[PMU_FW_EVENTS]; /* started firmware counters of an event, bit by number */
};

#endif
