/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Emulation of misaligned loads and stores, in 16-bit and 32-bit encodings. Atomics are not emulated: two
 * halves could not be atomic.
 */
#include "misaligned.h"

#include "csr.h"
#include "guarded.h"
#include "insn.h"
#include "pmu.h"
#include "trap_frame.h"

struct access {
    bool store;
    bool is_unsigned;
    unsigned size; /* bytes */
    unsigned reg;  /* destination of a load, source of a store */
};

enum { OPCODE_LOAD = 0x03, OPCODE_STORE = 0x23, PAGE = 4096 };

static bool decode_32(uint32_t insn, struct access *a) {
    unsigned opcode = insn & 0x7f, funct3 = insn >> 12 & 7;

    a->size = 1u << (funct3 & 3);
    a->is_unsigned = funct3 & 4;
    a->store = opcode == OPCODE_STORE;
    a->reg = a->store ? insn >> 20 & 31 : insn >> 7 & 31;
    if (a->size > __riscv_xlen / 8 || (a->is_unsigned && a->size == __riscv_xlen / 8))
        return false;
    if (opcode == OPCODE_LOAD)
        return a->size > 1;
    return opcode == OPCODE_STORE && !a->is_unsigned && a->size > 1;
}

/* C.LW, C.LD, C.SW, C.SD in quadrant 0 (register x8 + bits 4:2) and with SP in quadrant 2. What C.LD is on
 * RV64 is a floating-point load on RV32. */
static bool decode_16(uint32_t insn, struct access *a) {
    unsigned quadrant = insn & 3, funct3 = insn >> 13 & 7;

    a->is_unsigned = false;
    a->size = funct3 & 1 ? 8 : 4;
    a->store = funct3 & 4;
    if (quadrant == 0)
        a->reg = 8 + (insn >> 2 & 7);
    else
        a->reg = a->store ? insn >> 2 & 31 : insn >> 7 & 31;
    return (quadrant == 0 || quadrant == 2) && (funct3 & 2) && a->size <= __riscv_xlen / 8;
}

static unsigned long extend(uint64_t value, const struct access *a) {
    unsigned unused = 64 - 8 * a->size;

    return (unsigned long)(a->is_unsigned ? value : (uint64_t)((int64_t)(value << unused) >> unused));
}

/* Would a store to the page of `part` fault? An access of 4 bytes there says so; `part` is what the program
 * sees. */
static bool probe(unsigned long part, struct guarded *data) {
    guarded_probe_store(part & ~3ul, data);
    data->tval = part;
    return !data->cause;
}

/* A store that crosses a page must not be half done: both pages are asked first. */
static void store(unsigned long addr, unsigned size, struct guarded *data) {
    const unsigned long last = addr + size - 1;

    if (addr / PAGE != last / PAGE && !(probe(addr, data) && probe(last / PAGE * PAGE, data)))
        return;
    guarded_store(addr, size, MSTATUS_MPRV, data);
}

bool misaligned_emulate(struct trap_frame *frame) {
    struct guarded data = {0};
    struct access a;
    uint32_t insn;

    if (!insn_fetch(frame, &insn) || !(insn_length(insn) == 4 ? decode_32(insn, &a) : decode_16(insn, &a)))
        return false;
    if (a.store) {
        data.value = frame->x[a.reg];
        store(frame->tval, a.size, &data);
    } else {
        guarded_load(frame->tval, a.size, MSTATUS_MPRV, &data);
    }
    if (data.cause) { /* one of the bytes faults: the program sees that fault */
        frame->cause = data.cause;
        frame->tval = data.tval;
        return false;
    }
    if (!a.store && a.reg)
        frame->x[a.reg] = extend(data.value, &a);
    pmu_count_emulated(frame, RETIRED | (a.store ? RETIRED_STORE : RETIRED_LOAD) |
                                  (insn_length(insn) == 2 ? RETIRED_COMPRESSED : 0));
    frame->epc += insn_length(insn);
    return true;
}
