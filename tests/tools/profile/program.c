/* SPDX-License-Identifier: Apache-2.0 */
/* A program with the lines, functions and inlining that test_profile.py expects. It is never run: the records
 * are made up. */

/* One instruction, whose address is the next word of the section `known`. */
#define KNOWN(instruction) "1: " instruction "\n.pushsection known, \"\", @progbits\n.word 1b\n.popsection\n"

static inline __attribute__((always_inline)) int twice(int x) {
    int r;
    __asm__ volatile(KNOWN("slli %0, %1, 1") : "=r"(r) : "r"(x)); /* line: twice */
    return r;
}

__attribute__((noinline)) int sum(const int *list, int n) {
    int s;
    __asm__ volatile(KNOWN("lw %0, 0(%1)") : "=r"(s) : "r"(list)); /* line: sum */
    s += twice(n);                                                 /* line: call */
    return s;
}

__attribute__((noinline)) void spin(int n) {
    __asm__ volatile(KNOWN("bnez %0, 1b") : : "r"(n)); /* line: spin */
}

int numbers[4];

void _start(void) {
    numbers[0] = sum(numbers, 4);
    spin(0);
}
