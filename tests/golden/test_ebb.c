// SPDX-License-Identifier: Apache-2.0
/*
 * Event-based branches in the golden hart: delivery between instructions, uebret (docs/rulings.md, EBB
 * delivery; uebret).
 */
#include "rig.h"

#define CODE (RIG_RAM + 0x100)
#define HANDLER (RIG_RAM + 0x6000)
#define DATA (RIG_RAM + 0x2000)
enum { NOP = 0x13, ECALL = 0x73, ADDI_X5 = 0x00128293 };
#define UEBRET_0 TALLY_INSN_UEBRET_0
#define UEBRET_1 TALLY_INSN_UEBRET_1

/* U-mode, PMP open for all. */
static void fresh(struct rig *r) {
    gh_reset(r->h);
    r->h->pmpcfg[0] = 0x1F;
    r->h->pmpaddr[0] = r->h->xmask & (BIT(54) - 1);
    gh_pmp_decode(r->h);
    r->h->mtvec = RIG_RAM + 0x8000;
    r->h->priv = TALLY_PRIV_U;
    r->ebb_due = r->uebret_legal = false;
    r->ebb_target = HANDLER;
    r->uebret_target = CODE + 0x40;
    r->delivered = r->returned = 0;
}

static void test_delivery_precedes_the_instruction(struct rig *r) {
    const struct gh_retire *out = &r->out;

    fresh(r);
    rig_set_reg(r, 5, 7);
    r->ebb_due = true;
    rig_exec_at(r, CODE, ADDI_X5);
    CHECK_EQ(out->ebb, 1, "it is delivered");
    CHECK_EQ(out->trap, 0, "no trap");
    CHECK_EQ(out->pc, CODE, "the pc that uebbrr gets");
    CHECK_EQ(out->next_pc, HANDLER, "where to");
    CHECK_EQ(out->rd_we, 0, "nothing retires");
    CHECK_EQ(out->insn, 0, "nothing is fetched");
    CHECK_EQ(out->next_priv, TALLY_PRIV_U, "no mode change");
    CHECK_EQ(gh_reg(r->h, 5), 7, "the instruction waits");
    CHECK_EQ(r->h->mcause | r->h->mepc | r->h->mstatus, 0, "no CSR of the hart");
    r->ebb_due = false;
    rig_exec_at(r, CODE, ADDI_X5);
    CHECK_EQ(gh_reg(r->h, 5), 8, "and runs after it");
    CHECK_EQ(r->delivered, 1, "once");
}

static void test_own_exceptions_come_after_it(struct rig *r) {
    fresh(r);
    r->ebb_due = true;
    rig_exec_at(r, CODE, ECALL);
    CHECK_EQ(r->out.ebb, 1, "before an ecall");
    r->h->pc = 0x40; /* nothing there */
    gh_step(r->h, NULL, &r->out);
    CHECK_EQ(r->out.ebb, 1, "before a fetch fault");
    CHECK_EQ(r->out.pc, 0x40, "its pc");
    r->ebb_due = false;
    r->h->pc = 0x40;
    gh_step(r->h, NULL, &r->out);
    CHECK_EQ(r->out.cause, TALLY_EXC_INSN_ACCESS, "then the fault");
}

static void test_interrupts_come_first(struct rig *r) {
    fresh(r);
    r->ebb_due = true;
    r->h->mie = BIT(TALLY_INT_MTI);
    gh_set_mip(r->h, BIT(TALLY_INT_MTI), 0);
    rig_exec_at(r, CODE, NOP);
    CHECK_EQ(r->out.trap, 1, "the interrupt");
    CHECK_EQ(r->out.ebb, 0, "not the branch");
    CHECK_EQ(r->out.epc, CODE, "before the same instruction");
    CHECK_EQ(r->delivered, 0, "and the PMU is not told");
    gh_step(r->h, NULL, &r->out);
    CHECK_EQ(r->out.ebb, 0, "never in M-mode");
    gh_set_mip(r->h, 0, 0);
    fresh(r);
    r->ebb_due = true;
    gh_set_mip(r->h, BIT(TALLY_INT_MTI), 0); /* not enabled */
    rig_exec_at(r, CODE, NOP);
    CHECK_EQ(r->out.ebb, 1, "an interrupt that is not enabled does not count");
    gh_set_mip(r->h, 0, 0);
}

static void test_reservation_is_lost(struct rig *r) {
    for (unsigned how = 0; how < 4; how++) {
        fresh(r);
        rig_set_reg(r, 1, DATA);
        rig_set_reg(r, 2, 0x55);
        rig_put(r, DATA, 4, 1);
        rig_exec_at(r, CODE, enc_amo(2, 2, 3, 1, 0)); /* lr.w x3, (x1) */
        r->uebret_legal = true;
        if (how == 1) {
            r->ebb_due = true;
            rig_exec_at(r, CODE, NOP);
            r->ebb_due = false;
        } else if (how >= 2) {
            rig_exec_at(r, CODE, how == 2 ? UEBRET_0 : UEBRET_1);
            CHECK_EQ(r->out.trap, 0, "uebret is legal");
        }
        rig_exec_at(r, CODE, enc_amo(3, 2, 4, 1, 2)); /* sc.w x4, x2, (x1) */
        CHECK_EQ(gh_reg(r->h, 4), how != 0, "sc after %u", how);
        CHECK_EQ(rig_get(r, DATA, 4), how ? 1 : 0x55, "memory after %u", how);
    }
}

