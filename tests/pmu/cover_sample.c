// SPDX-License-Identifier: Apache-2.0
/* Coverage: precise sampling, but for the memory buffer (cover_buffer.c). */
#include "cover_group.h"

#include "tally_events.h"
#include "tally_spec.h"

enum {
    X_CAPTURE,  /* whose overflow it was */
    X_WRITTEN,  /* shpmspc and shpmsdata written as they are captured */
    X_LIMIT,    /* ret_max */
    X_SELECT,   /* which lane, and why */
    X_BUSY,     /* collisions */
    X_END,      /* outcome of a sample */
    X_DROPPED,  /* why the buffer does not take one */
    X_LATENCY,  /* every field */
    X_FILTER,   /* ... and the filter on it */
    X_EVENT,    /* event filter and latency filter */
    X_RECORD,   /* addresses */
    X_TRANSFER, /* kinds of control transfer */
    X_HPM,      /* events of counters */
    X_TIME,     /* whose time */
    X_PRIOR,    /* prior control transfers */
    X_ACCESS,   /* rights */
    X_RACE,     /* registers written as the hardware changes them */
    N_CROSSES
};

static const char *const outcomes[] = {"captured", "LCOFIP=1", "not delegated", NULL};
enum { CAPTURED, WAS_PENDING, NOT_ELIGIBLE };
static const char *const causes[] = {"its lane", "oldest that retires", "next to retire", "who flushed",
                                     NULL};
enum { CAUSE_LANE, CAUSE_RETIRES, CAUSE_NEXT, CAUSE_FLUSHED };
static const char *const one_more[] = {"1", "2+", NULL};
static const char *const spesa_writes[] = {"nothing", "shpmspc", "shpmsdata", NULL};
static const char *const limits[] = {"1", "some", "all", NULL};
enum { LIMIT_ONE, LIMIT_SOME, LIMIT_NONE };
static const char *const lanes[] = {"0", "1", "2", "3", "4", "5", "6", "7", NULL};
static const char *const reasons[] = {"overflow", "ACC", "both", NULL};
enum { BY_OVERFLOW, BY_ACC, BY_BOTH };
static const char *const none_some[] = {"none", "some", NULL};
static const char *const busy[] = {"under way", "ends", "selected beside it", NULL};
enum { BUSY_ACTIVE, BUSY_ENDS, BUSY_SELECTED };
static const char *const ends[] = {"inhibited", "filtered", "dropped", "kept", NULL};
static const char *const hows[] = {"retired",        "trapped", "flushed, other", "flushed, mispredicted",
                                   "flushed, order", NULL};
static const char *const ways[] = {"retired", "trapped", "flushed", NULL};
enum { RETIRED, TRAPPED, FLUSHED };
static const char *const drops[] = {"EN=0", "queue full", "not translated", "stopped", NULL};
enum { DROP_DISABLED, DROP_QUEUE, DROP_PAGE, DROP_STOPPED };
static const char *const latencies[] = {"TOTAL", "DISPATCH", "ISSUE", "EXECUTION", "OLDEST", NULL};
enum { LAT_TOTAL };
static const char *const lengths[] = {"not valid", "0", "1-15", "16-4094", "4095", NULL};
enum { NOT_VALID, LENGTH_0, SATURATED = 4 };
static const char *const passes[] = {"fails", "passes", NULL};
static const char *const masks[] = {"no mask", "differs", "matches", NULL};
static const char *const types[TALLY_TYPE_N + 1] = {[TALLY_TYPE_OTHER] = "other",
                                                    [TALLY_TYPE_LOAD] = "load",
                                                    [TALLY_TYPE_STORE] = "store",
                                                    [TALLY_TYPE_LOAD_STORE] = "load and store",
                                                    [TALLY_TYPE_TRANSFER] = "control transfer"};
static const char *const itypes[] = {"0", "1",  "2",  "3",  "4",  "5",  "6",  "7", "8",
                                     "9", "10", "11", "12", "13", "14", "15", NULL};
