// SPDX-License-Identifier: Apache-2.0
/* Huffman's code of a text: frequencies, a heap, the tree, the text in bits and back. */
#include "kernel.h"

enum { TEXT = 6000, SYMBOLS = 64, NODES = 2 * SYMBOLS };

static uint8_t text[TEXT], bits[TEXT * 4];
static uint32_t weight[NODES];
static uint8_t left[NODES], right[NODES], heap[SYMBOLS + 1];
static uint32_t code[SYMBOLS];
static uint8_t length[SYMBOLS];
static unsigned heap_n;

static void sift_down(unsigned at) {
    const uint8_t node = heap[at];

    while (2 * at <= heap_n) {
        unsigned child = 2 * at;

        if (child < heap_n && weight[heap[child + 1]] < weight[heap[child]])
            child++;
        if (weight[node] <= weight[heap[child]])
            break;
        heap[at] = heap[child];
        at = child;
    }
    heap[at] = node;
}

static uint8_t take_least(void) {
    const uint8_t least = heap[1];

    heap[1] = heap[heap_n--];
    sift_down(1);
    return least;
}

static void insert(uint8_t node) {
    unsigned at = ++heap_n;

    for (; at > 1 && weight[heap[at / 2]] > weight[node]; at /= 2)
        heap[at] = heap[at / 2];
    heap[at] = node;
}

static void assign(uint8_t node, uint32_t prefix, uint8_t depth) {
    if (node < SYMBOLS) {
        code[node] = prefix;
        length[node] = depth;
    } else {
        assign(left[node], prefix << 1, (uint8_t)(depth + 1));
        assign(right[node], prefix << 1 | 1, (uint8_t)(depth + 1));
    }
}

static uint8_t build(void) {
    uint8_t made = SYMBOLS;

    for (int n = 0; n < SYMBOLS; n++)
        weight[n] = 1;
    for (int n = 0; n < TEXT; n++)
        weight[text[n]]++;
    heap_n = SYMBOLS;
    for (unsigned n = 0; n < SYMBOLS; n++)
        heap[n + 1] = (uint8_t)n;
    for (unsigned n = SYMBOLS / 2; n > 0; n--)
        sift_down(n);
    while (heap_n > 1) {
        left[made] = take_least();
        right[made] = take_least();
        weight[made] = weight[left[made]] + weight[right[made]];
        insert(made++);
    }
    return heap[1];
}

static uint64_t work(void) {
    uint64_t seed = 9, sum = 0;
    uint64_t queue = 0;
    unsigned queued = 0, written = 0;

    /* Small numbers are more frequent. */
    for (int n = 0; n < TEXT; n++)
        text[n] = (uint8_t)((input_next(&seed) % SYMBOLS) * (input_next(&seed) % SYMBOLS) / SYMBOLS);
    const uint8_t root = build();
    assign(root, 0, 0);

    for (int n = 0; n < TEXT; n++) {
        queue = queue << length[text[n]] | code[text[n]];
        queued += length[text[n]];
        while (queued >= 8) {
            queued -= 8;
            bits[written++] = (uint8_t)(queue >> queued);
        }
    }
    bits[written++] = (uint8_t)(queue << (8 - queued));

    uint8_t node = root;
    unsigned decoded = 0;
    for (unsigned n = 0; n < written * 8 && decoded < TEXT; n++) {
        node = bits[n / 8] >> (7 - n % 8) & 1 ? right[node] : left[node];
        if (node < SYMBOLS) {
            sum = mix(sum, node);
            if (node != text[decoded++])
                return 0;
            node = root;
        }
    }
    return mix(mix(sum, written), decoded);
}

KERNEL("huffman", work, 0xd4c6261b85285032)
