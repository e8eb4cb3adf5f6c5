// SPDX-License-Identifier: Apache-2.0
/*
 * Contents of the registers: the value that an access reads, and the value that a write leaves. Rights:
 * pmu_access.c.
 */
#include "pmu_internal.h"

#define LOW32 UINT64_C(0xFFFFFFFF)

enum { LATSEL_LAST = 4 }; /* OLDEST */

/* ---- values */

/* The Andes masks: a word with bit i = xINH of counter i, inverted unless it is the silicon's
 * (docs/rulings.md, Andes masks). */
static uint32_t mask_word(const struct gp *pmu, uint64_t filter) {
    uint32_t word = 0;

    for (unsigned i = 0; i < GP_COUNTERS; i++)
        word |= (uint32_t)((pmu->event[i] & filter) != 0) << i;
    return pmu->cfg.andes_silicon ? word : ~word;
}

/* vspdisctl: S, U and PA are its own, there is no M. */
static const uint64_t not_the_guests =
    TALLY_MPDISCTL_M_MASK | TALLY_MPDISCTL_S_MASK | TALLY_MPDISCTL_U_MASK | TALLY_MPDISCTL_PA_MASK;

static uint64_t guest_pdisctl(const struct gp *pmu) {
    return (pmu->pdis.ctl & ~not_the_guests) | pmu->pdis.vctl;
}

static uint64_t value_of(const struct gp *pmu, enum gp_reg reg, unsigned i, const struct gp_csr *csr,
                         const struct gp_env *env) {
    switch (reg) {
    case REG_COUNTER:
        return pmu->counter[i];
    case REG_EVENT:
        return pmu->event[i];
    case REG_INHIBIT:
        return pmu->inhibit;
    case REG_MCOUNTEREN:
        return pmu->mcounteren;
    case REG_SCOUNTEREN:
        return pmu->scounteren;
    case REG_TIME:
        return env->time + (pmu->cfg.hyp && csr->v && csr->priv != GP_M ? env->htimedelta : 0);
    case REG_OF:
        return gp_overflow_flags(pmu) |
               (pmu->pdis.ctl & TALLY_MPDISCTL_OF_MASK ? TALLY_SCOUNTOVF_PDIS_MASK : 0);
    case REG_OVF:
        return gp_overflow_flags(pmu);
    case REG_MISELECT:
        return pmu->miselect;
    case REG_SISELECT:
        return pmu->siselect;
    case REG_VSISELECT:
        return pmu->vsiselect;
    case REG_PCLO:
        return pmu->pclo;
    case REG_PCHI:
        return pmu->pchi;
    case REG_PCSEL:
        return pmu->pcsel;
    case REG_WEN:
        return pmu->wen;
    case REG_INTEN:
        return pmu->inten;
    case REG_MASK_M:
        return mask_word(pmu, EV_MINH);
    case REG_MASK_S:
        return mask_word(pmu, EV_SINH);
    case REG_MASK_U:
        return mask_word(pmu, EV_UINH);
    case REG_MMSC_CFG:
        return TALLY_MMSC_CFG_RESET;
    case REG_SPC:
        return pmu->spc;
    case REG_SDATA:
        return pmu->sdata;
    case REG_PDISCTL:
        return pmu->pdis.ctl;
    case REG_VPDISCTL:
        return guest_pdisctl(pmu);
    case REG_PDISCOUNTER:
        return (uint64_t)pmu->pdis.initval << 32 | pmu->pdis.count;
    case REG_PDISMASK:
        return pmu->pdis.mask;
    case REG_PDISMATCH:
        return pmu->pdis.match;
    case REG_PDISFILTER:
        return pmu->pdis.filter;
    case REG_AMBCS:
        return gp_ambcs(pmu);
    case REG_AMBADDR:
        return pmu->amb.addr;
    case REG_SAMPLE:
        return pmu->pdis.registers.word[i];
    case REG_MEBBCTL:
        return pmu->ebb.mctl;
    case REG_SEBBCTL:
        return pmu->ebb.sctl;
    case REG_UBESCR:
        return pmu->ebb.scr;
    case REG_UEBBHR:
        return pmu->ebb.handler;
    case REG_UEBBRR:
        return pmu->ebb.ret;
    case REG_UEBBOVF:
        return gp_overflow_flags(pmu);
    case REG_UEBBINH:
        return pmu->ebb.inhibit;
    case REG_UEBBSEL:
        return pmu->ebb.select;
    case REG_UEBBSPC:
        return pmu->ebb.pc;
    default:
        return 0;
    }
}

uint64_t gp_read(const struct gp *pmu, const struct gp_access *access, const struct gp_csr *csr,
                 const struct gp_env *env) {
    if (access->answer != GP_CSR_OK)
        return 0;
    uint64_t value = value_of(pmu, access->reg, access->i, csr, env) & access->see;
    if (access->high)
        return value >> 32;
    return pmu->cfg.xlen == 32 ? value & LOW32 : value;
}

