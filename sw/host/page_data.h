/* SPDX-License-Identifier: Apache-2.0 */
/* The page's data, as JSON (sw/host/page/data.js reads it). Names are numbers of `names`. */
#ifndef TALLY_PAGE_DATA_H
#define TALLY_PAGE_DATA_H

#include "buffer.h"
#include "names.h"
#include "profile.h"

/* Summary, spots, timeline and memory of one profile of the run; `pair` is the run's number. The records are
 * read once more. */
void page_profile(struct buffer *out, struct run *run, const struct profile *p, size_t pair,
                  struct names *names);

/* Lines of source files that the page shows */
struct sources;
struct sources *sources_new(void);
void sources_free(struct sources *s);
/* The functions that have most of the run's samples, instruction by instruction, as the value of a pair;
 * without `objdump` or if it fails, why there is nothing. */
void page_code(struct buffer *out, const struct run *run, const char *objdump, struct names *names,
               struct sources *sources);
/* The lines that functions and spots refer to, with some around them, of the files that can be read. */
void page_sources(struct buffer *out, struct sources *s, struct names *names);

#endif
