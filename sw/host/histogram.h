/* SPDX-License-Identifier: Apache-2.0 */
/* How often which latency was seen: buckets 0, 1, 2-3, 4-7 ... 2048-4095. */
#ifndef TALLY_HISTOGRAM_H
#define TALLY_HISTOGRAM_H

#include <stdint.h>

enum { HISTOGRAM_BUCKETS = 13 };

struct histogram {
    uint64_t n, sum, bucket[HISTOGRAM_BUCKETS];
    unsigned max;
};

void histogram_add(struct histogram *h, unsigned value);
void histogram_merge(struct histogram *to, const struct histogram *from);
/* 0 if nothing was added. */
double histogram_mean(const struct histogram *h);
/* The smallest and largest value of a bucket. */
unsigned histogram_low(unsigned bucket);
unsigned histogram_high(unsigned bucket);

#endif
