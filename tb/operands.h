// SPDX-License-Identifier: Apache-2.0
/* Integer registers that an instruction reads and writes, from its bits. Plain C, without a simulator. */
#ifndef TALLY_OPERANDS_H
#define TALLY_OPERANDS_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Numbers of registers; 0: none */
struct operands {
    uint8_t rd, rs1, rs2;
};

/* RV64; compressed instructions: upper half 0 */
struct operands operands_of(uint32_t bits);

#ifdef __cplusplus
}
#endif
#endif
