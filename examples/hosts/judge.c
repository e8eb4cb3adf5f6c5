// SPDX-License-Identifier: Apache-2.0
// Counts what RVFI can tell over small programs, and over demos of the core's package (DEMOS: DEMO(name)...).
// Each program runs anew for each group of counters; the harness compares each count with its own of the
// trace.

#include "host.h"
#include "works.h"

#ifndef DEMOS
#define DEMOS
#endif

enum { GROUP = 3, ECALLS = 5, OVERFLOWS = 4, PERIOD = 150 };

// In groups, counters 4, 5 and 6; 2 counts instructions, and 3 makes interrupts.
static const uint32_t events[] = {JUDGED_EVENTS,
                                  TALLY_EV_CYCLES_HART,
                                  TALLY_EV_CYCLES_STALL_BACKEND,
                                  TALLY_EV_INST_LDST_RET,
                                  TALLY_EV_INST_AMO_RET,
                                  TALLY_EV_INST_MO_RET,
                                  TALLY_EV_INST_TRETURN_RET,
                                  TALLY_EV_INST_BRJMP_DIR_LJUMP_RET,
                                  TALLY_EV_INST_BRJMP_IND_LJUMP_RET,
                                  TALLY_EV_INST_BRJMP_CORSWAP_RET,
                                  TALLY_EV_INST_BRJMP_DIR_RET,
                                  TALLY_EV_INST_BRJMP_IND_RET,
                                  TALLY_EV_INST_SC_FAIL_RET};
_Static_assert(sizeof events / sizeof *events % 3 == 0, "whole groups");
enum { GROUPS = sizeof events / sizeof *events / GROUP };

static volatile uint32_t overflows, exceptions, checksum;

uint32_t overflow_handler(uint32_t interrupted) {
    uint32_t high = CSR(0, 0), owner = CSR(0, 1);
    if (CSR(TALLY_CSR_MIP, 0) & LCOFIP) {
        CSR_CLEAR(TALLY_CSR_MIP) = LCOFIP;
        if (++overflows < OVERFLOWS)
            prepare(3, TALLY_EV_INST_STORE_RET, -(uint64_t)PERIOD);
    } else {
        exceptions++;
        interrupted += 4;
    }
    CSR(0, 0) = high;
    CSR(0, 1) = owner;
    return interrupted;
}

// Exceptions, and then interrupts
static uint32_t traps(uint32_t seed) {
    for (unsigned n = 0; n < ECALLS; n++)
        __asm__ volatile(".option push\n.option norvc\necall\n.option pop" ::: "memory");
    prepare(3, TALLY_EV_INST_STORE_RET, -(uint64_t)PERIOD);
    while (overflows < OVERFLOWS)
        *(volatile uint32_t *)&checksum = seed;
    return seed;
}

// Instructions that compilers seldom make: jumps that link in other registers, a co-routine swap, and fences
static uint32_t transfers(uint32_t seed) {
    for (unsigned n = 0; n < 7; n++)
        __asm__ volatile(".option push\n.option norvc\njal t1, 1f\n1: la t2, 2f\njalr t1, 0(t2)\n2: fence\n"
                         "la t0, 3f\njalr ra, 0(t0)\n3: jal t2, 4f\n4: fence rw, w\n.option pop" ::
                             : "ra", "t0", "t1", "t2", "memory");
    return seed;
}

#define DEMO(name) uint32_t name(uint32_t seed);
DEMOS
#undef DEMO

static const struct {
    const char *name;
    uint32_t (*run)(uint32_t seed);
} works[] = {{"crc", crc},
             {"matrix", matrix},
             {"sort", sort},
             {"string", string},
             {"machine", machine},
             {"traps", traps},
             {"transfers", transfers},
#define DEMO(name) {#name, name},
             DEMOS};

// The tutorial's program: the loads of a piece of work, and of none
uint64_t loads_of(void (*work)(void));

static void no_work(void) {}
static void hundred_loads(void) {
    for (unsigned n = 0; n < 100; n++)
        (void)checksum;
}

// A group of counts of a run. Returns how often an event happened for which the program has a number of its
// own.
static uint64_t count(uint32_t (*run)(uint32_t), unsigned group) {
    CSR(TALLY_CSR_MCOUNTINHIBIT, 0) = ~0u;
    write64(TALLY_CSR_MINSTRET, 0);
    prepare(3, 0, 0);
    for (unsigned n = 0; n < GROUP; n++)
        prepare(4 + n, events[group * GROUP + n], 0);
    overflows = exceptions = 0;
    CSR(TALLY_CSR_MCOUNTINHIBIT, 0) = 0;
    checksum = run(12345);
    CSR(TALLY_CSR_MCOUNTINHIBIT, 0) = ~0u;
    report(TALLY_EV_INST_RET, read64(TALLY_CSR_MINSTRET));
    uint64_t trapped = 0;
    for (unsigned n = 0; n < GROUP; n++) {
        uint32_t event = events[group * GROUP + n];
        uint64_t value = read64(TALLY_CSR_MCYCLE + 4 + n);
        report(event, value);
        trapped += event == TALLY_EV_EXCEPTION || event == TALLY_EV_INTERRUPT ? value : 0;
    }
    return trapped;
}

int main(void) {
    if (loads_of(hundred_loads) != loads_of(no_work) + 100) {
        print("FAIL: the tutorial's program does not count 100 loads\n");
        DEVICE(EXIT) = 1;
    }
    uint32_t wrong = 0;
    for (unsigned work = 0; work < sizeof works / sizeof *works; work++) {
        uint64_t trapped = 0;
        for (unsigned group = 0; group < GROUPS; group++)
            trapped += count(works[work].run, group);
        print("  ");
        print(works[work].name);
        print(": ");
        print_number((uint32_t)read64(TALLY_CSR_MINSTRET));
        print(" instructions, ");
        print_number((uint32_t)trapped);
        print(" traps\n");
        wrong += trapped != exceptions + overflows;
    }
    print(wrong ? "FAIL: traps are not those that the program has seen\n" : "PASS\n");
    DEVICE(EXIT) = wrong != 0;
    return 0;
}
