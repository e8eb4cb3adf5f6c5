// SPDX-License-Identifier: Apache-2.0
/*
 * Control and status registers of the hart (privileged manual; bits: spec/csr).
 *
 * The PMU is asked first; registers that it does not own are here. A register is described in two switches:
 * csr_read() has its existence and its value, csr_write() the bits that a write changes. csr_permitted() has
 * the access rights.
 */
#include "hart_internal.h"

enum { PMPCFG_REGS = 16, PMPADDR_REGS = 64 };

#define LOCAL_IRQS (BIT(TALLY_INT_LCOFI) | BIT(TALLY_INT_LAMBI) | BIT(TALLY_INT_ANDES))
#define LINE_IRQS                                                                                            \
    (BIT(TALLY_INT_MSI) | BIT(TALLY_INT_MTI) | BIT(TALLY_INT_MEI) | BIT(TALLY_INT_STI) | BIT(TALLY_INT_SEI))

/* clang-format off */
const uint16_t gh_csr_list[] = {
    TALLY_CSR_MSTATUS, TALLY_CSR_MEDELEG, TALLY_CSR_MIDELEG, TALLY_CSR_MIE,
    TALLY_CSR_MIP, TALLY_CSR_MTVEC, TALLY_CSR_MSCRATCH, TALLY_CSR_MEPC,
    TALLY_CSR_MCAUSE, TALLY_CSR_MTVAL, TALLY_CSR_MENVCFG, TALLY_CSR_MSTATEEN0,
    TALLY_CSR_STVEC, TALLY_CSR_SSCRATCH, TALLY_CSR_SEPC, TALLY_CSR_SCAUSE,
    TALLY_CSR_STVAL, TALLY_CSR_SATP, TALLY_CSR_SENVCFG, TALLY_CSR_SSTATEEN0,
    TALLY_CSR_STIMECMP, TALLY_CSR_PMPCFG0, TALLY_CSR_PMPADDR0, TALLY_CSR_PMPADDR1,
    TALLY_CSR_PMPADDR2, TALLY_CSR_PMPADDR3, TALLY_CSR_PMPADDR4, TALLY_CSR_PMPADDR5,
    TALLY_CSR_PMPADDR6, TALLY_CSR_PMPADDR7, TALLY_CSR_MSECCFG,
    0xFFFF};
/* clang-format on */

/* --- interrupt-pending --- */

static bool timer_expired(const struct gh *h) {
    if (h->cfg.lockstep)
        return h->mip_line >> TALLY_INT_STI & 1;
    return h->host.time(h->host.ctx) >= h->stimecmp;
}

uint64_t gh_mip(const struct gh *h) {
    uint64_t mip = h->mip_soft | (h->mip_line & ~BIT(TALLY_INT_STI));

    if (!(h->menvcfg & TALLY_MENVCFG_STCE_MASK))
        return mip;
    return timer_expired(h) ? mip | BIT(TALLY_INT_STI) : mip & ~BIT(TALLY_INT_STI);
}

void gh_set_mip(struct gh *h, uint64_t lines, uint64_t set) {
    h->mip_line = lines & LINE_IRQS;
    h->mip_soft |= set & LOCAL_IRQS;
}

static void mip_write(struct gh *h, uint64_t value, uint64_t mask) {
    h->mip_soft = (h->mip_soft & ~mask) | (value & mask);
}

static uint64_t mip_writable(const struct gh *h) {
    return h->menvcfg & TALLY_MENVCFG_STCE_MASK ? TALLY_MIP_WMASK & ~BIT(TALLY_INT_STI) : TALLY_MIP_WMASK;
}

/* --- helpers of the switches --- */

static void replace(uint64_t *reg, uint64_t value, uint64_t mask) { *reg = (*reg & ~mask) | (value & mask); }

/* A 64-bit register whose own number shows XLEN bits of it, and in RV32 its "h" number the rest. */
static uint64_t low(const struct gh *h, uint64_t reg) { return reg & h->xmask; }

static void write_low(const struct gh *h, uint64_t *reg, uint64_t value, uint64_t mask) {
    replace(reg, value, mask & h->xmask);
}

static void write_high(uint64_t *reg, uint64_t value, uint64_t mask) {
    replace(reg, value << 32, mask & ~(uint64_t)UINT32_MAX);
}

static bool high(const struct gh *h, uint64_t reg, uint64_t *value) {
    *value = reg >> 32;
    return !rv64(h);
}

static uint64_t misa(const struct gh *h) {
    return (TALLY_MISA_RESET & TALLY_MISA_EXTENSIONS_MASK) |
           (rv64(h) ? UINT64_C(2) << 62 : UINT64_C(1) << 30);
}

