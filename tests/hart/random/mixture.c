/* SPDX-License-Identifier: Apache-2.0 */
/* The mixture of units, and the program's functions and body. */
#include "units.h"

static void any_unit(struct code *c) {
    static const struct weighted table[] = {
        {unit_alu, 220},
        {unit_compressed, 150},
        {unit_muldiv, 60},
        {unit_load, 110},
        {unit_store, 80},
        {unit_forward, 40},
        {unit_misses, 30},
        {unit_fault_among_misses, 10},
        {unit_alias, 20},
        {unit_interrupt, 12},
        {unit_delegated_counter, 8},
        {unit_sampling, 14},
        {unit_compressed_memory, 50},
        {unit_amo, 16},
        {unit_lr_sc, 12},
        {unit_pointer, 20},
        {unit_wild_access, 2},
        {unit_branch, 110},
        {unit_jump, 20},
        {unit_loop, 16},
        {unit_call, 30},
        {unit_swap, 4},
        {unit_wild_jump, 2},
        {unit_csr_read, 9},
        {unit_csr_write, 6},
        {unit_counter, 4},
        {unit_csr_bits, 4},
        {unit_vectors, 1},
        {unit_satp, 2},
        {unit_fence, 6},
        {unit_ecall, 5},
        {unit_trap, 3},
        {unit_wfi, 1},
        {unit_return, 2},
        {unit_self_modifying, 5},
    };

    if (c->branches && chance(c, 4)) {
        unit_event_branch(c);
        return;
    }
    pick(c, table, COUNT(table));
}

static uint64_t function(struct code *c, unsigned level) {
    uint64_t start = code_address(c);
    unsigned link = level == 1 ? RA : T0;

    c->calls = level;
    for (unsigned n = 1 + below(c, 10); n > 0; n--)
        any_unit(c);
    c->calls = 0;
    if (level == 1 && chance(c, 50))
        put16(c, c_cr(8, link, 0)); /* c.jr */
    else
        put(c, i_type(OP_JALR, 0, 0, link, 0));
    return start;
}

uint64_t generate_code(struct code *c, unsigned length, unsigned passes) {
    uint64_t start, body;

    c->any_unit = any_unit;
    for (size_t i = 0; i < COUNT(c->level2); i++)
        c->level2[i] = function(c, 2);
    for (size_t i = 0; i < COUNT(c->level1); i++)
        c->level1[i] = function(c, 1);
    if (c->branches)
        branch_handlers(c);
    start = code_address(c);
    put(c, i_type(OP_IMM, 0, PASSES, 0, (int32_t)passes));
    body = code_address(c);
    if (c->sampling) {
        sample_buffer(c);
        sample_counter(c);
        sample_control(c);
    }
    branches_begin(c);
    for (unsigned n = 0; n < length; n++)
        any_unit(c);
    put(c, i_type(OP_IMM, 0, PASSES, PASSES, -1));
    put(c, b_type(0, PASSES, 0, 8));
    put(c, j_type(0, (int32_t)(body - code_address(c))));
    load_immediate(c, T2, FINISH_PC);
    put(c, i_type(OP_JALR, 0, 0, T2, 0));
    return c->used <= c->room ? start : 0;
}
