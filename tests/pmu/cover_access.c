// SPDX-License-Identifier: Apache-2.0
/* Coverage: accesses by register, mode and enables. Only performed accesses count. */
#include "cover_group.h"
#include "rows.h"

#include "tally_spec.h"

enum {
    X_USER,      /* the user's counters */
    X_REGISTER,  /* every kind of register in every mode by every operation */
    X_ANSWER,    /* answers by mode */
    X_DELEGATED, /* indirect access to counters */
    X_WORD,      /* scountovf, scountinhibit */
    X_CUSTOM,    /* the unit's own supervisor registers */
    X_ANDES,     /* the Andes view */
    N_CROSSES
};

static const char *const operations[] = {"read", "write", "set", "clear", NULL};
static const char *const answers[] = {"ok", "illegal", "virtual", "not mine", NULL};
static const char *const user_counters[] = {"cycle/instret", "time", "hpmcounter", NULL};
static const char *const windows[] = {"sireg", "sireg2", "sireg3", "sireg4", "sireg5", "sireg6", NULL};
static const char *const words[] = {"scountovf", "scountinhibit", NULL};
static const char *const customs[] = {"shpmswinc", "shpmpclo", "shpmpchi", "shpmpcsel", NULL};
static const char *const andes[] = {"machine", "supervisor", "shpmevent", "user counter", NULL};
enum { ANDES_M, ANDES_S, ANDES_EVENT, ANDES_USER };

static const char *const registers[] = {"user counter",  "user counter h",
                                        "mcounter",      "mcounter h",
                                        "mcountinhibit", "mcyclecfg/minstretcfg",
                                        "mhpmevent",     "cfg/event h",
                                        "mcounteren",    "scounteren",
                                        "scountinhibit", "scountovf",
                                        "miselect",      "mireg*",
                                        "siselect",      "sireg*",
                                        "vsiselect",     "vsireg*",
                                        "Andes, M",      "Andes, S",
                                        "shpmevent",     "mmsc_cfg",
                                        "shpmswinc",     "shpmpc*",
                                        "other",         NULL};
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
    R_PCRANGE,
    R_OTHER
};

/* ---- impossible cells */

static const char no_window[] = "M-mode may read all but the windows of indirect access, which are not built";
static const char no_virtual[] = "virtual-instruction exceptions are for V=1";
static const char no_vs_write[] = "there is nothing that HS-mode may write and VS-mode not";
static const char no_user_write[] = "U-mode may write registers of event-based branches only, VU nothing";
static const char no_deleg[] = "counter delegation is not built (SMCDELEG=0)";
static const char no_overflow[] = "Sscofpmf is not built";
static const char no_register[] = "the register is not built";

static bool is_guest(unsigned mode) { return mode == MODE_VS || mode == MODE_VU; }

static const char *mode_first(const struct gp_config *cfg, const unsigned at[]) {
    return !cfg->hyp && is_guest(at[0]) ? cover_no_hyp : NULL;
}

static const char *user_impossible(const struct gp_config *cfg, const unsigned at[]) {
    return at[1] == 2 && !cfg->hpm_n ? cover_no_counter : mode_first(cfg, at);
}

static const char *register_impossible(const struct gp_config *cfg, const unsigned at[]) {
    return mode_first(cfg, at + 1);
}

static const char *answer_impossible(const struct gp_config *cfg, const unsigned at[]) {
    if (at[0] == MODE_M && at[1] == GP_CSR_ILLEGAL && !at[2] && !cfg->smcsrind)
        return no_window;
    if (at[1] == GP_CSR_VIRTUAL && !is_guest(at[0]))
        return no_virtual;
    if (at[1] == GP_CSR_VIRTUAL && at[0] == MODE_VS && at[2] && !cfg->smcsrind && !cfg->andes &&
        !((cfg->swevent || cfg->pcrange) && cfg->smstateen))
        return no_vs_write;
    if (at[1] == GP_CSR_OK && at[2] && ((at[0] == MODE_U && !cfg->ebb) || at[0] == MODE_VU))
        return no_user_write;
    return mode_first(cfg, at);
}