static void mstatus_write(struct gh *h, uint64_t value, uint64_t mask) {
    if (field(value, TALLY_MSTATUS_MPP_LSB, 2) == 2)
        mask &= ~TALLY_MSTATUS_MPP_MASK;
    if ((h->mstatus ^ value) & mask & (TALLY_MSTATUS_SUM_MASK | TALLY_MSTATUS_MXR_MASK))
        gh_tlb_flush(h);
    replace(&h->mstatus, value, mask);
}

static void satp_write(struct gh *h, uint64_t value) {
    unsigned mode = (unsigned)(value >> 60);

    if (rv64(h) && mode != 0 && mode != 8)
        return; /* Bare and Sv39 */
    h->satp = value;
    gh_tlb_flush(h);
}

static bool pmp_read(const struct gh *h, unsigned num, uint64_t *value) {
    unsigned n = num - TALLY_CSR_PMPCFG0;

    if (n < PMPCFG_REGS) {
        *value = gh_pmpcfg_read(h, n);
        return !rv64(h) || n % 2 == 0;
    }
    n = num - TALLY_CSR_PMPADDR0;
    *value = n < PMP_N ? h->pmpaddr[n] : 0;
    return true;
}

static void pmp_write(struct gh *h, unsigned num, uint64_t value) {
    unsigned n = num - TALLY_CSR_PMPADDR0;

    if (num < TALLY_CSR_PMPADDR0)
        gh_pmpcfg_write(h, num - TALLY_CSR_PMPCFG0, value);
    else if (n < PMP_N)
        gh_pmpaddr_write(h, n, value);
}

static bool is_pmp(unsigned num) {
    return num >= TALLY_CSR_PMPCFG0 && num < TALLY_CSR_PMPADDR0 + PMPADDR_REGS;
}

/* mslideleg, slie and slip: mideleg, mie and mip of local interrupt 18. S-mode sees delegated bits only. */
static uint64_t delegated_local(const struct gh *h) { return h->mideleg & BIT(TALLY_INT_ANDES); }

static uint64_t tvec(uint64_t value) { return value & ~UINT64_C(2); }

/* --- the registers --- */

/* false: there is no such register. */
static bool csr_read(const struct gh *h, unsigned num, uint64_t *v) {
    *v = 0;
    if (is_pmp(num))
        return pmp_read(h, num, v);
    switch (num) {
    case TALLY_CSR_SSTATUS:
        *v = (h->mstatus & TALLY_SSTATUS_WMASK) | (TALLY_SSTATUS_RESET & h->xmask);
        return true;
    case TALLY_CSR_SIE:
        *v = h->mie & h->mideleg;
        return true;
    case TALLY_CSR_STVEC:
        *v = h->stvec;
        return true;
    case TALLY_CSR_SENVCFG:
        *v = h->senvcfg;
        return true;
    case TALLY_CSR_SSTATEEN0:
        *v = h->sstateen0 & h->mstateen0;
        return true;
    case TALLY_CSR_SSCRATCH:
        *v = h->sscratch;
        return true;
    case TALLY_CSR_SEPC:
        *v = h->sepc;
        return true;
    case TALLY_CSR_SCAUSE:
        *v = h->scause;
        return true;
    case TALLY_CSR_STVAL:
        *v = h->stval;
        return true;
    case TALLY_CSR_SIP:
        *v = gh_mip(h) & h->mideleg;
        return true;
    case TALLY_CSR_STIMECMP:
        *v = low(h, h->stimecmp);
        return true;
    case TALLY_CSR_STIMECMPH:
        return high(h, h->stimecmp, v);
    case TALLY_CSR_SATP:
        *v = h->satp;
        return true;
    case TALLY_CSR_MSTATUS:
        *v = h->mstatus | (TALLY_MSTATUS_RESET & h->xmask);
        return true;
    case TALLY_CSR_MISA:
        *v = misa(h);
        return true;
    case TALLY_CSR_MEDELEG:
        *v = h->medeleg;
        return true;
    case TALLY_CSR_MIDELEG:
        *v = h->mideleg;
        return true;
    case TALLY_CSR_MIE:
        *v = h->mie;
        return true;
    case TALLY_CSR_MTVEC:
        *v = h->mtvec;
        return true;
    case TALLY_CSR_MENVCFG:
        *v = low(h, h->menvcfg);
        return true;
    case TALLY_CSR_MENVCFGH:
        return high(h, h->menvcfg, v);
    case TALLY_CSR_MSTATEEN0:
        *v = low(h, h->mstateen0);
        return true;
    case TALLY_CSR_MSTATEEN0H:
        return high(h, h->mstateen0, v);
    case TALLY_CSR_MSECCFG:
        *v = h->mseccfg;
        return h->cfg.smepmp;
    case TALLY_CSR_MSECCFGH: /* no fields */
        return !rv64(h) && h->cfg.smepmp;
    case TALLY_CSR_MSTATUSH: /* little-endian only */
    case TALLY_CSR_MEDELEGH:
    case TALLY_CSR_MSTATEEN0H + 1:
    case TALLY_CSR_MSTATEEN0H + 2:
    case TALLY_CSR_MSTATEEN3H:
        return !rv64(h);
    case TALLY_CSR_MSCRATCH:
        *v = h->mscratch;
        return true;
    case TALLY_CSR_MEPC:
        *v = h->mepc;
        return true;
    case TALLY_CSR_MCAUSE:
        *v = h->mcause;
        return true;
    case TALLY_CSR_MTVAL:
        *v = h->mtval;
        return true;
    case TALLY_CSR_MIP:
        *v = gh_mip(h);
        return true;
    case TALLY_CSR_MSLIDELEG:
        *v = delegated_local(h);
        return h->cfg.andes;
    case TALLY_CSR_SLIE:
        *v = h->mie & delegated_local(h);
        return h->cfg.andes;
    case TALLY_CSR_SLIP:
        *v = gh_mip(h) & delegated_local(h);
        return h->cfg.andes;
    case TALLY_CSR_MIMPID:
        *v = TALLY_MIMPID_RESET;
        return true;
    case TALLY_CSR_MHARTID:
        *v = h->cfg.hartid;
        return true;
    case TALLY_CSR_SSTATEEN0 + 1: /* no fields: read 0 */
    case TALLY_CSR_SSTATEEN0 + 2:
    case TALLY_CSR_SSTATEEN3:
    case TALLY_CSR_MSTATEEN0 + 1:
    case TALLY_CSR_MSTATEEN0 + 2:
    case TALLY_CSR_MSTATEEN3:
    case TALLY_CSR_TSELECT:
    case TALLY_CSR_TSELECT + 1:
    case TALLY_CSR_TSELECT + 2:
    case TALLY_CSR_TDATA3:
    case TALLY_CSR_MVENDORID:
    case TALLY_CSR_MARCHID:
    case TALLY_CSR_MCONFIGPTR:
        return true;
    default:
        return false;
    }
}

