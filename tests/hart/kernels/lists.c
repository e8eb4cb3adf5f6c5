// SPDX-License-Identifier: Apache-2.0
/* Linked lists: search, reversal, merge sort by two keys; a CRC of what comes out. */
#include "kernel.h"

enum { NODES = 250, ROUNDS = 6 };

struct node {
    struct node *next;
    int16_t value, place;
};

static struct node nodes[NODES];

static struct node *build(uint64_t *seed) {
    for (int n = 0; n < NODES; n++)
        nodes[n] = (struct node){n + 1 < NODES ? &nodes[n + 1] : NULL, (int16_t)(input_next(seed) % 1000),
                                 (int16_t)n};
    return nodes;
}

static struct node *reverse(struct node *list) {
    struct node *done = NULL;

    while (list) {
        struct node *rest = list->next;

        list->next = done;
        done = list;
        list = rest;
    }
    return done;
}

static const struct node *find(const struct node *list, int16_t value) {
    while (list && list->value != value)
        list = list->next;
    return list;
}

typedef int compare(const struct node *a, const struct node *b);

static int by_value(const struct node *a, const struct node *b) { return a->value - b->value; }
static int by_place(const struct node *a, const struct node *b) { return a->place - b->place; }

/* From runs of one upwards, so that no second stack is needed. */
static struct node *sort(struct node *list, compare *order) {
    for (int run = 1;; run *= 2) {
        struct node *rest = list, **link = &list;
        int merges = 0;

        while (rest) {
            struct node *a = rest, *b = rest;
            int in_a = 0, in_b = run;

            merges++;
            for (; in_a < run && b; in_a++)
                b = b->next;
            while (in_a > 0 || (in_b > 0 && b)) {
                struct node *least;

                if (in_a > 0 && (in_b == 0 || !b || order(a, b) <= 0)) {
                    least = a;
                    a = a->next;
                    in_a--;
                } else {
                    least = b;
                    b = b->next;
                    in_b--;
                }
                *link = least;
                link = &least->next;
            }
            rest = b;
        }
        *link = NULL;
        if (merges <= 1)
            return list;
    }
}

static uint16_t crc16(uint16_t crc, uint16_t data) {
    for (int bit = 0; bit < 16; bit++, data >>= 1)
        crc = (uint16_t)((crc ^ data) & 1 ? crc >> 1 ^ 0xa001 : crc >> 1);
    return crc;
}

static uint64_t work(void) {
    uint64_t seed = 1, sum = 0;

    for (int round = 0; round < ROUNDS; round++) {
        struct node *list = build(&seed);
        uint16_t crc = 0;
        uint64_t found = 0;

        for (int n = 0; n < 20; n++) {
            const struct node *hit = find(list, (int16_t)(input_next(&seed) % 1000));

            found = found * 3 + (hit ? (uint64_t)hit->place : 1);
            list = reverse(list);
        }
        list = sort(list, by_value);
        for (const struct node *at = list; at; at = at->next)
            crc = crc16(crc, (uint16_t)at->place);
        list = sort(list, by_place);
        for (const struct node *at = list; at; at = at->next)
            crc = crc16(crc, (uint16_t)at->value);
        sum = mix(mix(sum, found), crc);
    }
    return sum;
}

KERNEL("lists", work, 0xe381226946908ba2)
