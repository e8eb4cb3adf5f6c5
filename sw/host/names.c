/* SPDX-License-Identifier: Apache-2.0 */
#include "names.h"

#include "buffer.h"

#include <stdlib.h>
#include <string.h>

static size_t slot_of(const struct names *names, const char *text) {
    size_t hash = 2166136261u;
    for (const char *c = text; *c; c++)
        hash = (hash ^ (unsigned char)*c) * 16777619u;
    hash &= names->table_n - 1;
    while (names->table[hash] && strcmp(names->list[names->table[hash] - 1], text) != 0)
        hash = (hash + 1) & (names->table_n - 1);
    return hash;
}

static void grow(struct names *names) {
    names->room = names->room ? names->room * 2 : 64;
    names->list = resize(names->list, names->room, sizeof *names->list);
    free(names->table);
    names->table_n = 4 * names->room;
    names->table = resize(NULL, names->table_n, sizeof *names->table);
    memset(names->table, 0, names->table_n * sizeof *names->table);
    for (size_t i = 0; i < names->n; i++)
        names->table[slot_of(names, names->list[i])] = i + 1;
}

size_t names_number(struct names *names, const char *text) {
    if (names->n == names->room)
        grow(names);
    const size_t slot = slot_of(names, text);
    if (!names->table[slot]) {
        names->list[names->n++] = text;
        names->table[slot] = names->n;
    }
    return names->table[slot] - 1;
}

void names_free(struct names *names) {
    free(names->list);
    free(names->table);
}
