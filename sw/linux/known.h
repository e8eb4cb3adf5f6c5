/* SPDX-License-Identifier: Apache-2.0 */
/* known.S */
#ifndef KNOWN_H
#define KNOWN_H

typedef void known_code(long n, void *memory);

known_code known_branches, known_loads, known_stores, known_misses, known_pages, known_misaligned, hot_spots;
extern char hot_a[], hot_a_end[], hot_b[], hot_b_end[];

#define KNOWN_MEMORY (1 << 20) /* bytes that the functions may touch */

#endif
