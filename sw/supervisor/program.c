/* SPDX-License-Identifier: Apache-2.0 */
/* The end of a program in S-mode, and its console: the SBI's. */
#include "console.h"
#include "sbi_call.h"

__attribute__((noreturn)) void program_exit(int code);
__attribute__((noreturn)) void program_died(unsigned long cause, unsigned long epc, unsigned long tval);

void program_exit(int code) {
    const unsigned long shutdown = 0, no_reason = 0, system_failure = 1;

    sbi_call3(SBI_EXT_SRST, 0, shutdown, code ? system_failure : no_reason, 0);
    for (;;)
        __asm__ volatile("wfi");
}

void program_died(unsigned long cause, unsigned long epc, unsigned long tval) {
    con_printf("trap: scause %lx, sepc %lx, stval %lx\n", cause, epc, tval);
    program_exit(1);
}

/* The legacy call is the one that every implementation has. */
void con_putc(char c) { sbi_call3(1, 0, (unsigned char)c, 0, 0); }
