/* SPDX-License-Identifier: Apache-2.0 */
/* The formats that other tools read; each into a buffer. */
#ifndef TALLY_EXPORT_H
#define TALLY_EXPORT_H

#include "buffer.h"
#include "profile.h"

/* perf.data of Linux: perf report, perf annotate, perf script. `event` is the event of the overflows. The
 * records are read once more. */
void export_perf(struct buffer *out, struct run *run, const char *event);
/* profile.proto of pprof, compressed with gzip; if there are `callers`, theirs are the stacks and weights. */
void export_pprof(struct buffer *out, const struct profile *p, const struct callers *callers);
/* speedscope's JSON. */
void export_speedscope(struct buffer *out, const struct profile *p);
/* One page of all runs that needs nothing else; `compare`: it begins with the first two beside each other.
 * `objdump`: for the disassembly, NULL: there is none. */
void export_html(struct buffer *out, struct run *runs, size_t n, bool compare, const char *objdump);

#endif
