/* SPDX-License-Identifier: Apache-2.0 */
/* tally-profile: profiles from sample records; docs/profile.md. */
#include "copies.h"
#include "diff.h"
#include "disassembly.h"
#include "export.h"
#include "progress.h"
#include "report.h"

#include <assert.h>
#include <errno.h>
#include <getopt.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Exit statuses */
enum status { OK, NO_OUTPUT = 1, BAD_OPTIONS, BAD_RECORDS, BAD_PROGRAM, NO_DISASSEMBLY, OTHER_PROGRAM };

enum { PERF, PPROF, SPEEDSCOPE, HTML, EXPORTS, OTHERS_MAX = 8, STACKS_MAX = 64 };

static const char *const export_names[EXPORTS] = {"perf", "pprof", "speedscope", "html"};

struct options {
    const char *others[OTHERS_MAX]; /* further ELF files */
    bool machine[OTHERS_MAX];       /* ... of M-mode's */
    unsigned others_n;
    char *const *pairs; /* records and program, `n` times */
    size_t n;
    const char *stacks[STACKS_MAX]; /* of the first pairs */
    unsigned stacks_n;
    const char *export[EXPORTS], *objdump, *function, *event, *counts;
    unsigned top, histograms;
    bool annotate, brief, quiet, diff, interrupts;
};

struct runs {
    struct run *list;
    size_t n;
};

static const char usage[] =
    "usage: tally-profile [options] RECORDS PROGRAM [RECORDS PROGRAM]...\n"
    "RECORDS is a file of sample records, or of tally-sim --where; PROGRAM the ELF file, with DWARF, that "
    "was sampled. Several "
    "pairs:\n"
    "text and the page show one after the other; the other files hold one profile each.\n"
    "  --perf FILE        write a perf.data for perf report, perf annotate, perf script; beside it, as\n"
    "                     FILE.NAME, a copy of each ELF that has RISC-V mapping symbols, without them\n"
    "  --pprof FILE       write a profile for pprof\n"
    "  --speedscope FILE  write a profile for speedscope\n"
    "  --html FILE        write a page for a browser: flame graph, source, timeline, memory, latencies\n"
    "  --stacks FILE      what tally-sim --stacks wrote of the same program: the page's flame graph has\n"
    "                     callers, and --pprof its cycles by call stack; of several pairs one each, in "
    "order\n"
    "  --counts FILE      the table of counts of the same program, with TOPDOWN.*: the page has its slots\n"
    "  --diff             of two pairs, before and after: what changed\n"
    "  --interrupts       show a counter's overflows also where their interrupts came, beside their causes\n"
    "  --event NAME       what the counter counted whose overflows are in RECORDS, for --perf (cycles)\n"
    "  --firmware ELF     what ran in M-mode: its samples have its names, and are left out if RECORDS say\n"
    "                     that M-mode was not to be sampled\n"
    "  --with ELF         more code that ran: a kernel, a library (at its own addresses)\n"
    "  --top N            lines a table (20)\n"
    "  --latencies N      histograms of the N hottest instructions (5)\n"
    "  --brief            a line a pair: its hottest functions (--top)\n"
    "  --annotate[=NAME]  disassemble the functions that have samples, or this one\n"
    "  --objdump COMMAND  objdump to disassemble with (riscv64-unknown-elf-objdump); of the page too\n"
    "  --quiet            no text, only files\n"
    "  --help             this text\n"
    "Exit status: 0 done, 1 an output cannot be written, 2 wrong options, 3 bad RECORDS, 4 bad PROGRAM,\n"
    "5 the disassembly failed, 6 PROGRAM is not the one that was sampled. Unless it is 0 or 1 nothing has\n"
    "been written.\n";

static bool number(const char *option, const char *text, unsigned *value, struct error *error) {
    char *end;
    errno = 0;
    const unsigned long n = strtoul(text, &end, 10);
    if (*text < '0' || *text > '9' || *end || errno || n > 1000000)
        return error_set(error, "--%s '%s': a number from 0 to 1000000 is needed", option, text);
    *value = (unsigned)n;
    return true;
}