/* ---- writes */

/* CSRRS and CSRRC work on the value that the view shows. */
static uint64_t new_value(unsigned op, uint64_t old, uint64_t wdata) {
    switch (op) {
    case GP_SET:
        return old | wdata;
    case GP_CLEAR:
        return old & ~wdata;
    default:
        return wdata;
    }
}

/* mcounterovf, scounterovf: a 1 clears, with CSRRW and with CSRRC; CSRRS has no effect (docs/rulings.md,
 * Andes overflow flags). */
static uint64_t cleared_flags(unsigned op, uint64_t wdata) { return op == GP_SET ? 0 : wdata; }

struct gp_write gp_plan_write(const struct gp *pmu, const struct gp_csr *csr, const struct gp_env *env) {
    struct gp_write write = {.valid = false};

    if (!csr->valid || csr->op == GP_READ)
        return write;
    write.to = gp_resolve(pmu, csr, env);
    if (write.to.answer != GP_CSR_OK)
        return write;
    write.valid = true;
    write.mask = write.to.may;
    uint64_t old = gp_read(pmu, &write.to, csr, env), wdata = csr->wdata;
    if (pmu->cfg.xlen == 32) {
        wdata &= LOW32;
        write.mask &= write.to.high ? ~LOW32 : LOW32;
    }
    if (write.to.reg == REG_OVF) {
        write.mask &= cleared_flags(csr->op, wdata);
        write.clears = (uint32_t)write.mask;
        return write;
    }
    unsigned shift = write.to.high ? 32 : 0;
    write.value = new_value(csr->op, old, wdata) << shift;
    /* CSRRS and CSRRC explicitly write the bits of their operand only (Zicsr). So an OF that the hardware
     * sets in this cycle is lost to a value written there (docs/rulings.md, Event register writes), but not
     * to the setting of another bit. Selectors are judged whole. */
    if (csr->op != GP_WRITE)
        write.mask &= wdata << shift | (write.to.reg == REG_EVENT ? ~EV_OF : 0);
    /* CSRRC of OF acts before an overflow of its cycle (docs/rulings.md, OF cleared in the cycle of a wrap).
     */
    if (csr->op == GP_CLEAR && write.to.reg == REG_EVENT && write.mask & EV_OF) {
        write.clears = UINT32_C(1) << write.to.i;
        write.mask &= ~EV_OF;
    }
    if (csr->op == GP_CLEAR && write.to.reg == REG_UEBBOVF) {
        write.clears = (uint32_t)write.mask;
        write.mask = 0;
    }
    return write;
}

/* A selector that is not supported reads back 0, no event. It is judged whole. With XLEN 32 only combinations
 * have bits 55:32: the high half of any other selector is 0, and a write of it does not change the low half.
 */
static uint64_t legal_selector(const struct gp *pmu, unsigned i, uint64_t merged) {
    uint64_t selector = merged & EV_SELECTOR;

    if (pmu->cfg.xlen == 32 && !gp_selector_combines(selector))
        selector &= LOW32;
    if (!gp_selector_known(pmu, i, selector))
        selector = 0;
    return (merged & ~EV_SELECTOR) | selector;
}

static void store_filter(struct gp *pmu, const struct gp_write *write, uint64_t filter) {
    for (unsigned i = 0; i < GP_COUNTERS; i++) {
        bool inhibits = (write->value >> i & 1) == pmu->cfg.andes_silicon;

        if (!(write->mask >> i & 1))
            continue;
        pmu->event[i] = (pmu->event[i] & ~filter) | (inhibits ? filter : 0);
        gp_event_changed(pmu, i);
    }
}

void gp_clear_flags(struct gp *pmu, uint32_t flags) {
    if (!flags)
        return;
    pmu->fixed_ovf &= ~flags;
    for (unsigned i = HPM3; i < GP_COUNTERS; i++)
        if (flags >> i & 1)
            pmu->event[i] &= ~EV_OF;
}

/* Flags of programmable counters that are written: uebbovf. */
static void store_flags(struct gp *pmu, const struct gp_write *write) {
    for (unsigned i = HPM3; i < GP_COUNTERS; i++)
        if (write->mask >> i & 1)
            pmu->event[i] = (pmu->event[i] & ~EV_OF) | (write->value >> i & 1 ? EV_OF : 0);
}

/* Setting MEM clears the sample registers. */
static void store_pdisctl(struct gp *pmu, uint64_t ctl) {
    struct gp_pdis *p = &pmu->pdis;

    if (ctl & ~p->ctl & TALLY_MPDISCTL_MEM_MASK)
        p->registers = (struct gp_record){{0}};
    p->ctl = gp_legal_pdisctl(ctl);
}

