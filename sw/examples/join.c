/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A join of two tables by nested loops, blocked for the cache, that finds its own blocking factor
 * (docs/ebb.md). `factor` rows of the outer table are compared with every row of the inner one, then the next
 * `factor` rows. The larger the factor, the fewer times an inner row is read and its key computed; too large,
 * and the block leaves the cache. Where that begins depends on the rows of both tables and on the cache.
 * Fixed factors are measured first; then the program adapts its own: its counter of cache misses calls it,
 * without the kernel. Six pairs of tables, whose sizes, keys and order `join_seed` decides: three with
 * narrow rows, and keys that take long to compute, three with wide rows.
 */
#include <stddef.h>

#include "console.h"
#include "ebb.h"
#include "input.h"
#include "supervisor.h"

__attribute__((section(".rodata.set"))) const volatile uint64_t join_seed = 1; /* by --set */

enum { JOBS = 6, ROWS = 112, FEWER = 24, KEYS = 64, LINE = 64, STRIDE = 4096, ATTACHED = 0x8 };

static struct job {
    unsigned outer, inner; /* rows */
    unsigned rounds;       /* of the computation of an inner row's key */
    size_t outer_stride, inner_stride;
} jobs[JOBS];
static const struct job *job;
static char outer_table[(ROWS + 1) * STRIDE] __attribute__((aligned(4096), section(".noinit")));
static char inner_table[ROWS * STRIDE] __attribute__((aligned(4096), section(".noinit")));

/* --- the join -------------------------------------------------------------------------------------- */

/* In other sets of the cache than the program's own variables, which begin a page too */
static char *outer_row(unsigned row) { return outer_table + STRIDE / 2 + row * job->outer_stride; }

static uint64_t inner_key(unsigned row) {
    uint64_t key = *(const uint64_t *)(const void *)(inner_table + row * job->inner_stride);

    for (unsigned round = 0; round < job->rounds; round++)
        key = mix(key, round);
    return key % KEYS;
}

/* Rows from `row` up to `end` that have this key */
__attribute__((noinline)) static uint64_t matches(const char *row, const char *end, size_t stride,
                                                  uint64_t key) {
    uint64_t n = 0;

    for (; row != end; row += stride)
        n += *(const uint64_t *)(const void *)row == key;
    return n;
}

static unsigned factor;

static uint64_t join_fixed(void) {
    uint64_t found = 0;

    for (unsigned begin = 0; begin < job->outer; begin += factor) {
        const unsigned end = begin + factor < job->outer ? begin + factor : job->outer;

        for (unsigned i = 0; i < job->inner; i++)
            found += matches(outer_row(begin), outer_row(end), job->outer_stride, inner_key(i));
    }
    return found;
}

/* --- the factor that adapts ------------------------------------------------------------------------ */

enum {
    FIRST = 8,   /* rows of the first block */
    LEAST = 4,   /* ... and of the smallest */
    SLACK = 32,  /* misses of other data */
    SOONEST = 16 /* misses to the next event */
};

#define NEVER (1ull << 40) /* misses */

EBB_PROGRAM(program);

/* The block under way. The handler may make it smaller; the rest of its rows waits in `pieces`. */
static struct {
    volatile unsigned begin, end;
    volatile unsigned steps;   /* rows of the inner table */
    volatile int64_t misses;   /* up to the last event */
    volatile unsigned cuts;    /* all in all */
    volatile unsigned ceiling; /* of the factor */
    unsigned counter;
} block;

/* A block that stays in the cache misses once for each of its rows, and once for each row of the inner table.
 * With two misses a row of the inner table half of the block is better. Until then the next event is due when
 * that many may have come: the longer all is well, the rarer events are. */
static void on_misses(unsigned counter, uintptr_t pc) {
    const unsigned rows = block.end - block.begin;
    const int64_t allowed = rows + SLACK + 2 * (int64_t)block.steps;
    int64_t left;

    (void)pc;
    block.misses += (int64_t)program.period[counter];
    left = allowed - block.misses;
    if (left <= 0 && rows > LEAST) {
        block.end = block.begin + rows / 2;
        block.ceiling = rows * 3 / 4;
        block.cuts++;
    }
    if (block.end - block.begin <= LEAST)
        program.period[counter] = NEVER;
    else
        program.period[counter] = left > SOONEST ? (uint64_t)left : SOONEST;
}

/* The block's counting begins, with these rows. */
static void watch(unsigned begin, unsigned end) {
    const uint64_t period = end - begin + SLACK;

    block.steps = 0;
    block.begin = begin;
    block.end = end;
    program.period[block.counter] = period;
    ebb_write(block.counter, 0 - period);
    block.misses = 0;
}

/* Rows of the outer table that have been compared with all before `step` of the inner one */
struct piece {
    unsigned from, to, step;
};
static struct piece pieces[16];
static unsigned pieces_n;

