// SPDX-License-Identifier: Apache-2.0
#include "run.h"

#include "ring.h"
#include "run_window.h"
#include "terminal.h"
#include "track_compare.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

enum {
    SLICE = 16384,       /* cycles between polls of keyboard, signals and clock */
    DRAIN = 64,          /* cycles after the end in which the UART empties */
    SETTLE_QUIET = 2000, /* lockstep, after the end: cycles without a store after which RAM is compared */
    SETTLE_LIMIT = 20000,
};

double run_seconds(const struct run *run) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)(now.tv_sec - run->start.tv_sec) + 1e-9 * (double)(now.tv_nsec - run->start.tv_nsec);
}

static uint64_t retired(const struct sim *sim) {
    uint64_t n = 0;
    for (unsigned i = 0; i < sim->harts; i++)
        n += sim->retired[i];
    return n;
}

uint64_t run_retired(const struct run *run) { return retired(run->sim); }

/* --- Checks in every cycle -------------------------------------------------------------------- */

/* `seen` is the machine in this cycle, for golden models and oracles: run->sim, or the copy of
 * run->relay's thread. */

static bool report(const struct sim *seen, unsigned hart, const char *wrong) {
    if (wrong)
        fprintf(stderr, "\ntally-sim: lockstep: cycle %" PRIu64 ", hart %u: %s\n", seen->cycle, hart, wrong);
    return !wrong;
}

/* The wires into the PMU, against their oracle */
static bool check_events(struct run *run, struct sim *seen, unsigned hart, const struct sim_probe *event,
                         const struct gp_in *pmu_in) {
    return report(seen, hart, oracle_cycle(run->oracle[hart], sim_oracle_in(seen, hart, event, pmu_in)));
}

/* The hart's reports of its tagged instruction; with --tags: may the next one be tagged? */
static bool check_track(struct run *run, struct sim *seen, unsigned hart, const struct sim_probe *event,
                        const struct gp_in *pmu_in) {
    struct track *track = run->track[hart];
    struct track_report should;
    uint64_t expected = 0, found = 0;
    const char *wrong = track_cycle(track, sim_track_in(seen, hart, event, pmu_in), &should);
    if (!wrong)
        wrong = track_compare(&should, &pmu_in->track, pmu_in->ev_retire[0], &expected, &found);
    if (wrong)
        fprintf(stderr,
                "\ntally-sim: lockstep: cycle %" PRIu64
                ", hart %u: tagged instruction: %s: expected 0x%" PRIx64 ", found 0x%" PRIx64 "\n",
                seen->cycle, hart, wrong, expected, found);
    if (run->options.tags) {
        run->dice ^= run->dice << 13;
        run->dice ^= run->dice >> 7;
        run->dice ^= run->dice << 17;
        seen->tag[hart] = track_idle(track) && run->dice % 8 == 0;
    }
    return !wrong;
}

/* The instruction to which each cycle is attributed */
static bool check_cycles(struct run *run, struct sim *seen, unsigned hart, const struct sim_probe *event,
                         const struct gp_in *pmu_in) {
    const struct oracle_in *in = sim_oracle_in(seen, hart, event, pmu_in);
    if (run->latency[hart])
        latency_cycle(run->latency[hart], sim_track_in(seen, hart, event, pmu_in));
    return report(
        seen, hart,
        cycles_cycle(run->cycles[hart], in, pmu_in, event ? event->ebb ? event->pc : event->epc : 0));
}

static bool check_models(struct run *run, struct sim *seen, unsigned hart, const struct sim_probe *event,
                         const struct gp_in *pmu_in, const struct gp_out *pmu_out) {
    const bool same = lockstep_cycle(run->lockstep, hart, event, pmu_in, pmu_out);
    if (run->sample_log)
        sample_log_overflows(run->sample_log, seen->cycle, hart, pmu_in,
                             lockstep_state(run->lockstep, hart).pmu_out);
    return same && check_events(run, seen, hart, event, pmu_in) &&
           check_track(run, seen, hart, event, pmu_in);
}

bool run_check(void *ctx, struct sim *seen, unsigned hart, const struct sim_probe *event,
               const struct gp_in *pmu_in, const struct gp_out *pmu_out) {
    struct run *run = ctx;
    return (!run->cycles[hart] || check_cycles(run, seen, hart, event, pmu_in)) &&
           check_models(run, seen, hart, event, pmu_in, pmu_out);
}

/* Observers that only record */
static void watch(struct run *run, unsigned hart, const struct sim_probe *event, const struct gp_in *pmu_in,
                  const struct gp_out *pmu_out) {
    if (event && run->trace)
        trace_event(run->trace, run->sim->cycle, hart, event);
    if (event && run->stacks[hart])
        stacks_event(run->stacks[hart], run->sim->cycle, event);
    if (run->konata)
        konata_cycle(run->konata, run->sim->cycle, hart, sim_track_in(run->sim, hart, event, pmu_in), event);
    if (run->sample_log)
        sample_log_cycle(run->sample_log, run->sim->cycle, hart, pmu_in, pmu_out);
    if (run->options.crosses) {
        const struct crosses_event what =
            event ? (struct crosses_event){event->retire, event->trap,    event->ebb,  event->cause,
                                           event->pc,     event->next_pc, event->insn, event->priv}
                  : (struct crosses_event){0};
        crosses_cycle(run->crosses[hart], &run->sim->crosses[hart], event ? &what : NULL);
    }
}

