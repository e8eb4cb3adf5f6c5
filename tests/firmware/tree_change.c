/* SPDX-License-Identifier: Apache-2.0 */
#include "tree_change.h"

#include <libfdt.h>
#include <string.h>

enum { CHANGES_MAX = 8 };

static uint64_t state;

void tree_random_seed(uint64_t seed) { state = seed * 0x9e3779b97f4a7c15ull + 1; }

static uint32_t random32(void) {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (uint32_t)(state * 0x2545f4914f6cdd1dull >> 32);
}

uint32_t tree_random_below(uint32_t n) { return random32() % n; }

#define below tree_random_below
static uint32_t odd_number(void) {
    static const uint32_t odd[] = {0,  1,    2,    3,     4,          8,          9,          16,
                                   17, 0x28, 0x38, 0x7fc, 0x7fffffff, 0x80000000, 0xfffffffc, 0xffffffff};

    return below(4) ? odd[below(sizeof odd / sizeof *odd)] : random32();
}

static void change_once(unsigned char *blob, size_t size) {
    /* some of them in the header and behind it */
    const size_t at = below((uint32_t)(below(8) ? size : size < 128 ? size : 128));
    const uint32_t word = cpu_to_fdt32(odd_number());
    size_t from, length;

    switch (below(4)) {
    case 0:
        blob[at] = (unsigned char)random32();
        break;
    case 1:
        if (at / 4 * 4 + 4 <= size)
            memcpy(blob + at / 4 * 4, &word, 4);
        break;
    case 2:
        blob[at] ^= (unsigned char)(1u << below(8));
        break;
    default: /* a piece of it over another one */
        from = below((uint32_t)size) & ~3u;
        length = below(64);
        if (from + length <= size && (at & ~(size_t)3) + length <= size)
            memmove(blob + (at & ~(size_t)3), blob + from, length);
        break;
    }
}

size_t tree_change(unsigned char *blob, size_t size) {
    for (unsigned n = 1 + below(CHANGES_MAX); n; n--)
        change_once(blob, size);
    return below(8) ? size : below((uint32_t)size);
}

/* --- by tokens -------------------------------------------------------------------------------------- */

enum { TOKENS_MAX = 512 };

struct token {
    int at, end; /* in the structure block */
    uint32_t tag;
};

/* All but the root's first and last, and the end */
static unsigned tokens_of(const unsigned char *blob, struct token *token) {
    unsigned count = 0;

    for (int at = 0, next; count < TOKENS_MAX; at = next) {
        const uint32_t tag = fdt_next_tag(blob, at, &next);

        if (tag == FDT_END)
            break;
        token[count++] = (struct token){at, next, tag};
    }
    return count > 2 && count < TOKENS_MAX ? count - 2 : 0;
}

/* Behind a token: it, or the node that begins there */
static int whole_end(const struct token *token, unsigned i) {
    unsigned depth = 0;

    do {
        depth += token[i].tag == FDT_BEGIN_NODE;
        depth -= token[i].tag == FDT_END_NODE;
        i += depth != 0;
    } while (depth);
    return token[i].end;
}

/* `bytes` into the structure block */
static size_t insert(unsigned char *blob, size_t size, int at, const void *bytes, size_t count) {
    unsigned char *place = blob + fdt_off_dt_struct(blob) + at;

    memmove(place + count, place, size - (size_t)(place - blob));
    memcpy(place, bytes, count);
    fdt_set_off_dt_strings(blob, fdt_off_dt_strings(blob) + (uint32_t)count);
    fdt_set_size_dt_struct(blob, fdt_size_dt_struct(blob) + (uint32_t)count);
    fdt_set_totalsize(blob, fdt_totalsize(blob) + (uint32_t)count);
    return size + count;
}

static uint32_t *cell(unsigned char *blob, int at) {
    return (uint32_t *)(void *)(blob + fdt_off_dt_struct(blob) + at);
}

static size_t rearrange_once(unsigned char *blob, size_t size, size_t limit) {
    static struct token token[TOKENS_MAX];
    static unsigned char copy[TREE_MORE];
    const unsigned count = tokens_of(blob, token), one = 1 + below(count ? count : 1),
                   other = 1 + below(count ? count : 1);
    const struct token *from = &token[one], *to = &token[other];
    const int end = count && from->tag != FDT_END_NODE ? whole_end(token, one) : 0;
    const size_t length = (size_t)(end - from->at);
    const uint32_t nop = cpu_to_fdt32(FDT_NOP);

    if (!count || !end)
        return size;
    switch (below(4)) {
    case 0: /* a gap */
        return size + 4 <= limit ? insert(blob, size, to->at, &nop, 4) : size;
    case 1: /* another property's name */
        if (from->tag == FDT_PROP && to->tag == FDT_PROP)
            *cell(blob, from->at + 8) = *cell(blob, to->at + 8);
        return size;
    case 2: /* nothing is left of it */
        for (int at = from->at; at < end; at += 4)
            *cell(blob, at) = nop;
        return size;
    default: /* once more, there */
        if (length > sizeof copy || size + length > limit)
            return size;
        memcpy(copy, cell(blob, from->at), length);
        return insert(blob, size, to->at, copy, length);
    }
}

size_t tree_rearrange(unsigned char *blob, size_t size) {
    const size_t limit = size + TREE_MORE;

    for (unsigned n = 1 + below(CHANGES_MAX); n; n--)
        size = rearrange_once(blob, size, limit);
    return size;
}
