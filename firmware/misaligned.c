/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Emulation of misaligned loads and stores (the hart traps them), in 16-bit and 32-bit encodings.
 * Atomics are not emulated: two halves could not be atomic.
 */
#include "csr.h"
#include "trap.h"

struct access {
    bool store;
    bool is_unsigned;
    unsigned size; /* bytes */
    unsigned reg;  /* destination of a load, source of a store */
};

enum { OPCODE_LOAD = 0x03, OPCODE_STORE = 0x23 };

static bool decode_32(uint32_t insn, struct access *a) {
    unsigned opcode = insn & 0x7f, funct3 = insn >> 12 & 7;

    a->size = 1u << (funct3 & 3);
    a->is_unsigned = funct3 & 4;
    a->store = opcode == OPCODE_STORE;
    a->reg = a->store ? insn >> 20 & 31 : insn >> 7 & 31;
    if (opcode == OPCODE_LOAD)
        return funct3 != 0 && funct3 != 4 && funct3 != 7;
    return opcode == OPCODE_STORE && funct3 >= 1 && funct3 <= 3;
}

/* C.LW, C.LD, C.SW, C.SD in quadrant 0 (register x8 + bits 4:2) and with SP in quadrant 2. */
static bool decode_16(uint32_t insn, struct access *a) {
    unsigned quadrant = insn & 3, funct3 = insn >> 13 & 7;

    a->is_unsigned = false;
    a->size = funct3 & 1 ? 8 : 4;
    a->store = funct3 & 4;
    if (quadrant == 0)
        a->reg = 8 + (insn >> 2 & 7);
    else
        a->reg = a->store ? insn >> 2 & 31 : insn >> 7 & 31;
    return (quadrant == 0 || quadrant == 2) && (funct3 & 2);
}

/* The instruction as the trapped mode fetched it; execute-only pages are readable with MXR. */
static bool fetch(const struct trap_frame *frame, uint32_t *insn) {
    uint64_t how = MSTATUS_MPRV | MSTATUS_MXR;
    struct guarded half;

    guarded_load(frame->epc, 2, how, &half);
    if (half.cause)
        return false;
    *insn = (uint32_t)half.value;
    if (insn_length(*insn) == 2)
        return true;
    guarded_load(frame->epc + 2, 2, how, &half);
    *insn |= (uint32_t)half.value << 16;
    return !half.cause;
}

static uint64_t extend(uint64_t value, const struct access *a) {
    unsigned unused = 64 - 8 * a->size;

    return a->is_unsigned ? value : (uint64_t)((int64_t)(value << unused) >> unused);
}

bool misaligned_emulate(struct trap_frame *frame) {
    struct guarded data = {0};
    struct access a;
    uint32_t insn;

    if (!fetch(frame, &insn))
        return false;
    if (!(insn_length(insn) == 4 ? decode_32(insn, &a) : decode_16(insn, &a)))
        return false;
    if (a.store) {
        data.value = frame->x[a.reg];
        guarded_store(frame->tval, a.size, MSTATUS_MPRV, &data);
    } else {
        guarded_load(frame->tval, a.size, MSTATUS_MPRV, &data);
    }
    if (data.cause) { /* one of the bytes faults: the program sees that fault */
        if (previous_mode(frame->status) == PRIV_M) {
            frame->cause = data.cause;
            frame->tval = data.tval;
            return false;
        }
        trap_redirect(frame, data.cause, data.tval);
        return true;
    }
    if (!a.store && a.reg)
        frame->x[a.reg] = extend(data.value, &a);
    frame->epc += insn_length(insn);
    return true;
}
