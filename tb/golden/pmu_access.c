// SPDX-License-Identifier: Apache-2.0
/*
 * Access rights. Every CSR number and every view of a register is resolved here and nowhere else: direct
 * CSRs, their RV32 halves, the indirect windows, delegated counters and the Andes view.
 */
#include "pmu_internal.h"

/* Lowest privilege of a CSR number: bits 9:8 (privileged manual, CSR Address Mapping Conventions). */
enum level { LEVEL_U, LEVEL_S, LEVEL_H, LEVEL_M };

/* An access, its mode, and the state that decides on it. */
struct request {
    const struct gp *pmu;
    const struct gp_csr *csr;
    const struct gp_env *env;
    bool cde;             /* menvcfg.CDE */
    uint64_t mst, hst;    /* mstateen0, hstateen0 */
    bool m, u, vs, vu, v; /* mode; u is U with V=0 */
    bool writes;
};

static struct request make_request(const struct gp *pmu, const struct gp_csr *csr, const struct gp_env *env) {
    struct request r = {.pmu = pmu, .csr = csr, .env = env};

    r.cde = gp_cde(pmu, env);
    r.mst = gp_mstateen0(pmu, env);
    r.hst = gp_hstateen0(pmu, env);
    r.m = csr->priv == GP_M;
    r.v = pmu->cfg.hyp && csr->v && !r.m;
    r.u = csr->priv == GP_U && !r.v;
    r.vs = csr->priv == GP_S && r.v;
    r.vu = csr->priv == GP_U && r.v;
    r.writes = csr->op != GP_READ;
    return r;
}

static struct gp_access refuse(enum gp_answer answer) { return (struct gp_access){.answer = answer}; }

static struct gp_access grant(enum gp_reg reg, unsigned i, uint64_t see, uint64_t may) {
    return (struct gp_access){.answer = GP_CSR_OK, .reg = reg, .i = i, .see = see, .may = may};
}

static bool bit(uint32_t word, unsigned i) { return word >> i & 1; }

/* ---- writable bits of a register (WARL) */

/* Writable bits of mcounteren and scounteren (privileged manual, Machine Counter-Enable Register;
 * Sscounterenw) */
static uint32_t with_time(const struct gp *pmu) { return pmu->present | UINT32_C(1) << TM; }

static uint64_t counter_bits(const struct gp *pmu, unsigned i) {
    return bit(pmu->present, i) ? gp_counter_max(pmu, i) : 0;
}

static uint64_t event_bits(const struct gp *pmu, unsigned i) {
    uint64_t bits = EV_SELECTOR | (pmu->cfg.sscofpmf ? EV_OF | pmu->filters : 0);

    return bit(pmu->hpm, i) ? bits : 0;
}

static struct gp_access grant_counter(const struct gp *pmu, unsigned i) {
    return grant(REG_COUNTER, i, counter_bits(pmu, i), counter_bits(pmu, i));
}

/* ---- the user's counters: 0xC00 + i (privileged manual, Machine Counter-Enable Register) */

/* S-mode writes where mcounterwen allows it, illegal otherwise; M-mode has every right of S-mode
 * (docs/rulings.md, Andes counter writes). V=1: Virtual where S-mode would be allowed, else Illegal
 * (docs/rulings.md, Andes and the hypervisor). */
static enum gp_answer user_counter_write(const struct request *r, unsigned i) {
    if (!r->pmu->cfg.andes || !r->pmu->cfg.andes_swrite || i == TM || !bit(r->pmu->wen, i) || r->u)
        return GP_CSR_ILLEGAL;
    if (!r->m && !(r->mst & STATEEN_C)) /* docs/rulings.md, Custom state */
        return GP_CSR_ILLEGAL;
    return r->v ? GP_CSR_VIRTUAL : GP_CSR_OK;
}

static enum gp_answer user_counter_read(const struct request *r, unsigned i) {
    bool sc = bit(r->pmu->scounteren, i);

    if (r->m)
        return GP_CSR_OK;
    if (!bit(r->pmu->mcounteren, i))
        return GP_CSR_ILLEGAL;
    if (r->u)
        return sc ? GP_CSR_OK : GP_CSR_ILLEGAL;
    if (r->v && (!bit(r->env->hcounteren, i) || (r->vu && !sc)))
        return GP_CSR_VIRTUAL;
    return GP_CSR_OK;
}

