// SPDX-License-Identifier: Apache-2.0
/*
 * Traps: every cause raised and delegated, mstatus at trap entry and return, interrupt priority and
 * masking, vectors, WFI, and the rules of lockstep.
 */
#include "rig.h"

#define MTVEC (RIG_RAM + 0x8000)
#define STVEC (RIG_RAM + 0x9000)
#define CODE (RIG_RAM + 0x100)

static uint64_t interrupt_flag(const struct rig *r) { return BIT(r->h->cfg.xlen - 1); }

/* PMP open for all, vectors set, everything else reset. */
static void fresh(struct rig *r, unsigned priv) {
    gh_reset(r->h);
    r->now = 0;
    r->h->pmpcfg[0] = 0x1F;
    r->h->pmpaddr[0] = r->h->xmask & (BIT(54) - 1);
    gh_pmp_decode(r->h);
    r->h->mtvec = MTVEC;
    r->h->stvec = STVEC;
    r->h->priv = priv;
    rig_set_reg(r, 1, 0x40);        /* nothing there */
    rig_set_reg(r, 2, RIG_RAM + 1); /* misaligned */
}

/* --- exceptions --- */

static const struct {
    const char *name;
    unsigned cause;
    uint32_t insn;
    uint64_t tval;
    unsigned modes; /* a bit a mode in which this is the cause */
} exceptions[] = {
    {"illegal", TALLY_EXC_ILLEGAL, 0xFFFFFFFF, 0xFFFFFFFF, 0xB},
    {"mret below M", TALLY_EXC_ILLEGAL, 0x30200073, 0x30200073, 0x3},
    {"sret in U", TALLY_EXC_ILLEGAL, 0x10200073, 0x10200073, 0x1},
    {"sfence.vma in U", TALLY_EXC_ILLEGAL, 0x12000073, 0x12000073, 0x1},
    {"wfi in U", TALLY_EXC_ILLEGAL, 0x10500073, 0x10500073, 0x1},
    {"breakpoint", TALLY_EXC_BREAKPOINT, 0x00100073, CODE, 0xB},
    {"load misaligned", TALLY_EXC_LOAD_MISALIGNED, 0x00012183, RIG_RAM + 1, 0xB},
    {"load access", TALLY_EXC_LOAD_ACCESS, 0x0000A183, 0x40, 0xB},
    {"store misaligned", TALLY_EXC_STORE_MISALIGNED, 0x00012023, RIG_RAM + 1, 0xB},
    {"store access", TALLY_EXC_STORE_ACCESS, 0x0000A023, 0x40, 0xB},
    {"ecall from U", TALLY_EXC_ECALL_U, 0x00000073, 0, 0x1},
    {"ecall from S", TALLY_EXC_ECALL_S, 0x00000073, 0, 0x2},
    {"ecall from M", TALLY_EXC_ECALL_M, 0x00000073, 0, 0x8},
};

static void check_entry(struct rig *r, const char *name, unsigned from, bool to_s, uint64_t cause,
                        uint64_t tval) {
    const struct gh_retire *out = &r->out;
    uint64_t status = r->h->mstatus;

    CHECK_EQ(out->trap, 1, "%s", name);
    CHECK_EQ(out->cause, cause, "%s", name);
    CHECK_EQ(out->epc, CODE, "%s", name);
    CHECK_EQ(out->tval, tval, "%s", name);
    CHECK_EQ(out->rd_we, 0, "%s writes no register", name);
    CHECK_EQ(out->mem, GH_MEM_NONE, "%s touches no memory", name);
    CHECK_EQ(out->csr_changed, 1, "%s", name);
    CHECK_EQ(out->next_priv, to_s ? TALLY_PRIV_S : TALLY_PRIV_M, "%s", name);
    CHECK_EQ(gh_priv(r->h), out->next_priv, "%s", name);
    CHECK_EQ(gh_pc(r->h), out->next_pc, "%s", name);
    CHECK_EQ(to_s ? r->h->scause : r->h->mcause, cause, "%s: xcause", name);
    CHECK_EQ(to_s ? r->h->sepc : r->h->mepc, CODE, "%s: xepc", name);
    CHECK_EQ(to_s ? r->h->stval : r->h->mtval, tval, "%s: xtval", name);
    CHECK_EQ(to_s ? r->h->mcause | r->h->mepc : r->h->scause | r->h->sepc, 0, "%s: the other level", name);
    if (to_s)
        CHECK_EQ(field(status, 8, 1), from, "%s: SPP", name);
    else
        CHECK_EQ(field(status, TALLY_MSTATUS_MPP_LSB, 2), from, "%s: MPP", name);
}

