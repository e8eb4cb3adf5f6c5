/* SPDX-License-Identifier: Apache-2.0 */
/* Code whose counts are known: the tests expect the events of a turn of each loop. */
    .option norvc
    .text

/* void known_branches(long n, void *memory): 2 instructions and 1 branch a turn, not taken once */
    .balign 64
    .globl known_branches
known_branches:
    addi a0, a0, -1
    bnez a0, known_branches
    ret

/* void known_loads(long n, void *memory): 4 instructions, 2 loads, 1 branch a turn */
    .balign 64
    .globl known_loads
known_loads:
    ld t0, 0(a1)
    ld t1, 8(a1)
    addi a0, a0, -1
    bnez a0, known_loads
    ret

/* void known_stores(long n, void *memory): 3 instructions, 1 store, 1 branch a turn */
    .balign 64
    .globl known_stores
known_stores:
    sd a0, 0(a1)
    addi a0, a0, -1
    bnez a0, known_stores
    ret

/*
 * void known_misses(long n, void *memory): 5 instructions, 1 load a turn, each of another line of 256
 * KiB: every one misses a cache that holds less
 */
    .balign 64
    .globl known_misses
known_misses:
    mv t2, a1
    li t3, 256 * 1024
    add t3, t3, a1
1:  ld t0, 0(t2)
    addi t2, t2, 64
    bne t2, t3, 2f
    mv t2, a1
2:  addi a0, a0, -1
    bnez a0, 1b
    ret

/*
 * void known_pages(long n, void *memory): 1 load a turn, each of another page of 256: every one misses a
 * TLB that holds less
 */
    .balign 64
    .globl known_pages
known_pages:
    mv t2, a1
    li t4, 4096
    slli t3, t4, 8
    add t3, t3, a1
1:  ld t0, 0(t2)
    add t2, t2, t4
    bltu t2, t3, 2f
    mv t2, a1
2:  addi a0, a0, -1
    bnez a0, 1b
    ret

/* void known_misaligned(long n, void *memory): 1 misaligned load and 2 misaligned stores a turn */
    .balign 64
    .globl known_misaligned
known_misaligned:
    ld t0, 1(a1)
    sw t0, 17(a1)
    sd t0, 33(a1)
    addi a0, a0, -1
    bnez a0, known_misaligned
    ret

/*
 * Hot spots for samples: hot_spots(n) spends three quarters of its instructions in hot_a and a quarter in
 * hot_b.
 */
    .balign 64
    .globl hot_spots
hot_spots:
    mv t3, ra
1:  li t0, 150
    call hot_a
    li t0, 50
    call hot_b
    addi a0, a0, -1
    bnez a0, 1b
    jr t3

    .balign 64
    .globl hot_a
hot_a:
    addi t0, t0, -1
    xor t1, t1, t0
    bnez t0, hot_a
    ret
    .globl hot_a_end
hot_a_end:

    .balign 64
    .globl hot_b
hot_b:
    addi t0, t0, -1
    xor t1, t1, t0
    bnez t0, hot_b
    ret
    .globl hot_b_end
hot_b_end:
