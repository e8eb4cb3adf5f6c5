// SPDX-License-Identifier: Apache-2.0
#include "insn.h"

#include "tally_spec.h"

static struct insn decode_compressed(uint32_t i) {
    struct insn d = {.kind = INSN_OTHER, .length = 2};
    unsigned quadrant = i & 3, funct3 = i >> 13 & 7, reg = i >> 7 & 31;

    d.size = funct3 & 1 ? 8 : 4; /* of those that access memory */
    if (quadrant == 0 && (funct3 == 2 || funct3 == 3))
        d.kind = INSN_LOAD;
    if (quadrant == 0 && (funct3 == 6 || funct3 == 7))
        d.kind = INSN_STORE;
    if (quadrant == 1 && funct3 == 5)
        d.kind = INSN_JAL;
    if (quadrant == 1 && funct3 >= 6)
        d.kind = INSN_BRANCH;
    if (quadrant == 2 && (funct3 == 2 || funct3 == 3))
        d.kind = INSN_LOAD;
    if (quadrant == 2 && (funct3 == 6 || funct3 == 7))
        d.kind = INSN_STORE;
    if (quadrant == 2 && funct3 == 4 && (i >> 2 & 31) == 0 && reg != 0) {
        d.kind = INSN_JALR;
        d.rs1 = reg;
        d.rd = i >> 12 & 1;
    }
    d.system = i == 0x9002; /* c.ebreak */
    return d;
}

static struct insn decode_system(uint32_t i, struct insn d) {
    d.system = true;
    if (i >> 12 & 3)
        d.kind = INSN_CSR;
    else if (i == 0x30200073 || i == 0x10200073)
        d.kind = INSN_TRET;
    else if (SOC_EBB && (i == TALLY_INSN_UEBRET_0 || i == TALLY_INSN_UEBRET_1))
        d.kind = INSN_TRET;
    else if (i >> 25 == 9)
        d.kind = INSN_FENCE;
    return d;
}

struct insn insn_decode(uint32_t i) {
    if ((i & 3) != 3)
        return decode_compressed(i);
    struct insn d = {
        .kind = INSN_OTHER, .rd = i >> 7 & 31, .rs1 = i >> 15 & 31, .length = 4, .size = 1u << (i >> 12 & 3)};
    switch (i & 0x7f) {
    case 0x03:
        d.kind = INSN_LOAD;
        break;
    case 0x23:
        d.kind = INSN_STORE;
        break;
    case 0x0f:
        d.kind = INSN_FENCE;
        d.system = true;
        break;
    case 0x63:
        d.kind = INSN_BRANCH;
        break;
    case 0x67:
        d.kind = INSN_JALR;
        break;
    case 0x6f:
        d.kind = INSN_JAL;
        break;
    case 0x2f:
        d.kind = i >> 27 == 2 ? INSN_LR : i >> 27 == 3 ? INSN_SC : INSN_AMO;
        break;
    case 0x33:
    case 0x3b:
        if (i >> 25 == 1)
            d.kind = i >> 14 & 1 ? INSN_DIV : INSN_MUL;
        break;
    case 0x73:
        return decode_system(i, d);
    default:
        break;
    }
    return d;
}

static bool is_link(unsigned reg) { return reg == 1 || reg == 5; }

unsigned insn_transfer(const struct insn *d, bool taken) {
    switch (d->kind) {
    case INSN_TRET:
        return TALLY_ITYPE_TRET;
    case INSN_BRANCH:
        return taken ? TALLY_ITYPE_BR_TK : TALLY_ITYPE_BR_NT;
    case INSN_JAL:
        return is_link(d->rd) ? TALLY_ITYPE_DIR_CALL
               : d->rd == 0   ? TALLY_ITYPE_DIR_JMP
                              : TALLY_ITYPE_DIR_LJMP;
    case INSN_JALR:
        if (is_link(d->rd))
            return is_link(d->rs1) && d->rs1 != d->rd ? TALLY_ITYPE_CORSWAP : TALLY_ITYPE_IND_CALL;
        if (is_link(d->rs1))
            return TALLY_ITYPE_RETURN;
        return d->rd == 0 ? TALLY_ITYPE_IND_JMP : TALLY_ITYPE_IND_LJMP;
    default:
        return TALLY_ITYPE_NONE;
    }
}

bool insn_reads(const struct insn *d) {
    return d->kind == INSN_LOAD || d->kind == INSN_LR || d->kind == INSN_AMO;
}

bool insn_writes(const struct insn *d) {
    return d->kind == INSN_STORE || d->kind == INSN_SC || d->kind == INSN_AMO;
}

bool insn_atomic(const struct insn *d) {
    return d->kind == INSN_LR || d->kind == INSN_SC || d->kind == INSN_AMO;
}
