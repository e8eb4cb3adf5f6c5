// SPDX-License-Identifier: Apache-2.0
#include "run_window.h"

#include <errno.h>
#include <string.h>

void run_show_golden(struct run *run, unsigned hart) {
    struct sim_golden golden = {0};
    lockstep_view(run->lockstep, hart, &golden);
    run->sim->ops->show_golden(run->sim, hart, &golden);
}

bool run_open_waves(struct run *run) {
    if (!run->sim->ops->wave_open(run->sim, run->options.wave))
        return false;
    run->waving = true;
    for (unsigned h = 0; h < run->options.harts && run->lockstep; h++)
        run_show_golden(run, h);
    return true;
}

void run_unwritten(struct run *run, const char *path) {
    fprintf(stderr, "tally-sim: %s: not everything could be written\n", path);
    run->unwritten = true;
}

void run_close_waves(struct run *run) {
    if (!run->sim->ops->wave_close(run->sim))
        run_unwritten(run, run->options.wave);
}

void run_close_window(struct run *run) {
    run_close_waves(run);
    run->waving = false;
    run->waved = true;
}

struct condition *run_condition(struct run *run, unsigned watch) {
    static struct condition at_once = {.kind = CONDITION_CYCLE};
    struct condition *c = &run->stop;
    if (watch == WATCH_WINDOW) {
        if (!run->options.wave || run->options.wave_last || run->waved)
            return NULL;
        c = run->waving ? &run->to : &run->from;
        if (c->kind == CONDITION_NONE && !run->waving)
            return &at_once;
    }
    return c->kind == CONDITION_NONE ? NULL : c;
}

bool run_condition_holds(struct run *run, unsigned watch) {
    const struct condition *c = run_condition(run, watch);
    if (!c)
        return false;
    return c->kind == CONDITION_CYCLE ? run->sim->cycle >= c->value : run->met >> watch & 1;
}

bool run_move_window(struct run *run, struct error *error) {
    if (!run_condition_holds(run, WATCH_WINDOW))
        return true;
    if (!run->waving)
        return run_open_waves(run) || error_set(error, "%s: %s", run->options.wave, strerror(errno));
    run_close_window(run);
    return true;
}

unsigned run_flags(struct run *run) {
    unsigned flags = 0;
    if (run->waving)
        flags |= SIM_WAVE;
    if (run->trace || run->konata || run->stacks[0] || run->lockstep || run->options.crosses ||
        run->cycles[0] || run->sample_log)
        flags |= SIM_OBSERVE;
    if (run->options.crosses)
        flags |= SIM_CROSSES;
    if (run->lockstep || run->cycles[0] || run->konata || run->sample_log)
        flags |= SIM_PMU;
    run->sim->watch = 0;
    for (unsigned i = 0; i < WATCHES; i++) {
        const struct condition *c = run_condition(run, i);
        if (c && c->kind == CONDITION_PC) {
            flags |= SIM_WATCH;
            run->sim->watch |= 1u << i;
            run->sim->watch_pc[i] = c->value;
        }
    }
    return flags;
}
