/* SPDX-License-Identifier: Apache-2.0 */
/* Calls whose stacks are in test_stacks.py. */
#include <setjmp.h>
#include <stdio.h>

#define APART __attribute__((noinline, noclone))

static volatile long sink;
static jmp_buf back;

static APART void work(int n) {
    for (int i = 0; i < n; i++)
        sink += i;
}

static APART void deep(int n) {
    if (n > 0)
        deep(n - 1);
    else
        work(100);
    sink++;
}

static APART void leave(void) {
    work(200);
    longjmp(back, 1);
}

static APART void around(void) {
    leave();
    sink++;
}

static APART void behind(void) {
    work(400);
    sink++;
}

static APART void by_pointer(void (*call)(int)) {
    call(800);
    sink++;
}

int main(void) {
    deep(5);
    if (!setjmp(back))
        around();
    behind(); /* a stack that longjmp() has left alone would be longer */
    by_pointer(work);
    printf("%ld\n", sink);
    return 0;
}
