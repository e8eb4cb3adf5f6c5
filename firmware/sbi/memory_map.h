/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which physical memory the supervisor may share with the firmware (SBI 3.0, 3.2), and every access to it.
 * Nothing else in the firmware follows a pointer that a supervisor gave.
 */
#ifndef FW_MEMORY_MAP_H
#define FW_MEMORY_MAP_H

#include <stdbool.h>
#include <stdint.h>

/* Main memory, as the device tree has it; bytes that do not answer are left out. A range too many is reported
 * and left out. */
void memory_map_add(uint64_t base, uint64_t size);

/* The address pair of a shared-memory argument: true if all `size` bytes from there are main memory that
 * belongs to the supervisor, below 2^XLEN; *at is then the address. Nothing wraps around. */
bool memory_map_shared(unsigned long lo, unsigned long hi, uint64_t size, uintptr_t *at);

/* Read or write `size` bytes of memory that memory_map_shared() allowed. False: an access faulted. */
bool shared_read(void *to, uintptr_t at, unsigned long size);
bool shared_write(uintptr_t at, const void *from, unsigned long size);
/* Can the page of `at` be read and written? It changes nothing. */
bool shared_page(uintptr_t at);

#endif
