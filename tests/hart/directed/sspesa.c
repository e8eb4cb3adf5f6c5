/* SPDX-License-Identifier: Apache-2.0 */
/* The cause of an overflow (Sspesa), and the interrupt directly behind it (Ssplcofi): shpmspc is the pc of
 * the instruction that made the counter wrap, epc its dynamic successor, for any two instructions
 * (docs/sampling.md). */
#include "test.h"

/* Supervisor's instructions; each label retires once, in the order of `path`. a0: memory, a1: the UART,
 * a2: 1. */
ROUTINE(r_path,
        ".option push\n.option norvc\n"
        "q0: addi t0, a2, 1\n"
        ".option rvc\nq1: c.nop\n.option norvc\n"
        "q2: beq a2, a2, q3\n add t0, t0, t0\n"
        ".option rvc\nq3: c.j q4\n c.nop\n.option norvc\n"
        "q4: jal ra, q5\n"
        "q6: j q7\n"
        ".option rvc\nq5: c.jr ra\n.option norvc\n"
        "q7: auipc t2, 0\n"
        "q8: jalr ra, 12(t2)\n nop\n"
        "q9: bne a2, a2, q0\n"
        "q10: div t0, a2, a0\n"
        "q11: amoadd.d t1, a2, (a0)\n"
        "q12: sd a2, 64(a0)\n"
        "q13: ld t1, 64(a0)\n"
        "q14: csrw sscratch, t1\n"
        "q15: fence.i\n"
        "q16: lbu t1, 5(a1)\n"
        "q17: wfi\n"
        "q18: auipc t3, 0\n"
        "q19: addi t3, t3, 16\n"
        "q20: csrw sepc, t3\n"
        "q21: sret\n"
        "q22: j q23\n"
        ".balign 4096\n.zero 4094\n"
        "q23: addi t0, t0, 1\n" /* across a page */
        "q24: addi t0, t0, 1\n"
        "q25: ecall\n.option pop\n"
        ".pushsection .rodata.path, \"a\"\n.balign 8\n.globl path\npath:\n"
        ".dword q0, q1, q2, q3, q4, q5, q6, q7, q8, q9, q10, q11, q12, q13, q14, q15, q16, q17, q18, q19\n"
        ".dword q20, q21, q22, q23, q24, q25\n.popsection");
extern const uint64_t path[];
enum { STEPS = 25 };

ROUTINE(r_read_pc, "csrr a0, " CSR_STRING(TALLY_CSR_SHPMSPC) "\n ecall");

static uint64_t buffer[64] __attribute__((aligned(64)));

/* Counter n overflows with the `count`th of these events in S-mode. */
static void arm(unsigned n, uint64_t event, uint64_t count) {
    event |= TALLY_MHPMEVENT_MINH_MASK;
    if (n == 3) {
        csr_write(mhpmcounter3, 0 - count);
        csr_write(mhpmevent3, event);
    } else if (n == 4) {
        csr_write(mhpmcounter4, 0 - count);
        csr_write(mhpmevent4, event);
    } else {
        csr_write(mhpmcounter5, 0 - count);
        csr_write(mhpmevent5, event);
    }
}

static struct trap_info run(void) {
    struct trap_info t;

    csr_write(TALLY_CSR_SHPMSPC, 0x1234);
    csr_write(TALLY_CSR_SHPMSDATA, 31);
    probe_from(&t, status_for(PRIV_S) | MSTATUS_SPP, r_path, (uintptr_t)buffer, UART_BASE, 1);
    return t;
}

static void check_capture(struct trap_info t, unsigned step, unsigned counter) {
    CHECK_EQ(t.cause, INTERRUPT(TALLY_INT_LCOFI));
    CHECK_EQ(t.epc, path[step + 1]);
    CHECK_EQ(csr_read(TALLY_CSR_SHPMSPC), path[step]);
    CHECK_EQ(csr_read(TALLY_CSR_SHPMSDATA), counter);
}

static void every_instruction_is_its_own_cause(void) {
    for (unsigned turn = 0; turn < 2; turn++)
        for (unsigned step = 0; step < STEPS; step++) {
            context(turn, step, 0);
            csr_clear(mip, BIT(TALLY_INT_LCOFI));
            arm(3, TALLY_EV_INST_RET, step + 1);
            check_capture(run(), step, 3);
        }
}

