// SPDX-License-Identifier: Apache-2.0
/* tally-sim: runs programs on the Verilated machine. */
#include "condition.h"
#include "cycles.h"
#include "debug.h"
#include "konata.h"
#include "lockstep.h"
#include "machine.h"
#include "options.h"
#include "program.h"
#include "sample_file.h"
#include "sim.h"
#include "stacks.h"
#include "terminal.h"
#include "trace.h"
#include "track_compare.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum status { STATUS_USAGE = 2, STATUS_LOCKSTEP = 3, STATUS_MAX_CYCLES = 4, STATUS_INTERRUPTED = 130 };

enum { WATCH_WINDOW, WATCH_STOP, WATCHES }; /* conditions: indices of sim.watch_pc */

enum {
    SLICE = 16384,       /* cycles between polls of keyboard, signals and clock */
    DRAIN = 64,          /* cycles after the end in which the UART empties */
    SETTLE_QUIET = 2000, /* lockstep, after the end: cycles without a store after which RAM is compared */
    SETTLE_LIMIT = 20000,
};

struct run {
    struct options options;
    struct machine machine;
    struct host_device *host;
    struct sim *sim;
    struct lockstep *lockstep;
    struct oracle *oracle[SOC_HARTS_MAX]; /* of the event wires, with lockstep */
    struct crosses *crosses[SOC_HARTS_MAX];
    struct track *track[SOC_HARTS_MAX];   /* of the tagged instruction, with lockstep */
    struct cycles *cycles[SOC_HARTS_MAX]; /* attribution of cycles; with lockstep, if it can sample */
    FILE *stream, *interrupts;
    uint64_t dice; /* xorshift: whether to tag */
    struct trace *trace;
    struct konata *konata;
    struct stacks *stacks[SOC_HARTS_MAX];
    struct debug *debug;
    struct condition from, to, stop; /* of the wave window; the end of the run */
    unsigned met; /* bit WATCH_x: the condition holds: its pc retires in this cycle, its text is printed */
    bool waving, waved; /* the window is open; was closed */
    bool mismatch;
    struct timespec start;
    double progress_at;              /* seconds since start */
    uint64_t end_cycle, end_retired; /* when the program ended */
};

static double seconds_since(const struct timespec *start) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)(now.tv_sec - start->tv_sec) + 1e-9 * (double)(now.tv_nsec - start->tv_nsec);
}

static uint64_t retired(const struct sim *sim) {
    uint64_t n = 0;
    for (unsigned i = 0; i < sim->harts; i++)
        n += sim->retired[i];
    return n;
}

/* --- Checks in every cycle -------------------------------------------------------------------- */

/* The wires into the PMU, against their oracle */
static bool check_events(struct run *run, unsigned hart, const struct sim_probe *event,
                         const struct gp_in *pmu_in) {
    const struct oracle_in *in = sim_oracle_in(run->sim, hart, event, pmu_in);
    const char *wrong = oracle_cycle(run->oracle[hart], in);
    if (wrong)
        fprintf(stderr, "\ntally-sim: lockstep: cycle %" PRIu64 ", hart %u: %s\n", run->sim->cycle, hart,
                wrong);
    return !wrong;
}

/* The hart's reports of its tagged instruction; may the next one be tagged? */
static bool check_track(struct run *run, unsigned hart, const struct sim_probe *event,
                        const struct gp_in *pmu_in) {
    struct track *track = run->track[hart];
    struct track_report should;
    uint64_t expected = 0, found = 0;
    const char *wrong = track_cycle(track, sim_track_in(run->sim, hart, event, pmu_in), &should);
    if (!wrong)
        wrong = track_compare(&should, &pmu_in->track, pmu_in->ev_retire[0], &expected, &found);
    if (wrong)
        fprintf(stderr,
                "\ntally-sim: lockstep: cycle %" PRIu64
                ", hart %u: tagged instruction: %s: expected 0x%" PRIx64 ", found 0x%" PRIx64 "\n",
                run->sim->cycle, hart, wrong, expected, found);
    run->dice ^= run->dice << 13;
    run->dice ^= run->dice >> 7;
    run->dice ^= run->dice << 17;
    run->sim->tag[hart] = run->options.tags && track_idle(track) && run->dice % 8 == 0;
    return !wrong;
}

