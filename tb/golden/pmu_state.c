// SPDX-License-Identifier: Apache-2.0
/*
 * The state of a unit between two cycles, and its inputs, field by field.
 */
#include "pmu_internal.h"

#include "tally_state.h"

/* ---- structures that occur more than once: `x` is one */

#define CSR(s, x)                                                                                            \
    (STATE(s, (x).valid), STATE(s, (x).v), STATE(s, (x).op), STATE(s, (x).priv), STATE(s, (x).num),          \
     STATE(s, (x).wdata))
#define DECODE(s, x) (STATE(s, (x).valid), STATE(s, (x).type), STATE(s, (x).mode), STATE(s, (x).pc))
#define RETIRE(s, x) (STATE(s, (x).valid), STATE(s, (x).mode), STATE(s, (x).pc))
#define TRACK(s, x)                                                                                          \
    (STATE(s, (x).dispatched), STATE(s, (x).issued), STATE(s, (x).completed), STATE(s, (x).oldest),          \
     STATE(s, (x).retired), STATE(s, (x).trapped), STATE(s, (x).flushed), STATE(s, (x).mispred),             \
     STATE(s, (x).itmiss), STATE(s, (x).icmiss), STATE(s, (x).l1miss), STATE(s, (x).llmiss),                 \
     STATE(s, (x).l1tlbmiss), STATE(s, (x).lltlbmiss), STATE(s, (x).flush_why), STATE(s, (x).itype),         \
     STATE(s, (x).dsrc), STATE(s, (x).flush_pc), STATE(s, (x).ev), STATE(s, (x).vaddr), STATE(s, (x).paddr), \
     STATE(s, (x).target))
#define PAGE(s, x) (STATE(s, (x).valid), STATE(s, (x).ppn))

enum { ITYPES = 16 }; /* of the track port: 4 bits */

static bool is_mode(unsigned mode) { return mode < 8 && (mode & 3) != 2; }

/* ---- the unit */

static void pdis_state(struct gp *pmu, struct tally_state *s) {
    STATE(s, pmu->pdis.ctl);
    STATE(s, pmu->pdis.vctl);
    STATE(s, pmu->pdis.count);
    STATE(s, pmu->pdis.initval);
    STATE(s, pmu->pdis.mask);
    STATE(s, pmu->pdis.match);
    STATE(s, pmu->pdis.filter);
    STATE_EACH(s, pmu->pdis.registers.word);
    STATE(s, pmu->pdis.accelerate);
    STATE(s, pmu->pdis.prior);
    TRACK(s, pmu->pdis.seen.track);
    STATE(s, pmu->pdis.seen.counted);
    for (unsigned lane = 0; lane < GP_LANES; lane++)
        RETIRE(s, pmu->pdis.seen.retire[lane]);
    STATE_EACH(s, pmu->pdis.seen.ev_retire);
    STATE(s, pmu->pdis.seen.ret_next_pc);
    STATE(s, pmu->pdis.ended);
    STATE(s, pmu->pdis.collided);
    STATE(s, pmu->pdis.active);
    STATE(s, pmu->pdis.age);
    STATE(s, pmu->pdis.pc);
    STATE(s, pmu->pdis.type);
    STATE(s, pmu->pdis.mode);
    STATE(s, pmu->pdis.stages.dispatched);
    STATE(s, pmu->pdis.stages.issued);
    STATE(s, pmu->pdis.stages.completed);
    STATE(s, pmu->pdis.stages.oldest);
    STATE(s, pmu->pdis.stages.dispatch);
    STATE(s, pmu->pdis.stages.issue);
    STATE(s, pmu->pdis.stages.completion);
    STATE(s, pmu->pdis.stages.first);

    STATE_LIMIT(s, pmu->pdis.ended <= GP_END_KEPT);
    STATE_LIMIT(s, pmu->pdis.collided <= GP_LANES);
    STATE_LIMIT(s, is_mode(pmu->pdis.mode));
    STATE_LIMIT(s, pmu->pdis.seen.track.itype < ITYPES);
    for (unsigned lane = 0; lane < GP_LANES; lane++)
        STATE_LIMIT(s, is_mode(pmu->pdis.seen.retire[lane].mode));
}

static void amb_state(struct gp *pmu, struct tally_state *s) {
    const unsigned words = (pmu->cfg.xlen == 32 ? TALLY_RECORD_BYTES_RV32 : TALLY_RECORD_BYTES_RV64) / 8;

    STATE(s, pmu->amb.cs);
    STATE(s, pmu->amb.addr);
    STATE(s, pmu->amb.mode);
    PAGE(s, pmu->amb.current);
    PAGE(s, pmu->amb.next);
    STATE(s, pmu->amb.asks);
    STATE(s, pmu->amb.asks_next);
    for (unsigned i = 0; i < sizeof pmu->amb.queue / sizeof *pmu->amb.queue; i++) {
        STATE(s, pmu->amb.queue[i].paddr);
        STATE_EACH(s, pmu->amb.queue[i].record.word);
        STATE_LIMIT(s, pmu->amb.queue[i].paddr % 8 == 0);
    }
    STATE(s, pmu->amb.first);
    STATE(s, pmu->amb.used);
    STATE(s, pmu->amb.sent);
    STATE(s, pmu->amb.done);

    STATE_LIMIT(s, gp_legal_ambcs(pmu->amb.cs) == pmu->amb.cs);
    STATE_LIMIT(s, pmu->amb.first < pmu->cfg.pdis_queue && pmu->amb.used <= pmu->cfg.pdis_queue);
    STATE_LIMIT(s, pmu->amb.done <= pmu->amb.sent && pmu->amb.sent <= pmu->amb.used * words);
}

