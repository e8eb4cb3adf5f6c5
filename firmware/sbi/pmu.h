/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The PMU extension (SBI chapter 11), in five parts:
 *   pmu_call.c      the functions: arguments, sets, errors
 *   pmu_event.c     which selector and which counters an event has: tables, made once from the device tree
 *   pmu_hardware.c  counters of the hart: discovery, values, selectors
 *   pmu_firmware.c  counters of the firmware
 *   pmu_emulated.c  counts of emulated instructions
 * Logical counter indices: 0 cycle, 2 instret, n mhpmcounter n; the firmware's follow the last of the hart's.
 */
#ifndef FW_PMU_H
#define FW_PMU_H

#include <stdbool.h>
#include <stdint.h>

#include "csr.h"

/* --- the extension ------------------------------------------------------------------------------- */

/* Is the extension offered? Not if the device tree delegates every counter. */
extern bool pmu_offered;

struct tree_pmu;

/* Once, on the boot hart: find the counters, make the tables. */
void pmu_setup(const struct tree_pmu *tree);
/* On every hart before it enters the supervisor: nothing configured, programmable counters stopped. */
void pmu_setup_hart(void);
/* After pmu_setup(): may the supervisor have event-based branches, as the device tree asks? If it asks for
 * what is not there, the console says so. */
bool pmu_branches(const struct tree_pmu *tree);
/* Before a hart stops: a supervisor with delegated counters samples no more, its buffer is at rest. */
void pmu_stop_hart(void);

/* --- hardware counters --------------------------------------------------------------------------- */

#define PMU_CYCLE 0
#define PMU_TIME 1
#define PMU_INSTRET 2
#define PMU_FIXED (1u << PMU_CYCLE | 1u << PMU_INSTRET)

struct pmu_hardware {
    uint32_t present;    /* bit n: counter n exists */
    uint32_t counters;   /* ... and is served here */
    unsigned first_free; /* logical indices from here on are the firmware's */
    uint8_t width[32];
    bool overflow;     /* Sscofpmf: OF, filters, LCOFI */
    bool fixed_filter; /* Smcntrpmf: filters of cycle and instret */
    bool high_halves;  /* RV32 with mhpmeventh */
    bool own_events;   /* Tally's unit: its raw selectors are those of spec/events.yaml */
    bool pc_range;     /* ... shpmpcsel, shpmpclo, shpmpchi */
    bool cause;        /* Sspesa: shpmspc, shpmsdata */
    bool branches;     /* event-based branches: mebbctl */
    bool sampling;     /* Smpdis, by the unit's own numbers */
    bool buffer;       /* ... with a buffer in memory */
};

extern struct pmu_hardware pmu_hardware;

/* False: the hart lacks mcountinhibit; nothing of the PMU is touched then. */
extern bool pmu_found;
/* The device tree asks for counter delegation: menvcfg.CDE, and mstateen0 and mideleg to match. */
extern bool pmu_delegates_counters;
/* It asks for event-based branches, and they are there: mebbctl.EN */
extern bool pmu_has_branches;

/* Bits of a selector register that are not the selector. */
#define PMU_EVENT_OF TALLY_MHPMEVENT_OF_MASK
#define PMU_EVENT_MINH TALLY_MHPMEVENT_MINH_MASK
#define PMU_EVENT_SELECTOR TALLY_MHPMEVENT_SEL_MASK

bool pmu_hardware_find(void);
uint64_t pmu_counter_read(unsigned n);
void pmu_counter_write(unsigned n, uint64_t value);
uint64_t pmu_selector_read(unsigned n);
/* n is 3 or more, or a fixed counter and the value its filter bits only */
void pmu_selector_write(unsigned n, uint64_t value);
void pmu_overflow_clear(unsigned n);

/* --- events -------------------------------------------------------------------------------------- */

/* A hardware event: its selector and the counters that can count it. */
struct pmu_event {
    uint64_t selector;
    uint32_t counters; /* 0: nobody, the event is not supported */
};

void pmu_event_setup(const struct tree_pmu *tree);
/* The hardware event of an event_idx (20 bits), NULL if there is none. Raw events are made up in `raw`. */
const struct pmu_event *pmu_event_find(unsigned long event_idx, uint64_t event_data, struct pmu_event *raw);
/* True if counter n can select the raw selector: the device tree may be wrong. */
bool pmu_selector_holds(unsigned n, uint64_t selector);

#define PMU_EVENT_TYPE(event_idx) ((event_idx) >> 16)
#define PMU_TYPE_GENERAL 0x0
#define PMU_TYPE_CACHE 0x1
#define PMU_TYPE_RAW 0x2
#define PMU_TYPE_RAW_V2 0x3
#define PMU_TYPE_FIRMWARE 0xf

/* --- emulated instructions ----------------------------------------------------------------------- */

struct trap_frame;

enum { RETIRED = 1, RETIRED_LOAD = 2, RETIRED_STORE = 4, RETIRED_COMPRESSED = 8 };

/* The instruction at frame->epc has been emulated: step the counters that would have seen it retire. `kinds`
 * is RETIRED and what else it is. */
void pmu_count_emulated(const struct trap_frame *frame, unsigned kinds);

#endif
