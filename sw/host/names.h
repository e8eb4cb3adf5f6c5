/* SPDX-License-Identifier: Apache-2.0 */
/* Strings that are numbered in the order in which they come. */
#ifndef TALLY_NAMES_H
#define TALLY_NAMES_H

#include <stddef.h>

struct names {
    const char **list; /* the caller's strings */
    size_t n, room;
    size_t *table, table_n;
};

size_t names_number(struct names *names, const char *text);
void names_free(struct names *names);

#endif
