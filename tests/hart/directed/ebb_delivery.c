/* SPDX-License-Identifier: Apache-2.0 */
/* Event-based branches: time, place and effects of a delivery (docs/rulings.md, EBB
 * delivery; uebret). The handlers here use t3 to t6, which the interrupted code does not. */
#include "ebb.h"
#include "sv39.h"

#define INST TALLY_EV_INST_RET

/* Writes (uebbrr, uebbspc, ubescr) to the log at uebbh_at, and returns without rearming. */
static struct { uint64_t resume, cause, status; } entries[8];
uint64_t *ebb_log; /* the next entry */
ROUTINE(h_note,
        "lla t3, ebb_log\n ld t4, 0(t3)\n"
        "csrr t5, uebbrr\n sd t5, 0(t4)\n csrr t5, uebbspc\n sd t5, 8(t4)\n csrr t5, ubescr\n sd t5, 16(t4)\n"
        "addi t4, t4, 24\n sd t4, 0(t3)\n uebret 0");
/* ... clears OF, arms counter 3 for a6 more events (512 times as many the next time), writes a7 to ubescr,
 * and leaves with GE=1. */
ROUTINE(h_again,
        "lla t3, ebb_log\n ld t4, 0(t3)\n"
        "csrr t5, uebbrr\n sd t5, 0(t4)\n csrr t5, uebbspc\n sd t5, 8(t4)\n csrr t5, ubescr\n sd t5, 16(t4)\n"
        "addi t4, t4, 24\n sd t4, 0(t3)\n"
        "csrci uebbovf, 8\n neg t5, a6\n slli a6, a6, 9\n csrw uebbcnt, t5\n csrw ubescr, a7\n h_again_end: "
        "uebret 1");
extern const char h_again_end[];

static void handler_is(const char *handler) {
    csr_write(TALLY_CSR_UEBBHR, (uintptr_t)handler);
    csr_write(TALLY_CSR_UEBBRR, 0);
    csr_write(TALLY_CSR_UEBBSEL, 3);
    ebb_log = (uint64_t *)entries;
    for (unsigned i = 0; i < COUNT(entries); i++)
        entries[i].resume = entries[i].cause = entries[i].status = 1;
}

static unsigned deliveries(void) { return (unsigned)(((uintptr_t)ebb_log - (uintptr_t)entries) / 24); }

/* Instructions of many kinds; each label retires once, in the order of `ebb_path`. a0: memory, a1: the UART,
 * a2: 1. */
ROUTINE(r_path,
        ".option push\n.option norvc\n"
        "p0: addi t0, a2, 1\n"
        ".option rvc\np1: c.nop\n.option norvc\n"
        "p2: beq a2, a2, p3\n add t0, t0, t0\n"
        ".option rvc\np3: c.j p4\n c.nop\n.option norvc\n"
        "p4: jal ra, p5\n"
        "p6: j p7\n"
        ".option rvc\np5: c.jr ra\n.option norvc\n"
        "p7: auipc t2, 0\n"
        "p8: jalr ra, 12(t2)\n nop\n"
        "p9: bne a2, a2, p0\n"
        "p10: div t0, a2, a0\n"
        "p11: amoadd.d t1, a2, (a0)\n"
        "p12: sd a2, 64(a0)\n"
        "p13: ld t1, 64(a0)\n"
        "p14: rdcycle t1\n"
        "p15: fence.i\n"
        "p16: lbu t1, 5(a1)\n"
        "p17: csrr t1, uebbhr\n"
        "p18: fence\n"
        "p19: mul t1, t1, t1\n"
        "p20: lr.d t1, (a0)\n"
        "p21: sc.d t1, a2, (a0)\n"
        "p22: j p23\n"
        ".balign 4096\n.zero 4094\n"
        "p23: addi t0, t0, 1\n" /* across a page */
        "p24: addi t0, t0, 1\n"
        "p25: ecall\n.option pop\n"
        ".pushsection .rodata.path, \"a\"\n.balign 8\n.globl ebb_path\nebb_path:\n"
        ".dword p0, p1, p2, p3, p4, p5, p6, p7, p8, p9, p10, p11, p12, p13, p14, p15, p16, p17, p18, p19\n"
        ".dword p20, p21, p22, p23, p24, p25\n.popsection");
