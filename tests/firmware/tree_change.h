/* SPDX-License-Identifier: Apache-2.0 */
/* Device trees broken at random: the same ones for a seed. */
#ifndef TREE_CHANGE_H
#define TREE_CHANGE_H

#include <stddef.h>
#include <stdint.h>

void tree_random_seed(uint64_t seed);
uint32_t tree_random_below(uint32_t n);

enum { TREE_MORE = 4096 };

/* A few nodes and properties of a tree are copied to other places, renamed, or become gaps. The blob has room
 * for TREE_MORE bytes more; returns its size now. The tree is whole before, and most often still is. */
size_t tree_rearrange(unsigned char *blob, size_t size);

/* A few changes in `size` bytes; returns how many of them are left, most often all. */
size_t tree_change(unsigned char *blob, size_t size);

#endif
