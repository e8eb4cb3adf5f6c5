/* SPDX-License-Identifier: Apache-2.0 */
/* Event-based branches: gates, registers, the window, and overflows of routed counters (docs/rulings.md, EBB
 * registers to EBB window). */
#include "ebb.h"

#define INST TALLY_EV_INST_RET

static const unsigned user_registers[] = {TALLY_CSR_UBESCR, TALLY_CSR_UEBBHR, TALLY_CSR_UEBBRR};
static const unsigned window[] = {TALLY_CSR_UEBBOVF, TALLY_CSR_UEBBINH, TALLY_CSR_UEBBSEL, TALLY_CSR_UEBBCNT};

/* Run `n` instructions in this mode. */
static void run(unsigned mode, unsigned n) {
    code_begin();
    nops(n);
    CHECK_EQ(run_code(mode, 0, 0, 0).cause, ecall_from(mode));
}

static struct trap_info run_insn(unsigned mode, uint32_t insn) {
    code_begin();
    code(insn);
    return run_code(mode, 0, 0, 0);
}

/* Fails if one register of the list answers this mode otherwise. */
static void check_access(unsigned mode, const unsigned *registers, unsigned n, bool legal) {
    for (unsigned i = 0; i < n; i++) {
        context(mode, registers[i], legal);
        if (legal)
            CHECK_LEGAL(mode, READ, registers[i]);
        else
            CHECK_ILLEGAL(mode, WRITE, registers[i]);
    }
}

static void ebb_registers_are_0_after_reset(void) {
    csr_write(TALLY_CSR_MENVCFG, CDE);
    csr_write(mcounteren, UINT64_MAX);
    CHECK_EQ(csr_read(TALLY_CSR_MEBBCTL) | csr_read(TALLY_CSR_SEBBCTL), 0);
    for (unsigned i = 0; i < COUNT(user_registers); i++)
        CHECK_EQ(get(PRIV_M, user_registers[i]), 0);
    for (unsigned i = 0; i < COUNT(window); i++)
        CHECK_EQ(get(PRIV_M, window[i]), 0);
}

static void ebb_registers_hold_their_bits(void) {
    open_ebb(0, 0);
    csr_write(TALLY_CSR_MEBBCTL, UINT64_MAX);
    CHECK_EQ(csr_read(TALLY_CSR_MEBBCTL), 1);
    csr_write(TALLY_CSR_SEBBCTL, UINT64_MAX);
    CHECK_EQ(csr_read(TALLY_CSR_SEBBCTL), 0xfffffffd);
    csr_write(TALLY_CSR_SEBBCTL, 0);
    csr_write(TALLY_CSR_UBESCR, UINT64_MAX);
    CHECK_EQ(csr_read(TALLY_CSR_UBESCR), GE | FZ | PME | PMEO);
    csr_write(TALLY_CSR_UBESCR, 0);
    csr_write(TALLY_CSR_UEBBHR, UINT64_MAX);
    CHECK_EQ(csr_read(TALLY_CSR_UEBBHR), UINT64_MAX - 1);
    csr_write(TALLY_CSR_UEBBRR, UINT64_MAX);
    CHECK_EQ(csr_read(TALLY_CSR_UEBBRR), UINT64_MAX - 1);
    csr_write(TALLY_CSR_UEBBSEL, UINT64_MAX);
    CHECK_EQ(csr_read(TALLY_CSR_UEBBSEL), 31);
    CHECK_ILLEGAL(PRIV_M, READ, TALLY_CSR_UEBBCNTH); /* RV32's */
}

