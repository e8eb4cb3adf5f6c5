// SPDX-License-Identifier: Apache-2.0
/*
 * The state of the golden machine, field by field. Parts note which of their fields are derived.
 */
#include "iss_machine.h"

#include "tally_state.h"

static void finisher_state(struct iss_finisher *f, struct tally_state *s) {
    STATE(s, f->end);
    STATE(s, f->code);
    STATE_LIMIT(s, f->end <= ISS_RESET);
}

static void aclint_state(struct iss_aclint *a, struct tally_state *s) {
    STATE_SKIP(s, a->harts);
    STATE_EACH(s, a->msip);
    STATE_EACH(s, a->mtimecmp);
    STATE(s, a->mtime);
}

static void plic_state(struct iss_plic *p, struct tally_state *s) {
    STATE_SKIP(s, p->contexts);
    STATE(s, p->level);
    STATE(s, p->pending);
    STATE(s, p->claimed);
    STATE_EACH(s, p->priority);
    STATE_EACH(s, p->enable);
    STATE_EACH(s, p->threshold);
}

static void uart_state(struct iss_uart *u, struct tally_state *s) {
    STATE(s, u->ier);
    STATE(s, u->fcr);
    STATE(s, u->lcr);
    STATE(s, u->mcr);
    STATE(s, u->scr);
    STATE(s, u->dll);
    STATE(s, u->dlm);
    STATE(s, u->thre_pending);
    STATE_EACH(s, u->rx);
    STATE(s, u->rx_head);
    STATE(s, u->rx_n);
    STATE_SKIP(s, u->transmit);
    STATE_SKIP(s, u->ctx);
    STATE_LIMIT(s, u->rx_head < sizeof u->rx && u->rx_n <= sizeof u->rx);
}

static void hart_state(struct iss_hart *h, struct tally_state *s) {
    STATE_SKIP(s, h->iss);
    STATE_SKIP(s, h->core);
    STATE_SKIP(s, h->pmu);
    STATE_SKIP(s, h->pmu_owed); /* 0 here */
    STATE_SKIP(s, h->pmu_stalled);
    STATE_SKIP(s, h->pmu_still); /* found again */
    STATE(s, h->pmu_armed);
    STATE(s, h->pmu_written);
    STATE(s, h->waiting);
    gh_state(h->core, s);
}

/* A property in which another machine may differ */
static void same(struct tally_state *s, const char *name, uint64_t own) {
    uint64_t value = own;
    char what[96];

    s->numbers(s, name, &value, sizeof value, 1);
    if (*s->why || value == own)
        return;
    snprintf(what, sizeof what, "is %llu, of this machine %llu", (unsigned long long)value,
             (unsigned long long)own);
    tally_state_refuse(s, name, what);
}

static void configuration(struct iss *iss, struct tally_state *s) {
    STATE_SKIP(s, iss->cfg);
    same(s, "xlen", iss->cfg.xlen);
    same(s, "harts (-smp)", iss->cfg.harts);
    same(s, "bytes of RAM (-m)", iss->cfg.ram_size);
    same(s, "Smepmp", iss->cfg.smepmp);
    same(s, "counters", SOC_HPM_N);
    same(s, "sampling", SOC_SAMPLING);
    same(s, "event-based branches", SOC_EBB);
    same(s, "cycles of a tick", iss->cfg.time_ratio);
}

/* Files need not have it. */
static void warm(struct iss *iss, struct tally_state *s) {
    bool kept = iss->warm;

    STATE(s, kept);
    if (kept && !*s->why && !iss_keep_warm(iss))
        tally_state_refuse(s, "kept", "does not fit into memory");
    for (unsigned i = 0; kept && !*s->why && i < iss->cfg.harts; i++) {
        tally_state_part(s, "warm", i);
        warm_state(&iss->warm[i], s);
    }
}

void iss_state(struct iss *iss, struct tally_state *s) {
    for (unsigned i = 0; i < iss->cfg.harts; i++)
        iss_settle(&iss->hart[i]);
    snprintf(s->part, sizeof s->part, "machine");
    s->numbers(s, "rom", iss->cfg.rom, sizeof *iss->cfg.rom, SOC_ROM_WORDS);
    configuration(iss, s);
    STATE(s, iss->cycles);
    STATE(s, iss->retired);
    STATE(s, iss->divider);
    STATE_LIMIT(s, iss->divider < iss->cfg.time_ratio);
    finisher_state(&iss->finisher, s);
    aclint_state(&iss->aclint, s);
    plic_state(&iss->plic, s);
    uart_state(&iss->uart, s);
    for (unsigned i = 0; i < iss->cfg.harts; i++) {
        tally_state_part(s, "hart", i);
        hart_state(&iss->hart[i], s);
        tally_state_part(s, "pmu", i);
        gp_state(iss->hart[i].pmu, s);
        gp_in_state(&iss->hart[i].pmu_in, s);
    }
    snprintf(s->part, sizeof s->part, "host");
    host_state(iss->cfg.host, s);
    snprintf(s->part, sizeof s->part, "warm");
    warm(iss, s);
    STATE_SKIP(s, iss->warm);
}

static void state(void *ctx, struct tally_state *s) { iss_state(ctx, s); }

struct checkpoint iss_checkpoint(struct iss *iss) {
    return (struct checkpoint){iss->cfg.ram, iss->cfg.ram_size, state, iss, false};
}