static struct gp_access user_counter(const struct request *r, unsigned i) {
    enum gp_answer readable = user_counter_read(r, i),
                   answer = r->writes ? user_counter_write(r, i) : readable;

    if (answer != GP_CSR_OK)
        return refuse(answer);
    if (i == TM)
        return grant(REG_TIME, i, UINT64_MAX, 0);
    struct gp_access a = grant_counter(r->pmu, i);
    if (readable != GP_CSR_OK) /* the old value is not shown */
        a.see = 0;
    return a;
}

/* ---- registers by level */

/* An access to an S-level register that HS-mode could make: `granted` unless the mode forbids it. VU gets
 * Virtual where HS-mode would be allowed (privileged manual, Hypervisor Extension), VS too if `guest` is
 * false. */
static struct gp_access supervisor(const struct request *r, bool guest, struct gp_access granted) {
    if (r->u)
        return refuse(GP_CSR_ILLEGAL);
    if (r->vu || (r->vs && !guest))
        return refuse(GP_CSR_VIRTUAL);
    return granted;
}

static struct gp_access machine(const struct request *r, struct gp_access granted) {
    return r->m ? granted : refuse(GP_CSR_ILLEGAL);
}

/* Sampling's bit in mcountinhibit and scountovf (docs/rulings.md, Bit 1 of the counter words) */
static uint32_t sampling_bit(const struct gp *pmu) {
    return pmu->cfg.smpdis ? TALLY_MCOUNTINHIBIT_PDIS_MASK : 0;
}

/* scountovf (Sscofpmf): OF of the counters that the mode may see; read-only. The bit of sampling depends on
 * mstateen0 and hstateen0 (docs/rulings.md, Bit 1 of the counter words). */
static struct gp_access scountovf(const struct request *r) {
    uint32_t see = r->pmu->hpm, own = sampling_bit(r->pmu);

    if (r->writes)
        return refuse(GP_CSR_ILLEGAL);
    if (!r->m) {
        see &= r->pmu->mcounteren;
        own = r->mst & STATEEN_PDIS ? own : 0;
    }
    if (r->v) {
        see &= r->env->hcounteren;
        own = r->hst & STATEEN_PDIS ? own : 0;
    }
    see |= own;
    return supervisor(r, !r->cde, grant(REG_OF, 0, see, 0));
}

/* scountinhibit (Smcdeleg/Ssccfg): delegated bits only; illegal in every mode while CDE is 0. Sampling is
 * delegated by mstateen0 (docs/rulings.md, Bit 1 of the counter words). */
static struct gp_access scountinhibit(const struct request *r) {
    uint32_t delegated = r->pmu->present & r->pmu->mcounteren;

    if (r->mst & STATEEN_PDIS)
        delegated |= sampling_bit(r->pmu);
    if (!r->cde)
        return refuse(GP_CSR_ILLEGAL);
    return supervisor(r, false, grant(REG_INHIBIT, 0, delegated, delegated));
}

/* The unit's own supervisor CSRs: mstateen0.C opens them, for guests hstateen0.C too (docs/rulings.md, Custom
 * state). */
static struct gp_access custom(const struct request *r, struct gp_access granted) {
    if (!r->m && !(r->mst & STATEEN_C))
        return refuse(GP_CSR_ILLEGAL);
    return supervisor(r, r->hst & STATEEN_C, granted);
}

static struct gp_access pc_range(const struct request *r) {
    const struct gp *pmu = r->pmu;

    if (!pmu->cfg.pcrange)
        return refuse(GP_CSR_NOT_MINE);
    switch (r->csr->num) {
    case TALLY_CSR_SHPMPCLO:
        return custom(r, grant(REG_PCLO, 0, ~UINT64_C(1), ~UINT64_C(1)));
    case TALLY_CSR_SHPMPCHI:
        return custom(r, grant(REG_PCHI, 0, ~UINT64_C(1), ~UINT64_C(1)));
    default: {
        uint32_t bits = pmu->hpm & (r->m ? UINT32_MAX : gp_shared(pmu, r->env));

        return custom(r, grant(REG_PCSEL, 0, bits, bits));
    }
    }
}

/* ---- precise sampling (docs/rulings.md, Custom state; Sampling enables) */