static void test_exceptions(struct rig *r) {
    for (unsigned i = 0; i < sizeof exceptions / sizeof exceptions[0]; i++)
        for (unsigned priv = 0; priv < 4; priv++)
            for (unsigned delegate = 0; delegate < 2; delegate++) {
                if (!(exceptions[i].modes >> priv & 1))
                    continue;
                fresh(r, priv);
                if (delegate)
                    r->h->medeleg = TALLY_MEDELEG_WMASK;
                rig_exec(r, exceptions[i].insn);
                check_entry(r, exceptions[i].name, priv, delegate && priv != TALLY_PRIV_M,
                            exceptions[i].cause, exceptions[i].tval & r->h->xmask);
                CHECK_EQ(r->out.next_pc, delegate && priv != TALLY_PRIV_M ? STVEC : MTVEC, "%s",
                         exceptions[i].name);
            }
    /* vectored mode is for interrupts only */
    fresh(r, TALLY_PRIV_M);
    r->h->mtvec = MTVEC | 1;
    CHECK_EQ(rig_exec(r, 0x00000073)->next_pc, MTVEC, "exceptions go to the base");
}

/* Rights by mode and mstatus bit. */
static void test_privileged(struct rig *r) {
    static const struct {
        const char *name;
        uint32_t insn;
        uint64_t trap_bit;
    } row[] = {{"sret", 0x10200073, TALLY_MSTATUS_TSR_MASK},
               {"sfence.vma", 0x12000073, TALLY_MSTATUS_TVM_MASK},
               {"wfi", 0x10500073, TALLY_MSTATUS_TW_MASK}};

    for (unsigned i = 0; i < 3; i++)
        for (unsigned set = 0; set < 2; set++) {
            fresh(r, TALLY_PRIV_S);
            r->h->mstatus =
                set ? row[i].trap_bit : TALLY_MSTATUS_WMASK & ~row[i].trap_bit & ~TALLY_MSTATUS_MPRV_MASK;
            CHECK_EQ(rig_exec(r, row[i].insn)->trap, set, "%s in S, its bit is %u", row[i].name, set);
            fresh(r, TALLY_PRIV_M);
            r->h->mstatus = row[i].trap_bit;
            CHECK_EQ(rig_exec(r, row[i].insn)->trap, 0, "%s in M", row[i].name);
        }
    fresh(r, TALLY_PRIV_M);
    CHECK_EQ(rig_exec(r, 0x120000F3)->trap, 1, "sfence.vma with rd");
    CHECK_EQ(rig_exec(r, 0x12208073)->trap, 0, "sfence.vma x1, x2");
    CHECK_EQ(rig_exec(r, 0x10500173)->trap, 1, "wfi with rd");
    CHECK_EQ(rig_exec(r, 0x00200073)->trap, 1, "uret");
    CHECK_EQ(rig_exec(r, TALLY_INSN_UEBRET_0)->trap, 1, "a custom SYSTEM encoding");
    fresh(r, TALLY_PRIV_M);
    CHECK_EQ(rig_exec(r, 0x10500073)->wfi, 1, "wfi is reported");
}

/* --- returns --- */

static void test_returns(struct rig *r) {
    static const unsigned modes[] = {TALLY_PRIV_U, TALLY_PRIV_S, TALLY_PRIV_M};

    for (unsigned m = 0; m < 3; m++)
        for (unsigned pie = 0; pie < 2; pie++) {
            fresh(r, TALLY_PRIV_M);
            r->h->mepc = RIG_RAM + 0x202;
            r->h->mstatus = (uint64_t)modes[m] << TALLY_MSTATUS_MPP_LSB | TALLY_MSTATUS_MPRV_MASK |
                            (pie ? TALLY_MSTATUS_MPIE_MASK : TALLY_MSTATUS_MIE_MASK);
            rig_exec(r, 0x30200073);
            CHECK_EQ(r->out.next_pc, RIG_RAM + 0x202, "mret");
            CHECK_EQ(r->out.next_priv, modes[m], "mret");
            CHECK_EQ(r->h->mstatus,
                     TALLY_MSTATUS_MPIE_MASK | (pie ? TALLY_MSTATUS_MIE_MASK : 0) |
                         (modes[m] == TALLY_PRIV_M ? TALLY_MSTATUS_MPRV_MASK : 0),
                     "mret to %u, MPIE %u: MIE=MPIE, MPIE=1, MPP=U, MPRV cleared below M", modes[m], pie);
        }
    for (unsigned spp = 0; spp < 2; spp++)
        for (unsigned from = 1; from < 4; from += 2) {
            fresh(r, from);
            r->h->sepc = RIG_RAM + 0x202;
            r->h->mstatus = (spp ? TALLY_MSTATUS_SPP_MASK : 0) | TALLY_MSTATUS_SPIE_MASK |
                            TALLY_MSTATUS_MPRV_MASK | TALLY_MSTATUS_MPP_MASK;
            rig_exec(r, 0x10200073);
            CHECK_EQ(r->out.next_priv, spp, "sret");
            CHECK_EQ(r->out.next_pc, RIG_RAM + 0x202, "sret");
            CHECK_EQ(r->h->mstatus, TALLY_MSTATUS_SPIE_MASK | TALLY_MSTATUS_SIE_MASK | TALLY_MSTATUS_MPP_MASK,
                     "sret");
        }
}

