/*
 * Control and status registers of the hart (privileged manual; which bits exist: docs/hart.md).
 *
 * The PMU is asked first; what it does not own is decided here. A register is described in two switches:
 * csr_read() says that it exists and what it reads, csr_write() what a write keeps. Who may touch it is in
 * csr_permitted().
 */
#include "hart_internal.h"

enum {
    CSR_SSTATUS = 0x100,
    CSR_SIE = 0x104,
    CSR_STVEC = 0x105,
    CSR_SENVCFG = 0x10A,
    CSR_SSTATEEN0 = 0x10C,
    CSR_SSTATEEN3 = 0x10F,
    CSR_SSCRATCH = 0x140,
    CSR_SEPC = 0x141,
    CSR_SCAUSE = 0x142,
    CSR_STVAL = 0x143,
    CSR_SIP = 0x144,
    CSR_STIMECMP = 0x14D,
    CSR_STIMECMPH = 0x15D,
    CSR_SATP = 0x180,
    CSR_MSTATUS = 0x300,
    CSR_MISA = 0x301,
    CSR_MEDELEG = 0x302,
    CSR_MIDELEG = 0x303,
    CSR_MIE = 0x304,
    CSR_MTVEC = 0x305,
    CSR_MCOUNTEREN = 0x306, /* the PMU's; asked for TM */
    CSR_MENVCFG = 0x30A,
    CSR_MSTATEEN0 = 0x30C,
    CSR_MSTATEEN3 = 0x30F,
    CSR_MSTATUSH = 0x310,
    CSR_MEDELEGH = 0x312,
    CSR_MENVCFGH = 0x31A,
    CSR_MSTATEEN0H = 0x31C,
    CSR_MSTATEEN3H = 0x31F,
    CSR_MSCRATCH = 0x340,
    CSR_MEPC = 0x341,
    CSR_MCAUSE = 0x342,
    CSR_MTVAL = 0x343,
    CSR_MIP = 0x344,
    CSR_PMPCFG0 = 0x3A0,
    CSR_PMPADDR0 = 0x3B0,
    CSR_TSELECT = 0x7A0,
    CSR_TDATA3 = 0x7A3,
    CSR_MVENDORID = 0xF11,
    CSR_MARCHID = 0xF12,
    CSR_MIMPID = 0xF13,
    CSR_MHARTID = 0xF14,
    CSR_MCONFIGPTR = 0xF15
};

enum { PMPCFG_REGS = 16, PMPADDR_REGS = 64 };

#define IMPID UINT64_C(0x54414C4C)                                               /* "TALL" */
#define MISA_EXTENSIONS (BIT(0) | BIT(2) | BIT(8) | BIT(12) | BIT(18) | BIT(20)) /* A C I M S U */

#define SSTATUS_MASK (MSTATUS_SIE | MSTATUS_SPIE | MSTATUS_SPP | MSTATUS_SUM | MSTATUS_MXR)
#define MSTATUS_MASK                                                                                         \
    (SSTATUS_MASK | MSTATUS_MIE | MSTATUS_MPIE | MSTATUS_MPP | MSTATUS_MPRV | MSTATUS_TVM | MSTATUS_TW |     \
     MSTATUS_TSR)
#define MSTATUS_UXL64 (UINT64_C(2) << 32)
#define MSTATUS_SXL64 (UINT64_C(2) << 34)

#define LOCAL_IRQS (BIT(IRQ_LCOFI) | BIT(IRQ_LAMBI) | BIT(IRQ_ANDES))
#define S_IRQS (BIT(IRQ_SSI) | BIT(IRQ_STI) | BIT(IRQ_SEI) | LOCAL_IRQS)
#define M_IRQS (BIT(IRQ_MSI) | BIT(IRQ_MTI) | BIT(IRQ_MEI))
#define LINE_IRQS (M_IRQS | BIT(IRQ_STI) | BIT(IRQ_SEI))
#define MEDELEG_MASK UINT64_C(0xB3FF) /* 0-9, 12, 13, 15 */
#define MENVCFG_MASK (MENVCFG_STCE | MENVCFG_ADUE | MENVCFG_CDE | MENVCFG_PDISS | MENVCFG_FIOM)
#define MSTATEEN0_MASK (MSTATEEN_SE0 | MSTATEEN_ENVCFG | MSTATEEN_CSRIND | MSTATEEN_PDIS | MSTATEEN_C)

