/*
 * Traps: interrupt selection, trap entry, MRET and SRET (privileged manual, "Machine-Level ISA", mstatus to
 * mtval).
 */
#include "hart_internal.h"

static uint64_t interrupt_flag(const struct gh *h) { return BIT(h->cfg.xlen - 1); }

static bool status_bit(const struct gh *h, uint64_t bit) { return (h->mstatus & bit) != 0; }

static void status_set(struct gh *h, uint64_t bit, bool value) {
    h->mstatus = value ? h->mstatus | bit : h->mstatus & ~bit;
}

static uint64_t vector(uint64_t tvec, bool interrupt, uint64_t cause) {
    uint64_t base = tvec & ~UINT64_C(3);
    return interrupt && tvec & 1 ? base + 4 * cause : base;
}

static void enter_s(struct gh *h, bool interrupt, uint64_t cause, uint64_t tval) {
    h->scause = cause | (interrupt ? interrupt_flag(h) : 0);
    h->sepc = h->pc;
    h->stval = tval;
    status_set(h, MSTATUS_SPIE, status_bit(h, MSTATUS_SIE));
    status_set(h, MSTATUS_SIE, false);
    status_set(h, MSTATUS_SPP, h->priv == PRIV_S);
    h->priv = PRIV_S;
    h->pc = vector(h->stvec, interrupt, cause) & h->xmask;
}

static void enter_m(struct gh *h, bool interrupt, uint64_t cause, uint64_t tval) {
    h->mcause = cause | (interrupt ? interrupt_flag(h) : 0);
    h->mepc = h->pc;
    h->mtval = tval;
    status_set(h, MSTATUS_MPIE, status_bit(h, MSTATUS_MIE));
    status_set(h, MSTATUS_MIE, false);
    h->mstatus = (h->mstatus & ~MSTATUS_MPP) | (uint64_t)h->priv << MSTATUS_MPP_LSB;
    h->priv = PRIV_M;
    h->pc = vector(h->mtvec, interrupt, cause) & h->xmask;
}

static void take(struct gh *h, bool interrupt, bool to_s, uint64_t cause, uint64_t tval) {
    struct gh_retire *out = h->out;

    out->trap = true;
    out->cause = cause | (interrupt ? interrupt_flag(h) : 0);
    out->epc = h->pc;
    out->tval = tval & h->xmask;
    out->csr_changed = true;
    if (to_s)
        enter_s(h, interrupt, cause, out->tval);
    else
        enter_m(h, interrupt, cause, out->tval);
}

void gh_take_exception(struct gh *h) {
    bool to_s = h->priv <= PRIV_S && h->medeleg >> h->exc_cause & 1;
    take(h, false, to_s, h->exc_cause, h->exc_tval);
}

void gh_take_interrupt(struct gh *h, unsigned cause) {
    unsigned bit = cause == IRQ_ANDES_S ? IRQ_ANDES : cause;
    bool to_s = h->priv <= PRIV_S && bit < 64 && h->mideleg >> bit & 1;
    take(h, true, to_s, cause, 0);
}

int gh_pending_interrupt(const struct gh *h) {
    static const uint8_t order[] = {IRQ_MEI, IRQ_MSI,   IRQ_MTI,   IRQ_SEI,  IRQ_SSI,
                                    IRQ_STI, IRQ_LCOFI, IRQ_LAMBI, IRQ_ANDES};
    uint64_t pending, to_m, to_s, candidates;

    if (h->mie == 0) return -1;
    pending = gh_mip(h) & h->mie;
    if (pending == 0) return -1;
    to_m = h->priv < PRIV_M || status_bit(h, MSTATUS_MIE) ? pending & ~h->mideleg : 0;
    to_s = h->priv < PRIV_S || (h->priv == PRIV_S && status_bit(h, MSTATUS_SIE)) ? pending & h->mideleg : 0;
    candidates = to_m ? to_m : to_s; /* interrupts for the higher mode come first */
    for (unsigned i = 0; i < sizeof order; i++)
        if (candidates >> order[i] & 1) return order[i] == IRQ_ANDES && !to_m ? IRQ_ANDES_S : order[i];
    return -1;
}

bool gh_wakes(const struct gh *h) { return (gh_mip(h) & h->mie) != 0; }

void gh_mret(struct gh *h) {
    unsigned to = (unsigned)field(h->mstatus, MSTATUS_MPP_LSB, 2);

    status_set(h, MSTATUS_MIE, status_bit(h, MSTATUS_MPIE));
    status_set(h, MSTATUS_MPIE, true);
    h->mstatus &= ~MSTATUS_MPP; /* least privileged mode: U */
    if (to != PRIV_M) status_set(h, MSTATUS_MPRV, false);
    h->priv = to;
    h->next_pc = h->mepc;
    h->out->csr_changed = true;
}

void gh_sret(struct gh *h) {
    unsigned to = status_bit(h, MSTATUS_SPP) ? PRIV_S : PRIV_U;

    status_set(h, MSTATUS_SIE, status_bit(h, MSTATUS_SPIE));
    status_set(h, MSTATUS_SPIE, true);
    status_set(h, MSTATUS_SPP, false);
    status_set(h, MSTATUS_MPRV, false);
    h->priv = to;
    h->next_pc = h->sepc;
    h->out->csr_changed = true;
}
