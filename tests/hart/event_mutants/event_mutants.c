// SPDX-License-Identifier: Apache-2.0
/*
 * Mutants of the event wires: which does the oracle catch?
 *
 *     event_mutants PROGRAM...
 *
 * Runs the programs on the machine with one hart, once, and beside it one oracle (tb/oracle.h) a mutant: it
 * has the inputs of the harness's oracle, but with one wire between hart and PMU stuck, inverted, or
 * silent once in 16. The golden PMU takes the wires as inputs, so only the oracle can catch a wrong one.
 * A mutant dies when its oracle objects, in a cycle or at the end of a program. Where a wire only repeats
 * an output of the memory unit or the front end, the oracle compares the two; the outputs themselves are
 * checked by their unit tests, which have mutants of their own (--mutants).
 *
 * Exit status 0 if every mutant died.
 */
#include "machine.h"
#include "sim.h"
#include "tally_spec.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum { WIRES = TALLY_EVR_N + TALLY_EVC_N, MUTANTS = WIRES * 4, MAX_CYCLES = 40000000, SETTLE = 2000 };

enum kind { STUCK_0, STUCK_1, INVERTED, SPARSE, KINDS };
static const char *const kinds[KINDS] = {"stuck at 0", "stuck at 1", "inverted", "1 of 16 lost"};

static const char *const retire_names[] = TALLY_EVR_NAMES;
static const char *const cycle_names[] = TALLY_EVC_NAMES;

struct mutant {
    unsigned wire; /* retire wires, then cycle wires */
    enum kind kind;
    unsigned events; /* seen on the wire */
    struct oracle *oracle;
    const char *killer; /* program, or NULL: alive */
};

extern const struct sim_ops sim_ops_1; /* the machine with one hart */

static struct mutant mutants[MUTANTS + 1]; /* the last one changes nothing and must live */
static const char *program;
static struct sim *machine;

static const char *wire_name(unsigned wire) {
    return wire < TALLY_EVR_N ? retire_names[wire] : cycle_names[wire - TALLY_EVR_N];
}

static uint64_t mutated(struct mutant *m, uint64_t wires, unsigned bit) {
    uint64_t mask = UINT64_C(1) << bit;

    if (m == &mutants[MUTANTS])
        return wires;
    switch (m->kind) {
    case STUCK_0:
        return wires & ~mask;
    case STUCK_1:
        return wires | mask;
    case INVERTED:
        return wires ^ mask;
    default:
        return wires & mask && m->events++ % 16 == 0 ? wires & ~mask : wires;
    }
}

static bool observe(void *ctx, unsigned hart, const struct sim_probe *event, const struct gp_in *pmu_in,
                    const struct gp_out *pmu_out) {
    const struct oracle_in in = *sim_oracle_in(machine, hart, event, pmu_in);

    (void)ctx;
    (void)pmu_out;
    for (unsigned k = 0; k <= MUTANTS; k++) {
        struct mutant *m = &mutants[k];
        struct oracle_in seen = in;
        if (m->killer)
            continue;
        if (m->wire < TALLY_EVR_N)
            seen.ev_retire = mutated(m, in.ev_retire, m->wire);
        else
            seen.ev_cycle = mutated(m, in.ev_cycle, m->wire - TALLY_EVR_N);
        const char *wrong = oracle_cycle(m->oracle, &seen);
        if (!wrong)
            continue;
        m->killer = program;
        if (m == &mutants[MUTANTS])
            printf("cycle %" PRIu64 ": %s\n", machine->cycle, wrong);
    }
    return true;
}

/* One program to its end, with new oracles for the mutants that live. */
static bool run(char *path) {
    char *const argv[] = {"event_mutants", "-bios", path};
    struct options options;
    static struct machine m;
    struct error error = {""};
    const struct sim_ops *ops = &sim_ops_1;

    if (!options_parse(&options, 3, argv, &error) || !machine_load(&m, &options, ops->time_ratio, &error)) {
        fprintf(stderr, "event_mutants: %s\n", error.text);
        return false;
    }
    const struct sim config = {
        .ram = m.memory.bytes, .ram_size = m.memory.size, .rom = m.rom, .observer = {NULL, observe}};
    machine = ops->create(&config);
    program = path;
    for (unsigned k = 0; k <= MUTANTS; k++)
        if (!mutants[k].killer)
            mutants[k].oracle = oracle_new(SOC_RAM_BASE, m.memory.size);
    bool ended = machine && ops->run(machine, MAX_CYCLES, SIM_OBSERVE | SIM_PMU) == SIM_EXIT;
    if (ended)
        ops->run(machine, machine->cycle + SETTLE, SIM_OBSERVE | SIM_PMU | SIM_PAST_EXIT);
    for (unsigned k = 0; k <= MUTANTS; k++) {
        if (!mutants[k].killer && oracle_finish(mutants[k].oracle))
            mutants[k].killer = program;
        oracle_free(mutants[k].oracle);
        mutants[k].oracle = NULL;
    }
    if (!ended)
        fprintf(stderr, "event_mutants: %s did not end\n", path);
    if (machine)
        ops->destroy(machine);
    machine_free(&m);
    return ended;
}

static unsigned report(void) {
    unsigned alive = 0;

    for (unsigned k = 0; k < MUTANTS; k++)
        if (!mutants[k].killer) {
            alive++;
            printf("alive: %s%s %s\n", mutants[k].wire < TALLY_EVR_N ? "ev_retire " : "ev_cycle ",
                   wire_name(mutants[k].wire), kinds[mutants[k].kind]);
        }
    printf("event_mutants: %u of %u mutants of %u wires killed\n", MUTANTS - alive, MUTANTS, WIRES);
    return alive;
}

int main(int argc, char **argv) {
    for (unsigned k = 0; k < MUTANTS; k++)
        mutants[k] = (struct mutant){.wire = k / KINDS, .kind = k % KINDS};
    for (int i = 1; i < argc; i++)
        if (!run(argv[i]))
            return 2;
    if (mutants[MUTANTS].killer) {
        printf("event_mutants: the oracle objects to wires that are right, in %s\n", mutants[MUTANTS].killer);
        return 1;
    }
    return report() ? 1 : 0;
}
