/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The units that a random program is made of. A unit is a few instructions that may be executed in any mode:
 * an instruction that the mode forbids traps and is skipped by the runtime, so the generator does not track
 * modes.
 *
 * Registers: x0; x1, x5 link; x2 (sp), x3 (gp), x8, x9 point to data; x4 (tp) resumes wild jumps; x27 passes,
 * x28..x31 loops; x25 and x26 point to data and to devices only, so that a store through
 * them hits no code, even if a stale sepc leads into the middle of a unit; x24 likewise to memory for sample
 * records. The rest is free. Code ends because loops count reserved registers, branches else go
 * forward, and every trap leads on.
 */
#ifndef RANDOM_UNITS_H
#define RANDOM_UNITS_H

#include "encode.h"
#include "random.h"
#include "tally_spec.h"

enum {
    RA = 1,
    SP = 2,
    GP = 3,
    TP = 4,
    T0 = 5,
    T1 = 6,
    T2 = 7,
    S0 = 8,
    S1 = 9,
    SAMPLES = 24,
    DATA = 25,
    DEVICE = 26,
    PASSES = 27,
    COUNTERS = 28
};

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

struct weighted {
    void (*emit)(struct code *c);
    unsigned weight;
};

/* emit.c */
void put16(struct code *c, uint16_t insn);
void put(struct code *c, uint32_t insn);
void patch32(struct code *c, size_t at, uint32_t insn);
void patch16(struct code *c, size_t at, uint16_t insn);
int32_t distance(const struct code *c, size_t from);
uint32_t below(struct code *c, uint32_t n);
bool chance(struct code *c, unsigned percent);
unsigned destination(struct code *c);
unsigned source(struct code *c);
unsigned near_destination(struct code *c);
unsigned compressed_register(struct code *c);
int32_t imm12(struct code *c);
void load_immediate(struct code *c, unsigned rd, uint64_t value);
void load_address(struct code *c, unsigned rd, uint64_t address);
void load_label(struct code *c, unsigned rd, unsigned halves);
/* Emits one of them. */
void pick(struct code *c, const struct weighted *table, size_t n);

/* compute.c */
uint32_t random_alu(struct code *c);
void unit_alu(struct code *c);
uint16_t random_compressed(struct code *c);
void unit_compressed(struct code *c);
void unit_muldiv(struct code *c);

/* memory.c */
unsigned pointer(struct code *c);
void unit_load(struct code *c);
void unit_store(struct code *c);
void unit_forward(struct code *c);
void unit_compressed_memory(struct code *c);
void unit_amo(struct code *c);
void unit_lr_sc(struct code *c);
void unit_pointer(struct code *c);
void cold_line(struct code *c);
int32_t cold_offset(struct code *c, unsigned size);
void cold_load(struct code *c, unsigned rd);
void unit_misses(struct code *c);
void wild_jump(struct code *c);
void unit_fault_among_misses(struct code *c);
void unit_alias(struct code *c);
void unit_wild_access(struct code *c);

/* simple.c */
void simple_unit(struct code *c);

/* flow.c */
void unit_branch(struct code *c);
void unit_jump(struct code *c);
void unit_loop(struct code *c);
void unit_call(struct code *c);
void unit_swap(struct code *c);
void unit_wild_jump(struct code *c);

/* system.c */
void csr(struct code *c, unsigned funct3, unsigned number, unsigned rd, unsigned rs1);
void unit_csr_read(struct code *c);
void unit_csr_write(struct code *c);
void unit_counter(struct code *c);
void unit_csr_bits(struct code *c);
void unit_delegated_counter(struct code *c);
void unit_vectors(struct code *c);
void unit_satp(struct code *c);
void unit_fence(struct code *c);
void unit_ecall(struct code *c);
void unit_trap(struct code *c);
void unit_wfi(struct code *c);
void unit_return(struct code *c);
void unit_self_modifying(struct code *c);

/* sampling.c */
void sample_buffer(struct code *c);
void sample_counter(struct code *c);
void sample_control(struct code *c);
void unit_sampling(struct code *c);

/* branches.c */
void branch_handlers(struct code *c);
void branches_begin(struct code *c);
void unit_event_branch(struct code *c);

/* interrupts.c */
void unit_interrupt(struct code *c);

#endif
