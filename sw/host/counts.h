/* SPDX-License-Identifier: Apache-2.0 */
/* Counts of samples. */
#ifndef TALLY_COUNTS_H
#define TALLY_COUNTS_H

#include "histogram.h"
#include "records.h"

enum latency { LATENCY_DISPATCH, LATENCY_ISSUE, LATENCY_EXECUTION, LATENCY_OLDEST, LATENCY_TOTAL, LATENCIES };
extern const char *const latency_names[LATENCIES];

/* Control transfers, in the order of their bits in the record; OTHER has none. */
enum transfer {
    TRET,
    NTBR,
    TKBR,
    INDCALL,
    DIRCALL,
    INDJMP,
    DIRJMP,
    CORSWAP,
    RET,
    INDLJMP,
    DIRLJMP,
    TRANSFERS
};
extern const char *const transfer_names[TRANSFERS];

/* By code of DSRC, of which the reference hart has TALLY_DSRC_N (spec/record.yaml). */
enum { SOURCES = 16 };
const char *source_name(unsigned code);

enum miss { MISS_ITLB, MISS_ICACHE, MISS_L1, MISS_LL, MISS_L1TLB, MISS_LLTLB, MISSES };
extern const char *const miss_names[MISSES];

extern const char *const flush_names[4];
extern const char *const type_names[SAMPLE_TYPES];

struct counts {
    uint64_t samples, flushed;
    struct histogram latency[LATENCIES];
    uint64_t miss[MISSES], source[SOURCES];
    uint64_t memory; /* loads, stores and both */
    uint64_t transfer[TRANSFERS], transfers, mispredicted;
};

void counts_add(struct counts *c, const struct sample *s);
void counts_merge(struct counts *to, const struct counts *from);
/* The kind of a control transfer, TRANSFERS if it has none. */
enum transfer sample_transfer(const struct sample *s);

#endif