static const char *const hpms[] = {"not asked for",
                                   "filtered",
                                   "of another owner",
                                   "not caused",
                                   "not retired",
                                   "recorded",
                                   "recorded, although inhibited",
                                   NULL};
enum {
    HPM_NOT_ASKED,
    HPM_FILTERED,
    HPM_OWNER,
    HPM_NOT_CAUSED, /* from here on: of the owner's counters */
    HPM_NOT_RETIRED,
    HPM_RECORDED,
    HPM_RECORDED_INHIBITED
};
static const char *const owners[] = {"M", "S", "VS", NULL};
enum { OWNER_M, OWNER_S, OWNER_VS };
static const char *const priors[] = {"before", "beside it", NULL};
static const char *const registers[] = {"mpdisctl",  "spdisctl",      "vspdisctl", "spdis*",
                                        "spdisamb*", "sample window", "shpm*",     NULL};
enum { R_MPDISCTL, R_SPDISCTL, R_VSPDISCTL, R_SPDIS, R_AMB, R_WINDOW, R_SHPM };
static const char *const races[] = {"mpdisctl.OF, a sample is kept",
                                    "mpdisctl, not OF, a sample is kept",
                                    "sample register, a sample is kept",
                                    "spdiscounter, a decode matches",
                                    "spdisambaddr, a record is done",
                                    "spdisambcs.BMI, it is set",
                                    "spdisambcs.WRAP, it is set",
                                    "spdisambcs, neither, one is set",
                                    NULL};
enum { RACE_OF, RACE_NOT_OF, RACE_SAMPLE, RACE_COUNT, RACE_ADDR, RACE_BMI, RACE_WRAP, RACE_CS };

/* ---- impossible cells */

static const char no_spesa[] = "Sspesa is not built";
static const char no_pdis[] = "instruction sampling is not built";
static const char no_delegation[] = "counters are not delegated (SMCDELEG=0)";
static const char too_few[] = "there are not so many counters";
static const char no_lane[] = "there is no such lane";
static const char none_left[] = "there is no lane behind it";
static const char never_acc[] = "ACC is hardwired to 0";
static const char no_memory[] = "MEM is hardwired to 0";
static const char no_registers[] = "MEM is hardwired to 1";
static const char registers_take[] = "registers take every sample";
static const char always[] = "TOTAL is always valid";
static const char guests_none[] = "no counter is delegated to VS";
static const char alone[] = "one retire lane: nothing retires beside it";
static const char by_parameter[] = "SPESA_NEXT says which of the two";
static const char other_enable[] = "shpm* go by CDE, the others by mstateen0 and hstateen0";
static const char mem_one[] = "the sample registers are not built";

static const char *sampling_first(const struct gp_config *cfg) { return cfg->smpdis ? NULL : no_pdis; }

static const char *memory_first(const struct gp_config *cfg) {
    return !cfg->smpdis ? no_pdis : cfg->pdis_mem == 0 ? no_memory : NULL;
}

static const char *spesa_first(const struct gp_config *cfg) {
    return !cfg->sspesa ? no_spesa : cfg->hpm_n ? NULL : cover_no_counter;
}

static const char *capture_impossible(const struct gp_config *cfg, const unsigned at[]) {
    const char *why = spesa_first(cfg);

    if (why)
        return why;
    if (at[1] && !cfg->smcdeleg)
        return no_delegation;
    if (at[0] == NOT_ELIGIBLE && !at[1])
        return no_delegation;
    if (at[2] == CAUSE_FLUSHED && cfg->spesa_next)
        return by_parameter;
    return at[3] && cfg->hpm_n < 2 ? too_few : NULL;
}

static const char *written_impossible(const struct gp_config *cfg, const unsigned at[]) {
    (void)at;
    return spesa_first(cfg);
}

static const char *limit_impossible(const struct gp_config *cfg, const unsigned at[]) {
    unsigned lanes_of[] = {2, 3, 1}; /* that it takes */
    const char *why = spesa_first(cfg);

    return why ? why : cfg->retire_w < lanes_of[at[0]] ? no_lane : NULL;
}

