// SPDX-License-Identifier: Apache-2.0
/* Coverage: increments and wraps, and other activity in their cycles. */
#include "cover_group.h"

#include "tally_events.h"
#include "tally_spec.h"

enum {
    X_OVERFLOW,    /* OF x increment size x distance to wrap */
    X_LANDING,     /* ... and where the counter lands */
    X_WRITE,       /* write x increment x inhibit */
    X_FILTER,      /* modes and their filters */
    X_STOP,        /* kinds of event, halted and in debug mode */
    X_OF_WRITE,    /* mhpmevent written in the cycle of a wrap */
    X_REQUEST,     /* where overflow requests go */
    X_ANDES_FLAGS, /* mcounterovf and scounterovf, written in the cycle of a wrap */
    X_ANDES_MASKS, /* writes of the masks, by mode */
    N_CROSSES
};

static const char *const sizes[] = {"1", "2", "3-4", "5-8", "9+", NULL};
static const unsigned size_least[] = {1, 2, 3, 5, 9};
enum { SIZES = 5 };
static const char *const distances[] = {"1", "2", "3-4", "5-8", "9-16", "17+", NULL};
static const unsigned distance_least[] = {1, 2, 3, 5, 9, 17};
enum { DISTANCES = 6 };
static const char *const landings[] = {"below all ones", "all ones", "wraps to 0", "wraps past 0", NULL};
enum { LAND_BELOW, LAND_ONES, LAND_ZERO, LAND_PAST };

static const char *const writes[] = {"nothing",
                                     "counter",
                                     "counter h",
                                     "sireg counter",
                                     "sireg4 counter",
                                     "user number",
                                     "user number h",
                                     "mhpmevent",
                                     "mhpmevent h",
                                     "mcyclecfg, minstretcfg",
                                     "mcyclecfgh, minstretcfgh",
                                     "sireg2 event",
                                     "sireg5 event",
                                     "sireg2 cfg",
                                     "sireg5 cfg",
                                     "shpmevent",
                                     "mcountinhibit",
                                     "scountinhibit",
                                     "scounterinhibit",
                                     "Andes mask",
                                     "Andes ovf",
                                     NULL};
enum {
    W_NOTHING,
    W_COUNTER,
    W_COUNTER_H,
    W_SIREG,
    W_SIREG4,
    W_USER,
    W_USER_H,
    W_EVENT,
    W_EVENT_H,
    W_CFG,
    W_CFG_H,
    W_SIREG2_EVENT,
    W_SIREG5_EVENT,
    W_SIREG2_CFG,
    W_SIREG5_CFG,
    W_SHPMEVENT,
    W_INHIBIT,
    W_SCOUNTINHIBIT,
    W_SCOUNTERINHIBIT,
    W_MASK,
    W_OVF
};
static const char *const steps[] = {"0", "1", "2+", NULL};

static const char *const kinds[] = {"cycle",      "instret",        "retire event", "cycle event",
                                    "bus cycles", "internal event", "combination",  NULL};
enum { K_CYCLE, K_INSTRET, K_RETIRE, K_EVCYCLE, K_BUS, K_INTERNAL, K_COMBINED };

static const char *const of_writes[] = {"OF to 0", "OF to 1", "OF cleared", "not OF", NULL};
static const char *const requests[] = {"LCOFI", "Andes", "both", "none", NULL};
enum { TO_LCOFI, TO_ANDES, TO_BOTH, TO_NONE };
static const char *const how_many[] = {"1", "2", "3+", NULL};
static const char *const views[] = {"M", "S", NULL};
static const char *const clears[] = {"csrrw", "csrrs", "csrrc", NULL};
static const char *const flag_kinds[] = {"mcycle/minstret", "hpmcounter", NULL};
static const char *const masks[] = {"mask_m", "mask_s", "mask_u", NULL};

/* ---- impossible cells */

static const char no_flag[] = "there is no OF (SSCOFPMF=0)";
static const char no_filter[] = "there is no mode filter";
static const char no_steps[] = "no event counts so much in a cycle";
static const char too_narrow[] = "the counter's width has no such value";
static const char not_past[] = "a step of 1 lands on 0";
static const char rv32_only[] = "high halves are RV32's";
static const char no_writer[] = "the register that would be written is not built";
static const char no_combination[] = "there is no combined selector";
static const char too_few[] = "fewer counters can make a request";
static const char one_side[] = "one request goes to one side";

