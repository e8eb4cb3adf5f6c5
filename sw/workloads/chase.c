/* SPDX-License-Identifier: Apache-2.0 */
/* Pointer chase through one random cycle over four times the D cache: nearly every load misses, and none can
 * overlap. */
#include "input.h"
#include "workload.h"

struct node {
    struct node *next;
    uint64_t value;
    uint8_t rest[CHASE_LINE - 16];
};

static struct node nodes[CHASE_N] __attribute__((aligned(CHASE_LINE)));
static uint16_t order[CHASE_N];

/* Sattolo's algorithm makes the permutation a single cycle. */
static void setup(void) {
    uint64_t state = CHASE_SEED;

    for (int i = 0; i < CHASE_N; i++)
        order[i] = (uint16_t)i;
    for (int i = CHASE_N - 1; i > 0; i--) {
        unsigned j = input_next(&state) % (unsigned)i;
        uint16_t t = order[i];

        order[i] = order[j];
        order[j] = t;
    }
    for (int i = 0; i < CHASE_N; i++) {
        nodes[i].next = &nodes[order[i]];
        nodes[i].value = (uint64_t)i * i;
    }
}

static uint64_t work(void) {
    const struct node *p = nodes;
    uint64_t sum = 0;

    for (int i = 0; i < CHASE_HOPS; i++) {
        sum += p->value;
        p = p->next;
    }
    return mix(sum, (uint64_t)(p - nodes));
}

WORKLOAD("chase", setup, work, EXPECTED_CHASE)
