// SPDX-License-Identifier: Apache-2.0
/* tally-sim: runs programs on the Verilated machine. */
#include "program.h"
#include "restore.h"
#include "ring.h"
#include "run.h"
#include "run_window.h"
#include "sample_file.h"
#include "terminal.h"

#include <errno.h>
#include <inttypes.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void print_summary(const struct run *run, int status) {
    const double t = run_seconds(run);
    const uint64_t n = run->end_cycle, retired = run->end_retired - run->before;
    char since[64] = "";
    if (status == STATUS_MAX_CYCLES)
        fprintf(stderr, "tally-sim: stopped after %" PRIu64 " cycles (--max-cycles)\n", n);
    if (status == STATUS_INTERRUPTED)
        fprintf(stderr, "tally-sim: interrupted\n");
    if (run->options.quiet)
        return;
    if (run->before)
        snprintf(since, sizeof since, ", %" PRIu64 " since the checkpoint", retired);
    fprintf(stderr,
            "tally-sim: %" PRIu64 " cycles, %" PRIu64 " instructions%s (%.2f a cycle), %.2f s, %.0f kHz%s\n",
            n, run->end_retired, since, n ? (double)retired / (double)n : 0.0, t,
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
    sim->uart_tx = run_printed;
    machine_free(&run->machine);
    if (!machine_load(&run->machine, &run->options, sim->ops->time_ratio, error))
        return false;
    sim->ram = run->machine.memory.bytes;
    sim->ops->reset(sim);
    return true;
}

/* The golden models, and the oracles of the wires of hart and unit */
static bool create_golden(struct run *run, struct error *error) {
    if (!(run->lockstep = lockstep_new(&run->machine, run->options.harts, error)))
        return false;
    for (unsigned h = 0; h < run->options.harts; h++)
        if (!(run->oracle[h] = oracle_new(SOC_RAM_BASE, run->machine.memory.size)) ||
            !(run->track[h] = track_new(SOC_RAM_BASE, run->machine.memory.size)))
            return error_set(error, "not enough memory for the oracles of lockstep");
    run->dice = 1;
    lockstep_attach(run->lockstep, run->sim);
    return true;
}

static void free_golden(struct run *run) {
    lockstep_free(run->lockstep);
    run->lockstep = NULL;
    for (unsigned h = 0; h < SOC_HARTS_MAX; h++) {
        oracle_free(run->oracle[h]);
        track_free(run->track[h]);
        run->oracle[h] = NULL;
        run->track[h] = NULL;
    }
}

/* Observers from the first cycle on */
static bool create_models(struct run *run, struct error *error) {
    if ((run->options.lockstep || run->restore) && !create_golden(run, error))
        return false;
    if (run->options.cycles && !(run->stream = fopen(run->options.cycles, "wb")))
        return error_set(error, "%s: %s", run->options.cycles, strerror(errno));
    if (SOC_SAMPLING && (run->lockstep || run->stream || run->options.where))
        for (unsigned h = 0; h < run->options.harts; h++)
            if (!(run->cycles[h] = cycles_new(run->stream, run->options.where != NULL)))
                return error_set(error, "not enough memory for the cycles");
    for (unsigned h = 0; h < run->options.harts && run->cycles[h] && run->options.where; h++)
        if (!(run->latency[h] = latency_new(SOC_RAM_BASE, run->machine.memory.size)))
            return error_set(error, "not enough memory for the latencies");
    for (unsigned h = 0; h < run->options.harts && run->options.crosses; h++)
        if (!(run->crosses[h] = crosses_new(run->sim->ops->ebb)))
            return error_set(error, "not enough memory for the crosses");
    return true;
}

/* Continue from the checkpoint; free models that only it needed. */
static bool restore(struct run *run, struct error *error) {
    if (!restore_put(run->restore, run->sim, run->lockstep, run->cycles, run_flags(run), error))
        return false;
    restore_free(run->restore);
    run->restore = NULL;
    run->before = run_retired(run);
    if (run->options.lockstep)
        return true;
    free_golden(run);
    for (unsigned h = 0; h < run->options.harts && !run->stream && !run->options.where; h++) {
        cycles_free(run->cycles[h]);
        run->cycles[h] = NULL;
    }
    return true;
}

