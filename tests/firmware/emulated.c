/* SPDX-License-Identifier: Apache-2.0 */
/* An access that the firmware emulates counts as the instruction that it is (Smcntrpmf; docs/firmware.md): no
 * counter differs between a misaligned run of a routine and an aligned one. */
#include "suite.h"

#include <string.h>

/* Events of a run, one counter each; instret is the last */
static const struct {
    unsigned long event;
    uint64_t selector;
    unsigned per_run; /* events in mixed() */
} counted[] = {
    {HW(2), 0, 0},
    {RAW, TALLY_EV_INST_LOAD_RET, 5},
    {RAW, TALLY_EV_INST_STORE_RET, 4},
    {RAW, TALLY_EV_INST_LDST_RET, 9},
    {RAW, TALLY_EV_INST_RVC_RET, 4},
};
enum { EVENTS = sizeof counted / sizeof *counted };

static uint64_t counts[EVENTS + 1];
static unsigned char *address;
static unsigned char memory[64] __attribute__((aligned(16)));

/* Loads and stores of every kind, in both encodings, at `address`. U-mode runs it too. */
__attribute__((noinline)) static uint64_t mixed(void) {
    __asm__ volatile(".option push\n"
                     ".option norvc\n"
                     "mv a4, %0\n"
                     "lh a5, 0(a4)\n"
                     "sh a5, 2(a4)\n"
                     "lhu a5, 4(a4)\n"
                     "lw a5, 8(a4)\n"
                     "sw a5, 12(a4)\n"
                     ".option rvc\n"
                     "c.lw a5, 0(a4)\n"
                     "c.sw a5, 4(a4)\n"
                     "c.lw a3, 8(a4)\n"
                     "c.sw a3, 12(a4)\n"
                     ".option pop\n" ::"r"(address)
                     : "a3", "a4", "a5", "memory");
    return 0;
}

static uint64_t nothing(void) { return 0; }

static unsigned long set_of_counters(unsigned first) {
    return ((1ul << EVENTS) - 1) << first | 1ul << index_of(2);
}

/* Counts of function(), of mixed() at memory + offset. The calls around it retire the same number
 * every time. */
static bool count_run(uint64_t (*function)(void), unsigned offset, bool user, unsigned long filter) {
    const unsigned first = lowest(PROGRAMMABLE);
    const unsigned long set = set_of_counters(first);

    reset_pmu();
    for (unsigned i = 0; i < EVENTS; i++)
        if (pmu_config(first + i, 1, CLEAR_VALUE | filter, counted[i].event, counted[i].selector).error)
            return false;
    if (pmu_config(index_of(2), 1, CLEAR_VALUE | filter, HW(2), 0).error)
        return false;
    address = memory + offset;
    pmu_start(0, set, 0, 0);
    if (user)
        user_call(function);
    else
        function();
    pmu_stop(0, set, 0);
    for (unsigned i = 0; i < EVENTS; i++)
        counts[i] = value_of(first + i);
    counts[EVENTS] = value_of(index_of(2));
    return true;
}

static bool same_at_every_offset(bool user, unsigned long filter) {
    uint64_t aligned[EVENTS + 1];

    for (unsigned offset = 0; offset < 8; offset++) {
        if (!count_run(mixed, offset, user, filter))
            return false;
        if (!offset)
            memcpy(aligned, counts, sizeof aligned);
        for (unsigned i = 0; i <= EVENTS; i++)
            if (counts[i] != aligned[i]) {
                print("  offset %u: counter %u: %lu, aligned %lu\n", offset, i, (unsigned long)counts[i],
                      (unsigned long)aligned[i]);
                return false;
            }
    }
    return true;
}

TEST(emulated_accesses_of_s_mode_count_as_what_they_are) {
    NEED(has_software_event()); /* QEMU does not trap on misaligned accesses */
    EXPECT(same_at_every_offset(false, SET_UINH), true);
    EXPECT(counts[EVENTS] > 10, true);
}

TEST(emulated_accesses_of_u_mode_count_as_what_they_are) {
    NEED(has_software_event());
    EXPECT(same_at_every_offset(true, SET_SINH), true);
    for (unsigned i = 1; i < EVENTS - 1; i++) /* address is loaded too */
        EXPECT(counts[i], counted[i].per_run + (i == 1 || i == 3));
    EXPECT(counts[0], counts[EVENTS]);
}

TEST(emulated_accesses_count_in_their_own_mode_alone) {
    uint64_t around[EVENTS + 1];

    NEED(has_software_event());
    EXPECT(count_run(nothing, 0, true, SET_UINH), true); /* S-mode's own instructions */
    memcpy(around, counts, sizeof around);
    EXPECT(count_run(mixed, 1, true, SET_UINH), true);
    for (unsigned i = 0; i <= EVENTS; i++)
        EXPECT(counts[i], around[i]);
    for (unsigned user = 0; user < 2; user++) {
        EXPECT(count_run(mixed, 1, user, SET_SINH | SET_UINH), true);
        for (unsigned i = 0; i <= EVENTS; i++)
            EXPECT(counts[i], 0);
    }
}