/* A program enables event-based branches before anyone attaches an event. */
static void ebb_registers_usable_before_any_route(void) {
    open_ebb(0, EN);
    put(PRIV_U, TALLY_CSR_UBESCR, GE | PME);
    put(PRIV_U, TALLY_CSR_UEBBHR, 0x1234);
    put(PRIV_U, TALLY_CSR_UEBBRR, code_at(2));
    CHECK_EQ(get(PRIV_U, TALLY_CSR_UBESCR), GE | PME);
    CHECK_EQ(get(PRIV_U, TALLY_CSR_UEBBHR), 0x1234);
    CHECK_EQ(get(PRIV_U, TALLY_CSR_UEBBRR), code_at(2));
    code_begin();
    code(UEBRET_0);
    code(0); /* illegal: jumped over */
    nops(1);
    CHECK_EQ(run_code(PRIV_U, 0, 0, 0).cause, ecall_from(PRIV_U));
    CHECK_EQ(csr_read(TALLY_CSR_UBESCR), PME);
}

static void ebb_window_closed_is_illegal(void) {
    open_ebb(BIT(3), EN);
    check_access(PRIV_U, user_registers, COUNT(user_registers), true);
    check_access(PRIV_U, window, COUNT(window), false);
    check_access(PRIV_S, window, COUNT(window), true);
    csr_set(TALLY_CSR_SEBBCTL, WIN);
    check_access(PRIV_U, window, COUNT(window), true);
    csr_clear(TALLY_CSR_SEBBCTL, EN);
    check_access(PRIV_U, window, COUNT(window), false);
}

/* Every gate alone, with the others open */
static void ebb_gates_close_one_by_one(void) {
    static const unsigned supervisor[] = {TALLY_CSR_SEBBCTL, TALLY_CSR_UBESCR, TALLY_CSR_UEBBOVF};
    static const unsigned machine[] = {TALLY_CSR_MEBBCTL};

    open_ebb(BIT(3), EN | WIN);
    check_access(PRIV_M, machine, 1, true);
    check_access(PRIV_S, machine, 1, false);
    check_access(PRIV_U, supervisor, 1, false); /* sebbctl */
    check_access(PRIV_S, supervisor, COUNT(supervisor), true);
    check_access(PRIV_U, user_registers, COUNT(user_registers), true);

    csr_write(TALLY_CSR_MEBBCTL, 0);
    check_access(PRIV_M, supervisor, COUNT(supervisor), true);
    check_access(PRIV_S, supervisor, COUNT(supervisor), false);
    check_access(PRIV_U, user_registers, COUNT(user_registers), false);
    CHECK_EQ(run_insn(PRIV_U, UEBRET_0).cause, TALLY_EXC_ILLEGAL);
    CHECK_EQ(csr_read(TALLY_CSR_SEBBCTL), EN | WIN | BIT(3)); /* kept */
    csr_write(TALLY_CSR_MEBBCTL, 1);

    csr_clear(TALLY_CSR_MSTATEEN0, CUSTOM);
    check_access(PRIV_M, supervisor, COUNT(supervisor), true);
    check_access(PRIV_S, supervisor, COUNT(supervisor), false);
    check_access(PRIV_U, user_registers, COUNT(user_registers), false);
    csr_set(TALLY_CSR_MSTATEEN0, CUSTOM);

    csr_write(TALLY_CSR_SSTATEEN0, 0);
    check_access(PRIV_S, supervisor, COUNT(supervisor), true);
    check_access(PRIV_U, user_registers, COUNT(user_registers), false);
    check_access(PRIV_U, window, COUNT(window), false);
    CHECK_EQ(run_insn(PRIV_U, UEBRET_1).cause, TALLY_EXC_ILLEGAL);
    csr_write(TALLY_CSR_SSTATEEN0, 1);
    check_access(PRIV_U, window, COUNT(window), true);
}