/* shpmspc, shpmsdata: CDE alone opens them; guests get Virtual. */
static struct gp_access spesa(const struct request *r) {
    uint64_t pc = gp_word_bits(r->pmu, GP_PC), id = TALLY_SHPMSDATA_CNTRID_MASK;

    if (!r->pmu->cfg.sspesa)
        return refuse(GP_CSR_NOT_MINE);
    if (!r->m && !r->cde)
        return refuse(GP_CSR_ILLEGAL);
    return supervisor(
        r, false, r->csr->num == TALLY_CSR_SHPMSPC ? grant(REG_SPC, 0, pc, pc) : grant(REG_SDATA, 0, id, id));
}

/* mstateen0.PDIS opens them, for guests hstateen0.PDIS too. */
static struct gp_access sampling(const struct request *r, bool guest, struct gp_access granted) {
    if (!r->m && !(r->mst & STATEEN_PDIS))
        return refuse(GP_CSR_ILLEGAL);
    return supervisor(r, guest && r->hst & STATEEN_PDIS, granted);
}

static struct gp_access buffer(const struct request *r) {
    uint64_t bits = gp_ambaddr_bits(r->pmu);

    if (!r->pmu->cfg.pdis_mem)
        return refuse(GP_CSR_NOT_MINE);
    if (r->csr->num == TALLY_CSR_SPDISAMBADDR)
        return sampling(r, true, grant(REG_AMBADDR, 0, bits, bits));
    return sampling(r, true, grant(REG_AMBCS, 0, UINT64_MAX, TALLY_SPDISAMBCS_WMASK));
}

static struct gp_access pdis(const struct request *r) {
    const struct gp *pmu = r->pmu;
    uint64_t ctl = gp_pdisctl_bits(pmu), own = TALLY_VSPDISCTL_WMASK;
    struct gp_access guests =
        grant(REG_VPDISCTL, 0, UINT64_MAX, (ctl & ~(TALLY_MPDISCTL_M_MASK | TALLY_MPDISCTL_PA_MASK)) | own);

    if (!pmu->cfg.smpdis)
        return refuse(GP_CSR_NOT_MINE);
    switch (r->csr->num) {
    case TALLY_CSR_MPDISCTL:
        return machine(r, grant(REG_PDISCTL, 0, UINT64_MAX, ctl));
    case TALLY_CSR_SPDISCTL: /* with V=1 it is vspdisctl */
        if (r->v)
            return sampling(r, true, guests);
        return sampling(r, true, grant(REG_PDISCTL, 0, ~TALLY_MPDISCTL_M_MASK, ctl & ~TALLY_MPDISCTL_M_MASK));
    case TALLY_CSR_VSPDISCTL:
        return pmu->cfg.hyp ? sampling(r, false, guests) : refuse(GP_CSR_NOT_MINE);
    case TALLY_CSR_SPDISCOUNTER:
        return sampling(r, true, grant(REG_PDISCOUNTER, 0, UINT64_MAX, UINT64_MAX));
    case TALLY_CSR_SPDISEVMASK:
        return sampling(r, true, grant(REG_PDISMASK, 0, UINT64_MAX, TALLY_SPDISEVMASK_WMASK));
    case TALLY_CSR_SPDISEVMATCH:
        return sampling(r, true, grant(REG_PDISMATCH, 0, UINT64_MAX, TALLY_SPDISEVMATCH_WMASK));
    case TALLY_CSR_SPDISFILTER:
        return sampling(r, true, grant(REG_PDISFILTER, 0, UINT64_MAX, TALLY_SPDISFILTER_WMASK));
    default:
        return buffer(r);
    }
}

/* sireg* at the selects of the sample registers; `window` is 1 for sireg. They read 0 while records go to
 * memory. */
static struct gp_access sample_register(const struct request *r, unsigned select, unsigned window) {
    static const uint8_t rv32[2][6] = {{GP_HDREV, GP_HDREV, GP_PC, GP_TIME, GP_LAT, GP_LAT},
                                       {GP_ADR1, GP_ADR2, GP_WORDS, GP_WORDS, GP_WORDS, GP_WORDS}};
    const struct gp *pmu = r->pmu;
    unsigned row = select - TALLY_RECORD_SELECT, at = window - 1;
    unsigned word = pmu->cfg.xlen == 32 ? rv32[row][at] : row ? GP_WORDS : at;

