/*
 * Micro-benchmarks of the pipeline: what docs/hart.md promises, measured by the machine's own counters.
 * Figures are in hundredths of a cycle. The test fails if a promise does not hold.
 */
#include <stdint.h>

#include "console.h"
#include "test.h"

#define ROUNDS 64

#define REPEAT(n, text) ".rept " #n "\n" text "\n.endr\n"

struct count {
    uint64_t cycles, instructions, mispredicted;
};

static struct count count_now(void) {
    struct count c = {csr_read(mcycle), csr_read(minstret), csr_read(mhpmcounter3)};
    return c;
}

static struct count difference(struct count a, struct count b) {
    return (struct count){a.cycles - b.cycles, a.instructions - b.instructions,
                          a.mispredicted - b.mispredicted};
}

/* With caches and predictors warm: the second of two calls. */
static struct count measure_raw(void (*body)(void)) {
    body();
    struct count before = count_now();
    body();
    return difference(count_now(), before);
}

static void nothing(void) { __asm__ volatile(""); }

/* What `body` takes, without the call and the reads of the counters. */
static struct count measure(void (*body)(void)) {
    return difference(measure_raw(body), measure_raw(nothing));
}

static void straight_alu(void) {
    for (int round = 0; round < ROUNDS; round++)
        __asm__ volatile(REPEAT(64, "addi t0, a0, 1\nxor t1, a1, a2\nadd t2, a3, a4\nsub t3, a5, a6")::
                             : "t0", "t1", "t2", "t3");
}

static void chained_alu(void) {
    for (int round = 0; round < ROUNDS; round++)
        __asm__ volatile(REPEAT(64, "addi t0, t0, 1\nxor t0, t0, a2\nadd t0, t0, a4\nsub t0, t0, a6")::
                             : "t0");
}

static uint64_t cell;

static void load_use(void) {
    cell = (uint64_t)&cell;
    for (int round = 0; round < ROUNDS; round++)
        __asm__ volatile("mv t0, %0\n" REPEAT(64, "ld t1, 0(t0)\nmv t0, t1") : : "r"(&cell) : "t0", "t1");
}

/* 32 jumps and the loop's own branch a round. */
static void taken_jumps(void) {
    for (int round = 0; round < ROUNDS; round++)
        __asm__ volatile(REPEAT(32, "j 1f\nnop\nnop\n1:"):::);
}

/* The same loop with a branch that the generator's bits decide, or always the same way. */
static uint64_t branchy(uint64_t mask) {
    uint64_t x = 0x9e3779b97f4a7c15, taken = 0;
    for (int i = 0; i < 4096; i++) {
        x ^= x << 13;
        x ^= x >> 7;
        x ^= x << 17;
        __asm__ volatile("and t0, %1, %2\nbeqz t0, 1f\naddi %0, %0, 1\n1:"
                         : "+r"(taken)
                         : "r"(x), "r"(mask)
                         : "t0");
    }
    return taken;
}

static void random_branches(void) { branchy(0x100); }

static void steady_branches(void) { branchy(0); }

static unsigned broken;

static void promise(const char *what, uint64_t hundredths, uint64_t limit, int at_least) {
    int holds = at_least ? hundredths >= limit : hundredths <= limit;
    con_printf("%-44s %3lu.%02lu  (%s %lu.%02lu) %s\n", what, hundredths / 100, hundredths % 100,
               at_least ? "at least" : "at most", limit / 100, limit % 100, holds ? "" : "BROKEN");
    broken += !holds;
}

void test_main(void) {
    con_init();
    csr_write(mhpmevent3, TALLY_EV_INST_MISPRED_RET);
    csr_write(mcountinhibit, 0);

    struct count alu = measure(straight_alu);
    promise("instructions a cycle, straight ALU code", alu.instructions * 100 / alu.cycles, 90, 1);
    struct count chain = measure(chained_alu);
    promise("instructions a cycle, dependent ALU code", chain.instructions * 100 / chain.cycles, 90, 1);
    struct count load = measure(load_use);
    promise("load-use penalty, cycles", (load.cycles - load.instructions) * 100 / (ROUNDS * 64), 200, 0);
    struct count jump = measure(taken_jumps);
    promise("bubbles of a predicted taken branch", (jump.cycles - jump.instructions) * 100 / (ROUNDS * 32),
            100, 0);
    struct count steady = measure(steady_branches), random = measure(random_branches);
    uint64_t more = random.mispredicted - steady.mispredicted;
    /* An instruction fewer runs when the branch is taken: both loops are charged for what they lost, not for
     * length. */
    uint64_t lost = (random.cycles - random.instructions) - (steady.cycles - steady.instructions);
    promise("cycles lost by a mispredicted branch", more ? lost * 100 / more : 99900, 800, 0);
    con_printf("(%lu of 4096 random branches mispredicted, %lu of the steady ones)\n", random.mispredicted,
               steady.mispredicted);
    CHECK_EQ(broken, 0);
    pass();
}
