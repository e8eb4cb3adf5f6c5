#include "cover.h"

#include "pmu_state.h"
#include "tally_events.h"
#include "tally_spec.h"

#include <stdio.h>
#include <stdlib.h>

enum { MAX_DIMS = 6, MISSING_SHOWN = 12 };

struct dim {
    const char *name;
    const char *const *labels; /* ends with NULL */
};

struct cross {
    const char *name;
    struct dim dim[MAX_DIMS];
    unsigned dims, bins;
    unsigned size[MAX_DIMS];
    uint32_t *hits;
    bool *excluded;
};

enum cross_id {
    X_USER,      /* who reads and writes the user's counters */
    X_REGISTER,  /* every kind of register in every mode by every operation */
    X_VERDICT,   /* answers by mode */
    X_DELEGATED, /* indirect access to counters */
    X_OVERFLOW,  /* OF x increment size x distance to wrap */
    X_WRITE,     /* write x increment x inhibit */
    X_FILTER,    /* modes and their filters */
    X_STOP,      /* kinds of event, halted and in debug mode */
    X_OF_WRITE,  /* mhpmevent written in the cycle of a wrap */
    X_REQUEST,   /* where overflow requests go */
    N_CROSSES
};

struct cover {
    const struct gp_config *cfg;
    struct rng rng; /* which counter a sample looks at */
    struct cross cross[N_CROSSES];
};

/* ---- labels */

static const char *const no_yes[] = {"no", "yes", NULL};
static const char *const zero_one[] = {"0", "1", NULL};
static const char *const modes[] = {"M", "S", "U", "VS", "VU", NULL};
enum { MODE_M, MODE_S, MODE_U, MODE_VS, MODE_VU };
static const char *const read_write[] = {"read", "write", NULL};
static const char *const operations[] = {"read", "write", "set", "clear", NULL};
static const char *const answers[] = {"ok", "illegal", "virtual", "not mine", NULL};
static const char *const user_counters[] = {"cycle/instret", "time", "hpmcounter", NULL};
static const char *const windows[] = {"sireg", "sireg2", "sireg3", "sireg4", "sireg5", "sireg6", NULL};

static const char *const registers[] = {"user counter",
                                        "user counter h",
                                        "mcounter",
                                        "mcounter h",
                                        "mcountinhibit",
                                        "mcyclecfg/minstretcfg",
                                        "mhpmevent",
                                        "cfg/event h",
                                        "mcounteren",
                                        "scounteren",
                                        "scountinhibit",
                                        "scountovf",
                                        "miselect",
                                        "mireg*",
                                        "siselect",
                                        "sireg*",
                                        "vsiselect",
                                        "vsireg*",
                                        "Andes, M",
                                        "Andes, S",
                                        "shpmevent",
                                        "mmsc_cfg",
                                        "shpmswinc",
                                        "other",
                                        NULL};
enum {
    R_USER,
    R_USER_H,
    R_MCOUNTER,
    R_MCOUNTER_H,
    R_INHIBIT,
    R_CFG,
    R_EVENT,
    R_EVENT_H,
    R_MCOUNTEREN,
    R_SCOUNTEREN,
    R_SCOUNTINHIBIT,
    R_SCOUNTOVF,
    R_MISELECT,
    R_MIREG,
    R_SISELECT,
    R_SIREG,
    R_VSISELECT,
    R_VSIREG,
    R_ANDES_M,
    R_ANDES_S,
    R_SHPMEVENT,
    R_MMSC,
    R_SWINC,
    R_OTHER
};

static const char *const sizes[] = {"1", "2", "3-4", "5-8", "9+", NULL};
static const unsigned size_least[] = {1, 2, 3, 5, 9};
static const char *const landings[] = {"below all ones", "all ones", "wraps to 0", "wraps past 0", NULL};
enum { LAND_BELOW, LAND_ONES, LAND_ZERO, LAND_PAST };

static const char *const writes[] = {
    "nothing",  "counter",       "counter h",     "sireg counter", "user number", "mhpmevent", "mhpmevent h",
    "sireg2/5", "mcountinhibit", "scountinhibit", "Andes mask",    "Andes ovf",   NULL};
