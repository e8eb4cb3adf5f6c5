// SPDX-License-Identifier: Apache-2.0
/*
 * Mutants of the hart's reports of a tagged instruction: which does tb/track.c catch?
 *
 *     track_mutants PROGRAM...
 *
 * Runs the programs on the machine with one hart, with instructions tagged at random, and compares in each
 * cycle the expected reports with the actual ones, for each bit of each trk_* wire stuck, inverted, or
 * delayed by a cycle. The golden PMU takes the wires as inputs, so only this can catch a wrong one. Bits that
 * are always 0 in this hart have no mutants that keep them 0.
 *
 * Exit status 0 if at least 99 % died; those alive are named.
 */
#include "machine.h"
#include "sim.h"
#include "tally_spec.h"
#include "track_compare.h"

#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

enum { MAX_CYCLES = 40000000, ENOUGH = 99 /* percent */ };

enum kind { STUCK_0, STUCK_1, INVERTED, LATE, KINDS };
static const char *const kinds[KINDS] = {"stuck at 0", "stuck at 1", "inverted", "a cycle late"};

/* X(field, bits, bits that are always 0) */
#define WIRES(X)                                                                                             \
    X(dispatched, 1, 0)                                                                                      \
    X(issued, 1, 0)                                                                                          \
    X(completed, 1, 0)                                                                                       \
    X(oldest, 1, 0)                                                                                          \
    X(retired, 1, 0)                                                                                         \
    X(trapped, 1, 0)                                                                                         \
    X(flushed, 1, 0)                                                                                         \
    X(flush_why, 2, 2)                                                                                       \
    X(flush_pc, 64, 1)                                                                                       \
    X(itype, 4, 0)                                                                                           \
    X(mispred, 1, 0)                                                                                         \
    X(itmiss, 1, 0)                                                                                          \
    X(icmiss, 1, 0)                                                                                          \
    X(l1miss, 1, 0)                                                                                          \
    X(llmiss, 1, 1)                                                                                          \
    X(l1tlbmiss, 1, 0)                                                                                       \
    X(lltlbmiss, 1, 0)                                                                                       \
    X(dsrc, 4, 8)                                                                                            \
    X(ev, TALLY_EVR_N, 0)                                                                                    \
    X(vaddr, 64, 0)                                                                                          \
    X(paddr, 64, UINT64_C(0xFF) << 56)                                                                       \
    X(target, 64, 1)

static const struct wire {
    const char *name;
    size_t offset, size;
    unsigned bits;
    uint64_t zero;
} wires[] = {
#define WIRE(field, bits, zero)                                                                              \
    {"trk_" #field, offsetof(struct gp_track, field), sizeof(((struct gp_track *)0)->field), bits, zero},
    WIRES(WIRE)};

enum { MUTANTS_MAX = 2048 };

static struct mutant {
    const struct wire *wire;
    unsigned bit;
    enum kind kind;
    bool dead;
} mutants[MUTANTS_MAX];
static unsigned made, alive;

extern const struct sim_ops sim_ops_1; /* the machine with one hart */

static struct sim *machine;
static struct track *track;
static struct gp_track before; /* the reports of the cycle before */
static const char *objection;  /* to reports that are right */
static uint64_t dice = 1;

static uint64_t value_of(const struct gp_track *k, const struct wire *w) {
    uint64_t value = 0;

    memcpy(&value, (const char *)k + w->offset, w->size);
    return value;
}

static struct gp_track mutated(const struct mutant *m, const struct gp_track *is) {
    struct gp_track seen = *is;
    uint64_t mask = UINT64_C(1) << m->bit, value = value_of(is, m->wire);

    switch (m->kind) {
    case STUCK_0:
        value &= ~mask;
        break;
    case STUCK_1:
        value |= mask;
        break;
    case INVERTED:
        value ^= mask;
        break;
    default:
        value = (value & ~mask) | (value_of(&before, m->wire) & mask);
        break;
    }
    memcpy((char *)&seen + m->wire->offset, &value, m->wire->size);
    return seen;
}

static bool observe(void *ctx, unsigned hart, const struct sim_probe *event, const struct gp_in *pmu_in,
                    const struct gp_out *pmu_out) {
    const struct gp_track *is = &pmu_in->track;
    struct track_report should;
    uint64_t expected, found;

    (void)ctx;
    (void)pmu_out;
    const char *wrong = track_cycle(track, sim_track_in(machine, hart, event, pmu_in), &should);
    if (!wrong)
        wrong = track_compare(&should, is, pmu_in->ev_retire[0], &expected, &found);
    if (wrong) {
        printf("cycle %" PRIu64 ": %s\n", machine->cycle, wrong);
        objection = wrong;
        return false;
    }
    bool ends = should.retired || should.trapped || should.flushed;
    for (unsigned k = 0; k < made; k++) {
        struct mutant *m = &mutants[k];
        if (m->dead || (!ends && m->wire->offset > offsetof(struct gp_track, flushed)))
            continue;
        struct gp_track seen = mutated(m, is);
        if (track_compare(&should, &seen, pmu_in->ev_retire[0], &expected, &found)) {
            m->dead = true;
            alive--;
        }
    }
    before = *is;
    dice ^= dice << 13;
    dice ^= dice >> 7;
    dice ^= dice << 17;
    machine->tag[hart] = track_idle(track) && dice % 4 == 0;
    return true;
}

static bool run(char *path) {
    char *const argv[] = {"track_mutants", "-bios", path};
    struct options options;
    static struct machine m;
    struct error error = {""};
    const struct sim_ops *ops = &sim_ops_1;

    if (!options_parse(&options, 3, argv, &error) || !machine_load(&m, &options, ops->time_ratio, &error)) {
        fprintf(stderr, "track_mutants: %s\n", error.text);
        return false;
    }
    const struct sim config = {
        .ram = m.memory.bytes, .ram_size = m.memory.size, .rom = m.rom, .observer = {NULL, observe}};
    machine = ops->create(&config);
    track = track_new(SOC_RAM_BASE, m.memory.size);
    bool ended = machine && track && ops->run(machine, MAX_CYCLES, SIM_OBSERVE | SIM_PMU) == SIM_EXIT;
    if (!ended)
        fprintf(stderr, "track_mutants: %s did not end\n", path);
    track_free(track);
    if (machine)
        ops->destroy(machine);
    machine_free(&m);
    return ended;
}

static void make(void) {
    for (size_t w = 0; w < sizeof wires / sizeof *wires; w++)
        for (unsigned bit = 0; bit < wires[w].bits; bit++)
            for (unsigned kind = 0; kind < KINDS; kind++)
                if (!(wires[w].zero >> bit & 1) || kind == STUCK_1 || kind == INVERTED)
                    mutants[made++] = (struct mutant){.wire = &wires[w], .bit = bit, .kind = (enum kind)kind};
    alive = made;
}

int main(int argc, char **argv) {
    make();
    for (int i = 1; i < argc; i++)
        if (!run(argv[i])) {
            if (objection)
                printf("track_mutants: tb/track.c objects to reports that are right, in %s\n", argv[i]);
            return 2;
        }
    for (unsigned k = 0; k < made; k++)
        if (!mutants[k].dead)
            printf("alive: %s[%u] %s\n", mutants[k].wire->name, mutants[k].bit, kinds[mutants[k].kind]);
    printf("track_mutants: %u of %u mutants killed\n", made - alive, made);
    return (made - alive) * 100 >= made * ENOUGH ? 0 : 1;
}