static void ebb_route_needs_delegation(void) {
    open_ebb(0xfffffff8, EN | WIN);
    CHECK_EQ(get(PRIV_S, TALLY_CSR_SEBBCTL), 0xfffffff8 | EN | WIN);
    csr_write(mcounteren, BIT(3));
    CHECK_EQ(get(PRIV_S, TALLY_CSR_SEBBCTL), BIT(3) | EN | WIN);
    CHECK_EQ(csr_read(TALLY_CSR_SEBBCTL), BIT(3) | EN | WIN);
    csr_write(TALLY_CSR_SEBBCTL, EN | WIN); /* ignored but for 3 */
    load_counter(4, INST, 0 - 1ul);
    csr_write(TALLY_CSR_UBESCR, PME);
    run(PRIV_U, 2);
    CHECK(csr_read(mip) & LCOFIP); /* it is as if it were not routed */
    CHECK_EQ(csr_read(TALLY_CSR_UBESCR), PME);
    csr_write(mcounteren, UINT64_MAX);
    CHECK_EQ(csr_read(TALLY_CSR_SEBBCTL), (0xfffffff8 & ~BIT(3)) | EN | WIN);
    csr_write(TALLY_CSR_MENVCFG, 0);
    CHECK_EQ(csr_read(TALLY_CSR_SEBBCTL), EN | WIN);
}

static void ebb_window_shows_and_changes_routed_counters_only(void) {
    open_ebb(BIT(4), EN | WIN);
    csr_write(mhpmcounter3, 33);
    csr_write(mhpmcounter4, 44);
    csr_write(mhpmevent3, OF);
    csr_write(mhpmevent4, OF);
    for
        EACH_MODE(mode) {
            CHECK_EQ(get(mode, TALLY_CSR_UEBBOVF), BIT(4));
            put(mode, TALLY_CSR_UEBBSEL, 3);
            CHECK_EQ(get(mode, TALLY_CSR_UEBBCNT), 0);
            put(mode, TALLY_CSR_UEBBCNT, 77);
            put(mode, TALLY_CSR_UEBBSEL, 4);
            CHECK_EQ(get(mode, TALLY_CSR_UEBBCNT), 44);
            clear_bits(mode, TALLY_CSR_UEBBOVF, UINT64_MAX);
            CHECK_EQ(get(PRIV_M, event(3)), OF);
            CHECK_EQ(get(PRIV_M, event(4)), 0);
            put(mode, TALLY_CSR_UEBBOVF, UINT64_MAX);
            CHECK_EQ(get(PRIV_M, event(4)), OF);
            put(mode, TALLY_CSR_UEBBINH, UINT64_MAX);
            CHECK_EQ(get(mode, TALLY_CSR_UEBBINH), BIT(4));
            CHECK_EQ(csr_read(mcountinhibit), 0);
            put(mode, TALLY_CSR_UEBBINH, 0);
        }
    CHECK_EQ(csr_read(mhpmcounter3), 33);
}

/* cycle, time, instret */
static void ebb_uebbsel_at_no_programmable_counter_gives_nothing(void) {
    open_ebb(0xfffffff8, EN | WIN);
    for (unsigned n = 0; n < 3; n++)
        for
            EACH_MODE(mode) {
                context(n, mode, 0);
                put(mode, TALLY_CSR_UEBBSEL, n);
                CHECK_EQ(get(mode, TALLY_CSR_UEBBCNT), 0);
                put(mode, TALLY_CSR_UEBBCNT, BIT(63));
                CHECK_EQ(get(mode, TALLY_CSR_UEBBCNT), 0);
            }
    CHECK_EQ((csr_read(mcycle) | csr_read(minstret)) >> 63, 0);
}

