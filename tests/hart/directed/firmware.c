/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The firmware's services to a program in M-mode: parked harts that are woken with a function, interrupts by
 * handler, traps handed to the supervisor, exit codes. With one hart the part with two is left out (argument
 * HARTS).
 */
#include <stdbool.h>
#include <stddef.h>

#include "console.h"
#include "csr.h"
#include "supervisor.h"
#include "timer.h"
#include "trap.h"

static unsigned failed_line;

#define CHECK(condition)                                                                                     \
    do {                                                                                                     \
        if (!(condition) && !failed_line)                                                                    \
            failed_line = __LINE__;                                                                          \
    } while (0)

static volatile unsigned ticks, ipis;

static bool on_timer(struct trap_frame *frame) {
    ticks++;
    timer_set(TIMER_NEVER);
    CHECK(previous_mode(frame->status) == PRIV_M);
    return true;
}

static bool on_ipi(struct trap_frame *frame) {
    (void)frame;
    ipis++;
    ipi_clear((unsigned)csr_read(mhartid));
    return true;
}

static void check_interrupts(void) {
    trap_set_interrupt(TALLY_INT_MTI, on_timer);
    trap_set_interrupt(TALLY_INT_MSI, on_ipi);
    csr_write(mie, 1u << TALLY_INT_MTI | 1u << TALLY_INT_MSI);
    for (unsigned i = 1; i <= 3; i++) {
        timer_set(timer_now() + 20);
        csr_set(mstatus, MSTATUS_MIE);
        while (ticks < i)
            __asm__ volatile("wfi");
        ipi_send(0);
        while (ipis < i)
            ;
        csr_clear(mstatus, MSTATUS_MIE);
    }
    csr_write(mie, 0);
}

/* An exception that no handler takes goes to the supervisor. */
extern char supervisor_trap[];
__asm__(".text\n.balign 4\nsupervisor_trap:\n"
        "csrr a0, scause\ncsrr a1, stval\ncsrw sscratch, t0\ncsrr t0, sepc\naddi t0, t0, 4\ncsrw sepc, t0\n"
        "csrr t0, sscratch\nsret");

static uint64_t illegal_in_supervisor(void *argument) {
    register uint64_t a0 __asm__("a0") = 0;
    register uint64_t a1 __asm__("a1") = 0;

    (void)argument;
    __asm__ volatile(".option push\n.option norvc\ncsrr a2, mscratch\n.option pop"
                     : "+r"(a0), "+r"(a1)::"a2", "memory");
    return a0 << 32 | (uint32_t)a1;
}

static void check_redirect(void) {
    csr_write(stvec, supervisor_trap);
    CHECK(supervisor_call(illegal_in_supervisor, NULL) == ((uint64_t)TALLY_EXC_ILLEGAL << 32 | 0x34002673));
}

#if HARTS > 1
static volatile uint64_t visits, visitor;

static void visit(uint64_t hart, void *argument) {
    volatile uint64_t *counter = argument;

    visitor = hart;
    (*counter)++;
    __asm__ volatile("fence rw, rw" ::: "memory");
}

static void check_harts(void) {
    for (uint64_t i = 1; i <= 5; i++) {
        hart_start(1, visit, (void *)&visits);
        while (visits < i)
            ;
        CHECK(visitor == 1);
    }
}
#endif

int main(void) {
    check_interrupts();
    check_redirect();
#if HARTS > 1
    check_harts();
#endif
    con_printf("%5d|%-4d|%04x|%'lu|%s|%c|%%\n", -42, 7, 0xbeu, 1234567ul, "text", 'x');
    if (failed_line)
        con_printf("firmware.c:%u: check failed\n", failed_line);
    return (int)failed_line;
}
