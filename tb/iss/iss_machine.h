// SPDX-License-Identifier: Apache-2.0
/*
 * The golden machine: one golden hart, the golden PMU, main memory and devices; one instruction (or trap) a
 * cycle.
 *
 * It needs no RTL and no simulator. `mtime` ticks every `time_ratio` cycles. In WFI the core clock is halted
 * and cycles go on until an interrupt is pending.
 */
#ifndef TALLY_ISS_MACHINE_H
#define TALLY_ISS_MACHINE_H

#include "host_device.h"
#include "iss_devices.h"
#include "tally_hart.h"
#include "tally_pmu_model.h"

struct iss_config {
    unsigned xlen, time_ratio;
    bool smepmp;
    uint8_t *ram; /* at SOC_RAM_BASE */
    uint64_t ram_size;
    const uint64_t *rom; /* SOC_ROM_WORDS words at SOC_ROM_BASE */
    struct host_device *host;
    void (*transmit)(void *ctx, uint8_t byte);
    void *ctx;
};

struct iss {
    struct iss_config cfg;
    struct gh *hart;
    struct gp *pmu;
    struct gp_in pmu_in;
    bool pmu_armed;   /* a counter has an event: its wires matter, and it may overflow */
    bool pmu_written; /* the step's CSR instruction writes the PMU */
    struct iss_finisher finisher;
    struct iss_aclint aclint;
    struct iss_plic plic;
    struct iss_uart uart;
    uint64_t cycles, retired;
    unsigned divider; /* cycles since the last tick */
    bool waiting;     /* in WFI */
};

bool iss_open(struct iss *iss, const struct iss_config *config); /* false: memory is short */
void iss_close(struct iss *iss);

/* One cycle. Fills `step` and returns true, or returns false while the hart waits. */
bool iss_cycle(struct iss *iss, struct gh_retire *step);

/* While waiting: skip cycles without events, up to `limit` cycles (0: no limit) in all. False if only input
 * can end the wait. */
bool iss_skip(struct iss *iss, uint64_t limit);

void iss_receive(struct iss *iss, uint8_t byte); /* into the UART, if iss_uart_room() */

#endif
