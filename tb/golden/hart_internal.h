// SPDX-License-Identifier: Apache-2.0
/*
 * State of the golden hart, and the functions that its files share. Users of the model include tally_hart.h
 * only.
 *
 * x registers are sign-extended to 64 bits when XLEN is 32: then 64-bit arithmetic, comparisons and branches
 * are right for both, and only shifts, division and multiplication depend on XLEN. CSRs and the pc are
 * zero-extended.
 */
#ifndef TALLY_HART_INTERNAL_H
#define TALLY_HART_INTERNAL_H

#include "tally_hart.h"

#include "tally_spec.h"

#include <string.h>

/* Cause of interrupt 18 as S-mode sees it. */
enum { IRQ_ANDES_S = 256 + TALLY_INT_ANDES };

#define BIT(n) (UINT64_C(1) << (n))

#define LINE_BYTES 64
#define PAGE_BYTES UINT64_C(4096)
#define PADDR_BITS 56

#define PMP_N 8
enum { PMP_R = 1, PMP_W = 2, PMP_X = 4 };

enum access { ACC_FETCH, ACC_LOAD, ACC_STORE, ACC_N };

/* A translation to main memory that is allowed for one kind of access and mode on the whole page */
struct tlb_entry {
    uint64_t page; /* virtual address of the page; TLB_EMPTY if unused */
    uint8_t *host;
};
#define TLB_EMPTY UINT64_C(1)
#define TLB_ENTRIES 256

struct pmp_range {
    uint64_t first, end; /* bytes first .. end-1; empty if end <= first */
};

struct gh {
    struct gh_config cfg;
    struct gh_host host;
    uint64_t xmask; /* all ones of XLEN bits */
    uint32_t *rvc;  /* expansion of each of the 65536 16-bit encodings; 0 = illegal */

    uint64_t x[32];
    uint64_t pc, next_pc;
    unsigned priv;

    /* Registers of the M and S levels. mip_soft: bits that software writes; mip_line: bits that the machine
     * drives. */
    uint64_t mstatus, medeleg, mideleg, mie, mip_soft, mip_line;
    uint64_t mtvec, mscratch, mepc, mcause, mtval, menvcfg, mstateen0;
    uint64_t stvec, sscratch, sepc, scause, stval, satp, senvcfg, sstateen0, stimecmp;
    uint64_t mseccfg;
    uint8_t pmpcfg[PMP_N];
    uint64_t pmpaddr[PMP_N];
    struct pmp_range pmp[PMP_N]; /* decoded from the two above */

    bool linked;            /* an LR without an SC since */
    bool reserved;          /* ... and no write to its line */
    uint64_t reserved_line; /* physical address */

    struct tlb_entry tlb[ACC_N][4][TLB_ENTRIES];

    /* The step that is being executed. */
    const struct gh_hint *hint;
    struct gh_retire *out;
    uint32_t raw;                 /* instruction bits as fetched */
    uint64_t exc_cause, exc_tval; /* valid when a function below returned false */
};

static inline bool rv64(const struct gh *h) { return h->cfg.xlen == 64; }

static inline uint64_t sext(uint64_t value, unsigned bits) {
    unsigned shift = 64 - bits;
    return (uint64_t)((int64_t)(value << shift) >> shift);
}

static inline uint64_t field(uint64_t value, unsigned lsb, unsigned width) {
    return value >> lsb & (BIT(width) - 1);
}

/* Raise an exception: for `return raise_exc(...)` in functions where false means that h->exc_* are set. */
static inline bool raise_exc(struct gh *h, unsigned cause, uint64_t tval) {
    h->exc_cause = cause;
    h->exc_tval = tval;
    return false;
}

static inline bool raise_illegal(struct gh *h) { return raise_exc(h, TALLY_EXC_ILLEGAL, h->raw); }

static inline void set_rd(struct gh *h, unsigned rd, uint64_t value) {
    if (rd == 0)
        return;
    if (!rv64(h))
        value = sext(value, 32);
    h->x[rd] = value;
    h->out->rd_we = true;
    h->out->rd = rd;
    h->out->rd_value = value & h->xmask;
}

/* --- inline helpers of main memory and translations --- */

static inline uint8_t *ram_at(const struct gh *h, uint64_t pa) { return h->cfg.ram + (pa - h->cfg.ram_base); }

/* Little-endian on any host. Compilers make one move of these. */
static inline uint64_t read_bytes(const uint8_t *p, unsigned size) {
    switch (size) {
    case 1:
        return p[0];
    case 2:
        return (uint64_t)p[0] | (uint64_t)p[1] << 8;
    case 4:
        return (uint64_t)p[0] | (uint64_t)p[1] << 8 | (uint64_t)p[2] << 16 | (uint64_t)p[3] << 24;
    default:
        return (uint64_t)p[0] | (uint64_t)p[1] << 8 | (uint64_t)p[2] << 16 | (uint64_t)p[3] << 24 |
               (uint64_t)p[4] << 32 | (uint64_t)p[5] << 40 | (uint64_t)p[6] << 48 | (uint64_t)p[7] << 56;
    }
}

