// SPDX-License-Identifier: Apache-2.0
/*
 * Micro-benchmarks of the pipeline: the times of docs/hart.md, measured by the machine's own counters, in
 * hundredths of a cycle. A time that is exceeded fails the test.
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

/* The cost of `body`, without the call and the reads of the counters. */
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

static uint64_t cell, other;

/* A load, of the cell's own address, and what uses its value. t2: another cell */
#define LOAD_USE(name, code)                                                                                 \
    static void name(void) {                                                                                 \
        cell = (uint64_t)&cell;                                                                              \
        for (int round = 0; round < ROUNDS; round++)                                                         \
            __asm__ volatile("mv t0, %0\nmv t2, %1\n" REPEAT(64, code)                                       \
                             :                                                                               \
                             : "r"(&cell), "r"(&other)                                                       \
                             : "t0", "t1", "t2", "memory");                                                  \
    }

LOAD_USE(load_add, "lbu t1, 0(t0)\nadd t1, t1, t1")
LOAD_USE(load_shift, "lw t1, 0(t0)\nsrli t1, t1, 1")
LOAD_USE(load_branch, "lh t1, 0(t0)\nbeqz t1, 1f\n1:")
LOAD_USE(load_address, "ld t1, 0(t0)\nld t0, 0(t1)")
LOAD_USE(load_store, "lw t1, 0(t0)\nsw t1, 0(t2)")
LOAD_USE(load_product, "lw t1, 0(t0)\nmul t1, t1, t1")
LOAD_USE(store_load, "sd t0, 0(t2)\nld t1, 0(t2)\naddi t1, t1, 1")

/* 32 jumps and the loop's own branch a round. */
static void taken_jumps(void) {
    for (int round = 0; round < ROUNDS; round++)
        __asm__ volatile(".balign 8\n" REPEAT(32, "j 1f\nnop\nnop\n1:"):::);
}

static void taken_branches(void) {
    for (int round = 0; round < ROUNDS; round++)
        __asm__ volatile(".balign 8\n" REPEAT(32, "beqz zero, 1f\nnop\nnop\n1:"):::);
}

/* In 8 bytes that are fetched at once, and in the next */
static void taken_across(void) {
    for (int round = 0; round < ROUNDS; round++)
        __asm__ volatile(".balign 8\nnop\nnop\nnop\n" REPEAT(32, "beqz zero, 1f\nnop\nnop\n1:"):::);
}

/* More direct jumps, branches that are always taken, and calls than the target buffer has entries; they fit
 * into the I cache. */
static void many_jumps(void) { __asm__ volatile(REPEAT(1024, "j 1f\nnop\nnop\n1:")); }

static void many_branches(void) {
    for (int round = 0; round < 4; round++)
        __asm__ volatile(REPEAT(1024, "beqz zero, 1f\nnop\n1:"));
}

static void many_calls(void) {
    __asm__ volatile(".option push\n.option norvc\nj 2f\n1: jr t0\n"
                     "2:" REPEAT(512, "jal t0, 1b\nnop") ".option pop" ::
                         : "t0");
}

enum { TURNS = 4096 };

static void loop_of_two(void) {
    uint64_t turns = TURNS;
    __asm__ volatile(".balign 8\n1: addi %0, %0, -1\nbnez %0, 1b" : "+r"(turns));
}

static void loop_of_three(void) {
    uint64_t turns = TURNS;
    __asm__ volatile(".balign 8\n1: addi %0, %0, -1\nxor t0, t0, %0\nbnez %0, 1b" : "+r"(turns) : : "t0");
}

/* 16 calls and 16 returns a round, a jump and the loop's own branch. A return goes `past` bytes behind the
 * call's next instruction: those of a nop, if the return stack is to be wrong. */
static inline __attribute__((always_inline)) void calls(uint64_t past) {
    for (int round = 0; round < ROUNDS; round++)
        __asm__ volatile("j 2f\n.option push\n.option norvc\n1: add t0, t0, %0\njr t0\n"
                         "2:" REPEAT(16, "jal t0, 1b\nnop") ".option pop"
                         :
                         : "r"(past)
                         : "t0");
}

static void true_returns(void) { calls(0); }

static void false_returns(void) { calls(4); }

/* A jump to one of two places in turn, `apart` bytes from each other; or always to the same. */
static inline __attribute__((always_inline)) void indirect(uint64_t apart) {
    uint64_t turns = TURNS;
    __asm__ volatile(".option push\n.option norvc\nla t1, 2f\nla t2, 2f\nadd t2, t2, %1\nxor t2, t2, t1\n"
                     "1: xor t1, t1, t2\naddi %0, %0, -1\njr t1\n"
                     "2: nop\nbnez %0, 1b\n.option pop"
                     : "+r"(turns)
                     : "r"(apart)
                     : "t1", "t2");
}

static void steady_indirect(void) { indirect(0); }

static void changing_indirect(void) { indirect(4); }

/* Lines that are not in the cache: every load of one misses. They hold zeros. A round's next load waits for
 * this round's results. Ten calls take two lines a round; the last 32 KiB, which the program's start has
 * just cleared, are left alone. */
enum { LINE = 64, COLD_ROUNDS = 64 };
static uint8_t cold[10 * COLD_ROUNDS * 2 * LINE + (32 << 10)] __attribute__((aligned(64)));
static uint8_t *fresh = cold;

