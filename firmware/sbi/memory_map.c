/* SPDX-License-Identifier: Apache-2.0 */
#include "memory_map.h"

#include "platform.h"

enum { RANGES = 4 };

static struct { uint64_t base, size; } ranges[RANGES];
static unsigned count;

bool memory_map_add(uint64_t base, uint64_t size) {
    if (count == RANGES)
        return false;
    ranges[count].base = base;
    ranges[count].size = size;
    count++;
    return true;
}

/* [base, base + size) with size > 0 inside of [outer, outer + outer_size) */
static bool inside(uint64_t base, uint64_t size, uint64_t outer, uint64_t outer_size) {
    return base >= outer && base - outer < outer_size && size <= outer_size - (base - outer);
}

bool memory_map_shared(unsigned long lo, unsigned long hi, uint64_t size, uintptr_t *at) {
    const uint64_t end_of_firmware = (uint64_t)RAM_BASE + (1u << FIRMWARE_LOG);

    if (hi != 0) /* more than XLEN bits: nothing is there */
        return false;
    if (lo < end_of_firmware && (uint64_t)lo + size > RAM_BASE)
        return false;
    for (unsigned i = 0; i < count; i++) {
        if (inside(lo, size, ranges[i].base, ranges[i].size)) {
            *at = lo;
            return true;
        }
    }
    return false;
}
