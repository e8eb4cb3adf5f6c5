// SPDX-License-Identifier: Apache-2.0
/* Coverage: combined selectors, the program counter range, the cause of a wrap. */
#include "cover_group.h"

#include "tally_events.h"

enum {
    X_COMBINE,   /* operators and their terms */
    X_THRESHOLD, /* threshold, edge, and the counter's stop */
    X_SELECTOR,  /* writes of selectors, legal and not */
    X_RANGE,     /* position of an instruction */
    X_EMPTY,     /* ranges that hold nothing */
    X_CAUSE,     /* which lane wraps a counter */
    N_CROSSES
};

enum { TERMS = 4 };

static const char *const operators[] = {"or", "and", "xor", "add", NULL};
enum { OP_ADD = 3 };
static const char *const terms[] = {"0", "1", "2", "3", "4", NULL};
static const char *const mixes[] = {"none", "retire", "cycle", "both", NULL};
enum { MIX_NONE, MIX_RETIRE, MIX_CYCLE, MIX_BOTH };
static const char *const results[] = {"0", "1", "2+", NULL};
static const char *const against[] = {"no threshold", "below", "equal", "above", NULL};
static const char *const stops[] = {"nothing", "inhibit", "filter", "debug", "halted", NULL};
enum { STOP_NOTHING, STOP_INHIBIT, STOP_FILTER, STOP_DEBUG, STOP_HALTED };
static const char *const halves[] = {"whole", "low", "high", NULL};
static const char *const written[] = {"none",    "known",        "unknown", "combination",
                                      "no term", "reserved bit", "no type", NULL};
enum { W_NONE, W_KNOWN, W_UNKNOWN, W_COMBINATION, W_NO_TERM, W_RESERVED, W_NO_TYPE };
static const char *const before[] = {"none", "plain", "combination", NULL};
enum { WAS_NONE, WAS_PLAIN, WAS_COMBINED };
static const char *const places[] = {"below", "first", "inside", "last", "end", "above", NULL};
static const char *const counts[] = {"retire event", "combination", NULL};
static const char *const lanes_at[] = {"first", "last", NULL};
static const char *const orders[] = {"lo = hi", "lo > hi", NULL};
static const char *const sides[] = {"below", "between", "above", NULL};
static const char *const lanes[] = {"0", "1", "2", "3", "4", "5", "6", "7", NULL};
static const char *const sizes[] = {"1", "2", "3-4", "5-8", NULL};
static const unsigned size_least[] = {1, 2, 3, 5};
enum { SIZES = 4 };

/* ---- impossible cells */

static const char no_combination[] = "there is no combined selector";
static const char no_mix[] = "so many terms are not of these kinds";
static const char no_result[] = "these terms cannot make this result";
static const char no_filter[] = "there is no mode filter (SSCOFPMF=0)";
static const char no_half[] = "the register has no such half";
static const char no_merge[] = "halves are judged with what the other half holds";
static const char not_legal[] = "only counters with the combined selector hold one";
static const char no_range[] = "there is no program counter range";
static const char no_sharing[] = "no counter is shared with S-mode (SMCDELEG=0 ANDES=0)";
static const char one_lane[] = "there is one retire lane";
static const char too_narrow[] = "the counter's width is passed by an older lane";
static const char no_lane[] = "so many lanes do not retire together";

static const char no_upper[] = "RV32 without Sscofpmf has no register for bits 55:32 of a selector";

static bool no_upper_half(const struct gp_config *cfg) { return cfg->xlen == 32 && !cfg->sscofpmf; }

static bool combines(const struct gp_config *cfg) { return cfg->comb_n && cfg->hpm_n; }

