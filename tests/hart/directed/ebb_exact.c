/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Event-based branches that follow each other: none is lost, none comes twice, and counts are exact
 * (docs/ebb.md, Arming again). TURNS: deliveries at random distances.
 */
#include "ebb.h"

#ifndef TURNS
#define TURNS 2000
#endif

enum { STORES = 250, PERIOD = 5, PHASES = 200 };

static uint64_t memory[8] __attribute__((aligned(64)));

static struct trap_info run(const char *routine, uint64_t a0, uint64_t a1) {
    struct trap_info t;

    probe_from(&t, status_for(PRIV_U), routine, a0, a1, (uintptr_t)memory);
    return t;
}

/* The sequence that docs/ebb.md shows. s2: deliveries; s3: the counter's next value; s4: PME; s5: the store
 * that shall be the cause, then the PERIODth behind it. */
ROUTINE(h_period, "csrr t3, uebbspc\n bne t3, s5, 1f\n addi s5, s5, 4 * 5\n addi s2, s2, 1\n"
                  "csrci uebbovf, 8\n csrw uebbcnt, s3\n csrw ubescr, s4\n uebret 1\n"
                  "1: li s2, 0\n ecall");
ROUTINE(r_period, ".option push\n.option norvc\n"
                  "li s2, 0\n mv s3, a0\n li s4, 1 << ubescr_pme\n lla s5, r_stores + 4 * 4\n"
                  "csrw uebbcnt, s3\n csrw ubescr, a1\n"
                  "r_stores: .rept 250\n sd zero, 0(a2)\n .endr\n mv a0, s2\n ecall\n.option pop");

static void ebb_period_5_fifty_times_is_exactly_50(void) {
    struct trap_info t;

    open_ebb(BIT(3), EN | WIN);
    csr_write(TALLY_CSR_UEBBHR, (uintptr_t)h_period);
    csr_write(TALLY_CSR_UEBBSEL, 3);
    load_counter(3, TALLY_EV_INST_STORE_RET, 0);
    t = run(r_period, 0 - (uint64_t)PERIOD, GE | PME);
    CHECK_EQ(t.cause, ecall_from(PRIV_U));
    CHECK_EQ(t.a0, STORES / PERIOD);
    CHECK_EQ(csr_read(mhpmcounter3), 0 - (uint64_t)PERIOD);
    CHECK_EQ(csr_read(TALLY_CSR_UBESCR), GE | PME);
}

/* Takes all set flags, counts them in s2, moves their counters away from the next overflow. */
ROUTINE(
    h_serve,
    "li t4, -1\n csrrc t3, uebbovf, t4\n"
    "srli t4, t3, 3\n andi t4, t4, 1\n add s2, s2, t4\n beqz t4, 1f\n csrwi uebbsel, 3\n csrw uebbcnt, s3\n"
    "1: srli t4, t3, 4\n andi t4, t4, 1\n add s2, s2, t4\n beqz t4, 2f\n csrwi uebbsel, 4\n"
    "csrw uebbcnt, s3\n"
    "2: csrw ubescr, s4\n uebret 1");
ROUTINE(r_serve, "li s2, 0\n li s3, 1\n li s4, 1 << ubescr_pme\n csrw ubescr, a0\n"
                 ".rept 300\n nop\n .endr\n mv a0, s2\n ecall");

/* A second counter overflows from 0 to 200 cycles after the first one: before, in, and behind its handler. */
static void ebb_arming_again_loses_none_at_any_phase(void) {
    for (unsigned phase = 0; phase <= PHASES; phase++) {
        struct trap_info t;

        context(phase, 0, 0);
        open_ebb(BIT(3) | BIT(4), EN | WIN);
        csr_write(TALLY_CSR_UEBBHR, (uintptr_t)h_serve);
        arm_counter(3, TALLY_EV_CYCLES_HART, 40);
        arm_counter(4, TALLY_EV_CYCLES_HART, 40 + phase);
        t = run(r_serve, GE | PME, 0);
        CHECK_EQ(t.cause, ecall_from(PRIV_U));
        CHECK_EQ(t.a0, 2);
        CHECK_EQ(csr_read(TALLY_CSR_UEBBOVF), 0);
        CHECK_EQ(csr_read(TALLY_CSR_UBESCR), GE | PME);
        CHECK_EQ(csr_read(mip) & LCOFIP, 0);
    }
}

/* s2: deliveries left; s6: random numbers by s8; s7: stores up to the next overflow. The program counts its
 * stores in a1. a0: 0 at the end, or an error code. */
ROUTINE(h_random,
        "li a0, 1\n csrr t3, uebbspc\n lla t4, r_store\n bne t3, t4, 1f\n"
        "li a0, 2\n csrr t3, uebbrr\n lla t4, r_behind\n bne t3, t4, 1f\n"
        "li a0, 3\n bne s7, a1, 1f\n"
        "li a0, 0\n addi s2, s2, -1\n beqz s2, 1f\n"
        "mul s6, s6, s8\n addi s6, s6, 1\n srli t3, s6, 58\n addi t3, t3, 1\n add s7, s7, t3\n neg t3, t3\n"
        "csrci uebbovf, 8\n csrw uebbcnt, t3\n csrw ubescr, s4\n uebret 1\n"
        "1: ecall");
ROUTINE(r_random,
        "mv s2, a0\n mv s6, a1\n li s8, 6364136223846793005\n li s4, 1 << ubescr_pme\n li s7, 7\n li a1, 0\n"
        "mv t0, s6\n csrwi uebbsel, 3\n li t3, -7\n csrw uebbcnt, t3\n"
        "li t3, 1 << ubescr_ge | 1 << ubescr_pme\n csrw ubescr, t3\n"
        "1: addi a1, a1, 1\n r_store: sd a1, 0(a2)\n r_behind: slli t1, t0, 13\n xor t0, t0, t1\n"
        "srli t1, t0, 7\n xor t0, t0, t1\n slli t1, t0, 17\n xor t0, t0, t1\n andi t1, t0, 1\n bnez t1, 1b\n"
        "ld t1, 0(a2)\n andi t2, t0, 2\n beqz t2, 1b\n div t1, t0, t1\n j 1b");

static void ebb_deliveries_at_random_distances_are_exact(void) {
    struct trap_info t;

    open_ebb(BIT(3), EN | WIN);
    csr_write(TALLY_CSR_UEBBHR, (uintptr_t)h_random);
    load_counter(3, TALLY_EV_INST_STORE_RET, 0);
    t = run(r_random, TURNS, 0x9e3779b97f4a7c15);
    CHECK_EQ(t.cause, ecall_from(PRIV_U));
    context(t.a1, 0, 0);
    CHECK_EQ(t.a0, 0);
    CHECK(t.a1 > TURNS * 30ull && t.a1 < TURNS * 35ull);
}

static const struct rule rules[] = {
    RULE(ebb_period_5_fifty_times_is_exactly_50),
    RULE(ebb_arming_again_loses_none_at_any_phase),
    RULE(ebb_deliveries_at_random_distances_are_exact),
};

void test_main(void) { run_ebb_rules(rules, COUNT(rules)); }