static bool create_writers(struct run *run, struct error *error) {
    if (run->options.trace && !(run->trace = trace_open(run->options.trace, error)))
        return false;
    if (run->options.konata &&
        !(run->konata = konata_open(run->options.konata, &run->machine.symbols, error)))
        return false;
    if (run->options.sample_log && !(run->sample_log = sample_log_open(run->options.sample_log, error)))
        return false;
    if (run->options.interrupts && !(run->interrupts = fopen(run->options.interrupts, "w")))
        return error_set(error, "%s: %s", run->options.interrupts, strerror(errno));
    for (unsigned h = 0; h < run->options.harts && (run->options.stacks || run->interrupts); h++)
        if (!(run->stacks[h] = stacks_new(run->interrupts)))
            return error_set(error, "not enough memory for the call stacks");
    return true;
}

/* Are the golden models to run on a thread of their own? Not if there is one processor for both, nor if the
 * machine acts on their answers in the same cycle. */
static bool models_apart(const struct run *run) {
    const struct options *o = &run->options;
    cpu_set_t may;
    if (!o->lockstep || o->tags || o->gdb || o->checkpoint.n)
        return false;
    return o->lockstep_threads == OPTIONS_UNSET
               ? sched_getaffinity(0, sizeof may, &may) == 0 && CPU_COUNT(&may) > 1
               : o->lockstep_threads;
}

static bool create(struct run *run, const struct sim_ops *ops, struct error *error) {
    const struct sim config = {
        .ram = run->machine.memory.bytes,
        .ram_size = run->machine.memory.size,
        .rom = run->machine.rom,
        .wave = run->options.wave != NULL,
        .observer = {run, run_observe},
        .uart_tx = run_printed,
        .uart_ctx = run,
        .host = run->host,
    };
    run->sim = ops->create(&config);
    if (!run->sim)
        return error_set(error, "not enough memory for the model");
    const struct sim_wave_set waves = {run->options.wave_all, run->options.wave_scope.text,
                                       run->options.wave_scope.n};
    if (run->options.wave && !run->sim->ops->wave_select(run->sim, &waves, error))
        return false;
    if (run->options.reset_after && !press_reset(run, error))
        return false;
    if (!create_models(run, error) || (run->restore && !restore(run, error)) || !create_writers(run, error))
        return false;
    if (run->options.wave_last && !(run->ring = ring_new(run, error)))
        return false;
    if (run->options.checkpoint.n &&
        !(run->capture = capture_open(&run->machine, &run->options, run->sim, run->lockstep, run->cycles,
                                      run->host, error)))
        return false;
    if (run->options.gdb && !(run->debug = debug_open(run->sim, &run->machine, run->lockstep, run->cycles,
                                                      run->options.gdb, run->options.wait, error)))
        return false;
    return !models_apart(run) || (run->relay = relay_new(run->sim, run_check, run, error));
}

/* Of a run on the RTL, which turns lockstep on */
static bool checkpoints_possible(struct options *o, struct error *error) {
    if (!o->checkpoint.n)
        return true;
    o->lockstep = true;
    for (unsigned i = 0; i < o->checkpoint.n; i++)
        if (!o->at[i])
            return error_set(error, "--checkpoint %s: it needs an --at", o->checkpoint.text[i]);
        else if (strncmp(o->at[i], "new:", 4) == 0)
            return error_set(error, "--at %s: new code is tally-iss's", o->at[i]);
    if (o->wave_last && o->harts > 1)
        return error_set(error, "--checkpoint: of two harts it cannot be repeated for --wave-last");
    return !o->gdb || error_set(error, "--checkpoint: not with a debugger");
}

static bool load(struct run *run, const struct sim_ops *ops, struct error *error) {
    if (run->options.no_smepmp && ops->smepmp)
        return error_set(error, "--no-smepmp: this machine is built with Smepmp");
    if (run->options.branches && !ops->ebb)
        return error_set(error, "--ebb: this machine is built without event-based branches");
    if (!checkpoints_possible(&run->options, error))
        return false;
    if (run->options.restore && run->options.reset_after)
        return error_set(error, "--reset-after: a run from a checkpoint begins without a reset");
    if (run->options.copy_files)
        return error_set(error, "--copy-files is tally-iss's");
    if (run->options.timed || run->options.warm)
        return error_set(error, "--timed and --warm are tally-iss's");
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
           (run->host = program_host(&run->machine, o, run_printed, run, error)) &&
           (!o->restore || (run->restore = restore_read(o->restore, &run->machine, ops, run->host, error))) &&
           create(run, ops, error);
}

