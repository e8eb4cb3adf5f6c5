/* SPDX-License-Identifier: Apache-2.0 */
/* Reads of `time` in S- and U-mode, by their rights, and counted: the same on harts that have the CSR, and on
 * Rocket, where the firmware emulates it. */
#include "console.h"
#include "csr.h"
#include "perf.h"
#include "supervisor.h"

enum { TM = 2, READS = 10, REFUSED = 0 };

static unsigned refusals, wrong;

static void illegal(struct trap_frame *frame) {
    refusals++;
    frame->epc += 4;
}

static void expect(const char *what, bool holds) {
    if (!holds)
        con_printf("wrong: %s\n", what);
    wrong += !holds;
}

/* REFUSED if the instruction traps */
static uint64_t read_time(void) {
    uint64_t now = REFUSED;

    __asm__ volatile("rdtime %0" : "+r"(now));
    return now;
}

/* READS instructions, and the return, which is not counted */
uint64_t reads(void);
__asm__(".pushsection .text.reads, \"ax\"\n.balign 4\n"
        "reads: .rept 10\nrdtime a0\n.endr\n"
        "ret\n.popsection");

int main(void) {
    uint64_t before, between, after;

    trap_set_exception(TALLY_EXC_ILLEGAL, illegal);
    csr_write(scounteren, ~0ul);
    before = read_time();
    while (read_time() == before)
        ;
    between = user_call(read_time);
    after = read_time();
    expect("time goes on, and is the same in U-mode", before < between && between <= after);
    __asm__ volatile("csrr zero, time");
    expect("nothing is refused with TM=1", refusals == 0);
    perf_setup(user_call);
    perf_count(reads);
    expect("each read counts as an instruction", perf_value(PERF_INSTRUCTIONS) == READS);

    csr_clear(scounteren, TM);
    expect("U-mode is refused with TM=0", user_call(read_time) == REFUSED && refusals == 1);
    expect("S-mode is not", read_time() >= after && refusals == 1);
    con_printf(wrong ? "FAIL: time\n" : "PASS: time\n");
    return wrong != 0;
}
