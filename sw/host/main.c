/* SPDX-License-Identifier: Apache-2.0 */
/* tally-profile: what sample records say about a program; docs/profile.md. */
#include "copies.h"
#include "disassembly.h"
#include "export.h"
#include "file.h"
#include "report.h"

#include <assert.h>
#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

/* What is wrong when the exit status is not 0. */
enum status { OK, NO_OUTPUT = 1, BAD_OPTIONS, BAD_RECORDS, BAD_PROGRAM, NO_DISASSEMBLY, OTHER_PROGRAM };

enum { PERF, EXPORTS = 4, RECORDS_LIMIT_GIB = 1, OTHERS_MAX = 8 };

static const struct exporter {
    const char *name;
    void (*make)(struct buffer *out, const struct profile *p);
} exporters[EXPORTS] = {
    {"perf", export_perf}, {"pprof", export_pprof}, {"speedscope", export_speedscope}, {"html", export_html}};

struct options {
    const char *others[OTHERS_MAX]; /* further ELF files */
    bool machine[OTHERS_MAX];       /* ... of M-mode's */
    unsigned others_n;
    char *const *pairs; /* records and program, `n` times */
    size_t n;
    const char *export[EXPORTS], *objdump, *function;
    unsigned top, histograms;
    bool annotate, brief, quiet;
};

/* A pair, read: its overflows and its instructions apart */
struct input {
    struct records records, rest;
    struct program *program;
};

/* Profiles of all pairs */
struct profiles {
    struct profile *list;
    size_t n;
};

static const char usage[] =
    "usage: tally-profile [options] RECORDS PROGRAM [RECORDS PROGRAM]...\n"
    "RECORDS is a file of sample records, PROGRAM the ELF file, with DWARF, that was sampled. Several "
    "pairs:\n"
    "text and the page show one after the other; the other files hold one profile each.\n"
    "  --perf FILE        write a perf.data for perf report, perf annotate, perf script; beside it, as\n"
    "                     FILE.NAME, a copy of each ELF that has RISC-V mapping symbols, without them\n"
    "  --pprof FILE       write a profile for pprof\n"
    "  --speedscope FILE  write a profile for speedscope\n"
    "  --html FILE        write a page with flame graph and latency plots\n"
    "  --firmware ELF     what ran in M-mode: its samples have its names, and are left out if RECORDS say\n"
    "                     that M-mode was not to be sampled\n"
    "  --with ELF         more code that ran: a kernel, a library (at its own addresses)\n"
    "  --top N            lines a table (20)\n"
    "  --latencies N      histograms of the N hottest instructions (5)\n"
    "  --brief            a line a pair: its hottest functions (--top)\n"
    "  --annotate[=NAME]  disassemble the functions that have samples, or this one\n"
    "  --objdump COMMAND  objdump to disassemble with (riscv64-unknown-elf-objdump)\n"
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
                return !error_set(error, "%s: given to --%s and --%s", o->export[i], exporters[i].name,
                                  exporters[k].name);
        }
        for (size_t k = 0; o->export[i] && k < 2 * o->n + o->others_n; k++) {
            if (strcmp(o->export[i], k < 2 * o -> n ? o -> pairs[k] : o -> others[k - 2 * o->n]) == 0)
                return !error_set(error, "%s: is an input and the file of --%s", o->export[i],
                                  exporters[i].name);
        }
    }
    return false;
}

/* False with an empty error: --help. */
static bool parse(struct options *o, int argc, char **argv, struct error *error) {
    enum { TOP = EXPORTS, LATENCIES_N, ANNOTATE, OBJDUMP, BRIEF, QUIET, FIRMWARE, WITH, HELP };
    static const struct option known[] = {{"perf", required_argument, NULL, 0},
                                          {"pprof", required_argument, NULL, 1},
                                          {"speedscope", required_argument, NULL, 2},
                                          {"html", required_argument, NULL, 3},
                                          {"top", required_argument, NULL, TOP},
                                          {"latencies", required_argument, NULL, LATENCIES_N},
                                          {"annotate", optional_argument, NULL, ANNOTATE},
                                          {"objdump", required_argument, NULL, OBJDUMP},
                                          {"brief", no_argument, NULL, BRIEF},
                                          {"quiet", no_argument, NULL, QUIET},
                                          {"firmware", required_argument, NULL, FIRMWARE},
                                          {"with", required_argument, NULL, WITH},
                                          {"help", no_argument, NULL, HELP},
                                          {NULL, 0, NULL, 0}};
    int which;
    *o = (struct options){.objdump = "riscv64-unknown-elf-objdump", .top = 20, .histograms = 5};
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
    for (unsigned i = 0; o->n > 1 && i < EXPORTS; i++) {
        if (o->export[i] && exporters[i].make != export_html)
            return error_set(error, "--%s: of one pair only", exporters[i].name);
    }
    if (o->annotate && o->n > 1)
        return error_set(error, "--annotate: of one pair only");
    return !same_file_twice(o, error);
}

/* --- output --------------------------------------------------------------------------------------- */

