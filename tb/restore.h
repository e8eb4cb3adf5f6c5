// SPDX-License-Identifier: Apache-2.0
/*
 * A checkpoint of the golden machine (docs/farm.md) goes on on the RTL.
 *
 * The file is read into a golden machine. Then the harts of the RTL, just out of reset, are held, and get its
 * state as a debugger's writes (held.h): CSRs by accesses that M-mode could make, in an order in which all of
 * them take, so the golden models of lockstep see them, too. Then their state is compared with the
 * file, field by field.
 */
#ifndef TALLY_RESTORE_H
#define TALLY_RESTORE_H

#include "held.h"
#include "machine.h"

struct restore;

/* Fills RAM, boot ROM and the host device. NULL after filling `error`. */
struct restore *restore_read(const char *path, struct machine *machine, const struct sim_ops *ops,
                             struct host_device *host, struct error *error);
void restore_free(struct restore *restore);

/* Into the machine just out of reset, which was created after restore_read(), and lockstep, which is attached
 * to it. `flags` are those of a run that is observed. Cycles begin with 0 afterwards; instructions go on from
 * the file's, all of them with hart 0. */
bool restore_put(struct restore *restore, struct sim *sim, struct lockstep *lockstep,
                 struct cycles *const *cycles, unsigned flags, struct error *error);

#endif
