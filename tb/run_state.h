// SPDX-License-Identifier: Apache-2.0
/* The state of a run of tally-sim. */
#ifndef TALLY_RUN_STATE_H
#define TALLY_RUN_STATE_H

#include "capture.h"
#include "condition.h"
#include "cycles.h"
#include "debug.h"
#include "konata.h"
#include "latency.h"
#include "lockstep.h"
#include "machine.h"
#include "options.h"
#include "relay.h"
#include "restore.h"
#include "sample_log.h"
#include "sim.h"
#include "stacks.h"
#include "trace.h"

#include <stdio.h>
#include <time.h>

enum status { STATUS_USAGE = 2, STATUS_LOCKSTEP = 3, STATUS_MAX_CYCLES = 4, STATUS_INTERRUPTED = 130 };

struct ring;

struct run {
    struct options options;
    struct machine machine;
    struct host_device *host;
    struct sim *sim;
    struct lockstep *lockstep;
    struct oracle *oracle[SOC_HARTS_MAX]; /* of the event wires, with lockstep */
    struct crosses *crosses[SOC_HARTS_MAX];
    struct track *track[SOC_HARTS_MAX];     /* of the tagged instruction, with lockstep */
    struct cycles *cycles[SOC_HARTS_MAX];   /* attribution of cycles; with lockstep, if it can sample */
    struct latency *latency[SOC_HARTS_MAX]; /* of loads, with --where */
    struct relay
        *relay; /* to the thread on which these are, but for what needs them in line; NULL: all is in line */
    FILE *stream, *interrupts;
    uint64_t dice; /* xorshift: whether to tag */
    struct trace *trace;
    struct konata *konata;
    struct sample_log *sample_log;
    struct stacks *stacks[SOC_HARTS_MAX];
    struct debug *debug;
    struct condition from, to, stop; /* of the wave window; the end of the run */
    unsigned met; /* bit WATCH_x: the condition holds: its pc retires in this cycle, its text is printed */
    bool waving, waved; /* the window is open; was closed */
    struct ring *ring;  /* of --wave-last */
    bool repeats;       /* this is a copy of the run, which repeats it: nothing is printed */
    bool mismatch;
    bool unwritten;      /* an output file is not whole */
    uint64_t difference; /* the cycle behind it */
    struct timespec start;
    double progress_at; /* seconds since start */
    struct capture *capture;
    struct restore *restore;         /* until it is in the machine */
    bool counting;                   /* the warm-up is over */
    uint64_t before;                 /* instructions of the checkpoint that the run began with */
    uint64_t end_cycle, end_retired; /* when the program ended */
};

#endif
