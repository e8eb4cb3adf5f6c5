/* SPDX-License-Identifier: Apache-2.0 */
/*
 * CSRs of counters by number: entry n of a table is the register of counter n. Counters 0 and 2 have no event
 * selector; entries 0, 1 and 2 of its tables are mcountinhibit, mcyclecfg and minstretcfg.
 */
#include "csr_table.inc"
#include "tally_spec.h"

    .text
    .globl table_counter_read
    table table_counter_read, csrr, TALLY_CSR_MCYCLE
    .globl table_counter_write
    table table_counter_write, csrw, TALLY_CSR_MCYCLE
    .globl table_event_read
    table table_event_read, csrr, (TALLY_CSR_MHPMEVENT3-3)
    .globl table_event_write
    table table_event_write, csrw, (TALLY_CSR_MHPMEVENT3-3)
    .globl table_event_clear
    table table_event_clear, csrc, (TALLY_CSR_MHPMEVENT3-3)
#if __riscv_xlen == 32
    .globl table_counterh_read
    table table_counterh_read, csrr, TALLY_CSR_MCYCLEH
    .globl table_counterh_write
    table table_counterh_write, csrw, TALLY_CSR_MCYCLEH
    .globl table_eventh_read
    table table_eventh_read, csrr, (TALLY_CSR_MHPMEVENT3H-3)
    .globl table_eventh_write
    table table_eventh_write, csrw, (TALLY_CSR_MHPMEVENT3H-3)
    .globl table_eventh_clear
    table table_eventh_clear, csrc, (TALLY_CSR_MHPMEVENT3H-3)
#endif

/*
 * bool table_try(unsigned long *value, entry): value = entry(*value); false if the CSR does not exist. For
 * set-up only, as csr_try_ in csr.h.
 */
    .globl table_try
    .balign 4
table_try:
    mv t0, ra
    mv t1, a0
    mv t2, a1
    lla t3, 1f
    csrrw t3, mtvec, t3
    li t4, 0
#if __riscv_xlen == 64
    ld a0, 0(t1)
    jalr t2
    sd a0, 0(t1)
#else
    lw a0, 0(t1)
    jalr t2
    sw a0, 0(t1)
#endif
    li t4, 1
    .balign 4
1:  csrw mtvec, t3
    mv a0, t4
    jr t0
