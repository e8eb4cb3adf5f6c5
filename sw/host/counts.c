/* SPDX-License-Identifier: Apache-2.0 */
#include "counts.h"

const char *const latency_names[LATENCIES] = {"dispatch", "issue", "execution", "oldest", "total"};
const char *const transfer_names[TRANSFERS] = {"trap return",         "branch not taken", "branch taken",
                                               "indirect call",       "direct call",      "indirect jump",
                                               "direct jump",         "co-routine",       "return",
                                               "indirect jump, link", "direct jump, link"};
const char *const miss_names[MISSES] = {"ITLB", "L1I", "L1D", "last-level cache", "DTLB", "last-level TLB"};
const char *const flush_names[4] = {"other", "branch misprediction", "memory ordering", "3"};

const char *const type_names[SAMPLE_TYPES] = {"other", "loads", "stores", "atomics", "transfers"};

const char *source_name(unsigned code) {
    static const char *const texts[] = TALLY_DSRC_TEXTS;
    return code < TALLY_DSRC_N ? texts[code] : "unknown";
}

enum transfer sample_transfer(const struct sample *s) {
    static const unsigned bits[TRANSFERS] = {
        TALLY_PDISHDREV_TRET_LSB,    TALLY_PDISHDREV_NTBR_LSB,    TALLY_PDISHDREV_TKBR_LSB,
        TALLY_PDISHDREV_INDCALL_LSB, TALLY_PDISHDREV_DIRCALL_LSB, TALLY_PDISHDREV_INDJMP_LSB,
        TALLY_PDISHDREV_DIRJMP_LSB,  TALLY_PDISHDREV_CORSWAP_LSB, TALLY_PDISHDREV_RET_LSB,
        TALLY_PDISHDREV_INDLJMP_LSB, TALLY_PDISHDREV_DIRLJMP_LSB};
    if (!sample_is_transfer(s))
        return TRANSFERS;
    for (unsigned i = 0; i < TRANSFERS; i++) {
        if (s->header >> bits[i] & 1)
            return (enum transfer)i;
    }
    return TRANSFERS;
}

void counts_add(struct counts *c, const struct sample *s) {
    c->samples += s->weight;
    c->flushed += SAMPLE_HEADER(s, FLUSHED);
#define ADD(which, name, valid)                                                                              \
    if (valid)                                                                                               \
    histogram_add(&c->latency[which], (unsigned)SAMPLE_LATENCY(s, name))
    ADD(LATENCY_DISPATCH, DISPATCH, SAMPLE_LATENCY(s, DISPV));
    ADD(LATENCY_ISSUE, ISSUE, SAMPLE_LATENCY(s, ISSV));
    ADD(LATENCY_EXECUTION, EXECUTION, SAMPLE_LATENCY(s, EXECV));
    ADD(LATENCY_OLDEST, OLDEST, SAMPLE_LATENCY(s, OLDV));
    ADD(LATENCY_TOTAL, TOTAL, true);
#undef ADD
    c->miss[MISS_ITLB] += SAMPLE_HEADER(s, ITMISS);
    c->miss[MISS_ICACHE] += SAMPLE_HEADER(s, ICMISS);
    if (sample_is_memory(s)) {
        c->memory++;
        c->miss[MISS_L1] += SAMPLE_HEADER(s, L1MISS);
        c->miss[MISS_LL] += SAMPLE_HEADER(s, LLMISS);
        c->miss[MISS_L1TLB] += SAMPLE_HEADER(s, L1TLBMISS);
        c->miss[MISS_LLTLB] += SAMPLE_HEADER(s, LLTLBMISS);
        c->source[SAMPLE_HEADER(s, DSRC)]++;
    } else if (sample_is_transfer(s)) {
        const enum transfer kind = sample_transfer(s);
        c->transfers++;
        if (kind < TRANSFERS)
            c->transfer[kind]++;
        c->mispredicted += SAMPLE_HEADER(s, MISPRED);
    }
}

void counts_merge(struct counts *to, const struct counts *from) {
    to->samples += from->samples;
    to->flushed += from->flushed;
    for (unsigned i = 0; i < LATENCIES; i++)
        histogram_merge(&to->latency[i], &from->latency[i]);
    for (unsigned i = 0; i < MISSES; i++)
        to->miss[i] += from->miss[i];
    for (unsigned i = 0; i < SOURCES; i++)
        to->source[i] += from->source[i];
    for (unsigned i = 0; i < TRANSFERS; i++)
        to->transfer[i] += from->transfer[i];
    to->memory += from->memory;
    to->transfers += from->transfers;
    to->mispredicted += from->mispredicted;
}