enum {
    W_NOTHING,
    W_COUNTER,
    W_COUNTER_H,
    W_SIREG,
    W_USER,
    W_EVENT,
    W_EVENT_H,
    W_SIREG_EVENT,
    W_INHIBIT,
    W_SINHIBIT,
    W_MASK,
    W_OVF
};

static const char *const kinds[] = {"cycle",          "instret", "retire event", "cycle event", "bus cycles",
                                    "internal event", NULL};
enum { K_CYCLE, K_INSTRET, K_RETIRE, K_EVCYCLE, K_BUS, K_INTERNAL };

static const char *const of_writes[] = {"OF to 0", "OF to 1", "low half only", NULL};
static const char *const requests[] = {"LCOFI", "Andes", "both", "none", NULL};
enum { TO_LCOFI, TO_ANDES, TO_BOTH, TO_NONE };
static const char *const how_many[] = {"1", "2", "3+", NULL};

static const struct cross shapes[N_CROSSES] = {
    [X_USER] = {.name = "user counters",
                .dim = {{"mode", modes},
                        {"counter", user_counters},
                        {"mcounteren", zero_one},
                        {"hcounteren", zero_one},
                        {"scounteren", zero_one},
                        {"access", read_write}}},
    [X_REGISTER] = {.name = "registers",
                    .dim = {{"register", registers}, {"mode", modes}, {"op", operations}}},
    [X_VERDICT] = {.name = "answers", .dim = {{"mode", modes}, {"answer", answers}, {"access", read_write}}},
    [X_DELEGATED] = {.name = "delegated counters",
                     .dim = {{"mode", modes},
                             {"CDE", zero_one},
                             {"mcounteren", zero_one},
                             {"mstateen0.CSRIND", zero_one},
                             {"hstateen0.CSRIND", zero_one},
                             {"window", windows}}},
    [X_OVERFLOW] = {.name = "overflow", .dim = {{"OF", zero_one}, {"increment", sizes}, {"lands", landings}}},
    [X_WRITE] =
        {.name = "write in the cycle of an event",
         .dim = {{"write of", writes}, {"event", no_yes}, {"inhibited", no_yes}, {"filtered", no_yes}}},
    [X_FILTER] =
        {.name = "mode filters",
         .dim = {{"mode", modes}, {"its filter", zero_one}, {"another filter", zero_one}, {"event", no_yes}}},
    [X_STOP] = {.name = "halted and debug",
                .dim = {{"counts", kinds}, {"halted", no_yes}, {"debug", no_yes}, {"inhibited", no_yes}}},
    [X_OF_WRITE] = {.name = "event written as it overflows", .dim = {{"write", of_writes}, {"OF", zero_one}}},
    [X_REQUEST] = {.name = "overflow requests", .dim = {{"goes to", requests}, {"wraps", how_many}}},
};

/* ---- crosses */

static void cross_init(struct cross *x, const struct cross *shape) {
    *x = *shape;
    x->bins = 1;
    for (x->dims = 0; x->dims < MAX_DIMS && x->dim[x->dims].name; x->dims++) {
        unsigned n = 0;

        while (x->dim[x->dims].labels[n])
            n++;
        x->size[x->dims] = n;
        x->bins *= n;
    }
    if (x->bins == 0) /* a dimension without labels */
        abort();
    x->hits = calloc(x->bins, sizeof(*x->hits));
    x->excluded = calloc(x->bins, sizeof(*x->excluded));
    if (!x->hits || !x->excluded)
        abort();
}

static void label_of(const struct cross *x, unsigned bin, unsigned at[MAX_DIMS]) {
    for (unsigned d = x->dims; d-- > 0; bin /= x->size[d])
        at[d] = bin % x->size[d];
}

static unsigned bin_of(const struct cross *x, const unsigned at[MAX_DIMS]) {
    unsigned bin = 0;

    for (unsigned d = 0; d < x->dims; d++)
        bin = bin * x->size[d] + at[d];
    return bin;
}

#define HIT(id, ...) c->cross[id].hits[bin_of(&c->cross[id], (const unsigned[MAX_DIMS]){__VA_ARGS__})]++

/* ---- what a configuration cannot reach */

static unsigned largest_increment(const struct gp_config *cfg) {
    unsigned n = (1u << cfg->evc_w) - 1;

    n = cfg->retire_w > n ? cfg->retire_w : n;
    return cfg->decode_w > n ? cfg->decode_w : n;
}

