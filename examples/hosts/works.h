// SPDX-License-Identifier: Apache-2.0
// Small programs of which judge.c and rocket/count.c count the instructions. Each takes a seed and returns a
// checksum.

#ifndef WORKS_H
#define WORKS_H

#include <stdint.h>

// Events that both judges count; judge.c counts more
#define JUDGED_EVENTS                                                                                        \
    TALLY_EV_INST_LOAD_RET, TALLY_EV_INST_STORE_RET, TALLY_EV_INST_RVC_RET, TALLY_EV_INST_BRJMP_RET,         \
        TALLY_EV_INST_BRJMP_BRANCH_RET, TALLY_EV_INST_BRJMP_TK_RET, TALLY_EV_INST_BRJMP_BRANCH_TK_RET,       \
        TALLY_EV_INST_BRJMP_BRANCH_NT_RET, TALLY_EV_INST_BRJMP_DIR_CALL_RET,                                 \
        TALLY_EV_INST_BRJMP_IND_CALL_RET, TALLY_EV_INST_BRJMP_RETURN_RET, TALLY_EV_INST_BRJMP_DIR_JUMP_RET,  \
        TALLY_EV_INST_BRJMP_IND_JUMP_RET, TALLY_EV_INST_MUL_RET, TALLY_EV_INST_DIV_RET, TALLY_EV_EXCEPTION,  \
        TALLY_EV_INTERRUPT, TALLY_EV_INST_CSR_RET

uint32_t crc(uint32_t seed);
uint32_t matrix(uint32_t seed);
uint32_t sort(uint32_t seed);
uint32_t string(uint32_t seed);
uint32_t machine(uint32_t seed);

#endif
