// SPDX-License-Identifier: Apache-2.0
/* Instruction bits, as far as the checks beside the RTL need them. Plain C, without a simulator. */
#ifndef TALLY_INSN_H
#define TALLY_INSN_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum insn_kind {
    INSN_OTHER,
    INSN_LOAD,
    INSN_STORE,
    INSN_LR,
    INSN_SC,
    INSN_AMO,
    INSN_MUL,
    INSN_DIV,
    INSN_CSR,
    INSN_FENCE,
    INSN_BRANCH,
    INSN_JAL,
    INSN_JALR,
    INSN_TRET
};

struct insn {
    enum insn_kind kind;
    unsigned rd, rs1;
    unsigned length; /* bytes */
    unsigned size;   /* of a memory access, bytes */
    bool system;     /* opcodes SYSTEM and MISC-MEM */
};

/* Compressed instructions: upper half 0 */
struct insn insn_decode(uint32_t bits);

/* Kind of control transfer (CTR): 3 to 15, or 0. A branch: of this outcome. */
unsigned insn_transfer(const struct insn *insn, bool taken);

bool insn_reads(const struct insn *insn); /* memory */
bool insn_writes(const struct insn *insn);
bool insn_atomic(const struct insn *insn); /* LR, SC, AMO */

#ifdef __cplusplus
}
#endif
#endif
