/* SPDX-License-Identifier: Apache-2.0 */
#include "perf.h"

#include <stdbool.h>
#include <stddef.h>

#include "console.h"
#include "sbi_pmu.h"

enum { L1D, L1I, LL, DTLB, ITLB };
enum { READ, WRITE };
enum { ACCESS, MISS };

static struct counter {
    unsigned long event_idx;
    uint64_t data;    /* of a raw event: its selector */
    const char *name; /* of those of perf_more() */
    bool there;       /* the SBI has a counter for it */
    unsigned long index;
    struct sbiret info;
    uint64_t overhead, count;
} counters[PERF_EVENTS + PERF_MORE] = {
    [PERF_CYCLES] = {HW(1)},
    [PERF_INSTRUCTIONS] = {HW(2)},
    [PERF_BRANCHES] = {HW(5)},
    [PERF_BRANCH_MISSES] = {HW(6)},
    [PERF_L1D_LOADS] = {CACHE(L1D, READ, ACCESS)},
    [PERF_L1D_LOAD_MISSES] = {CACHE(L1D, READ, MISS)},
    [PERF_L1D_STORES] = {CACHE(L1D, WRITE, ACCESS)},
    [PERF_L1D_STORE_MISSES] = {CACHE(L1D, WRITE, MISS)},
    [PERF_L1I_LOADS] = {CACHE(L1I, READ, ACCESS)},
    [PERF_L1I_LOAD_MISSES] = {CACHE(L1I, READ, MISS)},
    [PERF_DTLB_LOADS] = {CACHE(DTLB, READ, ACCESS)},
    [PERF_DTLB_LOAD_MISSES] = {CACHE(DTLB, READ, MISS)},
    [PERF_DTLB_STORES] = {CACHE(DTLB, WRITE, ACCESS)},
    [PERF_DTLB_STORE_MISSES] = {CACHE(DTLB, WRITE, MISS)},
    [PERF_ITLB_LOADS] = {CACHE(ITLB, READ, ACCESS)},
    [PERF_ITLB_LOAD_MISSES] = {CACHE(ITLB, READ, MISS)},
    [PERF_STALLED_FRONTEND] = {HW(8)},
    [PERF_STALLED_BACKEND] = {HW(9)},
    [PERF_SET_TIMER] = {FW(5)},
};

static unsigned used = PERF_EVENTS;
static perf_runner *runner;
static unsigned long all; /* counters that have an event */

uint64_t perf_here(perf_work *work) { return work(); }

/* One instruction: the return. */
uint64_t perf_nothing(void);
__asm__(".pushsection .text.perf_nothing, \"ax\"\n.balign 4\nperf_nothing: ret\n.popsection");

static uint64_t value_of(const struct counter *counter) {
    if (!counter->there)
        return 0;
    if (COUNTER_IS_FIRMWARE(counter->info.value))
        return pmu_fw_read(counter->index).value;
    return read_counter(COUNTER_NUMBER(counter->info.value));
}

/* Between the two calls everything is the same for any work: a constant cost. */
__attribute__((noinline)) static uint64_t count_run(perf_work *work) {
    uint64_t result;

    pmu_start(0, all, 0, 0);
    result = runner(work);
    pmu_stop(0, all, 0);
    return result;
}

static void configure(struct counter *counter, unsigned long every) {
    const struct sbiret chosen = pmu_config(0, every, CLEAR_VALUE, counter->event_idx, counter->data);

    counter->there = !chosen.error;
    if (!counter->there)
        return;
    counter->index = chosen.value;
    counter->info = pmu_get_info(chosen.value);
    all |= 1ul << chosen.value;
}

/* Indices that are counters */
static unsigned long existing(void) {
    const unsigned long n = pmu_num_counters().value;
    unsigned long set = 0;

    for (unsigned long i = 0; i < n && i < __riscv_xlen; i++)
        if (!pmu_get_info(i).error)
            set |= 1ul << i;
    return set;
}

bool perf_more(const char *name, uint64_t selector) {
    if (used == PERF_EVENTS + PERF_MORE)
        return false;
    counters[used++] = (struct counter){.event_idx = RAW, .data = selector, .name = name};
    return true;
}

