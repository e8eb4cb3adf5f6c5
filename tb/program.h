// SPDX-License-Identifier: Apache-2.0
/* The host device of a loaded machine: a program's access to the host (docs/host.md). */
#ifndef TALLY_PROGRAM_H
#define TALLY_PROGRAM_H

#include "host_device.h"
#include "machine.h"

/* `machine` and `options` must outlive it. NULL: `error` says why. */
struct host_device *program_host(const struct machine *machine, const struct options *options,
                                 bool (*print)(void *ctx, uint8_t byte), void *ctx, struct error *error);

#endif