static bool overflow_unreachable(const struct gp_config *cfg, const unsigned at[MAX_DIMS]) {
    unsigned n = size_least[at[1]];
    /* 2^width, or more than any increment */
    uint64_t range = cfg->hpm_w < 8 ? UINT64_C(1) << cfg->hpm_w : 256;

    if (!cfg->hpm_n || (at[0] && !cfg->sscofpmf) || n > largest_increment(cfg))
        return true;
    switch (at[2]) { /* the value before the increment has to be 0 or more */
    case LAND_BELOW:
        return range < n + 2;
    case LAND_ONES:
        return range < n + 1;
    case LAND_ZERO:
        return range < n;
    default: /* a step of 1 cannot pass 0 */
        return n < 2;
    }
}

static bool write_unreachable(const struct gp_config *cfg, const unsigned at[MAX_DIMS]) {
    bool rv32 = cfg->xlen == 32;

    if (at[3] && !cfg->sscofpmf && !cfg->smcntrpmf)
        return true;
    switch (at[0]) {
    case W_COUNTER_H:
        return !rv32;
    case W_USER:
        return !cfg->andes || !cfg->andes_swrite;
    case W_EVENT_H: /* these are samples of programmable counters */
        return !rv32 || !cfg->hpm_n || !cfg->sscofpmf;
    case W_EVENT:
        return !cfg->hpm_n;
    case W_SIREG_EVENT:
        return !cfg->hpm_n || !cfg->smcdeleg;
    case W_SIREG:
    case W_SINHIBIT:
        return !cfg->smcdeleg;
    case W_MASK:
    case W_OVF:
        return !cfg->andes;
    default:
        return false;
    }
}

static bool stop_unreachable(const struct gp_config *cfg, const unsigned at[MAX_DIMS]) {
    return at[0] > K_INSTRET && !cfg->hpm_n;
}

/* mcycle and minstret have a flag in the Andes view only, and never make LCOFI. */
static bool request_unreachable(const struct gp_config *cfg, const unsigned at[MAX_DIMS]) {
    unsigned wraps = 1 + at[1], flags = cfg->hpm_n + (cfg->andes ? 2 : 0);

    if (!cfg->sscofpmf)
        return true;
    switch (at[0]) {
    case TO_LCOFI:
        return cfg->hpm_n < wraps;
    case TO_ANDES:
        return !cfg->andes || flags < wraps;
    case TO_BOTH:
        return !cfg->andes || !cfg->hpm_n || flags < wraps || wraps < 2;
    default:
        return flags < wraps;
    }
}

static bool unreachable(const struct gp_config *cfg, enum cross_id id, const unsigned at[MAX_DIMS]) {
    static const int mode_dim[N_CROSSES] = {
        [X_USER] = 0,   [X_REGISTER] = 1, [X_VERDICT] = 0, [X_DELEGATED] = 0, [X_OVERFLOW] = -1,
        [X_WRITE] = -1, [X_FILTER] = 0,   [X_STOP] = -1,   [X_OF_WRITE] = -1, [X_REQUEST] = -1,
    };
    int d = mode_dim[id];

    if (!cfg->hyp && d >= 0 && (at[d] == MODE_VS || at[d] == MODE_VU))
        return true;
    switch (id) {
    case X_USER:
        return at[1] == 2 && !cfg->hpm_n;
    case X_VERDICT: /* Virtual is for V=1; U and VU may write nothing; with no window M-mode may read all */
        if (at[0] == MODE_M && at[1] == GP_CSR_ILLEGAL && !at[2])
            return !cfg->smcsrind;
        return (at[1] == GP_CSR_VIRTUAL && at[0] < MODE_VS) ||
               (at[1] == GP_CSR_OK && at[2] && (at[0] == MODE_U || at[0] == MODE_VU));
    case X_DELEGATED:
        return !cfg->smcdeleg || (!cfg->smstateen && (!at[3] || !at[4]));
    case X_OVERFLOW:
        return overflow_unreachable(cfg, at);
    case X_WRITE:
        return write_unreachable(cfg, at);
    case X_FILTER:
        return !cfg->sscofpmf && !cfg->smcntrpmf && (at[1] || at[2]);
    case X_STOP:
        return stop_unreachable(cfg, at);
    case X_OF_WRITE:
        return !cfg->sscofpmf || !cfg->hpm_n || (at[0] == 2 && cfg->xlen == 64);
    case X_REQUEST:
        return request_unreachable(cfg, at);
    default:
        return false;
    }
}

