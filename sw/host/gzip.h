/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TALLY_GZIP_H
#define TALLY_GZIP_H

#include "buffer.h"

/* Append `in`, compressed with gzip. */
void gzip(struct buffer *out, const struct buffer *in);

#endif
