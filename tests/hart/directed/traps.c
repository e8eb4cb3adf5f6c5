/* SPDX-License-Identifier: Apache-2.0 */
/* Every exception from every mode, delegated and not, with cause, epc, tval and the status stack. */
#include "test.h"

ROUTINE(r_ecall, "ecall");
ROUTINE(r_ebreak, ".option push\n.option norvc\nebreak\n.option pop");
ROUTINE(r_c_ebreak, "c.ebreak");
ROUTINE(r_illegal, ".word 0xffffffff");
ROUTINE(r_illegal_opcode, ".word 0x0000007f");
ROUTINE(r_illegal_funct, ".word 0xfe00703b"); /* OP-32 with no such funct */
ROUTINE(r_c_illegal, ".half 0");
ROUTINE(r_c_reserved, ".half 0x8000");      /* quadrant 0, funct3 100 */
ROUTINE(r_csr_missing, ".word 0x5ff022f3"); /* csrr t0, 0x5ff */
ROUTINE(r_csr_read_only, "csrw mhartid, zero");
ROUTINE(r_lh, "lh a0, 0(a0)\necall");
ROUTINE(r_lw, "lw a0, 0(a0)\necall");
ROUTINE(r_ld, "ld a0, 0(a0)\necall");
ROUTINE(r_lb, "lb a0, 0(a0)\necall");
ROUTINE(r_sb, "sb a1, 0(a0)\necall");
ROUTINE(r_sh, "sh a1, 0(a0)\necall");
ROUTINE(r_sw, "sw a1, 0(a0)\necall");
ROUTINE(r_sd, "sd a1, 0(a0)\necall");
ROUTINE(r_lr_w, "lr.w a0, (a0)\necall");
ROUTINE(r_lr_d, "lr.d a0, (a0)\necall");
ROUTINE(r_sc_w, "sc.w a0, a1, (a0)\necall");
ROUTINE(r_sc_d, "sc.d a0, a1, (a0)\necall");
ROUTINE(r_amo_w, "amoadd.w a0, a1, (a0)\necall");
ROUTINE(r_amo_d, "amoadd.d a0, a1, (a0)\necall");
ROUTINE(r_jump, "jr a0");
ROUTINE(r_lh_sp, "mv t0, sp\nmv sp, a0\nc.lwsp a0, 0(sp)\nmv sp, t0\necall");

#define NOWHERE 0x40000000ull /* neither memory nor a device */
#define DEVICE UART_BASE

static uint64_t memory[8] __attribute__((aligned(64)));

struct expectation {
    const char *routine;
    unsigned offset; /* of the instruction that traps */
    uint64_t a0;
    uint64_t cause;
    enum { TVAL_0, TVAL_PC, TVAL_A0, TVAL_INSN } tval;
};