/* Other registers ignore writes. */
static void csr_write(struct gh *h, unsigned num, uint64_t v) {
    if (is_pmp(num)) {
        pmp_write(h, num, v);
        return;
    }
    switch (num) {
    case TALLY_CSR_SSTATUS:
        mstatus_write(h, v, TALLY_SSTATUS_WMASK);
        break;
    case TALLY_CSR_SIE:
        replace(&h->mie, v, h->mideleg);
        break;
    case TALLY_CSR_STVEC:
        h->stvec = tvec(v);
        break;
    case TALLY_CSR_SENVCFG:
        h->senvcfg = v & TALLY_SENVCFG_WMASK;
        break;
    case TALLY_CSR_SSTATEEN0:
        replace(&h->sstateen0, v, h->mstateen0 & TALLY_SSTATEEN0_WMASK);
        break;
    case TALLY_CSR_SSCRATCH:
        h->sscratch = v;
        break;
    case TALLY_CSR_SEPC:
        h->sepc = v & TALLY_MEPC_WMASK;
        break;
    case TALLY_CSR_SCAUSE:
        h->scause = v;
        break;
    case TALLY_CSR_STVAL:
        h->stval = v;
        break;
    case TALLY_CSR_SIP:
        mip_write(h, v, TALLY_SIP_WMASK & h->mideleg);
        break;
    case TALLY_CSR_STIMECMP:
        write_low(h, &h->stimecmp, v, UINT64_MAX);
        break;
    case TALLY_CSR_STIMECMPH:
        write_high(&h->stimecmp, v, UINT64_MAX);
        break;
    case TALLY_CSR_SATP:
        satp_write(h, v);
        break;
    case TALLY_CSR_MSTATUS:
        mstatus_write(h, v, TALLY_MSTATUS_WMASK);
        break;
    case TALLY_CSR_MEDELEG:
        h->medeleg = v & TALLY_MEDELEG_WMASK;
        break;
    case TALLY_CSR_MIDELEG:
        h->mideleg = v & TALLY_MIDELEG_WMASK;
        break;
    case TALLY_CSR_MIE:
        h->mie = v & TALLY_MIE_WMASK;
        break;
    case TALLY_CSR_MTVEC:
        h->mtvec = tvec(v);
        break;
    case TALLY_CSR_MENVCFG:
        write_low(h, &h->menvcfg, v, TALLY_MENVCFG_WMASK);
        break;
    case TALLY_CSR_MENVCFGH:
        write_high(&h->menvcfg, v, TALLY_MENVCFG_WMASK);
        break;
    case TALLY_CSR_MSTATEEN0:
        write_low(h, &h->mstateen0, v, TALLY_MSTATEEN0_WMASK);
        break;
    case TALLY_CSR_MSTATEEN0H:
        write_high(&h->mstateen0, v, TALLY_MSTATEEN0_WMASK);
        break;
    case TALLY_CSR_MSECCFG:
        gh_mseccfg_write(h, v);
        break;
    case TALLY_CSR_MSCRATCH:
        h->mscratch = v;
        break;
    case TALLY_CSR_MEPC:
        h->mepc = v & TALLY_MEPC_WMASK;
        break;
    case TALLY_CSR_MCAUSE:
        h->mcause = v;
        break;
    case TALLY_CSR_MTVAL:
        h->mtval = v;
        break;
    case TALLY_CSR_MSLIDELEG:
        replace(&h->mideleg, v, TALLY_MSLIDELEG_WMASK);
        break;
    case TALLY_CSR_SLIE:
        replace(&h->mie, v, delegated_local(h));
        break;
    case TALLY_CSR_SLIP:
        mip_write(h, v, delegated_local(h));
        break;
    case TALLY_CSR_MIP:
        mip_write(h, v, mip_writable(h));
        break;
    default:
        break;
    }
}