static void an_event_belongs_to_who_has_it(void) {
    static const struct {
        uint64_t event;
        unsigned nth, step;
    } cases[] = {
        {TALLY_EV_INST_STORE_RET, 1, 12},   {TALLY_EV_INST_LOAD_RET, 2, 16},
        {TALLY_EV_INST_AMO_RET, 1, 11},     {TALLY_EV_INST_BRJMP_RETURN_RET, 1, 5},
        {TALLY_EV_INST_BRJMP_TK_RET, 3, 4}, {TALLY_EV_INST_BRJMP_IND_CALL_RET, 1, 8},
        {TALLY_EV_INST_TRETURN_RET, 1, 21}, {TALLY_EV_INST_DIV_RET, 1, 10},
        {TALLY_EV_INST_MO_RET, 1, 15},      {TALLY_EV_INST_CSR_RET, 2, 20},
        {TALLY_EV_INST_LDST_UC_RET, 1, 16}, {TALLY_EV_INST_BRJMP_BRANCH_NT_RET, 1, 9},
    };

    for (unsigned i = 0; i < COUNT(cases); i++) {
        context(i, 0, 0);
        csr_clear(mip, BIT(TALLY_INT_LCOFI));
        arm(3, cases[i].event, cases[i].nth);
        check_capture(run(), cases[i].step, 3);
    }
}

static void the_lowest_counter_names_the_cause(void) {
    csr_clear(mip, BIT(TALLY_INT_LCOFI));
    arm(3, 0, 0);
    arm(5, TALLY_EV_INST_RET, 14);
    arm(4, TALLY_EV_INST_LOAD_RET, 1);
    check_capture(run(), 13, 4);
    arm(4, 0, 0);
    arm(5, 0, 0);
}

static void only_the_first_since_lcofip_was_0_is_captured(void) {
    csr_write(mie, BIT(TALLY_INT_SSI));
    csr_clear(mip, BIT(TALLY_INT_LCOFI));
    arm(3, TALLY_EV_INST_RET, 6);
    arm(4, TALLY_EV_INST_RET, 9);
    CHECK_EQ(run().cause, TALLY_EXC_ECALL_S);
    CHECK_EQ(csr_read(TALLY_CSR_SHPMSPC), path[5]);
    CHECK_EQ(csr_read(TALLY_CSR_SHPMSDATA), 3);
    CHECK_EQ(csr_read(TALLY_CSR_SCOUNTOVF) & 0x18, 0x18);
    arm(3, TALLY_EV_INST_RET, 2);
    CHECK_EQ(run().cause, TALLY_EXC_ECALL_S);
    CHECK_EQ(csr_read(TALLY_CSR_SHPMSPC), 0x1234);
    arm(4, 0, 0);
}

static void with_delegation_only_delegated_counters_capture(void) {
    csr_set(menvcfg, TALLY_MENVCFG_CDE_MASK);
    csr_write(mcounteren, BIT(4));
    csr_clear(mip, BIT(TALLY_INT_LCOFI));
    arm(3, TALLY_EV_INST_RET, 6);
    CHECK_EQ(run().cause, TALLY_EXC_ECALL_S);
    CHECK(csr_read(mip) & BIT(TALLY_INT_LCOFI));
    CHECK_EQ(csr_read(TALLY_CSR_SHPMSPC), 0x1234);
    csr_clear(mip, BIT(TALLY_INT_LCOFI));
    arm(3, TALLY_EV_INST_RET, 6);
    arm(4, TALLY_EV_INST_RET, 6);
    CHECK_EQ(run().cause, TALLY_EXC_ECALL_S);
    CHECK_EQ(csr_read(TALLY_CSR_SHPMSPC), path[5]);
    CHECK_EQ(csr_read(TALLY_CSR_SHPMSDATA), 4);
    arm(3, 0, 0);
    arm(4, 0, 0);
}

static void the_supervisor_reads_it_with_delegation(void) {
    csr_write(mie, 0);
    struct trap_info t = probe(PRIV_S, r_read_pc, 0, 0);

    CHECK_EQ(t.cause, TALLY_EXC_ECALL_S);
    CHECK_EQ(t.a0, path[5]);
    CHECK_EQ(probe(PRIV_U, r_read_pc, 0, 0).cause, TALLY_EXC_ILLEGAL);
    csr_clear(menvcfg, TALLY_MENVCFG_CDE_MASK);
    CHECK_EQ(probe(PRIV_S, r_read_pc, 0, 0).cause, TALLY_EXC_ILLEGAL);
}

void test_main(void) {
    open_memory();
    if (!is_tally())
        pass();
    /* It wakes WFI: pending, the supervisor's, and not enabled there */
    csr_write(mideleg, BIT(TALLY_INT_SSI));
    csr_set(mip, BIT(TALLY_INT_SSI));
    csr_write(mie, BIT(TALLY_INT_SSI) | BIT(TALLY_INT_LCOFI));
    every_instruction_is_its_own_cause();
    an_event_belongs_to_who_has_it();
    the_lowest_counter_names_the_cause();
    only_the_first_since_lcofip_was_0_is_captured();
    with_delegation_only_delegated_counters_capture();
    the_supervisor_reads_it_with_delegation();
    pass();
}
