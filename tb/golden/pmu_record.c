// SPDX-License-Identifier: Apache-2.0
/*
 * The record of a sample (event sampling draft, Sample Record; docs/sampling.md, spec/record.yaml).
 */
#include "pmu_internal.h"

/* The bit of a kind of transfer in the header is ITYPE_LSB + kind. */
enum { ITYPE_LSB = TALLY_PDISHDREV_NTBR_LSB - TALLY_ITYPE_BR_NT };

static bool is_transfer(unsigned itype) {
    return (itype >= TALLY_ITYPE_TRET && itype <= TALLY_ITYPE_BR_TK) || itype >= TALLY_ITYPE_IND_CALL;
}

static bool accesses_memory(const struct gp *pmu) {
    return gp_type_loads(pmu->pdis.type) || gp_type_stores(pmu->pdis.type);
}

/* ---- the mode that owns sampling */

enum owner { OWNER_M, OWNER_S, OWNER_VS };

static enum owner owner_of_sampling(const struct gp *pmu, const struct gp_env *env) {
    if (!(gp_mstateen0(pmu, env) & STATEEN_PDIS))
        return OWNER_M;
    return pmu->cfg.hyp && gp_hstateen0(pmu, env) & STATEEN_PDIS ? OWNER_VS : OWNER_S;
}

static enum owner owner_of_counter(const struct gp *pmu, const struct gp_env *env, unsigned i) {
    return gp_cde(pmu, env) && pmu->mcounteren >> i & 1 ? OWNER_S : OWNER_M;
}

/* ---- words */

static uint64_t field(bool value, unsigned lsb) { return (uint64_t)value << lsb; }

/* Counters whose event the sample has (event sampling draft, pdishdrev; docs/rulings.md, Recorded counters)
 */
static uint64_t events_of(const struct gp *pmu, const struct gp_env *env) {
    uint32_t ask = (uint32_t)pmu->pdis.ctl & pmu->hpm & ~pmu->filtered[pmu->pdis.mode & 7];
    uint64_t found = 0;

    for (; ask; ask &= ask - 1) {
        unsigned i = (unsigned)__builtin_ctz(ask);

        if (owner_of_counter(pmu, env, i) == owner_of_sampling(pmu, env) && pmu->pdis.seen.counted >> i & 1)
            found |= UINT64_C(1) << i;
    }
    return found;
}

static uint64_t header(const struct gp *pmu, const struct gp_env *env) {
    const struct gp_track *k = &pmu->pdis.seen.track;
    uint64_t h = pmu->pdis.type | events_of(pmu, env);

    if (k->flushed)
        h |= TALLY_PDISHDREV_FLUSHED_MASK | (uint64_t)k->flush_why << TALLY_PDISHDREV_FLUSH_LSB;
    h |= field(k->itmiss, TALLY_PDISHDREV_ITMISS_LSB) | field(k->icmiss, TALLY_PDISHDREV_ICMISS_LSB);
    if (accesses_memory(pmu))
        h |= field(k->l1miss, TALLY_PDISHDREV_L1MISS_LSB) | field(k->llmiss, TALLY_PDISHDREV_LLMISS_LSB) |
             field(k->l1tlbmiss, TALLY_PDISHDREV_L1TLBMISS_LSB) |
             field(k->lltlbmiss, TALLY_PDISHDREV_LLTLBMISS_LSB) |
             (uint64_t)k->dsrc << TALLY_PDISHDREV_DSRC_LSB;
    if (pmu->pdis.type == TALLY_TYPE_TRANSFER)
        h |= field(is_transfer(k->itype), ITYPE_LSB + k->itype) |
             field(k->mispred, TALLY_PDISHDREV_MISPRED_LSB);
    return h;
}

/* A latency saturates (docs/rulings.md, Latencies). */
static uint64_t latency(bool valid, uint64_t from, uint64_t to, unsigned lsb, unsigned valid_bit) {
    uint64_t cycles = to - from < TALLY_PDISLAT_TOTAL_MASK ? to - from : TALLY_PDISLAT_TOTAL_MASK;

    return valid ? cycles << lsb | (valid_bit ? UINT64_C(1) << valid_bit : 0) : 0;
}

/* Event sampling draft, pdislat; docs/rulings.md, Latencies */
static uint64_t latencies(const struct gp *pmu, const struct gp_stages *s) {
    uint64_t end = pmu->pdis.age;

    return latency(true, 0, end, TALLY_PDISLAT_TOTAL_LSB, 0) |
           latency(s->dispatched, 0, s->dispatch, TALLY_PDISLAT_DISPATCH_LSB, TALLY_PDISLAT_DISPV_LSB) |
           latency(s->issued, s->dispatch, s->issue, TALLY_PDISLAT_ISSUE_LSB, TALLY_PDISLAT_ISSV_LSB) |
           latency(s->completed, s->issue, s->completion, TALLY_PDISLAT_EXECUTION_LSB,
                   TALLY_PDISLAT_EXECV_LSB) |
           latency(s->oldest && pmu->pdis.seen.track.retired, s->first, end, TALLY_PDISLAT_OLDEST_LSB,
                   TALLY_PDISLAT_OLDV_LSB);
}

