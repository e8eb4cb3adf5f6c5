/* SPDX-License-Identifier: Apache-2.0 */
#include "suite.h"

#include <stdarg.h>
#include <stddef.h>

#include "bits.h"
#include "console.h"
#include "platform.h"
#include "shadow.h"

extern const struct suite_test suite_tests_begin[], suite_tests_end[];

unsigned long boot_hart, hart_count, counters;
unsigned sbi_version;
uint64_t programmable;
static uint8_t numbers[64];
uint64_t hardware_set, firmware_set;

static unsigned failed, skipped;
static bool test_failed, test_skipped;

/* --- reports ------------------------------------------------------------------------------------ */

void print(const char *format, ...) {
    va_list args;

    va_start(args, format);
    con_vprintf(format, args);
    va_end(args);
}

void suite_fail(const char *file, unsigned line, const char *what, unsigned long actual,
                unsigned long expected) {
    print("  %s:%u: %s is %lx, expected %lx\n", file, line, what, actual, expected);
    test_failed = true;
}

void suite_skip(const char *why) {
    print("  needs %s\n", why);
    test_skipped = true;
}

__attribute__((noreturn)) static void finish(unsigned code) {
    write32(FINISHER_BASE, code ? FINISHER_FAIL | code << 16 : FINISHER_PASS);
    for (;;)
        __asm__ volatile("wfi");
}

bool at_least(unsigned major, unsigned minor) { return sbi_version >= (major << 24 | minor); }

unsigned lowest(uint64_t set) { return lowest_bit(set); }

unsigned number_of(unsigned index) { return numbers[index]; }

unsigned index_of(unsigned number) {
    unsigned index = 0;

    while (!(hardware_set >> index & 1) || numbers[index] != number)
        index++;
    return index;
}

bool overflown(unsigned index) { return csr_read(TALLY_CSR_SCOUNTOVF) >> numbers[index] & 1; }

uint64_t all_overflown(void) {
    uint64_t set = 0;

    for (uint64_t rest = programmable; rest; rest &= rest - 1)
        set |= (uint64_t)overflown(lowest(rest)) << lowest(rest);
    return set;
}

uint64_t value_of(unsigned index) {
    uint64_t value;

    if (hardware_set >> index & 1)
        return read_counter(number_of(index));
    value = pmu_fw_read(index).value;
    return __riscv_xlen == 64 ? value : value | (uint64_t)pmu_fw_read_hi(index).value << 32;
}

void reset_pmu(void) {
    for (uint64_t set = hardware_set | firmware_set; set; set &= set - 1)
        pmu_stop(lowest(set), 1, RESET);
    if (at_least(2, 0))
        pmu_set_shmem(~0ul, ~0ul, 0);
    csr_write(sie, 0);
    csr_clear(sip, INTERRUPT_BIT(LCOFI));
}

bool has_overflow(void) {
    trap_expected = true;
    trap_cause = ~0ul;
    (void)csr_read(TALLY_CSR_SCOUNTOVF);
    trap_expected = false;
    return trap_cause == ~0ul;
}

void software_event(void) { csr_write(TALLY_CSR_SHPMSWINC, 1); }

bool has_software_event(void) {
    bool there;

    trap_expected = true;
    trap_cause = ~0ul;
    software_event();
    there = trap_cause == ~0ul;
    trap_expected = false;
    return there;
}

/* --- traps -------------------------------------------------------------------------------------- */

volatile unsigned long trap_cause, trap_value, trap_pc, trap_status, trap_count;
volatile bool trap_expected;
volatile bool guest_runs;
volatile unsigned long trap_hstatus;

enum { ECALL_VS = 10, HSTATUS_SPV = 1 << 7 };

void trap_dispatch(struct trap_frame *frame);

void trap_dispatch(struct trap_frame *frame) {
    trap_cause = frame->cause;
    trap_value = frame->tval;
    trap_pc = frame->epc;
    trap_status = frame->status;
    trap_count++;
    if (guest_runs) {
        if (!trap_hstatus)
            trap_hstatus = csr_read(hstatus);
        if (frame->cause == ECALL_VS) /* it leaves: on behind the call, without it */
            csr_clear(hstatus, HSTATUS_SPV);
    }
    if (frame->cause & CAUSE_INTERRUPT) {
        csr_clear(sie, 1ul << (frame->cause & 63));
    } else if (trap_expected) {
        frame->epc += (*(uint16_t *)frame->epc & 3) == 3 ? 4 : 2;
    } else {
        print("unexpected trap: cause %lx, epc %lx, tval %lx\n", frame->cause, frame->epc, frame->tval);
        finish(99);
    }
}

