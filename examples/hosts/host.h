// SPDX-License-Identifier: Apache-2.0
// Shared by programs of an example host: its devices (host_soc.v), and the unit's registers.

#ifndef HOST_H
#define HOST_H

#include <stdint.h>

#include "tally_events.h"
#include "tally_spec.h"

#define DEVICE(n) (*(volatile uint32_t *)(uintptr_t)(0x10000000 + 4 * (n)))
enum { PUTC, EXIT, RESULT_EVENT, RESULT_COUNT, DUMP_START, DUMP_BYTES };

// The M window; word 0 or 1 of a CSR, and the alias that clears bits
#define CSR(num, word) (*(volatile uint32_t *)(uintptr_t)(0x20000000 + 8 * (num) + 4 * (word)))
#define CSR_CLEAR(num) (*(volatile uint32_t *)(uintptr_t)(0x20060000 + 8 * (num)))
#define LCOFIP (1u << TALLY_INT_LCOFI)

static inline void print(const char *text) {
    while (*text)
        DEVICE(PUTC) = (uint8_t)*text++;
}

static inline void print_number(uint32_t n) {
    char digits[11], *p = digits + 10;
    *p = 0;
    do
        *--p = (char)('0' + n % 10);
    while (n /= 10);
    print(p);
}

static inline uint64_t read64(unsigned num) {
    uint32_t low = CSR(num, 0);
    return (uint64_t)CSR(num, 1) << 32 | low;
}

static inline void write64(unsigned num, uint64_t value) {
    CSR(num, 1) = (uint32_t)(value >> 32);
    CSR(num, 0) = (uint32_t)value;
}

// The event, no overflow yet, and the value; the counter is stopped
static inline void prepare(unsigned counter, uint32_t event, uint64_t value) {
    write64(TALLY_CSR_MCOUNTINHIBIT + counter, event);
    write64(TALLY_CSR_MCYCLE + counter, value);
}

// A result that the harness has counted itself
static inline void report(uint32_t event, uint64_t value) {
    DEVICE(RESULT_EVENT) = event;
    DEVICE(RESULT_COUNT) = (uint32_t)value;
}

// Behind the entry of an interrupt or exception: the interrupted pc in, the pc to continue at out (PicoRV32
// has it itself). `high` must be kept: a read of a counter may have been interrupted.
uint32_t overflow_handler(uint32_t interrupted);

#endif
