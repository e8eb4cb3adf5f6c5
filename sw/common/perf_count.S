/* SPDX-License-Identifier: Apache-2.0 */
/*
 * uint64_t perf_count(uint64_t (*work)(void))
 *
 * Calls work() with the counters running and returns its result. A write of mcountinhibit takes effect
 * after its instruction, so what is counted is: the call, work(), and the write that stops (perf_report
 * takes that one off again).
 */
    .text
    .globl perf_count
    .balign 64
perf_count:
    addi sp, sp, -16
    sd ra, 0(sp)
    sd s0, 8(sp)
    li s0, -1
    csrw mcountinhibit, zero
    jalr a0
    csrw mcountinhibit, s0
    ld ra, 0(sp)
    ld s0, 8(sp)
    addi sp, sp, 16
    ret