    if (word == GP_WORDS || pmu->pdis.ctl & TALLY_MPDISCTL_MEM_MASK)
        return sampling(r, true, grant(REG_NONE, 0, 0, 0));
    uint64_t bits = gp_word_bits(pmu, (enum gp_word)word);
    struct gp_access a = sampling(r, true, grant(REG_SAMPLE, word, bits, bits));
    a.high = pmu->cfg.xlen == 32 && (window == 2 || window == 6) && row == 0;
    return a;
}

static bool selects_sample(const struct gp *pmu, unsigned select) {
    return pmu->cfg.smpdis && pmu->cfg.pdis_mem != 1 && (select & ~1u) == TALLY_RECORD_SELECT;
}

/* ---- indirect access (Smcsrind/Sscsrind), counter delegation (Smcdeleg/Ssccfg) */

static bool selects_counter(unsigned select) { return (select & ~0x1Fu) == TALLY_COUNTER_SELECT; }

/* sireg* with siselect in 0x40-0x5F, from M or S. `window` is 1 for sireg, n for sireg n. */
static struct gp_access delegated(const struct request *r, unsigned i, unsigned window) {
    const struct gp *pmu = r->pmu;
    bool high = window == 4 || window == 5, event = window == 2 || window == 5;
    struct gp_access a;

    if (!r->cde || window == 3 || window == 6 || (high && pmu->cfg.xlen == 64) || i == TM ||
        !bit(pmu->mcounteren, i))
        return refuse(GP_CSR_ILLEGAL);
    if (event && i < HPM3 && !pmu->cfg.smcntrpmf)
        return refuse(GP_CSR_ILLEGAL);
    if (event && high && i >= HPM3 && !pmu->cfg.sscofpmf)
        return refuse(GP_CSR_ILLEGAL);

    if (event) { /* MINH reads 0 here and keeps its value */
        uint64_t bits = (i < HPM3 ? pmu->filters : event_bits(pmu, i)) & ~EV_MINH;

        a = grant(REG_EVENT, i, bits, bits);
    } else {
        a = grant_counter(pmu, i);
    }
    a.high = high;
    return a;
}

/* 0x150-0x157, 0x250-0x257, 0x350-0x357: select and windows of three levels. */
static struct gp_access indirect(const struct request *r) {
    const struct gp *pmu = r->pmu;
    enum level level = r->csr->num >> 8 & 3;
    unsigned low = r->csr->num & 7, window = low <= 3 ? low : low - 1;

    if (level == LEVEL_M) /* no select value is implemented at this level */
        return machine(r, low == 0 ? grant(REG_MISELECT, 0, 0xFFF, 0xFFF) : refuse(GP_CSR_ILLEGAL));

    /* In the order of Smcsrind/Sscsrind, Access control by the state-enable CSRs. */
    if (!r->m && !(r->mst & STATEEN_CSRIND))
        return refuse(GP_CSR_ILLEGAL);
    if (r->u)
        return refuse(GP_CSR_ILLEGAL);
    if (r->vu || (r->v && level == LEVEL_H))
        return refuse(GP_CSR_VIRTUAL);
    if (r->v && !(r->hst & STATEEN_CSRIND))
        return refuse(GP_CSR_VIRTUAL);

    if (low == 0) /* with V=1 siselect is vsiselect */
        return grant(r->v || level == LEVEL_H ? REG_VSISELECT : REG_SISELECT, 0, 0xFFF, 0xFFF);
    unsigned select = r->v || level == LEVEL_H ? pmu->vsiselect : pmu->siselect;
    if (selects_sample(pmu, select)) /* the same for all */
        return sample_register(r, select, window);
    if (r->v) /* sireg* is vsireg*; a guest's access to counters is Virtual if counters are delegated */
        return refuse(selects_counter(pmu->vsiselect) && r->cde ? GP_CSR_VIRTUAL : GP_CSR_ILLEGAL);
    if (level == LEVEL_H || !selects_counter(pmu->siselect))
        return refuse(GP_CSR_ILLEGAL);
    return delegated(r, pmu->siselect & 0x1F, window);
}

/* ---- the Andes view (docs/rulings.md, Andes names and numbers) */

static struct gp_access andes_machine(const struct request *r) {
    uint32_t all = r->pmu->present;