extern const uint64_t ebb_path[];
enum { STEPS = 25 };

static uint64_t buffer[64] __attribute__((aligned(64)));

static struct trap_info walk(void) {
    struct trap_info t;

    probe_from(&t, status_for(PRIV_U), r_path, (uintptr_t)buffer, UART_BASE, 1);
    return t;
}

/* The branch comes directly behind its cause, for any two instructions, and the program continues as without
 * it. */
static void ebb_delivery_follows_its_cause_without_skid(void) {
    for (unsigned turn = 0; turn < 2; turn++)
        for (unsigned step = 0; step < STEPS; step++) {
            struct trap_info t;

            context(turn, step, 0);
            open_ebb(BIT(3), EN | WIN);
            handler_is(h_note);
            arm_counter(3, INST, step + 1);
            csr_write(TALLY_CSR_UBESCR, GE | PME);
            t = walk();
            CHECK_EQ(t.cause, ecall_from(PRIV_U));
            CHECK_EQ(t.epc, ebb_path[STEPS]);
            CHECK_EQ(deliveries(), 1);
            CHECK_EQ(entries[0].cause, ebb_path[step]);
            CHECK_EQ(entries[0].resume, ebb_path[step + 1]);
            CHECK_EQ(entries[0].status, PMEO); /* GE and PME are 0 */
        }
}

static void ebb_cause_is_the_instruction_with_the_event(void) {
    static const struct {
        uint64_t event;
        unsigned nth, step;
    } cases[] = {{TALLY_EV_INST_STORE_RET, 1, 12},         {TALLY_EV_INST_LOAD_RET, 2, 16},
                 {TALLY_EV_INST_AMO_RET, 1, 11},           {TALLY_EV_INST_BRJMP_RETURN_RET, 1, 5},
                 {TALLY_EV_INST_BRJMP_IND_CALL_RET, 1, 8}, {TALLY_EV_INST_DIV_RET, 1, 10},
                 {TALLY_EV_INST_LDST_UC_RET, 1, 16},       {TALLY_EV_INST_BRJMP_BRANCH_NT_RET, 1, 9}};

    for (unsigned i = 0; i < COUNT(cases); i++) {
        context(i, 0, 0);
        open_ebb(BIT(3), EN | WIN);
        handler_is(h_note);
        arm_counter(3, cases[i].event, cases[i].nth);
        csr_write(TALLY_CSR_UBESCR, GE | PME);
        CHECK_EQ(walk().cause, ecall_from(PRIV_U));
        CHECK_EQ(deliveries(), 1);
        CHECK_EQ(entries[0].cause, ebb_path[cases[i].step]);
        CHECK_EQ(entries[0].resume, ebb_path[cases[i].step + 1]);
    }
}

/* One branch, with the lowest counter's cause; the flags show the counters. */
static void ebb_several_routed_counters_make_one_event(void) {
    open_ebb(BIT(3) | BIT(4) | BIT(5), EN | WIN);
    handler_is(h_note);
    arm_counter(3, INST, 13);                   /* step 12, a store */
    arm_counter(4, TALLY_EV_INST_STORE_RET, 1); /* the same */
    arm_counter(5, TALLY_EV_INST_STORE_RET, 2); /* not yet */
    csr_write(TALLY_CSR_UBESCR, GE | PME | FZ);
    CHECK_EQ(walk().cause, ecall_from(PRIV_U));
    CHECK_EQ(deliveries(), 1);
    CHECK_EQ(entries[0].cause, ebb_path[12]);
    CHECK_EQ(csr_read(TALLY_CSR_UEBBOVF), BIT(3) | BIT(4));
    CHECK_EQ(csr_read(mip) & LCOFIP, 0);
    /* The second one's overflow, with PME=0, is seen when PME is set. */
    open_ebb(BIT(3) | BIT(4), EN | WIN);
    handler_is(h_note);
    arm_counter(3, INST, 6);
    arm_counter(4, TALLY_EV_INST_AMO_RET, 1);
    csr_write(TALLY_CSR_UBESCR, GE | PME);
    CHECK_EQ(walk().cause, ecall_from(PRIV_U));
    CHECK_EQ(deliveries(), 1);
    csr_write(TALLY_CSR_UEBBOVF, BIT(4));
    csr_write(TALLY_CSR_UBESCR, PME);
    CHECK_EQ(csr_read(TALLY_CSR_UBESCR), PMEO);
}

