// SPDX-License-Identifier: Apache-2.0
/*
 * The buffer of sample records in memory (self-hosted trace draft, Ssamb; docs/sampling.md).
 */
#include "pmu_internal.h"

enum { PAGE_BITS = 12, SIZE_MAX_FIELD = 20, MODE_BARE = 3, MODE_SATP = 1, MODE_VSATP = 2 };

#define PAGE_SIZE (UINT64_C(1) << PAGE_BITS)

static uint64_t size_field(uint64_t cs) {
    return (cs & TALLY_SPDISAMBCS_SIZE_MASK) >> TALLY_SPDISAMBCS_SIZE_LSB;
}

static uint64_t record_bytes(const struct gp *pmu) {
    return pmu->cfg.xlen == 32 ? TALLY_RECORD_BYTES_RV32 : TALLY_RECORD_BYTES_RV64;
}

static unsigned record_words(const struct gp *pmu) { return (unsigned)record_bytes(pmu) / 8; }

static bool has(const struct gp *pmu, uint64_t field) { return pmu->amb.cs & field; }

/* An address of the buffer: base and offset. */
static uint64_t within(const struct gp *pmu, uint64_t offset) {
    uint64_t mask = (PAGE_SIZE << size_field(pmu->amb.cs)) - 1;

    return (pmu->amb.addr & ~mask) | (offset & mask);
}

static uint64_t offset_of(const struct gp *pmu, uint64_t address) {
    return address & ((PAGE_SIZE << size_field(pmu->amb.cs)) - 1);
}

/* Offset of the place: behind the records in the queue, not wrapped. */
static uint64_t place_offset(const struct gp *pmu) {
    return offset_of(pmu, pmu->amb.addr) + pmu->amb.used * record_bytes(pmu);
}

static uint64_t place(const struct gp *pmu) { return within(pmu, place_offset(pmu)); }

static uint8_t translation_mode(const struct gp *pmu, const struct gp_env *env) {
    return !env->pdiss ? MODE_BARE : env->pdisv && pmu->cfg.hyp ? MODE_VSATP : MODE_SATP;
}

static bool one_page(const struct gp *pmu) { return size_field(pmu->amb.cs) == 0; }

/* ---- the registers */

uint64_t gp_legal_ambcs(uint64_t cs) {
    if (size_field(cs) > SIZE_MAX_FIELD)
        cs = (cs & ~TALLY_SPDISAMBCS_SIZE_MASK) | (uint64_t)SIZE_MAX_FIELD << TALLY_SPDISAMBCS_SIZE_LSB;
    return cs;
}

uint64_t gp_ambaddr_bits(const struct gp *pmu) {
    return (pmu->cfg.xlen == 32 ? UINT32_MAX : UINT64_MAX) & ~(record_bytes(pmu) - 1);
}

static bool translated(const struct gp *pmu) {
    return pmu->amb.current.valid && (one_page(pmu) || pmu->amb.next.valid);
}

uint64_t gp_ambcs(const struct gp *pmu) {
    bool source = pmu->pdis.active && !(pmu->inhibit >> TALLY_MCOUNTINHIBIT_PDIS_LSB & 1);
    uint64_t cs = pmu->amb.cs;

    if (!pmu->amb.used && !source)
        cs |= TALLY_SPDISAMBCS_EMPTY_MASK;
    if (has(pmu, TALLY_SPDISAMBCS_EN_MASK) && translated(pmu))
        cs |= TALLY_SPDISAMBCS_TRV_MASK;
    return cs;
}

/* ---- a cycle */

/* Stopped on full: the place is behind the last record of the buffer. */
static bool full(const struct gp *pmu) {
    return has(pmu, TALLY_SPDISAMBCS_SOF_MASK) && (has(pmu, TALLY_SPDISAMBCS_WRAP_MASK) ||
                                                   place_offset(pmu) >= PAGE_SIZE << size_field(pmu->amb.cs));
}

