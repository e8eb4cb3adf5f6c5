// SPDX-License-Identifier: Apache-2.0
#include "journal.h"

#include <stdlib.h>
#include <string.h>

struct record {
    uint64_t number;
    uint32_t kind, n; /* n bytes follow */
};

struct journal {
    uint8_t *at;
    size_t n, room;
    uint64_t forgotten; /* bytes before `at` */
    bool replays;
    size_t next[JOURNAL_KINDS];
};

struct journal *journal_new(void) {
    return calloc(1, sizeof(struct journal));
}

void journal_free(struct journal *j) {
    if (j)
        free(j->at);
    free(j);
}

bool journal_add(struct journal *j, enum journal_kind kind, uint64_t number, const void *bytes, size_t n) {
    const struct record record = {number, (uint32_t)kind, (uint32_t)n};
    const size_t size = sizeof record + n;
    if (j->n + size > j->room) {
        const size_t room = 2 * (j->n + size);
        uint8_t *at = realloc(j->at, room);
        if (!at)
            return false;
        j->at = at;
        j->room = room;
    }
    memcpy(j->at + j->n, &record, sizeof record);
    if (n)
        memcpy(j->at + j->n + sizeof record, bytes, n);
    j->n += size;
    return true;
}

uint64_t journal_position(const struct journal *j) { return j->forgotten + j->n; }

void journal_forget(struct journal *j, uint64_t position) {
    const size_t n = (size_t)(position - j->forgotten);
    if (!n)
        return;
    memmove(j->at, j->at + n, j->n - n);
    j->n -= n;
    j->forgotten = position;
}

const void *journal_from(const struct journal *j, uint64_t position, size_t *n) {
    const size_t skip = (size_t)(position - j->forgotten);
    *n = j->n - skip;
    return j->at + skip;
}

void journal_replay(struct journal *j, void *bytes, size_t n) {
    free(j->at);
    *j = (struct journal){.at = bytes, .n = n, .room = n, .replays = true};
}

bool journal_replays(const struct journal *j) { return j->replays; }

bool journal_next(struct journal *j, enum journal_kind kind, bool take, uint64_t *number,
                  const uint8_t **bytes, size_t *n) {
    size_t *at = &j->next[kind];
    while (*at < j->n) {
        struct record record;
        memcpy(&record, j->at + *at, sizeof record);
        const size_t size = sizeof record + record.n;
        if (record.kind == kind) {
            *number = record.number;
            *bytes = j->at + *at + sizeof record;
            *n = record.n;
            *at += take ? size : 0;
            return true;
        }
        *at += size;
    }
    return false;
}
