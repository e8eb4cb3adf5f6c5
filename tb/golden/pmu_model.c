// SPDX-License-Identifier: Apache-2.0
/*
 * A unit: configuration, reset, outputs, clock edge.
 */
#include "pmu_internal.h"

#include <stdlib.h>
#include <string.h>

void gp_config_default(struct gp_config *config) {
    *config = (struct gp_config){
        .xlen = 64,
        .retire_w = 1,
        .decode_w = 1,
        .hpm_n = 29,
        .hpm_w = 64,
        .evc_w = 1,
        .sscofpmf = true,
        .smcntrpmf = true,
        .smcsrind = true,
        .smcdeleg = true,
        .smstateen = true,
        .andes = true,
        .andes_swrite = true,
        .swevent = true,
        .comb_n = 4,
        .pcrange = true,
        .pdis_mem = 2,
        .pdis_acc = 2,
        .pdis_queue = 4,
    };
}

static bool in_range(unsigned value, unsigned low, unsigned high) { return value >= low && value <= high; }

static bool extras_are_sound(const struct gp_config *c) {
    bool queue = c->pdis_queue == 2 || c->pdis_queue == 4 || c->pdis_queue == 8 || c->pdis_queue == 16;

    if ((c->sspesa && !c->sscofpmf) || (c->ebb && !(c->sscofpmf && c->smcdeleg)))
        return false;
    return !c->smpdis || (c->sscofpmf && c->smcsrind && c->pdis_mem <= 2 && c->pdis_acc <= 2 && queue);
}

static bool config_is_sound(const struct gp_config *c) {
    return (c->xlen == 32 || c->xlen == 64) && in_range(c->retire_w, 1, GP_LANES) &&
           in_range(c->decode_w, 1, GP_LANES) && c->hpm_n <= 29 && in_range(c->hpm_w, 1, 64) &&
           in_range(c->evc_w, 1, 8) && c->comb_n <= 29 && !(c->small_events && c->comb_n) &&
           (!c->smcdeleg || c->smcsrind) && (!c->andes || (c->sscofpmf && c->smcntrpmf)) &&
           extras_are_sound(c);
}

struct gp *gp_new(const struct gp_config *config) {
    if (!config_is_sound(config))
        return NULL;
    struct gp *pmu = malloc(sizeof(*pmu));
    struct gp_evaluation *last = malloc(sizeof(*last));
    if (!pmu || !last) {
        free(pmu);
        free(last);
        return NULL;
    }
    pmu->cfg = *config;
    pmu->last = last;
    gp_reset(pmu);
    return pmu;
}

void gp_free(struct gp *pmu) {
    if (pmu)
        free(pmu->last);
    free(pmu);
}

/* All state is 0: counters run, no event is selected, no access is enabled (docs/rulings.md, Reset). The
 * Andes masks are views of xINH and so reset to "counts" in either polarity (docs/rulings.md, Andes masks).
 */
void gp_reset(struct gp *pmu) {
    struct gp_config cfg = pmu->cfg;
    struct gp_evaluation *last = pmu->last;

    memset(pmu, 0, sizeof(*pmu));
    pmu->cfg = cfg;
    pmu->last = last;
    last->valid = false;
    pmu->hpm = ((UINT32_C(1) << cfg.hpm_n) - 1) << HPM3;
    pmu->present = pmu->hpm | UINT32_C(1) << CY | UINT32_C(1) << IR;
    pmu->hpm_max = UINT64_MAX >> (64 - cfg.hpm_w);
    pmu->filters = EV_MINH | EV_SINH | EV_UINH | (cfg.hyp ? EV_VSINH | EV_VUINH : 0);
    for (unsigned i = 0; i < GP_COUNTERS; i++)
        gp_event_changed(pmu, i);
    if (cfg.pdis_mem == 1)
        pmu->pdis.ctl |= TALLY_MPDISCTL_MEM_MASK;
    if (cfg.pdis_acc == 1)
        pmu->pdis.ctl |= TALLY_MPDISCTL_ACC_MASK;
}

