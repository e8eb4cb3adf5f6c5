// SPDX-License-Identifier: Apache-2.0
// The unit as Rocket's own counters: counts over small programs by CSR instructions, which the harness
// compares with the trace, and reads from U-mode by the rights of mcounteren and scounteren.

#include "../host.h"
#include "../works.h"

enum { GROUP = 6, ECALLS = 5, OVERFLOWS = 4, PERIOD = 150 };
#define LCOFI (TALLY_MCAUSE_INT_MASK | TALLY_INT_LCOFI)

#define WRITE(num, value) __asm__ volatile("csrw %0, %1" ::"i"(num), "r"((uint64_t)(value)) : "memory")
#define READ(num)                                                                                            \
    ({                                                                                                       \
        uint64_t value_;                                                                                     \
        __asm__ volatile("csrr %0, %1" : "=r"(value_) : "i"(num) : "memory");                                \
        value_;                                                                                              \
    })
// The harness takes these two as the ends of what is counted.
#define GO() __asm__ volatile("csrw mcountinhibit, zero" ::: "memory")
#define STOP() WRITE(TALLY_CSR_MCOUNTINHIBIT, ~0u)

static const uint32_t events[] = {JUDGED_EVENTS};
enum { GROUPS = sizeof events / sizeof *events / GROUP };

static volatile uint32_t last_cause, illegals, overflows, cell;

// Counter 9 overflows behind the PERIODth store.
static void arm(void) {
    WRITE(TALLY_CSR_MHPMEVENT9, TALLY_EV_INST_STORE_RET);
    WRITE(TALLY_CSR_MHPMCOUNTER9, -(uint64_t)PERIOD);
}

__attribute__((interrupt("machine"), aligned(4))) static void trap(void) {
    uint64_t cause = READ(TALLY_CSR_MCAUSE);
    if (cause == LCOFI) {
        __asm__ volatile("csrc mip, %0" ::"r"(LCOFIP));
        if (++overflows < OVERFLOWS)
            arm();
        return;
    }
    last_cause = (uint32_t)cause;
    illegals += cause == TALLY_EXC_ILLEGAL;
    if (cause == TALLY_EXC_ECALL_U || cause == TALLY_EXC_ECALL_S)
        __asm__ volatile("csrs mstatus, %0" ::"r"(3 << 11)); // back to M-mode
    WRITE(TALLY_CSR_MEPC, READ(TALLY_CSR_MEPC) + 4);
}

static uint32_t traps(uint32_t seed) {
    for (unsigned n = 0; n < ECALLS; n++)
        __asm__ volatile(".option push\n.option norvc\necall\n.option pop" ::: "memory");
    overflows = 0;
    arm();
    __asm__ volatile("csrs mie, %0\n csrsi mstatus, 8" ::"r"(LCOFIP));
    while (overflows < OVERFLOWS)
        cell = seed;
    __asm__ volatile("csrci mstatus, 8\n csrc mie, %0" ::"r"(LCOFIP));
    return seed;
}

static const struct {
    const char *name;
    uint32_t (*run)(uint32_t seed);
} works[] = {
    {"crc", crc},       {"matrix", matrix},   {"sort", sort},
    {"string", string}, {"machine", machine}, {"traps", traps},
};

static void judge(uint32_t (*run)(uint32_t)) {
    for (unsigned group = 0; group < GROUPS; group++) {
        const uint32_t *of = events + group * GROUP;
#define PREPARE(n)                                                                                           \
    WRITE(TALLY_CSR_MHPMEVENT3 + (n), of[n]);                                                                \
    WRITE(TALLY_CSR_MHPMCOUNTER3 + (n), 0)
        PREPARE(0);
        PREPARE(1);
        PREPARE(2);
        PREPARE(3);
        PREPARE(4);
        PREPARE(5);
        WRITE(TALLY_CSR_MINSTRET, 0);
        GO();
        run(12345);
        STOP();
        report(TALLY_EV_INST_RET, READ(TALLY_CSR_MINSTRET));
#define REPORT(n) report(of[n], READ(TALLY_CSR_MHPMCOUNTER3 + (n)))
        REPORT(0);
        REPORT(1);
        REPORT(2);
        REPORT(3);
        REPORT(4);
        REPORT(5);
    }
}