/* --- access --- */

static bool counteren_tm(const struct gh *h) {
    uint64_t value = 0;
    return h->host.pmu_csr(h->host.ctx, TALLY_CSR_MCOUNTEREN, 0, 0, TALLY_PRIV_M, &value) == GH_CSR_OK &&
           value >> 1 & 1;
}

static bool csr_permitted(const struct gh *h, unsigned num, bool write) {
    if (h->priv < (num >> 8 & 3))
        return false;
    if (write && num >> 10 == 3)
        return false;
    if (h->priv == TALLY_PRIV_M)
        return true;
    switch (num) {
    case TALLY_CSR_SATP:
        return !(h->mstatus & TALLY_MSTATUS_TVM_MASK);
    case TALLY_CSR_STIMECMP:
    case TALLY_CSR_STIMECMPH:
        return h->menvcfg & TALLY_MENVCFG_STCE_MASK && counteren_tm(h);
    case TALLY_CSR_SENVCFG:
        return h->mstateen0 & TALLY_MSTATEEN0_ENVCFG_MASK;
    case TALLY_CSR_SSTATEEN0:
        return h->mstateen0 & TALLY_MSTATEEN0_SE0_MASK;
    case TALLY_CSR_SLIE:
    case TALLY_CSR_SLIP: /* custom state */
        return h->mstateen0 & TALLY_MSTATEEN0_C_MASK;
    case TALLY_CSR_SSTATEEN0 + 1:
    case TALLY_CSR_SSTATEEN0 + 2:
    case TALLY_CSR_SSTATEEN3: /* mstateen1-3[63] are 0 */
        return false;
    default:
        return true;
    }
}

static uint64_t modified(unsigned op, uint64_t old, uint64_t operand) {
    switch (op) {
    case 1:
        return operand;
    case 2:
        return old | operand;
    default:
        return old & ~operand;
    }
}

bool gh_csr_access(struct gh *h, unsigned num, unsigned op, uint64_t operand, uint64_t *old) {
    enum gh_csr_answer answer = h->host.pmu_csr(h->host.ctx, num, op, operand, h->priv, old);

    if (answer != GH_CSR_NOT_MINE)
        return answer == GH_CSR_OK;
    if (!csr_permitted(h, num, op != 0) || !csr_read(h, num, old))
        return false;
    /* Set and clear in mip start from software's value: an external line does not become a software bit.
     */
    if (op != 0)
        csr_write(h, num, modified(op, num == TALLY_CSR_MIP ? h->mip_soft : *old, operand));
    return true;
}

bool gh_csr_poke(struct gh *h, unsigned num, uint64_t value) {
    const unsigned priv = h->priv;
    uint64_t old;
    h->priv = TALLY_PRIV_M;
    const bool ok = csr_permitted(h, num, true) && csr_read(h, num, &old);
    if (ok)
        csr_write(h, num, value);
    h->priv = priv;
    return ok;
}

uint64_t gh_csr_peek(const struct gh *h, unsigned num, bool *ok) {
    uint64_t value;
    *ok = csr_read(h, num, &value);
    return value;
}
