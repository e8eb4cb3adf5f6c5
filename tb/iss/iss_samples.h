// SPDX-License-Identifier: Apache-2.0
/* Sampled instructions on the golden machine, whose instructions take a cycle each: the reports of hart
 * and bus to the unit (docs/integration.md), for one cycle. */
#ifndef TALLY_ISS_SAMPLES_H
#define TALLY_ISS_SAMPLES_H

#include "iss_hart.h"

/* Are instructions sampled, or is the buffer on? */
bool iss_samples_armed(const struct iss_hart *hart);

/* Before the unit is evaluated: the instruction is decoded. NULL: the hart waits. */
void iss_samples_decode(struct iss_hart *hart, const struct gh_retire *step);

/* After that, before the clock edge: if it is the sample, all reports of it. */
void iss_samples_report(struct iss_hart *hart, const struct gh_retire *step, const struct gp_out *out);

/* After the clock edge: the bus' answers, for the next cycle */
void iss_samples_answer(struct iss_hart *hart, const struct gp_out *out);

#endif