bool gp_buffer_accepts(const struct gp *pmu) {
    return has(pmu, TALLY_SPDISAMBCS_EN_MASK) && pmu->amb.used < pmu->cfg.pdis_queue && !full(pmu) &&
           pmu->amb.current.valid;
}

static uint64_t page_asked_for(const struct gp *pmu) {
    uint64_t page = place_offset(pmu) / PAGE_SIZE + pmu->amb.asks_next;

    return within(pmu, page * PAGE_SIZE);
}

static void accept(const struct gp *pmu, struct gp_cycle *cycle) {
    struct gp_buffer *b = &cycle->buffer;
    uint64_t inside = place(pmu) % PAGE_SIZE;

    b->accepts = cycle->sampling.end == GP_END_KEPT && pmu->pdis.ctl & TALLY_MPDISCTL_MEM_MASK;
    if (!b->accepts)
        return;
    b->paddr = pmu->amb.current.ppn << PAGE_BITS | inside;
    b->leaves = !one_page(pmu) && inside + record_bytes(pmu) == PAGE_SIZE;
}

/* A word can be done in the cycle in which it is sent. */
static void write_words(const struct gp *pmu, struct gp_cycle *cycle) {
    const struct gp_amb *a = &pmu->amb;
    struct gp_buffer *b = &cycle->buffer;
    unsigned words = record_words(pmu);

    b->sends = a->sent < a->used * words && cycle->in->rec_ready;
    b->done = cycle->in->rec_done && a->done + 1 == words && a->sent + b->sends >= words;
    if (!b->done || gp_writes(cycle, REG_AMBADDR)) /* a write replaces the advance */
        return;
    uint64_t before = offset_of(pmu, a->addr), after = offset_of(pmu, before + record_bytes(pmu));
    unsigned shift = PAGE_BITS - 2 + (unsigned)size_field(a->cs);
    uint64_t threshold = (a->cs & TALLY_SPDISAMBCS_BMITH_MASK) >> TALLY_SPDISAMBCS_BMITH_LSB;
    b->wraps = after == 0;
    b->threshold = has(pmu, TALLY_SPDISAMBCS_BMIEN_MASK) && before >> shift != after >> shift &&
                   after >> shift == threshold;
}

/* Actions of software or the hart that invalidate translations. */
static bool forgets(const struct gp *pmu, const struct gp_cycle *cycle) {
    const struct gp_env *env = &cycle->in->env;
    uint64_t cs;

    if (env->tlb_inval || gp_writes(cycle, REG_AMBADDR) || translation_mode(pmu, env) != pmu->amb.mode)
        return true;
    if (!gp_writes(cycle, REG_AMBCS))
        return false;
    cs = gp_legal_ambcs(gp_merge(pmu->amb.cs, &cycle->write));
    return !(cs & TALLY_SPDISAMBCS_EN_MASK) || size_field(cs) != size_field(pmu->amb.cs);
}

void gp_buffer_cycle(const struct gp *pmu, struct gp_cycle *cycle) {
    struct gp_buffer *b = &cycle->buffer;

    *b = (struct gp_buffer){.accepts = false};
    if (!pmu->cfg.smpdis || !pmu->cfg.pdis_mem)
        return;
    accept(pmu, cycle);
    write_words(pmu, cycle);
    b->forget = forgets(pmu, cycle);
    b->answer = pmu->amb.asks && cycle->in->xlat_done && !b->forget;
    const bool fault = b->answer && cycle->in->xlat_fault;
    b->fault = fault;
    b->lambi =
        b->threshold || fault; /* a flag that was just written is slow to read together with its neighbours */
}