    switch (r->csr->num) {
    case TALLY_CSR_MCOUNTERWEN:
        return machine(r, grant(REG_WEN, 0, all, all));
    case TALLY_CSR_MCOUNTERINEN:
        return machine(r, grant(REG_INTEN, 0, all, all));
    case TALLY_CSR_MCOUNTERMASK_M:
        return machine(r, grant(REG_MASK_M, 0, all, all));
    case TALLY_CSR_MCOUNTERMASK_S:
        return machine(r, grant(REG_MASK_S, 0, all, all));
    case TALLY_CSR_MCOUNTERMASK_U:
        return machine(r, grant(REG_MASK_U, 0, all, all));
    case TALLY_CSR_MCOUNTEROVF:
        return machine(r, grant(REG_OVF, 0, all, all));
    case TALLY_CSR_MMSC_CFG:
        return r->writes ? refuse(GP_CSR_ILLEGAL) : machine(r, grant(REG_MMSC_CFG, 0, UINT32_MAX, 0));
    default:
        return refuse(GP_CSR_NOT_MINE);
    }
}

/* Bit i is writable where mcounterwen[i] is 1. Below M-mode it is shown where mcounteren[i] or mcounterwen[i]
 * is, and MINH nowhere (docs/rulings.md, Custom counter controls below M-mode). */
static struct gp_access andes_view(const struct request *r, unsigned num) {
    uint32_t may = r->pmu->wen, all = r->pmu->present & (r->m ? UINT32_MAX : r->pmu->mcounteren | may);
    unsigned i = num & 0x1F;

    switch (num) {
    case TALLY_CSR_SCOUNTERINEN:
        return grant(REG_INTEN, 0, all, may);
    case TALLY_CSR_SCOUNTERMASK_M: /* it is MINH: never */
        return grant(REG_MASK_M, 0, r->m ? all : 0, 0);
    case TALLY_CSR_SCOUNTERMASK_S:
        return grant(REG_MASK_S, 0, all, may);
    case TALLY_CSR_SCOUNTERMASK_U:
        return grant(REG_MASK_U, 0, all, may);
    case TALLY_CSR_SCOUNTEROVF:
        return grant(REG_OVF, 0, all, may);
    case TALLY_CSR_SCOUNTERINHIBIT:
        return grant(REG_INHIBIT, 0, all, may);
    default:
        if (num >= TALLY_CSR_SHPMEVENT3 && num <= TALLY_CSR_SHPMEVENT31) /* the selector alone (spec/) */
            return grant(REG_EVENT, i, bit(all, i) ? EV_SELECTOR : 0, bit(may, i) ? EV_SELECTOR : 0);
        return refuse(GP_CSR_NOT_MINE);
    }
}

static struct gp_access andes_supervisor(const struct request *r) {
    struct gp_access view = andes_view(r, r->csr->num);

    if (view.answer != GP_CSR_OK)
        return view;
    if (!r->m && !(r->mst & STATEEN_C)) /* custom state */
        return refuse(GP_CSR_ILLEGAL);
    return supervisor(r, false, view);
}

static struct gp_access andes_access(const struct request *r) {
    struct gp_access a = andes_machine(r);

    return a.answer == GP_CSR_NOT_MINE ? andes_supervisor(r) : a;
}

/* ---- event-based branches (docs/rulings.md, EBB registers; EBB gates; EBB window) */

static bool is_window(unsigned num) { return num >= TALLY_CSR_UEBBOVF && num <= TALLY_CSR_UEBBSPC; }

/* Bits of counters: of the delegated ones in sebbctl, of the routed ones in the window. */
static struct gp_access ebb_register(const struct request *r) {
    const struct gp *pmu = r->pmu;
    uint64_t pc = gp_word_bits(pmu, GP_PC), routed = gp_routed(pmu, r->env);
    uint64_t control = TALLY_SEBBCTL_EN_MASK | TALLY_SEBBCTL_WIN_MASK | gp_delegated(pmu, r->env);

