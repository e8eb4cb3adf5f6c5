/* SPDX-License-Identifier: Apache-2.0 */
/* The page before and behind its data; the build makes it of sw/host/page. */
#ifndef TALLY_PAGE_PARTS_H
#define TALLY_PAGE_PARTS_H

#include <stddef.h>

extern const unsigned char page_before[], page_behind[];
extern const size_t page_before_size, page_behind_size;

#endif