static unsigned largest_step(const struct gp_config *cfg) {
    unsigned n = (1u << cfg->evc_w) - 1;

    n = cfg->retire_w > n ? cfg->retire_w : n;
    n = cfg->decode_w > n ? cfg->decode_w : n;
    /* RV32 without Sscofpmf has no register for the half of a selector that says "add". */
    return cfg->comb_n && (cfg->xlen == 64 || cfg->sscofpmf) ? 4 * n : n;
}

/* 2^width, or more than matters. */
static uint64_t range_of(const struct gp_config *cfg) {
    return cfg->hpm_w < 16 ? UINT64_C(1) << cfg->hpm_w : 65536;
}

static const char *step_impossible(const struct gp_config *cfg, unsigned of, unsigned size) {
    if (!cfg->hpm_n)
        return cover_no_counter;
    if (of && !cfg->sscofpmf)
        return no_flag;
    return size_least[size] > largest_step(cfg) ? no_steps : NULL;
}

static const char *overflow_impossible(const struct gp_config *cfg, const unsigned at[]) {
    const char *why = step_impossible(cfg, at[0], at[1]);

    return why ? why : distance_least[at[2]] > range_of(cfg) ? too_narrow : NULL;
}

static const char *landing_impossible(const struct gp_config *cfg, const unsigned at[]) {
    const char *why = step_impossible(cfg, at[0], at[1]);
    unsigned n = size_least[at[1]];

    if (why)
        return why;
    switch (at[2]) { /* the value before the increment has to be 0 or more */
    case LAND_BELOW:
        return range_of(cfg) < n + 2 ? too_narrow : NULL;
    case LAND_ONES:
        return range_of(cfg) < n + 1 ? too_narrow : NULL;
    case LAND_ZERO:
        return range_of(cfg) < n ? too_narrow : NULL;
    default:
        return n < 2 ? not_past : NULL;
    }
}

static bool any_filter(const struct gp_config *cfg) {
    return cfg->smcntrpmf || (cfg->sscofpmf && cfg->hpm_n);
}

static const char *writer_impossible(const struct gp_config *cfg, unsigned writer) {
    bool rv32 = cfg->xlen == 32;
    /* The user's number, or uebbcnt */
    bool user = (cfg->andes && cfg->andes_swrite) || (cfg->ebb && cfg->hpm_n);

    switch (writer) {
    case W_COUNTER_H:
        return rv32 ? NULL : rv32_only;
    case W_EVENT_H:
        if (!rv32)
            return rv32_only;
        return !cfg->sscofpmf ? no_writer : cfg->hpm_n ? NULL : cover_no_counter;
    case W_EVENT: /* these are samples of programmable counters */
        return cfg->hpm_n ? NULL : cover_no_counter;
    case W_CFG:
        return cfg->smcntrpmf ? NULL : no_writer;
    case W_CFG_H:
        return !rv32 ? rv32_only : cfg->smcntrpmf ? NULL : no_writer;
    case W_SIREG:
    case W_SCOUNTINHIBIT:
        return cfg->smcdeleg ? NULL : no_writer;
    case W_SIREG4:
        return !rv32 ? rv32_only : cfg->smcdeleg ? NULL : no_writer;
    case W_SIREG2_EVENT:
        return cfg->hpm_n && cfg->smcdeleg ? NULL : no_writer;
    case W_SIREG5_EVENT:
        return !rv32 ? rv32_only : cfg->hpm_n && cfg->smcdeleg && cfg->sscofpmf ? NULL : no_writer;
    case W_SIREG2_CFG:
        return cfg->smcdeleg && cfg->smcntrpmf ? NULL : no_writer;
    case W_SIREG5_CFG:
        return !rv32 ? rv32_only : cfg->smcdeleg && cfg->smcntrpmf ? NULL : no_writer;
    case W_USER:
        return user ? NULL : no_writer;
    case W_USER_H:
        return !rv32 ? rv32_only : user ? NULL : no_writer;
    case W_SHPMEVENT:
        return cfg->hpm_n && cfg->andes ? NULL : no_writer;
    case W_SCOUNTERINHIBIT:
    case W_MASK:
    case W_OVF:
        return cfg->andes ? NULL : no_writer;
    default:
        return NULL;
    }
}