    switch (r->csr->num) {
    case TALLY_CSR_MEBBCTL:
        return grant(REG_MEBBCTL, 0, TALLY_MEBBCTL_WMASK, TALLY_MEBBCTL_WMASK);
    case TALLY_CSR_SEBBCTL:
        return grant(REG_SEBBCTL, 0, control, control);
    case TALLY_CSR_UBESCR:
        return grant(REG_UBESCR, 0, TALLY_UBESCR_WMASK, TALLY_UBESCR_WMASK);
    case TALLY_CSR_UEBBHR:
        return grant(REG_UEBBHR, 0, pc, pc);
    case TALLY_CSR_UEBBRR:
        return grant(REG_UEBBRR, 0, pc, pc);
    case TALLY_CSR_UEBBOVF:
        return grant(REG_UEBBOVF, 0, routed, routed);
    case TALLY_CSR_UEBBINH:
        return grant(REG_UEBBINH, 0, routed, routed);
    case TALLY_CSR_UEBBSEL:
        return grant(REG_UEBBSEL, 0, TALLY_UEBBSEL_WMASK, TALLY_UEBBSEL_WMASK);
    case TALLY_CSR_UEBBCNT:
        return routed >> pmu->ebb.select & 1 ? grant_counter(pmu, pmu->ebb.select) : grant(REG_NONE, 0, 0, 0);
    case TALLY_CSR_UEBBSPC:
        return pmu->cfg.sspesa ? grant(REG_UEBBSPC, 0, pc, pc) : refuse(GP_CSR_NOT_MINE);
    default:
        return refuse(GP_CSR_NOT_MINE);
    }
}

static struct gp_access ebb_access(const struct request *r) {
    struct gp_access a = ebb_register(r);
    unsigned num = r->csr->num;

    if (a.answer == GP_CSR_NOT_MINE || r->m)
        return a;
    if (num == TALLY_CSR_MEBBCTL || !gp_ebb_supervisor(r->pmu, r->env))
        return refuse(GP_CSR_ILLEGAL);
    if (r->v)
        return refuse(GP_CSR_VIRTUAL);
    if (!r->u)
        return a;
    bool closed = is_window(num) && !(r->pmu->ebb.sctl & TALLY_SEBBCTL_WIN_MASK);
    return num == TALLY_CSR_SEBBCTL || closed || !gp_ebb_user(r->pmu, r->env) ? refuse(GP_CSR_ILLEGAL) : a;
}

/* ---- from the number to the register */

/* 32 numbers of one row: counters, events, their halves. */
static struct gp_access row(const struct request *r) {
    const struct gp *pmu = r->pmu;
    unsigned i = r->csr->num & 0x1F;
    struct gp_access a;

    switch (r->csr->num & ~0x1Fu) {
    case TALLY_CSR_CYCLE:
        return user_counter(r, i);
    case TALLY_CSR_MCYCLE: /* 0xB01 is no CSR */
        return i == TM ? refuse(GP_CSR_NOT_MINE) : machine(r, grant_counter(pmu, i));
    case TALLY_CSR_MCOUNTINHIBIT:
        if (i == 0)
            return machine(
                r, grant(REG_INHIBIT, 0, pmu->present | sampling_bit(pmu), pmu->present | sampling_bit(pmu)));
        a = i < HPM3 ? grant(REG_EVENT, i == 1 ? CY : IR, pmu->filters, pmu->filters)
                     : grant(REG_EVENT, i, event_bits(pmu, i), event_bits(pmu, i));
        return i >= HPM3 || pmu->cfg.smcntrpmf ? machine(r, a) : refuse(GP_CSR_NOT_MINE);
    default:
        return refuse(GP_CSR_NOT_MINE);
    }
}

static unsigned other_low_half(unsigned num) {
    switch (num) {
    case TALLY_CSR_SPDISCTLH:
        return TALLY_CSR_SPDISCTL;
    case TALLY_CSR_SPDISCOUNTERH:
        return TALLY_CSR_SPDISCOUNTER;
    case TALLY_CSR_SPDISEVMASKH:
        return TALLY_CSR_SPDISEVMASK;
    case TALLY_CSR_SPDISEVMATCHH:
        return TALLY_CSR_SPDISEVMATCH;
    case TALLY_CSR_SPDISAMBCSH:
        return TALLY_CSR_SPDISAMBCS;
    case TALLY_CSR_VSPDISCTLH:
        return TALLY_CSR_VSPDISCTL;
    case TALLY_CSR_MPDISCTLH:
        return TALLY_CSR_MPDISCTL;
    case TALLY_CSR_UEBBCNTH:
        return TALLY_CSR_UEBBCNT;
    default:
        return 0;
    }
}

enum { ROW_EVENTH = TALLY_CSR_MHPMEVENT3H & ~0x1F };

