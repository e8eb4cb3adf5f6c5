/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sv39: a supervisor that touches many pages at random. Its data pages are mapped on first use, by the
 * page-fault handler, eight and more of them on each frame; code and stack are in a gigapage.
 */
#include "csr.h"
#include "input.h"
#include "workload.h"

#define PAGE 4096u
#define WINDOW 0x40000000u /* virtual address of the data pages */
#define PTES 512
#define SATP_SV39 (8ull << 60)
#define TABLES (PAGES_N / PTES + (PAGES_N % PTES != 0))
#define GIGAPAGE (1ull << 30)

enum { PTE_V = 1, PTE_R = 2, PTE_W = 4, PTE_X = 8, PTE_A = 0x40, PTE_D = 0x80 };

typedef uint64_t pte_table[PTES];

static pte_table root __attribute__((aligned(PAGE)));
static pte_table middle __attribute__((aligned(PAGE)));
static pte_table leaves[TABLES] __attribute__((aligned(PAGE)));
static uint8_t frames[PAGES_FRAMES][PAGE] __attribute__((aligned(PAGE)));
static unsigned mapped;

static uint64_t pointer_to(const void *physical, unsigned flags) {
    return (uintptr_t)physical >> 12 << 10 | flags;
}

static void map_on_demand(struct trap_frame *frame) {
    const uint64_t page = (frame->tval - WINDOW) / PAGE;

    if (frame->tval < WINDOW || page >= PAGES_N)
        program_died(frame);
    leaves[page / PTES][page % PTES] =
        pointer_to(frames[page * PAGES_STRIDE % PAGES_FRAMES], PTE_V | PTE_R | PTE_W | PTE_A | PTE_D);
    mapped++;
    __asm__ volatile("sfence.vma %0" ::"r"(frame->tval) : "memory");
}

static void setup(void) {
    unsigned all = PTE_V | PTE_R | PTE_W | PTE_X | PTE_A | PTE_D;

    root[WINDOW / GIGAPAGE] = pointer_to(middle, PTE_V);
    root[0x80000000 / GIGAPAGE] = pointer_to((void *)0x80000000, all);
    for (unsigned i = 0; i < TABLES; i++)
        middle[i] = pointer_to(leaves[i], PTE_V);
    trap_set_exception(TALLY_EXC_LOAD_PAGE, map_on_demand);
    trap_set_exception(TALLY_EXC_STORE_PAGE, map_on_demand);
}

/* Each touch adds to one word; most stay near the last one, as in real programs. */
static uint64_t touch(void) {
    uint64_t state = PAGES_SEED, sum = 0;
    uint32_t page = 0;

    for (int i = 0; i < PAGES_TOUCHES; i++) {
        uint32_t r = input_next(&state);
        uint64_t *word;

        if ((r & 7) == 0)
            page = r >> 3 & (PAGES_N - 1);
        word = (uint64_t *)(uintptr_t)(WINDOW + page * PAGE + (r >> 16 & 0xff8));
        *word += r;
        sum += *word;
    }
    return sum;
}

static uint64_t work(void) {
    uint64_t result;

    csr_write(satp, SATP_SV39 | (uintptr_t)root >> 12);
    __asm__ volatile("sfence.vma" ::: "memory");
    result = touch();
    csr_write(satp, 0);
    __asm__ volatile("sfence.vma" ::: "memory");
    return mix(result, mapped);
}

SUPERVISOR_WORKLOAD("pages", setup, work, EXPECTED_PAGES)
