/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Control and status registers. A register is a name of the assembler, or a number (TALLY_CSR_*).
 * Values have the width of a register; registers of 64 bits have a high half of
 * their own on RV32 (csr_write64).
 */
#ifndef FW_CSR_H
#define FW_CSR_H

#include <stdbool.h>
#include <stdint.h>

#include "tally_spec.h"

#define CSR_STRING_(x) #x
#define CSR_STRING(x) CSR_STRING_(x)

#define csr_read(csr)                                                                                        \
    __extension__({                                                                                          \
        unsigned long csr_value_;                                                                            \
        __asm__ volatile("csrr %0, " CSR_STRING(csr) : "=r"(csr_value_)::"memory");                          \
        csr_value_;                                                                                          \
    })
#define csr_write(csr, value)                                                                                \
    __asm__ volatile("csrw " CSR_STRING(csr) ", %0" ::"rK"((unsigned long)(value)) : "memory")
#define csr_set(csr, value)                                                                                  \
    __asm__ volatile("csrs " CSR_STRING(csr) ", %0" ::"rK"((unsigned long)(value)) : "memory")
#define csr_clear(csr, value)                                                                                \
    __asm__ volatile("csrc " CSR_STRING(csr) ", %0" ::"rK"((unsigned long)(value)) : "memory")

#if __riscv_xlen == 64
#define csr_write64(csr, high, value) csr_write(csr, value)
#else
#define csr_write64(csr, high, value)                                                                        \
    do {                                                                                                     \
        csr_write(csr, (uint32_t)(value));                                                                   \
        csr_write(high, (uint32_t)((uint64_t)(value) >> 32));                                                \
    } while (0)
#endif

/* One CSR instruction that the hart may not know. `instruction` is its text; %0 in it is `value`. True if it
 * did not trap; csr_try_read leaves what it read in `value`. For set-up only: mepc, mcause and mstatus.MPP
 * are lost. */
#define csr_try_(instruction, value)                                                                         \
    __extension__({                                                                                          \
        unsigned long csr_vector_, csr_done_ = 0;                                                            \
        __asm__ volatile("lla %1, 1f\n"                                                                      \
                         "csrrw %1, mtvec, %1\n" instruction "\n"                                            \
                         "li %2, 1\n"                                                                        \
                         ".balign 4\n"                                                                       \
                         "1: csrw mtvec, %1\n"                                                               \
                         : "+r"(value), "=&r"(csr_vector_), "+&r"(csr_done_)::"memory");                     \
        csr_done_ != 0;                                                                                      \
    })
#define csr_try_read(csr, value) csr_try_("csrr %0, " CSR_STRING(csr), value)
#define csr_exists(csr)                                                                                      \
    __extension__({                                                                                          \
        unsigned long csr_unused_ = 0;                                                                       \
        csr_try_read(csr, csr_unused_);                                                                      \
    })

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

enum privilege { PRIV_U = TALLY_PRIV_U, PRIV_S = TALLY_PRIV_S, PRIV_M = TALLY_PRIV_M };

/* mstatus.MPP of a saved mstatus */
static inline enum privilege previous_mode(unsigned long mstatus) {
    return (enum privilege)((mstatus & MSTATUS_MPP) >> TALLY_MSTATUS_MPP_LSB);
}

#define CAUSE_INTERRUPT (1ul << (__riscv_xlen - 1))
#define INTERRUPT_BIT(name) (1ul << TALLY_INT_##name)
#define EXCEPTION_BIT(name) (1ul << TALLY_EXC_##name)

#endif
