// SPDX-License-Identifier: Apache-2.0
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
    status_set(h, TALLY_MSTATUS_SPIE_MASK, status_bit(h, TALLY_MSTATUS_SIE_MASK));
    status_set(h, TALLY_MSTATUS_SIE_MASK, false);
    status_set(h, TALLY_MSTATUS_SPP_MASK, h->priv == TALLY_PRIV_S);
    h->priv = TALLY_PRIV_S;
    h->pc = vector(h->stvec, interrupt, cause) & h->xmask;
}

static void enter_m(struct gh *h, bool interrupt, uint64_t cause, uint64_t tval) {
    h->mcause = cause | (interrupt ? interrupt_flag(h) : 0);
    h->mepc = h->pc;
    h->mtval = tval;
    status_set(h, TALLY_MSTATUS_MPIE_MASK, status_bit(h, TALLY_MSTATUS_MIE_MASK));
    status_set(h, TALLY_MSTATUS_MIE_MASK, false);
    h->mstatus = (h->mstatus & ~TALLY_MSTATUS_MPP_MASK) | (uint64_t)h->priv << TALLY_MSTATUS_MPP_LSB;
    h->priv = TALLY_PRIV_M;
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
    bool to_s = h->priv <= TALLY_PRIV_S && h->medeleg >> h->exc_cause & 1;
    take(h, false, to_s, h->exc_cause, h->exc_tval);
}

void gh_take_interrupt(struct gh *h, unsigned cause) {
    unsigned bit = cause == IRQ_ANDES_S ? TALLY_INT_ANDES : cause;
    bool to_s = h->priv <= TALLY_PRIV_S && bit < 64 && h->mideleg >> bit & 1;
    take(h, true, to_s, cause, 0);
}

int gh_pending_interrupt(const struct gh *h) {
    static const uint8_t order[] = {TALLY_INT_MEI,   TALLY_INT_MSI,   TALLY_INT_MTI,
                                    TALLY_INT_SEI,   TALLY_INT_SSI,   TALLY_INT_STI,
                                    TALLY_INT_LCOFI, TALLY_INT_LAMBI, TALLY_INT_ANDES};
    uint64_t pending, to_m, to_s, candidates;

    if (!((h->mip_soft | h->mip_line | BIT(TALLY_INT_STI)) & h->mie)) /* STIP may depend on time */
        return -1;
    pending = gh_mip(h) & h->mie;
    if (pending == 0)
        return -1;
    to_m = h->priv < TALLY_PRIV_M || status_bit(h, TALLY_MSTATUS_MIE_MASK) ? pending & ~h->mideleg : 0;
    to_s = h->priv < TALLY_PRIV_S || (h->priv == TALLY_PRIV_S && status_bit(h, TALLY_MSTATUS_SIE_MASK))
               ? pending & h->mideleg
               : 0;
    candidates = to_m ? to_m : to_s; /* interrupts for the higher mode come first */
    for (unsigned i = 0; i < sizeof order; i++)
        if (candidates >> order[i] & 1)
            return order[i] == TALLY_INT_ANDES && !to_m ? IRQ_ANDES_S : order[i];
    return -1;
}

/* The event-based branch that is due before the next instruction, if there is one. It is no trap: neither
 * mode nor any CSR of the hart changes. The reservation is lost (docs/rulings.md, EBB delivery). */
bool gh_deliver(struct gh *h) {
    uint64_t target;

    if (!h->host.ebb || !h->host.ebb(h->host.ctx, h->priv, &target))
        return false;
    h->out->ebb = true;
    h->linked = h->reserved = false;
    h->pc = target & h->xmask;
    return true;
}

bool gh_wakes(const struct gh *h) { return (gh_mip(h) & h->mie) != 0; }

void gh_mret(struct gh *h) {
    unsigned to = (unsigned)field(h->mstatus, TALLY_MSTATUS_MPP_LSB, 2);

    status_set(h, TALLY_MSTATUS_MIE_MASK, status_bit(h, TALLY_MSTATUS_MPIE_MASK));
    status_set(h, TALLY_MSTATUS_MPIE_MASK, true);
    h->mstatus &= ~TALLY_MSTATUS_MPP_MASK; /* least privileged mode: U */
    if (to != TALLY_PRIV_M)
        status_set(h, TALLY_MSTATUS_MPRV_MASK, false);
    h->priv = to;
    h->next_pc = h->mepc;
    h->out->csr_changed = true;
}

void gh_sret(struct gh *h) {
    unsigned to = status_bit(h, TALLY_MSTATUS_SPP_MASK) ? TALLY_PRIV_S : TALLY_PRIV_U;

    status_set(h, TALLY_MSTATUS_SIE_MASK, status_bit(h, TALLY_MSTATUS_SPIE_MASK));
    status_set(h, TALLY_MSTATUS_SPIE_MASK, true);
    status_set(h, TALLY_MSTATUS_SPP_MASK, false);
    status_set(h, TALLY_MSTATUS_MPRV_MASK, false);
    h->priv = to;
    h->next_pc = h->sepc;
    h->out->csr_changed = true;
}
