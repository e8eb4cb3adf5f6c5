// SPDX-License-Identifier: Apache-2.0
/* A run of tally-sim: the machine, what watches it, and the conditions on which something happens. */
#ifndef TALLY_RUN_H
#define TALLY_RUN_H

#include "capture.h"
#include "condition.h"
#include "cycles.h"
#include "debug.h"
#include "konata.h"
#include "lockstep.h"
#include "machine.h"
#include "options.h"
#include "relay.h"
#include "restore.h"
#include "sim.h"
#include "stacks.h"
#include "trace.h"

#include <stdio.h>
#include <time.h>

enum status { STATUS_USAGE = 2, STATUS_LOCKSTEP = 3, STATUS_MAX_CYCLES = 4, STATUS_INTERRUPTED = 130 };

struct run {
    struct options options;
    struct machine machine;
    struct host_device *host;
    struct sim *sim;
    struct lockstep *lockstep;
    struct oracle *oracle[SOC_HARTS_MAX]; /* of the event wires, with lockstep */
    struct crosses *crosses[SOC_HARTS_MAX];
    struct track *track[SOC_HARTS_MAX];   /* of the tagged instruction, with lockstep */
    struct cycles *cycles[SOC_HARTS_MAX]; /* attribution of cycles; with lockstep, if it can sample */
    struct relay
        *relay; /* to the thread on which these are, but for what needs them in line; NULL: all is in line */
    FILE *stream, *interrupts;
    uint64_t dice; /* xorshift: whether to tag */
    struct trace *trace;
    struct konata *konata;
    struct stacks *stacks[SOC_HARTS_MAX];
    struct debug *debug;
    struct condition from, to, stop; /* of the wave window; the end of the run */
    unsigned met; /* bit WATCH_x: the condition holds: its pc retires in this cycle, its text is printed */
    bool waving, waved; /* the window is open; was closed */
    struct ring *ring;  /* of --wave-last */
    bool repeats;       /* this is a copy of the run, which repeats it: nothing is printed */
    bool mismatch;
    uint64_t difference; /* the cycle behind it */
    struct timespec start;
    double progress_at; /* seconds since start */
    struct capture *capture;
    struct restore *restore;         /* until it is in the machine */
    bool counting;                   /* the warm-up is over */
    uint64_t before;                 /* instructions of the checkpoint that the run began with */
    uint64_t end_cycle, end_retired; /* when the program ended */
};

double run_seconds(const struct run *run);   /* since it began */
uint64_t run_retired(const struct run *run); /* instructions of all harts */

/* struct sim_observer's, and the receiver of the console */
bool run_observe(void *run, unsigned hart, const struct sim_probe *event, const struct gp_in *pmu_in,
                 const struct gp_out *pmu_out);
bool run_printed(void *run, uint8_t byte);
/* relay_receiver: the golden models and the oracles */
bool run_check(void *run, struct sim *seen, unsigned hart, const struct sim_probe *event,
               const struct gp_in *pmu_in, const struct gp_out *pmu_out);

bool run_open_waves(struct run *run); /* false: `errno` says why */
void run_close_waves(struct run *run);
unsigned run_flags(struct run *run);                /* enum sim_flags that the run needs now */
int run_loop(struct run *run, struct error *error); /* until its end; returns the exit status */

#endif
