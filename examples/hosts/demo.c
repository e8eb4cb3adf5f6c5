// SPDX-License-Identifier: Apache-2.0
// The same program for every example host, above an entry of its own: it counts, is interrupted by overflows,
// and samples a loop with exact pcs. Results go to the harness, which has counts of its own, and the samples
// become a file for tally-profile.

#include <stddef.h>

#include "host.h"

enum { SAMPLES = 200, PERIOD = 97, COUNTERS = 4 };

// docs/profile.md, The file of records, with records of RV32
static struct {
    char magic[8];
    uint32_t version, header_size, xlen, record_size;
    uint64_t count, time_clock, core_clock, period, bias;
    uint32_t pid, name_length;
    uint64_t lost, begin, end;
    uint32_t modes, build_id_length;
    uint8_t build_id[20];
    uint32_t zero;
    char name[8];
    struct {
        uint64_t hdrev;
        uint32_t pc, time;
        uint64_t lat;
        uint32_t adr1, adr2;
    } records[SAMPLES];
} profile;

static volatile uint32_t overflows; // served
static volatile uint32_t to_sample;

uint32_t overflow_handler(uint32_t interrupted) {
    uint32_t high = CSR(0, 0), owner = CSR(0, 1);
    CSR_CLEAR(TALLY_CSR_MIP) = LCOFIP;
    if (to_sample) {
        uint32_t n = SAMPLES - to_sample--;
        profile.records[n].hdrev = 1u << (CSR(TALLY_CSR_SHPMSDATA, 0) & 31);
        profile.records[n].pc = CSR(TALLY_CSR_SHPMSPC, 0);
        profile.records[n].adr1 = interrupted;
        if (to_sample)
            prepare(3, TALLY_EV_INST_STORE_RET, -(uint64_t)(PERIOD + n % 7));
        else
            CSR(TALLY_CSR_MCOUNTINHIBIT, 0) = ~0u;
    }
    overflows++;
    CSR(0, 0) = high;
    CSR(0, 1) = owner;
    return interrupted;
}

// ---- work: a sort, and a loop with one store and a call
static uint32_t values[64];

__attribute__((noinline)) static void fill(uint32_t seed) {
    for (unsigned i = 0; i < 64; i++) {
        seed = seed * 5 + 12345;
        values[i] = seed >> 3;
    }
}

__attribute__((noinline)) static void sort(void) {
    for (unsigned i = 1; i < 64; i++) {
        uint32_t value = values[i];
        unsigned at = i;
        for (; at && values[at - 1] > value; at--)
            values[at] = values[at - 1];
        values[at] = value;
    }
}

extern const char the_store[];
__attribute__((noinline, noclone)) static void one_store(volatile uint32_t *to, uint32_t n) {
    __asm__ volatile(
        ".option push\n.option norvc\n1: addi %1, %1, -1\n.globl the_store\nthe_store: sw %1, 0(%0)\n"
        "bnez %1, 1b\n.option pop"
        : "+r"(to), "+r"(n)
        :
        : "memory");
}

static void count(const char *name, unsigned counter, uint32_t event) {
    uint64_t value = read64(TALLY_CSR_MCYCLE + counter);
    print("  ");
    print_number((uint32_t)value);
    print(" ");
    print(name);
    print("\n");
    report(event, value);
}

static void counting(const uint32_t *events, const char *const *names) {
    CSR(TALLY_CSR_MCOUNTINHIBIT, 0) = ~0u;
    for (unsigned i = 0; i < COUNTERS; i++)
        prepare(3 + i, events[i], 0);
    write64(TALLY_CSR_MINSTRET, 0);
    CSR(TALLY_CSR_MCOUNTINHIBIT, 0) = 0;
    fill(events[0]);
    sort();
    CSR(TALLY_CSR_MCOUNTINHIBIT, 0) = ~0u;
    count("instructions", 2, TALLY_EV_INST_RET);
    for (unsigned i = 0; i < COUNTERS; i++)
        count(names[i], 3 + i, events[i]);
}

static int fail(const char *what) {
    print("FAIL: ");
    print(what);
    print("\n");
    DEVICE(EXIT) = 1;
    return 1;
}

int main(void) {
#ifdef ONLY_WORK // to measure the simulation
    for (;;) {
        fill(1);
        sort();
    }
#endif
    static const uint32_t first[] = {TALLY_EV_INST_LOAD_RET, TALLY_EV_INST_STORE_RET, TALLY_EV_INST_BRJMP_RET,
                                     TALLY_EV_INST_BRJMP_BRANCH_TK_RET};
    static const char *const first_names[] = {"loads", "stores", "branches and jumps", "branches taken"};
    static const uint32_t second[] = {TALLY_EV_INST_RVC_RET, TALLY_EV_INST_BRJMP_RETURN_RET,
                                      TALLY_EV_INST_BRJMP_BRANCH_NT_RET, TALLY_EV_INST_BRJMP_DIR_CALL_RET};
    static const char *const second_names[] = {"compressed instructions", "returns", "branches not taken",
                                               "direct calls"};
    print("counts:\n");
    counting(first, first_names);
    counting(second, second_names);

    // overflow, one by one: behind the PERIODth store
    print("overflows:\n");
    uint32_t cell = 0;
    for (unsigned n = 0; n < 3; n++) {
        prepare(3, TALLY_EV_INST_STORE_RET, -(uint64_t)PERIOD);
        CSR(TALLY_CSR_MCOUNTINHIBIT, 0) = ~8u;
        one_store(&cell, 2 * PERIOD);
        CSR(TALLY_CSR_MCOUNTINHIBIT, 0) = ~0u;
        if (overflows != n + 1)
            return fail("an overflow did not interrupt once");
        if (CSR(TALLY_CSR_SHPMSPC, 0) != (uint32_t)(uintptr_t)the_store)
            return fail("shpmspc is not the store");
    }

    // samples of a loop
    print("samples:\n");
    to_sample = SAMPLES;
    prepare(3, TALLY_EV_INST_STORE_RET, -(uint64_t)PERIOD);
    CSR(TALLY_CSR_MCOUNTINHIBIT, 0) = ~8u;
    while (to_sample) {
        one_store(&cell, 400);
        fill(to_sample);
    }
    uint32_t exact = 0, skid = 0;
    for (unsigned n = 0; n < SAMPLES; n++) {
        exact += profile.records[n].pc == (uint32_t)(uintptr_t)the_store;
        skid += profile.records[n].adr1 != profile.records[n].pc + 4;
    }
    print("  ");
    print_number(exact);
    print(" of ");
    print_number(SAMPLES);
    print(" at the store, ");
    print_number(skid);
    print(" interrupts later than the next instruction\n");
    if (exact < SAMPLES / 2)
        return fail("the loop has most of the stores");

    __builtin_memcpy(profile.magic, "TALLYREC", 8);
    profile.version = 2;
    profile.header_size = offsetof(__typeof__(profile), records);
    profile.xlen = 32;
    profile.record_size = sizeof profile.records[0];
    profile.count = SAMPLES;
    profile.period = PERIOD;
    profile.time_clock = profile.core_clock = 50000000;
    profile.name_length = 4;
    __builtin_memcpy(profile.name, "demo", 4);
    DEVICE(DUMP_START) = (uint32_t)(uintptr_t)&profile;
    DEVICE(DUMP_BYTES) = sizeof profile;
    print("PASS\n");
    DEVICE(EXIT) = 0;
    return 0;
}
