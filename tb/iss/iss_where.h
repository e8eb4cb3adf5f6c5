// SPDX-License-Identifier: Apache-2.0
/* tally-iss --where: how often each instruction retired, in the form of tally-sim's (docs/profile.md). */
#ifndef TALLY_ISS_WHERE_H
#define TALLY_ISS_WHERE_H

#include "iss_checkpoints.h"
#include "iss_machine.h"
#include "machine.h"

enum { WHERE_PLACES = 32 /* of a block: addresses of 2 bytes each */ };

/* Instructions side by side, in a mode: code that runs meets the same block again and again. */
struct iss_where_block {
    uint64_t base;
    struct iss_where_place {
        uint64_t count;
        /* With --timed: where windows are a sample (without any: everywhere), and in them */
        uint64_t sampled_count, sampled_cycles;
        uint64_t window_count, window_cycles;
    } place[WHERE_PLACES];
    uint32_t known; /* bit i: instruction i is in the window of a checkpoint of new code */
    uint8_t mode;
    bool used;
};

/* What is foreseen for some instructions: of the instructions themselves, and of struct warm_seen */
#define ISS_WHERE_OWN(X) X(count) X(cycles) X(taken) X(loads) X(stores)
#define ISS_WHERE_SEEN(X) X(icache) X(dcache) X(itlb) X(dtlb) X(walks) X(mispredicted) X(resteered)
struct iss_where_sums {
#define SUM(what) uint64_t what;
    ISS_WHERE_OWN(SUM) ISS_WHERE_SEEN(SUM)
#undef SUM
};

struct iss_where {
    struct iss_where_table {
        struct iss_where_block *block, *last; /* a hash table that grows; where the hart is */
        size_t room, used;                    /* room: a power of 2 */
    } hart[SOC_HARTS_MAX];
    struct iss_where_sums sampled; /* of the instructions of which windows are a sample */
    struct iss_where_window {
        uint64_t name;
        struct iss_where_sums sums;
    } * window;
    size_t windows;
};

/* NULL if memory is short */
struct iss_where *iss_where_new(unsigned harts);
void iss_where_free(struct iss_where *where);

/* After a cycle, for the harts that moved; the `cycles` of each with --timed, else NULL. Checkpoints of new
 * code are written; false: `error` says why one is not. */
bool iss_where_cycle(struct iss_where *where, unsigned moved, const struct gh_retire *step,
                     const unsigned *cycles, struct iss_checkpoints *checkpoints, struct error *error);

bool iss_where_write(const struct iss_where *where, const struct machine *machine,
                     const struct options *options, unsigned time_ratio, struct error *error);

#endif