/* ORed with mcountinhibit; kept, and without effect, while the counter is not routed */
static void ebb_users_stop_is_added_never_taken_from_the_kernels(void) {
    open_ebb(BIT(3), EN | WIN);
    load_counter(3, INST, 0);
    csr_write(mcountinhibit, BIT(3));
    put(PRIV_U, TALLY_CSR_UEBBINH, 0);
    run(PRIV_U, 10);
    CHECK_EQ(csr_read(mcountinhibit), BIT(3));
    CHECK_EQ(csr_read(mhpmcounter3), 0);
    csr_write(TALLY_CSR_UEBBINH, BIT(3));
    csr_write(mcountinhibit, 0);
    run(PRIV_U, 10);
    CHECK_EQ(csr_read(mhpmcounter3), 0);
    csr_write(TALLY_CSR_SEBBCTL, EN | WIN);
    CHECK_EQ(csr_read(TALLY_CSR_UEBBINH), 0); /* not shown */
    csr_write(TALLY_CSR_UEBBINH, 0);          /* ignored */
    run(PRIV_U, 10);
    CHECK_EQ(csr_read(mhpmcounter3), 10);
    csr_write(TALLY_CSR_SEBBCTL, EN | WIN | BIT(3));
    CHECK_EQ(csr_read(TALLY_CSR_UEBBINH), BIT(3));
    run(PRIV_U, 10);
    CHECK_EQ(csr_read(mhpmcounter3), 10);
    csr_write(TALLY_CSR_UEBBINH, 0);
    run(PRIV_U, 10);
    CHECK_EQ(csr_read(mhpmcounter3), 20);
}

static void ebb_routed_counter_counts_in_u_mode_only(void) {
    open_ebb(BIT(3), EN);
    for
        EACH_MODE(mode) {
            csr_write(mhpmevent3, 0);
            csr_write(mhpmcounter3, 0);
            csr_write(mhpmevent3, INST); /* no filter */
            run(mode, 10);
            csr_write(mhpmevent3, 0);
            CHECK_EQ(csr_read(mhpmcounter3), mode == PRIV_U ? 10 : 0);
        }
}

static void ebb_routed_overflow_makes_an_event_and_no_lcofi(void) {
    for (unsigned inen = 0; inen < 2; inen++) {
        open_ebb(BIT(3), EN);
        csr_write(TALLY_CSR_MCOUNTERINEN, inen ? BIT(3) : 0);
        arm_counter(3, INST, 4);
        csr_write(TALLY_CSR_UBESCR, PME);
        run(PRIV_U, 3);
        CHECK_EQ(csr_read(TALLY_CSR_UBESCR), PME);
        run(PRIV_U, 1);
        CHECK_EQ(csr_read(TALLY_CSR_UBESCR), PMEO);
        CHECK(csr_read(mhpmevent3) & OF);
        CHECK_EQ(csr_read(mip) & (LCOFIP | ANDESIP), 0);
    }
}

static void ebb_unrouted_counters_lcofi_is_untouched(void) {
    open_ebb(BIT(3), EN);
    arm_counter(3, INST, 4);
    arm_counter(4, INST, 4); /* in the same cycle */
    csr_write(TALLY_CSR_UBESCR, PME);
    run(PRIV_U, 6);
    CHECK(csr_read(mip) & LCOFIP);
    CHECK_EQ(csr_read(TALLY_CSR_SCOUNTOVF), BIT(3) | BIT(4));
    CHECK_EQ(csr_read(TALLY_CSR_UBESCR), PMEO);
    csr_clear(mip, LCOFIP);
    arm_counter(3, INST, 4);
    csr_write(TALLY_CSR_MCOUNTERINEN, BIT(4));
    arm_counter(4, INST, 4);
    run(PRIV_U, 6);
    CHECK_EQ(csr_read(mip) & (LCOFIP | ANDESIP), ANDESIP);
    csr_clear(mip, ANDESIP);
}