const char *perf_without_counter(void) {
    for (unsigned i = PERF_EVENTS; i < used; i++)
        if (!counters[i].there)
            return counters[i].name;
    return NULL;
}

void perf_setup(perf_runner *run) {
    const unsigned long every = existing();

    runner = run;
    if (all)
        pmu_stop(0, all, RESET);
    all = 0;
    for (unsigned i = 0; i < used; i++)
        configure(&counters[i], every);
    perf_count(perf_nothing); /* fills the caches */
    perf_count(perf_nothing);
    for (unsigned i = 0; i < used; i++)
        counters[i].overhead = counters[i].count;
}

uint64_t perf_count(perf_work *work) {
    uint64_t before[PERF_EVENTS + PERF_MORE], result;

    for (unsigned i = 0; i < used; i++)
        before[i] = value_of(&counters[i]);
    result = count_run(work);
    for (unsigned i = 0; i < used; i++)
        counters[i].count = value_of(&counters[i]) - before[i];
    return result;
}

uint64_t perf_value(enum perf_event event) {
    const struct counter *counter = &counters[event];

    return counter->count > counter->overhead ? counter->count - counter->overhead : 0;
}

/* --- the table ---------------------------------------------------------------------------------- */

/* part / whole, in units of 1 / scale, rounded */
static uint64_t ratio(uint64_t part, uint64_t whole, uint64_t scale) {
    return whole ? (part * scale + whole / 2) / whole : 0;
}

/* The first columns of a row. False: there is no counter for the event, and no more to be said. */
static bool value(enum perf_event event, const char *name) {
    if (counters[event].there)
        con_printf("%'15lu  ", (unsigned long)perf_value(event));
    else
        con_printf("%15s  %s\n", "<not supported>", name);
    return counters[event].there;
}

static void line(enum perf_event event, const char *name) {
    if (value(event, name))
        con_printf("%s\n", name);
}

/* With a remark: a number with two digits behind the point */
static void line_with(enum perf_event event, const char *name, uint64_t hundredths, const char *what,
                      const char *of) {
    if (value(event, name))
        con_printf("%-24s# %3lu.%02lu%s%s\n", name, (unsigned long)(hundredths / 100),
                   (unsigned long)(hundredths % 100), what, of);
}

static void line_percent(enum perf_event part, const char *name, enum perf_event whole, const char *of) {
    line_with(part, name, ratio(perf_value(part), perf_value(whole), 10000), "% of all ", of);
}

static void line_pair(enum perf_event accesses, const char *name, const char *miss_name) {
    line(accesses, name);
    line_percent(accesses + 1, miss_name, accesses, name);
}

void perf_report(const char *name) {
    con_printf("\n Performance counter stats for '%s':\n\n", name);
    line(PERF_CYCLES, "cycles");
    line_with(PERF_INSTRUCTIONS, "instructions",
              ratio(perf_value(PERF_INSTRUCTIONS), perf_value(PERF_CYCLES), 100), "  insn per cycle", "");
    line_pair(PERF_BRANCHES, "branches", "branch-misses");
    line_pair(PERF_L1D_LOADS, "L1-dcache-loads", "L1-dcache-load-misses");
    line_pair(PERF_L1D_STORES, "L1-dcache-stores", "L1-dcache-store-misses");
    line_pair(PERF_L1I_LOADS, "L1-icache-loads", "L1-icache-load-misses");
    line_pair(PERF_DTLB_LOADS, "dTLB-loads", "dTLB-load-misses");
    line_pair(PERF_DTLB_STORES, "dTLB-stores", "dTLB-store-misses");
    line_pair(PERF_ITLB_LOADS, "iTLB-loads", "iTLB-load-misses");
    line_percent(PERF_STALLED_FRONTEND, "stalled-cycles-frontend", PERF_CYCLES, "cycles");
    line_percent(PERF_STALLED_BACKEND, "stalled-cycles-backend", PERF_CYCLES, "cycles");
    if (perf_value(PERF_SET_TIMER))
        line(PERF_SET_TIMER, "SBI set_timer calls");
    for (unsigned i = PERF_EVENTS; i < used; i++)
        line((enum perf_event)i, counters[i].name);
    con_putc('\n');
}