/* The instruction to which each cycle is attributed */
static bool check_cycles(struct run *run, unsigned hart, const struct sim_probe *event,
                         const struct gp_in *pmu_in) {
    const struct oracle_in *in = sim_oracle_in(run->sim, hart, event, pmu_in);
    const char *wrong =
        cycles_cycle(run->cycles[hart], in, pmu_in, event ? event->ebb ? event->pc : event->epc : 0);
    if (wrong)
        fprintf(stderr, "\ntally-sim: lockstep: cycle %" PRIu64 ", hart %u: %s\n", run->sim->cycle, hart,
                wrong);
    return !wrong;
}

static void show_golden(struct run *run, unsigned hart) {
    struct sim_golden golden = {0};
    lockstep_view(run->lockstep, hart, &golden);
    run->sim->ops->show_golden(run->sim, hart, &golden);
}

static bool observe(void *ctx, unsigned hart, const struct sim_probe *event, const struct gp_in *pmu_in,
                    const struct gp_out *pmu_out) {
    struct run *run = ctx;
    if (event && run->trace)
        trace_event(run->trace, run->sim->cycle, hart, event);
    if (event && run->stacks[hart])
        stacks_event(run->stacks[hart], run->sim->cycle, event);
    if (run->konata)
        konata_cycle(run->konata, run->sim->cycle, hart, sim_track_in(run->sim, hart, event, pmu_in), event);
    if (run->options.crosses) {
        const struct crosses_event what =
            event ? (struct crosses_event){event->retire, event->trap,    event->ebb,  event->cause,
                                           event->pc,     event->next_pc, event->insn, event->priv}
                  : (struct crosses_event){0};
        crosses_cycle(run->crosses[hart], &run->sim->crosses[hart], event ? &what : NULL);
    }
    if (run->cycles[hart] && !check_cycles(run, hart, event, pmu_in)) {
        run->mismatch = true;
        return false;
    }
    if (!run->lockstep)
        return true;
    const bool same = lockstep_cycle(run->lockstep, hart, event, pmu_in, pmu_out) &&
                      check_events(run, hart, event, pmu_in) && check_track(run, hart, event, pmu_in);
    if (!same)
        run->mismatch = true;
    if (run->waving)
        show_golden(run, hart);
    if (same && run->debug)
        debug_cycle(run->debug, hart, event != NULL);
    return same;
}

/* --- Waves ------------------------------------------------------------------------------------ */

static bool open_window(struct run *run, struct error *error) {
    if (!run->sim->ops->wave_open(run->sim, run->options.wave))
        return error_set(error, "%s: cannot be written", run->options.wave);
    run->waving = true;
    for (unsigned h = 0; h < run->options.harts && run->lockstep; h++)
        show_golden(run, h);
    return true;
}

static void close_window(struct run *run) {
    run->sim->ops->wave_close(run->sim);
    run->waving = false;
    run->waved = true;
}

/* The next condition; NULL: none. */
static struct condition *pending(struct run *run, unsigned watch) {
    static struct condition at_once = {.kind = CONDITION_CYCLE};
    struct condition *c = &run->stop;
    if (watch == WATCH_WINDOW) {
        if (!run->options.wave || run->waved)
            return NULL;
        c = run->waving ? &run->to : &run->from;
        if (c->kind == CONDITION_NONE && !run->waving)
            return &at_once;
    }
    return c->kind == CONDITION_NONE ? NULL : c;
}

static bool has_come(struct run *run, unsigned watch) {
    const struct condition *c = pending(run, watch);
    if (!c)
        return false;
    return c->kind == CONDITION_CYCLE ? run->sim->cycle >= c->value : run->met >> watch & 1;
}

static bool move_window(struct run *run, struct error *error) {
    if (!has_come(run, WATCH_WINDOW))
        return true;
    if (!run->waving)
        return open_window(run, error);
    close_window(run);
    return true;
}

static bool printed(void *ctx, uint8_t byte) {
    struct run *run = ctx;
    terminal_put(byte);
    for (unsigned i = 0; i < WATCHES; i++) {
        struct condition *c = pending(run, i);
        if (c && condition_printed(c, byte))
            run->met |= 1u << i;
    }
    return run->met;
}

/* --- The run ---------------------------------------------------------------------------------- */

static uint64_t slice_end(struct run *run) {
    uint64_t end = run->sim->cycle + SLICE;
    for (unsigned i = 0; i < WATCHES; i++) {
        const struct condition *c = pending(run, i);
        if (c && c->kind == CONDITION_CYCLE && c->value > run->sim->cycle && c->value < end)
            end = c->value;
    }
    if (run->options.max_cycles && run->options.max_cycles < end)
        end = run->options.max_cycles;
    return end;
}