static bool differs(struct run *run) {
    run->mismatch = true;
    run->difference = run->sim->cycle + 1;
    return false;
}

bool run_observe(void *ctx, unsigned hart, const struct sim_probe *event, const struct gp_in *pmu_in,
                 const struct gp_out *pmu_out) {
    struct run *run = ctx;
    watch(run, hart, event, pmu_in, pmu_out);
    if (relay_runs(run->relay))
        return relay_put(run->relay, hart, event, pmu_in, pmu_out);
    if (run->cycles[hart] && !check_cycles(run, run->sim, hart, event, pmu_in))
        return differs(run);
    if (!run->lockstep)
        return true;
    const bool same = check_models(run, run->sim, hart, event, pmu_in, pmu_out) || differs(run);
    if (run->waving)
        run_show_golden(run, hart);
    if (same && run->debug)
        debug_cycle(run->debug, hart, event != NULL);
    if (same && run->capture && capture_cycle(run->capture, hart, event))
        run->sim->pause = true;
    return same;
}

/* --- The second thread ---------------------------------------------------------------------------- */

/* The models have seen all cycles, and are in line with the machine. False: they have found a difference, and
 * the run has ended there. */
static bool join_models(struct run *run) {
    if (!relay_runs(run->relay))
        return true;
    const struct sim *seen = relay_seen(run->relay);
    const bool same = relay_stop(run->relay);
    lockstep_follow(run->lockstep, run->sim);
    if (!same) {
        run->mismatch = true;
        run->difference = run->end_cycle = seen->cycle;
        run->end_retired = retired(seen);
    }
    return same;
}

/* ... and follow it on their thread, unless waves show them beside it. */
static void part_models(struct run *run) {
    if (run->relay && !relay_runs(run->relay) && !run->waving && relay_start(run->relay))
        lockstep_follow(run->lockstep, relay_seen(run->relay));
}

bool run_printed(void *ctx, uint8_t byte) {
    struct run *run = ctx;
    if (run->repeats)
        return false;
    terminal_put(byte);
    if (run->capture)
        capture_printed(run->capture, byte);
    for (unsigned i = 0; i < WATCHES; i++) {
        struct condition *c = run_condition(run, i);
        if (c && condition_printed(c, byte))
            run->met |= 1u << i;
    }
    return run->met;
}

/* --- A window of instructions -------------------------------------------------------------------- */

/* Instructions until the warm-up is over, or the window; UINT64_MAX: there is none. */
static uint64_t window_left(struct run *run) {
    const uint64_t done = run_retired(run) - run->before;
    const uint64_t mark = run->options.warm_up + (run->counting ? run->options.window : 0);
    if (run->counting && !run->options.window)
        return UINT64_MAX;
    return done < mark ? mark - done : 0;
}

/* True: the window has ended. */
static bool window_ends(struct run *run) {
    if (window_left(run))
        return false;
    if (run->counting)
        return true;
    run->counting = true;
    for (unsigned h = 0; h < run->options.harts && run->cycles[h]; h++)
        cycles_clear(run->cycles[h]);
    for (unsigned h = 0; h < run->options.harts && run->latency[h]; h++)
        latency_clear(run->latency[h]);
    return false;
}

/* --- The run ---------------------------------------------------------------------------------- */

/* A hart retires at most one instruction in a cycle, so no slice goes past the end of a window. */
static uint64_t slice_end(struct run *run) {
    uint64_t end = run->sim->cycle + SLICE;
    const uint64_t left = window_left(run) / run->options.harts;
    if (left < SLICE)
        end = run->sim->cycle + (left ? left : 1);
    for (unsigned i = 0; i < WATCHES; i++) {
        const struct condition *c = run_condition(run, i);
        if (c && c->kind == CONDITION_CYCLE && c->value > run->sim->cycle && c->value < end)
            end = c->value;
    }
    if (run->options.max_cycles && run->options.max_cycles < end)
        end = run->options.max_cycles;
    return end;
}

static void feed_uart(struct run *run) {
    struct sim *sim = run->sim;
    uint8_t bytes[sizeof sim->uart_rx];
    const unsigned room = (unsigned)(sizeof sim->uart_rx - sim->uart_rx_n), n = terminal_read(bytes, room);
    sim_uart_send(sim, bytes, n);
    if (run->ring)
        ring_console(run->ring, bytes, n);
}