enum gp_answer gp_csr_answer(const struct gp *pmu, const struct gp_csr *csr, const struct gp_env *env,
                             uint64_t *rdata) {
    struct gp_access access = gp_resolve(pmu, csr, env);

    if (rdata)
        *rdata = gp_read(pmu, &access, csr, env);
    return access.answer;
}

const struct gp_evaluation *gp_evaluate(const struct gp *pmu, const struct gp_in *in) {
    struct gp_evaluation *last = pmu->last;

    /* NOLINTNEXTLINE(bugprone-suspicious-memory-comparison): other padding costs time alone */
    if (last->valid && memcmp(&last->in, in, sizeof(*in)) == 0)
        return last;
    memcpy(&last->in, in, sizeof(*in));
    last->cycle.in = &last->in;
    last->cycle.write = gp_plan_write(pmu, &in->csr, &in->env);
    gp_sample_cycle(pmu, &last->cycle);
    gp_buffer_cycle(pmu, &last->cycle);
    gp_count(pmu, &last->cycle, &last->step);
    last->valid = true;
    return last;
}

void gp_eval(const struct gp *pmu, const struct gp_in *in, struct gp_out *out) {
    const struct gp_evaluation *now = gp_evaluate(pmu, in);
    const struct gp_step *step = &now->step;
    const struct gp_sampling *sampling = &now->cycle.sampling;
    enum gp_answer answer;

    memset(out, 0, sizeof(*out));
    answer = gp_csr_answer(pmu, &in->csr, &in->env, &out->csr_rdata);
    out->csr_hit = answer != GP_CSR_NOT_MINE;
    out->csr_illegal = answer == GP_CSR_ILLEGAL;
    out->csr_virtual = answer == GP_CSR_VIRTUAL;
    out->csr_tm = pmu->mcounteren >> TM & 1;
    out->ret_max = (uint8_t)gp_retire_limit(pmu);

    /* The interrupt is pending in the cycle after the wrap, together with OF (docs/rulings.md, LCOFIP and
     * OF). */
    out->irq_lcofi = step->lcofi != 0 || sampling->lcofi;
    out->irq_lambi = now->cycle.buffer.lambi;
    out->irq_andes = step->andes != 0;
    out->wraps = step->wraps;
    for (uint32_t left = step->wraps; left; left &= left - 1) {
        unsigned i = (unsigned)__builtin_ctz(left);

        out->cause[i] = step->cause[i];
    }
    out->dec_sample = sampling->selected;
    out->end = (uint8_t)sampling->end;
    out->overflows = sampling->overflows;
    out->collisions = sampling->collisions;
    gp_buffer_show(pmu, &in->env, out);
    answer = gp_uebret_answer(pmu, &in->mode, &in->env, &out->ebb_return);
    out->uebret_illegal = answer == GP_CSR_ILLEGAL;
    out->uebret_virtual = answer == GP_CSR_VIRTUAL;
    out->ebb_req = gp_ebb_request(pmu, &in->mode, &in->env, &out->ebb_target);
}

static void capture(struct gp *pmu, const struct gp_cycle *cycle, const struct gp_step *step) {
    unsigned i;

    if (!gp_captures(pmu, cycle->in, step, &i))
        return;
    if (!gp_writes(cycle, REG_SPC)) /* an explicit write wins (docs/rulings.md, Capture) */
        pmu->spc = gp_captured_pc(pmu, cycle->in, step, i) & gp_word_bits(pmu, GP_PC);
    if (!gp_writes(cycle, REG_SDATA))
        pmu->sdata = i;
}

