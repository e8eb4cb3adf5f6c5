// SPDX-License-Identifier: Apache-2.0
/* A log of the pipeline for the viewer Konata (format Kanata 0004): an instruction a line, from decode to its
 * end. */
#ifndef TALLY_KONATA_H
#define TALLY_KONATA_H

#include "error.h"
#include "sim.h"
#include "symbols.h"

struct konata;

/* NULL after filling `error`. */
struct konata *konata_open(const char *path, const struct symbols *symbols, struct error *error);
/* One cycle of one hart; `event` NULL: nothing retires or traps. */
void konata_cycle(struct konata *k, uint64_t cycle, unsigned hart, const struct track_in *in,
                  const struct sim_probe *event);
/* false: not everything could be written. */
bool konata_close(struct konata *k);

#endif
