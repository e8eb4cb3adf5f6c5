/* SPDX-License-Identifier: Apache-2.0 */
/*
 * CSR instructions whose register is known only at run time: tables of entries of 8 bytes each, the n-th
 * for counter n. Entries of counters that are not there (1) or selectors that have another name (0, 2)
 * are filled too.
 */
    .option norelax

    .macro table name, instruction, base
    .globl \name
    .balign 8
\name:
    .set n, 0
    .rept 32
    .balign 8
    .ifc \instruction, csrr
    csrr a0, \base + n
    .else
    \instruction \base + n, a0
    .endif
    ret
    .set n, n + 1
    .endr
    .endm

    .text
    table table_counter_read, csrr, 0xB00
    table table_counter_write, csrw, 0xB00
    table table_event_read, csrr, 0x320
    table table_event_write, csrw, 0x320
    table table_event_clear, csrc, 0x320
#if __riscv_xlen == 32
    table table_counterh_read, csrr, 0xB80
    table table_counterh_write, csrw, 0xB80
    table table_eventh_read, csrr, 0x720
    table table_eventh_write, csrw, 0x720
    table table_eventh_clear, csrc, 0x720
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