/* The word that is offered. */
static uint64_t word_of(const struct gp *pmu, const struct gp_record *r, unsigned i) {
    if (pmu->cfg.xlen == 64)
        return i < GP_WORDS ? r->word[i] : 0;
    switch (i) {
    case 0:
        return r->word[GP_HDREV];
    case 1:
        return r->word[GP_PC] | r->word[GP_TIME] << 32;
    case 2:
        return r->word[GP_LAT];
    default:
        return r->word[GP_ADR1] | r->word[GP_ADR2] << 32;
    }
}

void gp_buffer_show(const struct gp *pmu, const struct gp_env *env, struct gp_out *out) {
    const struct gp_amb *a = &pmu->amb;
    unsigned words = record_words(pmu);

    if (!pmu->cfg.smpdis || !pmu->cfg.pdis_mem)
        return;
    out->xlat_mode = translation_mode(pmu, env);
    out->xlat_req = a->asks;
    out->xlat_vaddr = a->asks ? page_asked_for(pmu) : 0;
    out->rec_valid = a->sent < a->used * words;
    if (!out->rec_valid)
        return;
    const struct gp_slot *slot = &a->queue[(a->first + a->sent / words) % pmu->cfg.pdis_queue];
    out->rec_addr = slot->paddr + 8 * (a->sent % words);
    out->rec_data = word_of(pmu, &slot->record, a->sent % words);
}

/* ---- the clock edge */

static void translate(struct gp *pmu, const struct gp_cycle *cycle) {
    const struct gp_buffer *b = &cycle->buffer;
    struct gp_amb *a = &pmu->amb;
    const struct gp_page none = {.valid = false};
    bool missing = !a->current.valid || (!one_page(pmu) && !a->next.valid);
    bool free = !a->asks;

    a->mode = translation_mode(pmu, &cycle->in->env);
    if (b->forget) {
        a->current = a->next = none;
        a->asks = false;
        return;
    }
    if (b->answer) {
        struct gp_page page = {.valid = !b->fault, .ppn = cycle->in->xlat_paddr >> PAGE_BITS};

        if (b->fault) {
            a->cs &= ~TALLY_SPDISAMBCS_TFPTR_MASK;
            a->cs |= TALLY_SPDISAMBCS_TF_MASK | offset_of(pmu, page_asked_for(pmu)); /* TFPTR's position */
        } else if (a->asks_next) {
            a->next = page;
        } else {
            a->current = page;
        }
        a->asks = false;
    }
    if (free && missing && has(pmu, TALLY_SPDISAMBCS_EN_MASK) && !has(pmu, TALLY_SPDISAMBCS_TF_MASK)) {
        a->asks = true;
        a->asks_next = a->current.valid;
    }
    if (b->leaves) {
        a->current = a->next;
        a->next = none;
        a->asks_next = false;
    }
}

static void move_records(struct gp *pmu, const struct gp_cycle *cycle) {
    const struct gp_buffer *b = &cycle->buffer;
    struct gp_amb *a = &pmu->amb;
    unsigned words = record_words(pmu);

    a->sent += b->sends;
    if (cycle->in->rec_done && a->done < a->sent)
        a->done++;
    if (b->accepts)
        a->queue[(a->first + a->used++) % pmu->cfg.pdis_queue] =
            (struct gp_slot){.paddr = b->paddr, .record = cycle->sampling.record};
    if (!b->done)
        return;
    if (!gp_writes(cycle, REG_AMBADDR))
        a->addr = within(pmu, a->addr + record_bytes(pmu));
    if (b->wraps)
        a->cs |= TALLY_SPDISAMBCS_WRAP_MASK;
    if (b->threshold)
        a->cs |= TALLY_SPDISAMBCS_BMI_MASK;
    a->first = (a->first + 1) % pmu->cfg.pdis_queue;
    a->used--;
    a->sent -= words;
    a->done -= words;
}

void gp_buffer_clock(struct gp *pmu, const struct gp_cycle *cycle) {
    if (!pmu->cfg.smpdis || !pmu->cfg.pdis_mem)
        return;
    translate(pmu, cycle); /* uses the place before records move */
    move_records(pmu, cycle);
}