static const char *select_impossible(const struct gp_config *cfg, const unsigned at[]) {
    if (!cfg->smpdis)
        return no_pdis;
    if (at[0] >= cfg->decode_w)
        return no_lane;
    if (at[1] != BY_OVERFLOW && cfg->pdis_acc == 0)
        return never_acc;
    return at[2] && at[0] + 1 == cfg->decode_w ? none_left : NULL;
}

static const char *busy_impossible(const struct gp_config *cfg, const unsigned at[]) {
    if (!cfg->smpdis)
        return no_pdis;
    if (at[0] == BUSY_SELECTED && cfg->decode_w < 2 + at[1])
        return none_left;
    return at[1] && cfg->decode_w < 2 ? none_left : NULL;
}

static const char *mem_impossible(const struct gp_config *cfg, unsigned mem) {
    return mem && cfg->pdis_mem == 0 ? no_memory : !mem && cfg->pdis_mem == 1 ? no_registers : NULL;
}

static const char *end_impossible(const struct gp_config *cfg, const unsigned at[]) {
    if (!cfg->smpdis)
        return no_pdis;
    if (at[0] + 1 == GP_END_DROPPED && !at[2])
        return registers_take;
    return mem_impossible(cfg, at[2]);
}

static const char *latency_impossible(const struct gp_config *cfg, const unsigned at[]) {
    const char *why = sampling_first(cfg);

    return why ? why : at[0] == LAT_TOTAL && at[1] < LENGTH_0 ? always : NULL;
}

static const char *plain_impossible(const struct gp_config *cfg, const unsigned at[]) {
    (void)at;
    return sampling_first(cfg);
}

static const char *owner_impossible(const struct gp_config *cfg, unsigned owner) {
    if (owner == OWNER_VS)
        return cfg->hyp ? NULL : cover_no_hyp;
    if (cfg->smstateen)
        return NULL;
    return owner == OWNER_M || cfg->hyp ? cover_no_stateen : NULL;
}

static const char *hpm_impossible(const struct gp_config *cfg, const unsigned at[]) {
    const char *why = owner_impossible(cfg, at[1]);

    if (!cfg->smpdis)
        return no_pdis;
    if (!cfg->hpm_n)
        return cover_no_counter;
    if (why)
        return why;
    if (at[1] == OWNER_VS && at[0] >= HPM_NOT_CAUSED)
        return guests_none;
    if (!cfg->smcdeleg && at[1] == OWNER_S && at[0] >= HPM_NOT_CAUSED)
        return no_delegation;
    if (!cfg->smcdeleg && at[1] == OWNER_M && at[0] == HPM_OWNER)
        return no_delegation;
    return NULL;
}

static const char *time_impossible(const struct gp_config *cfg, const unsigned at[]) {
    const char *why = sampling_first(cfg);

    return why ? why : owner_impossible(cfg, at[1]);
}

static const char *prior_impossible(const struct gp_config *cfg, const unsigned at[]) {
    const char *why = sampling_first(cfg);

    return why ? why : at[0] && at[1] == RETIRED && cfg->retire_w == 1 ? alone : NULL;
}

static const char *buffer_impossible(const struct gp_config *cfg, const unsigned at[]) {
    (void)at;
    return memory_first(cfg);
}

static const char *access_impossible(const struct gp_config *cfg, const unsigned at[]) {
    unsigned mode = at[1];

    if (at[0] == R_SHPM ? !cfg->sspesa : !cfg->smpdis)
        return at[0] == R_SHPM ? no_spesa : no_pdis;
    if (!cfg->hyp && (mode == MODE_VS || mode == MODE_VU || at[0] == R_VSPDISCTL))
        return cover_no_hyp;
    if (at[0] == R_SHPM ? at[2] || at[3] : at[4])
        return other_enable;
    if (at[0] == R_SHPM)
        return NULL;
    if (at[0] == R_AMB && cfg->pdis_mem == 0)
        return no_memory;
    if (at[0] == R_WINDOW && cfg->pdis_mem == 1)
        return mem_one;
    return !cfg->smstateen && (!at[2] || !at[3]) ? cover_no_stateen : NULL;
}

