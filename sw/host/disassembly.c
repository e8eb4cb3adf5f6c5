/* SPDX-License-Identifier: Apache-2.0 */
#include "disassembly.h"

#include "buffer.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* Run it and collect its output, with a 0 behind. */
static bool run(const char *objdump, const char *program, uint64_t begin, uint64_t end, struct buffer *output,
                struct error *error) {
    char from[48], to[48];
    const bool all = begin == end;
    char *const argv[] = {(char *)objdump,
                          "-d",
                          "--no-show-raw-insn",
                          "-M",
                          "no-aliases,numeric",
                          all ? "--" : from,
                          all ? (char *)program : to,
                          all ? NULL : "--",
                          (char *)program,
                          NULL};
    snprintf(from, sizeof from, "--start-address=0x%" PRIx64, begin);
    snprintf(to, sizeof to, "--stop-address=0x%" PRIx64, end);
    posix_spawn_file_actions_t actions;
    int ends[2], status = 0;
    pid_t child;
    if (pipe(ends) != 0)
        return error_set(error, "%s: %s", objdump, strerror(errno));
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
    posix_spawn_file_actions_addclose(&actions, ends[0]);
    posix_spawn_file_actions_addclose(&actions, ends[1]);
    const int failed = posix_spawnp(&child, objdump, &actions, NULL, argv, environ);
    posix_spawn_file_actions_destroy(&actions);
    close(ends[1]);
    if (failed) {
        close(ends[0]);
        return error_set(error, "%s: %s: install binutils for RISC-V, or name its objdump with --objdump",
                         objdump, strerror(failed));
    }
    for (;;) {
        char part[4096];
        const ssize_t n = read(ends[0], part, sizeof part);
        if (n == 0 || (n < 0 && errno != EINTR))
            break;
        buffer_add(output, part, n > 0 ? (size_t)n : 0);
    }
    close(ends[0]);
    while (waitpid(child, &status, 0) < 0 && errno == EINTR)
        ;
    buffer_zeros(output, 1);
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
        return error_set(error, "%s: cannot disassemble %s", objdump, program);
    return true;
}

/* A line is "    80000000:\tlui\tx5,0x1": the address, a colon, a tab, the text. */
static bool parse_line(char *line, struct instruction *to) {
    char *end;
    if (!isblank((unsigned char)*line))
        return false;
    to->address = strtoull(line, &end, 16);
    if (end == line || end[0] != ':' || end[1] != '\t')
        return false;
    to->text = end + 2;
    for (char *c = end + 2; *c; c++) {
        if (*c == '\t')
            *c = ' ';
    }
    return true;
}

bool disassembly_read(struct disassembly *d, const char *objdump, const struct program *program,
                      uint64_t begin, uint64_t end, struct error *error) {
    const uint64_t bias = program_bias(program);
    const char *path = program_path(program);
    struct buffer output = {0};
    size_t room = 0;
    *d = (struct disassembly){0};
    if (!run(objdump, path, begin - bias, end - bias, &output, error)) {
        buffer_free(&output);
        return false;
    }
    d->text = (char *)output.bytes;
    for (char *line = d->text, *next; line && *line; line = next) {
        struct instruction i;
        next = strchr(line, '\n');
        if (next)
            *next++ = 0;
        if (!parse_line(line, &i))
            continue;
        if (d->n == room)
            d->list = resize(d->list, room = room * 2 + 64, sizeof *d->list);
        i.address += bias;
        d->list[d->n++] = i;
    }
    if (d->n == 0) {
        disassembly_free(d);
        return error_set(error, "%s: found no instructions in %s", objdump, path);
    }
    return true;
}

void disassembly_free(struct disassembly *d) {
    free(d->list);
    free(d->text);
    *d = (struct disassembly){0};
}
