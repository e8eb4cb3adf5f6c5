/* SPDX-License-Identifier: Apache-2.0 */
/* The end of a program in S-mode, and its console: the SBI's. */
#include <stdbool.h>

#include "console.h"
#include "sbi_call.h"
#include "supervisor.h"

enum { LEGACY_PUTCHAR = 1, DBCN_WRITE = 0, BASE_PROBE = 3, LINE = 128 };

static char line[LINE];
static unsigned length;

/* A line at a time; the legacy call, a character at a time, is the one that every implementation has. */
static void flush(void) {
    static enum { UNKNOWN, NO, YES } has_dbcn;

    if (has_dbcn == UNKNOWN)
        has_dbcn = sbi_call3(SBI_EXT_BASE, BASE_PROBE, SBI_EXT_DBCN, 0, 0).value ? YES : NO;
    for (unsigned done = 0; done < length;) {
        if (has_dbcn == YES) {
            const struct sbiret wrote =
                sbi_call3(SBI_EXT_DBCN, DBCN_WRITE, length - done, (unsigned long)(line + done), 0);

            if (wrote.error)
                break;
            done += (unsigned)wrote.value;
        } else {
            sbi_call3(LEGACY_PUTCHAR, 0, (unsigned char)line[done++], 0, 0);
        }
    }
    length = 0;
}

void con_putc(char c) {
    line[length++] = c;
    if (c == '\n' || length == LINE)
        flush();
}

void program_exit(int code) {
    const unsigned long shutdown = 0, no_reason = 0, system_failure = 1;

    flush();
    sbi_call3(SBI_EXT_SRST, 0, shutdown, code ? system_failure : no_reason, 0);
    for (;;)
        __asm__ volatile("wfi");
}

void program_died(const struct trap_frame *frame) {
    con_printf("trap: scause %lx, sepc %lx, stval %lx\n", frame->cause, frame->epc, frame->tval);
    program_exit(1);
}
