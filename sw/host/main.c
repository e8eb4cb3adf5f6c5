/* SPDX-License-Identifier: Apache-2.0 */
/* tally-profile: what sample records say about a program; docs/profile.md. */
#include "disassembly.h"
#include "export.h"
#include "file.h"
#include "report.h"

#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

/* What is wrong when the exit status is not 0. */
enum status { OK, NO_OUTPUT = 1, BAD_OPTIONS, BAD_RECORDS, BAD_PROGRAM, NO_DISASSEMBLY };

enum { EXPORTS = 4, RECORDS_LIMIT_GIB = 1 };

static const struct exporter {
    const char *name;
    void (*make)(struct buffer *out, const struct profile *p);
} exporters[EXPORTS] = {
    {"perf", export_perf}, {"pprof", export_pprof}, {"speedscope", export_speedscope}, {"html", export_html}};

struct options {
    const char *records, *program, *export[EXPORTS], *objdump, *function;
    unsigned top, histograms;
    bool annotate, quiet;
};

static const char usage[] =
    "usage: tally-profile [options] RECORDS PROGRAM\n"
    "RECORDS is a file of sample records, PROGRAM the ELF file, with DWARF, that was sampled.\n"
    "  --perf FILE        write a perf.data for perf report, perf annotate, perf script\n"
    "  --pprof FILE       write a profile for pprof\n"
    "  --speedscope FILE  write a profile for speedscope\n"
    "  --html FILE        write a page with flame graph and latency plots\n"
    "  --top N            lines a table (20)\n"
    "  --latencies N      histograms of the N hottest instructions (5)\n"
    "  --annotate[=NAME]  disassemble the functions that have samples, or this one\n"
    "  --objdump COMMAND  objdump to disassemble with (riscv64-unknown-elf-objdump)\n"
    "  --quiet            no text, only files\n"
    "  --help             this text\n"
    "Exit status: 0 done, 1 an output cannot be written, 2 wrong options, 3 bad RECORDS, 4 bad PROGRAM,\n"
    "5 the disassembly failed. Unless it is 0 or 1 nothing has been written.\n";

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
        if (o->export[i] &&
            (strcmp(o->export[i], o -> records) == 0 || strcmp(o->export[i], o -> program) == 0))
            return !error_set(error, "%s: is an input and the file of --%s", o->export[i], exporters[i].name);
    }
    return false;
}

/* False with an empty error: --help. */
static bool parse(struct options *o, int argc, char **argv, struct error *error) {
    enum { TOP = EXPORTS, LATENCIES_N, ANNOTATE, OBJDUMP, QUIET, HELP };
    static const struct option known[] = {{"perf", required_argument, NULL, 0},
                                          {"pprof", required_argument, NULL, 1},
                                          {"speedscope", required_argument, NULL, 2},
                                          {"html", required_argument, NULL, 3},
                                          {"top", required_argument, NULL, TOP},
                                          {"latencies", required_argument, NULL, LATENCIES_N},
                                          {"annotate", optional_argument, NULL, ANNOTATE},
                                          {"objdump", required_argument, NULL, OBJDUMP},
                                          {"quiet", no_argument, NULL, QUIET},
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
        case QUIET:
            o->quiet = true;
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
    if (argc - optind != 2)
        return error_set(error, "two files are needed, records and program; there are %d; see --help",
                         argc - optind);
    o->records = argv[optind];
    o->program = argv[optind + 1];
    return !same_file_twice(o, error);
}

/* Everything is made before anything is written. */
static enum status write_all(const struct options *o, const struct profile *p, struct error *error) {
    struct buffer text = {0}, file[EXPORTS] = {{0}};
    struct disassembly d = {0};
    enum status status = OK;
    if (!o->quiet)
        report_tables(&text, p, o->top, o->histograms);
    if (o->annotate &&
        (!disassembly_read(&d, o->objdump, program_path(p->program), p->records->bias, error) ||
         !report_annotated(&text, p, &d, o->function, error)))
        status = NO_DISASSEMBLY;
    for (unsigned i = 0; status == OK && i < EXPORTS; i++) {
        if (o->export[i])
            exporters[i].make(&file[i], p);
    }
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
    disassembly_free(&d);
    return status;
}

static enum status run(const struct options *o, struct error *error) {
    struct file file;
    struct records records;
    struct profile profile;
    if (!file_read(&file, o->records, (uint64_t)RECORDS_LIMIT_GIB << 30, error))
        return BAD_RECORDS;
    const bool good = records_parse(&records, o->records, file.bytes, file.size, error);
    file_free(&file);
    if (!good)
        return BAD_RECORDS;
    enum status status = BAD_PROGRAM;
    struct program *program = program_open(o->program, records.xlen, records.bias, error);
    if (program) {
        profile_make(&profile, &records, program);
        status = write_all(o, &profile, error);
        profile_free(&profile);
        program_close(program);
    }
    records_free(&records);
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
