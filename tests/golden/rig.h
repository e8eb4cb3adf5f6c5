// SPDX-License-Identifier: Apache-2.0
/*
 * A golden hart for unit tests: 1 MiB of main memory, one device register, a PMU that owns
 * mcounteren and two counters. Tests place instructions, set registers, step, and look.
 */
#ifndef GOLDEN_RIG_H
#define GOLDEN_RIG_H

#include "hart_internal.h"

#include <stdio.h>
#include <stdlib.h>

enum { RIG_RAM_SIZE = 1 << 20, RIG_DEVICE = 0x10000000, RIG_ROM = 0x1000 };
#define RIG_RAM UINT64_C(0x80000000)

struct rig {
    struct gh *h;
    uint8_t *ram;
    struct gh_retire out;
    uint64_t mcounteren, now, device;
    /* The PMU's answers about event-based branches, and the hart's reaction */
    bool ebb_due, uebret_legal, ge;
    uint64_t ebb_target, uebret_target;
    unsigned ebb_priv, delivered, returned;
    uint16_t rom[8];
};

static int rig_failures, rig_checks;

/* Compare; report a difference with its place. */
#define CHECK_EQ(got, want, ...)                                                                             \
    do {                                                                                                     \
        uint64_t got_ = (got), want_ = (want);                                                               \
        rig_checks++;                                                                                        \
        if (got_ != want_) {                                                                                 \
            rig_failures++;                                                                                  \
            printf("%s:%d: %s is 0x%llx, expected 0x%llx: ", __FILE__, __LINE__, #got,                       \
                   (unsigned long long)got_, (unsigned long long)want_);                                     \
            printf(__VA_ARGS__);                                                                             \
            putchar('\n');                                                                                   \
        }                                                                                                    \
    } while (0)

static inline int rig_result(const char *name) {
    printf("%s: %d checks, %d failed\n", name, rig_checks, rig_failures);
    return rig_failures ? 1 : 0;
}

static inline bool rig_dev_load(void *ctx, uint64_t addr, unsigned size, uint64_t *value) {
    struct rig *r = ctx;
    (void)size;
    if (addr >= RIG_ROM && addr < RIG_ROM + sizeof r->rom) {
        *value = r->rom[(addr - RIG_ROM) / 2];
        return true;
    }
    *value = r->device;
    return addr >> 3 == RIG_DEVICE >> 3;
}

static inline bool rig_dev_store(void *ctx, uint64_t addr, unsigned size, uint64_t value) {
    struct rig *r = ctx;
    (void)size;
    r->device = value;
    return addr >> 3 == RIG_DEVICE >> 3;
}

static inline bool rig_dev_exec(void *ctx, uint64_t addr) {
    struct rig *r = ctx;
    return addr >= RIG_ROM && addr < RIG_ROM + sizeof r->rom;
}

static inline enum gh_csr_answer rig_pmu_csr(void *ctx, unsigned num, unsigned op, uint64_t wdata,
                                             unsigned priv, uint64_t *rdata) {
    struct rig *r = ctx;

    if (num == TALLY_CSR_TIME) {
        *rdata = r->now;
        return op == 0 && (priv == TALLY_PRIV_M || r->mcounteren & 2) ? GH_CSR_OK : GH_CSR_ILLEGAL;
    }
    if (num != TALLY_CSR_MCOUNTEREN)
        return GH_CSR_NOT_MINE;
    if (priv != TALLY_PRIV_M)
        return GH_CSR_ILLEGAL;
    *rdata = r->mcounteren;
    if (op == 1)
        r->mcounteren = wdata;
    if (op == 2)
        r->mcounteren |= wdata;
    if (op == 3)
        r->mcounteren &= ~wdata;
    return GH_CSR_OK;
}

static inline bool rig_ebb(void *ctx, unsigned priv, uint64_t *target) {
    struct rig *r = ctx;
    *target = r->ebb_target;
    r->ebb_priv = priv;
    r->delivered += r->ebb_due && priv == TALLY_PRIV_U;
    return r->ebb_due && priv == TALLY_PRIV_U;
}

static inline enum gh_csr_answer rig_uebret(void *ctx, unsigned priv, bool ge, uint64_t *target) {
    struct rig *r = ctx;
    *target = r->uebret_target;
    if (priv != TALLY_PRIV_U || !r->uebret_legal)
        return GH_CSR_ILLEGAL;
    r->ge = ge;
    r->returned++;
    return GH_CSR_OK;
}

