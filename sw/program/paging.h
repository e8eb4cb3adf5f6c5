/* SPDX-License-Identifier: Apache-2.0 */
/* Sv39, each address translated to itself, in the largest pages that fit. */
#ifndef SW_PAGING_H
#define SW_PAGING_H

#include <stdbool.h>
#include <stdint.h>

enum { PAGE = 4096 };
enum paging_rights { PAGE_READ = 2, PAGE_WRITE = 4, PAGE_EXECUTE = 8, PAGE_USER = 16, PAGE_GLOBAL = 32 };

/* Map unmapped pages of [start, end), rounded to pages. False: not enough tables. */
bool paging_map(uint64_t start, uint64_t end, unsigned rights);
void paging_on(void);

#endif
