/* SPDX-License-Identifier: Apache-2.0 */
/* A hart that starts or resumes finds no state of the firmware or of the previous supervisor
 * (SBI 3.0, HSM; docs/security.md, State between supervisors). */
#include "suite.h"

enum { A0 = 10, A1 = 11, REGISTERS = 32 };

/* x1 to x31 at the entry, then the stack pointer of the waiting code; a1 points here */
static unsigned long seen[REGISTERS + 1];

#if __riscv_xlen == 64
#define STORE "sd"
#define LOAD "ld"
#define BYTES "8"
#else
#define STORE "sw"
#define LOAD "lw"
#define BYTES "4"
#endif

/* Entries for HSM and SUSP: note_start goes on as the suite's other harts do, with note_done; note_resume
 * comes back from suspend_and_note. */
extern const char note_start[], note_resume[];
void suspend_and_note(unsigned long type, unsigned long fid, unsigned long eid, unsigned long *into);
void note_done(unsigned long hart);
__asm__(".text\n.balign 4\n"
        ".macro note\n"
        " .irp n, 1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31\n" STORE
        " x\\n, " BYTES " * \\n(a1)\n"
        " .endr\n"
        ".endm\n"
        ".globl note_start\nnote_start: note\n lla a1, note_done\n j second_start\n"
        ".globl note_resume\nnote_resume: note\n" LOAD " sp, " BYTES " * 32(a1)\n j note_return\n"
        ".globl suspend_and_note\nsuspend_and_note:\n addi sp, sp, -16 * " BYTES "\n" STORE " ra, 0(sp)\n"
        " .irp n, 0,1,2,3,4,5,6,7,8,9,10,11\n" STORE " s\\n, " BYTES " * (\\n + 1)(sp)\n .endr\n" STORE
        " gp, " BYTES " * 13(sp)\n" STORE " tp, " BYTES " * 14(sp)\n" STORE " sp, " BYTES " * 32(a3)\n"
        " mv a6, a1\n mv a7, a2\n lla a1, note_resume\n mv a2, a3\n ecall\n"
        "note_return:\n" LOAD " ra, 0(sp)\n"
        " .irp n, 0,1,2,3,4,5,6,7,8,9,10,11\n" LOAD " s\\n, " BYTES " * (\\n + 1)(sp)\n .endr\n" LOAD
        " gp, " BYTES " * 13(sp)\n" LOAD " tp, " BYTES " * 14(sp)\n addi sp, sp, 16 * " BYTES "\n ret\n");

void note_done(unsigned long hart) {
    (void)hart;
    other_stop();
}

static bool all_zero_but_arguments(unsigned long hart) {
    for (unsigned n = 1; n < REGISTERS; n++) {
        const unsigned long expected = n == A0 ? hart : n == A1 ? (unsigned long)seen : 0;

        if (seen[n] != expected) {
            print("  x%u is %lx\n", n, seen[n]);
            return false;
        }
    }
    return true;
}

static void fill(void) {
    for (unsigned n = 0; n < REGISTERS; n++)
        seen[n] = ~0ul;
}

TEST(hsm_start_finds_registers_of_zero) {
    NEED(at_least(3, 0));
    NEED(hart_count > 1);
    fill();
    EXPECT(other_start_at(note_start, seen), true);
    other_finish();
    EXPECT(all_zero_but_arguments(other_hart()), true);
}

static void wake_soon(void) {
    sbi_call6(SBI_EXT_IPI, 0, 1, boot_hart, 0, 0, 0, 0);
    csr_write(sie, INTERRUPT_BIT(SSI)); /* SIE is 0: it only wakes */
}

TEST(hsm_and_susp_resume_finds_registers_of_zero) {
    NEED(at_least(3, 0));
    fill();
    wake_soon();
    suspend_and_note(0x80000000, 3, SBI_EXT_HSM, seen);
    EXPECT(all_zero_but_arguments(boot_hart), true);
    fill();
    wake_soon();
    suspend_and_note(0, 0, SBI_EXT_SUSP, seen);
    EXPECT(all_zero_but_arguments(boot_hart), true);
    csr_clear(sip, INTERRUPT_BIT(SSI));
}

/* --- interrupts that wait ------------------------------------------------------------------------- */

enum { SOON = 100000000 };

static volatile unsigned long left_pending, found_pending;

/* Stop with a counter overflow interrupt and a software interrupt pending. */
static void overflow_and_stop(unsigned long hart) {
    const unsigned n = lowest(PROGRAMMABLE);

    (void)hart;
    pmu_config(n, 1, CLEAR_VALUE, HW(1), 0);
    pmu_start(n, 1, SET_INIT_VALUE, -(uint64_t)100);
    for (unsigned wait = 0; wait < SOON && !(csr_read(sip) & INTERRUPT_BIT(LCOFI)); wait++)
        ;
    csr_set(sip, INTERRUPT_BIT(SSI));
    left_pending = csr_read(sip);
}

static void look(unsigned long hart) {
    (void)hart;
    found_pending = csr_read(sip);
}

TEST(hsm_start_finds_no_interrupt_of_who_ran_before) {
    const unsigned long mask = INTERRUPT_BIT(LCOFI) | INTERRUPT_BIT(SSI);

    NEED(at_least(3, 0));
    NEED(hart_count > 1);
    NEED(has_overflow());
    EXPECT(on_other_hart(overflow_and_stop), true);
    EXPECT(left_pending & mask, mask);
    EXPECT(on_other_hart(look), true);
    EXPECT(found_pending & mask, 0);
}
