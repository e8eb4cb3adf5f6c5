/* SPDX-License-Identifier: Apache-2.0 */
/* The file of tally-sim --where: the cycles of each instruction (docs/profile.md). */
#ifndef TALLY_WHERE_H
#define TALLY_WHERE_H

#include "records.h"

bool where_is(const uint8_t *bytes, size_t size);
/* Into r, which has its path and no records. */
bool where_read(struct records *r, const char *name, const uint8_t *bytes, size_t size, struct error *error);

#endif