static const char *write_impossible(const struct gp_config *cfg, const unsigned at[]) {
    bool of_event = at[0] == W_EVENT || at[0] == W_EVENT_H || at[0] == W_SIREG2_EVENT ||
                    at[0] == W_SIREG5_EVENT || at[0] == W_SHPMEVENT;
    bool of_cfg = at[0] == W_CFG || at[0] == W_CFG_H || at[0] == W_SIREG2_CFG || at[0] == W_SIREG5_CFG;
    /* may it be one of those? */
    bool programmable = cfg->hpm_n && (!at[3] || cfg->sscofpmf) && !of_cfg;

    if (at[3] && (of_event ? !programmable : !any_filter(cfg)))
        return no_filter;
    if (at[1] == 2 && (programmable ? largest_step(cfg) : cfg->retire_w) < 2)
        return no_steps;
    return writer_impossible(cfg, at[0]);
}

static const char *filter_impossible(const struct gp_config *cfg, const unsigned at[]) {
    if (!cfg->hyp && at[0] >= MODE_VS)
        return cover_no_hyp;
    return !any_filter(cfg) && (at[1] || at[2]) ? no_filter : NULL;
}

static const char *stop_impossible(const struct gp_config *cfg, const unsigned at[]) {
    if (at[0] > K_INSTRET && !cfg->hpm_n)
        return cover_no_counter;
    return at[0] == K_COMBINED && !cfg->comb_n ? no_combination : NULL;
}

static const char *of_write_impossible(const struct gp_config *cfg, const unsigned at[]) {
    (void)at;
    return !cfg->sscofpmf ? no_flag : !cfg->hpm_n ? cover_no_counter : NULL;
}

/* mcycle and minstret have a flag in the Andes view only, and never make LCOFI. */
static const char *request_impossible(const struct gp_config *cfg, const unsigned at[]) {
    unsigned wraps = 1 + at[1], flags = cfg->hpm_n + (cfg->andes ? 2 : 0);

    if (!cfg->sscofpmf)
        return no_flag;
    if (!cfg->andes && (at[0] == TO_ANDES || at[0] == TO_BOTH))
        return cover_no_andes;
    if (at[0] == TO_BOTH && wraps < 2)
        return one_side;
    if (flags < wraps || (at[0] == TO_LCOFI && cfg->hpm_n < wraps) || (at[0] == TO_BOTH && !cfg->hpm_n))
        return too_few;
    return NULL;
}

static const char *andes_flags_impossible(const struct gp_config *cfg, const unsigned at[]) {
    if (!cfg->andes)
        return cover_no_andes;
    return at[5] && !cfg->hpm_n ? cover_no_counter : NULL;
}

static const char *andes_masks_impossible(const struct gp_config *cfg, const unsigned at[]) {
    (void)at;
    return cfg->andes ? NULL : cover_no_andes;
}

static const struct cross crosses[N_CROSSES] = {
    [X_OVERFLOW] = {.name = "overflow",
                    .dim = {{"OF", cover_zero_one}, {"increment", sizes}, {"distance to wrap", distances}},
                    .impossible = overflow_impossible},
    [X_LANDING] = {.name = "landing",
                   .dim = {{"OF", cover_zero_one}, {"increment", sizes}, {"lands", landings}},
                   .impossible = landing_impossible},
    [X_WRITE] = {.name = "write in the cycle of an event",
                 .dim = {{"write of", writes},
                         {"increment", steps},
                         {"inhibited", cover_no_yes},
                         {"filtered", cover_no_yes}},
                 .impossible = write_impossible},
    [X_FILTER] = {.name = "mode filters",
                  .dim = {{"mode", cover_modes},
                          {"its filter", cover_zero_one},
                          {"another filter", cover_zero_one},
                          {"event", cover_no_yes}},
                  .impossible = filter_impossible},
    [X_STOP] = {.name = "halted and debug",
                .dim = {{"counts", kinds},
                        {"halted", cover_no_yes},
                        {"debug", cover_no_yes},
                        {"inhibited", cover_no_yes}},
                .impossible = stop_impossible},
    [X_OF_WRITE] = {.name = "event written as it overflows",
                    .dim = {{"write", of_writes}, {"OF", cover_zero_one}},
                    .impossible = of_write_impossible},
    [X_REQUEST] = {.name = "overflow requests",
                   .dim = {{"goes to", requests}, {"wraps", how_many}},
                   .impossible = request_impossible},
    [X_ANDES_FLAGS] = {.name = "Andes flags",
                       .dim = {{"view", views},
                               {"by", clears},
                               {"mcounterwen", cover_zero_one},
                               {"flag", cover_zero_one},
                               {"wraps", cover_no_yes},
                               {"of", flag_kinds}},
                       .impossible = andes_flags_impossible,
                       .seldom = 5},
    [X_ANDES_MASKS] = {.name = "Andes masks",
                       .dim = {{"view", views},
                               {"register", masks},
                               {"mcounterwen", cover_zero_one},
                               {"was", cover_zero_one},
                               {"written", cover_zero_one}},
                       .impossible = andes_masks_impossible},
};

