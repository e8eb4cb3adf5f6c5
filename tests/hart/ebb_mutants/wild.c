/* SPDX-License-Identifier: Apache-2.0 */
/* Event-based branches to and from addresses of all kinds of bits: mutants of the wires that carry them. */
#include "../directed/ebb.h"

static const uint64_t wild[] = {0, UINT64_MAX, 0x5555555555555555, 0xAAAAAAAAAAAAAAAA};

ROUTINE(r_nops, "nop\n nop\n nop\n nop\n ecall");
ROUTINE(r_jump, "jr a0");
ROUTINE(r_uebret_0, "uebret 0");
ROUTINE(r_uebret_1, "uebret 1");
ROUTINE(h_end, "ecall");

static void arm(uint64_t handler) {
    open_ebb(BIT(3), EN | WIN);
    csr_write(TALLY_CSR_UEBBHR, handler);
    csr_write(TALLY_CSR_UEBBRR, ~handler);
    arm_counter(3, TALLY_EV_INST_RET, 1);
    csr_write(TALLY_CSR_UBESCR, GE | PME);
}

/* To a handler there, behind the first instruction */
static void branch_to(uint64_t address) {
    arm(address);
    CHECK_EQ(probe(PRIV_U, r_nops, 0, 0).epc, address & ~1ull);
    CHECK_EQ(csr_read(TALLY_CSR_UEBBRR), (uintptr_t)r_nops + 2);
    CHECK_EQ(csr_read(TALLY_CSR_UBESCR), PMEO);
}

/* From there: before the first instruction at the address, which does not come to fault */
static void branch_from(uint64_t address) {
    arm((uintptr_t)h_end);
    CHECK_EQ(probe(PRIV_U, r_jump, address, 0).epc, (uintptr_t)h_end);
    CHECK_EQ(csr_read(TALLY_CSR_UEBBRR), address & ~1ull);
}

static void return_to(uint64_t address, bool ge) {
    open_ebb(0, EN);
    csr_write(TALLY_CSR_UEBBRR, address);
    CHECK_EQ(probe(PRIV_U, ge ? r_uebret_1 : r_uebret_0, 0, 0).epc, address & ~1ull);
    CHECK_EQ(csr_read(TALLY_CSR_UBESCR), ge ? GE : 0);
}

void test_main(void) {
    open_memory();
    for (unsigned i = 0; i < COUNT(wild); i++) {
        context(i, wild[i], 0);
        branch_to(wild[i]);
        branch_from(wild[i]);
        return_to(wild[i], false);
        return_to(wild[i], true);
    }
    close_ebb();
    pass();
}