/* clang-format off */
const uint16_t gh_csr_list[] = {
    CSR_MSTATUS, CSR_MEDELEG, CSR_MIDELEG, CSR_MIE, CSR_MIP, CSR_MTVEC, CSR_MSCRATCH, CSR_MEPC, CSR_MCAUSE, CSR_MTVAL,
    CSR_MENVCFG, CSR_MSTATEEN0, CSR_STVEC, CSR_SSCRATCH, CSR_SEPC, CSR_SCAUSE, CSR_STVAL, CSR_SATP, CSR_SENVCFG,
    CSR_SSTATEEN0, CSR_STIMECMP, CSR_PMPCFG0,
    CSR_PMPADDR0, CSR_PMPADDR0 + 1, CSR_PMPADDR0 + 2, CSR_PMPADDR0 + 3,
    CSR_PMPADDR0 + 4, CSR_PMPADDR0 + 5, CSR_PMPADDR0 + 6, CSR_PMPADDR0 + 7,
    0xFFFF};
/* clang-format on */

/* --- interrupt-pending
 * ----------------------------------------------------------------------------------------- */

static bool timer_expired(const struct gh *h) {
    if (h->cfg.lockstep) return h->mip_line >> IRQ_STI & 1;
    return h->host.time(h->host.ctx) >= h->stimecmp;
}

uint64_t gh_mip(const struct gh *h) {
    uint64_t mip = h->mip_soft | (h->mip_line & ~BIT(IRQ_STI));

    if (!(h->menvcfg & MENVCFG_STCE)) return mip;
    return timer_expired(h) ? mip | BIT(IRQ_STI) : mip & ~BIT(IRQ_STI);
}

void gh_set_mip(struct gh *h, uint64_t lines, uint64_t set) {
    h->mip_line = lines & LINE_IRQS;
    h->mip_soft |= set & LOCAL_IRQS;
}

static void mip_write(struct gh *h, uint64_t value, uint64_t mask) {
    h->mip_soft = (h->mip_soft & ~mask) | (value & mask);
}

static uint64_t mip_writable(const struct gh *h) {
    return h->menvcfg & MENVCFG_STCE ? S_IRQS & ~BIT(IRQ_STI) : S_IRQS;
}

/* --- helpers of the switches
 * ----------------------------------------------------------------------------------- */

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
    return MISA_EXTENSIONS | (rv64(h) ? UINT64_C(2) << 62 : UINT64_C(1) << 30);
}

static void mstatus_write(struct gh *h, uint64_t value, uint64_t mask) {
    if (field(value, MSTATUS_MPP_LSB, 2) == 2) mask &= ~MSTATUS_MPP;
    if ((h->mstatus ^ value) & mask & (MSTATUS_SUM | MSTATUS_MXR)) gh_tlb_flush(h);
    replace(&h->mstatus, value, mask);
}

static void satp_write(struct gh *h, uint64_t value) {
    unsigned mode = (unsigned)(value >> 60);

    if (rv64(h) && mode != 0 && mode != 8) return; /* Bare and Sv39 */
    h->satp = value;
    gh_tlb_flush(h);
}

static bool pmp_read(const struct gh *h, unsigned num, uint64_t *value) {
    unsigned n = num - CSR_PMPCFG0;

    if (n < PMPCFG_REGS) {
        *value = gh_pmpcfg_read(h, n);
        return !rv64(h) || n % 2 == 0;
    }
    n = num - CSR_PMPADDR0;
    *value = n < PMP_N ? h->pmpaddr[n] : 0;
    return true;
}

static void pmp_write(struct gh *h, unsigned num, uint64_t value) {
    unsigned n = num - CSR_PMPADDR0;

    if (num < CSR_PMPADDR0)
        gh_pmpcfg_write(h, num - CSR_PMPCFG0, value);
    else if (n < PMP_N)
        gh_pmpaddr_write(h, n, value);
}

static bool is_pmp(unsigned num) { return num >= CSR_PMPCFG0 && num < CSR_PMPADDR0 + PMPADDR_REGS; }

