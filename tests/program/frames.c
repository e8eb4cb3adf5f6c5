/* SPDX-License-Identifier: Apache-2.0 */
/* Calls of every kind for test_frame_pointers.py; built with frame pointers, and sampled at every instruction
 * of them sooner or later: also before a frame is built and after it is removed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#define APART __attribute__((noinline, noclone))

static volatile long sink;
static jmp_buf back;

/* A leaf: ra stays where it is. */
static APART long leaf(long n) {
    for (long i = 0; i < n; i++)
        sink += i;
    return n;
}

/* Saves ra on one path only, if the compiler likes. */
static APART long sometimes(long n) {
    if (n % 3 == 0)
        return n;
    sink += leaf(n);
    return n + 1;
}

static APART long deep(int n) {
    const long below = n > 0 ? deep(n - 1) : leaf(8);
    sink++;
    return below + 1;
}

static APART long array(int n) {
    volatile char room[n * 16 + 1000];
    room[n] = (char)n;
    sink += sometimes(n);
    return room[n];
}

static APART long many(int n, ...) {
    va_list list;
    long sum = 0;
    va_start(list, n);
    for (int i = 0; i < n; i++)
        sum += leaf(va_arg(list, int));
    va_end(list);
    return sum;
}

static APART long tail(long n) { return sometimes(n + 1); } /* a jump */

static APART long by_pointer(long (*call)(long), long n) {
    const long got = call(n);
    sink++;
    return got;
}

static APART void leave(long n) {
    sink += leaf(n);
    longjmp(back, 1);
}

static APART void around(long n) {
    leave(n);
    sink++;
}

static APART void round_of(int n) {
    deep(n % 7);
    array(n);
    many(3, n, 2, 1);
    by_pointer(leaf, 4);
    by_pointer(tail, n);
    if (!setjmp(back))
        around(3);
    leaf(n % 5);
}

int main(void) {
    for (int n = 1; n <= 60; n++)
        round_of(n);
    printf("%ld\n", sink);
    return 0;
}