static uint64_t join_block(unsigned begin, unsigned end, unsigned step) {
    uint64_t found = 0;

    watch(begin, end);
    for (unsigned i = step; i < job->inner; i++) {
        if (block.end != end && pieces_n < sizeof pieces / sizeof *pieces) {
            pieces[pieces_n++] = (struct piece){block.end, end, i};
            end = block.end;
            watch(begin, end);
        }
        block.steps++;
        found += matches(outer_row(begin), outer_row(end), job->outer_stride, inner_key(i));
    }
    return found;
}

static uint64_t join_adapting(void) {
    uint64_t found = 0;
    unsigned rows = FIRST;

    if (!ebb_open(&program, program_entry, on_misses))
        return ~0ull;
    block.counter = ebb_attach(&program, TALLY_EV_CACHE_L1D_RD_MISS_RET, ROWS);
    block.ceiling = ROWS;
    pieces[0] = (struct piece){0, job->outer, 0};
    pieces_n = 1;
    while (pieces_n) {
        struct piece p = pieces[--pieces_n];

        while (p.from < p.to) {
            const unsigned cuts = block.cuts, end = p.from + rows < p.to ? p.from + rows : p.to;

            found += join_block(p.from, end, p.step);
            if (block.cuts != cuts)
                rows = block.end - block.begin;
            else if (rows < block.ceiling)
                rows = 2 * rows < block.ceiling ? 2 * rows : block.ceiling;
            p.from = end;
        }
    }
    ebb_close();
    return found;
}

/* --- measurements ---------------------------------------------------------------------------------- */

static void draw(uint64_t *state) {
    for (unsigned i = 0; i < JOBS; i++) {
        const bool wide = i % 2;
        const unsigned log = wide ? 5 + input_next(state) % 2 : input_next(state) % 3;

        jobs[i] = (struct job){.outer = ROWS - input_next(state) % FEWER,
                               .inner = ROWS - input_next(state) % FEWER,
                               .rounds = wide ? 0 : 12 + input_next(state) % 12,
                               .outer_stride = (size_t)LINE << log,
                               .inner_stride = LINE * (1 + (size_t)input_next(state) % 24)};
    }
    for (unsigned i = JOBS - 1; i > 0; i--) {
        const unsigned other = input_next(state) % (i + 1);
        const struct job one = jobs[i];

        jobs[i] = jobs[other];
        jobs[other] = one;
    }
}

/* Fills both tables. The number of pairs with the same key, by their frequencies */
static uint64_t fill(uint64_t seed) {
    uint64_t state = seed, expected = 0;
    unsigned frequency[KEYS] = {0};

    for (unsigned i = 0; i < job->outer; i++) {
        const uint64_t key = input_next(&state) % KEYS;

        *(uint64_t *)(void *)outer_row(i) = key;
        frequency[key]++;
    }
    for (unsigned i = 0; i < job->inner; i++) {
        *(uint64_t *)(void *)(inner_table + i * job->inner_stride) = input_next(&state);
        expected += frequency[inner_key(i)];
    }
    return expected;
}

/* Cycles of all jobs; 0: a result was wrong. Stops when they are more than `limit`: it is beaten. */
static uint64_t all_jobs(uint64_t (*join)(void), uint64_t limit) {
    uint64_t cycles = 0;

    for (unsigned i = 0; i < JOBS && cycles <= limit; i++) {
        uint64_t expected, begin, found;

        job = &jobs[i];
        expected = fill(join_seed * JOBS + i);
        begin = csr_read(cycle);
        found = user_call(join);
        cycles += csr_read(cycle) - begin;
        if (found != expected) {
            con_printf("join: %lu pairs, not %lu\n", found, expected);
            return 0;
        }
    }
    return cycles;
}

int main(void) {
    static const unsigned factors[] = {8, 64, 4, 16, 6, 32, 3, 12};
    uint64_t state = join_seed, best = ~0ull, cycles;
    unsigned best_factor = 0;

    if (!ebb_available()) {
        con_puts("join: no event-based branches (tally-sim --delegate 0x8 --ebb)\n");
        return 1;
    }
    draw(&state);
    con_puts("Nested-loop join, rows of the outer table in a block (its factor), cycles for six pairs of "
             "tables:\n");
    for (unsigned i = 0; i < sizeof factors / sizeof *factors; i++) {
        factor = factors[i];
        cycles = all_jobs(join_fixed, best);
        if (!cycles)
            return 1;
        con_printf("  factor %2u: %s%lu\n", factor, cycles > best ? "more than " : "",
                   cycles > best ? best : cycles);
        if (cycles < best) {
            best = cycles;
            best_factor = factor;
        }
    }
    ebb_serve_calls(ATTACHED);
    cycles = all_jobs(join_adapting, ~0ull);
    if (!cycles)
        return 1;
    con_printf("  by its own misses: %lu, %lu branches, %u times smaller\n", cycles, program.branches,
               block.cuts);
    con_printf("join: seed %lu: %lu cycles, %lu with the best fixed factor, %u: %ld permille less\n",
               join_seed, cycles, best, best_factor, 1000 - (int64_t)(cycles * 1000 / best));
    return 0;
}