static inline uint64_t rig_time(void *ctx) { return ((struct rig *)ctx)->now; }

static inline void rig_open(struct rig *r, unsigned xlen, bool lockstep) {
    struct gh_host host = {.ctx = r,
                           .dev_load = rig_dev_load,
                           .dev_store = rig_dev_store,
                           .dev_exec = rig_dev_exec,
                           .pmu_csr = rig_pmu_csr,
                           .time = rig_time,
                           .ebb = rig_ebb,
                           .uebret = rig_uebret};
    struct gh_config cfg = {0};

    memset(r, 0, sizeof *r);
    r->ram = calloc(1, RIG_RAM_SIZE);
    cfg.xlen = xlen;
    cfg.hartid = 5;
    cfg.reset_pc = RIG_RAM;
    cfg.ram_base = RIG_RAM;
    cfg.ram_size = RIG_RAM_SIZE;
    cfg.ram = r->ram;
    cfg.lockstep = lockstep;
    cfg.zba_zbb = true;
    cfg.andes = true;
    cfg.smepmp = true;
    r->h = r->ram ? gh_new(&cfg, &host) : NULL;
    if (!r->h) {
        puts("out of memory");
        exit(1);
    }
}

static inline void rig_close(struct rig *r) {
    gh_free(r->h);
    free(r->ram);
}

static inline void rig_put(struct rig *r, uint64_t pa, unsigned size, uint64_t value) {
    gh_ram_write(r->h, pa, size, value);
}

static inline uint64_t rig_get(struct rig *r, uint64_t pa, unsigned size) {
    return gh_ram_read(r->h, pa, size);
}

/* Execute `insn` (in M-mode or without translation: pc is physical) at `pc`. */
static inline const struct gh_retire *rig_exec_at(struct rig *r, uint64_t pc, uint32_t insn) {
    rig_put(r, pc, 4, insn);
    r->h->pc = pc;
    gh_step(r->h, NULL, &r->out);
    return &r->out;
}

static inline const struct gh_retire *rig_exec(struct rig *r, uint32_t insn) {
    return rig_exec_at(r, RIG_RAM + 0x100, insn);
}

static inline void rig_set_reg(struct rig *r, unsigned reg, uint64_t value) {
    r->h->x[reg] = r->h->cfg.xlen == 32 ? sext(value, 32) : value;
}

/* CSR number `num` written with CSRRW from x31; the step's outcome. */
static inline const struct gh_retire *rig_csrw(struct rig *r, unsigned num, uint64_t value) {
    rig_set_reg(r, 31, value);
    return rig_exec(r, num << 20 | 31 << 15 | 1 << 12 | 0x73);
}

/* CSR number `num` read with CSRRS x30, num, x0. 0xDEAD... if it trapped. */
static inline uint64_t rig_csrr(struct rig *r, unsigned num) {
    const struct gh_retire *out = rig_exec(r, num << 20 | 2 << 12 | 30 << 7 | 0x73);
    return out->trap ? UINT64_C(0xDEADDEADDEADDEAD) : out->rd_value;
}

/* Encodings. */
static inline uint32_t enc_r(unsigned op, unsigned f3, unsigned f7, unsigned rd, unsigned rs1, unsigned rs2) {
    return f7 << 25 | rs2 << 20 | rs1 << 15 | f3 << 12 | rd << 7 | op;
}

static inline uint32_t enc_i(unsigned op, unsigned f3, unsigned rd, unsigned rs1, int imm) {
    return (uint32_t)imm << 20 | rs1 << 15 | f3 << 12 | rd << 7 | op;
}

static inline uint32_t enc_s(unsigned f3, unsigned rs1, unsigned rs2, int imm) {
    return (uint32_t)imm >> 5 << 25 | rs2 << 20 | rs1 << 15 | f3 << 12 | ((uint32_t)imm & 31) << 7 | 0x23;
}

static inline uint32_t enc_amo(unsigned funct5, unsigned f3, unsigned rd, unsigned rs1, unsigned rs2) {
    return enc_r(0x2F, f3, funct5 << 2, rd, rs1, rs2);
}

#endif