static const char *delegated_impossible(const struct gp_config *cfg, const unsigned at[]) {
    if (!cfg->smcdeleg)
        return no_deleg;
    return !cfg->smstateen && (!at[3] || !at[4]) ? cover_no_stateen : mode_first(cfg, at);
}

static const char *word_impossible(const struct gp_config *cfg, const unsigned at[]) {
    if (at[1] == 0 && !(cfg->sscofpmf && cfg->hpm_n))
        return cfg->sscofpmf ? cover_no_counter : no_overflow;
    return at[1] == 1 && !cfg->smcdeleg ? no_deleg : mode_first(cfg, at);
}

static const char *custom_impossible(const struct gp_config *cfg, const unsigned at[]) {
    if (at[1] == 0 ? !cfg->swevent : !cfg->pcrange)
        return no_register;
    return !cfg->smstateen && (!at[2] || !at[3]) ? cover_no_stateen : mode_first(cfg, at);
}

static const char *andes_impossible(const struct gp_config *cfg, const unsigned at[]) {
    if (!cfg->andes)
        return cover_no_andes;
    if (at[1] == ANDES_EVENT && at[2] && !cfg->hpm_n)
        return cover_no_counter;
    return !cfg->smstateen && !at[3] ? cover_no_stateen : mode_first(cfg, at);
}

static const struct cross crosses[N_CROSSES] = {
    [X_USER] = {.name = "user counters",
                .dim = {{"mode", cover_modes},
                        {"counter", user_counters},
                        {"mcounteren", cover_zero_one},
                        {"hcounteren", cover_zero_one},
                        {"scounteren", cover_zero_one},
                        {"access", cover_access_kinds}},
                .impossible = user_impossible},
    [X_REGISTER] = {.name = "registers",
                    .dim = {{"register", registers}, {"mode", cover_modes}, {"op", operations}},
                    .impossible = register_impossible},
    [X_ANSWER] = {.name = "answers",
                  .dim = {{"mode", cover_modes}, {"answer", answers}, {"access", cover_access_kinds}},
                  .impossible = answer_impossible},
    [X_DELEGATED] = {.name = "delegated counters",
                     .dim = {{"mode", cover_modes},
                             {"CDE", cover_zero_one},
                             {"mcounteren", cover_zero_one},
                             {"mstateen0.CSRIND", cover_zero_one},
                             {"hstateen0.CSRIND", cover_zero_one},
                             {"window", windows},
                             {"access", cover_access_kinds}},
                     .impossible = delegated_impossible},
    [X_WORD] = {.name = "overflow and inhibit words",
                .dim = {{"mode", cover_modes},
                        {"register", words},
                        {"CDE", cover_zero_one},
                        {"mcounteren", cover_zero_one},
                        {"hcounteren", cover_zero_one},
                        {"access", cover_access_kinds}},
                .impossible = word_impossible},
    [X_CUSTOM] = {.name = "custom registers",
                  .dim = {{"mode", cover_modes},
                          {"register", customs},
                          {"mstateen0.C", cover_zero_one},
                          {"hstateen0.C", cover_zero_one},
                          {"access", cover_access_kinds}},
                  .impossible = custom_impossible},
    [X_ANDES] = {.name = "Andes registers",
                 .dim = {{"mode", cover_modes},
                         {"register", andes},
                         {"mcounterwen", cover_zero_one},
                         {"mstateen0.C", cover_zero_one},
                         {"access", cover_access_kinds}},
                 .impossible = andes_impossible},
};

/* ---- samples */

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
    case TALLY_CSR_SHPMPCLO:
    case TALLY_CSR_SHPMPCHI:
    case TALLY_CSR_SHPMPCSEL:
        return R_PCRANGE;
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
    case ROW_EVENTH:
        return low ? R_EVENT_H : R_OTHER;
    case TALLY_CSR_SCOUNTERINHIBIT:
        return low >= 3 ? R_SHPMEVENT : R_OTHER;
    default:
        return R_OTHER;
    }
}