static const char *combine_impossible(const struct gp_config *cfg, const unsigned at[]) {
    unsigned op = at[0], n = at[1], mix = at[2], result = at[3];
    bool many_retire = cfg->retire_w > 1, many_cycle = cfg->evc_w > 1 || cfg->decode_w > 1;

    if (!combines(cfg))
        return no_combination;
    if ((n == 0) != (mix == MIX_NONE) || (mix == MIX_BOTH && n < 2))
        return no_mix;
    if (no_upper_half(cfg) && (op != 0 || (n == TERMS && mix == MIX_CYCLE)))
        return no_upper;
    if ((mix == MIX_NONE && result) || (result == 2 && op != OP_ADD && (mix == MIX_CYCLE || !many_retire)) ||
        (result == 2 && op == OP_ADD && n == 1 && !(mix == MIX_RETIRE ? many_retire : many_cycle)))
        return no_result;
    return NULL;
}

static const char *threshold_impossible(const struct gp_config *cfg, const unsigned at[]) {
    if (!combines(cfg))
        return no_combination;
    if (no_upper_half(cfg) && (at[0] || at[1] || at[2]))
        return no_upper;
    return at[4] == STOP_FILTER && !cfg->sscofpmf ? no_filter : NULL;
}

static const char *selector_impossible(const struct gp_config *cfg, const unsigned at[]) {
    bool rv32 = cfg->xlen == 32, high = at[0] == 2;
    unsigned to = at[1], was = at[3];

    if (!cfg->hpm_n || (at[2] && !combines(cfg)) || (!at[2] && cfg->comb_n >= cfg->hpm_n))
        return "there is no such counter";
    if (rv32 != (at[0] != 0) || (high && !cfg->sscofpmf))
        return no_half;
    if (was == WAS_COMBINED && !at[2])
        return not_legal;
    if (rv32 && to == W_RESERVED && (!high || was != WAS_COMBINED))
        return no_merge;
    if (high && ((was == WAS_NONE && to != W_NONE) || (was == WAS_PLAIN && to != W_KNOWN) ||
                 (was == WAS_COMBINED && to != W_COMBINATION && to != W_NO_TERM && to != W_RESERVED)))
        return no_merge;
    return NULL;
}

/* No mode below M has a counter that the range could limit. */
static bool never_limits(const struct gp_config *cfg) { return !cfg->smcdeleg && !cfg->andes; }

static const char *range_impossible(const struct gp_config *cfg, const unsigned at[]) {
    if (!cfg->pcrange || !cfg->hpm_n)
        return no_range;
    if (at[1] && never_limits(cfg))
        return no_sharing;
    if (at[2] == 1 && !combines(cfg))
        return no_combination;
    return at[3] && cfg->retire_w == 1 ? one_lane : NULL;
}

static const char *empty_impossible(const struct gp_config *cfg, const unsigned at[]) {
    if (!cfg->pcrange || !cfg->hpm_n)
        return no_range;
    return at[2] && never_limits(cfg) ? no_sharing : NULL;
}

static const char *cause_impossible(const struct gp_config *cfg, const unsigned at[]) {
    if (at[2] && (!cfg->pcrange || !cfg->hpm_n))
        return no_range;
    if (at[2] && never_limits(cfg))
        return no_sharing;
    if (at[0] >= cfg->retire_w || size_least[at[1]] > cfg->retire_w)
        return no_lane;
    /* At most 2^width steps up to the wrap, and no more than the younger lanes behind it. */
    uint64_t before_wrap = cfg->hpm_w < 8 ? UINT64_C(1) << cfg->hpm_w : 256;
    return at[2] && size_least[at[1]] > cfg->retire_w - 1 - at[0] + before_wrap ? too_narrow : NULL;
}