/* --- interrupts --- */

static const unsigned by_priority[] = {11, 3, 7, 9, 1, 5, 13, 14, 18};
enum { IRQS = sizeof by_priority / sizeof by_priority[0] };

static bool delegable(unsigned irq) { return irq != 11 && irq != 3 && irq != 7; }

static void pend(struct rig *r, unsigned irq) {
    r->h->mip_soft |= BIT(irq) & TALLY_MIP_WMASK;
    gh_set_mip(r->h, r->h->mip_line | BIT(irq), 0);
}

/* One interrupt in every mode, with every enable, delegated or not. */
static void test_interrupt_masking(struct rig *r) {
    for (unsigned i = 0; i < IRQS; i++)
        for (unsigned combo = 0; combo < 32; combo++) {
            unsigned irq = by_priority[i];
            bool mie = combo & 1, sie = combo & 2, enabled = combo & 4,
                 delegated = combo & 8 && delegable(irq);
            for (unsigned priv = 0; priv < 4; priv++) {
                bool to_s = delegated && priv != TALLY_PRIV_M, taken;
                uint64_t cause;

                if (priv == 2)
                    continue;
                fresh(r, priv);
                r->h->mstatus = (mie ? TALLY_MSTATUS_MIE_MASK : 0) | (sie ? TALLY_MSTATUS_SIE_MASK : 0);
                r->h->mie = enabled ? BIT(irq) : 0;
                r->h->mideleg = delegated ? BIT(irq) : 0;
                if (combo & 16)
                    pend(r, irq);
                if (delegated)
                    taken = priv < TALLY_PRIV_S || (priv == TALLY_PRIV_S && sie);
                else
                    taken = priv < TALLY_PRIV_M || mie;
                taken = taken && enabled && combo & 16;
                cause = irq == 18 && to_s ? 256 + 18 : irq;

                CHECK_EQ((uint64_t)(int64_t)gh_pending_interrupt(r->h), taken ? cause : UINT64_MAX,
                         "interrupt %u", irq);
                CHECK_EQ(gh_wakes(r->h), enabled && combo & 16, "interrupt %u wakes whatever is masked", irq);
                rig_exec(r, 0x00000013);
                CHECK_EQ(r->out.trap, taken, "interrupt %u in mode %u, MIE %u SIE %u", irq, priv, mie, sie);
                if (taken) {
                    CHECK_EQ(r->out.insn, 0, "no instruction");
                    check_entry(r, "interrupt", priv, to_s, cause | interrupt_flag(r), 0);
                    CHECK_EQ(r->h->mstatus & (to_s ? TALLY_MSTATUS_SIE_MASK : TALLY_MSTATUS_MIE_MASK), 0,
                             "masked");
                    CHECK_EQ(field(r->h->mstatus, to_s ? 5 : 7, 1), to_s ? sie : mie, "xPIE has the old xIE");
                }
            }
        }
}

/* Any two pending: the one for the higher mode, then the order of the manual. */
static void test_interrupt_priority(struct rig *r) {
    for (unsigned i = 0; i < IRQS; i++)
        for (unsigned j = i + 1; j < IRQS; j++)
            for (unsigned deleg = 0; deleg < 4; deleg++) {
                unsigned a = by_priority[i], b = by_priority[j];
                bool da = deleg & 1 && delegable(a), db = deleg & 2 && delegable(b);
                bool b_first = da && !db;
                unsigned want = b_first ? b : a;
                bool want_s = b_first ? db : da;

                fresh(r, TALLY_PRIV_U);
                r->h->mie = BIT(a) | BIT(b);
                r->h->mideleg = (da ? BIT(a) : 0) | (db ? BIT(b) : 0);
                pend(r, a);
                pend(r, b);
                if (want == 18 && want_s)
                    want = 274;
                CHECK_EQ((uint64_t)gh_pending_interrupt(r->h), want, "%u against %u, delegated %u", a, b,
                         deleg);
            }
}

