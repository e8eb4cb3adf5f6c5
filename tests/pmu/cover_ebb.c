// SPDX-License-Identifier: Apache-2.0
/* Coverage: event-based branches. */
#include "cover_group.h"

enum {
    X_OVERFLOW, /* an overflow, and the write of its cycle */
    X_GATES,    /* who asks for what, under which gates */
    X_ARM,      /* writes of ubescr that set PME */
    X_DELIVERY, /* requests, deliveries, uebret */
    X_PC,       /* whose pc uebbspc takes */
    N_CROSSES
};

static const char *const routes[] = {"none", "unrouted", "routed", NULL};
enum { NO_OVERFLOW, UNROUTED, ROUTED };
static const char *const kinds[] = {"none", "read", "write", "set", "clear", NULL};
static const char *const registers[] = {"ubescr", "uebbovf", "uebbcnt", "gates", "other", NULL};
enum { R_STATUS, R_FLAGS, R_COUNTER, R_GATES, R_OTHER };
static const char *const groups[] = {"user", "window", "sebbctl", "mebbctl", NULL};
enum { G_USER, G_WINDOW, G_SUPERVISOR, G_MACHINE };
static const char *const flags[] = {"no flag", "a flag", "an overflow", NULL};
static const char *const ends[] = {"waits", "delivered", NULL};
static const char *const causes[] = {"a lane", "the oldest", "the next", NULL};

static const char not_built[] = "there are no event-based branches (EBB=0)";
static const char not_there[] = "a routed counter counts in U-mode only";
static const char no_counters[] = "there is no programmable counter";
static const char none_has_none[] = "no access has no register";
static const char no_request[] = "these ask for nothing";
static const char no_sspesa[] = "there is no uebbspc (SSPESA=0)";

static const char *overflow_impossible(const struct gp_config *cfg, const unsigned at[]) {
    if (!cfg->ebb)
        return not_built;
    if (at[1] >= MODE_VS && !cfg->hyp)
        return cover_no_hyp;
    if (!cfg->hpm_n)
        return no_counters;
    if (at[0] == ROUTED && at[1] != MODE_U)
        return not_there;
    return at[5] == 0 && at[6] != R_OTHER ? none_has_none : NULL;
}

static const char *gates_impossible(const struct gp_config *cfg, const unsigned at[]) {
    if (!cfg->ebb)
        return not_built;
    if (at[0] >= MODE_VS && !cfg->hyp)
        return cover_no_hyp;
    return !cfg->smstateen && (!at[4] || !at[5]) ? cover_no_stateen : NULL;
}

static const char *arm_impossible(const struct gp_config *cfg, const unsigned at[]) {
    if (!cfg->ebb)
        return not_built;
    return at[1] && !cfg->hpm_n ? no_counters : NULL;
}

static const char *delivery_impossible(const struct gp_config *cfg, const unsigned at[]) {
    if (!cfg->ebb)
        return not_built;
    if (at[3] >= MODE_VS && !cfg->hyp)
        return cover_no_hyp;
    bool asks = at[0] && at[1] && at[2] && at[3] == MODE_U && !at[4];
    return at[5] && !asks ? no_request : NULL;
}

static const char *pc_impossible(const struct gp_config *cfg, const unsigned at[]) {
    (void)at;
    if (!cfg->ebb)
        return not_built;
    if (!cfg->hpm_n)
        return no_counters;
    return cfg->sspesa ? NULL : no_sspesa;
}

static const struct cross crosses[N_CROSSES] = {
    [X_OVERFLOW] = {.name = "overflow and branches",
                    .dim = {{"overflow", routes},
                            {"mode", cover_modes},
                            {"GE", cover_zero_one},
                            {"PME", cover_zero_one},
                            {"FZ", cover_zero_one},
                            {"access", kinds},
                            {"register", registers}},
                    .impossible = overflow_impossible,
                    .seldom = 5},
    [X_GATES] = {.name = "gates of branches",
                 .dim = {{"mode", cover_modes},
                         {"mebbctl.EN", cover_zero_one},
                         {"sebbctl.EN", cover_zero_one},
                         {"WIN", cover_zero_one},
                         {"mstateen0.C", cover_zero_one},
                         {"sstateen0.C", cover_zero_one},
                         {"register", groups}},
                 .impossible = gates_impossible},
    [X_ARM] = {.name = "PME written",
               .dim = {{"PME", cover_zero_one}, {"meets", flags}, {"by", kinds + 2}},
               .impossible = arm_impossible},
    [X_DELIVERY] = {.name = "delivery of branches",
                    .dim = {{"GE", cover_zero_one},
                            {"PMEO", cover_zero_one},
                            {"gate", cover_no_yes},
                            {"mode", cover_modes},
                            {"debug", cover_no_yes},
                            {"and", ends}},
                    .impossible = delivery_impossible},
    [X_PC] = {.name = "pc of an event",
              .dim = {{"of", causes}, {"in user mode", cover_no_yes}},
              .impossible = pc_impossible},
};

static bool bit_of(const struct cover_cycle *c, uint64_t mask) { return c->pmu->ebb.scr & mask; }