static uint64_t tvec(uint64_t value) { return value & ~UINT64_C(2); }

/* --- the registers
 * --------------------------------------------------------------------------------------------- */

/* false: there is no such register. */
static bool csr_read(const struct gh *h, unsigned num, uint64_t *v) {
    *v = 0;
    if (is_pmp(num)) return pmp_read(h, num, v);
    switch (num) {
    case CSR_SSTATUS:
        *v = (h->mstatus & SSTATUS_MASK) | (rv64(h) ? MSTATUS_UXL64 : 0);
        return true;
    case CSR_SIE:
        *v = h->mie & h->mideleg;
        return true;
    case CSR_STVEC:
        *v = h->stvec;
        return true;
    case CSR_SENVCFG:
        *v = h->senvcfg;
        return true;
    case CSR_SSTATEEN0:
        *v = h->sstateen0 & h->mstateen0;
        return true;
    case CSR_SSCRATCH:
        *v = h->sscratch;
        return true;
    case CSR_SEPC:
        *v = h->sepc;
        return true;
    case CSR_SCAUSE:
        *v = h->scause;
        return true;
    case CSR_STVAL:
        *v = h->stval;
        return true;
    case CSR_SIP:
        *v = gh_mip(h) & h->mideleg;
        return true;
    case CSR_STIMECMP:
        *v = low(h, h->stimecmp);
        return true;
    case CSR_STIMECMPH:
        return high(h, h->stimecmp, v);
    case CSR_SATP:
        *v = h->satp;
        return true;
    case CSR_MSTATUS:
        *v = h->mstatus | (rv64(h) ? MSTATUS_UXL64 | MSTATUS_SXL64 : 0);
        return true;
    case CSR_MISA:
        *v = misa(h);
        return true;
    case CSR_MEDELEG:
        *v = h->medeleg;
        return true;
    case CSR_MIDELEG:
        *v = h->mideleg;
        return true;
    case CSR_MIE:
        *v = h->mie;
        return true;
    case CSR_MTVEC:
        *v = h->mtvec;
        return true;
    case CSR_MENVCFG:
        *v = low(h, h->menvcfg);
        return true;
    case CSR_MENVCFGH:
        return high(h, h->menvcfg, v);
    case CSR_MSTATEEN0:
        *v = low(h, h->mstateen0);
        return true;
    case CSR_MSTATEEN0H:
        return high(h, h->mstateen0, v);
    case CSR_MSTATUSH: /* little-endian only */
    case CSR_MEDELEGH:
    case CSR_MSTATEEN0H + 1:
    case CSR_MSTATEEN0H + 2:
    case CSR_MSTATEEN3H:
        return !rv64(h);
    case CSR_MSCRATCH:
        *v = h->mscratch;
        return true;
    case CSR_MEPC:
        *v = h->mepc;
        return true;
    case CSR_MCAUSE:
        *v = h->mcause;
        return true;
    case CSR_MTVAL:
        *v = h->mtval;
        return true;
    case CSR_MIP:
        *v = gh_mip(h);
        return true;
    case CSR_MIMPID:
        *v = IMPID;
        return true;
    case CSR_MHARTID:
        *v = h->cfg.hartid;
        return true;
    case CSR_SSTATEEN0 + 1: /* nothing in them: read 0 */
    case CSR_SSTATEEN0 + 2:
    case CSR_SSTATEEN3:
    case CSR_MSTATEEN0 + 1:
    case CSR_MSTATEEN0 + 2:
    case CSR_MSTATEEN3:
    case CSR_TSELECT:
    case CSR_TSELECT + 1:
    case CSR_TSELECT + 2:
    case CSR_TDATA3:
    case CSR_MVENDORID:
    case CSR_MARCHID:
    case CSR_MCONFIGPTR:
        return true;
    default:
        return false;
    }
}

