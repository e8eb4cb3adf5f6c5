// SPDX-License-Identifier: Apache-2.0
/* One access, or the next of a plan */
#include "traffic_parts.h"

void csr_access(struct traffic *t, unsigned num, unsigned op, uint64_t wdata) {
    t->in.csr.num = (uint16_t)num;
    t->in.csr.op = (uint8_t)op;
    t->in.csr.wdata = wdata;
}

/* A half of counter or event i, or the whole. */
void write_wide(struct traffic *t, unsigned low, unsigned high, uint64_t value) {
    bool upper = t->cfg->xlen == 32 && rng_chance(&t->rng, 128);

    csr_access(t, upper ? high : low, GP_WRITE, upper ? value >> 32 : value);
}

/* The half of a 64-bit register in which these bits are, and they in it. */
void change_wide(struct traffic *t, unsigned low, unsigned high, unsigned op, uint64_t bits) {
    bool upper = t->cfg->xlen == 32 && bits >> 32;

    csr_access(t, upper ? high : low, op, upper ? bits >> 32 : bits);
}

void plan_in(struct traffic *t, const struct gp_mode *mode, unsigned num, unsigned op, uint64_t wdata) {
    if (t->planned < TRAFFIC_PLAN)
        t->plan[t->planned++] = (struct gp_csr){.valid = true,
                                                .v = mode->v,
                                                .op = (uint8_t)op,
                                                .priv = mode->priv,
                                                .num = (uint16_t)num,
                                                .wdata = wdata};
}

void plan(struct traffic *t, unsigned num, unsigned op, uint64_t wdata) {
    static const struct gp_mode machine = {.priv = GP_M};

    plan_in(t, &machine, num, op, wdata);
}

/* Both halves of a 64-bit register. */
void plan_wide(struct traffic *t, unsigned low, unsigned high, uint64_t value) {
    plan(t, low, GP_WRITE, value);
    if (t->cfg->xlen == 32)
        plan(t, high, GP_WRITE, value >> 32);
}

/* These bits cleared, in the half of a 64-bit register in which they are. */
void plan_clear(struct traffic *t, unsigned low, unsigned high, uint64_t bits) {
    bool upper = t->cfg->xlen == 32 && bits >> 32;

    plan(t, upper ? high : low, GP_CLEAR, upper ? bits >> 32 : bits);
}
