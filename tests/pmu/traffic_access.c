// SPDX-License-Identifier: Apache-2.0
/* Single CSR accesses: set-up of the unit, the indirect windows, any number */
#include "traffic_parts.h"

/* Rows of numbers: first, count. */
struct row {
    uint16_t first;
    uint8_t count;
};

/* The unit's numbers in all configurations, with the neighbours on either side */
static const struct row owned[] = {
    {TALLY_CSR_CYCLE, 32},           {TALLY_CSR_CYCLEH, 32},        {TALLY_CSR_MCYCLE, 32},
    {TALLY_CSR_MCYCLEH, 32},         {TALLY_CSR_MCOUNTINHIBIT, 32}, {ROW_EVENTH, 32},
    {TALLY_CSR_MCOUNTEREN, 1},       {TALLY_CSR_SCOUNTEREN, 1},     {TALLY_CSR_SCOUNTINHIBIT, 1},
    {TALLY_CSR_SCOUNTOVF, 1},        {TALLY_CSR_MISELECT, 8},       {TALLY_CSR_SISELECT, 8},
    {TALLY_CSR_VSISELECT, 8},        {TALLY_CSR_MCOUNTERWEN, 8},    {TALLY_CSR_SCOUNTERINEN, 6},
    {TALLY_CSR_SCOUNTERINHIBIT, 32}, {TALLY_CSR_MMSC_CFG, 1},       {TALLY_CSR_SHPMSWINC, 4},
    {TALLY_CSR_SHPMSPC, 24},         {TALLY_CSR_VSPDISCTL, 1},      {TALLY_CSR_VSPDISCTLH, 1},
    {TALLY_CSR_MPDISCTL, 1},         {TALLY_CSR_MPDISCTLH, 1},      {TALLY_CSR_UBESCR, 11},
    {TALLY_CSR_SEBBCTL, 1},          {TALLY_CSR_MEBBCTL, 1},
};
enum { N_OWNED = sizeof(owned) / sizeof(owned[0]) };

/* Registers of which there is one, and where most of the rules are. */
static const uint16_t singles[] = {
    TALLY_CSR_MCOUNTINHIBIT,  TALLY_CSR_MCYCLECFG,       TALLY_CSR_MINSTRETCFG,    TALLY_CSR_MCOUNTEREN,
    TALLY_CSR_SCOUNTEREN,     TALLY_CSR_SCOUNTINHIBIT,   TALLY_CSR_SCOUNTOVF,      TALLY_CSR_MISELECT,
    TALLY_CSR_SISELECT,       TALLY_CSR_VSISELECT,       TALLY_CSR_MCOUNTERWEN,    TALLY_CSR_MCOUNTERINEN,
    TALLY_CSR_MCOUNTERMASK_M, TALLY_CSR_MCOUNTERMASK_S,  TALLY_CSR_MCOUNTERMASK_U, TALLY_CSR_MCOUNTEROVF,
    TALLY_CSR_SCOUNTERINEN,   TALLY_CSR_SCOUNTERMASK_M,  TALLY_CSR_SCOUNTERMASK_S, TALLY_CSR_SCOUNTERMASK_U,
    TALLY_CSR_SCOUNTEROVF,    TALLY_CSR_SCOUNTERINHIBIT, TALLY_CSR_MMSC_CFG,       TALLY_CSR_SHPMSWINC,
    TALLY_CSR_TIME,           TALLY_CSR_TIMEH,           TALLY_CSR_SHPMPCSEL,      TALLY_CSR_SHPMPCLO,
    TALLY_CSR_SHPMPCHI,       TALLY_CSR_SHPMSPC,         TALLY_CSR_SHPMSDATA,      TALLY_CSR_SPDISCTL,
    TALLY_CSR_SPDISCTLH,      TALLY_CSR_SPDISCOUNTER,    TALLY_CSR_SPDISCOUNTERH,  TALLY_CSR_SPDISEVMASK,
    TALLY_CSR_SPDISEVMASKH,   TALLY_CSR_SPDISEVMATCH,    TALLY_CSR_SPDISEVMATCHH,  TALLY_CSR_SPDISFILTER,
    TALLY_CSR_SPDISAMBCS,     TALLY_CSR_SPDISAMBCSH,     TALLY_CSR_SPDISAMBADDR,   TALLY_CSR_VSPDISCTL,
    TALLY_CSR_VSPDISCTLH,     TALLY_CSR_MPDISCTL,        TALLY_CSR_MPDISCTLH,      TALLY_CSR_UBESCR,
    TALLY_CSR_UEBBOVF,        TALLY_CSR_UEBBCNT,         TALLY_CSR_UEBBINH,        TALLY_CSR_SEBBCTL,
};
enum { N_SINGLES = sizeof(singles) / sizeof(singles[0]) };

/* ---- CSR accesses */

static void preset_counter(struct traffic *t) {
    unsigned i = some_counter(t);

    t->recent = i;
    write_wide(t, TALLY_CSR_MCYCLE + i, TALLY_CSR_MCYCLEH + i, near_overflow(t));
}

static void select_event(struct traffic *t) {
    unsigned i = some_counter(t);

    write_wide(t, TALLY_CSR_MCOUNTINHIBIT + i, ROW_EVENTH + i, some_selector(t) | some_filter(t));
}

