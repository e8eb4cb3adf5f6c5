// SPDX-License-Identifier: Apache-2.0
/*
 * Latencies of loads, by where their data came from: cycles from the first one in EX, of the address, to the
 * one in which the register gets the data. Waits for a translation are in them; so are loads on a wrong path
 * that end. LR is none. Plain C, without a simulator.
 */
#ifndef TALLY_LATENCY_H
#define TALLY_LATENCY_H

#include "track.h"

struct latency;

/* ram: physical range of cacheable memory. NULL if memory is short. */
struct latency *latency_new(uint64_t ram_base, uint64_t ram_size);
void latency_free(struct latency *latency);
void latency_clear(struct latency *latency); /* all counts become 0 */

void latency_cycle(struct latency *latency, const struct track_in *in);

/* One line for each source: "latency HART SOURCE LOADS CYCLES". MEM: the line was not in the cache. */
void latency_report(const struct latency *latency, unsigned hart, FILE *out);

#endif