/* ---- samples */

static unsigned mode_of(unsigned priv, bool v) {
    return priv == GP_M ? MODE_M : priv == GP_S ? (v ? MODE_VS : MODE_S) : (v ? MODE_VU : MODE_U);
}

static unsigned bit_of(uint32_t word, unsigned i) { return word >> i & 1; }

static unsigned register_of(unsigned num) {
    unsigned low = num & 0x1F;

    switch (num) {
    case TALLY_CSR_MCOUNTINHIBIT:
        return R_INHIBIT;
    case TALLY_CSR_MCOUNTEREN:
        return R_MCOUNTEREN;
    case TALLY_CSR_SCOUNTEREN:
        return R_SCOUNTEREN;
    case TALLY_CSR_SCOUNTINHIBIT:
        return R_SCOUNTINHIBIT;
    case TALLY_CSR_SCOUNTOVF:
        return R_SCOUNTOVF;
    case TALLY_CSR_MISELECT:
        return R_MISELECT;
    case TALLY_CSR_SISELECT:
        return R_SISELECT;
    case TALLY_CSR_VSISELECT:
        return R_VSISELECT;
    case TALLY_CSR_SHPMSWINC:
        return R_SWINC;
    case TALLY_CSR_MMSC_CFG:
        return R_MMSC;
    default:
        break;
    }
    if (num >= TALLY_CSR_MCOUNTERWEN && num <= TALLY_CSR_MCOUNTEROVF && num != 0x7D0)
        return R_ANDES_M;
    if (num >= TALLY_CSR_SCOUNTERINEN && num <= TALLY_CSR_SCOUNTERINHIBIT && num != 0x9D0)
        return num <= TALLY_CSR_SCOUNTEROVF || num == TALLY_CSR_SCOUNTERINHIBIT ? R_ANDES_S : R_OTHER;
    if ((num & 0xF8) == 0x50 && (num & 7) && (num & 7) != 4 && num >> 8 >= 1 && num >> 8 <= 3)
        return num >> 8 == 1 ? R_SIREG : num >> 8 == 2 ? R_VSIREG : R_MIREG;
    switch (num & ~0x1Fu) {
    case TALLY_CSR_CYCLE:
        return R_USER;
    case TALLY_CSR_CYCLEH:
        return R_USER_H;
    case TALLY_CSR_MCYCLE:
        return low == 1 ? R_OTHER : R_MCOUNTER;
    case TALLY_CSR_MCYCLEH:
        return low == 1 ? R_OTHER : R_MCOUNTER_H;
    case TALLY_CSR_MCOUNTINHIBIT:
        return low < 3 ? R_CFG : R_EVENT;
    case 0x720:
        return low ? R_EVENT_H : R_OTHER;
    case TALLY_CSR_SCOUNTERINHIBIT:
        return low >= 3 ? R_SHPMEVENT : R_OTHER;
    default:
        return R_OTHER;
    }
}

static void sample_access(struct cover *c, const struct gp *pmu, const struct gp_in *in) {
    const struct gp_csr *csr = &in->csr;
    unsigned mode = mode_of(csr->priv, csr->v), reg = register_of(csr->num), i = csr->num & 0x1F;
    unsigned writes_it = csr->op != GP_READ;

    if (!csr->valid)
        return;
    HIT(X_REGISTER, reg, mode, csr->op);
    HIT(X_VERDICT, mode, gp_csr_answer(pmu, csr, &in->env, NULL), writes_it);
    if (reg == R_USER && (bit_of(pmu->present, i) || i == TM)) {
        unsigned which = i == TM ? 1 : i < HPM3 ? 0 : 2;

        HIT(X_USER, mode, which, bit_of(pmu->mcounteren, i), bit_of(in->env.hcounteren, i),
            bit_of(pmu->scounteren, i), writes_it);
    }
    if (reg == R_SIREG && pmu->cfg.smcdeleg) {
        unsigned select = mode >= MODE_VS ? pmu->vsiselect : pmu->siselect, low = csr->num & 7;

        if (select >> 5 == 2 && bit_of(pmu->present, select & 0x1F))
            HIT(X_DELEGATED, mode, in->env.cde, bit_of(pmu->mcounteren, select & 0x1F),
                pmu->cfg.smstateen ? in->env.mstateen0 >> 60 & 1 : 1,
                pmu->cfg.smstateen ? in->env.hstateen0 >> 60 & 1 : 1, low <= 3 ? low - 1 : low - 2);
    }
}

