/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A page table for the directed tests.
 *
 *   0x40000000  the window: one 4 KiB page at level 0, whose PTE the test writes
 *   0x80000000  memory, identity, supervisor's gigapage
 *   0xc0000000  the same memory for U-mode
 */
#ifndef DIRECTED_SV39_H
#define DIRECTED_SV39_H

#include "test.h"

enum {
    PTE_V = 1,
    PTE_R = 2,
    PTE_W = 4,
    PTE_X = 8,
    PTE_U = 0x10,
    PTE_G = 0x20,
    PTE_A = 0x40,
    PTE_D = 0x80,
    PTE_ALL = PTE_V | PTE_R | PTE_W | PTE_X | PTE_A | PTE_D
};

#define PAGE 4096ull
#define WINDOW 0x40000000ull
#define USER_ALIAS 0x40000000ull /* add to an address of memory to get U-mode's */
#define SATP_SV39 (8ull << TALLY_SATP_MODE_LSB)

typedef uint64_t page_table[512];

static page_table root __attribute__((aligned(4096)));
static page_table middle __attribute__((aligned(4096)));
static page_table leaf __attribute__((aligned(4096)));

static inline uint64_t pte(uint64_t physical, uint64_t flags) { return physical >> 12 << 10 | flags; }

static inline void sfence(void) { __asm__ volatile("sfence.vma" ::: "memory"); }

/* U-mode's address of a routine */
static inline const char *user(const char *routine) { return routine + USER_ALIAS; }

static inline const void *routine_for(unsigned mode, const char *routine) {
    return mode == PRIV_U ? user(routine) : routine;
}

static inline void translation_on(void) {
    root[WINDOW >> 30] = pte((uintptr_t)middle, PTE_V);
    root[0x80000000ull >> 30] = pte(0x80000000, PTE_ALL);
    root[(0x80000000ull + USER_ALIAS) >> 30] = pte(0x80000000, PTE_ALL | PTE_U);
    middle[0] = pte((uintptr_t)leaf, PTE_V);
    csr_write(satp, SATP_SV39 | (uintptr_t)root >> 12);
    sfence();
}

#endif
