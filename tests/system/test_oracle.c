// SPDX-License-Identifier: Apache-2.0
/* The oracle of event wires (tb/oracle.h): refills of the L1 data cache at the end of a run. In every case
 * the core's clock is stopped, so that all other wires are 0. */
#include "oracle.h"

#include "tally_spec.h"

#define REFILL (UINT64_C(1) << TALLY_EVC_L1D_REFILL)

enum { MEMORY_REFILL = 1 << 3, CYCLES = 5 }; /* memory_says: TALLY_EVM_L1D_REFILL */

static const struct run {
    const char *what;
    bool takes[CYCLES], requests[CYCLES]; /* the D side takes a line's request, and it is on the bus */
    bool good;
} runs[] = {
    {"no refill", {0}, {0}, true},
    {"a refill, at once on the bus", {1, 0, 0, 0, 0}, {0, 1, 0, 0, 0}, true},
    {"a refill that waits for other harts", {1, 0, 0, 0, 0}, {0, 0, 0, 1, 0}, true},
    {"a run that ends in the cycle of the request", {0, 0, 0, 1, 0}, {0, 0, 0, 0, 1}, true},
    {"a run that ends while a request waits", {0, 1, 0, 0, 0}, {0, 0, 0, 0, 0}, true},
    {"two refills, one request", {1, 0, 1, 0, 0}, {0, 0, 0, 0, 1}, true},
    {"two refills without a request", {1, 0, 1, 0, 0}, {0, 0, 0, 0, 0}, false},
    {"a request without a refill", {0}, {0, 0, 1, 0, 0}, false},
};

static const char *verdict(const struct run *run, struct oracle *oracle) {
    for (unsigned c = 0; c < CYCLES; c++) {
        const struct oracle_in in = {
            .halted = true,
            .d_line = run->requests[c],
            .read = run->requests[c],
            .memory_says = run->takes[c] ? MEMORY_REFILL : 0,
            .ev_cycle = (c && run->takes[c - 1] ? REFILL : 0) |
                        (c && run->requests[c - 1] ? UINT64_C(1) << TALLY_EVC_BUS_RD : 0),
        };
        const char *wrong = oracle_cycle(oracle, &in);
        if (wrong)
            return wrong;
    }
    return oracle_finish(oracle);
}

int main(void) {
    int failures = 0;
    for (unsigned i = 0; i < sizeof runs / sizeof *runs; i++) {
        struct oracle *oracle = oracle_new(0x80000000, 0x1000000);
        if (!oracle)
            return 1;
        const char *wrong = verdict(&runs[i], oracle);
        if (!wrong != runs[i].good) {
            printf("%s: %s\n", runs[i].what, wrong ? wrong : "no error");
            failures++;
        }
        oracle_free(oracle);
    }
    return failures != 0;
}