static bool same_file_twice(const struct options *o, struct error *error) {
    for (unsigned i = 0; i < EXPORTS; i++) {
        for (unsigned k = 0; o->export[i] && k < EXPORTS; k++) {
            if (k != i && o->export[k] && strcmp(o->export[i], o -> export[k]) == 0)
                return !error_set(error, "%s: given to --%s and --%s", o->export[i], export_names[i],
                                  export_names[k]);
        }
        for (size_t k = 0; o->export[i] && k < 2 * o->n + o->others_n; k++) {
            if (strcmp(o->export[i], k < 2 * o -> n ? o -> pairs[k] : o -> others[k - 2 * o->n]) == 0)
                return !error_set(error, "%s: is an input and the file of --%s", o->export[i],
                                  export_names[i]);
        }
    }
    return false;
}

/* False with an empty error: --help. */
static bool parse(struct options *o, int argc, char **argv, struct error *error) {
    enum {
        TOP = EXPORTS,
        LATENCIES_N,
        ANNOTATE,
        OBJDUMP,
        BRIEF,
        QUIET,
        FIRMWARE,
        WITH,
        DIFF,
        EVENT,
        INTERRUPTS,
        STACKS,
        COUNTS,
        HELP
    };
    static const struct option known[] = {{"perf", required_argument, NULL, PERF},
                                          {"pprof", required_argument, NULL, PPROF},
                                          {"speedscope", required_argument, NULL, SPEEDSCOPE},
                                          {"html", required_argument, NULL, HTML},
                                          {"top", required_argument, NULL, TOP},
                                          {"latencies", required_argument, NULL, LATENCIES_N},
                                          {"annotate", optional_argument, NULL, ANNOTATE},
                                          {"objdump", required_argument, NULL, OBJDUMP},
                                          {"brief", no_argument, NULL, BRIEF},
                                          {"quiet", no_argument, NULL, QUIET},
                                          {"firmware", required_argument, NULL, FIRMWARE},
                                          {"with", required_argument, NULL, WITH},
                                          {"diff", no_argument, NULL, DIFF},
                                          {"event", required_argument, NULL, EVENT},
                                          {"interrupts", no_argument, NULL, INTERRUPTS},
                                          {"stacks", required_argument, NULL, STACKS},
                                          {"counts", required_argument, NULL, COUNTS},
                                          {"help", no_argument, NULL, HELP},
                                          {NULL, 0, NULL, 0}};
    int which;
    *o = (struct options){
        .objdump = "riscv64-unknown-elf-objdump", .event = "cycles", .top = 20, .histograms = 5};
    error->text[0] = 0;
    opterr = 0;
    while ((which = getopt_long(argc, argv, ":", known, NULL)) != -1) {
        switch (which) {
        case TOP:
            if (!number("top", optarg, &o->top, error))
                return false;
            break;
        case LATENCIES_N:
            if (!number("latencies", optarg, &o->histograms, error))
                return false;
            break;
        case ANNOTATE:
            o->annotate = true;
            o->function = optarg;
            break;
        case OBJDUMP:
            o->objdump = optarg;
            break;
        case BRIEF:
            o->brief = true;
            break;
        case QUIET:
            o->quiet = true;
            break;
        case DIFF:
            o->diff = true;
            break;
        case INTERRUPTS:
            o->interrupts = true;
            break;
        case EVENT:
            o->event = optarg;
            break;
        case STACKS:
            if (o->stacks_n == STACKS_MAX)
                return error_set(error, "--stacks: at most %d", STACKS_MAX);
            o->stacks[o->stacks_n++] = optarg;
            break;
        case COUNTS:
            o->counts = optarg;
            break;
        case FIRMWARE:
        case WITH:
            if (o->others_n == OTHERS_MAX)
                return error_set(error, "--firmware, --with: at most %d", OTHERS_MAX);
            o->machine[o->others_n] = which == FIRMWARE;
            o->others[o->others_n++] = optarg;
            break;
        case HELP:
            return false;
        case ':':
            return error_set(error, "'%s': needs a value", argv[optind - 1]);
        case '?':
            return error_set(error, "'%s': not an option, or one that takes no value; see --help",
                             argv[optind - 1]);
        default:
            o->export[which] = optarg;
            break;
        }
    }
    if (argc - optind < 2 || (argc - optind) % 2)
        return error_set(error,
                         "two files are needed, records and program, or several pairs; there are %d; see "
                         "--help",
                         argc - optind);
    o->pairs = argv + optind;
    o->n = (size_t)(argc - optind) / 2;
    for (unsigned i = 0; o->n > 1 && i < HTML; i++) {
        if (o->export[i])
            return error_set(error, "--%s: of one pair only", export_names[i]);
    }
    if (o->diff && (o->n != 2 || o->brief))
        return error_set(error, "--diff: of two pairs, before and after, and not with --brief");
    if ((o->annotate || o->counts) && o->n > 1)
        return error_set(error, "--%s: of one pair only", o->annotate ? "annotate" : "counts");
    if (o->stacks_n > o->n)
        return error_set(error, "--stacks: one a pair; there are %u, and %zu pairs", o->stacks_n, o->n);
    return !same_file_twice(o, error);
}

