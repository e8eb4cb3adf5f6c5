/* SPDX-License-Identifier: Apache-2.0 */
/* Which physical memory the supervisor may share with the firmware (SBI section 3.2). */
#ifndef FW_MEMORY_MAP_H
#define FW_MEMORY_MAP_H

#include <stdbool.h>
#include <stdint.h>

/* Main memory: up to a few ranges; false if there is no room for another. */
bool memory_map_add(uint64_t base, uint64_t size);

/* The address pair of a shared-memory argument: true if all `size` bytes from there are main memory that
 * belongs to the supervisor; *at is then the address. Nothing wraps around. */
bool memory_map_shared(unsigned long lo, unsigned long hi, uint64_t size, uintptr_t *at);

#endif