static unsigned kind_of(const struct cover_cycle *c) { return c->in->csr.valid ? 1u + c->in->csr.op : 0; }

static unsigned register_of(const struct cover_cycle *c) {
    if (!c->in->csr.valid)
        return R_OTHER;
    switch (c->in->csr.num) {
    case TALLY_CSR_UBESCR:
        return R_STATUS;
    case TALLY_CSR_UEBBOVF:
        return R_FLAGS;
    case TALLY_CSR_UEBBCNT:
    case TALLY_CSR_UEBBCNTH:
        return R_COUNTER;
    case TALLY_CSR_SEBBCTL:
    case TALLY_CSR_MEBBCTL:
        return R_GATES;
    default:
        return R_OTHER;
    }
}

/* A refused access is none. */
static bool performed(const struct cover_cycle *c) {
    return !c->in->csr.valid || gp_resolve(c->pmu, &c->in->csr, &c->in->env).answer == GP_CSR_OK;
}

static void sample_overflow(struct cross *x, const struct cover_cycle *c) {
    const struct gp_mode *mode = &c->in->mode;
    uint32_t first = c->step.first;

    if (performed(c) && c->cfg->hpm_n)
        HIT(x,
            c->step.ebb ? ROUTED
            : first     ? UNROUTED
                        : NO_OVERFLOW,
            cover_mode(mode->priv, mode->v), bit_of(c, TALLY_UBESCR_GE_MASK),
            bit_of(c, TALLY_UBESCR_PME_MASK), bit_of(c, TALLY_UBESCR_FZ_MASK), kind_of(c), register_of(c));
}

static void sample_gates(struct cross *x, const struct cover_cycle *c) {
    const struct gp_csr *csr = &c->in->csr;
    unsigned group;

    switch (csr->num) {
    case TALLY_CSR_UBESCR:
    case TALLY_CSR_UEBBHR:
    case TALLY_CSR_UEBBRR:
        group = G_USER;
        break;
    case TALLY_CSR_UEBBOVF:
    case TALLY_CSR_UEBBINH:
    case TALLY_CSR_UEBBSEL:
    case TALLY_CSR_UEBBCNT:
        group = G_WINDOW;
        break;
    case TALLY_CSR_SEBBCTL:
        group = G_SUPERVISOR;
        break;
    case TALLY_CSR_MEBBCTL:
        group = G_MACHINE;
        break;
    default:
        return;
    }
    bool smstateen = c->cfg->smstateen;
    HIT(x, cover_mode(csr->priv, csr->v), c->pmu->ebb.mctl & 1, c->pmu->ebb.sctl & 1,
        c->pmu->ebb.sctl >> 2 & 1, !smstateen || c->in->env.mstateen0 & STATEEN_C,
        !smstateen || c->in->env.sstateen0 & 1, group);
}

static void sample_arm(struct cross *x, const struct cover_cycle *c) {
    const struct gp_write *write = &c->cycle.write;
    bool sets = (gp_merge(c->pmu->ebb.scr, write) & TALLY_UBESCR_PME_MASK) != 0;
    uint32_t pending = gp_routed(c->pmu, &c->in->env) & gp_overflow_flags(c->pmu);

    if (gp_writes(&c->cycle, REG_UBESCR) && (sets || c->in->csr.op == GP_CLEAR))
        HIT(x, bit_of(c, TALLY_UBESCR_PME_MASK), c->step.ebb ? 2 : pending ? 1 : 0, c->in->csr.op - 1u);
}

static void sample_delivery(struct cross *x, const struct cover_cycle *c) {
    const struct gp_mode *mode = &c->in->mode;
    uint64_t target;
    bool delivered = c->in->ebb_ack && gp_ebb_request(c->pmu, mode, &c->in->env, &target);

    HIT(x, bit_of(c, TALLY_UBESCR_GE_MASK), bit_of(c, TALLY_UBESCR_PMEO_MASK),
        gp_ebb_user(c->pmu, &c->in->env), cover_mode(mode->priv, mode->v), mode->debug, delivered);
}

static void sample_pc(struct cross *x, const struct cover_cycle *c) {
    if (!c->cfg->sspesa || !c->step.ebb || !bit_of(c, TALLY_UBESCR_PME_MASK))
        return;
    unsigned lane = c->step.cause[__builtin_ctz(c->step.ebb)], oldest = gp_oldest_lane(c->pmu, c->in);
    unsigned cause = lane != GP_NO_LANE ? 0 : oldest != GP_NO_LANE ? 1 : 2;
    unsigned shows = cause == 0 ? lane : cause == 1 ? oldest : 0;
    unsigned mode = c->in->retire[shows].mode;

    HIT(x, cause, cover_mode(mode & 3, c->cfg->hyp && mode >> 2) == MODE_U);
}

static void sample(struct cross *x, const struct cover_cycle *c) {
    if (!c->cfg->ebb)
        return;
    sample_overflow(&x[X_OVERFLOW], c);
    sample_gates(&x[X_GATES], c);
    sample_arm(&x[X_ARM], c);
    sample_delivery(&x[X_DELIVERY], c);
    sample_pc(&x[X_PC], c);
}

const struct cover_group cover_ebb = {crosses, N_CROSSES, sample};
