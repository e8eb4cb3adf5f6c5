/* SPDX-License-Identifier: Apache-2.0 */
/* Registers of instruction sampling by name, for the directed tests. */
#ifndef DIRECTED_PDIS_H
#define DIRECTED_PDIS_H

#include "test.h"

/* A record, as in memory and behind select TALLY_RECORD_SELECT */
struct record {
    uint64_t hdrev, pc, time, lat, adr1, adr2, zero[2];
};

#define CTL_S TALLY_MPDISCTL_S_MASK
#define CTL_MEM TALLY_MPDISCTL_MEM_MASK
#define CTL_OF TALLY_MPDISCTL_OF_MASK

#define FIELD(value, name) (((value)&TALLY_##name##_MASK) >> TALLY_##name##_LSB)

/* The next overflow comes with decoded instruction number `first`, then with each `period`th. */
static inline void pdis_count(uint64_t first, uint64_t period) {
    csr_write(TALLY_CSR_SPDISCOUNTER, (0 - period) << 32 | ((0 - first) & 0xffffffff));
}

static inline struct record pdis_registers(void) {
    struct record r = {0};

    csr_write(TALLY_CSR_SISELECT, TALLY_RECORD_SELECT);
    r.hdrev = csr_read(TALLY_CSR_SIREG);
    r.pc = csr_read(TALLY_CSR_SIREG2);
    r.time = csr_read(TALLY_CSR_SIREG3);
    r.lat = csr_read(TALLY_CSR_SIREG4);
    r.adr1 = csr_read(TALLY_CSR_SIREG5);
    r.adr2 = csr_read(TALLY_CSR_SIREG6);
    return r;
}

#endif
