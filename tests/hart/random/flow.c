/* SPDX-License-Identifier: Apache-2.0 */
/* Control flow: branches, jumps, loops, calls */
#include "units.h"

/* Over one to three short units */
void unit_branch(struct code *c) {
    static const uint8_t funct3[] = {0, 1, 4, 5, 6, 7};
    unsigned kind = funct3[below(c, 6)], rs1 = source(c), rs2 = source(c);
    bool compressed = chance(c, 30);
    size_t at = c->used;

    put16(c, 0);
    if (!compressed)
        put16(c, 0);
    for (unsigned n = 1 + below(c, 3); n > 0; n--)
        simple_unit(c);
    if (compressed)
        patch16(c, at, c_branch(6 + kind % 2, 8 + rs1 % 8, distance(c, at)));
    else
        patch32(c, at, b_type(kind, rs1, rs2, distance(c, at)));
}

void unit_jump(struct code *c) {
    size_t at = c->used;

    switch (below(c, 4)) {
    case 0:
        put16(c, 0);
        simple_unit(c);
        patch16(c, at, c_j(distance(c, at)));
        break;
    case 1: {
        unsigned link = destination(c); /* a link that is none: other direct jump */

        put(c, 0);
        simple_unit(c);
        patch32(c, at, j_type(link, distance(c, at)));
        break;
    }
    case 2: /* indirect, by register and offset, with or without another link */
        load_label(c, T2, 2 + 2);
        put(c, i_type(OP_JALR, 0, chance(c, 50) ? 0 : 10 + below(c, 6), T2, (int32_t)below(c, 2)));
        put(c, random_alu(c));
        break;
    default:
        load_label(c, T2, 1 + 1);
        put16(c, c_cr(8, T2, 0)); /* c.jr */
        put16(c, random_compressed(c));
    }
}

void unit_loop(struct code *c) {
    unsigned counter = COUNTERS + c->loops + (c->calls ? 2 : 0);
    unsigned turns = 1 + below(c, c->loops || c->calls ? 4 : 12);
    size_t top;

    if (c->loops >= (c->calls ? 1u : 2u) || c->calls == 2 || counter > 31) {
        simple_unit(c);
        return;
    }
    put(c, i_type(OP_IMM, 0, counter, 0, (int32_t)turns));
    c->loops++;
    top = c->used;
    for (unsigned n = 1 + below(c, 8); n > 0; n--)
        c->any_unit(c);
    c->loops--;
    put(c, i_type(OP_IMM, 0, counter, counter, -1));
    /* Until it is not positive: where a trap's return has led past the first instruction it begins at 0. */
    if (distance(c, top) < 4000) {
        put(c, b_type(4, 0, counter, -distance(c, top)));
    } else {
        put(c, b_type(5, 0, counter, 8));
        put(c, j_type(0, -distance(c, top)));
    }
}

/* A level-1 function returns by x1, a level-2 function by x5. */
void unit_call(struct code *c) {
    unsigned link;
    uint64_t target;

    if (c->calls == 2) {
        simple_unit(c);
        return;
    }
    link = c->calls == 0 && chance(c, 60) ? RA : T0;
    target = link == RA ? c->level1[below(c, COUNT(c->level1))] : c->level2[below(c, COUNT(c->level2))];
    if (chance(c, 60)) {
        put(c, j_type(link, (int32_t)(target - code_address(c))));
    } else {
        load_address(c, T2, target);
        if (link == RA && chance(c, 50))
            put16(c, c_cr(9, T2, 0)); /* c.jalr */
        else
            put(c, i_type(OP_JALR, 0, link, T2, 0));
    }
}

/* jalr with both link registers: push and pop of a return-address stack at once */
void unit_swap(struct code *c) {
    if (c->calls) {
        simple_unit(c);
        return;
    }
    if (chance(c, 50)) {
        load_label(c, T0, 2);
        put(c, i_type(OP_JALR, 0, RA, T0, 0));
    } else {
        load_label(c, RA, 2);
        put(c, i_type(OP_JALR, 0, T0, RA, 0));
    }
}

void unit_wild_jump(struct code *c) {
    size_t at = c->used;

    put(c, 0);
    put(c, 0);
    wild_jump(c);
    patch32(c, at, u_type(OP_AUIPC, TP, 0));
    patch32(c, at + 2, i_type(OP_IMM, 0, TP, TP, distance(c, at)));
}