static unsigned run_flags(struct run *run) {
    unsigned flags = 0;
    if (run->waving)
        flags |= SIM_WAVE;
    if (run->trace || run->konata || run->stacks[0] || run->lockstep || run->options.crosses ||
        run->cycles[0])
        flags |= SIM_OBSERVE;
    if (run->options.crosses)
        flags |= SIM_CROSSES;
    if (run->lockstep || run->cycles[0] || run->konata)
        flags |= SIM_PMU;
    run->sim->watch = 0;
    for (unsigned i = 0; i < WATCHES; i++) {
        const struct condition *c = pending(run, i);
        if (c && c->kind == CONDITION_PC) {
            flags |= SIM_WATCH;
            run->sim->watch |= 1u << i;
            run->sim->watch_pc[i] = c->value;
        }
    }
    return flags;
}

static void feed_uart(struct sim *sim) {
    uint8_t bytes[sizeof sim->uart_rx];
    const unsigned room = (unsigned)(sizeof sim->uart_rx - sim->uart_rx_n);
    sim_uart_send(sim, bytes, terminal_read(bytes, room));
}

static void show_progress(struct run *run) {
    char line[160];
    const double now = seconds_since(&run->start);
    if (run->options.quiet || now < run->progress_at || !terminal_shows_progress())
        return;
    run->progress_at = now + 1;
    if (now < 2)
        return;
    snprintf(line, sizeof line, "tally-sim: %.1f Mcycles, %.1f Minstructions, %.0f s, %.0f kHz",
             (double)run->sim->cycle / 1e6, (double)retired(run->sim) / 1e6, now,
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
    run->end_retired = retired(run->sim);
}

/* The program has ended: empty the UART; with lockstep go on until stores have left, and compare RAM. */
static int finish(struct run *run) {
    struct sim *sim = run->sim;
    if (run->waving)
        close_window(run);
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

/* The debugger has its turn. True: the run ends with `status`. */
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

static int loop(struct run *run, struct error *error) {
    struct sim *sim = run->sim;
    int status;
    for (;;) {
        if (!move_window(run, error)) {
            note_end(run);
            return STATUS_USAGE;
        }
        if (has_come(run, WATCH_STOP)) {
            note_end(run);
            return 0;
        }
        run->met = 0;
        const enum sim_stop stop = sim->ops->run(sim, slice_end(run), run_flags(run));
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
        feed_uart(sim);
        terminal_flush();
        show_progress(run);
        if (terminal_interrupted() || (run->options.max_cycles && sim->cycle >= run->options.max_cycles)) {
            note_end(run);
            return terminal_interrupted() ? STATUS_INTERRUPTED : STATUS_MAX_CYCLES;
        }
    }
}

static void print_summary(const struct run *run, int status) {
    const double t = seconds_since(&run->start);
    const uint64_t n = run->end_cycle;
    if (status == STATUS_MAX_CYCLES)
        fprintf(stderr, "tally-sim: stopped after %" PRIu64 " cycles (--max-cycles)\n", n);
    if (status == STATUS_INTERRUPTED)
        fprintf(stderr, "tally-sim: interrupted\n");
    if (run->options.quiet)
        return;
    fprintf(stderr,
            "tally-sim: %" PRIu64 " cycles, %" PRIu64 " instructions (%.2f a cycle), %.2f s, %.0f kHz%s\n", n,
            run->end_retired, n ? (double)run->end_retired / (double)n : 0.0, t,
            t > 0 ? (double)n / t / 1e3 : 0.0,
            run->lockstep && status != STATUS_LOCKSTEP ? ", lockstep: no difference" : "");
}

/* --- Setting up ------------------------------------------------------------------------------- */

static bool write_file(const char *path, const void *bytes, size_t size, struct error *error) {
    FILE *f = fopen(path, "wb");
    bool ok = f && fwrite(bytes, 1, size, f) == size;
    if (f && fclose(f) != 0)
        ok = false;
    return ok || error_set(error, "%s: %s", path, strerror(errno));
}

static bool unseen(void *ctx, uint8_t byte) {
    (void)ctx;
    (void)byte;
    return false;
}

/* The machine has run before (--reset-after): memories are loaded again, everything else keeps its state. */
static bool press_reset(struct run *run, struct error *error) {
    struct sim *sim = run->sim;
    sim->uart_tx = unseen;
    sim->ops->run(sim, run->options.reset_after, SIM_PAST_EXIT);
    sim->uart_tx = printed;
    machine_free(&run->machine);
    if (!machine_load(&run->machine, &run->options, sim->ops->time_ratio, error))
        return false;
    sim->ram = run->machine.memory.bytes;
    sim->ops->reset(sim);
    return true;
}

static bool create(struct run *run, const struct sim_ops *ops, struct error *error) {
    const struct sim config = {
        .ram = run->machine.memory.bytes,
        .ram_size = run->machine.memory.size,
        .rom = run->machine.rom,
        .wave = run->options.wave != NULL,
        .observer = {run, observe},
        .uart_tx = printed,
        .uart_ctx = run,
        .host = run->host,
    };
    run->sim = ops->create(&config);
    if (!run->sim)
        return error_set(error, "not enough memory for the model");
    if (run->options.reset_after && !press_reset(run, error))
        return false;
    if (run->options.trace && !(run->trace = trace_open(run->options.trace, error)))
        return false;
    if (run->options.konata &&
        !(run->konata = konata_open(run->options.konata, &run->machine.symbols, error)))
        return false;
    if (run->options.lockstep && !(run->lockstep = lockstep_new(&run->machine, run->options.harts, error)))
        return false;
    for (unsigned h = 0; h < run->options.harts && run->lockstep; h++)
        if (!(run->oracle[h] = oracle_new(SOC_RAM_BASE, run->machine.memory.size)) ||
            !(run->track[h] = track_new(SOC_RAM_BASE, run->machine.memory.size)))
            return error_set(error, "not enough memory for the oracles of lockstep");
    if (run->options.cycles && !(run->stream = fopen(run->options.cycles, "wb")))
        return error_set(error, "%s: %s", run->options.cycles, strerror(errno));
    if (SOC_SAMPLING && (run->lockstep || run->stream || run->options.where))
        for (unsigned h = 0; h < run->options.harts; h++)
            if (!(run->cycles[h] = cycles_new(run->stream, run->options.where != NULL)))
                return error_set(error, "not enough memory for the cycles");
    if (run->options.interrupts && !(run->interrupts = fopen(run->options.interrupts, "w")))
        return error_set(error, "%s: %s", run->options.interrupts, strerror(errno));
    for (unsigned h = 0; h < run->options.harts && (run->options.stacks || run->interrupts); h++)
        if (!(run->stacks[h] = stacks_new(run->interrupts)))
            return error_set(error, "not enough memory for the call stacks");
    run->dice = 1;
    for (unsigned h = 0; h < run->options.harts && run->options.crosses; h++)
        if (!(run->crosses[h] = crosses_new(ops->ebb)))
            return error_set(error, "not enough memory for the crosses");
    if (run->lockstep)
        lockstep_attach(run->lockstep, run->sim);
    return !run->options.gdb || (run->debug = debug_open(run->sim, &run->machine, run->lockstep, run->cycles,
                                                         run->options.gdb, run->options.wait, error));
}

static bool load(struct run *run, const struct sim_ops *ops, struct error *error) {
    if (run->options.no_smepmp && ops->smepmp)
        return error_set(error, "--no-smepmp: this machine is built with Smepmp");
    if (run->options.branches && !ops->ebb)
        return error_set(error, "--ebb: this machine is built without event-based branches");
    if (run->options.checkpoint.n || run->options.restore)
        return error_set(error, "--checkpoint and --restore are tally-iss's");
    run->options.no_smepmp = !ops->smepmp;
    run->options.no_ebb = !ops->ebb;
    return machine_load(&run->machine, &run->options, ops->time_ratio, error);
}

static bool set_up(struct run *run, struct error *error) {
    const struct sim_ops *ops = sim_ops(run->options.harts);
    const struct options *o = &run->options;
    return load(run, ops, error) &&
           condition_parse(&run->from, "--wave-from", o->wave_from, &run->machine.symbols, error) &&
           condition_parse(&run->to, "--wave-to", o->wave_to, &run->machine.symbols, error) &&
           condition_parse(&run->stop, "--stop", o->stop, &run->machine.symbols, error) &&
           (run->host = program_host(&run->machine, o, printed, run, error)) && create(run, ops, error);
}

static void close_stream(FILE *stream, const char *path) {
    if (stream && fclose(stream) != 0)
        fprintf(stderr, "tally-sim: %s: not everything could be written\n", path);
}

static void tear_down(struct run *run) {
    if (run->sim) {
        run->sim->ops->wave_close(run->sim);
        run->sim->ops->destroy(run->sim);
    }
    if (!trace_close(run->trace))
        fprintf(stderr, "tally-sim: %s: not everything could be written\n", run->options.trace);
    if (!konata_close(run->konata))
        fprintf(stderr, "tally-sim: %s: not everything could be written\n", run->options.konata);
    debug_free(run->debug);
    lockstep_free(run->lockstep);
    for (unsigned h = 0; h < SOC_HARTS_MAX; h++) {
        oracle_free(run->oracle[h]);
        crosses_free(run->crosses[h]);
        track_free(run->track[h]);
        cycles_free(run->cycles[h]);
        stacks_free(run->stacks[h]);
    }
    close_stream(run->stream, run->options.cycles);
    close_stream(run->interrupts, run->options.interrupts);
    host_free(run->host);
    machine_free(&run->machine);
}

static bool write_crosses(const struct run *run, struct error *error) {
    const char *path = run->options.crosses;
    FILE *f = fopen(path, "w");
    for (unsigned h = 0; f && h < run->options.harts; h++) {
        crosses_report(run->crosses[h], f);
        if (run->lockstep) {
            track_report(run->track[h], f);
            lockstep_samples(run->lockstep, h, f);
        }
    }
    const bool ok = f && !ferror(f);
    return (f && fclose(f) == 0 && ok) || error_set(error, "%s: %s", path, strerror(errno));
}

static bool write_where(const struct run *run, struct error *error) {
    const char *path = run->options.where;
    FILE *f = fopen(path, "w");
    if (f)
        sample_file_where(f, &run->machine, &run->options, run->sim->ops->time_ratio);
    for (unsigned h = 0; f && h < run->options.harts && run->cycles[h]; h++)
        cycles_report(run->cycles[h], h, f);
    const bool ok = f && !ferror(f);
    return (f && fclose(f) == 0 && ok) || error_set(error, "%s: %s", path, strerror(errno));
}

static bool write_stacks(const struct run *run, struct error *error) {
    FILE *f = fopen(run->options.stacks, "w");
    for (unsigned h = 0; f && h < run->options.harts; h++)
        stacks_report(run->stacks[h], &run->machine.symbols, f);
    const bool ok = f && !ferror(f);
    return (f && fclose(f) == 0 && ok) || error_set(error, "%s: %s", run->options.stacks, strerror(errno));
}

static int simulate(struct run *run, struct error *error) {
    if (!set_up(run, error))
        return STATUS_USAGE;
    terminal_open(!run->options.program);
    clock_gettime(CLOCK_MONOTONIC, &run->start);
    const int status = loop(run, error);
    terminal_close();
    if (run->debug)
        debug_ended(run->debug, status);
    if ((run->options.crosses && !write_crosses(run, error)) ||
        (run->options.stacks && !write_stacks(run, error)) ||
        (run->options.where && !write_where(run, error)))
        return STATUS_USAGE;
    if (run->options.records && !*error->text &&
        !sample_file_write(&run->machine, &run->options, run->host, run->sim->ops->time_ratio, error))
        return STATUS_USAGE;
    if (!*error->text)
        print_summary(run, status);
    return status;
}

static int dump_dtb(struct run *run, struct error *error) {
    const struct sim_ops *ops = sim_ops(run->options.harts);
    if (!load(run, ops, error) ||
        !write_file(run->options.dump_dtb, run->machine.dtb, run->machine.dtb_size, error))
        return STATUS_USAGE;
    return 0;
}

int main(int argc, char **argv) {
    static struct run run;
    struct error error = {""};
    int status;
    if (!options_parse(&run.options, argc, argv, &error)) {
        status = STATUS_USAGE;
    } else if (run.options.help) {
        options_help(stdout);
        return 0;
    } else if (run.options.version) {
        puts("tally-sim " TALLY_VERSION);
        return 0;
    } else if (run.options.completion) {
        options_completion("tally-sim", stdout);
        return 0;
    } else {
        status = run.options.dump_dtb ? dump_dtb(&run, &error) : simulate(&run, &error);
        tear_down(&run);
    }
    if (*error.text)
        fprintf(stderr, "tally-sim: %s\n", error.text);
    return status;
}
