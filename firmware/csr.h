/* SPDX-License-Identifier: Apache-2.0 */
/* Access to control and status registers. A register is a name that the assembler knows, or a number
 * (TALLY_CSR_*). */
#ifndef FW_CSR_H
#define FW_CSR_H

#include <stdint.h>

#include "tally_spec.h"

#define CSR_STRING_(x) #x
#define CSR_STRING(x) CSR_STRING_(x)

#define csr_read(csr)                                                                                        \
    __extension__({                                                                                          \
        uint64_t csr_value_;                                                                                 \
        __asm__ volatile("csrr %0, " CSR_STRING(csr) : "=r"(csr_value_)::"memory");                          \
        csr_value_;                                                                                          \
    })
#define csr_write(csr, value)                                                                                \
    __asm__ volatile("csrw " CSR_STRING(csr) ", %0" ::"rK"((uint64_t)(value)) : "memory")
#define csr_set(csr, value)                                                                                  \
    __asm__ volatile("csrs " CSR_STRING(csr) ", %0" ::"rK"((uint64_t)(value)) : "memory")
#define csr_clear(csr, value)                                                                                \
    __asm__ volatile("csrc " CSR_STRING(csr) ", %0" ::"rK"((uint64_t)(value)) : "memory")

#define MSTATUS_SIE TALLY_MSTATUS_SIE_MASK
#define MSTATUS_MIE TALLY_MSTATUS_MIE_MASK
#define MSTATUS_SPIE TALLY_MSTATUS_SPIE_MASK
#define MSTATUS_MPIE TALLY_MSTATUS_MPIE_MASK
#define MSTATUS_SPP TALLY_MSTATUS_SPP_MASK
#define MSTATUS_MPP TALLY_MSTATUS_MPP_MASK
#define MSTATUS_MPRV TALLY_MSTATUS_MPRV_MASK
#define MSTATUS_SUM TALLY_MSTATUS_SUM_MASK
#define MSTATUS_MXR TALLY_MSTATUS_MXR_MASK
#define MSTATUS_TVM TALLY_MSTATUS_TVM_MASK
#define MSTATUS_TW TALLY_MSTATUS_TW_MASK
#define MSTATUS_TSR TALLY_MSTATUS_TSR_MASK

enum privilege { PRIV_U = 0, PRIV_S = 1, PRIV_M = 3 };

/* mstatus.MPP of a saved mstatus */
static inline enum privilege previous_mode(uint64_t mstatus) {
    return (enum privilege)((mstatus & MSTATUS_MPP) >> TALLY_MSTATUS_MPP_LSB);
}

#define CAUSE_INTERRUPT (1ull << 63)

#endif
