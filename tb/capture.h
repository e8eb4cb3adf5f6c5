// SPDX-License-Identifier: Apache-2.0
/*
 * Checkpoints of a run on the RTL (docs/farm.md): harts, units and memory are the golden models' of lockstep,
 * devices are read from the RTL. A golden machine is filled with them and written as tally-iss writes it. Two
 * harts have memory in common, whose order is the RTL's: they are held until their stores are in its RAM.
 */
#ifndef TALLY_CAPTURE_H
#define TALLY_CAPTURE_H

#include "cycles.h"
#include "lockstep.h"
#include "options.h"

struct capture;

/* NULL after filling `error`. `cycles`: of each hart, or NULL */
struct capture *capture_open(const struct machine *machine, const struct options *options, struct sim *sim,
                             struct lockstep *lockstep, struct cycles *const *cycles,
                             struct host_device *host, struct error *error);
void capture_free(struct capture *capture);

/* The program prints a byte. */
void capture_printed(struct capture *capture, uint8_t byte);

/* From the observer, behind lockstep_cycle(); `event`: an instruction retires, or a trap is taken. True: a
 * checkpoint is due. Stop before the clock edge of this cycle, and call capture_write(). */
bool capture_cycle(struct capture *capture, unsigned hart, const struct sim_probe *event);

/* Write due files, if the machine is between two instructions; otherwise they stay due. Runs the machine,
 * with these flags: over the clock edge, or while two harts are held. What has stopped it is in `stop`:
 * SIM_EXIT or SIM_OBSERVER, or why the machine stopped: run on. */
bool capture_write(struct capture *capture, unsigned flags, enum sim_stop *stop, struct error *error);

/* At the end; false also if a condition has not come. */
bool capture_end(struct capture *capture, struct error *error);

#endif
