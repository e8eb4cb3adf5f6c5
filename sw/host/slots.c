/* SPDX-License-Identifier: Apache-2.0 */
#include "slots.h"

#include "file.h"

#include <string.h>

enum { LIMIT = 1 << 20 };

static const char *const names[SLOTS_N] = {"TOPDOWN.SLOTS", "TOPDOWN.RETIRING.SLOTS",
                                           "TOPDOWN.FRONTEND_BOUND.SLOTS", "TOPDOWN.BACKEND_BOUND.SLOTS",
                                           "TOPDOWN.BAD_SPECULATION.SLOTS"};

/* One line up to `end`; which of the names it has, SLOTS_N: none */
static unsigned line(const char *at, const char *end, uint64_t *count) {
    *count = 0;
    while (at < end && *at == ' ')
        at++;
    for (; at < end && ((*at >= '0' && *at <= '9') || *at == ','); at++)
        *count = *at == ',' ? *count : 10 * *count + (uint64_t)(*at - '0');
    while (at < end && *at == ' ')
        at++;
    for (unsigned i = 0; i < SLOTS_N; i++) {
        if ((size_t)(end - at) == strlen(names[i]) && memcmp(at, names[i], strlen(names[i])) == 0)
            return i;
    }
    return SLOTS_N;
}

bool slots_read(struct slots *s, const char *path, struct error *error) {
    struct file file;
    bool found[SLOTS_N] = {false};
    *s = (struct slots){.known = true};
    if (!file_read(&file, path, LIMIT, error))
        return false;
    const char *const text = (const char *)file.bytes, *const last = text + file.size;
    for (const char *at = text; at < last;) {
        const char *end = memchr(at, '\n', (size_t)(last - at));
        uint64_t count;
        end = end ? end : last;
        const unsigned which = line(at, end, &count);
        if (which < SLOTS_N) {
            s->n[which] = count;
            found[which] = true;
        }
        at = end + 1;
    }
    file_free(&file);
    for (unsigned i = 0; i < SLOTS_N; i++) {
        if (!found[i])
            return error_set(error, "%s: no count of %s", path, names[i]);
    }
    const uint64_t parts =
        s->n[SLOTS_RETIRING] + s->n[SLOTS_FRONTEND] + s->n[SLOTS_BACKEND] + s->n[SLOTS_RECOVERY];
    return parts <= s->n[SLOTS_ALL] || error_set(error, "%s: more slots in the parts than in all", path);
}
