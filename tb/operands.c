// SPDX-License-Identifier: Apache-2.0
#include "operands.h"

#include "tally_hart.h"

enum { READS_1 = 1, READS_2 = 2, WRITES = 4 };

/* Formats of the unprivileged manual, by the major opcode */
static unsigned format(uint32_t insn) {
    switch (insn & 0x7F) {
    case 0x33: /* OP, OP-32, AMO */
    case 0x3B:
    case 0x2F:
        return READS_1 | READS_2 | WRITES;
    case 0x13: /* OP-IMM, OP-IMM-32, LOAD, JALR */
    case 0x1B:
    case 0x03:
    case 0x67:
        return READS_1 | WRITES;
    case 0x23: /* STORE, BRANCH */
    case 0x63:
        return READS_1 | READS_2;
    case 0x37: /* LUI, AUIPC, JAL */
    case 0x17:
    case 0x6F:
        return WRITES;
    case 0x73: /* SYSTEM: Zicsr, with a register or an immediate; SFENCE.VMA */
        if (insn >> 12 & 3)
            return insn >> 12 & 4 ? WRITES : READS_1 | WRITES;
        return insn >> 25 == 9 ? READS_1 | READS_2 : 0;
    default:
        return 0;
    }
}

struct operands operands_of(uint32_t bits) {
    uint32_t insn = (bits & 3) == 3 ? bits : gh_rvc_expand(64, (uint16_t)bits);
    unsigned has = format(insn);

    return (struct operands){.rd = has & WRITES ? insn >> 7 & 31 : 0,
                             .rs1 = has & READS_1 ? insn >> 15 & 31 : 0,
                             .rs2 = has & READS_2 ? insn >> 20 & 31 : 0};
}
