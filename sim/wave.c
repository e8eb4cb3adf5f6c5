/* SPDX-License-Identifier: Apache-2.0 */
/* tally-wave: the contents of a wave file, and the differences between two. Used by scripts/waves.py and by
 * hand. */
#include "wave_diff.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STATUS_FAILED = 2 };

static int usage(FILE *out, int status) {
    fputs("usage: tally-wave list FILE                       every signal's name\n"
          "       tally-wave values FILE NAME...             their values, a line for each change: TIME "
          "NUMBER HEX\n"
          "       tally-wave diff A B [--ignore PATTERN]...  the first difference\n\n"
          "FILE, A and B are FST files. diff compares the signals that both have over the time that both "
          "cover; names\n"
          "that match a pattern (as of a shell) are left out. Exit status of diff: 0 no difference, 1 a "
          "difference,\n"
          "2 bad input.\n",
          out);
    return status;
}

static int list(struct wave *wave) {
    for (size_t i = 0; i < wave->n; i++)
        puts(wave->list[i].name);
    return EXIT_SUCCESS;
}

/* A requested signal; several may have the same handle */
struct name {
    const struct wave_signal *signal;
};

struct asked {
    size_t n;
    struct name *name;
    char *text;
};

static void print_value(void *ctx, uint64_t time, uint32_t handle, const char *value) {
    const struct asked *asked = ctx;
    for (size_t i = 0; i < asked->n; i++) {
        if (asked->name[i].signal->handle != handle)
            continue;
        wave_hex(asked->text, value, asked->name[i].signal->width);
        printf("%" PRIu64 " %zu %s\n", time, i, asked->text);
    }
}

static const struct wave_signal *find(const struct wave *wave, const char *name) {
    for (size_t i = 0; i < wave->n; i++) {
        if (strcmp(wave->list[i].name, name) == 0)
            return &wave->list[i];
    }
    return NULL;
}

static bool values(struct wave *wave, char **names, size_t n, struct error *error) {
    struct asked asked = {n, calloc(n, sizeof *asked.name), NULL};
    bool *wanted = calloc(wave->handles, sizeof *wanted);
    uint32_t widest = 1;
    bool ok = asked.name && wanted;
    if (!ok)
        error_set(error, "not enough memory");
    for (size_t i = 0; ok && i < n; i++) {
        const struct wave_signal *signal = find(wave, names[i]);
        if (!signal) {
            ok = error_set(error, "%s: no signal %s", wave->path, names[i]);
            break;
        }
        asked.name[i].signal = signal;
        wanted[signal->handle] = true;
        if (signal->width > widest)
            widest = signal->width;
    }
    ok = ok && ((asked.text = malloc(widest + 1)) || error_set(error, "not enough memory"));
    ok = ok && wave_read(wave, wanted, print_value, &asked, error);
    free(asked.name);
    free(asked.text);
    free(wanted);
    return ok;
}

static int diff(struct wave *a, char **arguments, int n, struct error *error) {
    const char **ignore = malloc(((size_t)n + 1) * sizeof *ignore);
    struct wave_diff_options options = {ignore, 0};
    enum wave_diff result = WAVE_FAILED;
    struct wave b;
    for (int i = 1; ignore && i + 1 < n; i += 2)
        ignore[options.ignored++] = arguments[i + 1];
    if (ignore && wave_open(&b, arguments[0], error)) {
        result = wave_diff(a, &b, &options, error);
        wave_close(&b);
    }
    free(ignore);
    return result == WAVE_FAILED ? STATUS_FAILED : result == WAVE_DIFFERENT;
}

static bool ignores_only(char **arguments, int n) {
    for (int i = 0; i < n; i += 2) {
        if (strcmp(arguments[i], "--ignore") != 0 || i + 1 == n)
            return false;
    }
    return true;
}

int main(int argc, char **argv) {
    struct error error = {""};
    struct wave wave;
    int status = STATUS_FAILED;
    const char *command = argc > 2 ? argv[1] : "";
    const bool is_list = strcmp(command, "list") == 0 && argc == 3,
               is_values = strcmp(command, "values") == 0 && argc > 3;
    const bool is_diff = strcmp(command, "diff") == 0 && argc > 3 && ignores_only(argv + 4, argc - 4);
    if (argc == 2 && strcmp(argv[1], "--help") == 0)
        return usage(stdout, EXIT_SUCCESS);
    if (!is_list && !is_values && !is_diff)
        return usage(stderr, STATUS_FAILED);
    if (wave_open(&wave, argv[2], &error)) {
        if (is_list)
            status = list(&wave);
        else if (is_values)
            status = values(&wave, argv + 3, (size_t)argc - 3, &error) ? EXIT_SUCCESS : STATUS_FAILED;
        else
            status = diff(&wave, argv + 3, argc - 3, &error);
        wave_close(&wave);
    }
    if (*error.text)
        fprintf(stderr, "tally-wave: %s\n", error.text);
    return status;
}
