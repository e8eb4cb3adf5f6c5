/* SPDX-License-Identifier: Apache-2.0 */
/* The program that test_gdb.py examines in GDB. */
#include <stdio.h>

volatile int counter;
static volatile struct {
    int id;
    const char *text;
} table[2] = {{7, "seven"}, {8, "eight"}};

static __attribute__((noinline)) int leaf(int n) {
    counter += n; /* the watched store */
    return n * 2;
}

/* The instruction at `patched` is replaced by the debugger. */
static __attribute__((noinline)) int zero(void) {
    register int n __asm__("a0");
    __asm__ volatile(".option push\n.option norvc\n.globl patched\npatched: li a0, 0\n.option pop\n"
                     : "=r"(n));
    return n;
}

static __attribute__((noinline)) int middle(int n) {
    const int twice = leaf(n + 1);
    return twice + table[n & 1].id + zero();
}

int main(void) {
    int sum = 0;
    for (int i = 0; i < 4; i++)
        sum += middle(i);
    printf("sum %d, counter %d\n", sum, counter);
    return sum == 50 ? 0 : 1;
}
