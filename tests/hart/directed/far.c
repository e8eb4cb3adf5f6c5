/* SPDX-License-Identifier: Apache-2.0 */
/* Code and data at both ends of the address space: jumps from one to the other, branches right behind them,
 * bytes at the last address of all, a page whose physical address is the last; and the
 * rare kinds of jumps. */
#include "sv39.h"

#define HIGH (0 - PAGE) /* the last page */
#define LOW PAGE
#define NOWHERE (2 * PAGE)

/* One page. a0: where far_land is in the other alias, a1: whether its branch is taken */
__asm__(".pushsection .text.routines, \"ax\"\n.balign 4096\n.option push\n.option norvc\n"
        ".globl far_jump, far_land, far_byte, far_links\n"
        "far_jump: jr a0\n"
        ".balign 64\n"
        "far_land: beqz a1, 1f\n addi t0, t0, 1\n addi t1, t1, 1\n j 2f\n"
        "1: addi t0, t0, 2\n addi t1, t1, 2\n"
        "2: addi t2, t2, 3\n ecall\n"
        ".balign 64\n"
        "far_byte: lb t0, 0(a0)\n ecall\n"
        ".balign 64\n"
        "far_links: jal a5, 1f\n ecall\n"
        "1: auipc ra, 0\n addi ra, ra, 16\n jalr t0, 0(ra)\n ecall\n"
        " auipc a4, 0\n addi a4, a4, 16\n jalr a5, 0(a4)\n ecall\n"
        " addi a0, a0, 5\n ecall\n"
        ".option pop\n.balign 4096\n.popsection");
extern const char far_jump[], far_land[], far_byte[], far_links[];

static page_table low_middle __attribute__((aligned(4096)));
static page_table low_leaf __attribute__((aligned(4096)));
static page_table high_middle __attribute__((aligned(4096)));
static page_table high_leaf __attribute__((aligned(4096)));

static uint64_t alias(uint64_t page, const char *label) { return page + (uint64_t)(label - far_jump); }

static void map(void) {
    translation_on();
    root[0] = pte((uintptr_t)low_middle, PTE_V);
    low_middle[0] = pte((uintptr_t)low_leaf, PTE_V);
    low_leaf[1] = pte((uintptr_t)far_jump, PTE_ALL);
    low_leaf[2] = pte(0xfffffffffff000, PTE_ALL);
    root[511] = pte((uintptr_t)high_middle, PTE_V);
    high_middle[511] = pte((uintptr_t)high_leaf, PTE_V);
    high_leaf[511] = pte((uintptr_t)far_jump, PTE_ALL);
    sfence();
}

static void jumps_go_from_end_to_end(void) {
    uint64_t dice = 0x9e3779b97f4a7c15;

    for (unsigned turn = 0; turn < 400; turn++) {
        uint64_t from = turn & 1 ? LOW : HIGH, to = turn & 1 ? HIGH : LOW;
        struct trap_info t;

        dice ^= dice << 13;
        dice ^= dice >> 7;
        dice ^= dice << 17;
        t = probe(PRIV_S, (const void *)alias(from, far_jump), alias(to, far_land), dice & 1);
        CHECK_EQ(t.cause, TALLY_EXC_ECALL_S);
        CHECK_EQ(t.epc - alias(to, far_land), 28);
    }
}

static void the_last_byte_of_all(void) {
    for (unsigned turn = 0; turn < 40; turn++) {
        struct trap_info t = probe(PRIV_S, (const void *)alias(LOW, far_byte), UINT64_MAX, 0);
        CHECK_EQ(t.cause, TALLY_EXC_ECALL_S);
        t = probe(PRIV_S, (const void *)alias(LOW, far_byte), NOWHERE + PAGE - 1, 0);
        CHECK_EQ(t.cause, TALLY_EXC_LOAD_ACCESS);
        CHECK_EQ(t.tval, NOWHERE + PAGE - 1);
    }
}

/* Other jumps with link, direct and indirect, and a co-routine swap (x1 to x5) */
static void jumps_that_link_elsewhere(void) {
    for (unsigned turn = 0; turn < 100; turn++) {
        struct trap_info t = probe(PRIV_S, (const void *)alias(HIGH, far_links), turn, 0);
        CHECK_EQ(t.cause, TALLY_EXC_ECALL_S);
        CHECK_EQ(t.a0, turn + 5);
    }
}

void test_main(void) {
    open_memory();
    map();
    jumps_go_from_end_to_end();
    the_last_byte_of_all();
    jumps_that_link_elsewhere();
    pass();
}