static inline void write_bytes(uint8_t *p, unsigned size, uint64_t v) {
    for (unsigned i = 0; i < size; i++)
        p[i] = (uint8_t)(v >> 8 * i);
}

/* The line whose reservation an access breaks. */
static inline uint64_t line_of(uint64_t pa) { return pa & ~(uint64_t)(LINE_BYTES - 1); }

static inline struct tlb_entry *tlb_slot(struct gh *h, uint64_t va, enum access acc, unsigned priv) {
    return &h->tlb[acc][priv][va / PAGE_BYTES % TLB_ENTRIES];
}

/* --- functions that files share --- */

/* hart_rvc.c: expansion of every 16-bit encoding, allocated. NULL if memory is short. */
uint32_t *gh_rvc_table(unsigned xlen);

/* hart_alu.c: register results. *ok is set false for an illegal encoding. */
uint64_t gh_alu_op(const struct gh *h, uint32_t insn, uint64_t a, uint64_t b, bool *ok);
uint64_t gh_alu_op32(const struct gh *h, uint32_t insn, uint64_t a, uint64_t b, bool *ok);
uint64_t gh_alu_imm(const struct gh *h, uint32_t insn, uint64_t a, bool *ok);
uint64_t gh_alu_imm32(const struct gh *h, uint32_t insn, uint64_t a, bool *ok);

/* hart_exec.c: executes one expanded instruction; h->next_pc is set. */
bool gh_execute(struct gh *h, uint32_t insn);

/* hart_system.c: opcode SYSTEM. */
bool gh_execute_system(struct gh *h, uint32_t insn);

/* hart_mem.c: instruction fetch and data access. */
bool gh_fetch(struct gh *h);
bool gh_load(struct gh *h, uint64_t va, unsigned size, uint64_t *raw);
bool gh_store(struct gh *h, uint64_t va, unsigned size, uint64_t value);
bool gh_lr(struct gh *h, uint64_t va, unsigned size, uint64_t *raw);
bool gh_sc(struct gh *h, uint64_t va, unsigned size, uint64_t value, bool *failed);
bool gh_amo(struct gh *h, uint64_t va, unsigned size, unsigned funct5, uint64_t operand, uint64_t *raw);

/* hart_ram.c */
bool gh_in_ram(const struct gh *h, uint64_t pa, unsigned size);
uint64_t gh_ram_read(const struct gh *h, uint64_t pa, unsigned size);
void gh_ram_write(struct gh *h, uint64_t pa, unsigned size, uint64_t value);

/* hart_tlb.c. gh_tlb_fill: the access is allowed on the whole physical page. */
void gh_tlb_flush(struct gh *h);
void gh_tlb_fill(struct gh *h, uint64_t va, enum access acc, unsigned priv, uint64_t page);

/* hart_mmu.c: va -> pa with all checks of translation; raises page and access faults of the walk. */
bool gh_translate(struct gh *h, uint64_t va, enum access acc, unsigned priv, uint64_t *pa);
bool gh_raise_access_fault(struct gh *h, enum access acc, uint64_t tval);
/* Mode of loads and stores (mstatus.MPRV) */
static inline unsigned data_priv(const struct gh *h) {
    return h->mstatus & TALLY_MSTATUS_MPRV_MASK ? (unsigned)field(h->mstatus, TALLY_MSTATUS_MPP_LSB, 2)
                                                : h->priv;
}

/* hart_pmp.c */
bool gh_pmp_allows(const struct gh *h, uint64_t pa, uint64_t size, unsigned perm, unsigned priv);
uint64_t gh_pmpcfg_read(const struct gh *h, unsigned index);
void gh_pmpcfg_write(struct gh *h, unsigned index, uint64_t value);
void gh_pmpaddr_write(struct gh *h, unsigned entry, uint64_t value);
void gh_pmp_decode(struct gh *h);
void gh_mseccfg_write(struct gh *h, uint64_t value);

/* hart_csr.c: op 0 read only, 1 write, 2 set, 3 clear; *old is the value before. */
bool gh_csr_access(struct gh *h, unsigned num, unsigned op, uint64_t operand, uint64_t *old);
uint64_t gh_mip(const struct gh *h);

/* hart_trap.c */
void gh_take_exception(struct gh *h);
void gh_take_interrupt(struct gh *h, unsigned cause);
void gh_mret(struct gh *h);
void gh_sret(struct gh *h);
bool gh_deliver(struct gh *h);

#endif
