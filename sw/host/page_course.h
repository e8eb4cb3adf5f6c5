/* SPDX-License-Identifier: Apache-2.0 */
/* A profile in the course of its run, and its memory, as JSON. */
#ifndef TALLY_PAGE_COURSE_H
#define TALLY_PAGE_COURSE_H

#include "buffer.h"
#include "names.h"
#include "profile.h"

/* "timeline":..., "memory":...; the records are read once more. */
void page_course(struct buffer *out, struct run *run, const struct profile *p, struct names *names);

#endif