static const struct cross crosses[N_CROSSES] = {
    [X_COMBINE] = {.name = "combination",
                   .dim = {{"op", operators}, {"terms", terms}, {"of", mixes}, {"result", results}},
                   .impossible = combine_impossible},
    [X_THRESHOLD] = {.name = "threshold and edge",
                     .dim = {{"result", against},
                             {"INV", cover_zero_one},
                             {"EDGE", cover_zero_one},
                             {"history", cover_zero_one},
                             {"stopped by", stops}},
                     .impossible = threshold_impossible},
    [X_SELECTOR] =
        {.name = "selector written",
         .dim = {{"half", halves}, {"becomes", written}, {"may combine", cover_no_yes}, {"was", before}},
         .impossible = selector_impossible},
    [X_RANGE] = {.name = "program counter range",
                 .dim = {{"pc", places}, {"limited", cover_no_yes}, {"counts", counts}, {"lane", lanes_at}},
                 .impossible = range_impossible},
    [X_EMPTY] = {.name = "empty range",
                 .dim = {{"bounds", orders}, {"pc", sides}, {"limited", cover_no_yes}},
                 .impossible = empty_impossible},
    [X_CAUSE] = {.name = "cause of a wrap",
                 .dim = {{"lane", lanes}, {"increment", sizes}, {"limited", cover_no_yes}},
                 .impossible = cause_impossible},
};

/* ---- samples */

/* One of the counters in `set`. */
static unsigned one_of(const struct cover_cycle *c, uint32_t set) {
    unsigned skip = rng_below(c->rng, (unsigned)__builtin_popcount(set));

    for (; skip; skip--)
        set &= set - 1;
    return (unsigned)__builtin_ctz(set);
}

static void sample_combination(struct cross *x, const struct cover_cycle *c) {
    const struct gp *pmu = c->pmu;
    const struct gp_mode *mode = &c->in->mode;

    if (!pmu->combined)
        return;
    unsigned i = one_of(c, pmu->combined), n = 0, retire = 0;
    uint64_t selector = pmu->event[i], result = gp_combine(pmu, &c->cycle, i);
    const unsigned term[TERMS] = {FIELD(selector, COMB_A), FIELD(selector, COMB_B), FIELD(selector, COMB_C),
                                  FIELD(selector, COMB_D)};
    for (unsigned k = 0; k < TERMS; k++) {
        n += term[k] != 0;
        retire += tally_events[term[k]].kind == TALLY_EVENT_RETIRE;
    }
    unsigned mix = !n ? MIX_NONE : retire == n ? MIX_RETIRE : retire ? MIX_BOTH : MIX_CYCLE;
    unsigned thr = FIELD(selector, COMB_THR), place = !thr ? 0 : result < thr ? 1 : result == thr ? 2 : 3;
    unsigned stop = mode->halted                                                   ? STOP_HALTED
                    : mode->stopcount                                              ? STOP_DEBUG
                    : cover_bit(pmu->inhibit, i)                                   ? STOP_INHIBIT
                    : cover_bit(pmu->filtered[(mode->priv & 3) | mode->v << 2], i) ? STOP_FILTER
                                                                                   : STOP_NOTHING;

    HIT(&x[X_COMBINE], FIELD(selector, COMB_OP), n, mix, result > 2 ? 2 : result);
    HIT(&x[X_THRESHOLD], place, FIELD(selector, COMB_INV), FIELD(selector, COMB_EDGE),
        cover_bit(pmu->history, i), stop);
}

/* Is every term an event? (A counter's events depend on the configuration, too.) */
static bool terms_are_events(uint64_t selector) {
    const unsigned term[TERMS] = {FIELD(selector, COMB_A), FIELD(selector, COMB_B), FIELD(selector, COMB_C),
                                  FIELD(selector, COMB_D)};

    for (unsigned k = 0; k < TERMS; k++)
        if (term[k] && (term[k] >= sizeof(tally_events) / sizeof(tally_events[0]) ||
                        tally_events[term[k]].kind == TALLY_EVENT_NONE))
            return false;
    return true;
}

static unsigned kind_written(const struct gp *pmu, uint64_t selector) {
    unsigned type = FIELD(selector, TYPE);

    if (!selector)
        return W_NONE;
    if (gp_selector_combines(selector))
        return selector >> 48 ? W_RESERVED : terms_are_events(selector) ? W_COMBINATION : W_NO_TERM;
    if (type > 1)
        return W_NO_TYPE;
    return gp_selector_known(pmu, HPM3, selector) ? W_KNOWN : W_UNKNOWN;
}

