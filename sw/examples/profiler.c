/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A program that profiles itself (docs/ebb.md): its own counter of cycles calls it, the handler notes the pc
 * of the cause, and at the end the program says where its time went, to the instruction. No kernel sees a
 * sample.
 */
#include <stddef.h>

#include "console.h"
#include "ebb.h"
#include "input.h"
#include "supervisor.h"

__attribute__((section(".rodata.set"))) const volatile uint64_t profiler_period = 2999; /* by --set */

enum { NODES = 512, ROUNDS = 8, SORTED = 128, COUNTERS = 0x8, LINES = 6 };

/* --- its work -------------------------------------------------------------------------------------- */

static struct node {
    struct node *next;
    uint64_t value, rest[6];
} nodes[NODES] __attribute__((aligned(64)));
static uint32_t numbers[SORTED];

/* A list through twice the cache: the first load of a node is where the time goes. */
uint64_t walk(const struct node *at, uint64_t hops);
extern const char walk_load[], walk_end[];
__asm__(".text\n.balign 4\n.globl walk\nwalk: li a2, 0\n"
        "walk_load: ld a3, 8(a0)\n add a2, a2, a3\n ld a0, 0(a0)\n addi a1, a1, -1\n bnez a1, walk_load\n"
        "walk_end: mv a0, a2\n ret");

__attribute__((noinline)) static uint64_t sort(void) {
    uint64_t sum = 0;

    for (unsigned i = 1; i < SORTED; i++)
        for (unsigned k = i; k > 0 && numbers[k - 1] > numbers[k]; k--) {
            const uint32_t one = numbers[k];

            numbers[k] = numbers[k - 1];
            numbers[k - 1] = one;
        }
    for (unsigned i = 0; i < SORTED; i++)
        sum = mix(sum, numbers[i]);
    return sum;
}

static uint64_t work(void) {
    uint64_t sum = 0, state = 2;

    for (unsigned round = 0; round < ROUNDS; round++) {
        for (unsigned i = 0; i < SORTED; i++)
            numbers[i] = input_next(&state);
        sum = mix(sum, sort());
        sum = mix(sum, walk(nodes, NODES));
    }
    return sum;
}

/* One list through all nodes, in random order (Sattolo) */
static void link_nodes(void) {
    uint64_t state = 1;

    for (unsigned i = 0; i < NODES; i++)
        nodes[i] = (struct node){.next = &nodes[i], .value = i};
    for (unsigned i = NODES - 1; i > 0; i--) {
        const unsigned other = input_next(&state) % i;
        struct node *const one = nodes[i].next;

        nodes[i].next = nodes[other].next;
        nodes[other].next = one;
    }
}

/* --- its own profile ------------------------------------------------------------------------------- */

EBB_PROGRAM(program);

/* Instructions of the program, by two bytes */
extern const char _start[];
enum { TEXT = 16384 };
static uint16_t histogram[TEXT / 2];
static uint64_t samples, elsewhere;

static void on_cycles(unsigned counter, uintptr_t pc) {
    const uintptr_t at = pc - (uintptr_t)_start;

    samples++;
    if (at < TEXT)
        histogram[at / 2]++;
    else
        elsewhere++;
    /* Never the same distance, so that no loop is in step with it */
    program.period[counter] = profiler_period + samples * 7919 % 64;
}

static uint64_t work_and_watch(void) {
    uint64_t sum;

    if (!ebb_open(&program, program_entry, on_cycles))
        return 0;
    ebb_attach(&program, TALLY_EV_CYCLES_HART, profiler_period);
    sum = work();
    ebb_close();
    return sum;
}

/* A table of the hottest; the very hottest pc */
static uintptr_t report(void) {
    uintptr_t first = 0;

    for (unsigned line = 0; line < LINES; line++) {
        unsigned most = 0;

        for (unsigned i = 1; i < TEXT / 2; i++)
            if (histogram[i] > histogram[most])
                most = i;
        if (!histogram[most])
            break;
        const uintptr_t pc = (uintptr_t)_start + 2 * most;

        first = first ? first : pc;
        con_printf("  %3lu.%lu %%  0x%lx%s\n", histogram[most] * 100ul / samples,
                   histogram[most] * 1000ul / samples % 10, pc,
                   pc == (uintptr_t)walk_load                          ? "  walk: the first load of a node"
                   : pc >= (uintptr_t)walk && pc < (uintptr_t)walk_end ? "  walk"
                                                                       : "");
        histogram[most] = 0;
    }
    return first;
}

static uint64_t timed(uint64_t (*function)(void), uint64_t *result) {
    const uint64_t begin = csr_read(cycle);

    *result = user_call(function);
    return csr_read(cycle) - begin;
}

int main(void) {
    uint64_t plain, watched, expected, result;

    if (!ebb_available()) {
        con_puts("profiler: no event-based branches (tally-sim --delegate 0x8 --ebb)\n");
        return 1;
    }
    link_nodes();
    timed(work, &expected);
    plain = timed(work, &expected);
    ebb_serve_calls(COUNTERS);
    watched = timed(work_and_watch, &result);
    con_printf("A program's own profile, by cycles: %lu samples, %lu not of it\n", samples, elsewhere);
    const uintptr_t hottest = report();
    con_printf("profiler: %lu cycles without, %lu with: %lu a sample, %ld permille more\n", plain, watched,
               (watched - plain) / (samples ? samples : 1), (int64_t)(watched * 1000 / plain) - 1000);
    if (result != expected || hottest != (uintptr_t)walk_load) {
        con_printf("profiler: result %lx, not %lx; hottest 0x%lx, not 0x%lx\n", result, expected, hottest,
                   (uintptr_t)walk_load);
        return 1;
    }
    return 0;
}
