// SPDX-License-Identifier: Apache-2.0
#include "iss_events.h"

#include "tally_spec.h"

enum { OP_LOAD = 0x03, OP_FENCE = 0x0F, OP_STORE = 0x23, OP_AMO = 0x2F, OP_REG = 0x33, OP_REG32 = 0x3B };
enum { OP_BRANCH = 0x63, OP_JALR = 0x67, OP_JAL = 0x6F, OP_SYSTEM = 0x73 };
enum { FUNCT5_LR = 2, FUNCT5_SC = 3 };

static uint64_t wire(unsigned n) { return UINT64_C(1) << n; }

static bool is_link(unsigned reg) { return reg == 1 || reg == 5; }

/* Control transfer types of the trace specification (itype). */
static uint64_t jump_event(uint32_t insn) {
    unsigned rd = insn >> 7 & 31, rs1 = insn >> 15 & 31;

    if ((insn & 0x7F) == OP_JAL)
        return wire(rd == 0 ? TALLY_EVR_DIR_JMP : is_link(rd) ? TALLY_EVR_DIR_CALL : TALLY_EVR_DIR_LJMP);
    if (is_link(rd))
        return wire(is_link(rs1) && rs1 != rd ? TALLY_EVR_CORSWAP : TALLY_EVR_IND_CALL);
    if (is_link(rs1))
        return wire(TALLY_EVR_RETURN);
    return wire(rd == 0 ? TALLY_EVR_IND_JMP : TALLY_EVR_IND_LJMP);
}

static uint64_t amo_event(uint32_t insn, const struct gh_retire *step) {
    switch (insn >> 27) {
    case FUNCT5_LR:
        return wire(TALLY_EVR_LOAD) | wire(TALLY_EVR_L1D_RD);
    case FUNCT5_SC:
        return wire(TALLY_EVR_STORE) | wire(TALLY_EVR_L1D_WR) |
               (step->mem == GH_MEM_NONE ? wire(TALLY_EVR_SC_FAIL) : 0);
    default:
        return wire(TALLY_EVR_AMO) | wire(TALLY_EVR_L1D_RD) | wire(TALLY_EVR_L1D_WR);
    }
}

static uint64_t muldiv_event(uint32_t insn) {
    if (insn >> 25 != 1)
        return 0;
    return wire(insn >> 14 & 1 ? TALLY_EVR_DIV : TALLY_EVR_MUL);
}

static uint64_t system_event(uint32_t insn, const struct gh_retire *step) {
    if (step->uebret)
        return wire(TALLY_EVR_TRET);
    if (insn >> 12 & 7)
        return wire(TALLY_EVR_CSR);
    if (insn >> 25 == 0x09) /* sfence.vma */
        return wire(TALLY_EVR_FENCE);
    return (insn >> 20 & 0x1F) == 2 ? wire(TALLY_EVR_TRET) : 0;
}

static uint64_t class_event(uint32_t insn, unsigned length, const struct gh_retire *step) {
    uint64_t uncached = step->mem_device ? wire(TALLY_EVR_UNCACHED) : 0;

    switch (insn & 0x7F) {
    case OP_LOAD:
        return wire(TALLY_EVR_LOAD) | (uncached ? uncached : wire(TALLY_EVR_L1D_RD));
    case OP_STORE:
        return wire(TALLY_EVR_STORE) | (uncached ? uncached : wire(TALLY_EVR_L1D_WR));
    case OP_AMO:
        return amo_event(insn, step);
    case OP_REG:
    case OP_REG32:
        return muldiv_event(insn);
    case OP_BRANCH:
        return wire(step->next_pc == step->pc + length ? TALLY_EVR_BR_NT : TALLY_EVR_BR_TK);
    case OP_JAL:
    case OP_JALR:
        return jump_event(insn);
    case OP_FENCE:
        return wire(TALLY_EVR_FENCE);
    case OP_SYSTEM:
        return system_event(insn, step);
    default:
        return 0;
    }
}

uint64_t iss_retire_events(unsigned xlen, const struct gh_retire *step) {
    bool compressed = (step->insn & 3) != 3;
    uint32_t insn = compressed ? gh_rvc_expand(xlen, (uint16_t)step->insn) : step->insn;

    if (!iss_retires(step))
        return 0;
    return wire(TALLY_EVR_INST) | (compressed ? wire(TALLY_EVR_RVC) : 0) |
           class_event(insn, compressed ? 2 : 4, step);
}

static uint64_t exception_event(uint64_t cause) {
    switch (cause) {
    case TALLY_EXC_INSN_PAGE:
        return wire(TALLY_EVC_PGFLT_CODE);
    case TALLY_EXC_LOAD_PAGE:
    case TALLY_EXC_STORE_PAGE:
        return wire(TALLY_EVC_PGFLT_DATA);
    case TALLY_EXC_LOAD_MISALIGNED:
        return wire(TALLY_EVC_MISAL_LD);
    case TALLY_EXC_STORE_MISALIGNED:
        return wire(TALLY_EVC_MISAL_ST);
    case TALLY_EXC_ILLEGAL:
        return wire(TALLY_EVC_ILLEGAL);
    case TALLY_EXC_INSN_ACCESS:
    case TALLY_EXC_LOAD_ACCESS:
    case TALLY_EXC_STORE_ACCESS:
        return wire(TALLY_EVC_ACCFLT);
    default:
        return 0;
    }
}

uint64_t iss_cycle_events(unsigned xlen, const struct gh_retire *step) {
    uint64_t events = wire(TALLY_EVC_CYCLE);

    if (step->ebb) /* no other event counts it (docs/rulings.md, EBB delivery) */
        return events;
    if (!step->trap)
        return events | wire(TALLY_EVC_DISPATCH) | wire(TALLY_EVC_ISSUE);
    if (step->cause >> (xlen - 1))
        return events | wire(TALLY_EVC_INTERRUPT) | wire(TALLY_EVC_FLUSH);
    return events | wire(TALLY_EVC_EXCEPTION) | wire(TALLY_EVC_FLUSH) | exception_event(step->cause);
}
