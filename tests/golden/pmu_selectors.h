// SPDX-License-Identifier: Apache-2.0
/*
 * Selectors on the bench: combinations, event wires, the pc range.
 */
#ifndef PMU_SELECTORS_H
#define PMU_SELECTORS_H

#include "pmu_rig.h"

#include "tally_events.h"

enum { OP_OR, OP_AND, OP_XOR, OP_ADD };

#define EDGE (UINT64_C(1) << TALLY_SEL_COMB_EDGE_LSB)
#define INV (UINT64_C(1) << TALLY_SEL_COMB_INV_LSB)
#define THR(n) ((uint64_t)(n) << TALLY_SEL_COMB_THR_LSB)
#define LOAD (UINT64_C(1) << TALLY_EVR_LOAD)
#define STORE (UINT64_C(1) << TALLY_EVR_STORE)
#define AMO (UINT64_C(1) << TALLY_EVR_AMO)
#define MUL (UINT64_C(1) << TALLY_EVR_MUL)

/* The index of the event with this selector of type 0 or 1 */
static inline uint64_t ix(uint64_t selector) {
    for (unsigned i = 1; i < sizeof(tally_events) / sizeof(tally_events[0]); i++)
        if (tally_events[i].name && tally_events[i].selector == selector)
            return i;
    return 0;
}

static inline uint64_t raw(unsigned op, uint64_t a, uint64_t b, uint64_t c, uint64_t d) {
    return (uint64_t)TALLY_SEL_TYPE_IS_COMBINED << TALLY_SEL_TYPE_LSB |
           (uint64_t)op << TALLY_SEL_COMB_OP_LSB | a << TALLY_SEL_COMB_A_LSB | b << TALLY_SEL_COMB_B_LSB |
           c << TALLY_SEL_COMB_C_LSB | d << TALLY_SEL_COMB_D_LSB;
}

/* A combination of events given by their selectors; 0 is no term. */
static inline uint64_t combine(unsigned op, uint64_t a, uint64_t b, uint64_t c, uint64_t d) {
    return raw(op, ix(a), ix(b), ix(c), ix(d));
}

static inline void lanes(unsigned n) {
    gp_config_default(&cfg);
    cfg.retire_w = n;
    cfg.comb_n = 4;
    cfg.pcrange = true;
    start();
    /* The range acts on counters that are delegated. */
    in.env.cde = true;
    w(TALLY_CSR_MCOUNTEREN, UINT32_MAX);
}

static inline void wire(unsigned number, uint64_t count) {
    unsigned at = number * cfg.evc_w;

    in.ev_cycle[at / 64] |= count << at % 64;
    if (at % 64 + cfg.evc_w > 64)
        in.ev_cycle[at / 64 + 1] |= count >> (64 - at % 64);
}

/* The increment of counter 3 in one cycle of these inputs */
static inline uint64_t gain(void) {
    uint64_t before = peek(counter(3));

    tick();
    return peek(counter(3)) - before;
}

static inline void range(uint64_t lo, uint64_t hi) {
    w(TALLY_CSR_SHPMPCLO, lo);
    w(TALLY_CSR_SHPMPCHI, hi);
    w(TALLY_CSR_SHPMPCSEL, 8);
}

#endif
