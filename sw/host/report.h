/* SPDX-License-Identifier: Apache-2.0 */
/* The profile as text. */
#ifndef TALLY_REPORT_H
#define TALLY_REPORT_H

#include "buffer.h"
#include "disassembly.h"
#include "profile.h"

/* Summary and tables of at most `top` lines each; latency histograms of as many pcs as `histograms` says. */
void report_tables(struct buffer *out, const struct profile *p, unsigned top, unsigned histograms);

/* One line: the `top` functions with most samples. */
void report_brief(struct buffer *out, const struct profile *p, unsigned top);

/* Every function that has samples, or only `function`, instruction by instruction. False: that function has
 * none. */
bool report_annotated(struct buffer *out, const struct profile *p, const struct disassembly *d,
                      const char *function, struct error *error);

#endif
