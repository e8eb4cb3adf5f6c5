// SPDX-License-Identifier: Apache-2.0
/* The machine that a debugger sees. */
#ifndef TALLY_GDB_MACHINE_H
#define TALLY_GDB_MACHINE_H

#include "soc.h"
#include "tally_hart.h"
#include "tally_pmu_model.h"

#include <stdbool.h>
#include <stdint.h>

struct gdb_machine {
    unsigned harts;
    const struct gh *hart[SOC_HARTS_MAX];
    const struct gp *pmu[SOC_HARTS_MAX];
    const uint8_t *ram;
    uint64_t ram_size;
    const uint64_t *rom; /* SOC_ROM_WORDS */
    /* Writes, to RTL and golden models alike. False: it cannot be done, and why() says why. */
    void *ctx;
    bool (*write_reg)(void *ctx, unsigned hart, unsigned i, uint64_t value); /* 1 to 31; 32: pc; 33: mode */
    bool (*write_csr)(void *ctx, unsigned hart, unsigned num, uint64_t value);
    bool (*write_ram)(void *ctx, uint64_t offset, const uint8_t *bytes, uint64_t n);
    const char *(*why)(void *ctx); /* a line about the last refusal */
    bool (*quit)(void);            /* does the user want to end the run? */
    uint64_t (*cycle)(void *ctx);
};

#endif