static const char *race_impossible(const struct gp_config *cfg, const unsigned at[]) {
    if (!cfg->smpdis)
        return no_pdis;
    if (at[0] == RACE_SAMPLE)
        return cfg->pdis_mem == 1 ? mem_one : NULL;
    return at[0] >= RACE_ADDR ? memory_first(cfg) : NULL;
}

static const struct cross crosses[N_CROSSES] = {
    [X_CAPTURE] =
        {.name = "overflow captured",
         .dim = {{"outcome", outcomes}, {"CDE", cover_zero_one}, {"cause", causes}, {"requests", one_more}},
         .impossible = capture_impossible},
    [X_WRITTEN] = {.name = "written as it is captured",
                   .dim = {{"write of", spesa_writes}},
                   .impossible = written_impossible},
    [X_LIMIT] = {.name = "retirement limited", .dim = {{"to", limits}}, .impossible = limit_impossible},
    [X_SELECT] = {.name = "selection",
                  .dim = {{"lane", lanes}, {"by", reasons}, {"collisions beside it", none_some}},
                  .impossible = select_impossible},
    [X_BUSY] = {.name = "collision",
                .dim = {{"with a sample that is", busy}, {"in a cycle", one_more}},
                .impossible = busy_impossible},
    [X_END] = {.name = "end of a sample",
               .dim = {{"is", ends}, {"it", hows}, {"MEM", cover_zero_one}, {"OF", cover_zero_one}},
               .impossible = end_impossible},
    [X_DROPPED] = {.name = "dropped",
                   .dim = {{"because", drops}, {"PDISS", cover_zero_one}},
                   .impossible = buffer_impossible},
    [X_LATENCY] = {.name = "latencies",
                   .dim = {{"field", latencies}, {"cycles", lengths}},
                   .impossible = latency_impossible},
    [X_FILTER] = {.name = "latency filter",
                  .dim = {{"on", latencies}, {"INV", cover_zero_one}, {"it", passes}},
                  .impossible = plain_impossible},
    [X_EVENT] = {.name = "filters",
                 .dim = {{"events", masks}, {"latency", passes}},
                 .impossible = plain_impossible},
    [X_RECORD] = {.name = "addresses",
                  .dim = {{"type", types}, {"it", ways}, {"PA", cover_zero_one}, {"EPT", cover_zero_one}},
                  .impossible = plain_impossible},
    [X_TRANSFER] = {.name = "control transfers",
                    .dim = {{"itype", itypes}, {"mispredicted", cover_no_yes}, {"it", ways}},
                    .impossible = plain_impossible},
    [X_HPM] = {.name = "events of counters",
               .dim = {{"event is", hpms}, {"sampling is", owners}},
               .impossible = hpm_impossible},
    [X_TIME] = {.name = "time",
                .dim = {{"TS", cover_zero_one},
                        {"sampling is", owners},
                        {"mcounteren.TM", cover_zero_one},
                        {"hcounteren.TM", cover_zero_one}},
                .impossible = time_impossible},
    [X_PRIOR] = {.name = "prior transfer",
                 .dim = {{"retired", priors}, {"the sample", ways}},
                 .impossible = prior_impossible},
    [X_ACCESS] = {.name = "sampling registers",
                  .dim = {{"register", registers},
                          {"mode", cover_modes},
                          {"mstateen0.PDIS", cover_zero_one},
                          {"hstateen0.PDIS", cover_zero_one},
                          {"CDE", cover_zero_one},
                          {"access", cover_access_kinds}},
                  .impossible = access_impossible},
    [X_RACE] = {.name = "written as hardware changes it",
                .dim = {{"write of", races}},
                .impossible = race_impossible},
};

/* ---- samples */