/* Registers that are not here ignore writes. */
static void csr_write(struct gh *h, unsigned num, uint64_t v) {
    if (is_pmp(num)) {
        pmp_write(h, num, v);
        return;
    }
    switch (num) {
    case CSR_SSTATUS:
        mstatus_write(h, v, SSTATUS_MASK);
        break;
    case CSR_SIE:
        replace(&h->mie, v, h->mideleg);
        break;
    case CSR_STVEC:
        h->stvec = tvec(v);
        break;
    case CSR_SENVCFG:
        h->senvcfg = v & MENVCFG_FIOM;
        break;
    case CSR_SSTATEEN0:
        replace(&h->sstateen0, v, h->mstateen0 & MSTATEEN_C);
        break;
    case CSR_SSCRATCH:
        h->sscratch = v;
        break;
    case CSR_SEPC:
        h->sepc = v & ~UINT64_C(1);
        break;
    case CSR_SCAUSE:
        h->scause = v;
        break;
    case CSR_STVAL:
        h->stval = v;
        break;
    case CSR_SIP:
        mip_write(h, v, (BIT(IRQ_SSI) | LOCAL_IRQS) & h->mideleg);
        break;
    case CSR_STIMECMP:
        write_low(h, &h->stimecmp, v, UINT64_MAX);
        break;
    case CSR_STIMECMPH:
        write_high(&h->stimecmp, v, UINT64_MAX);
        break;
    case CSR_SATP:
        satp_write(h, v);
        break;
    case CSR_MSTATUS:
        mstatus_write(h, v, MSTATUS_MASK);
        break;
    case CSR_MEDELEG:
        h->medeleg = v & MEDELEG_MASK;
        break;
    case CSR_MIDELEG:
        h->mideleg = v & S_IRQS;
        break;
    case CSR_MIE:
        h->mie = v & (S_IRQS | M_IRQS);
        break;
    case CSR_MTVEC:
        h->mtvec = tvec(v);
        break;
    case CSR_MENVCFG:
        write_low(h, &h->menvcfg, v, MENVCFG_MASK);
        break;
    case CSR_MENVCFGH:
        write_high(&h->menvcfg, v, MENVCFG_MASK);
        break;
    case CSR_MSTATEEN0:
        write_low(h, &h->mstateen0, v, MSTATEEN0_MASK);
        break;
    case CSR_MSTATEEN0H:
        write_high(&h->mstateen0, v, MSTATEEN0_MASK);
        break;
    case CSR_MSCRATCH:
        h->mscratch = v;
        break;
    case CSR_MEPC:
        h->mepc = v & ~UINT64_C(1);
        break;
    case CSR_MCAUSE:
        h->mcause = v;
        break;
    case CSR_MTVAL:
        h->mtval = v;
        break;
    case CSR_MIP:
        mip_write(h, v, mip_writable(h));
        break;
    default:
        break;
    }
}

/* --- access
 * ---------------------------------------------------------------------------------------------------- */

static bool counteren_tm(const struct gh *h) {
    uint64_t value = 0;
    return h->host.pmu_csr(h->host.ctx, CSR_MCOUNTEREN, 0, 0, PRIV_M, &value) == GH_CSR_OK && value >> 1 & 1;
}

static bool csr_permitted(const struct gh *h, unsigned num, bool write) {
    if (h->priv < (num >> 8 & 3)) return false;
    if (write && num >> 10 == 3) return false;
    if (h->priv == PRIV_M) return true;
    switch (num) {
    case CSR_SATP:
        return !(h->mstatus & MSTATUS_TVM);
    case CSR_STIMECMP:
    case CSR_STIMECMPH:
        return h->menvcfg & MENVCFG_STCE && counteren_tm(h);
    case CSR_SENVCFG:
        return h->mstateen0 & MSTATEEN_ENVCFG;
    case CSR_SSTATEEN0:
        return h->mstateen0 & MSTATEEN_SE0;
    case CSR_SSTATEEN0 + 1:
    case CSR_SSTATEEN0 + 2:
    case CSR_SSTATEEN3: /* mstateen1-3[63] are 0 */
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

    if (answer != GH_CSR_NOT_MINE) return answer == GH_CSR_OK;
    if (!csr_permitted(h, num, op != 0) || !csr_read(h, num, old)) return false;
    /* Set and clear in mip start from what software wrote: an external line does not become a software bit.
     */
    if (op != 0) csr_write(h, num, modified(op, num == CSR_MIP ? h->mip_soft : *old, operand));
    return true;
}

uint64_t gh_csr_peek(const struct gh *h, unsigned num, bool *ok) {
    uint64_t value;
    *ok = csr_read(h, num, &value);
    return value;
}
