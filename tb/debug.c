// SPDX-License-Identifier: Apache-2.0
#include "debug.h"

#include "terminal.h"

static uint64_t cycle(void *ctx) {
    const struct sim *sim = ctx;
    return sim->cycle;
}

struct gdb *debug_open(struct sim *sim, const struct machine *machine, struct lockstep *lockstep,
                       const char *address, struct error *error) {
    struct gdb_machine m = {.harts = sim->harts,
                            .ram_size = machine->memory.size,
                            .rom = machine->rom,
                            .ctx = sim,
                            .quit = terminal_interrupted,
                            .cycle = cycle};
    for (unsigned h = 0; h < m.harts; h++) {
        const struct lockstep_state state = lockstep_state(lockstep, h);
        m.hart[h] = state.hart;
        m.pmu[h] = state.pmu;
        m.ram = state.ram;
    }
    return gdb_new(address, &m, error);
}
