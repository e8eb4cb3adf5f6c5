/* SPDX-License-Identifier: Apache-2.0 */
#include "memory_map.h"

#include "console.h"
#include "guarded.h"
#include "platform.h"

enum { RANGES = 16, PAGE = 4096 };

static struct { uint64_t base, size; } ranges[RANGES];
static unsigned count;

static bool answers(uint64_t at) { return guarded_answers((uintptr_t)at); }

/* Of `size` bytes at base as many as answer, if memory is in one piece. At least one page does. */
static uint64_t there(uint64_t base, uint64_t size) {
    uint64_t low = 0, high = (size - 1) / PAGE; /* page `low` answers */

    if (answers(base + size - 1))
        return size;
    while (low < high) {
        uint64_t middle = low + (high - low + 1) / 2;

        if (answers(base + middle * PAGE))
            low = middle;
        else
            high = middle - 1;
    }
    return (low + 1) * PAGE;
}

void memory_map_add(uint64_t base, uint64_t size) {
    const uint64_t last = ~0ul; /* the highest address that the firmware reaches */

    if (!size || base > last)
        return;
    if (size - 1 > last - base)
        size = last - base + 1;
    if (!answers(base)) {
        con_printf("firmware: no memory at %lx\n", (unsigned long)base);
        return;
    }
    if (count == RANGES) {
        con_printf("firmware: too many ranges of memory, the one at %lx is left out\n", (unsigned long)base);
        return;
    }
    ranges[count].base = base;
    ranges[count].size = there(base, size);
    if (ranges[count].size != size)
        con_printf("firmware: memory at %lx is smaller than the device tree says: %lx bytes\n",
                   (unsigned long)base, (unsigned long)ranges[count].size);
    count++;
}

/* [base, base + size) with size > 0 inside of [outer, outer + outer_size) */
static bool inside(uint64_t base, uint64_t size, uint64_t outer, uint64_t outer_size) {
    return base >= outer && base - outer < outer_size && size <= outer_size - (base - outer);
}

bool memory_map_shared(unsigned long lo, unsigned long hi, uint64_t size, uintptr_t *at) {
    const uint64_t end_of_firmware = (uint64_t)RAM_BASE + (1u << FIRMWARE_LOG);

    if (hi != 0) /* more than XLEN bits: nothing is there */
        return false;
    if (!size || size - 1 > ~0ul - lo)
        return false;
    if (lo < end_of_firmware && lo + (size - 1) >= RAM_BASE)
        return false;
    for (unsigned i = 0; i < count; i++) {
        if (inside(lo, size, ranges[i].base, ranges[i].size)) {
            *at = lo;
            return true;
        }
    }
    return false;
}

bool shared_read(void *to, uintptr_t at, unsigned long size) { return guarded_read(to, at, size); }

bool shared_write(uintptr_t at, const void *from, unsigned long size) {
    return guarded_write(at, from, size);
}

bool shared_page(uintptr_t at) { return guarded_probe(at & ~3ul); }