#define COLD(text)                                                                                           \
    do {                                                                                                     \
        uint8_t *at = fresh;                                                                                 \
        for (int round = 0; round < COLD_ROUNDS; round++)                                                    \
            __asm__ volatile("mv t1, zero\nmv t2, zero\n" text "\nadd %0, %0, t1\nadd %0, %0, t2\n"          \
                             "addi %0, %0, 128"                                                              \
                             : "+r"(at)                                                                      \
                             : "r"(3ull << 61), "r"(3ull)                                                    \
                             : "t1", "t2", "memory");                                                        \
        fresh = at;                                                                                          \
    } while (0)

static void no_miss(void) { COLD("nop\nnop"); }

static void one_miss(void) { COLD("ld t1, 0(%0)\nnop"); }

static void two_misses(void) { COLD("ld t1, 0(%0)\nld t2, 64(%0)"); }

static void one_division(void) { COLD("nop\nrem t2, %1, %2"); }

static void miss_and_division(void) { COLD("ld t1, 0(%0)\nrem t2, %1, %2"); }

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

/* Cycles without a retirement, for each counted piece */
static uint64_t bubbles(void (*body)(void), uint64_t pieces) {
    const struct count c = measure(body);
    return c.cycles > c.instructions ? (c.cycles - c.instructions) * 100 / pieces : 0;
}

static uint64_t use_penalty(void (*body)(void)) { return bubbles(body, ROUNDS * 64); }

/* All bubbles of a program for each misprediction: an upper bound of the cost of one. `right` is the same
 * program with steady branches, which must hardly mispredict. */
static uint64_t loss(const char *what, void (*wrong)(void), void (*right)(void), uint64_t least) {
    const struct count steady = measure(right), changing = measure(wrong);
    con_printf("(%lu %s mispredicted, and %lu when they are steady)\n", changing.mispredicted, what,
               steady.mispredicted);
    CHECK(changing.mispredicted >= least && steady.mispredicted < least / 16);
    return (changing.cycles - changing.instructions) * 100 / changing.mispredicted;
}

/* Rounds of cold lines with so many misses each, in hundredths of a cycle */
static uint64_t cold_round(void (*body)(void), uint64_t misses) {
    const uint64_t missed = csr_read(mhpmcounter4);
    const struct count c = measure(body);
    const uint64_t seen = csr_read(mhpmcounter4) - missed, expected = misses * 2 * COLD_ROUNDS;
    CHECK(seen >= expected && seen <= expected * 5 / 4 + 16); /* two calls; and other data, thrown out */
    return c.cycles * 100 / COLD_ROUNDS;
}

void test_main(void) {
    con_init();
    csr_write(mhpmevent3, TALLY_EV_INST_MISPRED_RET);
    csr_write(mhpmevent4, TALLY_EV_CACHE_L1D_RW_MISS_RET);
    csr_write(mcountinhibit, 0);

    struct count alu = measure(straight_alu);
    promise("instructions a cycle, straight ALU code", alu.instructions * 100 / alu.cycles, 90, 1);
    struct count chain = measure(chained_alu);
    promise("instructions a cycle, dependent ALU code", chain.instructions * 100 / chain.cycles, 90, 1);
    promise("load-use penalty of an addition, cycles", use_penalty(load_add), 110, 0);
    promise("... of a shift", use_penalty(load_shift), 110, 0);
    promise("... of a branch", use_penalty(load_branch), 110, 0);
    promise("... of an address, two of them", use_penalty(load_address), 210, 0);
    promise("... of a store's data", use_penalty(load_store), 110, 0);
    promise("... of a multiplication", use_penalty(load_product), 210, 0);
    promise("... of an addition, forwarded from a store", use_penalty(store_load), 210, 0);
    promise("bubbles of a predicted jump", bubbles(taken_jumps, ROUNDS * 33), 100, 0);
    promise("bubbles of a jump of 1024", bubbles(many_jumps, 1024), 310, 0);
    promise("bubbles of a taken branch of 1024", bubbles(many_branches, 4 * 1024), 350, 0);
    promise("bubbles of a call of 512, with its return", bubbles(many_calls, 512), 400, 0);
    promise("bubbles of a predicted taken branch", bubbles(taken_branches, ROUNDS * 33), 100, 0);
    promise("... that lies in two fetches", bubbles(taken_across, ROUNDS * 33), 200, 0);
    promise("bubbles a turn of a loop of two", bubbles(loop_of_two, TURNS), 100, 0);
    promise("bubbles a turn of a loop of three", bubbles(loop_of_three, TURNS), 100, 0);
    promise("bubbles of a predicted call or return", bubbles(true_returns, ROUNDS * 34), 100, 0);
    promise("bubbles of a predicted indirect jump", bubbles(steady_indirect, TURNS * 2), 100, 0);
    promise("cycles lost by a mispredicted branch",
            loss("of 4096 random branches", random_branches, steady_branches, 1024), 800, 0);
    promise("cycles lost by a mispredicted indirect jump",
            loss("indirect jumps", changing_indirect, steady_indirect, TURNS / 2), 800, 0);
    promise("cycles lost by a mispredicted return", loss("returns", false_returns, true_returns, ROUNDS * 8),
            800, 0);

    const uint64_t none = cold_round(no_miss, 0);
    const uint64_t one = cold_round(one_miss, 1) - none, two = cold_round(two_misses, 2) - none;
    const uint64_t division = cold_round(one_division, 0) - none;
    const uint64_t both = cold_round(miss_and_division, 1) - none;
    con_printf("(a miss takes %lu.%02lu cycles, a division %lu.%02lu)\n", one / 100, one % 100,
               division / 100, division % 100);
    promise("two independent misses, in times of one", two * 100 / one, 150, 0);
    promise("a division behind a miss, of the longer", both * 100 / (one > division ? one : division), 150,
            0);
    CHECK_EQ(broken, 0);
    pass();
}