static void close_stream(struct run *run, FILE *stream, const char *path) {
    const bool failed = stream && ferror(stream);
    if (stream && (fclose(stream) != 0 || failed))
        run_unwritten(run, path);
}

static void tear_down(struct run *run) {
    ring_free(run->ring);
    relay_free(run->relay);
    if (run->sim) {
        run_close_waves(run);
        run->sim->ops->destroy(run->sim);
    }
    if (!trace_close(run->trace))
        run_unwritten(run, run->options.trace);
    if (!konata_close(run->konata))
        run_unwritten(run, run->options.konata);
    if (!sample_log_close(run->sample_log))
        run_unwritten(run, run->options.sample_log);
    debug_free(run->debug);
    capture_free(run->capture);
    restore_free(run->restore);
    free_golden(run);
    for (unsigned h = 0; h < SOC_HARTS_MAX; h++) {
        crosses_free(run->crosses[h]);
        cycles_free(run->cycles[h]);
        latency_free(run->latency[h]);
        stacks_free(run->stacks[h]);
    }
    close_stream(run, run->stream, run->options.cycles);
    close_stream(run, run->interrupts, run->options.interrupts);
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
    for (unsigned h = 0; f && h < run->options.harts && run->latency[h]; h++)
        latency_report(run->latency[h], h, f);
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

/* Of a run that has failed */
static void write_last_waves(struct run *run) {
    struct error error = {""};
    const uint64_t end = run->mismatch ? run->difference : run->end_cycle;
    const uint64_t n = run->options.wave_last;
    if (!ring_write(run->ring, end, &error))
        fprintf(stderr, "tally-sim: %s\n", error.text);
    else if (!run->options.quiet)
        fprintf(stderr, "tally-sim: %s: waves of cycles %" PRIu64 " to %" PRIu64 "\n", run->options.wave,
                end > n ? end - n : 0, end);
}

static int simulate(struct run *run, struct error *error) {
    if (!set_up(run, error))
        return STATUS_USAGE;
    terminal_open(!run->options.program);
    clock_gettime(CLOCK_MONOTONIC, &run->start);
    const int status = run_loop(run, error);
    terminal_close();
    if (run->debug)
        debug_ended(run->debug, status);
    if (run->capture && !*error->text && status != STATUS_LOCKSTEP && !capture_end(run->capture, error))
        return STATUS_USAGE;
    if ((run->options.crosses && !write_crosses(run, error)) ||
        (run->options.stacks && !write_stacks(run, error)) ||
        (run->options.where && !write_where(run, error)))
        return STATUS_USAGE;
    if (run->options.records && !*error->text &&
        !sample_file_write(&run->machine, &run->options, run->host, run->sim->ops->time_ratio, error))
        return STATUS_USAGE;
    if (!*error->text)
        print_summary(run, status);
    if (run->ring && status && !*error->text)
        write_last_waves(run);
    return status;
}

static int dump_dtb(struct run *run, struct error *error) {
    const struct sim_ops *ops = sim_ops(run->options.harts);
    if (!load(run, ops, error) ||
        !write_file(run->options.dump_dtb, run->machine.dtb, run->machine.dtb_size, error))
        return STATUS_USAGE;
    return 0;
}

/* This program has no machine with so many harts: execute the one beside it that has. Returns if there is
 * none. */
static void other_program(unsigned harts, char **argv, struct error *error) {
    char path[4096];
    const ssize_t n = readlink("/proc/self/exe", path, sizeof path - 32);
    path[n > 0 ? n : 0] = 0;
    char *name = strrchr(path, '/');
    name = name ? name + 1 : path;
    sprintf(name, "tally-sim-%u", harts);
    execv(path, argv);
    error_set(error, "-smp %u: %s: %s; make build makes it", harts, path, strerror(errno));
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
    } else if (!sim_ops(run.options.harts)) {
        other_program(run.options.harts, argv, &error);
        status = STATUS_USAGE;
    } else {
        status = run.options.dump_dtb ? dump_dtb(&run, &error) : simulate(&run, &error);
        tear_down(&run);
        if (run.unwritten && !status)
            status = STATUS_USAGE;
    }
    if (*error.text)
        fprintf(stderr, "tally-sim: %s\n", error.text);
    return status;
}
