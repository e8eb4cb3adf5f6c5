// SPDX-License-Identifier: Apache-2.0
/*
 * Devices of the golden machine, by their specifications and without timing; memory map of rtl/soc.
 */
#ifndef TALLY_ISS_DEVICES_H
#define TALLY_ISS_DEVICES_H

#include "soc.h"

#include <stdbool.h>
#include <stdint.h>

enum iss_end { ISS_RUNS, ISS_PASS, ISS_FAIL, ISS_RESET };

/* SiFive's test device: how the program ended. */
struct iss_finisher {
    enum iss_end end;
    unsigned code; /* of a failure */
};

struct iss_aclint {
    unsigned harts;
    bool msip[SOC_HARTS_MAX];
    uint64_t mtimecmp[SOC_HARTS_MAX], mtime;
};

/* Contexts: 2n is M-mode of hart n, 2n+1 its S-mode. */
enum { ISS_CONTEXTS_MAX = 2 * SOC_HARTS_MAX };

struct iss_plic {
    unsigned contexts;
    uint32_t level, pending, claimed; /* a bit a source */
    uint8_t priority[SOC_PLIC_SOURCES + 1];
    uint32_t enable[ISS_CONTEXTS_MAX];
    uint8_t threshold[ISS_CONTEXTS_MAX];
};

struct iss_uart {
    uint8_t ier, fcr, lcr, mcr, scr, dll, dlm;
    bool thre_pending; /* transmitter-empty interrupt not yet acknowledged */
    uint8_t rx[16];
    unsigned rx_head, rx_n;
    void (*transmit)(void *ctx, uint8_t byte);
    void *ctx;
};

/* Accesses at an offset into the device. false: the bus answers with an error. */
bool iss_finisher_store(struct iss_finisher *f, uint64_t offset, unsigned size, uint64_t value);
bool iss_aclint_load(const struct iss_aclint *a, uint64_t offset, unsigned size, uint64_t *value);
bool iss_aclint_store(struct iss_aclint *a, uint64_t offset, unsigned size, uint64_t value);
bool iss_plic_load(struct iss_plic *p, uint64_t offset, unsigned size, uint64_t *value);
bool iss_plic_store(struct iss_plic *p, uint64_t offset, unsigned size, uint64_t value);
uint64_t iss_uart_load(struct iss_uart *u, uint64_t offset);
void iss_uart_store(struct iss_uart *u, uint64_t offset, uint8_t value);

void iss_plic_source(struct iss_plic *p, unsigned source, bool level);
bool iss_plic_line(const struct iss_plic *p, unsigned context);
bool iss_uart_irq(const struct iss_uart *u);
bool iss_uart_room(const struct iss_uart *u);
void iss_uart_receive(struct iss_uart *u, uint8_t byte); /* only if there is room */

#endif
