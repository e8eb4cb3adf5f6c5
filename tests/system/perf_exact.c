/* SPDX-License-Identifier: Apache-2.0 */
/* The table of `make run` counts the program alone: for code with a known number of instructions the counts
 * are exact, in U-mode, in S-mode, and in calls of the SBI. */
#include "console.h"
#include "perf.h"
#include "sbi_call.h"
#include "supervisor.h"

enum { ROUNDS = 100, SETUP = 1, TIMER_CALLS = 7 };

/* SETUP instructions, then a load, a store, an addition and a branch a round, then the return, which is not
 * counted */
uint64_t known(void);
__asm__(".pushsection .text.known, \"ax\"\n.balign 4\n"
        "known: li a0, 100\n"
        "1: ld t0, -16(sp)\nsd t0, -8(sp)\naddi a0, a0, -1\nbnez a0, 1b\n"
        "ret\n.popsection");

static uint64_t timer_calls(void) {
    for (int i = 0; i < TIMER_CALLS; i++)
        sbi_call3(SBI_EXT_TIME, 0, ~0ul, 0, 0);
    return 0;
}

static unsigned wrong;

static void expect(const char *mode, enum perf_event event, const char *what, uint64_t expected) {
    const uint64_t found = perf_value(event);

    if (found != expected)
        con_printf("%s: %s: %lu, expected %lu\n", mode, what, (unsigned long)found, (unsigned long)expected);
    wrong += found != expected;
}

static void check(const char *mode, perf_runner *run) {
    perf_setup(run);
    perf_count(known);
    expect(mode, PERF_INSTRUCTIONS, "instructions", SETUP + 4 * ROUNDS);
    expect(mode, PERF_BRANCHES, "branches", ROUNDS);
    expect(mode, PERF_L1D_LOADS, "loads", ROUNDS);
    expect(mode, PERF_L1D_STORES, "stores", ROUNDS);
    expect(mode, PERF_SET_TIMER, "set_timer calls", 0);
    if (perf_value(PERF_CYCLES) < SETUP + 4 * ROUNDS)
        wrong++;
}

int main(void) {
    check("U-mode", user_call);
    check("S-mode", perf_here);
    perf_count(timer_calls);
    expect("S-mode", PERF_SET_TIMER, "set_timer calls", TIMER_CALLS);
    con_printf(wrong ? "FAIL\n" : "exact\n");
    return wrong != 0;
}