/* ---- samples */

static void sample_steps(struct cross *x, const struct cover_cycle *c) {
    const struct gp *pmu = c->pmu;

    for (uint32_t left = c->step.moves & pmu->hpm; left; left &= left - 1) {
        unsigned i = (unsigned)__builtin_ctz(left), of = pmu->event[i] >> 63;
        uint64_t n = c->step.n[i], room = pmu->hpm_max - pmu->counter[i]; /* increments up to all ones */
        unsigned size = cover_class(n, size_least, SIZES);
        unsigned lands = n < room        ? LAND_BELOW
                         : n == room     ? LAND_ONES
                         : n == room + 1 ? LAND_ZERO
                                         : LAND_PAST;

        HIT(&x[X_LANDING], of, size, lands);
        HIT(&x[X_OVERFLOW], of, size,
            room > distance_least[DISTANCES - 1] ? DISTANCES - 1
                                                 : cover_class(room + 1, distance_least, DISTANCES));
    }
}

static void sample_requests(struct cross *x, const struct cover_cycle *c) {
    const struct gp_step *s = &c->step;
    uint32_t flagged = s->wraps & (c->cfg->andes ? c->pmu->present : c->pmu->hpm);

    if (!flagged || !c->cfg->sscofpmf)
        return;
    unsigned to = s->lcofi && s->andes ? TO_BOTH : s->lcofi ? TO_LCOFI : s->andes ? TO_ANDES : TO_NONE;
    unsigned n = (unsigned)__builtin_popcount(to == TO_NONE ? flagged : s->lcofi | s->andes);
    HIT(&x[X_REQUEST], to, n > 2 ? 2 : n - 1);
}

static void sample_of_write(struct cross *x, const struct cover_cycle *c) {
    const struct gp_write *write = &c->cycle.write;

    if (!write->valid || write->to.reg != REG_EVENT || !c->cfg->sscofpmf ||
        !cover_bit(c->step.wraps & c->pmu->hpm, write->to.i))
        return;
    unsigned kind = write->clears ? 2 : write->mask & EV_OF ? (unsigned)(write->value >> 63) : 3;
    HIT(&x[X_OF_WRITE], kind, c->pmu->event[write->to.i] >> 63);
}

/* The kind of this write, and its counter. */
static unsigned write_kind(const struct cover_cycle *c, unsigned *i) {
    const struct gp_write *write = &c->cycle.write;
    unsigned level = c->in->csr.num >> 8 & 3;
    uint32_t touched;

    if (!write->valid)
        return W_NOTHING;
    switch (write->to.reg) {
    case REG_COUNTER:
        *i = write->to.i;
        if (level == 0)
            return write->to.high ? W_USER_H : W_USER;
        if (level == 1)
            return write->to.high ? W_SIREG4 : W_SIREG;
        return write->to.high ? W_COUNTER_H : W_COUNTER;
    case REG_EVENT:
        *i = write->to.i;
        if (level == 1 && c->in->csr.num >= TALLY_CSR_SHPMEVENT3)
            return W_SHPMEVENT;
        if (*i < HPM3 && level == 1)
            return write->to.high ? W_SIREG5_CFG : W_SIREG2_CFG;
        if (*i < HPM3)
            return write->to.high ? W_CFG_H : W_CFG;
        if (level == 1)
            return write->to.high ? W_SIREG5_EVENT : W_SIREG2_EVENT;
        return write->to.high ? W_EVENT_H : W_EVENT;
    case REG_INHIBIT: /* a counter whose bit changes */
        touched = (c->pmu->inhibit ^ (uint32_t)write->value) & (uint32_t)write->mask;
        break;
    case REG_MASK_M:
    case REG_MASK_S:
    case REG_MASK_U:
    case REG_OVF:
        touched = (uint32_t)write->mask;
        break;
    default:
        return W_NOTHING;
    }
    touched &= c->pmu->present;
    if (!touched)
        return W_NOTHING;
    if (!cover_bit(touched, *i))
        *i = (unsigned)__builtin_ctz(touched);
    if (write->to.reg == REG_INHIBIT)
        return c->in->csr.num == TALLY_CSR_MCOUNTINHIBIT   ? W_INHIBIT
               : c->in->csr.num == TALLY_CSR_SCOUNTINHIBIT ? W_SCOUNTINHIBIT
                                                           : W_SCOUNTERINHIBIT;
    return write->to.reg == REG_OVF ? W_OVF : W_MASK;
}