static void test_uebret(struct rig *r) {
    static const unsigned modes[] = {TALLY_PRIV_U, TALLY_PRIV_S, TALLY_PRIV_M};

    for (unsigned k = 0; k < 12; k++) {
        unsigned priv = modes[k % 3];
        bool ge = k / 3 & 1, legal = k >= 6;

        fresh(r);
        r->h->priv = priv;
        r->uebret_legal = legal;
        rig_exec_at(r, CODE, ge ? UEBRET_1 : UEBRET_0);
        if (priv == TALLY_PRIV_U && legal) {
            CHECK_EQ(r->out.trap, 0, "retires");
            CHECK_EQ(r->out.uebret, 1, "is reported");
            CHECK_EQ(r->out.uebret_ge, ge, "its operand");
            CHECK_EQ(r->ge, ge, "the PMU gets it");
            CHECK_EQ(r->out.next_pc, CODE + 0x40, "where to");
            CHECK_EQ(r->out.next_priv, TALLY_PRIV_U, "no mode change");
        } else {
            CHECK_EQ(r->out.cause, TALLY_EXC_ILLEGAL, "illegal in mode %u", priv);
            CHECK_EQ(r->out.tval, ge ? UEBRET_1 : UEBRET_0, "its bits");
            CHECK_EQ(r->returned, 0, "the PMU is not told");
        }
    }
    fresh(r);
    r->uebret_legal = true;
    CHECK_EQ(rig_exec_at(r, CODE, UEBRET_0 | 1 << 21)->trap, 1, "another operand");
    fresh(r);
    r->uebret_legal = true;
    CHECK_EQ(rig_exec_at(r, CODE, UEBRET_0 | 1 << 7)->trap, 1, "with rd");
    fresh(r);
    r->uebret_legal = true;
    CHECK_EQ(rig_exec_at(r, CODE, UEBRET_0 | 1 << 15)->trap, 1, "with rs1");
}

static void test_a_pending_event_follows_uebret_at_once(struct rig *r) {
    fresh(r);
    r->uebret_legal = true;
    rig_exec_at(r, CODE, UEBRET_1);
    r->ebb_due = true;
    gh_step(r->h, NULL, &r->out);
    CHECK_EQ(r->out.ebb, 1, "before the next instruction");
    CHECK_EQ(r->out.pc, CODE + 0x40, "so uebbrr gets its own value");
}

static void test_in_lockstep_the_model_decides(struct rig *r) {
    struct gh_hint interrupt = {.irq = true, .irq_cause = TALLY_INT_MTI};

    fresh(r);
    r->ebb_due = true;
    rig_put(r, CODE, 4, NOP);
    r->h->pc = CODE;
    r->h->mie = BIT(TALLY_INT_MTI);
    gh_set_mip(r->h, BIT(TALLY_INT_MTI), 0);
    gh_step(r->h, &interrupt, &r->out);
    CHECK_EQ(r->out.trap, 1, "the machine's interrupt");
    fresh(r);
    r->ebb_due = true;
    r->h->pc = CODE;
    gh_step(r->h, NULL, &r->out);
    CHECK_EQ(r->out.ebb, 1, "without one the branch");
}

static void test_without_event_based_branches(void) {
    struct gh_host host = {.dev_load = rig_dev_load,
                           .dev_store = rig_dev_store,
                           .dev_exec = rig_dev_exec,
                           .pmu_csr = rig_pmu_csr,
                           .time = rig_time};
    struct rig r;

    rig_open(&r, 64, false);
    host.ctx = &r;
    r.h->host = host;
    fresh(&r);
    r.ebb_due = r.uebret_legal = true;
    CHECK_EQ(rig_exec_at(&r, CODE, NOP)->ebb, 0, "no branch");
    CHECK_EQ(rig_exec_at(&r, CODE, UEBRET_0)->cause, TALLY_EXC_ILLEGAL, "no uebret");
    rig_close(&r);
}

int main(void) {
    for (unsigned xlen = 32; xlen <= 64; xlen += 32) {
        struct rig r;

        rig_open(&r, xlen, false);
        test_delivery_precedes_the_instruction(&r);
        test_own_exceptions_come_after_it(&r);
        test_interrupts_come_first(&r);
        test_reservation_is_lost(&r);
        test_uebret(&r);
        test_a_pending_event_follows_uebret_at_once(&r);
        rig_close(&r);
        rig_open(&r, xlen, true);
        test_in_lockstep_the_model_decides(&r);
        rig_close(&r);
    }
    test_without_event_based_branches();
    return rig_result("event-based branches");
}