static void ebb_state(struct gp *pmu, struct tally_state *s) {
    STATE(s, pmu->ebb.mctl);
    STATE(s, pmu->ebb.sctl);
    STATE(s, pmu->ebb.scr);
    STATE(s, pmu->ebb.handler);
    STATE(s, pmu->ebb.ret);
    STATE(s, pmu->ebb.pc);
    STATE(s, pmu->ebb.inhibit);
    STATE(s, pmu->ebb.select);
    STATE(s, pmu->ebb.delivered);
    STATE(s, pmu->ebb.unheard);

    STATE_LIMIT(s, pmu->ebb.select < GP_COUNTERS);
}

void gp_state(struct gp *pmu, struct tally_state *s) {
    STATE_SKIP(s, pmu->cfg);
    STATE_EACH(s, pmu->counter);
    STATE_EACH(s, pmu->event);
    STATE(s, pmu->inhibit);
    STATE(s, pmu->mcounteren);
    STATE(s, pmu->scounteren);
    STATE(s, pmu->miselect);
    STATE(s, pmu->siselect);
    STATE(s, pmu->vsiselect);
    STATE(s, pmu->wen);
    STATE(s, pmu->inten);
    STATE(s, pmu->fixed_ovf);
    STATE(s, pmu->history);
    STATE(s, pmu->pclo);
    STATE(s, pmu->pchi);
    STATE(s, pmu->pcsel);
    STATE(s, pmu->spc);
    STATE(s, pmu->sdata);
    for (unsigned lane = 0; lane < GP_LANES; lane++)
        DECODE(s, pmu->decoded[lane]);
    pdis_state(pmu, s);
    amb_state(pmu, s);
    ebb_state(pmu, s);

    /* follow from the configuration, or from `event` */
    STATE_SKIP(s, pmu->hpm);
    STATE_SKIP(s, pmu->present);
    STATE_SKIP(s, pmu->hpm_max);
    STATE_SKIP(s, pmu->filters);
    STATE_SKIP(s, pmu->number);
    STATE_SKIP(s, pmu->combined);
    STATE_SKIP(s, pmu->live);
    STATE_SKIP(s, pmu->filtered);
    STATE_SKIP(s, pmu->retire_used);
    STATE_SKIP(s, pmu->cycle_used);
    STATE_SKIP(s, pmu->retire_users);
    STATE_SKIP(s, pmu->cycle_users);
    STATE_SKIP(s, pmu->internal_users);
    STATE_SKIP(s, pmu->last);
    if (s->reads)
        pmu->last->valid = false;

    for (unsigned i = 0; i < GP_COUNTERS; i++) {
        const uint64_t selector = pmu->event[i] & EV_SELECTOR;

        STATE_LIMIT(s, pmu->counter[i] <= gp_counter_max(pmu, i));
        STATE_LIMIT(s, !selector || (pmu->hpm >> i & 1 && gp_selector_known(pmu, i, selector)));
    }
    for (unsigned lane = 0; lane < GP_LANES; lane++)
        STATE_LIMIT(s, is_mode(pmu->decoded[lane].mode));
    for (unsigned i = 0; i < GP_COUNTERS && s->reads && !*s->why; i++)
        gp_event_changed(pmu, i);
}

/* ---- its inputs */

void gp_in_state(struct gp_in *in, struct tally_state *s) {
    CSR(s, in->csr);
    STATE(s, in->env.cde);
    STATE(s, in->env.pdiss);
    STATE(s, in->env.pdisv);
    STATE(s, in->env.lcofip);
    STATE(s, in->env.tlb_inval);
    STATE(s, in->env.hcounteren);
    STATE(s, in->env.mstateen0);
    STATE(s, in->env.hstateen0);
    STATE(s, in->env.sstateen0);
    STATE(s, in->env.time);
    STATE(s, in->env.htimedelta);
    STATE(s, in->mode.priv);
    STATE(s, in->mode.v);
    STATE(s, in->mode.stopcount);
    STATE(s, in->mode.debug);
    STATE(s, in->mode.halted);
    STATE_EACH(s, in->ev_retire);
    STATE_EACH(s, in->ev_cycle);
    for (unsigned lane = 0; lane < GP_LANES; lane++)
        DECODE(s, in->decode[lane]);
    TRACK(s, in->track);
    for (unsigned lane = 0; lane < GP_LANES; lane++)
        RETIRE(s, in->retire[lane]);
    STATE(s, in->ret_next_pc);
    STATE(s, in->ret_flush_pc);
    STATE(s, in->ret_flushed);
    STATE(s, in->ret_uebret);
    STATE(s, in->ret_uebret_ge);
    STATE(s, in->ebb_ack);
    STATE(s, in->rec_ready);
    STATE(s, in->rec_done);
    STATE(s, in->xlat_done);
    STATE(s, in->xlat_fault);
    STATE(s, in->xlat_paddr);

    STATE_LIMIT(s, is_mode(in->csr.priv) && is_mode(in->mode.priv) && in->csr.op <= GP_CLEAR);
    for (unsigned lane = 0; lane < GP_LANES; lane++)
        STATE_LIMIT(s, is_mode(in->decode[lane].mode) && is_mode(in->retire[lane].mode));
}