static const struct expectation faults[] = {
    {r_ebreak, 0, 0, TALLY_EXC_BREAKPOINT, TVAL_PC},
    {r_c_ebreak, 0, 0, TALLY_EXC_BREAKPOINT, TVAL_PC},
    {r_illegal, 0, 0, TALLY_EXC_ILLEGAL, TVAL_INSN},
    {r_illegal_opcode, 0, 0, TALLY_EXC_ILLEGAL, TVAL_INSN},
    {r_illegal_funct, 0, 0, TALLY_EXC_ILLEGAL, TVAL_INSN},
    {r_c_illegal, 0, 0, TALLY_EXC_ILLEGAL, TVAL_INSN},
    {r_c_reserved, 0, 0, TALLY_EXC_ILLEGAL, TVAL_INSN},
    {r_csr_missing, 0, 0, TALLY_EXC_ILLEGAL, TVAL_INSN},
    {r_csr_read_only, 0, 0, TALLY_EXC_ILLEGAL, TVAL_INSN},
    {r_lh, 0, 1, TALLY_EXC_LOAD_MISALIGNED, TVAL_A0},
    {r_lw, 0, 2, TALLY_EXC_LOAD_MISALIGNED, TVAL_A0},
    {r_ld, 0, 4, TALLY_EXC_LOAD_MISALIGNED, TVAL_A0},
    {r_lh_sp, 4, 2, TALLY_EXC_LOAD_MISALIGNED, TVAL_A0},
    {r_sh, 0, 3, TALLY_EXC_STORE_MISALIGNED, TVAL_A0},
    {r_sw, 0, 1, TALLY_EXC_STORE_MISALIGNED, TVAL_A0},
    {r_sd, 0, 7, TALLY_EXC_STORE_MISALIGNED, TVAL_A0},
    {r_lr_w, 0, 2, TALLY_EXC_LOAD_MISALIGNED, TVAL_A0},
    {r_lr_d, 0, 4, TALLY_EXC_LOAD_MISALIGNED, TVAL_A0},
    {r_sc_w, 0, 2, TALLY_EXC_STORE_MISALIGNED, TVAL_A0},
    {r_sc_d, 0, 4, TALLY_EXC_STORE_MISALIGNED, TVAL_A0},
    {r_amo_w, 0, 1, TALLY_EXC_STORE_MISALIGNED, TVAL_A0},
    {r_amo_d, 0, 4, TALLY_EXC_STORE_MISALIGNED, TVAL_A0},
    {r_lb, 0, NOWHERE, TALLY_EXC_LOAD_ACCESS, TVAL_A0},
    {r_ld, 0, NOWHERE, TALLY_EXC_LOAD_ACCESS, TVAL_A0},
    {r_lr_d, 0, NOWHERE, TALLY_EXC_LOAD_ACCESS, TVAL_A0},
    {r_lr_w, 0, DEVICE, TALLY_EXC_LOAD_ACCESS, TVAL_A0},
    {r_ld, 0, 1ull << 57, TALLY_EXC_LOAD_ACCESS, TVAL_A0},
    {r_sb, 0, NOWHERE, TALLY_EXC_STORE_ACCESS, TVAL_A0},
    {r_sd, 0, NOWHERE, TALLY_EXC_STORE_ACCESS, TVAL_A0},
    {r_sc_w, 0, DEVICE, TALLY_EXC_STORE_ACCESS, TVAL_A0},
    {r_amo_d, 0, NOWHERE, TALLY_EXC_STORE_ACCESS, TVAL_A0},
    {r_amo_w, 0, DEVICE, TALLY_EXC_STORE_ACCESS, TVAL_A0},
    /* widths that the device does not take */
    {r_lb, 0, PLIC_BASE, TALLY_EXC_LOAD_ACCESS, TVAL_A0},
    {r_sb, 0, PLIC_BASE + 4, TALLY_EXC_STORE_ACCESS, TVAL_A0},
    {r_sd, 0, PLIC_BASE + 8, TALLY_EXC_STORE_ACCESS, TVAL_A0},
    {r_sh, 0, ACLINT_BASE + 0x4000, TALLY_EXC_STORE_ACCESS, TVAL_A0},
    /* misaligned comes first */
    {r_ld, 0, NOWHERE + 1, TALLY_EXC_LOAD_MISALIGNED, TVAL_A0},
    {r_sw, 0, NOWHERE + 2, TALLY_EXC_STORE_MISALIGNED, TVAL_A0},
    {r_amo_w, 0, DEVICE + 2, TALLY_EXC_STORE_MISALIGNED, TVAL_A0},
};

static uint64_t insn_at(const char *p) {
    const uint16_t *half = (const uint16_t *)p;

    return (half[0] & 3) == 3 ? half[0] | (uint64_t)half[1] << 16 : half[0];
}

static void check_status(const struct trap_info *t, unsigned mode, unsigned handler, uint64_t before) {
    if (handler == PRIV_M) {
        CHECK_EQ(previous_mode(t->status), mode);
        CHECK_EQ(!!(t->status & MSTATUS_MPIE), !!(before & MSTATUS_MPIE)); /* MIE was MPIE before mret */
        CHECK_EQ(t->status & MSTATUS_MIE, 0);
    } else {
        CHECK_EQ(!!(t->status & MSTATUS_SPP), mode == PRIV_S);
        CHECK_EQ(!!(t->status & MSTATUS_SPIE), !!(before & MSTATUS_SIE));
        CHECK_EQ(t->status & MSTATUS_SIE, 0);
    }
}

static void check_fault(const struct expectation *e, unsigned mode, bool delegate, uint64_t status_bits) {
    uint64_t a0 = e->a0 < 8 ? (uintptr_t)memory + e->a0 : e->a0;
    uint64_t status = status_for(mode) | status_bits;
    unsigned handler = delegate && mode != PRIV_M ? PRIV_S : PRIV_M;
    uint64_t tval = e->tval == TVAL_PC   ? (uintptr_t)e->routine
                    : e->tval == TVAL_A0 ? a0
                                         : insn_at(e->routine);
    struct trap_info t;

    csr_write(medeleg, delegate ? BIT(e->cause) : ~BIT(e->cause) & ~BIT(9) & ~BIT(2));
    probe_from(&t, status, e->routine, a0, 0x1234, 0);
    csr_write(medeleg, 0);
    CHECK_EQ(t.cause, e->cause);
    CHECK_EQ(t.epc, (uintptr_t)e->routine + e->offset);
    CHECK_EQ(t.tval, tval);
    CHECK_EQ(t.handler, handler);
    check_status(&t, mode, handler, status);
}