static void sample_spesa(struct cross *x, const struct cover_cycle *c) {
    const struct gp *pmu = c->pmu;
    const struct gp_in *in = c->in;
    bool cde = gp_cde(pmu, &in->env), retires = false;
    unsigned limit = gp_retire_limit(pmu), i;

    if (!c->cfg->sspesa || !pmu->hpm)
        return;
    if (limit) /* 0: by a sample, not by a counter */
        HIT(&x[X_LIMIT], limit == c->cfg->retire_w ? LIMIT_NONE : limit == 1 ? LIMIT_ONE : LIMIT_SOME);
    if (!c->step.lcofi)
        return;
    uint32_t eligible = c->step.lcofi & (cde ? pmu->mcounteren : UINT32_MAX);
    bool captured = gp_captures(pmu, in, &c->step, &i);
    if (!captured)
        i = (unsigned)__builtin_ctz(c->step.lcofi);
    for (unsigned lane = 0; lane < c->cfg->retire_w; lane++)
        retires |= in->retire[lane].valid;
    HIT(&x[X_CAPTURE],
        captured    ? CAPTURED
        : !eligible ? NOT_ELIGIBLE
                    : WAS_PENDING,
        cde,
        c->step.cause[i] != GP_NO_LANE           ? CAUSE_LANE
        : retires                                ? CAUSE_RETIRES
        : in->ret_flushed && !c->cfg->spesa_next ? CAUSE_FLUSHED
                                                 : CAUSE_NEXT,
        __builtin_popcount(c->step.lcofi) > 1);
    if (captured)
        HIT(&x[X_WRITTEN], gp_writes(&c->cycle, REG_SPC) ? 1 : gp_writes(&c->cycle, REG_SDATA) ? 2 : 0);
}

/* Would the decodes of this cycle up to `lane` overflow in it? */
static bool overflows_in(const struct cover_cycle *c, unsigned lane) {
    struct gp_in in = *c->in;
    struct gp_cycle alone = c->cycle;
    unsigned before;

    alone.in = &in;
    for (unsigned l = lane + 1; l < c->cfg->decode_w; l++)
        in.decode[l].valid = false;
    gp_sample_cycle(c->pmu, &alone);
    before = alone.sampling.overflows;
    in.decode[lane].valid = false;
    gp_sample_cycle(c->pmu, &alone);
    return before != alone.sampling.overflows;
}

static void sample_selection(struct cross *x, const struct cover_cycle *c) {
    const struct gp_sampling *s = &c->cycle.sampling;
    const struct gp_pdis *p = &c->pmu->pdis;

    if (s->selected) {
        unsigned lane = (unsigned)__builtin_ctz(s->selected);
        bool overflow = overflows_in(c, lane), acc = p->accelerate && p->ctl & TALLY_MPDISCTL_ACC_MASK;

        HIT(&x[X_SELECT], lane, acc && overflow ? BY_BOTH : acc ? BY_ACC : BY_OVERFLOW, s->collisions != 0);
    }
    if (s->collisions)
        HIT(&x[X_BUSY], s->end ? BUSY_ENDS : p->active ? BUSY_ACTIVE : BUSY_SELECTED, s->collisions > 1);
}

static unsigned owner_of(const struct cover_cycle *c) {
    const struct gp_env *env = &c->in->env;

    if (!(gp_mstateen0(c->pmu, env) & STATEEN_PDIS))
        return OWNER_M;
    return c->cfg->hyp && gp_hstateen0(c->pmu, env) & STATEEN_PDIS ? OWNER_VS : OWNER_S;
}

static void sample_dropped(struct cross *x, const struct cover_cycle *c) {
    const struct gp_amb *a = &c->pmu->amb;
    bool disabled = !(a->cs & TALLY_SPDISAMBCS_EN_MASK), queue = a->used == c->cfg->pdis_queue;
    bool page = !a->current.valid;

    HIT(&x[X_DROPPED],
        disabled ? DROP_DISABLED
        : queue  ? DROP_QUEUE
        : page   ? DROP_PAGE
                 : DROP_STOPPED,
        c->in->env.pdiss);
}

static void sample_latencies(struct cross *x, const struct gp_record *r) {
    for (unsigned k = 0; k < 5; k++) {
        unsigned n = gp_latency(r, k);
        bool valid = k == 0 || r->word[GP_LAT] >> (TALLY_PDISLAT_DISPV_LSB + k - 1) & 1;

        HIT(&x[X_LATENCY], k, !valid ? NOT_VALID : !n ? LENGTH_0 : n < 16 ? 2 : n < 4095 ? 3 : SATURATED);
    }
}