/* --- output --------------------------------------------------------------------------------------- */

static void write_tables(struct buffer *text, const struct options *o, const struct runs *runs) {
    bool any = false;
    for (size_t i = 0; i < runs->n; i++) {
        const struct run *run = &runs->list[i];
        if (o->brief)
            report_brief(text, &run->profiles[0], o->top);
        for (size_t k = 0; !o->brief && k < run->n; k++, any = true) {
            buffer_print(text, any ? "\n" : "");
            report_tables(text, &run->profiles[k], o->top, o->histograms);
        }
    }
}

/* Of each kind of samples that both runs have */
static bool write_diff(struct buffer *text, const struct options *o, const struct runs *runs,
                       struct error *error) {
    bool any = false;
    for (size_t i = 0; i < runs->list[0].n; i++) {
        for (size_t k = 0; k < runs->list[1].n; k++) {
            const struct profile *before = &runs->list[0].profiles[i], *after = &runs->list[1].profiles[k];
            if (before->events != after->events || before->interrupted != after->interrupted)
                continue;
            buffer_print(text, any ? "\n" : "");
            diff_tables(text, before, after, o->top);
            any = true;
        }
    }
    return any ? true
               : error_set(error, "--diff: one of %s, %s has overflows of a counter, the other instructions",
                           o->pairs[0], o->pairs[2]);
}

static bool annotate(struct buffer *text, const struct options *o, const struct profile *p,
                     struct error *error) {
    struct disassembly d = {0};
    const bool ok = disassembly_read(&d, o->objdump, p->program, 0, 0, error) &&
                    report_annotated(text, p, &d, o->function, error);
    disassembly_free(&d);
    return ok;
}

/* The one with call stacks, else the instructions */
static const struct profile *shown_alone(const struct run *run) {
    size_t i = run->n - 1;
    while (i > 0 && !run->profiles[i].calls.n)
        i--;
    return &run->profiles[run->profiles[i].calls.n ? i : run->n - 1];
}

/* perf.data has all of a run, the page all runs, the others one of its profiles. perf.data is as long as the
 * records, and so is not kept in memory. */
static bool make_file(struct buffer *file, unsigned which, const struct options *o, const struct runs *runs,
                      struct error *error) {
    struct run *run = &runs->list[0];
    switch (which) {
    case PERF:
        if (!buffer_open(file, o->export[PERF], error))
            return false;
        export_perf(file, run, o->event);
        break;
    case PPROF:
        export_pprof(file, shown_alone(run), &run->callers);
        break;
    case SPEEDSCOPE:
        export_speedscope(file, &run->profiles[run->n - 1]);
        break;
    default:
        export_html(file, runs->list, runs->n, o->diff, o->objdump);
        break;
    }
    return true;
}

static enum status make_text(struct buffer *text, const struct options *o, const struct runs *runs,
                             struct error *error) {
    const struct run *last = &runs->list[runs->n - 1];
    if (o->diff) {
        if (!write_diff(text, o, runs, error))
            return BAD_RECORDS;
    } else {
        write_tables(text, o, runs);
    }
    if (o->quiet)
        text->size = 0;
    return !o->annotate || annotate(text, o, &last->profiles[last->n - 1], error) ? OK : NO_DISASSEMBLY;
}

/* Names of a program may hold what commands a terminal. */
static bool print(struct buffer *text) {
    struct buffer plain = {0};
    buffer_add(text, "", 1);
    buffer_terminal(&plain, (const char *)text->bytes);
    const bool ok =
        (!plain.size || fwrite(plain.bytes, 1, plain.size, stdout) == plain.size) && fflush(stdout) == 0;
    buffer_free(&plain);
    return ok;
}

