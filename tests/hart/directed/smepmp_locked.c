/* SPDX-License-Identifier: Apache-2.0 */
/* Smepmp without MML: an entry that is locked, though off, holds RLB at 0; MMWP denies unmatched accesses.
 */
#include "test.h"

ROUTINE(r_load, "ld a0, 0(a0)\necall");
ROUTINE(r_store, "sd a1, 0(a0)\necall");
ROUTINE(r_jump, "jr a0");

enum { R = 1, W = 2, X = 4, NAPOT = 0x18, L = 0x80, MMWP = 2, RLB = 4 };
#define mseccfg 0x747

static uint64_t napot(uint64_t address, uint64_t size) { return address >> 2 | (size / 8 - 1); }

static void a_locked_entry_that_is_off_holds_rlb_at_0(void) {
    csr_write(pmpcfg0, (uint64_t)L << 40);
    csr_write(mseccfg, RLB);
    CHECK_EQ(csr_read(mseccfg), 0);
    csr_write(pmpcfg0, 0);
    CHECK_EQ(csr_read(pmpcfg0), (uint64_t)L << 40);
}

/* Entry 0 is the program, 1 the devices, which M-mode needs for its report. */
static void mmwp_denies_what_matches_no_entry(void) {
    const uint64_t behind = RAM_BASE + (8u << 20);

    csr_write(pmpaddr0, napot(RAM_BASE, 8 << 20));
    csr_write(pmpaddr1, napot(0, 1u << 31));
    csr_write(pmpcfg0, (NAPOT | R | W | X) << 8 | NAPOT | R | W | X);
    CHECK_EQ(probe(PRIV_M, r_load, behind, 0).cause, TALLY_EXC_ECALL_M);
    csr_write(mseccfg, MMWP);
    csr_write(mseccfg, 0);
    CHECK_EQ(csr_read(mseccfg), MMWP);
    CHECK_EQ(probe(PRIV_M, r_load, behind, 0).cause, TALLY_EXC_LOAD_ACCESS);
    CHECK_EQ(probe(PRIV_M, r_store, behind, 0).cause, TALLY_EXC_STORE_ACCESS);
    CHECK_EQ(probe(PRIV_M, r_jump, behind, 0).cause, TALLY_EXC_INSN_ACCESS);
    /* rules without L still do not bind M-mode */
    csr_write(pmpcfg0, (NAPOT | R | W | X) << 8 | NAPOT | X);
    CHECK_EQ(probe(PRIV_M, r_load, RAM_BASE, 0).cause, TALLY_EXC_ECALL_M);
}

void test_main(void) {
    csr_write(medeleg, 0);
    a_locked_entry_that_is_off_holds_rlb_at_0();
    mmwp_denies_what_matches_no_entry();
    pass();
}