static unsigned kind_of(const struct gp *pmu, unsigned i) {
    const struct tally_event *event = &tally_events[pmu->number[i]];

    if (i < HPM3)
        return i == CY ? K_CYCLE : K_INSTRET;
    if (cover_bit(pmu->combined, i))
        return K_COMBINED;
    if (event->kind == TALLY_EVENT_RETIRE)
        return K_RETIRE;
    if (event->kind == TALLY_EVENT_CYCLE)
        return K_EVCYCLE;
    return event->selector == TALLY_EV_CYCLES_BUS ? K_BUS : K_INTERNAL;
}

/* Counters with a filter for a mode other than this one. */
static uint32_t other_filters(const struct gp *pmu, unsigned mode) {
    static const unsigned modes[] = {GP_U, GP_S, GP_M, 4 | GP_U, 4 | GP_S};
    uint32_t others = 0;

    for (unsigned k = 0; k < sizeof(modes) / sizeof(modes[0]); k++)
        if (modes[k] != mode)
            others |= pmu->filtered[modes[k]];
    return others;
}

static void sample_counter(struct cross *x, const struct cover_cycle *c) {
    const struct gp *pmu = c->pmu;
    const struct gp_mode *mode = &c->in->mode;
    unsigned v = mode->v && mode->priv != GP_M, index = (mode->priv & 3) | v << 2, i = cover_some_counter(c);
    unsigned kind = write_kind(c, &i);

    if (!cover_bit(pmu->live & pmu->present, i))
        return;
    uint64_t n = gp_increment(pmu, &c->cycle, i);
    unsigned inhibited = cover_bit(pmu->inhibit, i), filtered = cover_bit(pmu->filtered[index], i);
    HIT(&x[X_WRITE], kind, n > 2 ? 2 : n, inhibited, filtered);
    HIT(&x[X_FILTER], cover_mode(mode->priv, v), filtered, cover_bit(other_filters(pmu, index), i), n != 0);
    HIT(&x[X_STOP], kind_of(pmu, i), mode->halted, mode->stopcount, inhibited);
}

static void sample_andes(struct cross *x, const struct cover_cycle *c) {
    const struct gp *pmu = c->pmu;
    const struct gp_csr *csr = &c->in->csr;
    unsigned i = cover_some_counter(c), view = csr->num >> 8 == 0x9, wen = cover_bit(pmu->wen, i);

    if (!c->cycle.write.valid)
        return;
    switch (c->cycle.write.to.reg) {
    case REG_OVF: /* of the counters that the instruction names */
        while (!cover_bit((uint32_t)csr->wdata, i) && (uint32_t)csr->wdata & pmu->present)
            i = cover_some_counter(c);
        if (cover_bit((uint32_t)csr->wdata, i))
            HIT(&x[X_ANDES_FLAGS], view, csr->op - 1, cover_bit(pmu->wen, i),
                cover_bit(gp_overflow_flags(pmu), i), cover_bit(c->step.wraps, i), i >= HPM3);
        break;
    case REG_MASK_M:
    case REG_MASK_S:
    case REG_MASK_U: {
        static const uint64_t filters[] = {EV_MINH, EV_SINH, EV_UINH};
        unsigned k = c->cycle.write.to.reg - REG_MASK_M, was = (pmu->event[i] & filters[k]) != 0;

        HIT(&x[X_ANDES_MASKS], view, k, wen, was == c->cfg->andes_silicon,
            cover_bit((uint32_t)c->cycle.write.value, i));
        break;
    }
    default:
        break;
    }
}

static void sample(struct cross *x, const struct cover_cycle *c) {
    sample_steps(x, c);
    sample_requests(x, c);
    sample_of_write(x, c);
    sample_counter(x, c);
    sample_andes(x, c);
}

const struct cover_group cover_count = {crosses, N_CROSSES, sample};
