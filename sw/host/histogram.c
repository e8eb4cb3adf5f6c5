/* SPDX-License-Identifier: Apache-2.0 */
#include "histogram.h"

void histogram_add(struct histogram *h, unsigned value) {
    unsigned bucket = 0;
    while (bucket < HISTOGRAM_BUCKETS - 1 && value > histogram_high(bucket))
        bucket++;
    h->bucket[bucket]++;
    h->n++;
    h->sum += value;
    if (value > h->max)
        h->max = value;
}

void histogram_merge(struct histogram *to, const struct histogram *from) {
    for (unsigned i = 0; i < HISTOGRAM_BUCKETS; i++)
        to->bucket[i] += from->bucket[i];
    to->n += from->n;
    to->sum += from->sum;
    if (from->max > to->max)
        to->max = from->max;
}

double histogram_mean(const struct histogram *h) { return h->n ? (double)h->sum / (double)h->n : 0; }

unsigned histogram_low(unsigned bucket) { return bucket ? 1u << (bucket - 1) : 0; }
unsigned histogram_high(unsigned bucket) { return bucket ? (1u << bucket) - 1 : 0; }
