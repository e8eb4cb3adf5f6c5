/* SPDX-License-Identifier: Apache-2.0 */
/*
 * libFuzzer target: any file of records is refused with one line, or makes a profile whose
 * parts add up, and every report and export of it. The program is the one named by TALLY_PROFILE_PROGRAM.
 */
#include "diff.h"
#include "export.h"
#include "report.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void expect(bool ok) {
    if (!ok)
        abort();
}

/* Returns how many samples it has, with those that are left out */
static uint64_t check_sums(const struct profile *p) {
    uint64_t spots = 0, functions = 0, lines = 0, left_out = 0;
    for (size_t i = 0; i < p->spots_n; i++) {
        expect(p->spots[i].frames_n >= 1 && p->spots[i].frames_n <= FRAMES_MAX);
        spots += p->spots[i].counts.samples;
    }
    for (size_t i = 0; i < p->functions_n; i++)
        functions += p->functions[i].counts.samples;
    for (size_t i = 0; i < p->lines_n; i++)
        lines += p->lines[i].counts.samples;
    for (size_t i = 0; i < p->left_out_n; i++)
        left_out += p->left_out[i].samples;
    expect(functions == spots && lines == spots && p->all.samples == spots);
    return spots + left_out;
}

static void check_exports(struct run *run) {
    struct buffer out = {0};
    export_perf(&out, run, "cycles");
    expect(out.size > 0);
    buffer_free(&out);
    export_html(&out, run, 1, false, NULL);
    expect(out.size > 0);
    buffer_free(&out);
    for (size_t i = 0; i < run->n; i++) {
        report_tables(&out, &run->profiles[i], 20, 5);
        diff_tables(&out, &run->profiles[i], &run->profiles[0], 20);
        buffer_free(&out);
        export_pprof(&out, &run->profiles[i], &run->callers);
        expect(out.size > 0);
        buffer_free(&out);
        export_speedscope(&out, &run->profiles[i]);
        expect(out.size > 0);
        buffer_free(&out);
    }
}

/* False: a record is bad. */
static bool profile(struct run *run, struct error *error) {
    uint64_t samples = 0;
    if (!run_read(run, error))
        return false;
    for (size_t i = 0; i < run->n; i++) {
        const uint64_t of_profile = check_sums(&run->profiles[i]);
        samples += run->profiles[i].interrupted ? 0 : of_profile;
    }
    expect(run->n > 0 && samples == run->profiles[0].read);
    check_exports(run);
    run_free_profiles(run);
    return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static struct program
        *program; /* records of RV32 are shown with it too: it makes no difference to them */
    struct run run = {.n = 0};
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
    run.program = program;
    run.interrupts = true;
    bool good = records_view(&run.records, "fuzz", copy, size, &error);
    if (good && !program_fits(program, &run.records, &error))
        expect(*error.text && !strchr(error.text, '\n'));
    good = good && profile(&run, &error);
    if (!good)
        expect(*error.text && !strchr(error.text, '\n') && run.n == 0);
    free(copy);
    return 0;
}
