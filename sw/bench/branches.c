/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The cost of an overflow that is served at once, for scripts/bench_sampling.py, which reads the trace of
 * retired instructions: a sort in U-mode is interrupted by its own counter, first by event-based branches,
 * then by a delegated LCOFI in S-mode. Both handlers do the least that arms the counter again. Printed are,
 * for each, the addresses of the handler's first and last instruction. The counter's period is a prime, so
 * that it falls behind instructions of all kinds.
 */
#include "console.h"
#include "csr.h"
#include "ebb.h"
#include "ebb_asm.h"
#include "workload.h"

enum { COUNTER = 3, PERIOD = 499 };
_Static_assert(PERIOD == 499, "the handlers have the number");

/* Clear OF, write the counter, set PME, uebret 1. */
extern const char branch_entry[], branch_return[];
__asm__(".text\n.balign 64\n"
        "branch_entry: addi sp, sp, -16\n sd t0, 0(sp)\n csrci uebbovf, 8\n li t0, -499\n csrw uebbcnt, t0\n"
        "lui t0, 1 << (ubescr_pme - 12)\n csrw ubescr, t0\n ld t0, 0(sp)\n addi sp, sp, 16\n"
        "branch_return: uebret 1\n");

/* Clear LCOFIP and OF, write the counter, sret; siselect has the counter. Everything else goes to trap.S. */
extern const char interrupt_vectors[], interrupt_return[];
ASM_NAME(sireg, TALLY_CSR_SIREG);
ASM_NAME(sireg2, TALLY_CSR_SIREG2);
ASM_NAME(lcofi, TALLY_INT_LCOFI);
ASM_NAME(of, TALLY_MHPMEVENT_OF_LSB);
__asm__(".balign 64\n.option push\n.option norvc\n"
        "interrupt_vectors: .rept lcofi\n j supervisor_trap\n .endr\n j interrupt_entry\n.option pop\n"
        ".balign 64\n"
        "interrupt_entry: csrrw sp, sscratch, sp\n sd t0, -8(sp)\n li t0, 1 << lcofi\n csrc sip, t0\n"
        "li t0, 1\n slli t0, t0, of\n csrc sireg2, t0\n li t0, -499\n csrw sireg, t0\n"
        "ld t0, -8(sp)\n csrrw sp, sscratch, sp\n"
        "interrupt_return: sret\n");

static void check(const char *name, uint64_t (*work)(void)) {
    the_workload.setup();
    if (user_call(work) != the_workload.expected) {
        con_printf("%s: a wrong result\n", name);
        program_exit(1);
    }
}

static void branches(void) {
    ebb_permit(true);
    csr_write(TALLY_CSR_UEBBHR, (uintptr_t)branch_entry);
    csr_write(TALLY_CSR_UEBBSEL, COUNTER);
    csr_write(TALLY_CSR_UBESCR, TALLY_UBESCR_GE_MASK | TALLY_UBESCR_PME_MASK);
    ebb_route(COUNTER, TALLY_EV_INST_RET, PERIOD);
    check("branches", the_workload.work);
    ebb_unroute();
}

static void interrupts(void) {
    csr_set(TALLY_CSR_SCOUNTINHIBIT, 1ul << COUNTER);
    csr_write(TALLY_CSR_SISELECT, TALLY_COUNTER_SELECT + COUNTER);
    csr_write(TALLY_CSR_SIREG, 0 - (uint64_t)PERIOD);
    csr_write(TALLY_CSR_SIREG2, TALLY_EV_INST_RET | TALLY_MHPMEVENT_SINH_MASK);
    const unsigned long old = csr_read(stvec);

    csr_clear(sip, INTERRUPT_BIT(LCOFI));
    csr_write(stvec, (uintptr_t)interrupt_vectors | 1);
    csr_set(sie, INTERRUPT_BIT(LCOFI));
    csr_clear(TALLY_CSR_SCOUNTINHIBIT, 1ul << COUNTER);
    check("interrupts", the_workload.work);
    csr_set(TALLY_CSR_SCOUNTINHIBIT, 1ul << COUNTER);
    csr_clear(sie, INTERRUPT_BIT(LCOFI));
    csr_write(stvec, old);
}

int main(void) {
    if (!ebb_available())
        return 1;
    con_printf("branch %lx %lx\n", (uintptr_t)branch_entry, (uintptr_t)branch_return);
    con_printf("interrupt %lx %lx\n", (uintptr_t)interrupt_vectors + 4 * TALLY_INT_LCOFI,
               (uintptr_t)interrupt_return);
    branches();
    interrupts();
    return 0;
}
