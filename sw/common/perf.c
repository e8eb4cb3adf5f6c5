/* SPDX-License-Identifier: Apache-2.0 */
#include "perf.h"

#include <stddef.h>

#include "console.h"
#include "csr.h"
#include "tally_spec.h"

/* One programmable counter an event, from mhpmcounter3. */
enum event {
    BRANCHES,
    BRANCH_MISSES,
    L1D_LOADS,
    L1D_LOAD_MISSES,
    L1D_STORES,
    L1D_STORE_MISSES,
    L1I_LOADS,
    L1I_LOAD_MISSES,
    DTLB_LOADS,
    DTLB_LOAD_MISSES,
    DTLB_STORES,
    DTLB_STORE_MISSES,
    ITLB_LOADS,
    ITLB_LOAD_MISSES,
    STALLED_FRONTEND,
    STALLED_BACKEND,
    EVENTS
};

static uint64_t cycles, instructions, counts[EVENTS];

/* The numbers of these registers are part of the instructions: the list is spelled out once, here. */
#define FOR_EACH_COUNTER(X)                                                                                  \
    X(3, TALLY_EV_INST_BRJMP_RET)                                                                            \
    X(4, TALLY_EV_INST_MISPRED_RET)                                                                          \
    X(5, TALLY_EV_CACHE_L1D_RD_ACCESS_RET)                                                                   \
    X(6, TALLY_EV_CACHE_L1D_RD_MISS_RET)                                                                     \
    X(7, TALLY_EV_CACHE_L1D_WR_ACCESS_RET)                                                                   \
    X(8, TALLY_EV_CACHE_L1D_WR_MISS_RET)                                                                     \
    X(9, TALLY_EV_CACHE_L1I_RD_ACCESS)                                                                       \
    X(10, TALLY_EV_CACHE_L1I_RD_MISS)                                                                        \
    X(11, TALLY_EV_TLB_L1D_RD_ACCESS_RET)                                                                    \
    X(12, TALLY_EV_TLB_L1D_RD_MISS_RET)                                                                      \
    X(13, TALLY_EV_TLB_L1D_WR_ACCESS_RET)                                                                    \
    X(14, TALLY_EV_TLB_L1D_WR_MISS_RET)                                                                      \
    X(15, TALLY_EV_TLB_L1I_RD_ACCESS)                                                                        \
    X(16, TALLY_EV_TLB_L1I_RD_MISS)                                                                          \
    X(17, TALLY_EV_CYCLES_STALL_FRONTEND)                                                                    \
    X(18, TALLY_EV_CYCLES_STALL_BACKEND)

void perf_setup(void) {
    csr_write(mcountinhibit, -1);
#define SET_UP(n, selector)                                                                                  \
    csr_write(mhpmevent##n, selector);                                                                       \
    csr_write(mhpmcounter##n, 0);
    FOR_EACH_COUNTER(SET_UP)
#undef SET_UP
    csr_write(mcycle, 0);
    csr_write(minstret, 0);
}

static void read_counters(void) {
    cycles = csr_read(mcycle);
    instructions = csr_read(minstret) - 1; /* the write that stopped it */
#define READ(n, selector) counts[(n)-3] = csr_read(mhpmcounter##n);
    FOR_EACH_COUNTER(READ)
#undef READ
}

/* part / whole, in units of 1 / scale, rounded */
static uint64_t ratio(uint64_t part, uint64_t whole, uint64_t scale) {
    return whole ? (part * scale + whole / 2) / whole : 0;
}

static void line(uint64_t value, const char *name) { con_printf("%'15lu  %-24s", value, name); }

static void line_percent(uint64_t part, uint64_t whole, const char *name, const char *of) {
    uint64_t percent100 = ratio(part, whole, 10000);

    line(part, name);
    con_printf("# %3lu.%02lu%% of all %s\n", percent100 / 100, percent100 % 100, of);
}

/* A pair of counters: accesses and misses */
static void line_pair(enum event accesses, const char *name, const char *miss_name) {
    line(counts[accesses], name);
    con_putc('\n');
    line_percent(counts[accesses + 1], counts[accesses], miss_name, name);
}

void perf_report(const char *name) {
    uint64_t ipc100;

    read_counters();
    ipc100 = ratio(instructions, cycles, 100);
    con_printf("\n Performance counter stats for '%s':\n\n", name);
    line(cycles, "cycles");
    con_putc('\n');
    line(instructions, "instructions");
    con_printf("# %3lu.%02lu  insn per cycle\n", ipc100 / 100, ipc100 % 100);
    line_pair(BRANCHES, "branches", "branch-misses");
    line_pair(L1D_LOADS, "L1-dcache-loads", "L1-dcache-load-misses");
    line_pair(L1D_STORES, "L1-dcache-stores", "L1-dcache-store-misses");
    line_pair(L1I_LOADS, "L1-icache-loads", "L1-icache-load-misses");
    line_pair(DTLB_LOADS, "dTLB-loads", "dTLB-load-misses");
    line_pair(DTLB_STORES, "dTLB-stores", "dTLB-store-misses");
    line_pair(ITLB_LOADS, "iTLB-loads", "iTLB-load-misses");
    line_percent(counts[STALLED_FRONTEND], cycles, "stalled-cycles-frontend", "cycles");
    line_percent(counts[STALLED_BACKEND], cycles, "stalled-cycles-backend", "cycles");
    con_putc('\n');
}
