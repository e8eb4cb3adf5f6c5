// SPDX-License-Identifier: Apache-2.0
/*
 * tally-iss: the golden machine as a program. It accepts the options of tally-sim that need no cycles and
 * waves; XLEN is that of the ELF file.
 */
#include "iss_checkpoints.h"
#include "iss_events.h"
#include "iss_machine.h"
#include "iss_time.h"
#include "iss_warm.h"
#include "iss_where.h"

#include "machine.h"
#include "program.h"
#include "sample_file.h"
#include "terminal.h"
#include "trace.h"

#include <elf.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { EXIT_USAGE = 2, EXIT_LIMIT = 4, EXIT_SIGNAL = 130 };
enum { TIME_RATIO = 10, POLL_CYCLES = 1 << 14 };

static const char help[] =
    "usage: tally-iss [-bios FILE] [-kernel FILE] [options]\n\n"
    "  -bios FILE, -kernel FILE, -initrd FILE, -dtb FILE, -append TEXT, -m SIZE, -smp N\n"
    "  --max-instructions N (or --max-cycles N)   stop after that many instructions, traps and cycles of "
    "waiting, exit status 4\n"
    "  --delegate BITMAP, --ebb, --records FILE, --program FILE, --files DIR, --stack SIZE, --heap SIZE, "
    "--env "
    "NAME=TEXT,\n"
    "  --set SYM=N, -- ARGUMENTS   as tally-sim's\n"
    "  --checkpoint FILE [--at COND]   write the machine's state when COND comes, or at the end; may be "
    "repeated\n"
    "  --timed        instructions take about as many cycles as on the RTL, instead of one\n"
    "  --stored       checkpoints are not compressed: larger, and faster\n"
    "  --warm         checkpoints have what predictor, caches and translations of the RTL would hold\n"
    "  --copy-files   with each checkpoint write a copy of the folder of --files, FILE.files\n"
    "  --restore FILE   go on from a checkpoint of the same machine; count cycles and instructions as its "
    "run "
    "did\n"
    "  --trace FILE   write every retired instruction and trap, one per line\n"
    "  --where FILE   write how often each instruction retired, with --timed its cycles\n"
    "  --window N, --warm-up K   ... also of N instructions behind the first K after each checkpoint that "
    "comes again\n"
    "  --quiet        no summary\n\n"
    "COND is a number of instructions that retired (1000), a program counter (pc:0x80000000), an ELF symbol "
    "(main), a\n"
    "text that the program prints (text:login:), every:N+FIRST: FILE.FIRST, then every N instructions, or\n"
    "new:N+SKIP+WINDOW (docs/farm.md).\n"
    "The program's own exit status (above 255: 255); 2 usage or bad file, 4 --max-instructions, 130 "
    "Ctrl-C.\n";

/* --- trace --- */

static uint8_t log2_of(unsigned bytes) { return (uint8_t)(bytes >= 8 ? 3 : bytes / 2); }

static uint8_t memory_op(const struct gh_retire *step) {
    bool atomic = (step->insn & 0x7F) == 0x2F;

    if (atomic && step->insn >> 27 == 0x03)
        return SIM_MEM_SC;
    if (atomic && step->insn >> 27 == 0x02)
        return SIM_MEM_LR;
    switch (step->mem) {
    case GH_MEM_LOAD:
        return SIM_MEM_LOAD;
    case GH_MEM_STORE:
        return SIM_MEM_STORE;
    case GH_MEM_AMO:
        return SIM_MEM_AMO;
    default:
        return SIM_MEM_NONE;
    }
}

/* The step in tally-sim's terms, so that both write the same lines. */
static void trace_step(struct trace *trace, unsigned xlen, uint64_t cycle, unsigned hart,
                       const struct gh_retire *step) {
    const bool interrupt = step->trap && step->cause >> (xlen - 1);
    const struct sim_probe probe = {
        .retire = iss_retires(step),
        .trap = step->trap,
        .ebb = step->ebb,
        .rd_we = step->rd_we,
        .sc_fail = step->mem == GH_MEM_NONE,
        .priv = (uint8_t)step->priv,
        .rd = (uint8_t)step->rd,
        .mem_op = iss_retires(step) ? memory_op(step) : SIM_MEM_NONE,
        .mem_size = log2_of(step->mem_size),
        .insn = step->insn,
        .pc = step->pc,
        .next_pc = step->next_pc,
        .rd_val = step->rd_value,
        .mem_vaddr = step->mem_vaddr,
        .mem_paddr = step->mem_paddr,
        .mem_wdata = step->mem_wdata,
        .cause = interrupt ? (step->cause & 0xFFF) | UINT64_C(1) << 63 : step->cause,
        .epc = step->epc,
        .tval = step->tval,
    };

    trace_event(trace, cycle, hart, &probe);
}

/* --- options --- */

static bool is_option(const char *word, const char *name) {
    return word[0] == '-' && strcmp(word + (word[1] == '-' ? 2 : 1), name) == 0;
}

