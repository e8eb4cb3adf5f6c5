/* SPDX-License-Identifier: Apache-2.0 */
/* What tally-sim --where writes: how many cycles each instruction took, all of them (docs/profile.md). */
#include "buffer.h"
#include "records.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LINE = 512, MODE_OF_M = 3 };
static const char head[] = "where ";

bool where_is(const uint8_t *bytes, size_t size) {
    return size >= sizeof head - 1 && memcmp(bytes, head, sizeof head - 1) == 0;
}

static bool read_build_id(struct records *r, const char *text) {
    char *end;
    if (strcmp(text, "-") == 0)
        return true;
    for (; *text; text += 2) {
        const char pair[3] = {text[0], text[1], 0};
        if (r->build_id_n == BUILD_ID_MAX)
            return false;
        r->build_id[r->build_id_n++] = (uint8_t)strtoul(pair, &end, 16);
        if (end != pair + 2)
            return false;
    }
    return true;
}

static bool read_head(struct records *r, const char *line) {
    char id[2 * BUILD_ID_MAX + 2];
    return sscanf(line, "where 1 %" SCNu64 " %" SCNu64 " %41s %255[^\n]", &r->core_clock, &r->time_clock, id,
                  r->name) == 4 &&
           r->core_clock && r->time_clock && read_build_id(r, id);
}

/* "pc HART MODE 0xPC CYCLES ..." */
static bool read_place(struct records *r, const char *line, size_t *room) {
    unsigned mode;
    struct place_cycles w;
    if (sscanf(line, "pc %*u %u %" SCNx64 " %" SCNu64, &mode, &w.pc, &w.cycles) != 3 || mode > MODE_OF_M ||
        !(MODES >> mode & 1) || w.pc & 1)
        return false;
    if (!w.cycles)
        return true;
    if (r->n == *room)
        r->where = resize(r->where, *room = *room * 2 + 1024, sizeof *r->where);
    r->where[r->n++] = w;
    r->modes |= 1u << mode;
    return true;
}

bool where_read(struct records *r, const char *name, const uint8_t *bytes, size_t size, struct error *error) {
    size_t room = 0;
    unsigned number = 0;
    for (size_t at = 0; at < size;) {
        char line[LINE];
        const uint8_t *end = memchr(bytes + at, '\n', size - at);
        const size_t n = end ? (size_t)(end - bytes) - at : size - at;
        bool ok = end && n < sizeof line && !memchr(bytes + at, 0, n);
        number++;
        if (ok) {
            memcpy(line, bytes + at, n);
            line[n] = 0;
            ok = number == 1                    ? read_head(r, line)
                 : strncmp(line, "pc ", 3) == 0 ? read_place(r, line, &room)
                                                : strncmp(line, "event ", 6) == 0;
        }
        if (!ok) {
            free(r->where);
            r->where = NULL;
            return error_set(error, "%s: line %u is not of tally-sim --where", name, number);
        }
        at += n + 1;
    }
    r->xlen = 64;
    r->period = 1;
    return r->n ? true : error_set(error, "%s: no cycles", name);
}