/* The number of the low half, or 0 if this is not a high half. */
static unsigned low_half(const struct gp *pmu, unsigned num) {
    unsigned i = num & 0x1F;

    switch (num & ~0x1Fu) {
    case TALLY_CSR_CYCLEH:
        return TALLY_CSR_CYCLE | i;
    case TALLY_CSR_MCYCLEH:
        return TALLY_CSR_MCYCLE | i;
    case ROW_EVENTH: /* mcyclecfgh, minstretcfgh; mhpmeventh needs Sscofpmf */
        return i && (i < HPM3 || pmu->cfg.sscofpmf) ? TALLY_CSR_MCOUNTINHIBIT | i : 0;
    default:
        return other_low_half(num);
    }
}

/* miselect, siselect, vsiselect and their windows; there is a hole between the third and the fourth window.
 */
static bool is_indirect(unsigned num) {
    enum {
        FIRST = TALLY_CSR_SISELECT & 0xFF,
        HOLE = (TALLY_CSR_SIREG3 & 0xFF) + 1,
        LAST = TALLY_CSR_SIREG6 & 0xFF
    };
    unsigned low = num & 0xFF;

    return num >> 8 >= LEVEL_S && num >> 8 <= LEVEL_M && low >= FIRST && low <= LAST && low != HOLE;
}

static struct gp_access by_number(const struct request *r) {
    const struct gp *pmu = r->pmu;
    unsigned num = r->csr->num;
    uint32_t enables = with_time(pmu);

    switch (num) {
    case TALLY_CSR_MCOUNTEREN:
        return machine(r, grant(REG_MCOUNTEREN, 0, enables, enables));
    case TALLY_CSR_SCOUNTEREN: /* there is one; VS uses it too */
        return supervisor(r, true, grant(REG_SCOUNTEREN, 0, enables, enables));
    case TALLY_CSR_SCOUNTOVF:
        return pmu->cfg.sscofpmf ? scountovf(r) : refuse(GP_CSR_NOT_MINE);
    case TALLY_CSR_SCOUNTINHIBIT:
        return pmu->cfg.smcdeleg ? scountinhibit(r) : refuse(GP_CSR_NOT_MINE);
    case TALLY_CSR_SHPMSWINC:
        return pmu->cfg.swevent ? custom(r, grant(REG_SWINC, 0, 0, 1)) /* reads 0 */
                                : refuse(GP_CSR_NOT_MINE);
    case TALLY_CSR_SHPMPCLO:
    case TALLY_CSR_SHPMPCHI:
    case TALLY_CSR_SHPMPCSEL:
        return pc_range(r);
    case TALLY_CSR_SHPMSPC:
    case TALLY_CSR_SHPMSDATA:
        return spesa(r);
    case TALLY_CSR_SPDISCTL:
    case TALLY_CSR_SPDISCOUNTER:
    case TALLY_CSR_SPDISEVMASK:
    case TALLY_CSR_SPDISEVMATCH:
    case TALLY_CSR_SPDISFILTER:
    case TALLY_CSR_SPDISAMBCS:
    case TALLY_CSR_SPDISAMBADDR:
    case TALLY_CSR_VSPDISCTL:
    case TALLY_CSR_MPDISCTL:
        return pdis(r);
    default:
        break;
    }
    if (is_indirect(num)) {
        bool there = pmu->cfg.smcsrind && (pmu->cfg.hyp || num >> 8 != LEVEL_H);

        return there ? indirect(r) : refuse(GP_CSR_NOT_MINE);
    }
    struct gp_access a = pmu->cfg.ebb ? ebb_access(r) : refuse(GP_CSR_NOT_MINE);
    if (a.answer == GP_CSR_NOT_MINE && pmu->cfg.andes)
        a = andes_access(r);
    return a.answer == GP_CSR_NOT_MINE ? row(r) : a;
}

struct gp_access gp_resolve(const struct gp *pmu, const struct gp_csr *csr, const struct gp_env *env) {
    struct request r = make_request(pmu, csr, env);
    unsigned low = low_half(pmu, csr->num);

    if (!low)
        return by_number(&r);
    /* A high half exists with XLEN 32 only, and has the rights of its low half. */
    if (pmu->cfg.xlen == 64)
        return refuse(GP_CSR_NOT_MINE);
    struct gp_csr half = *csr;
    half.num = (uint16_t)low;
    r.csr = &half;
    struct gp_access a = by_number(&r);
    a.high = true;
    return a;
}