/* The event waits while the program is in another mode: its ecall is not a place for it. */
static void ebb_event_is_never_delivered_in_s_or_m(void) {
    open_ebb(BIT(3), EN | WIN);
    handler_is(h_note);
    csr_write(TALLY_CSR_UBESCR, GE | PMEO);
    code_begin();
    nops(20);
    CHECK_EQ(run_code(PRIV_S, 0, 0, 0).cause, ecall_from(PRIV_S));
    code_begin();
    nops(20);
    CHECK_EQ(run_code(PRIV_M, 0, 0, 0).cause, ecall_from(PRIV_M));
    CHECK_EQ(deliveries(), 0);
    CHECK_EQ(csr_read(TALLY_CSR_UBESCR), GE | PMEO);
    CHECK_EQ(walk().cause, ecall_from(PRIV_U));
    CHECK_EQ(deliveries(), 1);
    CHECK_EQ(entries[0].resume, ebb_path[0]); /* before the first instruction */
}

ROUTINE(r_ecall, "ecall");
ROUTINE(r_ebreak, "ebreak");

/* The next instruction's own exception comes after uebret. */
static void ebb_delivery_comes_before_the_next_instructions_exception(void) {
    static const char *const routines[] = {r_ecall, r_ebreak, (const char *)16}; /* nothing is at 16 */
    static const uint64_t causes[] = {TALLY_EXC_ECALL_U, TALLY_EXC_BREAKPOINT, TALLY_EXC_INSN_ACCESS};

    for (unsigned i = 0; i < COUNT(routines); i++) {
        struct trap_info t;

        context(i, 0, 0);
        open_ebb(BIT(3), EN | WIN);
        handler_is(h_note);
        csr_write(TALLY_CSR_UBESCR, GE | PMEO);
        t = probe(PRIV_U, routines[i], 0, 0);
        CHECK_EQ(t.cause, causes[i]);
        CHECK_EQ(t.epc, (uintptr_t)routines[i]);
        CHECK_EQ(deliveries(), 1);
        CHECK_EQ(entries[0].resume, (uintptr_t)routines[i]);
    }
}

ROUTINE(r_write_status, "csrw ubescr, a0\n w_next: nop\n ecall");
extern const char w_next[];

/* A write of ubescr: the branch precedes the next retirement. */
static void ebb_write_of_ubescr_delivers_at_once(void) {
    open_ebb(BIT(3), EN | WIN);
    handler_is(h_note);
    CHECK_EQ(probe(PRIV_U, r_write_status, GE | PMEO, 0).cause, ecall_from(PRIV_U));
    CHECK_EQ(deliveries(), 1);
    CHECK_EQ(entries[0].resume, (uintptr_t)w_next);
    csr_write(mhpmevent3, OF | only_in(PRIV_U)); /* an overflow that came with PME=0 */
    handler_is(h_note);
    csr_write(TALLY_CSR_UBESCR, 0);
    CHECK_EQ(probe(PRIV_U, r_write_status, GE | PME, 0).cause, ecall_from(PRIV_U));
    CHECK_EQ(deliveries(), 1);
    CHECK_EQ(entries[0].resume, (uintptr_t)w_next);
}

/* The handler arms counter 3 for `more` events and sets PME; two more instructions, and the handler is at its
 * end. Its uebret is followed by the next branch, back to the same place. With one more event the overflow
 * finds PME=0. */
ROUTINE(r_nested,
        "csrw ubescr, a0\n mv a6, a1\n mv a7, a2\n n_cause: addi a1, a1, 1\n n_next: addi a1, a1, 1\n ecall");
extern const char n_cause[], n_next[];