/* Counter i's enables; without Smstateen its gates count as open. */
static void sample(struct cross *x, const struct cover_cycle *c) {
    const struct gp *pmu = c->pmu;
    const struct gp_csr *csr = &c->in->csr;
    const struct gp_env *env = &c->in->env;
    uint64_t mst = c->cfg->smstateen ? env->mstateen0 : UINT64_MAX;
    uint64_t hst = c->cfg->smstateen ? env->hstateen0 : UINT64_MAX;
    unsigned mode = cover_mode(csr->priv, csr->v), reg = register_of(csr->num), i = csr->num & 0x1F;
    unsigned kind = csr->op != GP_READ, k = cover_some_counter(c);

    if (!csr->valid)
        return;
    HIT(&x[X_REGISTER], reg, mode, csr->op);
    HIT(&x[X_ANSWER], mode, gp_csr_answer(pmu, csr, env, NULL), kind);
    switch (reg) {
    case R_USER:
        if (!cover_bit(pmu->present | 1u << TM, i))
            break;
        HIT(&x[X_USER], mode,
            i == TM    ? 1
            : i < HPM3 ? 0
                       : 2,
            cover_bit(pmu->mcounteren, i), cover_bit(env->hcounteren, i), cover_bit(pmu->scounteren, i),
            kind);
        if (c->cfg->andes && i != TM)
            HIT(&x[X_ANDES], mode, ANDES_USER, cover_bit(pmu->wen, i), mst & 1, kind);
        break;
    case R_SIREG: {
        unsigned select = mode >= MODE_VS ? pmu->vsiselect : pmu->siselect, low = csr->num & 7;

        if (c->cfg->smcdeleg && select >> 5 == 2 && cover_bit(pmu->present, select & 0x1F))
            HIT(&x[X_DELEGATED], mode, env->cde, cover_bit(pmu->mcounteren, select & 0x1F), mst >> 60 & 1,
                hst >> 60 & 1, low <= 3 ? low - 1 : low - 2, kind);
        break;
    }
    case R_SCOUNTOVF:
    case R_SCOUNTINHIBIT:
        if (reg == R_SCOUNTOVF ? !c->cfg->sscofpmf : !c->cfg->smcdeleg)
            break;
        for (unsigned n = reg == R_SCOUNTOVF ? HPM3 : 0; n < 32; n++) { /* the word has all of them */
            if (n != TM && cover_bit(pmu->present, n))
                HIT(&x[X_WORD], mode, reg == R_SCOUNTINHIBIT, env->cde, cover_bit(pmu->mcounteren, n),
                    cover_bit(env->hcounteren, n), kind);
        }
        break;
    case R_SWINC:
        if (c->cfg->swevent)
            HIT(&x[X_CUSTOM], mode, 0, mst & 1, hst & 1, kind);
        break;
    case R_PCRANGE:
        if (c->cfg->pcrange)
            HIT(&x[X_CUSTOM], mode,
                csr->num == TALLY_CSR_SHPMPCLO   ? 1
                : csr->num == TALLY_CSR_SHPMPCHI ? 2
                                                 : 3,
                mst & 1, hst & 1, kind);
        break;
    case R_ANDES_M:
    case R_ANDES_S:
        if (c->cfg->andes)
            HIT(&x[X_ANDES], mode, reg == R_ANDES_S ? ANDES_S : ANDES_M, cover_bit(pmu->wen, k), mst & 1,
                kind);
        break;
    case R_SHPMEVENT:
        if (c->cfg->andes)
            HIT(&x[X_ANDES], mode, ANDES_EVENT, cover_bit(pmu->wen, i), mst & 1, kind);
        break;
    default:
        break;
    }
}

const struct cover_group cover_access = {crosses, N_CROSSES, sample};