/* --- the firmware -------------------------------------------------------------------------------- */

bool intact(void) {
    const struct sbiret ret = sbi_call6(SHADOW_EID, 0, 0, 0, 0, 0, 0, 0);

    if (ret.error || !ret.value)
        return true;
    print("  M-mode's memory or registers have changed: %lx\n", ret.value);
    return false;
}

/* --- another hart ------------------------------------------------------------------------------- */

static volatile bool other_changed;

extern char second_start[];
static void (*volatile other_function)(unsigned long hart);
static volatile bool other_done;

static void other_main(unsigned long hart) {
    other_changed |= !intact();
    other_function(hart);
    other_stop();
}

void other_stop(void) {
    other_changed |= !intact();
    __asm__ volatile("fence rw, rw" ::: "memory");
    other_done = true;
    sbi_call6(SBI_EXT_HSM, 1, 0, 0, 0, 0, 0, 0); /* does not return */
}

unsigned long other_hart(void) { return boot_hart ? 0 : 1; }

bool other_start_at(const void *entry, const void *opaque) {
    if (hart_count < 2)
        return false;
    other_done = false;
    __asm__ volatile("fence rw, rw" ::: "memory");
    return !sbi_call6(SBI_EXT_HSM, 0, other_hart(), (unsigned long)entry, (unsigned long)opaque, 0, 0, 0)
                .error;
}

bool other_start(void (*function)(unsigned long hart)) {
    other_function = function;
    return other_start_at(second_start, (const void *)other_main);
}

void other_finish(void) {
    while (!other_done)
        ;
    while (sbi_call6(SBI_EXT_HSM, 2, other_hart(), 0, 0, 0, 0, 0).value != 1)
        ;
}

bool on_other_hart(void (*function)(unsigned long hart)) {
    if (!other_start(function))
        return false;
    other_finish();
    return true;
}

/* --- the run ------------------------------------------------------------------------------------ */

static void explore(void) {
    sbi_version = (unsigned)sbi_call6(SBI_EXT_BASE, 0, 0, 0, 0, 0, 0, 0).value;
    hart_count = 0;
    while (hart_count < 8 && sbi_call6(SBI_EXT_HSM, 2, hart_count, 0, 0, 0, 0, 0).error == 0)
        hart_count++;
    counters = pmu_num_counters().value;
    for (unsigned i = 0; i < counters && i < 64; i++) {
        struct sbiret info = pmu_get_info(i);

        if (info.error)
            continue;
        if (COUNTER_IS_FIRMWARE(info.value)) {
            firmware_set |= 1ull << i;
            continue;
        }
        numbers[i] = (uint8_t)COUNTER_NUMBER(info.value);
        hardware_set |= 1ull << i;
        if (numbers[i] > 2)
            programmable |= 1ull << i;
    }
    print("SBI %u.%u, %lu harts, %lu counters\n", sbi_version >> 24, sbi_version & 0xffffff, hart_count,
          counters);
}

void suite_main(unsigned long hart);

void suite_main(unsigned long hart) {
    unsigned run = 0;

    boot_hart = hart;
    explore();
    intact();
    for (const struct suite_test *test = suite_tests_begin; test < suite_tests_end; test++) {
        test_failed = test_skipped = trap_expected = false;
        reset_pmu();
        test->run();
        trap_expected = false;
        if (!intact() || other_changed)
            test_failed = true;
        print("%s %s\n", test_failed ? "FAIL" : test_skipped ? "skip" : "ok  ", test->name);
        failed += test_failed;
        skipped += !test_failed && test_skipped;
        run++;
    }
    print("%s: %u tests, %u failed, %u skipped\n", failed ? "FAIL" : "PASS", run, failed, skipped);
    finish(failed ? 1 : 0);
}
