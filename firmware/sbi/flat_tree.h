/* SPDX-License-Identifier: Apache-2.0 */
/* Flattened device trees, token by token (Devicetree specification, chapter 5). */
#ifndef FW_FLAT_TREE_H
#define FW_FLAT_TREE_H

#include <stdbool.h>
#include <stdint.h>

/* The blob's header (5.2), cells as stored: big-endian */
struct flat_header {
    uint32_t magic, totalsize, off_dt_struct, off_dt_strings, off_mem_rsvmap, version, last_comp_version,
        boot_cpuid_phys, size_dt_strings, size_dt_struct;
};

/* Tokens of the structure block (5.4.1) */
enum flat_token {
    FLAT_BROKEN, /* none of the others, or not wholly inside of the block */
    FLAT_BEGIN_NODE,
    FLAT_END_NODE,
    FLAT_PROP,
    FLAT_NOP,
    FLAT_END = 9
};

/* A big-endian cell of the blob, or one for it */
static inline uint32_t flat_cell(uint32_t cell) { return __builtin_bswap32(cell); }

struct flat_walk {
    const char *end;                   /* of the structure block */
    const char *strings, *strings_end; /* the strings block */
    const char *at;                    /* the last token */
    const char *next;                  /* the next one */
    const char *name;                  /* of the last node or property */
    const void *value;                 /* of the last property, aligned to a cell */
    uint32_t size;                     /* ... in bytes */
};

/* Can it be read as version 17, are all blocks inside of `limit` bytes and aligned, and every token inside of
 * them? It begins with its one root node (no FDT_NOP before it), which has all others in it. Only such a tree
 * is for the functions below. */
bool flat_whole(const void *blob, uint32_t limit);

/* Where the memory reservation block (5.3) ends in the blob; 0: nowhere. An entry of size 0 is the last one,
 * as to Linux and libfdt. */
uint32_t flat_reservations_end(const void *blob);

/* A walk that begins with the token at this offset in the structure block; 0: the root node */
struct flat_walk flat_walk(const void *blob, uint32_t offset);

enum flat_token flat_next(struct flat_walk *walk);

/* Where the last token is in the structure block */
static inline uint32_t flat_offset(const struct flat_walk *walk, const void *blob) {
    const struct flat_header *header = blob;

    return (uint32_t)(walk->at - (const char *)blob) - flat_cell(header->off_dt_struct);
}

#endif
