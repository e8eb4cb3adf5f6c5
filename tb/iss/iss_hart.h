// SPDX-License-Identifier: Apache-2.0
/* State of the golden machine and of its harts. */
#ifndef TALLY_ISS_HART_H
#define TALLY_ISS_HART_H

#include "host_device.h"
#include "iss_devices.h"
#include "tally_hart.h"
#include "tally_pmu_model.h"
#include "warm.h"

struct iss_config {
    unsigned xlen, harts, time_ratio;
    bool smepmp;
    uint8_t *ram; /* at SOC_RAM_BASE */
    uint64_t ram_size;
    uint64_t *rom; /* SOC_ROM_WORDS words at SOC_ROM_BASE */
    struct host_device *host;
    void (*transmit)(void *ctx, uint8_t byte);
    void *ctx;
};

struct iss_hart {
    struct iss *iss;
    struct gh *core;
    struct gp *pmu;
    struct gp_in pmu_in;
    uint64_t pmu_owed;    /* clock edges with these inputs that the unit has not had yet */
    uint64_t pmu_stalled; /* likewise, in which nothing retires */
    bool pmu_armed;       /* a counter has an event: its wires matter, and it may overflow */
    bool pmu_still;       /* until the hart goes on, which waits, no edge changes the unit */
    bool pmu_written;     /* the step's CSR instruction writes the PMU */
    bool waiting;         /* in WFI */
};

struct iss {
    struct iss_config cfg;
    struct iss_hart hart[SOC_HARTS_MAX];
    struct iss_finisher finisher;
    struct iss_aclint aclint;
    struct iss_plic plic;
    struct iss_uart uart;
    uint64_t cycles;   /* of one instruction each, whatever time that takes */
    uint64_t retired;  /* instructions of all harts */
    unsigned divider;  /* cycles since the last tick */
    struct warm *warm; /* of each hart; NULL: not wanted */
};

/* Give the unit the clock edges that it is owed: before its state is looked at or its inputs change. */
static inline void iss_settle(struct iss_hart *hart) {
    const uint64_t retires = hart->pmu_in.ev_retire[0];

    hart->pmu_in.ev_retire[0] =
        0; /* first, so that the last edge is an instruction's wherever a run is cut */
    gp_clock_many(hart->pmu, &hart->pmu_in, hart->pmu_stalled);
    hart->pmu_in.ev_retire[0] = retires;
    gp_clock_many(hart->pmu, &hart->pmu_in, hart->pmu_owed);
    hart->pmu_owed = hart->pmu_stalled = 0;
}

/* The hart has written main memory at `addr`: the others' reservations there are lost. */
void iss_written(const struct iss_hart *by, uint64_t addr);

#endif
