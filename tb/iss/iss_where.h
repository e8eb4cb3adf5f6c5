// SPDX-License-Identifier: Apache-2.0
/* tally-iss --where: how often each instruction retired, in the form of tally-sim's (docs/profile.md). */
#ifndef TALLY_ISS_WHERE_H
#define TALLY_ISS_WHERE_H

#include "iss_checkpoints.h"
#include "iss_machine.h"
#include "machine.h"
#include "places.h"

struct iss_where {
    struct places hart[SOC_HARTS_MAX];
};

/* NULL if memory is short */
struct iss_where *iss_where_new(unsigned harts);
void iss_where_free(struct iss_where *where);

/* After a cycle, for the harts that moved. Checkpoints of new code are written; false: `error` says why one
 * is not. */
bool iss_where_cycle(struct iss_where *where, unsigned moved, const struct gh_retire *step,
                     struct iss_checkpoints *checkpoints, struct error *error);

bool iss_where_write(const struct iss_where *where, const struct machine *machine,
                     const struct options *options, unsigned time_ratio, struct error *error);

#endif
