/* SPDX-License-Identifier: Apache-2.0 */
#include "copies.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* The folder made absolute, for the file itself may not be there yet. NULL: there is no such folder. */
static char *absolute(const char *path) {
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    char *folder = slash ? strndup(path, (size_t)(slash - path) + 1) : strdup(".");
    char *real = folder ? realpath(folder, NULL) : NULL, *whole = NULL;
    if (real && asprintf(&whole, "%s/%s", strcmp(real, "/") == 0 ? "" : real, name) < 0)
        whole = NULL;
    free(folder);
    free(real);
    return whole;
}

static bool is_taken(const struct copies *c, const char *path, const char *const *taken, size_t n) {
    bool same = false;
    for (size_t i = 0; i < n && !same; i++) {
        char *other = absolute(taken[i]);
        same = other && strcmp(other, path) == 0;
        free(other);
    }
    for (size_t i = 0; i + 1 < c->n && !same; i++)
        same = strcmp(c->list[i].path, path) == 0;
    return same;
}

bool copies_make(struct copies *c, struct program *program, const char *beside, const char *const *taken,
                 size_t taken_n, struct error *error) {
    for (struct program *file = program; file; file = program_next(file)) {
        struct buffer bytes = {0};
        if (!program_without_mapping(file, &bytes))
            continue;
        c->list = resize(c->list, c->n + 1, sizeof *c->list);
        struct copy *copy = &c->list[c->n++];
        *copy = (struct copy){bytes, absolute(beside)};
        if (!copy->path)
            return error_set(error, "%s: %s", beside, strerror(errno));
        const char *name = strrchr(program_path(file), '/') + 1;
        const size_t length = strlen(copy->path);
        copy->path = resize(copy->path, length + strlen(name) + sizeof ".", 1);
        sprintf(copy->path + length, ".%s", name);
        if (is_taken(c, copy->path, taken, taken_n))
            return error_set(error, "%s: is another file, and would hold a copy of %s", copy->path,
                             program_path(file));
        program_set_copy_path(file, copy->path);
    }
    return true;
}

bool copies_write(struct copies *c, struct error *error) {
    for (size_t i = 0; i < c->n; i++) {
        if (!buffer_write(&c->list[i].bytes, c->list[i].path, error))
            return false;
    }
    return true;
}

void copies_free(struct copies *c) {
    for (size_t i = 0; i < c->n; i++) {
        buffer_free(&c->list[i].bytes);
        free(c->list[i].path);
    }
    free(c->list);
}
