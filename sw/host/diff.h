/* SPDX-License-Identifier: Apache-2.0 */
/* Two runs compared, as text. */
#ifndef TALLY_DIFF_H
#define TALLY_DIFF_H

#include "profile.h"

/* Shares before and after of functions and lines, at most `top` of each, the largest change first, and how
 * large a change chance alone makes: of all samples that are 95 of 100 such changes. */
void diff_tables(struct buffer *out, const struct profile *before, const struct profile *after, unsigned top);

#endif
