// SPDX-License-Identifier: Apache-2.0
/* Instruction trace: one line for each retired instruction and each trap. */
#ifndef TALLY_TRACE_H
#define TALLY_TRACE_H

#include "error.h"
#include "sim.h"

struct trace;

struct trace *trace_open(const char *path, struct error *error);
void trace_event(struct trace *trace, uint64_t cycle, unsigned hart, const struct sim_probe *event);
/* false: not everything could be written */
bool trace_close(struct trace *trace);

/* One event as a line without newline; also used to report differences. Returns `text`. */
const char *trace_line(char *text, size_t size, uint64_t cycle, unsigned hart, const struct sim_probe *event);

#endif
