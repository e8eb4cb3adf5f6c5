// SPDX-License-Identifier: Apache-2.0
/*
 * A golden hart: creation, reset, one step.
 */
#include "hart_internal.h"

#include <stdlib.h>

static const struct gh_hint no_hint;
static const struct gh_retire no_result; /* copied: compilers clear less well */

static bool config_is_valid(const struct gh_config *c, const struct gh_host *host) {
    if (c->xlen != 32 && c->xlen != 64)
        return false;
    if (!c->ram || c->ram_size < PAGE_BYTES || c->ram_base % PAGE_BYTES)
        return false;
    if (!host->dev_load || !host->dev_store || !host->dev_exec || !host->pmu_csr)
        return false;
    return c->lockstep || host->time;
}

struct gh *gh_new(const struct gh_config *config, const struct gh_host *host) {
    struct gh *h;

    if (!config_is_valid(config, host))
        return NULL;
    h = calloc(1, sizeof *h);
    if (!h)
        return NULL;
    h->cfg = *config;
    h->host = *host;
    h->xmask = config->xlen == 64 ? UINT64_MAX : UINT32_MAX;
    h->rvc = gh_rvc_table(config->xlen);
    if (!h->rvc) {
        gh_free(h);
        return NULL;
    }
    gh_reset(h);
    return h;
}

void gh_free(struct gh *h) {
    if (!h)
        return;
    free(h->rvc);
    free(h);
}

void gh_reset(struct gh *h) {
    struct gh_config cfg = h->cfg;
    struct gh_host host = h->host;
    uint64_t xmask = h->xmask;
    uint32_t *rvc = h->rvc;

    memset(h, 0, sizeof *h);
    h->cfg = cfg;
    h->host = host;
    h->xmask = xmask;
    h->rvc = rvc;
    h->pc = cfg.reset_pc;
    h->priv = TALLY_PRIV_M;
    gh_pmp_decode(h);
}

/* The interrupt to take now, or -1. In lockstep the machine decides when, and this checks that it is allowed.
 */
static int interrupt_now(struct gh *h) {
    int mine;

    if (!h->cfg.lockstep)
        return gh_pending_interrupt(h);
    if (!h->hint->irq)
        return -1;
    mine = gh_pending_interrupt(h);
    if (mine < 0)
        h->out->error = "interrupt taken that is not pending and enabled";
    else if ((uint64_t)mine != h->hint->irq_cause)
        h->out->error = "interrupt taken that is not the one of highest priority";
    return (int)h->hint->irq_cause;
}

static bool execute_one(struct gh *h) {
    uint32_t insn;

    if (!gh_fetch(h))
        return false;
    h->out->insn = h->raw;
    insn = (h->raw & 3) == 3 ? h->raw : h->rvc[h->raw];
    return insn ? gh_execute(h, insn) : raise_illegal(h);
}

void gh_step(struct gh *h, const struct gh_hint *hint, struct gh_retire *out) {
    int irq;

    *out = no_result;
    h->hint = hint ? hint : &no_hint;
    h->out = out;
    out->pc = h->pc;
    out->priv = h->priv;

    irq = interrupt_now(h);
    if (irq >= 0)
        gh_take_interrupt(h, (unsigned)irq);
    else if (!h->hint->ebb_deferred && gh_deliver(h))
        ; /* interrupts come first, and the instruction's own exceptions after uebret */
    else if (execute_one(h))
        h->pc = h->next_pc;
    else
        gh_take_exception(h);

    out->next_priv = h->priv;
    out->next_pc = h->pc;
}

uint64_t gh_pc(const struct gh *h) { return h->pc; }

unsigned gh_priv(const struct gh *h) { return h->priv; }

uint64_t gh_reg(const struct gh *h, unsigned i) { return h->x[i & 31] & h->xmask; }

void gh_set_pc(struct gh *h, uint64_t pc) { h->pc = pc & h->xmask; }

void gh_set_priv(struct gh *h, unsigned priv) { h->priv = priv; }

void gh_forget_translations(struct gh *h) { gh_tlb_flush(h); }

void gh_set_reg(struct gh *h, unsigned i, uint64_t value) {
    if (i & 31)
        h->x[i & 31] = value;
}