static void show_progress(struct run *run) {
    char line[160];
    const double now = run_seconds(run);
    if (run->options.quiet || now < run->progress_at || !terminal_shows_progress())
        return;
    run->progress_at = now + 1;
    if (now < 2)
        return;
    snprintf(line, sizeof line, "tally-sim: %.1f Mcycles, %.1f Minstructions, %.0f s, %.0f kHz",
             (double)run->sim->cycle / 1e6, (double)run_retired(run) / 1e6, now,
             (double)run->sim->cycle / now / 1e3);
    terminal_progress(line);
}

static int guest_status(const struct sim *sim) {
    switch (sim->exit_kind) {
    case SIM_EXIT_PASS:
    case SIM_EXIT_RESET:
        return 0;
    case SIM_EXIT_FAIL:
        break;
    }
    if (sim->exit_code == 0)
        return 1; /* failed without a code */
    return sim->exit_code > 255 ? 255 : (int)sim->exit_code;
}

static void note_end(struct run *run) {
    run->end_cycle = run->sim->cycle;
    run->end_retired = run_retired(run);
}

/* The program has ended: empty the UART; with lockstep go on until stores have left, and compare RAM. */
static int finish(struct run *run) {
    struct sim *sim = run->sim;
    if (!join_models(run))
        return STATUS_LOCKSTEP;
    if (run->waving)
        run_close_window(run);
    run->waved = true; /* no further condition */
    run->stop.kind = CONDITION_NONE;
    const unsigned flags = run_flags(run) | SIM_PAST_EXIT;
    const uint64_t limit = sim->cycle + (run->lockstep ? SETTLE_LIMIT : DRAIN);
    note_end(run);
    sim->ops->run(sim, sim->cycle + DRAIN, flags);
    while (run->lockstep && !run->mismatch && sim->cycle < limit &&
           !lockstep_quiet(run->lockstep, SETTLE_QUIET))
        sim->ops->run(sim, sim->cycle + SETTLE_QUIET / 4, flags);
    if (run->mismatch)
        return STATUS_LOCKSTEP;
    if (run->lockstep && lockstep_quiet(run->lockstep, SETTLE_QUIET) && !lockstep_compare_ram(run->lockstep))
        return STATUS_LOCKSTEP;
    for (unsigned h = 0; h < run->options.harts && run->lockstep; h++) {
        const char *wrong = oracle_finish(run->oracle[h]);
        if (wrong) {
            fprintf(stderr, "tally-sim: lockstep: hart %u: %s\n", h, wrong);
            return STATUS_LOCKSTEP;
        }
    }
    return guest_status(sim);
}

/* Serve the debugger. True: the run ends with `status`. */
static bool debugger_ends(struct run *run, int *status) {
    terminal_flush();
    const bool ends = debug_turn(run->debug, run_flags(run));
    *status = run->mismatch ? STATUS_LOCKSTEP : STATUS_INTERRUPTED;
    if (!run->mismatch && !ends && debug_exited(run->debug))
        *status = finish(run);
    else if (run->mismatch || ends)
        note_end(run);
    return run->mismatch || ends || debug_exited(run->debug);
}

/* Is the models' state read now, or the process copied? Then they must be in step with the machine. */
static bool models_are_needed(struct run *run) {
    return run_condition_holds(run, WATCH_WINDOW) || !window_left(run) || (run->ring && ring_due(run->ring));
}

static int loop(struct run *run, struct error *error) {
    struct sim *sim = run->sim;
    int status;
    for (;;) {
        if (models_are_needed(run) && !join_models(run))
            return STATUS_LOCKSTEP;
        if (!run_move_window(run, error)) {
            note_end(run);
            return STATUS_USAGE;
        }
        if (window_ends(run) || run_condition_holds(run, WATCH_STOP)) {
            note_end(run);
            return 0;
        }
        run->met = 0;
        if (run->ring)
            ring_point(run->ring);
        part_models(run);
        enum sim_stop stop = sim->ops->run(sim, slice_end(run), run_flags(run));
        if (stop == SIM_PAUSED && run->capture &&
            !capture_write(run->capture, run_flags(run), &stop, error)) {
            note_end(run);
            return STATUS_USAGE;
        }
        if (stop == SIM_EXIT)
            return finish(run);
        if (stop == SIM_OBSERVER) {
            note_end(run);
            return STATUS_LOCKSTEP;
        }
        if (stop == SIM_PAUSED && debugger_ends(run, &status))
            return status;
        if (stop == SIM_WATCHED)
            run->met = sim->watched;
        if (stop == SIM_WATCHED || stop == SIM_PRINTED || stop == SIM_PAUSED)
            continue;
        if (run->debug)
            debug_poll(run->debug);
        feed_uart(run);
        terminal_flush();
        show_progress(run);
        if (terminal_interrupted() || (run->options.max_cycles && sim->cycle >= run->options.max_cycles)) {
            note_end(run);
            return terminal_interrupted() ? STATUS_INTERRUPTED : STATUS_MAX_CYCLES;
        }
    }
}

int run_loop(struct run *run, struct error *error) {
    const int status = loop(run, error);
    return join_models(run) ? status : STATUS_LOCKSTEP;
}