// hpmcounter3 as U-mode reads it; `otherwise` if it may not
static uint64_t user_read(uint64_t otherwise) {
    __asm__ volatile(".option push\n.option norvc\n"
                     "la t0, 1f\n csrw mepc, t0\n li t0, 3 << 11\n csrc mstatus, t0\n mret\n"
                     "1: csrr %0, hpmcounter3\n ecall\n.option pop"
                     : "+r"(otherwise)::"t0", "memory");
    return otherwise;
}

static unsigned rights(void) {
    unsigned wrong = 0;
    WRITE(0x3B0, ~0ull >> 10); // pmpaddr0: everything
    WRITE(0x3A0, 0x1f);
    WRITE(TALLY_CSR_MHPMCOUNTER3, 4711);
    for (unsigned open = 0; open < 4; open++) {
        WRITE(TALLY_CSR_MCOUNTEREN, open & 1 ? 8 : 0);
        WRITE(TALLY_CSR_SCOUNTEREN, open & 2 ? 8 : 0);
        illegals = 0;
        uint64_t value = user_read(1);
        wrong +=
            value != (open == 3 ? 4711 : 1) || illegals != (open != 3) || last_cause != TALLY_EXC_ECALL_U;
    }
    return wrong;
}

static volatile uint64_t s_cause, s_pending;

__attribute__((interrupt("supervisor"), aligned(4))) static void s_trap(void) {
    s_cause = READ(TALLY_CSR_SCAUSE);
    s_pending = READ(TALLY_CSR_SIP);
    __asm__ volatile("csrc sip, %0" ::"r"(LCOFIP));
    overflows++;
}

// An overflow in S-mode, which M-mode has delegated, beside what firmware delegates
static unsigned delegated(void) {
    WRITE(TALLY_CSR_MIDELEG, LCOFIP | 0x222);
    WRITE(TALLY_CSR_STVEC, (uintptr_t)s_trap);
    overflows = 0;
    arm();
    __asm__ volatile(".option push\n.option norvc\n"
                     "csrs mie, %0\n la t0, 1f\n csrw mepc, t0\n li t0, 3 << 11\n csrc mstatus, t0\n"
                     "li t0, 1 << 11\n csrs mstatus, t0\n mret\n"
                     "1: csrsi sstatus, 2\n2: sw zero, 0(%1)\n lw t0, 0(%2)\n beqz t0, 2b\n"
                     "csrci sstatus, 2\n ecall\n.option pop" ::"r"(LCOFIP),
                     "r"(&cell), "r"(&overflows)
                     : "t0", "memory");
    return overflows != 1 || s_cause != LCOFI || !(s_pending & LCOFIP) || READ(TALLY_CSR_SIP) & LCOFIP;
}

uint32_t overflow_handler(uint32_t interrupted) { return interrupted; }

int main(void) {
    WRITE(TALLY_CSR_MTVEC, (uintptr_t)trap);
    STOP();
    for (unsigned work = 0; work < sizeof works / sizeof *works; work++) {
        judge(works[work].run);
        print("  ");
        print(works[work].name);
        print(": ");
        print_number((uint32_t)READ(TALLY_CSR_MINSTRET));
        print(" instructions\n");
    }
    STOP();
    unsigned wrong = rights();
    print(wrong ? "FAIL: rights\n" : "rights\n");
    GO();
    wrong += delegated();
    print(wrong ? "FAIL\n" : "PASS\n");
    DEVICE(EXIT) = wrong;
    for (;;)
        ;
}
