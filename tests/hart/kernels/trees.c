// SPDX-License-Identifier: Apache-2.0
/* A treap and a hash table of the same keys: insertions, searches, removals, a walk in order. */
#include "kernel.h"

enum { KEYS = 400, SLOTS = 1024, SEARCHES = 1200 };

struct node {
    struct node *child[2];
    uint32_t key, priority;
};

static struct node nodes[KEYS];
static uint32_t table[SLOTS]; /* 0: free; 1: removed */

static void rotate(struct node **at, int from) {
    struct node *up = (*at)->child[from];

    (*at)->child[from] = up->child[!from];
    up->child[!from] = *at;
    *at = up;
}

static void insert(struct node **at, struct node *node) {
    if (!*at) {
        *at = node;
    } else if ((*at)->key != node->key) {
        const int side = node->key > (*at)->key;

        insert(&(*at)->child[side], node);
        if ((*at)->child[side]->priority > (*at)->priority)
            rotate(at, side);
    }
}

static void discard(struct node **at, uint32_t key) {
    while (*at && (*at)->key != key)
        at = &(*at)->child[key > (*at)->key];
    while (*at) {
        struct node *l = (*at)->child[0], *r = (*at)->child[1];

        if (!l || !r) {
            *at = l ? l : r;
            return;
        }
        const int side = r->priority > l->priority;
        rotate(at, side);
        at = &(*at)->child[!side];
    }
}

static bool find(const struct node *at, uint32_t key) {
    while (at && at->key != key)
        at = at->child[key > at->key];
    return at;
}

static unsigned slot(uint32_t key) { return key * 2654435769u >> 22; }

static void hash_insert(uint32_t key) {
    unsigned n = slot(key);

    while (table[n] > 1 && table[n] != key)
        n = (n + 1) % SLOTS;
    table[n] = key;
}

static unsigned hash_find(uint32_t key) {
    for (unsigned n = slot(key);; n = (n + 1) % SLOTS)
        if (table[n] == key || table[n] == 0)
            return table[n] == key ? n : SLOTS;
}

static uint64_t walk(const struct node *at, uint64_t sum) {
    return at ? walk(at->child[1], mix(walk(at->child[0], sum), at->key)) : sum;
}

static uint64_t work(void) {
    uint64_t seed = 11, sum = 0, hits = 0;
    struct node *root = NULL;

    for (int n = 0; n < SLOTS; n++)
        table[n] = 0;
    for (int n = 0; n < KEYS; n++) {
        const uint32_t key = input_next(&seed) % 2000 + 2;

        nodes[n] = (struct node){{NULL, NULL}, key, input_next(&seed)};
        insert(&root, &nodes[n]);
        if (hash_find(key) == SLOTS)
            hash_insert(key);
    }
    for (int n = 0; n < SEARCHES; n++) {
        const uint32_t key = input_next(&seed) % 2000 + 2;
        const bool in_tree = find(root, key), in_table = hash_find(key) != SLOTS;

        if (in_tree != in_table)
            return 0;
        hits += in_tree;
        if (in_tree && n % 4 == 0) {
            discard(&root, key);
            table[hash_find(key)] = 1;
        }
    }
    return mix(walk(root, sum), hits);
}

KERNEL("trees", work, 0x9f41f54cea50e3cf)