static void ebb_of_with_pme_0_makes_its_event_when_pme_is_set(void) {
    open_ebb(BIT(3), EN | WIN);
    arm_counter(3, INST, 2);
    run(PRIV_U, 5);
    CHECK(csr_read(mhpmevent3) & OF);
    CHECK_EQ(csr_read(TALLY_CSR_UBESCR), 0);
    csr_write(mhpmcounter3, 0);
    put(PRIV_U, TALLY_CSR_UBESCR, PME);
    CHECK_EQ(csr_read(TALLY_CSR_UBESCR), PMEO);
    put(PRIV_U, TALLY_CSR_UBESCR, PME); /* OF is still there */
    CHECK_EQ(csr_read(TALLY_CSR_UBESCR), PMEO);
    clear_bits(PRIV_U, TALLY_CSR_UEBBOVF, BIT(3));
    put(PRIV_U, TALLY_CSR_UBESCR, PME);
    CHECK_EQ(csr_read(TALLY_CSR_UBESCR), PME);
    csr_write(TALLY_CSR_UBESCR, PME); /* 1 to 1 makes none */
    csr_set(mhpmevent3, OF);          /* nor does software's OF */
    csr_write(TALLY_CSR_UBESCR, PME);
    CHECK_EQ(csr_read(TALLY_CSR_UBESCR), PME);
}

/* Unrouted counters' OF does not. */
static void ebb_of_of_unrouted_counters_makes_no_event(void) {
    open_ebb(BIT(3), EN | WIN);
    csr_write(mhpmevent4, OF);
    put(PRIV_U, TALLY_CSR_UBESCR, PME);
    CHECK_EQ(csr_read(TALLY_CSR_UBESCR), PME);
    csr_write(TALLY_CSR_SEBBCTL, EN | WIN | BIT(3) | BIT(4)); /* opening a route makes none either */
    CHECK_EQ(csr_read(TALLY_CSR_UBESCR), PME);
}

static void ebb_fz_freezes_routed_counters_while_pmeo(void) {
    for (unsigned frozen = 0; frozen < 2; frozen++) {
        open_ebb(BIT(3), EN);
        arm_counter(3, INST, 4);
        load_counter(4, INST, 0); /* unrouted: counts on */
        csr_write(TALLY_CSR_UBESCR, PME | (frozen ? FZ : 0));
        run(PRIV_U, 12);
        CHECK_EQ(csr_read(mhpmcounter3), frozen ? 0 : 8);
        CHECK_EQ(csr_read(mhpmcounter4), 12);
        csr_clear(TALLY_CSR_UBESCR, PMEO);
        run(PRIV_U, 5);
        CHECK_EQ(csr_read(mhpmcounter3), frozen ? 5 : 13);
    }
}

/* GE=0: the event waits in PMEO, and freezes with FZ. */
static void ebb_without_ge_waits_and_freezes(void) {
    open_ebb(BIT(3), EN | WIN);
    csr_write(TALLY_CSR_UEBBHR, 0); /* a delivery would fault */
    arm_counter(3, INST, 3);
    csr_write(TALLY_CSR_UBESCR, PME | FZ);
    run(PRIV_U, 20);
    run(PRIV_U, 20);
    CHECK_EQ(csr_read(TALLY_CSR_UBESCR), PMEO | FZ);
    CHECK_EQ(csr_read(mhpmcounter3), 0);
    CHECK_EQ(csr_read(TALLY_CSR_UEBBRR), 0);
}

static void ebb_closing_with_pmeo_delivers_nothing(void) {
    open_ebb(BIT(3), EN | WIN);
    csr_write(TALLY_CSR_UEBBHR, 0);
    arm_counter(3, INST, 3);
    csr_write(TALLY_CSR_UBESCR, PME);
    run(PRIV_U, 5);
    CHECK_EQ(csr_read(TALLY_CSR_UBESCR), PMEO);
    csr_write(TALLY_CSR_SEBBCTL, EN); /* the last event closes */
    CHECK(csr_read(mhpmevent3) & OF);
    CHECK_EQ(csr_read(mip) & LCOFIP, 0);
    CHECK_EQ(csr_read(TALLY_CSR_UBESCR), PMEO);
    csr_clear(TALLY_CSR_UBESCR, PMEO); /* the kernel's */
    put(PRIV_U, TALLY_CSR_UBESCR, GE | PME);
    run(PRIV_U, 5);
    CHECK_EQ(csr_read(TALLY_CSR_UBESCR), GE | PME);
    check_access(PRIV_U, window, COUNT(window), false);
    check_access(PRIV_U, user_registers, COUNT(user_registers), true);
}

