// SPDX-License-Identifier: Apache-2.0
/*
 * A kernel on the hart: counts its second run, with caches and predictors warm, and prints a line for
 * scripts/bench_hart.py.
 */
#include "console.h"
#include "kernel.h"
#include "test.h"

enum { FRONT_END, BACK_END, BAD_SPECULATION, MISPREDICTED, EVENTS };

struct counts {
    uint64_t cycles, instructions, of[EVENTS];
};

static struct counts counts_now(void) {
    return (struct counts){
        csr_read(mcycle),
        csr_read(minstret),
        {csr_read(mhpmcounter3), csr_read(mhpmcounter4), csr_read(mhpmcounter5), csr_read(mhpmcounter6)}};
}

void test_main(void) {
    con_init();
    csr_write(mhpmevent3, TALLY_EV_TOPDOWN_FRONTEND_BOUND_SLOTS);
    csr_write(mhpmevent4, TALLY_EV_TOPDOWN_BACKEND_BOUND_SLOTS);
    csr_write(mhpmevent5, TALLY_EV_TOPDOWN_BAD_SPECULATION_SLOTS);
    csr_write(mhpmevent6, TALLY_EV_INST_MISPRED_RET);
    csr_write(mcountinhibit, 0);

    CHECK_EQ(the_kernel.work(), the_kernel.result);
    const struct counts begin = counts_now();
    const uint64_t result = the_kernel.work();
    const struct counts end = counts_now();
    CHECK_EQ(result, the_kernel.result);

    con_printf("kernel %s: %lu cycles, %lu instructions", the_kernel.name, end.cycles - begin.cycles,
               end.instructions - begin.instructions);
    for (int n = 0; n < EVENTS; n++)
        con_printf(" %lu", end.of[n] - begin.of[n]);
    con_putc('\n');
    pass();
}