static void test_vectors(struct rig *r) {
    for (unsigned i = 0; i < IRQS; i++)
        for (unsigned s = 0; s < 2; s++) {
            unsigned irq = by_priority[i];
            if (s && !delegable(irq))
                continue;
            fresh(r, TALLY_PRIV_U);
            r->h->mtvec |= 1;
            r->h->stvec |= 1;
            r->h->mie = BIT(irq);
            r->h->mideleg = s ? BIT(irq) : 0;
            pend(r, irq);
            rig_exec(r, 0x00000013);
            CHECK_EQ(r->out.next_pc, s ? STVEC + 4 * (irq == 18 ? 274U : irq) : MTVEC + 4 * irq,
                     "vector of %u", irq);
        }
}

/* --- lockstep --- */

static void test_lockstep(unsigned xlen) {
    struct gh_hint hint = {0};
    struct rig r;

    rig_open(&r, xlen, true);
    fresh(&r, TALLY_PRIV_U);
    r.h->mie = BIT(7) | BIT(3);
    gh_set_mip(r.h, BIT(7), 0);
    rig_exec(&r, 0x00000013);
    CHECK_EQ(r.out.trap, 0, "no interrupt without a hint");
    CHECK_EQ(r.out.error == NULL, 1, "and that is no error");
    hint.irq = true;
    hint.irq_cause = 7;
    gh_step(r.h, &hint, &r.out);
    CHECK_EQ(r.out.cause, 7 | BIT(xlen - 1), "taken by hint");
    CHECK_EQ(r.out.error == NULL, 1, "rightly");
    r.h->priv = TALLY_PRIV_U;
    gh_set_mip(r.h, BIT(7) | BIT(3), 0);
    gh_step(r.h, &hint, &r.out);
    CHECK_EQ(r.out.error != NULL, 1, "not the one of highest priority");
    r.h->priv = TALLY_PRIV_U;
    gh_set_mip(r.h, 0, 0);
    gh_step(r.h, &hint, &r.out);
    CHECK_EQ(r.out.error != NULL, 1, "not pending");
    CHECK_EQ(r.out.trap, 1, "but followed, so that the report shows what comes of it");

    /* Sstc's comparison is the machine's line 5 */
    fresh(&r, TALLY_PRIV_M);
    r.h->menvcfg = TALLY_MENVCFG_STCE_MASK;
    r.now = 100;
    CHECK_EQ(rig_csrr(&r, TALLY_CSR_MIP), 0, "no line");
    gh_set_mip(r.h, BIT(5), 0);
    CHECK_EQ(rig_csrr(&r, TALLY_CSR_MIP), BIT(5), "line");

    /* values that another hart decides */
    fresh(&r, TALLY_PRIV_M);
    memset(&hint, 0, sizeof hint);
    hint.load_forced = true;
    hint.load_value = 0xFFFFFFFF80;
    rig_set_reg(&r, 1, RIG_RAM + 0x4000);
    rig_put(&r, CODE, 4, enc_i(0x03, 0, 3, 1, 0)); /* lb x3, (x1) */
    r.h->pc = CODE;
    gh_step(r.h, &hint, &r.out);
    CHECK_EQ(r.out.rd_value, r.h->xmask & ~UINT64_C(0x7F), "a forced load is cut and extended");
    hint.load_value = 40;
    rig_set_reg(&r, 2, 2);
    rig_put(&r, CODE, 4, enc_amo(0, 2, 3, 1, 2)); /* amoadd.w x3, x2, (x1) */
    r.h->pc = CODE;
    gh_step(r.h, &hint, &r.out);
    CHECK_EQ(rig_get(&r, RIG_RAM + 0x4000, 4), 42, "an AMO goes on from the forced value");
    hint.load_forced = false;
    hint.sc_forced = true;
    rig_put(&r, CODE, 4, enc_amo(3, 2, 3, 1, 2));
    r.h->pc = CODE;
    gh_step(r.h, &hint, &r.out);
    CHECK_EQ(r.out.error != NULL, 1, "an SC cannot succeed without an LR");
    rig_close(&r);
}

int main(void) {
    for (unsigned xlen = 32; xlen <= 64; xlen += 32) {
        struct rig r;
        rig_open(&r, xlen, false);
        test_exceptions(&r);
        test_privileged(&r);
        test_returns(&r);
        test_interrupt_masking(&r);
        test_interrupt_priority(&r);
        test_vectors(&r);
        rig_close(&r);
        test_lockstep(xlen);
    }
    return rig_result("trap");
}