static void ebb_uebret_is_illegal_outside_of_u_mode(void) {
    open_ebb(BIT(3), EN | WIN);
    CHECK_EQ(run_insn(PRIV_M, UEBRET_0).cause, TALLY_EXC_ILLEGAL);
    CHECK_EQ(run_insn(PRIV_M, UEBRET_1).cause, TALLY_EXC_ILLEGAL);
    CHECK_EQ(run_insn(PRIV_S, UEBRET_0).cause, TALLY_EXC_ILLEGAL);
    CHECK_EQ(run_insn(PRIV_S, UEBRET_1).cause, TALLY_EXC_ILLEGAL);
    CHECK_EQ(run_insn(PRIV_S, UEBRET_1).tval, UEBRET_1);
    csr_write(TALLY_CSR_UEBBRR, code_at(1));
    CHECK_EQ(run_insn(PRIV_U, UEBRET_1).cause, ecall_from(PRIV_U));
    CHECK_EQ(csr_read(TALLY_CSR_UBESCR), GE);
    CHECK_EQ(run_insn(PRIV_U, 0x8C200073).cause, TALLY_EXC_ILLEGAL); /* no other operand */
    CHECK_EQ(run_insn(PRIV_U, UEBRET_0 | 1 << 15).cause, TALLY_EXC_ILLEGAL);
    CHECK_EQ(run_insn(PRIV_U, UEBRET_0 | 1 << 7).cause, TALLY_EXC_ILLEGAL);
}

/* It retires, and is no branch of SBI event 5. */
static void ebb_uebret_retires_and_is_no_branch(void) {
    open_ebb(0, EN);
    csr_write(TALLY_CSR_UEBBRR, code_at(1));
    arm_counter(3, INST, 0);
    arm_counter(4, TALLY_EV_INST_BRJMP_RET, 0);
    arm_counter(5, TALLY_EV_INST_TRETURN_RET, 0);
    CHECK_EQ(run_insn(PRIV_U, UEBRET_0).cause, ecall_from(PRIV_U));
    CHECK_EQ(csr_read(mhpmcounter3), 1);
    CHECK_EQ(csr_read(mhpmcounter4), 0);
    CHECK_EQ(csr_read(mhpmcounter5), 1);
}

static const struct rule rules[] = {
    RULE(ebb_registers_are_0_after_reset),
    RULE(ebb_registers_hold_their_bits),
    RULE(ebb_registers_usable_before_any_route),
    RULE(ebb_window_closed_is_illegal),
    RULE(ebb_gates_close_one_by_one),
    RULE(ebb_route_needs_delegation),
    RULE(ebb_window_shows_and_changes_routed_counters_only),
    RULE(ebb_uebbsel_at_no_programmable_counter_gives_nothing),
    RULE(ebb_users_stop_is_added_never_taken_from_the_kernels),
    RULE(ebb_routed_counter_counts_in_u_mode_only),
    RULE(ebb_routed_overflow_makes_an_event_and_no_lcofi),
    RULE(ebb_unrouted_counters_lcofi_is_untouched),
    RULE(ebb_of_with_pme_0_makes_its_event_when_pme_is_set),
    RULE(ebb_of_of_unrouted_counters_makes_no_event),
    RULE(ebb_fz_freezes_routed_counters_while_pmeo),
    RULE(ebb_without_ge_waits_and_freezes),
    RULE(ebb_closing_with_pmeo_delivers_nothing),
    RULE(ebb_uebret_is_illegal_outside_of_u_mode),
    RULE(ebb_uebret_retires_and_is_no_branch),
};

void test_main(void) { run_ebb_rules(rules, COUNT(rules)); }