unsigned gp_latency(const struct gp_record *record, unsigned select) {
    return (unsigned)(record->word[GP_LAT] >> 12 * select & TALLY_PDISLAT_TOTAL_MASK);
}

/* docs/rulings.md, Record time and addresses */
static uint64_t time_of(const struct gp *pmu, const struct gp_env *env) {
    enum owner owner = owner_of_sampling(pmu, env);
    bool s_reads = pmu->mcounteren >> TM & 1, vs_reads = s_reads && env->hcounteren >> TM & 1;

    if (!(pmu->pdis.ctl & TALLY_MPDISCTL_TS_MASK))
        return 0;
    switch (owner) {
    case OWNER_M:
        return env->time;
    case OWNER_S:
        return s_reads ? env->time : 0;
    default:
        return vs_reads ? env->time + env->htimedelta : 0;
    }
}

static uint64_t address1(const struct gp *pmu) {
    const struct gp_track *k = &pmu->pdis.seen.track;

    if (k->flushed)
        return k->flush_pc;
    if (accesses_memory(pmu))
        return k->vaddr;
    if (pmu->pdis.type == TALLY_TYPE_TRANSFER && k->retired && is_transfer(k->itype) &&
        k->itype != TALLY_ITYPE_BR_NT)
        return k->target;
    return 0;
}

static uint64_t address2(const struct gp *pmu) {
    const struct gp_track *k = &pmu->pdis.seen.track;
    uint64_t ctl = pmu->pdis.ctl;

    if (k->flushed)
        return accesses_memory(pmu) ? k->vaddr : 0;
    if (accesses_memory(pmu))
        return ctl & TALLY_MPDISCTL_PA_MASK ? k->paddr : 0;
    if (pmu->pdis.type == TALLY_TYPE_TRANSFER && ctl & TALLY_MPDISCTL_EPT_MASK)
        return gp_prior_target(pmu, k->retired);
    return 0;
}

uint64_t gp_word_bits(const struct gp *pmu, enum gp_word word) {
    uint64_t xlen = pmu->cfg.xlen == 32 ? UINT32_MAX : UINT64_MAX;

    switch (word) {
    case GP_HDREV: /* no FMT, SFMT, PARTIAL, FUSED and reserved bits */
        return (TALLY_PDISHDREV_MISPRED_MASK << 1) - 1 -
               (TALLY_PDISHDREV_PARTIAL_MASK | TALLY_PDISHDREV_FUSED_MASK);
    case GP_LAT:
        return UINT64_MAX;
    case GP_PC:
        return xlen & ~UINT64_C(1);
    default:
        return xlen;
    }
}

void gp_make_record(const struct gp *pmu, const struct gp_env *env, const struct gp_stages *stages,
                    struct gp_record *record) {
    *record = (struct gp_record){{
        [GP_HDREV] = header(pmu, env),
        [GP_PC] = pmu->pdis.pc,
        [GP_TIME] = time_of(pmu, env),
        [GP_LAT] = latencies(pmu, stages),
        [GP_ADR1] = address1(pmu),
        [GP_ADR2] = address2(pmu),
    }};
    for (unsigned word = 0; word < GP_WORDS; word++)
        record->word[word] &= gp_word_bits(pmu, (enum gp_word)word);
}

/* ---- the prior control transfer */

static bool transfers_control(uint64_t wires) {
    static const uint64_t kinds = UINT64_C(1) << TALLY_EVR_TRET | UINT64_C(1) << TALLY_EVR_BR_TK |
                                  UINT64_C(1) << TALLY_EVR_IND_CALL | UINT64_C(1) << TALLY_EVR_DIR_CALL |
                                  UINT64_C(1) << TALLY_EVR_IND_JMP | UINT64_C(1) << TALLY_EVR_DIR_JMP |
                                  UINT64_C(1) << TALLY_EVR_CORSWAP | UINT64_C(1) << TALLY_EVR_RETURN |
                                  UINT64_C(1) << TALLY_EVR_IND_LJMP | UINT64_C(1) << TALLY_EVR_DIR_LJMP;

    return wires & kinds;
}

/* From the youngest lane to the oldest: `next` is the pc after the lane's instruction. */
uint64_t gp_prior_target(const struct gp *pmu, bool own) {
    const struct gp_seen *seen = &pmu->pdis.seen;
    uint64_t next = seen->ret_next_pc;

    for (unsigned lane = pmu->cfg.retire_w; lane-- > 0;) {
        const struct gp_retire_lane *l = &seen->retire[lane];

        if (!l->valid)
            continue;
        if (!own && transfers_control(seen->ev_retire[lane]) && gp_mode_sampled(pmu, l->mode))
            return next;
        own = false;
        next = l->pc;
    }
    return pmu->pdis.prior;
}