static void store_sampling(struct gp *pmu, const struct gp_cycle *cycle) {
    const struct gp_write *write = &cycle->write;
    struct gp_pdis *p = &pmu->pdis;
    uint64_t value;

    switch (write->to.reg) {
    case REG_PDISCTL:
        store_pdisctl(pmu, gp_merge(p->ctl, write));
        break;
    case REG_VPDISCTL:
        value = gp_merge(guest_pdisctl(pmu), write);
        p->vctl = value & TALLY_VSPDISCTL_WMASK;
        store_pdisctl(pmu, (p->ctl & not_the_guests) | (value & ~not_the_guests));
        break;
    case REG_PDISCOUNTER:
        value = gp_merge((uint64_t)p->initval << 32 | p->count, write);
        p->initval = (uint32_t)(value >> 32);
        p->count = (uint32_t)value;
        break;
    case REG_PDISMASK:
        p->mask = gp_merge(p->mask, write);
        break;
    case REG_PDISMATCH:
        p->match = gp_merge(p->match, write);
        break;
    case REG_PDISFILTER:
        p->filter = (uint32_t)gp_merge(p->filter, write);
        if (p->filter >> TALLY_SPDISFILTER_LATSEL_LSB > LATSEL_LAST)
            p->filter &= ~(uint32_t)TALLY_SPDISFILTER_LATSEL_MASK;
        break;
    case REG_AMBCS:
        pmu->amb.cs = gp_legal_ambcs(gp_merge(pmu->amb.cs, write));
        break;
    case REG_AMBADDR:
        pmu->amb.addr = gp_merge(pmu->amb.addr, write);
        break;
    case REG_SAMPLE: /* a sample wins (docs/rulings.md, Sample registers) */
        if (cycle->sampling.end != GP_END_KEPT)
            p->registers.word[write->to.i] = gp_merge(p->registers.word[write->to.i], write);
        break;
    default: /* read-only, or done in the cycle of the write: events, flags */
        break;
    }
}

void gp_store(struct gp *pmu, const struct gp_cycle *cycle) {
    const struct gp_write *write = &cycle->write;
    unsigned i = write->to.i;

    switch (write->to.reg) {
    case REG_COUNTER:
        pmu->counter[i] = gp_merge(pmu->counter[i], write);
        break;
    case REG_EVENT:
        pmu->event[i] = gp_merge(pmu->event[i], write);
        if (i >= HPM3)
            pmu->event[i] = legal_selector(pmu, i, pmu->event[i]);
        gp_event_changed(pmu, i);
        break;
    case REG_INHIBIT:
        pmu->inhibit = (uint32_t)gp_merge(pmu->inhibit, write);
        break;
    case REG_MCOUNTEREN:
        pmu->mcounteren = (uint32_t)gp_merge(pmu->mcounteren, write);
        break;
    case REG_SCOUNTEREN:
        pmu->scounteren = (uint32_t)gp_merge(pmu->scounteren, write);
        break;
    case REG_MISELECT:
        pmu->miselect = (uint16_t)gp_merge(pmu->miselect, write);
        break;
    case REG_SISELECT:
        pmu->siselect = (uint16_t)gp_merge(pmu->siselect, write);
        break;
    case REG_VSISELECT:
        pmu->vsiselect = (uint16_t)gp_merge(pmu->vsiselect, write);
        break;
    case REG_PCLO:
        pmu->pclo = gp_merge(pmu->pclo, write);
        break;
    case REG_PCHI:
        pmu->pchi = gp_merge(pmu->pchi, write);
        break;
    case REG_PCSEL:
        pmu->pcsel = (uint32_t)gp_merge(pmu->pcsel, write);
        break;
    case REG_WEN:
        pmu->wen = (uint32_t)gp_merge(pmu->wen, write);
        break;
    case REG_INTEN:
        pmu->inten = (uint32_t)gp_merge(pmu->inten, write);
        break;
    case REG_MASK_M:
        store_filter(pmu, write, EV_MINH);
        break;
    case REG_MASK_S: /* VS counts as S, VU as U (docs/rulings.md, Andes and the hypervisor) */
        store_filter(pmu, write, EV_SINH | (EV_VSINH & pmu->filters));
        break;
    case REG_MASK_U:
        store_filter(pmu, write, EV_UINH | (EV_VUINH & pmu->filters));
        break;
    case REG_SPC:
        pmu->spc = gp_merge(pmu->spc, write);
        break;
    case REG_SDATA:
        pmu->sdata = gp_merge(pmu->sdata, write);
        break;
    case REG_UEBBOVF:
        store_flags(pmu, write);
        break;
    default:
        store_sampling(pmu, cycle);
        gp_ebb_store(pmu, cycle);
        break;
    }
}

/* ---- without checks */

uint64_t gp_peek(const struct gp *pmu, unsigned num) {
    const struct gp_csr csr = {.num = (uint16_t)num, .priv = GP_M};
    const struct gp_env env = {.time = 0};
    struct gp_access access = gp_resolve(pmu, &csr, &env);

    if (access.reg == REG_SEBBCTL) /* whether delegated or not */
        return pmu->ebb.sctl;
    return access.answer == GP_CSR_OK ? value_of(pmu, access.reg, access.i, &csr, &env) & access.see : 0;
}
