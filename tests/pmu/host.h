// SPDX-License-Identifier: Apache-2.0
/*
 * A synthetic out-of-order hart, as tally_pmu sees one: it decodes up to decode_w instructions a cycle, and
 * each of them is dispatched in order, issued and completed in any order, and retires in order, traps or is
 * flushed. It follows the one that the unit has tagged, and reports on it as a hart does; and it writes
 * the unit's records to a memory and translates for it. It keeps the rules of docs/integration.md for a host,
 * everything else is random.
 *
 * A cycle has two halves: inputs that do not depend on the unit's answers (host_next), then the others
 * (host_react).
 */
#ifndef PMU_HOST_H
#define PMU_HOST_H

#include "random.h"
#include "tally_pmu_model.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { HOST_ROOM = 32 };

struct host {
    struct insn {
        bool tagged, dispatched, issued, completed, was_oldest;
        bool traps; /* instead of retiring */
        uint8_t type, mode;
        uint64_t pc;
    } queue[HOST_ROOM]; /* decoded and not ended, the oldest first */
    unsigned used;
    unsigned freeze; /* cycles in which nothing moves */
    enum host_flush { FLUSH_NONE, FLUSH_YOUNGER, FLUSH_TRAP, FLUSH_ALL } flush;
    unsigned words; /* of records: taken and not done */
    struct host_mood {
        unsigned decode; /* of 256: a lane has an instruction */
        unsigned move;   /* ... a stage is reached */
        unsigned flush, memory, translation, fault;
        unsigned other_mode; /* ... an instruction is decoded in another mode than that of the cycle */
    } mood;
};

void host_reset(struct host *h);
void host_next_mood(struct host *h, struct rng *rng);

/* in->decode but for the pcs, which the traffic has put there, like what in->track has beside its pulses. */
void host_next(struct host *h, const struct gp_config *cfg, struct rng *rng, struct gp_in *in);

/* Pulses of in->track, in->retire, in->rec_*, in->xlat_*, given what the unit shows: dec_sample, ret_max,
 * rec_valid, xlat_req. in->ev_retire of lanes that do not retire is cleared. */
void host_react(struct host *h, const struct gp_config *cfg, struct rng *rng, struct gp_in *in,
                const struct gp_out *out);

#ifdef __cplusplus
}
#endif
#endif
