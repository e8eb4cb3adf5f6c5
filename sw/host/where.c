/* SPDX-License-Identifier: Apache-2.0 */
/* The file of tally-sim --where: the cycles of each instruction (docs/profile.md). */
#include "where.h"

#include "buffer.h"

#include <ctype.h>
#include <errno.h>
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

/* The next number of a line, behind a blank or at its start */
static bool take(const char **at, int base, uint64_t *value) {
    char *end;

    *at += **at == ' ';
    if (!isxdigit((unsigned char)**at))
        return false;
    errno = 0;
    *value = strtoull(*at, &end, base);
    if (errno || (*end && *end != ' '))
        return false;
    *at = end;
    return true;
}

/* "where 1 CORE_HZ TIME_HZ BUILD_ID NAME" */
static bool read_head(struct records *r, const char *line) {
    char id[2 * BUILD_ID_MAX + 2];
    const char *at = line + sizeof head - 1;
    uint64_t version;

    if (strncmp(line, head, sizeof head - 1) != 0 || !take(&at, 10, &version) || version != 1 ||
        !take(&at, 10, &r->core_clock) || !take(&at, 10, &r->time_clock) || *at++ != ' ')
        return false;
    const size_t n = strcspn(at, " "), named = strnlen(at + n, sizeof r->name);
    if (!n || n >= sizeof id || named < 2)
        return false;
    memcpy(id, at, n);
    id[n] = 0;
    memcpy(r->name, at + n + 1, named - 1);
    r->name[named - 1] = 0;
    return r->core_clock && r->time_clock && read_build_id(r, id);
}

/* "pc HART MODE 0xPC CYCLES ..." */
static bool read_place(struct records *r, const char *line, size_t *room) {
    const char *at = line + sizeof "pc" - 1;
    uint64_t hart, mode;
    struct place_cycles w;

    if (!take(&at, 10, &hart) || !take(&at, 10, &mode) || !take(&at, 16, &w.pc) ||
        !take(&at, 10, &w.cycles) || mode > MODE_OF_M || !(MODES >> mode & 1) || w.pc & 1)
        return false;
    if (!w.cycles)
        return true;
    if (r->n == *room)
        r->where = resize(r->where, *room = *room * 2 + 1024, sizeof *r->where);
    r->where[r->n++] = w;
    r->modes |= 1u << mode;
    return true;
}

/* Lines of the file that say nothing of an instruction */
static bool is_other(const char *line) {
    static const char *const kinds[] = {"event ", "cycle ", "latency ", "sampled ", "window "};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (strncmp(line, kinds[i], strlen(kinds[i])) == 0)
            return true;
    return false;
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
                                                : is_other(line);
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