static void set_range(struct traffic *t) {
    switch (rng_below(&t->rng, 3)) {
    case 0:
        t->lo = some_bound(t, t->hi);
        csr_access(t, TALLY_CSR_SHPMPCLO, GP_WRITE, t->lo);
        break;
    case 1:
        t->hi = some_bound(t, t->lo);
        csr_access(t, TALLY_CSR_SHPMPCHI, GP_WRITE, t->hi);
        break;
    default:
        csr_access(t, TALLY_CSR_SHPMPCSEL, GP_WRITE, enable_word(t));
        break;
    }
}

/* Accesses that make events happen: in M-mode, and mostly sensible. */
void csr_setup(struct traffic *t) {
    t->in.csr.priv = GP_M;
    t->in.csr.v = false;
    if (t->cfg->pcrange && rng_chance(&t->rng, 32)) {
        set_range(t);
        return;
    }
    if (t->cfg->smpdis && rng_chance(&t->rng, 80)) {
        serve_sampling(t);
        return;
    }
    if (t->cfg->ebb && rng_chance(&t->rng, 64)) {
        serve_branches(t);
        return;
    }
    switch (rng_below(&t->rng, 16)) {
    case 0:
        csr_access(t, TALLY_CSR_MCOUNTINHIBIT, GP_WRITE,
                   rng_dense(&t->rng, t->mood.open ? 1 : 4) &
                       (rng_chance(&t->rng, 64) ? UINT64_MAX : ~UINT64_C(2)));
        break;
    case 1:
        csr_access(t, TALLY_CSR_MCOUNTEREN, GP_WRITE, enable_word(t));
        break;
    case 2:
        csr_access(t, TALLY_CSR_SCOUNTEREN, GP_WRITE, enable_word(t));
        break;
    case 3:
        csr_access(t, rng_chance(&t->rng, 128) ? TALLY_CSR_SISELECT : TALLY_CSR_VSISELECT, GP_WRITE,
                   TALLY_COUNTER_SELECT + any_counter(t));
        break;
    case 4:
        csr_access(t, rng_chance(&t->rng, 128) ? TALLY_CSR_MCOUNTERWEN : TALLY_CSR_MCOUNTERINEN, GP_WRITE,
                   enable_word(t));
        break;
    case 5:
        csr_access(t, TALLY_CSR_MCOUNTEROVF, GP_WRITE, UINT32_MAX);
        break;
    case 6:
        csr_access(t, TALLY_CSR_MCOUNTERMASK_M + rng_below(&t->rng, 3), GP_WRITE,
                   t->cfg->andes_silicon ? ~enable_word(t) : enable_word(t));
        break;
    case 7: /* OF cleared: the next overflow asks again */
        csr_access(
            t, t->cfg->xlen == 32 ? ROW_EVENTH + some_counter(t) : TALLY_CSR_MCOUNTINHIBIT + some_counter(t),
            GP_CLEAR, TALLY_MHPMEVENT_OF_MASK >> (t->cfg->xlen == 32 ? 32 : 0));
        break;
    case 8:
    case 9:
    case 10:
        select_event(t);
        break;
    default:
        preset_counter(t);
        break;
    }
}

/* A select that is something. */
static unsigned some_select(struct traffic *t) {
    if (t->cfg->smpdis && rng_chance(&t->rng, 96))
        return TALLY_RECORD_SELECT + rng_below(&t->rng, 2);
    return TALLY_COUNTER_SELECT + any_counter(t);
}

/* Delegated and virtualised accesses. */
void csr_windows(struct traffic *t) {
    static const uint16_t base[] = {TALLY_CSR_SISELECT, TALLY_CSR_SISELECT, TALLY_CSR_SISELECT,
                                    TALLY_CSR_VSISELECT, TALLY_CSR_MISELECT};
    unsigned b = base[rng_below(&t->rng, 5)];

    if (rng_chance(&t->rng, 64))
        csr_access(t, b, rng_below(&t->rng, 4), rng_chance(&t->rng, 240) ? some_select(t) : some_value(t));
    else
        csr_access(t, b + 1 + rng_below(&t->rng, 7), rng_below(&t->rng, 4),
                   rng_chance(&t->rng, 128) ? near_overflow(t) : some_value(t));
}

void csr_anything(struct traffic *t) {
    const struct row *row = &owned[rng_below(&t->rng, N_OWNED)];
    unsigned num = row->first + rng_below(&t->rng, row->count + 2) - 1;

    if (row->count == 32 &&
        rng_chance(&t->rng, 128)) /* counters that exist are few in small configurations */
        num = row->first + some_counter(t);
    if (rng_chance(&t->rng, 16)) /* cycle, time, instret */
        num = TALLY_CSR_CYCLE + rng_below(&t->rng, 3);
    if (rng_chance(&t->rng, 12))
        num = TALLY_CSR_CYCLE + some_counter(t);
    if (rng_chance(&t->rng, 10))
        num = rng_chance(&t->rng, 128) ? TALLY_CSR_SCOUNTOVF : TALLY_CSR_SCOUNTINHIBIT;
    if (rng_chance(&t->rng, 80))
        num = singles[rng_below(&t->rng, N_SINGLES)];
    if (rng_chance(&t->rng, 8))
        num = rng_below(&t->rng, 4096);
    if (rng_chance(&t->rng, 8)) /* nearly one of the unit's */
        num ^= 1u << rng_below(&t->rng, 12);
    csr_access(t, num & 0xFFF, rng_below(&t->rng, 4), some_value(t));
}
