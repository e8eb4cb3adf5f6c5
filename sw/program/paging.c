/* SPDX-License-Identifier: Apache-2.0 */
#include "paging.h"

#include "csr.h"

enum { LEVELS = 3, ENTRIES = 512, TABLES = 40, PTE_V = 1, PTE_A = 64, PTE_D = 128, PTE_LEAF = 14 };
#define SATP_SV39 (8ul << 60)

/* Not cleared by start.S: memory is 0 when the machine starts. */
static uint64_t table[TABLES][ENTRIES] __attribute__((aligned(PAGE), section(".noinit")));
static unsigned used = 1; /* table[0] is the root */

static uint64_t size_of(unsigned level) { return (uint64_t)PAGE << (9 * level); }

/* The entry for `address` at `level`; NULL: not enough tables, or a larger page is mapped. */
static uint64_t *entry(uint64_t address, unsigned level) {
    uint64_t *at = table[0];

    for (unsigned l = LEVELS - 1;; l--) {
        uint64_t *const e = &at[address / size_of(l) % ENTRIES];

        if (l == level)
            return e;
        if (!*e) {
            if (used == TABLES)
                return 0;
            *e = (uintptr_t)table[used++] / PAGE << 10 | PTE_V;
        }
        if (*e & PTE_LEAF)
            return 0;
        at = (uint64_t *)(*e >> 10 << 12);
    }
}

bool paging_map(uint64_t start, uint64_t end, unsigned rights) {
    uint64_t at = start & -(uint64_t)PAGE;

    while (at < end) {
        unsigned level = LEVELS - 1;

        while (level && (at % size_of(level) || end - at < size_of(level)))
            level--;
        uint64_t *const e = entry(at, level);

        if (!e)
            return false;
        if (!*e)
            *e = at / PAGE << 10 | rights | PTE_V | PTE_A | PTE_D;
        at += size_of(level);
    }
    return true;
}

void paging_on(void) {
    csr_write(satp, SATP_SV39 | (uintptr_t)table[0] / PAGE);
    __asm__ volatile("sfence.vma" ::: "memory");
}
