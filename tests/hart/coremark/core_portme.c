// SPDX-License-Identifier: Apache-2.0
/*
 * CoreMark on the hart: prints the cycles and instructions of its timed part for scripts/bench_hart.py. An
 * iteration is some 300,000 instructions, so a run is much shorter than the ten seconds that EEMBC asks of a
 * result that is reported: seconds are of 1,000 cycles, and its own text is not printed but for errors.
 */
#include <string.h>

#include "console.h"
#include "coremark.h"
#include "test.h"

volatile ee_s32 seed1_volatile = 0, seed2_volatile = 0, seed3_volatile = 0x66; /* of a performance run */
volatile ee_s32 seed4_volatile = ITERATIONS, seed5_volatile = 0;
ee_u32 default_num_contexts = 1;

int coremark_main(void); /* its main() (CMakeLists.txt) */

static uint64_t cycles, instructions;
static bool validated;

void start_time(void) {
    cycles = csr_read(mcycle);
    instructions = csr_read(minstret);
}

void stop_time(void) {
    cycles = csr_read(mcycle) - cycles;
    instructions = csr_read(minstret) - instructions;
}

CORE_TICKS get_time(void) { return cycles; }
secs_ret time_in_secs(CORE_TICKS ticks) { return (secs_ret)(ticks / 1000); }

void portable_init(core_portable *p, int *argc, char *argv[]) {
    (void)argc;
    (void)argv;
    p->portable_id = 1;
}

void portable_fini(core_portable *p) { p->portable_id = 0; }

int ee_printf(const char *format, ...) {
    if (strstr(format, "ERROR"))
        con_printf("coremark: %s", format);
    validated |= strstr(format, "Correct operation validated") != NULL;
    return 0;
}

void test_main(void) {
    con_init();
    csr_write(mcountinhibit, 0);
    coremark_main();
    CHECK(validated);
    con_printf("coremark: %lu cycles, %lu instructions, %u iterations\n", cycles, instructions, ITERATIONS);
    pass();
}