static void ebb_event_inside_the_handler_is_delivered_by_uebret(void) {
    for (unsigned more = 1; more <= 2; more++) {
        struct trap_info t;

        context(more, 0, 0);
        open_ebb(BIT(3), EN | WIN);
        handler_is(h_again);
        arm_counter(3, INST, 4);
        probe_from(&t, status_for(PRIV_U), r_nested, GE | PME, more, PME);
        CHECK_EQ(t.cause, ecall_from(PRIV_U));
        CHECK_EQ(t.a1, more + 2);
        CHECK_EQ(deliveries(), 2);
        CHECK_EQ(entries[0].cause, (uintptr_t)n_cause);
        CHECK_EQ(entries[0].resume, (uintptr_t)n_next);
        CHECK_EQ(entries[1].resume, (uintptr_t)n_next);
        /* ... as it was, or uebret itself */
        CHECK_EQ(entries[1].cause, more == 1 ? (uintptr_t)n_cause : (uintptr_t)h_again_end);
    }
}

/* An LR's reservation does not survive a delivery, nor uebret. */
ROUTINE(r_reserve, "li t1, 1\n lr.d t0, (a0)\n nop\n nop\n sc.d t1, t0, (a0)\n mv a0, t1\n ecall");
ROUTINE(r_uebret, "la t0, 1f\n csrw uebbrr, t0\n lr.d t0, (a0)\n uebret 0\n 1: sc.d t1, t0, (a0)\n "
                  "mv a0, t1\n ecall");

static void ebb_reservation_is_lost(void) {
    for (unsigned branch = 0; branch < 2; branch++) {
        open_ebb(BIT(3), EN | WIN);
        handler_is(h_note);
        arm_counter(3, INST, branch ? 3 : 1000);
        csr_write(TALLY_CSR_UBESCR, GE | PME);
        CHECK_EQ(probe(PRIV_U, r_reserve, (uintptr_t)buffer, 0).a0, branch);
        CHECK_EQ(deliveries(), branch);
        csr_write(mhpmevent3, 0);
    }
    CHECK_EQ(probe(PRIV_U, r_uebret, (uintptr_t)buffer, 0).a0, 1);
}

/* An enabled interrupt that is pending in the cycle of the event is taken first; the branch follows when
 * U-mode runs again, before the instruction that the interrupt found. */
static void ebb_interrupts_come_first(void) {
    struct trap_info t;

    open_ebb(BIT(3), EN | WIN);
    handler_is(h_note);
    arm_counter(3, INST, 6);
    arm_counter(4, INST, 6); /* not routed: LCOFI */
    csr_write(TALLY_CSR_UBESCR, GE | PME);
    csr_write(mie, LCOFIP);
    t = walk();
    csr_write(mie, 0);
    CHECK_EQ(t.cause, INTERRUPT(TALLY_INT_LCOFI));
    CHECK_EQ(t.epc, ebb_path[6]);
    CHECK_EQ(deliveries(), 0);
    CHECK_EQ(csr_read(TALLY_CSR_UBESCR), GE | PMEO);
    csr_clear(mip, LCOFIP);
    probe_from(&t, status_for(PRIV_U), (const void *)(uintptr_t)ebb_path[6], (uintptr_t)buffer, UART_BASE, 1);
    CHECK_EQ(t.cause, ecall_from(PRIV_U));
    CHECK_EQ(deliveries(), 1);
    CHECK_EQ(entries[0].resume, ebb_path[6]);
    CHECK_EQ(entries[0].cause, ebb_path[5]);
}

/* The handler's own traps are the program's like any: its first instruction is not mapped, then its store is
 * not; it goes on behind them, and uebret finds uebbrr as it was. */
ROUTINE(h_store, "lla t3, ebb_log\n ld t4, 0(t3)\n csrr t5, uebbrr\n h_fault: sd t5, 0(a1)\n"
                 "sd t5, 0(t4)\n addi t4, t4, 24\n sd t4, 0(t3)\n uebret 0");
extern const char h_fault[];
ROUTINE(r_faults, "addi a0, a0, 1\n f_next: addi a0, a0, 1\n ecall");
extern const char f_next[];