/* XLEN of the ELF file at `path`; 64 if it is none (the loader reports that). */
static unsigned elf_xlen(const char *path) {
    unsigned char ident[EI_NIDENT] = {0};
    const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK); /* a FIFO must not hang us */

    if (fd < 0)
        return 64;
    if (read(fd, ident, sizeof ident) != sizeof ident || memcmp(ident, ELFMAG, SELFMAG) != 0)
        ident[EI_CLASS] = ELFCLASS64;
    close(fd);
    return ident[EI_CLASS] == ELFCLASS32 ? 32 : 64;
}

/* tally-sim's parser, with one more name for --max-cycles and without options that have no meaning here */
static bool parse(struct options *o, int argc, char **argv, struct error *error) {
    static char max_cycles[] = "--max-cycles";

    for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++)
        if (is_option(argv[i], "max-instructions"))
            argv[i] = max_cycles;
    if (!options_parse(o, argc, argv, error))
        return false;
    if (o->wave || o->wave_from || o->wave_to || o->lockstep || o->lockstep_threads != OPTIONS_UNSET ||
        o->dump_dtb || o->reset_after)
        return error_set(error, "--wave, --lockstep, --dump-dtb and --reset-after are tally-sim's");
    if (o->stop || o->konata || o->stacks || o->interrupts || o->sample_log || o->crosses || o->cycles)
        return error_set(error, "--stop, --konata, --stacks, --interrupt-stacks, --sample-log, --crosses and "
                                "--cycles are tally-sim's");
    if ((o->warm_up || o->window) && !(o->timed && o->where && o->window))
        return error_set(error, "--warm-up is for --window, which tally-iss has for --where with --timed");
    if (o->copy_files && !(o->files && o->checkpoint.n))
        return error_set(error, "--copy-files: with --files and --checkpoint only");
    if (o->bios || o->kernel)
        o->xlen = elf_xlen(o->bios ? o->bios : o->kernel);
    if (o->warm && !(o->checkpoint.n && o->xlen == 64))
        return error_set(error, "--warm: with --checkpoint and RV64 only");
    if (o->timed && o->xlen != 64)
        return error_set(error, "--timed: RV64 only");
    return true;
}

/* --- run --- */

/* Observers of every step; NULL: not wanted */
struct watchers {
    struct trace *trace;
    struct iss_where *where;
    bool timed;
};

/* From the UART, and from the host device */
static void transmit(void *ctx, uint8_t byte) {
    terminal_put(byte);
    iss_checkpoints_printed(ctx, byte);
}

static bool print(void *ctx, uint8_t byte) {
    transmit(ctx, byte);
    return false;
}

static void poll_input(struct iss *iss) {
    uint8_t byte;
    while (iss_uart_room(&iss->uart) && terminal_read(&byte, 1) == 1)
        iss_receive(iss, byte);
}

/* The hart waits: skip to the next event, or sleep until there is input. */
static void wait(struct iss *iss, uint64_t limit) {
    static const struct timespec nap = {0, 1000000};

    terminal_flush();
    if (!iss_skip(iss, limit) && !(limit && iss->cycles >= limit))
        nanosleep(&nap, NULL);
    poll_input(iss);
}

static int exit_status(const struct iss *iss, bool interrupted) {
    switch (iss->finisher.end) {
    case ISS_PASS:
    case ISS_RESET:
        return 0;
    case ISS_FAIL:
        /* as tally-sim: a failure is never 0, and a code that is no exit status is the largest one */
        return iss->finisher.code == 0 ? 1 : iss->finisher.code > 255 ? 255 : (int)iss->finisher.code;
    default:
        return interrupted ? EXIT_SIGNAL : EXIT_LIMIT;
    }
}

/* Input is looked for at multiples of POLL_CYCLES, so that a run that goes on from a checkpoint does it when
 * the whole run does. */
static uint64_t poll_after(uint64_t cycle) { return (cycle + POLL_CYCLES - 1) / POLL_CYCLES * POLL_CYCLES; }

/* The estimate needs the step's result. All harts advance by the average. */
static void take_time(struct iss *iss, unsigned moved, const struct gh_retire *step, unsigned *cycles) {
    unsigned sum = 0, harts = 0;
    for (unsigned h = 0; moved >> h; h++)
        if (moved >> h & 1) {
            cycles[h] = iss_time_cycles(&iss->warm[h].seen, &step[h]);
            sum += cycles[h];
            harts++;
        }
    if (harts)
        iss_stall(iss, moved, sum / harts - 1);
}

