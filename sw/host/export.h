/* SPDX-License-Identifier: Apache-2.0 */
/* The formats that other tools read; each into a buffer. */
#ifndef TALLY_EXPORT_H
#define TALLY_EXPORT_H

#include "buffer.h"
#include "profile.h"

/* perf.data of Linux: perf report, perf annotate, perf script. */
void export_perf(struct buffer *out, const struct profile *p);
/* profile.proto of pprof, compressed with gzip. */
void export_pprof(struct buffer *out, const struct profile *p);
/* speedscope's JSON. */
void export_speedscope(struct buffer *out, const struct profile *p);
/* One page with a flame graph and latency plots that needs nothing else. */
void export_html(struct buffer *out, const struct profile *p);
/* One page of several profiles, one below the other. */
void export_html_all(struct buffer *out, const struct profile *p, size_t n);

#endif