static void sample_filters(struct cross *x, const struct cover_cycle *c) {
    const struct gp_pdis *p = &c->pmu->pdis;
    const struct gp_record *r = &c->cycle.sampling.record;
    unsigned select = p->filter >> TALLY_SPDISFILTER_LATSEL_LSB;
    bool inverted = p->filter & TALLY_SPDISFILTER_INV_MASK;
    bool pass = (gp_latency(r, select) < (p->filter & TALLY_SPDISFILTER_THRESH_MASK)) == inverted;

    HIT(&x[X_FILTER], select, inverted, pass);
    HIT(&x[X_EVENT], !p->mask ? 0 : (p->match & p->mask) == (r->word[GP_HDREV] & p->mask) ? 2 : 1, pass);
}

static void sample_hpm(struct cross *x, const struct cover_cycle *c) {
    const struct gp *pmu = c->pmu;
    unsigned i, owner = owner_of(c);

    if (!pmu->hpm)
        return;
    do
        i = cover_some_counter(c);
    while (i < HPM3);
    bool delegated = gp_cde(pmu, &c->in->env) && cover_bit(pmu->mcounteren, i);
    HIT(&x[X_HPM],
        !(pmu->pdis.ctl >> i & 1)                     ? HPM_NOT_ASKED
        : cover_bit(pmu->filtered[pmu->pdis.mode], i) ? HPM_FILTERED
        : owner != (delegated ? OWNER_S : OWNER_M)    ? HPM_OWNER
        : !pmu->pdis.seen.track.retired               ? HPM_NOT_RETIRED
        : !cover_bit(pmu->pdis.seen.counted, i)       ? HPM_NOT_CAUSED
        : cover_bit(pmu->inhibit, i)                  ? HPM_RECORDED_INHIBITED
                                                      : HPM_RECORDED,
        owner);
}

static void sample_end(struct cross *x, const struct cover_cycle *c) {
    const struct gp_sampling *s = &c->cycle.sampling;
    const struct gp_pdis *p = &c->pmu->pdis;
    const struct gp_track *k = &p->seen.track;
    unsigned way = k->flushed ? FLUSHED : k->trapped ? TRAPPED : RETIRED;
    unsigned tm = cover_bit(c->pmu->mcounteren, TM);
    bool transfer = p->type == TALLY_TYPE_TRANSFER;

    if (!s->end)
        return;
    HIT(&x[X_END], s->end - 1, way + (k->flushed ? k->flush_why : 0), (p->ctl & TALLY_MPDISCTL_MEM_MASK) != 0,
        (p->ctl & TALLY_MPDISCTL_OF_MASK) != 0);
    if (s->end == GP_END_DROPPED)
        sample_dropped(x, c);
    sample_latencies(x, &s->record);
    sample_filters(x, c);
    sample_hpm(x, c);
    HIT(&x[X_RECORD], p->type, way, (p->ctl & TALLY_MPDISCTL_PA_MASK) != 0,
        (p->ctl & TALLY_MPDISCTL_EPT_MASK) != 0);
    HIT(&x[X_TIME], (p->ctl & TALLY_MPDISCTL_TS_MASK) != 0, owner_of(c), tm,
        cover_bit(c->in->env.hcounteren, TM));
    if (transfer) {
        HIT(&x[X_TRANSFER], k->itype, k->mispred, way);
        HIT(&x[X_PRIOR], gp_prior_target(c->pmu, k->retired) != p->prior, way);
    }
}