static unsigned size_of(uint64_t n) {
    unsigned s = 0;

    while (s + 1 < sizeof(size_least) / sizeof(size_least[0]) && n >= size_least[s + 1])
        s++;
    return s;
}

static unsigned count_bits(uint32_t word) { return (unsigned)__builtin_popcount(word); }

static void sample_overflow(struct cover *c, const struct gp *pmu, const struct gp_write *write,
                            const struct gp_step *step) {
    for (uint32_t left = step->moves & pmu->hpm; left; left &= left - 1) {
        unsigned i = (unsigned)__builtin_ctz(left);
        uint64_t n = step->n[i], room = pmu->hpm_max - pmu->counter[i]; /* increments up to all ones */
        unsigned lands = n < room        ? LAND_BELOW
                         : n == room     ? LAND_ONES
                         : n == room + 1 ? LAND_ZERO
                                         : LAND_PAST;

        HIT(X_OVERFLOW, pmu->event[i] >> 63, size_of(n), lands);
    }
    uint32_t flagged = step->wraps & (pmu->cfg.andes ? pmu->present : pmu->hpm);
    if (flagged && pmu->cfg.sscofpmf) {
        unsigned to = step->lcofi && step->andes ? TO_BOTH
                      : step->lcofi              ? TO_LCOFI
                      : step->andes              ? TO_ANDES
                                                 : TO_NONE;
        unsigned n = count_bits(to == TO_NONE ? flagged : step->lcofi | step->andes);

        HIT(X_REQUEST, to, n > 2 ? 2 : n - 1);
    }
    if (write->valid && write->to.reg == REG_EVENT && write->to.i >= HPM3 &&
        bit_of(step->wraps, write->to.i) && pmu->cfg.sscofpmf) {
        unsigned kind = !(write->mask & EV_OF) ? 2 : write->value >> 63;

        if (kind != 2 || pmu->cfg.xlen == 32)
            HIT(X_OF_WRITE, kind, pmu->event[write->to.i] >> 63);
    }
}

