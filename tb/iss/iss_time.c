// SPDX-License-Identifier: Apache-2.0
#include "iss_time.h"

/* Cycles beyond the first. Loads and stores: the average of what later instructions wait for them. Hardly any
 * waits for a product. */
enum {
    LOAD_OR_STORE = 1,
    DEVICE = 14,
    ATOMIC = 49,
    DIVIDE = 18,
    SYSTEM = 8, /* CSR instructions, traps, event-based branches, returns */
    FENCE = 27,
    LINE_FETCHED = 34,
    LINE_LOADED = 45,
    LINE_WALKED = 41,
    PAGE_LOADED = 7, /* from the second level; fetch hides its own */
    MISPREDICTED = 5
};

static unsigned of_class(uint32_t insn) {
    switch (insn & 0x7f) { /* no compressed instruction has one of these */
    case 0x0f:
        return FENCE;
    case 0x2f:
        return ATOMIC;
    case 0x33:
    case 0x3b:
        return insn >> 25 == 1 && insn >> 14 & 1 ? DIVIDE : 0;
    case 0x73:
        return insn >> 25 == 9 ? FENCE : SYSTEM; /* sfence.vma */
    default:
        return 0;
    }
}

unsigned iss_time_cycles(const struct warm_seen *seen, const struct gh_retire *step) {
    unsigned cycles = 1;
    if (step->trap || step->ebb)
        return cycles + SYSTEM;
    if (step->mem != GH_MEM_NONE)
        cycles += step->mem_device ? DEVICE : LOAD_OR_STORE;
    return cycles + of_class(step->insn) + seen->icache * LINE_FETCHED + seen->dcache * LINE_LOADED +
           seen->walk_lines * LINE_WALKED + seen->dtlb * PAGE_LOADED + seen->mispredicted * MISPREDICTED;
}