static unsigned register_of(const struct cover_cycle *c, unsigned num) {
    const struct gp *pmu = c->pmu;
    unsigned low = num & 0xFF, select;

    switch (num) {
    case TALLY_CSR_MPDISCTL:
        return R_MPDISCTL;
    case TALLY_CSR_SPDISCTL:
        return R_SPDISCTL;
    case TALLY_CSR_VSPDISCTL:
        return R_VSPDISCTL;
    case TALLY_CSR_SPDISCOUNTER:
    case TALLY_CSR_SPDISEVMASK:
    case TALLY_CSR_SPDISEVMATCH:
    case TALLY_CSR_SPDISFILTER:
        return R_SPDIS;
    case TALLY_CSR_SPDISAMBCS:
    case TALLY_CSR_SPDISAMBADDR:
        return R_AMB;
    case TALLY_CSR_SHPMSPC:
    case TALLY_CSR_SHPMSDATA:
        return R_SHPM;
    default:
        select = c->in->csr.v || num >> 8 == 2 ? pmu->vsiselect : pmu->siselect;
        return low > 0x50 && low <= 0x57 && low != 0x54 && num >> 8 == 1 &&
                       (select & ~1u) == TALLY_RECORD_SELECT
                   ? R_WINDOW
                   : R_SHPM + 1;
    }
}

static void sample_access(struct cross *x, const struct cover_cycle *c) {
    const struct gp_csr *csr = &c->in->csr;
    const struct gp_env *env = &c->in->env;
    unsigned reg = register_of(c, csr->num), mode = cover_mode(csr->priv, csr->v);
    uint64_t mst = c->cfg->smstateen ? env->mstateen0 : UINT64_MAX;
    uint64_t hst = c->cfg->smstateen ? env->hstateen0 : UINT64_MAX;
    bool shpm = reg == R_SHPM;
    unsigned at[] = {reg, mode, !shpm && mst & TALLY_MSTATEEN0_PDIS_MASK,
                     !shpm && hst & TALLY_MSTATEEN0_PDIS_MASK, shpm && env->cde};

    if (csr->valid && reg <= R_SHPM && !access_impossible(c->cfg, at))
        HIT(&x[X_ACCESS], reg, mode, at[2], at[3], at[4], csr->op != GP_READ);
}

static void sample_races(struct cross *x, const struct cover_cycle *c) {
    const struct gp_cycle *y = &c->cycle;
    const struct gp_buffer *b = &y->buffer;
    uint64_t mask = y->write.mask;
    bool kept = y->sampling.end == GP_END_KEPT;

    if (!y->write.valid)
        return;
    switch (y->write.to.reg) {
    case REG_PDISCTL:
    case REG_VPDISCTL:
        if (kept)
            HIT(&x[X_RACE], mask & TALLY_MPDISCTL_OF_MASK ? RACE_OF : RACE_NOT_OF);
        break;
    case REG_SAMPLE:
        if (kept)
            HIT(&x[X_RACE], RACE_SAMPLE);
        break;
    case REG_PDISCOUNTER:
        for (unsigned lane = 0; lane < c->cfg->decode_w; lane++)
            if (c->in->decode[lane].valid && gp_mode_sampled(c->pmu, c->in->decode[lane].mode))
                HIT(&x[X_RACE], RACE_COUNT);
        break;
    case REG_AMBADDR:
        if (b->done)
            HIT(&x[X_RACE], RACE_ADDR);
        break;
    case REG_AMBCS:
        if (b->threshold && mask & TALLY_SPDISAMBCS_BMI_MASK)
            HIT(&x[X_RACE], RACE_BMI);
        if (b->wraps && mask & TALLY_SPDISAMBCS_WRAP_MASK)
            HIT(&x[X_RACE], RACE_WRAP);
        if ((b->threshold && !(mask & TALLY_SPDISAMBCS_BMI_MASK)) ||
            (b->wraps && !(mask & TALLY_SPDISAMBCS_WRAP_MASK)))
            HIT(&x[X_RACE], RACE_CS);
        break;
    default:
        break;
    }
}

static void sample(struct cross *x, const struct cover_cycle *c) {
    sample_spesa(x, c);
    if (c->cfg->smpdis) {
        sample_selection(x, c);
        sample_end(x, c);
        sample_races(x, c);
    }
    sample_access(x, c);
}

const struct cover_group cover_precise = {crosses, N_CROSSES, sample};