/* What kind of write this is, and which counter it concerns. */
static unsigned write_kind(const struct gp *pmu, const struct gp_in *in, const struct gp_write *write,
                           unsigned *i) {
    unsigned level = in->csr.num >> 8 & 3;
    uint32_t touched;

    if (!write->valid)
        return W_NOTHING;
    switch (write->to.reg) {
    case REG_COUNTER:
        *i = write->to.i;
        return level == 0 ? W_USER : level == 1 ? W_SIREG : write->to.high ? W_COUNTER_H : W_COUNTER;
    case REG_EVENT:
        *i = write->to.i;
        if (*i < HPM3)
            return W_NOTHING;
        return level == 1 ? W_SIREG_EVENT : write->to.high ? W_EVENT_H : W_EVENT;
    case REG_INHIBIT: /* a counter whose bit changes */
        touched = (pmu->inhibit ^ (uint32_t)write->value) & (uint32_t)write->mask;
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
    if (!bit_of(pmu->present & touched, *i)) {
        if (!(pmu->present & touched))
            return W_NOTHING;
        *i = (unsigned)__builtin_ctz(pmu->present & touched);
    }
    if (write->to.reg == REG_INHIBIT)
        return in->csr.num == TALLY_CSR_MCOUNTINHIBIT ? W_INHIBIT : W_SINHIBIT;
    return write->to.reg == REG_OVF ? W_OVF : W_MASK;
}

static unsigned kind_of(const struct gp *pmu, unsigned i) {
    const struct tally_event *event = &tally_events[pmu->number[i]];

    if (i < HPM3)
        return i == CY ? K_CYCLE : K_INSTRET;
    if (event->kind == TALLY_EVENT_RETIRE)
        return K_RETIRE;
    if (event->kind == TALLY_EVENT_CYCLE)
        return K_EVCYCLE;
    return event->selector == TALLY_EV_CYCLES_BUS ? K_BUS : K_INTERNAL;
}

static void sample_counter(struct cover *c, const struct gp *pmu, const struct gp_in *in,
                           const struct gp_write *write) {
    unsigned mode = mode_of(in->mode.priv, in->mode.v), i, kind;
    unsigned index = (in->mode.priv & 3) | (in->mode.v ? 4 : 0);

    do
        i = rng_below(&c->rng, HPM3 + pmu->cfg.hpm_n);
    while (i == TM);
    kind = write_kind(pmu, in, write, &i);
    if (!bit_of(pmu->live & pmu->present, i))
        return;
    bool event = gp_increment(pmu, in, write, i) != 0;
    bool inhibited = bit_of(pmu->inhibit, i), filtered = bit_of(pmu->filtered[index], i);
    uint32_t others = 0;
    for (unsigned m = 0; m < 8; m++)
        if (m != index && (m & 3) != 2 && !(m == 7 && index == 3))
            others |= pmu->filtered[m];

    HIT(X_WRITE, kind, event, inhibited, filtered);
    HIT(X_FILTER, mode, filtered, bit_of(others, i), event);
    HIT(X_STOP, kind_of(pmu, i), in->mode.halted, in->mode.debug, inhibited);
}

/* ---- the whole */

struct cover *cover_new(const struct gp_config *cfg) {
    struct cover *c = calloc(1, sizeof(*c));

    if (!c)
        return NULL;
    c->cfg = cfg;
    rng_seed(&c->rng, 1);
    for (unsigned id = 0; id < N_CROSSES; id++) {
        struct cross *x = &c->cross[id];

        cross_init(x, &shapes[id]);
        for (unsigned bin = 0; bin < x->bins; bin++) {
            unsigned at[MAX_DIMS];

            label_of(x, bin, at);
            x->excluded[bin] = unreachable(cfg, id, at);
        }
    }
    return c;
}

void cover_free(struct cover *c) {
    for (unsigned id = 0; id < N_CROSSES; id++) {
        free(c->cross[id].hits);
        free(c->cross[id].excluded);
    }
    free(c);
}

void cover_sample(struct cover *c, const struct gp *pmu, const struct gp_in *in) {
    struct gp_write write = gp_plan_write(pmu, &in->csr, &in->env);
    struct gp_step step;

    gp_count(pmu, in, &write, &step);
    sample_access(c, pmu, in);
    sample_overflow(c, pmu, &write, &step);
    sample_counter(c, pmu, in, &write);
}

static void print_bin(const struct cross *x, unsigned bin, const char *what) {
    unsigned at[MAX_DIMS];

    label_of(x, bin, at);
    printf("    %s:", what);
    for (unsigned d = 0; d < x->dims; d++)
        printf(" %s=%s", x->dim[d].name, x->dim[d].labels[at[d]]);
    putchar('\n');
}

unsigned cover_report(const struct cover *c) {
    unsigned missing = 0;

    printf("  %-32s %8s %8s %12s %10s\n", "cross", "bins", "hit", "unreachable", "least");
    for (unsigned id = 0; id < N_CROSSES; id++) {
        const struct cross *x = &c->cross[id];
        unsigned hit = 0, excluded = 0, missed = 0;
        uint32_t least = UINT32_MAX;

        for (unsigned bin = 0; bin < x->bins; bin++) {
            if (x->excluded[bin]) {
                excluded++;
                continue;
            }
            hit += x->hits[bin] != 0;
            least = x->hits[bin] < least ? x->hits[bin] : least;
        }
        printf("  %-32s %8u %8u %12u %10u\n", x->name, x->bins - excluded, hit, excluded,
               excluded == x->bins ? 0 : least);
        for (unsigned bin = 0; bin < x->bins; bin++) {
            if (!x->excluded[bin] && !x->hits[bin] && missed++ < MISSING_SHOWN)
                print_bin(x, bin, "not hit");
            if (x->excluded[bin] && x->hits[bin] && missed++ < MISSING_SHOWN)
                print_bin(x, bin, "hit although unreachable");
        }
        missing += missed;
    }
    return missing;
}
