/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Hardware counters. They are found by asking the registers, not by a list: a counter exists if its
 * value sticks, Sscofpmf if scountovf does not trap and OF sticks, Smcntrpmf if mcyclecfg does not trap.
 */
#include "bits.h"
#include "csr.h"
#include "guarded.h"
#include "pmu.h"

struct pmu_hardware pmu_hardware;
bool pmu_found, pmu_delegates_counters, pmu_has_branches;

typedef unsigned long csr_function(unsigned long value);

/* csr_tables.S: 8 bytes an entry */
extern char table_counter_read[], table_counter_write[], table_event_read[], table_event_write[],
    table_event_clear[];
#if __riscv_xlen == 32
extern char table_counterh_read[], table_counterh_write[], table_eventh_read[], table_eventh_write[],
    table_eventh_clear[];
#endif
bool table_try(unsigned long *value, csr_function *entry);

static inline csr_function *entry(char *table, unsigned n) { return (csr_function *)(void *)(table + 8 * n); }

/* Entry of the event tables with a counter's filters: mcyclecfg is entry 1, minstretcfg entry 2. */
_Static_assert(TALLY_CSR_MCYCLECFG - TALLY_CSR_MHPMEVENT3 == 1 - 3, "csr_tables.S");
_Static_assert(TALLY_CSR_MINSTRETCFG - TALLY_CSR_MHPMEVENT3 == PMU_INSTRET - 3, "csr_tables.S");

static inline unsigned event_register(unsigned n) { return n == PMU_CYCLE ? 1 : n; }

uint64_t pmu_counter_read(unsigned n) {
#if __riscv_xlen == 64
    return entry(table_counter_read, n)(0);
#else
    uint32_t low, high, again;

    do { /* the low half may wrap between the reads */
        high = entry(table_counterh_read, n)(0);
        low = entry(table_counter_read, n)(0);
        again = entry(table_counterh_read, n)(0);
    } while (high != again);
    return (uint64_t)high << 32 | low;
#endif
}

void pmu_counter_write(unsigned n, uint64_t value) {
#if __riscv_xlen == 64
    entry(table_counter_write, n)(value);
#else
    entry(table_counter_write, n)(0); /* so that it does not carry in between, should it count */
    entry(table_counterh_write, n)((uint32_t)(value >> 32));
    entry(table_counter_write, n)((uint32_t)value);
#endif
}

uint64_t pmu_selector_read(unsigned n) {
    unsigned at = event_register(n);
#if __riscv_xlen == 64
    return entry(table_event_read, at)(0);
#else
    uint64_t high = pmu_hardware.high_halves ? entry(table_eventh_read, at)(0) : 0;

    return high << 32 | (uint32_t)entry(table_event_read, at)(0);
#endif
}

void pmu_selector_write(unsigned n, uint64_t value) {
    unsigned at = event_register(n);
#if __riscv_xlen == 64
    entry(table_event_write, at)(value);
#else
    entry(table_event_write, at)((uint32_t)value);
    if (pmu_hardware.high_halves)
        entry(table_eventh_write, at)((uint32_t)(value >> 32));
#endif
}

void pmu_overflow_clear(unsigned n) {
#if __riscv_xlen == 64
    entry(table_event_clear, n)(PMU_EVENT_OF);
#else
    if (pmu_hardware.high_halves)
        entry(table_eventh_clear, n)((uint32_t)(PMU_EVENT_OF >> 32));
#endif
}

/* --- discovery ----------------------------------------------------------------------------------- */

/* Bits of counter n that hold a value; 0: it does not exist. It reads 0 afterwards. */
static unsigned counter_width(unsigned n) {
    unsigned long low = ~0ul;
    uint64_t ones;

    if (!table_try(&low, entry(table_counter_write, n)))
        return 0;
    pmu_counter_write(n, ~0ull);
    ones = pmu_counter_read(n);
    pmu_counter_write(n, 0);
    return ones ? 64 - (unsigned)__builtin_clzll(ones) : 0;
}

static bool find_counters(void) {
    unsigned last = PMU_INSTRET;
    bool fixed;

    csr_write(mcountinhibit, ~0ul);
    fixed = csr_read(mcountinhibit) & 1;
    for (unsigned n = 0; n < 32; n++) {
        unsigned width = n == PMU_TIME ? 0 : counter_width(n);

        if (!width)
            continue;
        pmu_hardware.width[n] = (uint8_t)width;
        pmu_hardware.present |= 1u << n;
        last = n > last ? n : last;
    }
    pmu_hardware.counters = pmu_hardware.present;
    pmu_hardware.first_free = last + 1;
    return fixed;
}

/* Needs a programmable counter to try it on. */
static void find_extensions(void) {
    uint32_t programmable = pmu_hardware.counters & ~PMU_FIXED;
    unsigned long unused = 0;
    unsigned n;

    pmu_hardware.fixed_filter = csr_exists(TALLY_CSR_MCYCLECFG);
#if __riscv_xlen == 32
    pmu_hardware.high_halves = table_try(&unused, entry(table_eventh_read, 3));
#endif
    (void)unused;
    pmu_hardware.own_events = csr_exists(TALLY_CSR_SHPMSWINC);
    pmu_hardware.pc_range = csr_exists(TALLY_CSR_SHPMPCSEL);
    pmu_hardware.cause = csr_exists(TALLY_CSR_SHPMSPC);
    pmu_hardware.branches = csr_exists(TALLY_CSR_MEBBCTL);
    pmu_hardware.sampling = pmu_hardware.own_events && csr_exists(TALLY_CSR_MPDISCTL);
    pmu_hardware.buffer = pmu_hardware.sampling && csr_exists(TALLY_CSR_SPDISAMBCS);
    guarded_buffer = pmu_hardware.buffer;
    if (!programmable)
        return;
    n = lowest_bit(programmable);
    /* A bit 63 that sticks may be part of a selector; scountovf comes with Sscofpmf alone. */
    if (!csr_exists(TALLY_CSR_SCOUNTOVF))
        return;
    pmu_selector_write(n, PMU_EVENT_OF);
    pmu_hardware.overflow = pmu_selector_read(n) & PMU_EVENT_OF;
    pmu_selector_write(n, 0);
}

bool pmu_hardware_find(void) {
    if (!csr_exists(mcountinhibit) || !find_counters())
        return false;
    find_extensions();
    return true;
}