/* Everything is made before a file gets its name. */
static enum status write_all(const struct options *o, const struct runs *runs, struct copies *copies,
                             struct error *error) {
    struct buffer text = {0}, file[EXPORTS] = {{0}};
    enum status status = make_text(&text, o, runs, error);
    for (unsigned i = 0; status == OK && i < EXPORTS; i++) {
        if (o->export[i] && !make_file(&file[i], i, o, runs, error))
            status = NO_OUTPUT;
    }
    if (status == OK && !copies_write(copies, error))
        status = NO_OUTPUT;
    for (unsigned i = 0; status == OK && i < EXPORTS; i++) {
        if (o->export[i] && !buffer_write(&file[i], o->export[i], error))
            status = NO_OUTPUT;
    }
    if (status == OK && !print(&text)) {
        error_set(error, "standard output: %s", strerror(errno));
        status = NO_OUTPUT;
    }
    for (unsigned i = 0; i < EXPORTS; i++)
        buffer_free(&file[i]);
    buffer_free(&text);
    return status;
}

/* --- input ---------------------------------------------------------------------------------------- */

static enum status open_run(struct run *run, struct progress *progress, const struct options *o, size_t pair,
                            struct error *error) {
    const char *const records = o->pairs[2 * pair], *const program = o->pairs[2 * pair + 1];
    if (!records_open(&run->records, records, error))
        return BAD_RECORDS;
    *progress = (struct progress){progress_step, (void *)short_name(records)};
    run->records.progress = o->quiet ? NULL : progress;
    if (o->interrupts && run->records.where) {
        error_set(error, "%s: --interrupts is of records, this is of --where", records);
        return BAD_OPTIONS;
    }
    run->program = program_open(program, run->records.xlen, run->records.bias, error);
    if (!run->program)
        return BAD_PROGRAM;
    for (unsigned i = 0; i < o->others_n; i++) {
        if (!program_add(run->program, o->others[i], run->records.xlen, o->machine[i], error))
            return BAD_PROGRAM;
    }
    if (!program_fits(run->program, &run->records, error))
        return OTHER_PROGRAM;
    if (pair < o->stacks_n && !callers_read(&run->callers, o->stacks[pair], CALLERS_MAX, error))
        return BAD_RECORDS;
    if (o->counts && !slots_read(&run->slots, o->counts, error))
        return BAD_RECORDS;
    run->interrupts = o->interrupts;
    return run_read(run, error) ? OK : BAD_RECORDS;
}

/* perf reads the ELF files itself. */
static enum status make_copies(struct copies *c, const struct options *o, struct program *program,
                               struct error *error) {
    const char *taken[2 + OTHERS_MAX + EXPORTS] = {o->pairs[0], o->pairs[1]};
    size_t n = 2;
    if (!o->export[PERF])
        return OK;
    for (unsigned i = 0; i < o->others_n; i++)
        taken[n++] = o->others[i];
    for (unsigned i = 0; i < EXPORTS; i++) {
        if (o->export[i])
            taken[n++] = o->export[i];
    }
    return copies_make(c, program, o->export[PERF], taken, n, error) ? OK : NO_OUTPUT;
}

static enum status work(const struct options *o, struct error *error) {
    assert(o->n > 0);
    struct runs runs = {resize(NULL, o->n, sizeof *runs.list), o->n};
    struct progress *progress = resize(NULL, o->n, sizeof *progress);
    struct copies copies = {0};
    enum status status = OK;
    memset(runs.list, 0, o->n * sizeof *runs.list);
    for (size_t i = 0; status == OK && i < o->n; i++)
        status = open_run(&runs.list[i], &progress[i], o, i, error);
    if (status == OK)
        status = make_copies(&copies, o, runs.list[0].program, error);
    if (status == OK)
        status = write_all(o, &runs, &copies, error);
    copies_free(&copies);
    for (size_t i = 0; i < o->n; i++) {
        struct run *run = &runs.list[i];
        run_free_profiles(run);
        callers_free(&run->callers);
        if (run->program)
            program_close(run->program);
        records_close(&run->records);
    }
    free(runs.list);
    free(progress);
    return status;
}

/* The inputs are mapped: SIGBUS means that another process has cut one. */
static void became_shorter(int number) {
    static const char text[] = "tally-profile: an input became shorter while it was read\n";
    (void)number;
    const ssize_t written = write(STDERR_FILENO, text, sizeof text - 1);
    (void)written;
    _exit(BAD_RECORDS);
}

int main(int argc, char **argv) {
    struct options options;
    struct error error;
    enum status status = BAD_OPTIONS;
    signal(SIGBUS, became_shorter);
    if (parse(&options, argc, argv, &error)) {
        status = work(&options, &error);
    } else if (!error.text[0]) {
        fputs(usage, stdout);
        return OK;
    }
    if (status != OK) {
        progress_clear();
        fprintf(stderr, "tally-profile: %s\n", error.text);
    }
    return status;
}
