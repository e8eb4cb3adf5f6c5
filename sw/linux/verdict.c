/* SPDX-License-Identifier: Apache-2.0 */
#include "nolibc.h"

#include <linux/reboot.h>

#include "verdict.h"

static void power_off(void) {
    my_syscall4(__NR_reboot, LINUX_REBOOT_MAGIC1, LINUX_REBOOT_MAGIC2, LINUX_REBOOT_CMD_POWER_OFF, 0);
    for (;;)
        ;
}

static unsigned failures;

static void complain(const char *format, va_list args) {
    printf("wrong: ");
    vfprintf(stdout, format, args);
    printf("\n");
    failures++;
}

void wrong(const char *format, ...) {
    va_list args;

    va_start(args, format);
    complain(format, args);
    va_end(args);
}

void finish(void) {
    if (failures)
        printf("FAIL: Linux perf, %u times\n", failures);
    else
        printf("PASS: Linux perf\n");
    power_off();
}

void fail(const char *format, ...) {
    va_list args;

    va_start(args, format);
    complain(format, args);
    va_end(args);
    finish();
}