static void ebb_page_faults_in_the_handler_lose_nothing(void) {
    const uint64_t window = WINDOW + (uintptr_t)buffer % PAGE;
    struct trap_info t;

    translation_on();
    leaf[0] = 0;
    sfence();
    open_ebb(BIT(3), EN | WIN);
    handler_is((const char *)WINDOW); /* not mapped */
    arm_counter(3, INST, 1);
    csr_write(TALLY_CSR_UBESCR, GE | PME);
    t = probe(PRIV_U, user(r_faults), 0, WINDOW);
    CHECK_EQ(t.cause, TALLY_EXC_INSN_PAGE);
    CHECK_EQ(t.epc, WINDOW);
    CHECK_EQ(csr_read(TALLY_CSR_UEBBRR), (uintptr_t)user(f_next));
    CHECK_EQ(csr_read(TALLY_CSR_UBESCR), PMEO); /* GE is 0: it was delivered */
    csr_write(mhpmevent3, 0);
    /* The kernel maps nothing: it moves the program to another handler, whose store faults. */
    ebb_log = (uint64_t *)((uintptr_t)entries + USER_ALIAS);
    t = probe(PRIV_U, user(h_store), 0, window);
    CHECK_EQ(t.cause, TALLY_EXC_STORE_PAGE);
    CHECK_EQ(t.epc, (uintptr_t)user(h_fault));
    CHECK_EQ(csr_read(TALLY_CSR_UEBBRR), (uintptr_t)user(f_next));
    /* Now it maps the page, and restarts the handler's beginning. */
    leaf[0] = pte((uintptr_t)buffer & ~(PAGE - 1), PTE_ALL | PTE_U);
    sfence();
    t = probe(PRIV_U, user(h_store), 5, window);
    CHECK_EQ(t.cause, ecall_from(PRIV_U));
    CHECK_EQ(t.a0, 6); /* f_next on */
    CHECK_EQ(entries[0].resume, (uintptr_t)user(f_next));
    csr_write(satp, 0);
    sfence();
}

/* Any address may be written: a bad one faults at itself. */
static void ebb_bad_handler_faults_at_itself(void) {
    struct trap_info t;

    open_ebb(BIT(3), EN | WIN);
    handler_is((const char *)0x10);
    csr_write(TALLY_CSR_UBESCR, GE | PMEO);
    t = probe(PRIV_U, r_faults, 0, 0);
    CHECK_EQ(t.cause, TALLY_EXC_INSN_ACCESS);
    CHECK_EQ(t.epc, 0x10);
    CHECK_EQ(t.a0, 0);
    CHECK_EQ(csr_read(TALLY_CSR_UEBBRR), (uintptr_t)r_faults);
}

/* It does not wake WFI: S-mode waits until its timer, with the event pending all the time. */
ROUTINE(r_wait, "wfi\n ecall");

static void ebb_event_does_not_wake_wfi(void) {
    struct trap_info t;

    open_ebb(BIT(3), EN | WIN);
    handler_is(h_note);
    csr_write(TALLY_CSR_UBESCR, GE | PMEO);
    csr_write(mie, BIT(TALLY_INT_MTI)); /* MTI */
    write64(MTIMECMP, read64(MTIME) + 40);
    t = probe(PRIV_S, r_wait, 0, 0);
    csr_write(mie, 0);
    write64(MTIMECMP, UINT64_MAX);
    CHECK_EQ(t.cause, INTERRUPT(TALLY_INT_MTI));
    CHECK_EQ(deliveries(), 0);
}

static const struct rule rules[] = {
    RULE(ebb_delivery_follows_its_cause_without_skid),
    RULE(ebb_cause_is_the_instruction_with_the_event),
    RULE(ebb_several_routed_counters_make_one_event),
    RULE(ebb_event_is_never_delivered_in_s_or_m),
    RULE(ebb_delivery_comes_before_the_next_instructions_exception),
    RULE(ebb_write_of_ubescr_delivers_at_once),
    RULE(ebb_event_inside_the_handler_is_delivered_by_uebret),
    RULE(ebb_reservation_is_lost),
    RULE(ebb_interrupts_come_first),
    RULE(ebb_page_faults_in_the_handler_lose_nothing),
    RULE(ebb_bad_handler_faults_at_itself),
    RULE(ebb_event_does_not_wake_wfi),
};

void test_main(void) { run_ebb_rules(rules, COUNT(rules)); }
