// SPDX-License-Identifier: Apache-2.0
/*
 * What the unit's sampling does, as its ports show it: the instructions that it selects, and the records that
 * it writes to memory. Software that takes samples is judged by it (tests/linux/test_samples.py).
 */
#ifndef TALLY_SAMPLE_LOG_H
#define TALLY_SAMPLE_LOG_H

#include "error.h"
#include "tally_pmu_model.h"

struct sample_log;

/* A file of lines, numbers in hexadecimal but for the first two:
 *   sample CYCLE HART PC           decode shows the instruction at PC, and the unit selects it
 *   record CYCLE HART ADDRESS W... all words of a record are in memory, at this physical address
 *   overflow CYCLE HART COUNTER PC the instruction at PC, which retires now, lets a counter wrap
 * NULL: an error */
struct sample_log *sample_log_open(const char *path, struct error *error);
/* One cycle of a hart, before the clock edge: its unit's ports */
void sample_log_cycle(struct sample_log *log, uint64_t cycle, unsigned hart, const struct gp_in *in,
                      const struct gp_out *out);
/* ... and with lockstep the golden one's; from another thread, its lines may come later than those of its
 * cycle. */
void sample_log_overflows(struct sample_log *log, uint64_t cycle, unsigned hart, const struct gp_in *in,
                          const struct gp_out *golden);
/* false: not everything could be written */
bool sample_log_close(struct sample_log *log);

#endif
