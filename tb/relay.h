// SPDX-License-Identifier: Apache-2.0
/*
 * Passes a machine's signals to observers on a thread of their own: golden models and oracles run there
 * while the machine goes on. They see the same cycles in the same order, at most RELAY_LAG cycles later; a
 * full queue stalls the machine. If the machine acts on their answers, or both are read together, it must
 * not run ahead: relay_stop() first.
 */
#ifndef TALLY_RELAY_H
#define TALLY_RELAY_H

#include "error.h"
#include "sim.h"

enum { RELAY_BATCHES = 4, RELAY_BATCH = 1024, RELAY_LAG = RELAY_BATCHES * RELAY_BATCH /* cycles */ };

struct relay;

/* As sim_observer.cycle, on the other thread. Of `seen`, the machine in that cycle, there are: harts, cycle,
 * retired, RAM's size, flow, track, and the CSRs that lockstep_reads_csrs() announces. */
typedef bool relay_receiver(void *ctx, struct sim *seen, unsigned hart, const struct sim_probe *event,
                            const struct gp_in *pmu_in, const struct gp_out *pmu_out);

/* NULL after filling `error`. */
struct relay *relay_new(struct sim *sim, relay_receiver *receiver, void *ctx, struct error *error);
void relay_free(struct relay *relay); /* NULL is allowed */

/* Between two cycles: from the next one on they are handed over. False: there can be no thread. */
bool relay_start(struct relay *relay);
/* Between two cycles: wait until the receiver has seen them all. False: it has refused one, and seen nothing
 * more. */
bool relay_stop(struct relay *relay);
bool relay_runs(const struct relay *relay); /* NULL: no */

/* One cycle of one hart, with SIM_PMU. False: the receiver has refused one. */
bool relay_put(struct relay *relay, unsigned hart, const struct sim_probe *event, const struct gp_in *pmu_in,
               const struct gp_out *pmu_out);

/* The machine that the receiver is given; after relay_stop() in its state behind the cycle that was
 * refused */
struct sim *relay_seen(struct relay *relay);

#endif