static void sample_selector(struct cross *x, const struct cover_cycle *c) {
    const struct gp_write *write = &c->cycle.write;
    unsigned i = write->to.i;

    if (!write->valid || write->to.reg != REG_EVENT || !cover_bit(c->pmu->hpm, i) ||
        !(write->to.may & EV_SELECTOR & (write->to.high ? ~UINT64_C(0) << 32 : UINT32_MAX)))
        return;
    uint64_t old = c->pmu->event[i] & EV_SELECTOR;
    uint64_t selector = ((old & ~write->mask) | (write->value & write->mask)) & EV_SELECTOR;
    unsigned was = !old ? WAS_NONE : gp_selector_combines(old) ? WAS_COMBINED : WAS_PLAIN;
    if (c->cfg->xlen == 32 && !gp_selector_combines(selector))
        selector &= UINT32_MAX;
    HIT(&x[X_SELECTOR], c->cfg->xlen == 64 ? 0 : 1 + write->to.high, kind_written(c->pmu, selector),
        i < HPM3 + c->cfg->comb_n, was);
}

/* A lane whose instruction has the event, or a retire term, of a counter. */
static void sample_range(struct cross *x, const struct cover_cycle *c) {
    const struct gp *pmu = c->pmu;
    unsigned i = cover_some_counter(c), last = c->cfg->retire_w - 1;
    unsigned at_last = rng_chance(c->rng, 128) && last;
    const struct gp_retire_lane *lane = &c->in->retire[at_last ? last : 0];
    uint64_t wires = c->in->ev_retire[at_last ? last : 0], lo = pmu->pclo, hi = pmu->pchi, pc = lane->pc;
    uint64_t from =
        tally_events[pmu->number[i]].kind == TALLY_EVENT_RETIRE ? tally_events[pmu->number[i]].from : 0;
    bool combined = cover_bit(pmu->combined, i);

    if (!c->cfg->pcrange || i < HPM3 || c->in->mode.halted)
        return;
    if (combined)
        for (unsigned k = 0; k < TERMS; k++) {
            const unsigned term[TERMS] = {FIELD(pmu->event[i], COMB_A), FIELD(pmu->event[i], COMB_B),
                                          FIELD(pmu->event[i], COMB_C), FIELD(pmu->event[i], COMB_D)};
            from |= tally_events[term[k]].kind == TALLY_EVENT_RETIRE ? tally_events[term[k]].from : 0;
        }
    if (!(wires & from))
        return;
    unsigned limited = cover_bit(pmu->pcsel & gp_shared(pmu, &c->in->env), i);
    if (lo >= hi) {
        HIT(&x[X_EMPTY], lo > hi, pc < hi ? 0 : pc > lo ? 2 : 1, limited);
    } else if (hi - lo > 4) {
        unsigned place = pc < lo ? 0 : pc == lo ? 1 : pc < hi - 2 ? 2 : pc < hi ? 3 : pc == hi ? 4 : 5;

        HIT(&x[X_RANGE], place, limited, combined, at_last);
    }
}

static void sample_cause(struct cross *x, const struct cover_cycle *c) {
    for (uint32_t left = c->step.wraps; left; left &= left - 1) {
        unsigned i = (unsigned)__builtin_ctz(left);

        if (c->step.cause[i] != GP_NO_LANE)
            HIT(&x[X_CAUSE], c->step.cause[i], cover_class(c->step.n[i], size_least, SIZES),
                cover_bit(c->pmu->pcsel & gp_shared(c->pmu, &c->in->env), i));
    }
}

static void sample(struct cross *x, const struct cover_cycle *c) {
    sample_combination(x, c);
    sample_selector(x, c);
    sample_range(x, c);
    sample_cause(x, c);
}

const struct cover_group cover_select = {crosses, N_CROSSES, sample};
