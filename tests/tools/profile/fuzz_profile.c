/* SPDX-License-Identifier: Apache-2.0 */
/*
 * libFuzzer target: any file of records is refused with one line, or makes a profile whose
 * parts add up, and every report and export of it. The program is the one named by TALLY_PROFILE_PROGRAM.
 */
#include "export.h"
#include "report.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void expect(bool ok) {
    if (!ok)
        abort();
}

static void check_sums(const struct profile *p) {
    uint64_t spots = 0, functions = 0, lines = 0;
    for (size_t i = 0; i < p->spots_n; i++) {
        expect(p->spots[i].frames_n >= 1 && p->spots[i].frames_n <= FRAMES_MAX);
        spots += p->spots[i].counts.samples;
    }
    for (size_t i = 0; i < p->functions_n; i++)
        functions += p->functions[i].counts.samples;
    for (size_t i = 0; i < p->lines_n; i++)
        lines += p->lines[i].counts.samples;
    expect(spots == p->records->n && functions == spots && lines == spots && p->all.samples == spots);
}

static void profile(const struct records *records, struct program *program) {
    static void (*const exports[])(struct buffer *, const struct profile *) = {
        export_perf, export_pprof, export_speedscope, export_html};
    struct profile p;
    struct buffer out = {0};
    profile_make(&p, records, program);
    check_sums(&p);
    report_tables(&out, &p, 20, 5);
    for (unsigned i = 0; i < sizeof exports / sizeof *exports; i++) {
        buffer_free(&out);
        exports[i](&out, &p);
        expect(out.size > 0);
    }
    buffer_free(&out);
    profile_free(&p);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static struct program
        *program; /* records of RV32 are shown with it too: it makes no difference to them */
    struct records records;
    struct error error = {""};
    if (!program) {
        const char *path = getenv("TALLY_PROFILE_PROGRAM");
        program = path ? program_open(path, 64, 0, &error) : NULL;
        expect(program != NULL);
    }
    uint8_t *copy = malloc(size ? size : 1); /* of its own, so that reading beyond it is seen */
    if (!copy)
        return 0;
    memcpy(copy, data, size);
    const bool good = records_parse(&records, "fuzz", copy, size, &error);
    if (good && !program_fits(program, &records, &error))
        expect(*error.text && !strchr(error.text, '\n'));
    free(copy);
    if (good) {
        profile(&records, program);
        records_free(&records);
    } else {
        expect(*error.text && !strchr(error.text, '\n') && !records.samples);
    }
    return 0;
}