static void write_text(struct buffer *text, const struct options *o, const struct profiles *p) {
    for (size_t i = 0; i < p->n && !o->quiet; i++) {
        if (o->brief)
            report_brief(text, &p->list[i], o->top);
        else
            report_tables(text, &p->list[i], o->top, o->histograms);
        if (!o->brief && i + 1 < p->n)
            buffer_print(text, "\n");
    }
}

static bool annotate(struct buffer *text, const struct options *o, const struct profile *p,
                     struct error *error) {
    struct disassembly d = {0};
    const bool ok = disassembly_read(&d, o->objdump, program_path(p->program), p->records->bias, error) &&
                    report_annotated(text, p, &d, o->function, error);
    disassembly_free(&d);
    return ok;
}

/* Only the page holds several; of a file with overflows and instructions the others hold the instructions. */
static void make_file(struct buffer *file, const struct exporter *exporter, const struct profiles *p) {
    if (exporter->make == export_html)
        export_html_all(file, p->list, p->n);
    else
        exporter->make(file, &p->list[p->n - 1]);
}

/* Everything is made before anything is written. */
static enum status write_all(const struct options *o, const struct profiles *p, const struct copies *copies,
                             struct error *error) {
    struct buffer text = {0}, file[EXPORTS] = {{0}};
    enum status status = OK;
    write_text(&text, o, p);
    if (o->annotate && !annotate(&text, o, &p->list[p->n - 1], error))
        status = NO_DISASSEMBLY;
    for (unsigned i = 0; status == OK && i < EXPORTS; i++) {
        if (o->export[i])
            make_file(&file[i], &exporters[i], p);
    }
    if (status == OK && !copies_write(copies, error))
        status = NO_OUTPUT;
    for (unsigned i = 0; status == OK && i < EXPORTS; i++) {
        if (o->export[i] && !buffer_write(&file[i], o->export[i], error))
            status = NO_OUTPUT;
    }
    if (status == OK &&
        ((text.size && fwrite(text.bytes, 1, text.size, stdout) != text.size) || fflush(stdout) != 0)) {
        error_set(error, "standard output: %s", strerror(errno));
        status = NO_OUTPUT;
    }
    for (unsigned i = 0; i < EXPORTS; i++)
        buffer_free(&file[i]);
    buffer_free(&text);
    return status;
}

/* --- input ---------------------------------------------------------------------------------------- */

static enum status open_input(struct input *in, const struct options *o, size_t pair, struct error *error) {
    const char *const records = o->pairs[2 * pair], *const program = o->pairs[2 * pair + 1];
    struct file file;
    if (!file_read(&file, records, (uint64_t)RECORDS_LIMIT_GIB << 30, error))
        return BAD_RECORDS;
    const bool good = records_parse(&in->records, records, file.bytes, file.size, error);
    file_free(&file);
    if (!good)
        return BAD_RECORDS;
    in->program = program_open(program, in->records.xlen, in->records.bias, error);
    if (!in->program)
        return BAD_PROGRAM;
    for (unsigned i = 0; i < o->others_n; i++) {
        if (!program_add(in->program, o->others[i], in->records.xlen, o->machine[i], error))
            return BAD_PROGRAM;
    }
    return program_fits(in->program, &in->records, error) ? OK : OTHER_PROGRAM;
}

static void add_profile(struct profiles *p, const struct records *records, struct program *program) {
    profile_make(&p->list[p->n++], records, program);
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

static enum status run(const struct options *o, struct error *error) {
    assert(o->n > 0);
    struct input *in = resize(NULL, o->n, sizeof *in);
    struct profiles p = {resize(NULL, 2 * o->n, sizeof *p.list), 0};
    struct copies copies = {0};
    enum status status = OK;
    memset(in, 0, o->n * sizeof *in);
    for (size_t i = 0; status == OK && i < o->n; i++) {
        status = open_input(&in[i], o, i, error);
        if (status != OK)
            break;
        const bool both = records_split(&in[i].records, &in[i].rest);
        profile_leave_out(&in[i].records, in[i].program);
        profile_leave_out(&in[i].rest, in[i].program);
        add_profile(&p, &in[i].records, in[i].program);
        if (both && !o->brief)
            add_profile(&p, &in[i].rest, in[i].program);
    }
    if (status == OK)
        status = make_copies(&copies, o, in[0].program, error);
    if (status == OK)
        status = write_all(o, &p, &copies, error);
    copies_free(&copies);
    while (p.n--)
        profile_free(&p.list[p.n]);
    for (size_t i = 0; i < o->n; i++) {
        if (in[i].program)
            program_close(in[i].program);
        records_free(&in[i].records);
        records_free(&in[i].rest);
    }
    free(p.list);
    free(in);
    return status;
}

int main(int argc, char **argv) {
    struct options options;
    struct error error;
    enum status status = BAD_OPTIONS;
    if (parse(&options, argc, argv, &error)) {
        status = run(&options, &error);
    } else if (!error.text[0]) {
        fputs(usage, stdout);
        return OK;
    }
    if (status != OK)
        fprintf(stderr, "tally-profile: %s\n", error.text);
    return status;
}