TEST(emulated_access_steps_no_stopped_counter) {
    const unsigned n = lowest(PROGRAMMABLE);

    NEED(has_software_event());
    EXPECT(pmu_config(n, 1, CLEAR_VALUE, RAW, TALLY_EV_INST_LOAD_RET).error, SBI_SUCCESS);
    EXPECT(pmu_config(n + 1, 1, CLEAR_VALUE | AUTO_START, RAW, SOFTWARE_EVENT).error, SBI_SUCCESS);
    address = memory + 1;
    mixed();
    EXPECT(value_of(n), 0);
    EXPECT(value_of(n + 1), 0); /* nor one of another event */
}

/* Counter n on stores (the calls' own are counted in M-mode, which it is not), k steps before it wraps. */
static unsigned arm(unsigned k) {
    const unsigned n = lowest(PROGRAMMABLE);

    pmu_config(n, 1, 0, RAW, TALLY_EV_INST_STORE_RET);
    csr_clear(sip, INTERRUPT_BIT(LCOFI));
    pmu_start(n, 1, SET_INIT_VALUE, -(uint64_t)k);
    return n;
}

static bool lcofi(void) { return csr_read(sip) & INTERRUPT_BIT(LCOFI); }

/* One misaligned store */
#define STORE_AT_1() __asm__ volatile("sh zero, 1(%0)" ::"r"(memory) : "memory")

TEST(emulated_access_overflows_as_an_increment_does) {
    unsigned n;

    NEED(has_software_event());
    n = arm(2);
    STORE_AT_1();
    EXPECT(overflown(n), 0);
    EXPECT(lcofi(), false);
    STORE_AT_1();
    EXPECT(overflown(n), 1);
    EXPECT(lcofi(), true);
    /* OF is set, and stays over a restart without a value: nothing is asked for */
    EXPECT(pmu_stop(n, 1, 0).error, SBI_SUCCESS);
    EXPECT(pmu_start(n, 1, 0, 0).error, SBI_SUCCESS);
    csr_clear(sip, INTERRUPT_BIT(LCOFI));
    STORE_AT_1();
    EXPECT(lcofi(), false);
    EXPECT(overflown(n), 1);
    EXPECT(pmu_stop(n, 1, 0).error, SBI_SUCCESS);
}

/* The first instruction of U-mode, and one behind it */
uint64_t misaligned_store(void);
__asm__(".text\n.option push\n.option norvc\n.balign 4\n.globl misaligned_store\n"
        "misaligned_store: sh zero, -7(sp)\nret\n.option pop");

/* The interrupt comes right behind the access. */
TEST(emulated_access_is_interrupted_behind_its_overflow) {
    const unsigned n = lowest(PROGRAMMABLE);

    NEED(has_software_event());
    EXPECT(pmu_config(n, 1, SET_SINH, HW(2), 0).error, SBI_SUCCESS);
    EXPECT(pmu_start(n, 1, SET_INIT_VALUE, ~0ull).error, SBI_SUCCESS);
    csr_set(sie, INTERRUPT_BIT(LCOFI));
    trap_cause = trap_pc = 0;
    user_call(misaligned_store);
    EXPECT(trap_cause, 1ul << (__riscv_xlen - 1) | TALLY_INT_LCOFI);
    EXPECT(trap_pc, (unsigned long)misaligned_store + 4);
    EXPECT(pmu_stop(n, 1, 0).error, SBI_SUCCESS);
    EXPECT(value_of(n), 1); /* ret */
}

/* The range acts on delegated counters, and SBI's are not (docs/rulings.md, Custom counter controls below
 * M-mode). */
TEST(emulated_access_counts_outside_a_range_that_does_not_act) {
    unsigned n;
    uint64_t before;

    NEED(has_software_event());
    n = lowest(PROGRAMMABLE);
    EXPECT(pmu_config(n, 1, CLEAR_VALUE | AUTO_START, RAW, TALLY_EV_INST_STORE_RET).error, SBI_SUCCESS);
    csr_write(TALLY_CSR_SHPMPCSEL, 1ul << number_of(n));
    EXPECT(csr_read(TALLY_CSR_SHPMPCSEL), 0);
    for (unsigned inside = 0; inside < 2; inside++) {
        csr_write(TALLY_CSR_SHPMPCLO, 0);
        csr_write(TALLY_CSR_SHPMPCHI, inside ? ~0ul : 2);
        before = value_of(n);
        STORE_AT_1();
        EXPECT(value_of(n) > before, true);
    }
    csr_write(TALLY_CSR_SHPMPCSEL, 0);
}

/* Instructions of a load that faults, with the handler's */
static uint64_t instructions_of_a_fault(unsigned long at) {
    const unsigned n = lowest(PROGRAMMABLE);
    unsigned long value;

    pmu_config(n, 1, CLEAR_VALUE, HW(2), 0);
    trap_expected = true;
    pmu_start(n, 1, 0, 0);
    __asm__ volatile("lh %0, 0(%1)" : "=r"(value) : "r"(at));
    pmu_stop(n, 1, RESET);
    trap_expected = false;
    return value_of(n);
}

/* The program sees the fault; the access has not been done, and counts nothing. */
TEST(emulated_access_that_faults_in_the_end_counts_nothing) {
    uint64_t aligned;

    NEED(has_software_event());
    aligned = instructions_of_a_fault(FIRMWARE_DATA);
    EXPECT(trap_cause, TALLY_EXC_LOAD_ACCESS);
    EXPECT(instructions_of_a_fault(FIRMWARE_DATA + 1), aligned);
    EXPECT(trap_cause, TALLY_EXC_LOAD_ACCESS);
}