static int run(struct iss *iss, uint64_t limit, const struct watchers *watchers,
               struct iss_checkpoints *checkpoints, struct error *error) {
    struct trace *trace = watchers->trace;
    unsigned cycles[SOC_HARTS_MAX] = {0};
    struct gh_retire step[SOC_HARTS_MAX];
    uint64_t next_poll = poll_after(iss->cycles);

    while (iss->finisher.end == ISS_RUNS && !(limit && iss->cycles >= limit)) {
        if (iss->cycles >= next_poll) {
            if (terminal_interrupted())
                break;
            poll_input(iss);
            next_poll = poll_after(iss->cycles + 1);
        }
        const unsigned moved = iss_cycle(iss, step);
        if (!moved) {
            wait(iss, limit);
            if (terminal_interrupted())
                break;
            continue;
        }
        for (unsigned h = 0; trace && moved >> h; h++)
            if (moved >> h & 1)
                trace_step(trace, iss->cfg.xlen, iss->cycles - 1, h, &step[h]);
        if (iss->warm)
            iss_warm_cycle(iss, moved, step);
        if (watchers->timed)
            take_time(iss, moved, step, cycles);
        if (watchers->where && !iss_where_cycle(watchers->where, moved, step, watchers->timed ? cycles : NULL,
                                                checkpoints, error))
            return EXIT_USAGE;
        if (checkpoints->n && iss_checkpoints_due(checkpoints, moved, step) &&
            !iss_checkpoints_write(checkpoints, error))
            return EXIT_USAGE;
    }
    if (!iss_checkpoints_end(checkpoints, error))
        return EXIT_USAGE;
    return exit_status(iss, terminal_interrupted());
}

static double seconds(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* `before`: instructions of the checkpoint that the run began with */
static void summary(const struct iss *iss, uint64_t before, double time, int status) {
    char since[64] = "";

    if (before)
        snprintf(since, sizeof since, ", %" PRIu64 " since the checkpoint,", iss->retired - before);
    fprintf(stderr, "tally-iss: %" PRIu64 " instructions%s in %.2f s (%.1f MIPS), exit status %d%s\n",
            iss->retired, since, time, time > 0 ? (double)(iss->retired - before) / time / 1e6 : 0, status,
            status == EXIT_LIMIT && iss->finisher.end == ISS_RUNS ? " (limit reached)" : "");
}

static int run_machine(struct machine *machine, const struct options *o, struct host_device *host,
                       const struct watchers *watchers, struct iss_checkpoints *checkpoints,
                       struct error *error) {
    const struct iss_config config = {.xlen = o->xlen,
                                      .harts = o->harts,
                                      .time_ratio = TIME_RATIO,
                                      .smepmp = machine->smepmp,
                                      .ram = machine->memory.bytes,
                                      .ram_size = machine->memory.size,
                                      .rom = machine->rom,
                                      .host = host,
                                      .transmit = transmit,
                                      .ctx = checkpoints};
    static struct iss iss;
    uint64_t before;
    double start;
    int status;

    if (!iss_open(&iss, &config) || ((o->warm || o->timed) && !iss_keep_warm(&iss))) {
        error_set(error, "not enough memory");
        return EXIT_USAGE;
    }
    if (!iss_checkpoints_begin(checkpoints, &iss, o->restore, error)) {
        iss_close(&iss);
        return EXIT_USAGE;
    }
    if (iss.warm)
        iss_warm_begin(&iss);
    before = iss.retired;
    start = seconds();
    terminal_open(!o->program);
    status = run(&iss, o->max_cycles, watchers, checkpoints, error);
    terminal_close();
    if (!o->quiet)
        summary(&iss, before, seconds() - start, status);
    iss_close(&iss);
    return status;
}

static int fail(const char *why) {
    fprintf(stderr, "tally-iss: %s\n", why);
    return EXIT_USAGE;
}

static bool open_watchers(struct watchers *w, const struct options *o, struct error *error) {
    w->timed = o->timed;
    if (o->where && !(w->where = iss_where_new(o->harts)))
        return error_set(error, "not enough memory");
    return !o->trace || (w->trace = trace_open(o->trace, error));
}

int main(int argc, char **argv) {
    struct machine machine;
    struct options options;
    static struct iss_checkpoints checkpoints;
    struct error error = {""};
    struct watchers watchers = {NULL, NULL, false};
    struct host_device *host;
    int status;

    if (!parse(&options, argc, argv, &error))
        return fail(error.text);
    if (options.help) {
        fputs(help, stdout);
        return 0;
    }
    if (options.version) {
        puts("tally-iss " TALLY_VERSION);
        return 0;
    }
    if (options.completion) {
        options_completion("tally-iss", stdout);
        return 0;
    }
    if (!machine_load(&machine, &options, TIME_RATIO, &error))
        return fail(error.text);
    host = iss_checkpoints_open(&checkpoints, &machine, &options, &error)
               ? program_host(&machine, &options, print, &checkpoints, &error)
               : NULL;
    if (!host || !open_watchers(&watchers, &options, &error)) {
        host_free(host);
        machine_free(&machine);
        return fail(error.text);
    }
    status = run_machine(&machine, &options, host, &watchers, &checkpoints, &error);
    if (*error.text)
        fail(error.text);
    if (!trace_close(watchers.trace))
        status = fail("the trace could not be written");
    if (watchers.where && !*error.text &&
        !iss_where_write(watchers.where, &machine, &options, TIME_RATIO, &error))
        status = fail(error.text);
    iss_where_free(watchers.where);
    if (options.records && !*error.text && !sample_file_write(&machine, &options, host, TIME_RATIO, &error))
        status = fail(error.text);
    host_free(host);
    machine_free(&machine);
    return status;
}