static void check_faults(void) {
    static const unsigned modes[] = {PRIV_U, PRIV_S, PRIV_M};
    static const uint64_t bits[] = {0, MSTATUS_MPIE | MSTATUS_SIE | MSTATUS_SPP, MSTATUS_SIE,
                                    MSTATUS_SPIE | MSTATUS_MPIE};

    for (size_t i = 0; i < COUNT(faults); i++)
        for (size_t m = 0; m < COUNT(modes); m++)
            for (unsigned delegate = 0; delegate < 2; delegate++) {
                context(i, modes[m], delegate);
                check_fault(&faults[i], modes[m], delegate, bits[(i + m + delegate) % COUNT(bits)]);
            }
}

static void check_ecall(void) {
    for (unsigned mode = 0; mode <= 3; mode += 1 + (mode == 1)) {
        for (unsigned delegate = 0; delegate < 2; delegate++) {
            struct trap_info t;

            context(mode, delegate, 0);
            csr_write(medeleg, delegate ? BIT(ecall_from(mode)) : 0);
            t = probe(mode, r_ecall, 5, 6);
            csr_write(medeleg, 0);
            CHECK_EQ(t.cause, ecall_from(mode));
            CHECK_EQ(t.epc, (uintptr_t)r_ecall);
            CHECK_EQ(t.tval, 0);
            CHECK_EQ(t.handler, delegate && mode != PRIV_M ? PRIV_S : PRIV_M);
            CHECK_EQ(t.a0, 5);
        }
    }
}

/* Fetch: nowhere, from a device, from beyond 56 bits, and the second half of an instruction at the end of
 * memory's page. */
static void check_fetch(void) {
    static const uint64_t targets[] = {NOWHERE, NOWHERE + 2, DEVICE, ACLINT_BASE, 1ull << 60, 0};

    for (size_t i = 0; i < COUNT(targets); i++)
        for (unsigned mode = 0; mode <= 3; mode += 1 + (mode == 1))
            for (unsigned delegate = 0; delegate < 2; delegate++) {
                struct trap_info t;

                context(i, mode, delegate);
                csr_write(medeleg, delegate ? BIT(TALLY_EXC_INSN_ACCESS) : 0);
                t = probe(mode, r_jump, targets[i] | 1, 0); /* jalr drops bit 0 */
                csr_write(medeleg, 0);
                CHECK_EQ(t.cause, TALLY_EXC_INSN_ACCESS);
                CHECK_EQ(t.epc, targets[i]);
                CHECK_EQ(t.tval, targets[i]);
                CHECK_EQ(t.handler, delegate && mode != PRIV_M ? PRIV_S : PRIV_M);
            }
}

/* A fault changes neither memory nor the destination. */
static void check_no_effect(void) {
    struct trap_info t;

    memory[0] = 77;
    t = probe(PRIV_S, r_sw, (uintptr_t)memory + 1, 5);
    CHECK_EQ(t.cause, TALLY_EXC_STORE_MISALIGNED);
    t = probe(PRIV_S, r_amo_d, (uintptr_t)memory + 4, 5);
    CHECK_EQ(t.cause, TALLY_EXC_STORE_MISALIGNED);
    CHECK_EQ(t.a0, (uintptr_t)memory + 4);
    t = probe(PRIV_S, r_lw, NOWHERE, 0);
    CHECK_EQ(t.a0, NOWHERE);
    CHECK_EQ(memory[0], 77);
    CHECK_EQ(memory[1], 0);
    t = probe(PRIV_U, r_amo_d, (uintptr_t)memory, 5);
    CHECK_EQ(t.cause, TALLY_EXC_ECALL_U);
    CHECK_EQ(t.a0, 77);
    CHECK_EQ(memory[0], 82);
}

/* Exceptions of any cause go to the base of a vectored table. */
static void check_vectored_exceptions(void) {
    struct trap_info t;

    csr_write(mtvec, (uintptr_t)m_trap | 1);
    csr_write(stvec, (uintptr_t)s_trap | 1);
    t = probe(PRIV_M, r_c_ebreak, 0, 0);
    CHECK_EQ(t.cause, TALLY_EXC_BREAKPOINT);
    csr_write(medeleg, BIT(TALLY_EXC_BREAKPOINT));
    t = probe(PRIV_U, r_c_ebreak, 0, 0);
    CHECK_EQ(t.cause, TALLY_EXC_BREAKPOINT);
    CHECK_EQ(t.handler, PRIV_S);
    csr_write(medeleg, 0);
    csr_write(mtvec, m_trap);
    csr_write(stvec, s_trap);
}

void test_main(void) {
    open_memory();
    check_faults();
    check_ecall();
    check_fetch();
    check_no_effect();
    check_vectored_exceptions();
    pass();
}