void gp_clock(struct gp *pmu, const struct gp_in *in) {
    const struct gp_evaluation *now = gp_evaluate(pmu, in);
    const struct gp_cycle *cycle = &now->cycle;
    const struct gp_step *step = &now->step;
    uint32_t routed = gp_routed(pmu, &in->env);
    bool pme_before = pmu->ebb.scr & TALLY_UBESCR_PME_MASK;

    pmu->last->valid = false;
    for (uint32_t left = step->moves; left; left &= left - 1) {
        unsigned i = (unsigned)__builtin_ctz(left);

        pmu->counter[i] = (pmu->counter[i] + step->n[i]) & gp_counter_max(pmu, i);
    }
    gp_clear_flags(pmu, cycle->write.clears);
    for (uint32_t left = step->first; left; left &= left - 1) {
        unsigned i = (unsigned)__builtin_ctz(left);

        if (i >= HPM3)
            pmu->event[i] |= EV_OF;
        else if (pmu->cfg.andes)
            pmu->fixed_ovf |= UINT32_C(1) << i;
    }
    pmu->history = step->history;
    for (unsigned lane = 0; lane < pmu->cfg.decode_w && !in->mode.halted; lane++)
        pmu->decoded[lane] = in->decode[lane];
    capture(pmu, cycle, step);
    gp_sample_clock(pmu, cycle);
    gp_buffer_clock(pmu, cycle);
    gp_ebb_clock(pmu, cycle, step);
    /* After the hardware: a value written to OF, for example, wins (docs/rulings.md, Event register writes).
     */
    if (cycle->write.valid)
        gp_store(pmu, cycle);
    gp_ebb_event(pmu, cycle, step, routed, pme_before);
}

/* How the last edge moved the counters; false: it did something else too. Without a write nothing else
 * depends on a counter's value. `before` is lost. */
static bool only_counted(const struct gp *pmu, struct gp *before, uint64_t steps[GP_COUNTERS]) {
    for (unsigned i = 0; i < GP_COUNTERS; i++)
        steps[i] = pmu->counter[i] - before->counter[i];
    memcpy(before->counter, pmu->counter, sizeof(before->counter));
    /* NOLINTNEXTLINE(bugprone-suspicious-memory-comparison): a copy, what pads it included */
    return memcmp(before, pmu, sizeof(*pmu)) == 0;
}

/* More such edges, up to `n`, as long as no counter wraps. Returns how many. */
static uint64_t repeat(struct gp *pmu, const uint64_t steps[GP_COUNTERS], uint64_t n) {
    for (unsigned i = 0; i < GP_COUNTERS; i++)
        if (steps[i] && n > (gp_counter_max(pmu, i) - pmu->counter[i]) / steps[i])
            n = (gp_counter_max(pmu, i) - pmu->counter[i]) / steps[i];
    for (unsigned i = 0; i < GP_COUNTERS; i++)
        pmu->counter[i] += n * steps[i];
    return n;
}

void gp_clock_many(struct gp *pmu, const struct gp_in *in, uint64_t n) {
    uint64_t steps[GP_COUNTERS];
    struct gp before;

    while (n) {
        memcpy(&before, pmu, sizeof(before));
        gp_clock(pmu, in);
        n--;
        if (!in->csr.valid && only_counted(pmu, &before, steps))
            n -= repeat(pmu, steps, n);
    }
}

bool gp_is_still(const struct gp *pmu, const struct gp_in *in) {
    struct gp after;

    memcpy(&after, pmu, sizeof(after));
    gp_clock(&after, in);
    /* NOLINTNEXTLINE(bugprone-suspicious-memory-comparison): a copy, what pads it included */
    return memcmp(&after, pmu, sizeof(after)) == 0;
}

uint64_t gp_clock_quiet(struct gp *pmu, const struct gp_in *in, uint64_t n) {
    uint64_t counters[GP_COUNTERS], steps[GP_COUNTERS];
    struct gp before;
    bool quiet;

    if (!n || in->csr.valid)
        return 0;
    memcpy(&before, pmu, sizeof(before));
    memcpy(counters, pmu->counter, sizeof(counters));
    gp_clock(pmu, in);
    quiet = only_counted(pmu, &before, steps);
    for (unsigned i = 0; i < GP_COUNTERS; i++)
        quiet &= pmu->counter[i] >= steps[i]; /* else it wrapped */
    if (quiet)
        return 1 + repeat(pmu, steps, n - 1);
    memcpy(pmu, &before, sizeof(before));
    memcpy(pmu->counter, counters, sizeof(counters));
    return 0;
}
