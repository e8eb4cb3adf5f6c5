/* SPDX-License-Identifier: Apache-2.0 */
/* The firmware follows the device tree's description of the PMU. One program a tree (trees/): TREE is the
 * tree's name. */
#include "events_use.h"

#define STORES_RETIRED TALLY_EV_INST_STORE_RET

static struct sbiret on_any(unsigned long event, uint64_t data) {
    return pmu_config(0, (unsigned long)hardware_set, CLEAR_VALUE | AUTO_START, event, data);
}

/* The hart's number of the counter that took the event */
__attribute__((unused)) static unsigned number_on_any(unsigned long event, uint64_t data) {
    struct sbiret ret = on_any(event, data);

    return ret.error ? ~0u : number_of((unsigned)ret.value);
}

#if defined(TREE_other_selectors)

TEST(event_to_mhpmevent_gives_the_selector) {
    struct sbiret ret = on_any(3, 0); /* the software event in this tree */

    EXPECT(ret.error, SBI_SUCCESS);
    software_event();
    EXPECT(value_of((unsigned)ret.value), 1);
}

TEST(event_to_mhpmcounters_gives_the_counters) {
    EXPECT(number_on_any(3, 0), 4);
    EXPECT(on_any(4, 0).error, SBI_ERR_NOT_SUPPORTED); /* 4 is its only counter too, and taken */
    EXPECT(number_on_any(1, 0), 0);
    EXPECT(number_on_any(2, 0), 2);
    EXPECT(number_on_any(CACHE(0, 0, 0), 0), 8);
    EXPECT(number_on_any(CACHE(0, 0, 0), 0), 9);
    EXPECT(on_any(CACHE(0, 0, 0), 0).error, SBI_ERR_NOT_SUPPORTED);
}

TEST(events_without_a_row_are_not_supported) {
    EXPECT(on_any(6, 0).error, SBI_ERR_NOT_SUPPORTED);
    EXPECT(on_any(CACHE(0, 0, 1), 0).error, SBI_ERR_NOT_SUPPORTED);
}

TEST(selectors_that_the_hardware_does_not_know_are_not_supported) {
    EXPECT(on_any(5, 0).error, SBI_ERR_NOT_SUPPORTED);
}

TEST(raw_event_encoded_as_a_number) {
    EXPECT(number_on_any(RAW, SOFTWARE_EVENT), 6);
    EXPECT(number_on_any(RAW_V2, SOFTWARE_EVENT), 7);
    EXPECT(on_any(RAW, SOFTWARE_EVENT).error, SBI_ERR_NOT_SUPPORTED);
}

TEST(raw_event_encoded_as_a_set) {
    EXPECT(number_on_any(RAW, STORES_RETIRED), 10);
    EXPECT(number_on_any(RAW, TALLY_EV_INST_LOAD_RET), 11);
    EXPECT(on_any(RAW, 0x29).error, SBI_ERR_NOT_SUPPORTED);
}

TEST(no_snapshot_turns_function_7_off) {
    EXPECT(pmu_set_shmem(~0ul, ~0ul, 0).error, SBI_ERR_NOT_SUPPORTED);
    EXPECT(on_any(1, 0).error, SBI_SUCCESS);
    EXPECT(pmu_stop(0, 1, TAKE_SNAPSHOT).error, SBI_ERR_NO_SHMEM);
}

TEST(svadu_alone_is_on_at_boot) {
    EXPECT(sbi_call3(SBI_EXT_FWFT, 1, 4, 0, 0).error, SBI_SUCCESS);
    EXPECT(sbi_call3(SBI_EXT_FWFT, 1, 4, 0, 0).value, 1);
}

#elif defined(TREE_broken_rows)

TEST(svadu_beside_svade_is_off_until_asked_for) {
    EXPECT(sbi_call3(SBI_EXT_FWFT, 1, 4, 0, 0).error, SBI_SUCCESS);
    EXPECT(sbi_call3(SBI_EXT_FWFT, 1, 4, 0, 0).value, 0);
}

TEST(rows_before_and_after_a_broken_one_are_used) {
    EXPECT(number_on_any(3, 0), 3);
    software_event();
    EXPECT(read_counter(3), 1); /* row 0, not row 2 */
    EXPECT(number_on_any(4, 0), 5);
    EXPECT(number_on_any(RAW, SOFTWARE_EVENT), 6);
    EXPECT(number_on_any(RAW, 0x30), 8);
}

TEST(broken_rows_give_nothing) {
    EXPECT(on_any(5, 0).error, SBI_ERR_NOT_SUPPORTED);
    EXPECT(on_any(6, 0).error, SBI_ERR_NOT_SUPPORTED);
    EXPECT(on_any(RAW, STORES_RETIRED).error, SBI_ERR_NOT_SUPPORTED);
}

#elif defined(TREE_no_node)

TEST(zero_extended_event_idx_is_the_selector) {
    for (unsigned long code = 1; code <= 10; code++) {
        EXPECT(number_on_any(code, 0), 2 + code); /* programmable ones, in their order */
    }
}

TEST(raw_events_need_no_table) {
    EXPECT(number_on_any(RAW, SOFTWARE_EVENT), 3);
    software_event();
    EXPECT(read_counter(3), 1);
}

#elif defined(TREE_delegated)

TEST(delegated_counters_are_not_the_sbis) {
    for (uint64_t set = hardware_set; set; set &= set - 1)
        EXPECT(0x78 >> number_of(lowest(set)) & 1, 0);
    for (unsigned n = 0; n < counters; n++)
        EXPECT(pmu_get_info(n).error, SBI_SUCCESS); /* without a gap */
    EXPECT(number_on_any(1, 0), 7);
}

/* menvcfg.CDE, mstateen0.CSRIND, mideleg[13]: without a single call */
TEST(delegated_counter_counts_and_overflows_without_the_sbi) {
    csr_write(TALLY_CSR_SISELECT, TALLY_COUNTER_SELECT + 3);
    csr_write(TALLY_CSR_SIREG2, SOFTWARE_EVENT);
    csr_write(TALLY_CSR_SIREG, ~0ul);
#if __riscv_xlen == 32
    csr_write(TALLY_CSR_SIREG4, ~0ul);
#endif
    csr_clear(TALLY_CSR_SCOUNTINHIBIT, 8);
    EXPECT(csr_read(TALLY_CSR_SCOUNTOVF), 0);
    software_event();
    EXPECT(read_counter(3), 0);
    EXPECT(csr_read(TALLY_CSR_SCOUNTOVF), 8);
    EXPECT(!!(csr_read(sip) & INTERRUPT_BIT(LCOFI)), true);
}

/* The only instruction of U-mode up to the overflow */
uint64_t misaligned_store(void);
__asm__(".text\n.option push\n.option norvc\n.balign 4\n.globl misaligned_store\n"
        "misaligned_store: sh zero, -7(sp)\nret\n.option pop");

/* The firmware notes the cause of an overflow that it makes, as the hardware does (Sspesa): if none waits to
 * be served. */
TEST(emulated_access_that_overflows_is_its_cause) {
    trap_expected = true;
    trap_cause = 0;
    csr_write(TALLY_CSR_SHPMSPC, 0);
    trap_expected = false;
    NEED(trap_cause == 0); /* sampling */
    for (unsigned pending = 0; pending < 2; pending++) {
        unsigned long n;

        csr_write(TALLY_CSR_SHPMSPC, 0);
        csr_write(TALLY_CSR_SHPMSDATA, 0);
        n = pmu_config(0, (unsigned long)hardware_set, SET_SINH, HW(2), 0).value;
        EXPECT(pmu_start(n, 1, SET_INIT_VALUE, ~0ull).error, SBI_SUCCESS);
        if (pending)
            csr_set(sip, INTERRUPT_BIT(LCOFI));
        else
            csr_clear(sip, INTERRUPT_BIT(LCOFI));
        user_call(misaligned_store);
        EXPECT(csr_read(TALLY_CSR_SHPMSPC), pending ? 0 : (unsigned long)misaligned_store);
        EXPECT(csr_read(TALLY_CSR_SHPMSDATA), pending ? 0 : number_of((unsigned)n));
        EXPECT(overflown((unsigned)n), 1);
        EXPECT(pmu_stop(n, 1, RESET).error, SBI_SUCCESS);
    }
}

static struct { unsigned long sepc, cause, counter; } samples[8];
static volatile unsigned sample_count;

/* A counter of the supervisor's own: it counts software events, which do not happen here. */
static void note_sample(struct handler *handler, unsigned long hart) {
    (void)handler;
    (void)hart;
    samples[sample_count].sepc = csr_read(sepc);
    samples[sample_count].cause = csr_read(TALLY_CSR_SHPMSPC);
    samples[sample_count].counter = csr_read(TALLY_CSR_SHPMSDATA);
    sample_count++;
    csr_write(TALLY_CSR_SISELECT, TALLY_COUNTER_SELECT + 3);
#if __riscv_xlen == 64
    csr_clear(TALLY_CSR_SIREG2, TALLY_MHPMEVENT_OF_MASK);
#else
    csr_clear(TALLY_CSR_SIREG5, 1ul << 31);
    csr_write(TALLY_CSR_SIREG4, ~0ul);
#endif
    csr_write(TALLY_CSR_SIREG, -3ul);
}

/* Two instructions, turn by turn: every third is sampled, so each of them is. */
extern char marks[];
__attribute__((noinline)) static void marked_loop(unsigned long turns) {
    __asm__ volatile(".option push\n.option norvc\n"
                     ".globl marks\nmarks: csrwi %1, 1\nadd zero, zero, zero\ncsrwi %1, 1\n"
                     "addi %0, %0, -1\nbnez %0, marks\n.option pop"
                     : "+r"(turns)
                     : "i"(TALLY_CSR_SHPMSWINC)
                     : "memory");
}

/* The cause that Sspesa notes is the supervisor's instruction, though it is M-mode that takes the interrupt.
 */
TEST(sse_pmu_sample_has_its_cause_where_interrupts_are_off) {
    struct handler handler = {.handle = note_sample};

    reset_events();
    sample_count = 0;
    csr_clear(sstatus, MSTATUS_SIE);
    csr_set(TALLY_CSR_SCOUNTINHIBIT, 8);
    csr_write(TALLY_CSR_SISELECT, TALLY_COUNTER_SELECT + 3);
    csr_write(TALLY_CSR_SIREG2, SOFTWARE_EVENT);
#if __riscv_xlen == 32
    csr_write(TALLY_CSR_SIREG5, 0);
    csr_write(TALLY_CSR_SIREG4, ~0ul);
#endif
    csr_write(TALLY_CSR_SIREG, -3ul);
    csr_clear(sip, INTERRUPT_BIT(LCOFI));
    EXPECT(use_event(&handler, LOCAL_PMU), SBI_SUCCESS);
    EXPECT(sse(SSE_UNMASK, 0, 0, 0), SBI_SUCCESS);
    csr_clear(TALLY_CSR_SCOUNTINHIBIT, 8);
    marked_loop(12); /* 24 events */
    csr_set(TALLY_CSR_SCOUNTINHIBIT, 8);
    reset_events();
    EXPECT(sample_count, 8);
    for (unsigned i = 0; i < 8; i++) {
        const unsigned long at = (unsigned long)marks + (i % 2 ? 8 : 0); /* the 3rd, 6th, 9th ... */

        EXPECT(samples[i].cause, at);
        EXPECT(samples[i].sepc, at + 4);
        EXPECT(samples[i].counter & 31, 3);
    }
}

TEST(delegation_is_open_for_lambi_too) {
    csr_set(sie, INTERRUPT_BIT(LAMBI));
    EXPECT(!!(csr_read(sie) & INTERRUPT_BIT(LAMBI)), true);
    csr_clear(sie, INTERRUPT_BIT(LAMBI));
}

/* The tree does not ask for them, though the hart has them. */
TEST(event_based_branches_stay_closed_without_the_property) {
    trap_expected = true;
    trap_cause = 0;
    csr_read(TALLY_CSR_SEBBCTL);
    trap_expected = false;
    EXPECT(trap_cause, TALLY_EXC_ILLEGAL);
}

#elif defined(TREE_branches)

TEST(property_opens_the_supervisors_gate) {
    csr_write(TALLY_CSR_SEBBCTL, ~0ul);
    EXPECT(csr_read(TALLY_CSR_SEBBCTL) & 0x7f, 0x78 | TALLY_SEBBCTL_EN_MASK | TALLY_SEBBCTL_WIN_MASK);
    csr_write(TALLY_CSR_SEBBCTL, 0);
    csr_write(TALLY_CSR_UBESCR, TALLY_UBESCR_PME_MASK);
    EXPECT(csr_read(TALLY_CSR_UBESCR), TALLY_UBESCR_PME_MASK);
    csr_write(TALLY_CSR_UBESCR, 0);
}

TEST(machine_gate_stays_the_firmwares) {
    trap_expected = true;
    trap_cause = 0;
    csr_write(TALLY_CSR_MEBBCTL, 0);
    trap_expected = false;
    EXPECT(trap_cause, TALLY_EXC_ILLEGAL);
}

/* A delegated counter that is routed: its overflow waits in ubescr, and makes no LCOFI. */
uint64_t one_store(void);
__asm__(".text\n.balign 4\n.globl one_store\none_store: sw zero, -16(sp)\nret");

TEST(routed_overflow_is_the_users) {
    csr_write(TALLY_CSR_SISELECT, TALLY_COUNTER_SELECT + 3);
    csr_write(TALLY_CSR_SIREG2, TALLY_EV_INST_STORE_RET);
#if __riscv_xlen == 32
    csr_write(TALLY_CSR_SIREG5, 0);
    csr_write(TALLY_CSR_SIREG4, ~0ul);
#endif
    csr_write(TALLY_CSR_SIREG, ~0ul);
    csr_write(TALLY_CSR_SEBBCTL, TALLY_SEBBCTL_EN_MASK | 8);
    csr_write(TALLY_CSR_UBESCR, TALLY_UBESCR_PME_MASK);
    csr_clear(sip, INTERRUPT_BIT(LCOFI));
    csr_clear(TALLY_CSR_SCOUNTINHIBIT, 8);
    user_call(one_store);
    EXPECT(csr_read(TALLY_CSR_UBESCR), TALLY_UBESCR_PMEO_MASK);
    EXPECT(csr_read(TALLY_CSR_SCOUNTOVF), 8);
    EXPECT(csr_read(sip) & INTERRUPT_BIT(LCOFI), 0);
    csr_write(TALLY_CSR_UBESCR, 0);
    csr_write(TALLY_CSR_SEBBCTL, 0);
}

#if __riscv_xlen == 32
static uint32_t low, high;

/* From U-mode: counter 3 becomes 2^64 - 2; its values before and after. */
static uint64_t use_both_halves(void) {
    csr_write(TALLY_CSR_UEBBSEL, 3);
    csr_write(TALLY_CSR_UEBBCNT, -2u);
    csr_write(TALLY_CSR_UEBBCNTH, -1u);
    low = csr_read(TALLY_CSR_UEBBCNT); /* loads and CSR accesses are no stores */
    high = csr_read(TALLY_CSR_UEBBCNTH);
    return (uint64_t)csr_read(TALLY_CSR_UEBBOVF) << 32 | csr_read(TALLY_CSR_UEBBCNTH);
}

TEST(rv32_window_has_both_halves_of_a_counter) {
    csr_write(TALLY_CSR_SISELECT, TALLY_COUNTER_SELECT + 3);
    csr_write(TALLY_CSR_SIREG2, TALLY_EV_SOFTWARE); /* never in U-mode */
    csr_write(TALLY_CSR_SIREG5, 0);
    csr_set(TALLY_CSR_SSTATEEN0, TALLY_SSTATEEN0_C_MASK);
    csr_write(TALLY_CSR_SEBBCTL, TALLY_SEBBCTL_EN_MASK | TALLY_SEBBCTL_WIN_MASK | 8);
    csr_clear(TALLY_CSR_SCOUNTINHIBIT, 8);
    EXPECT(user_call(use_both_halves), -1u);
    EXPECT(low, -2u);
    EXPECT(high, -1u);
    EXPECT(csr_read(TALLY_CSR_SIREG), -2u);
    EXPECT(csr_read(TALLY_CSR_SIREG4), -1u);
    /* Stores of U-mode carry from one half into the other, and out of it. */
    csr_write(TALLY_CSR_SIREG2, TALLY_EV_INST_STORE_RET);
    csr_write(TALLY_CSR_UBESCR, TALLY_UBESCR_PME_MASK);
    user_call(one_store);
    EXPECT(csr_read(TALLY_CSR_UBESCR), TALLY_UBESCR_PME_MASK);
    user_call(one_store);
    EXPECT(csr_read(TALLY_CSR_UBESCR), TALLY_UBESCR_PMEO_MASK);
    EXPECT(csr_read(TALLY_CSR_UEBBCNT) | csr_read(TALLY_CSR_UEBBCNTH), 0);
    csr_write(TALLY_CSR_UBESCR, 0);
    csr_write(TALLY_CSR_SEBBCTL, 0);
}
#endif

#elif defined(TREE_branches_refused)

TEST(what_cannot_be_had_stays_closed) {
    trap_expected = true;
    trap_cause = 0;
    csr_read(TALLY_CSR_SEBBCTL);
    EXPECT(trap_cause, TALLY_EXC_ILLEGAL);
    trap_cause = 0;
    csr_read(TALLY_CSR_UBESCR);
    trap_expected = false;
    EXPECT(trap_cause, TALLY_EXC_ILLEGAL);
}

#elif defined(TREE_odd_machine)

/* May a call name the byte? Nothing is written: there is no input. */
static bool is_memory(unsigned long at) {
    return sbi_call6(SBI_EXT_DBCN, 1, 1, at, 0, 0, 0, 0).error == SBI_SUCCESS;
}

static bool ends_at(unsigned long end) { return is_memory(end - 1) && !is_memory(end); }

TEST(every_range_of_memory_is_used_more_than_four_too) {
    EXPECT(ends_at(0x81000000), true);
    EXPECT(is_memory(0x810fffff), false);
    EXPECT(ends_at(0x81200000), true);
    EXPECT(ends_at(0x83000000), true);
    EXPECT(ends_at(0x83101000), true);
    EXPECT(ends_at(0x83202000), true);
    EXPECT(is_memory(0x832fffff), false);
    EXPECT(ends_at(0x83400000), true);
}

TEST(memory_that_is_switched_off_is_not_used) {
    EXPECT(is_memory(0x84000000), false);
    EXPECT(is_memory(0x84ffffff), false);
    EXPECT(is_memory(0x85000000), true);
}

TEST(memory_that_does_not_answer_is_not_used) {
    EXPECT(ends_at(0x88000000), true);
    EXPECT(is_memory(0x90000000), false);
    EXPECT(is_memory(0xc4ffffff), false);
}

TEST(harts_that_are_switched_off_do_not_exist) {
    EXPECT(hart_count, 1);
    for (unsigned long id = 1; id < 3; id++) {
        EXPECT(sbi_call3(SBI_EXT_HSM, 2, id, 0, 0).error, SBI_ERR_INVALID_PARAM);
        EXPECT(sbi_call3(SBI_EXT_HSM, 0, id, 0x80200000, 0).error, SBI_ERR_INVALID_PARAM);
        EXPECT(sbi_call3(SBI_EXT_IPI, 0, 1, id, 0).error, SBI_ERR_INVALID_PARAM);
    }
}

TEST(bits_of_a_raw_row_that_no_event_has_match_anything) {
    EXPECT(number_on_any(RAW, SOFTWARE_EVENT), 3);
    EXPECT(number_on_any(RAW, TALLY_EV_INST_LOAD_RET), 10);
    EXPECT(number_on_any(RAW_V2, STORES_RETIRED), 11);
    EXPECT(on_any(RAW, STORES_RETIRED).error, SBI_ERR_NOT_SUPPORTED);
}

#elif defined(TREE_delegated_all)

TEST(with_every_counter_delegated_there_is_no_pmu_extension) {
    EXPECT(sbi_call3(SBI_EXT_BASE, 3, SBI_EXT_PMU, 0, 0).value, 0);
    EXPECT(pmu_num_counters().error, SBI_ERR_NOT_SUPPORTED);
    EXPECT(pmu_set_shmem(~0ul, ~0ul, 0).error, SBI_ERR_NOT_SUPPORTED);
    EXPECT(counters, 0);
}

static unsigned long window(unsigned long number) {
    csr_write(TALLY_CSR_SISELECT, TALLY_COUNTER_SELECT + number);
    return csr_read(TALLY_CSR_SIREG);
}

static void count(unsigned long number, uint64_t event) {
    csr_set(TALLY_CSR_SCOUNTINHIBIT, 1ul << number);
    csr_write(TALLY_CSR_SISELECT, TALLY_COUNTER_SELECT + number);
    csr_write(TALLY_CSR_SIREG2, (unsigned long)event);
    csr_write(TALLY_CSR_SIREG, 0);
    csr_clear(TALLY_CSR_SCOUNTINHIBIT, 1ul << number);
}

/* A call takes the firmware hundreds of instructions. */
TEST(delegated_counters_leave_the_firmware_out) {
    static const unsigned long numbers[] = {0, 2, 3, 31};

    for (unsigned i = 0; i < 4; i++) {
        const unsigned long n = numbers[i];
        unsigned long own, with_call;

        count(n, TALLY_EV_INST_RET);
        own = window(n);
        own = window(n) - own;
        with_call = window(n);
        sbi_call3(SBI_EXT_BASE, 0, 0, 0, 0);
        with_call = window(n) - with_call;
        if (n == 0) /* cycles: as many as the golden machine's instructions, a few more on the RTL */
            EXPECT(with_call < own + 150, true);
        else
            EXPECT(with_call < own + 20, true);
    }
}

/* The firmware emulates one instruction. */
uint64_t misaligned_load(void);
__asm__(".text\n.option push\n.option norvc\n.balign 4\n.globl misaligned_load\n"
        "misaligned_load: lh a0, -7(sp)\nret\n.option pop");

TEST(an_emulated_access_is_one_step_of_a_delegated_counter) {
    unsigned long before;

    count(4, TALLY_EV_INST_LOAD_RET | TALLY_MHPMEVENT_SINH_MASK);
    before = window(4);
    user_call(misaligned_load);
    EXPECT(window(4) - before, 1);
}

#elif defined(TREE_delegated_harts)

enum { PERIOD = 20 };

static uint64_t records[512] __attribute__((aligned(4096)));

static struct { unsigned long control, buffer, event, value, range, pending; } left, found;

/* The registers of a supervisor with delegated counters and sampling */
static void note(void) {
    csr_write(TALLY_CSR_SISELECT, TALLY_COUNTER_SELECT + 3);
    found.event = csr_read(TALLY_CSR_SIREG2);
    found.value = csr_read(TALLY_CSR_SIREG);
    found.control = csr_read(TALLY_CSR_SPDISCTL);
    found.buffer = csr_read(TALLY_CSR_SPDISAMBCS) & TALLY_SPDISAMBCS_EN_MASK;
    found.range = csr_read(TALLY_CSR_SHPMPCSEL);
    found.pending = csr_read(sip);
}

static void sample_until_one_is_written(unsigned long hart) {
    (void)hart;
    csr_write(TALLY_CSR_SISELECT, TALLY_COUNTER_SELECT + 3);
    csr_write(TALLY_CSR_SIREG2, SOFTWARE_EVENT);
    csr_write(TALLY_CSR_SIREG, 7);
    csr_write(TALLY_CSR_SHPMPCSEL, 8);
    csr_write(TALLY_CSR_SPDISAMBADDR, (unsigned long)records);
    csr_write(TALLY_CSR_SPDISAMBCS, TALLY_SPDISAMBCS_EN_MASK);
    csr_write(TALLY_CSR_SPDISCOUNTER, -(uint64_t)PERIOD << 32 | (uint32_t)-PERIOD);
    csr_write(TALLY_CSR_SPDISCTL, TALLY_SPDISCTL_S_MASK | TALLY_SPDISCTL_MEM_MASK | TALLY_PDISSEL_ALL);
    while (csr_read(TALLY_CSR_SPDISAMBADDR) == (unsigned long)records)
        ;
    csr_set(sip, INTERRUPT_BIT(LAMBI));
    note();
    left = found;
}

static void look(unsigned long hart) {
    (void)hart;
    note();
}

/* A buffer that is still written may be memory that has since been reassigned. */
TEST(a_hart_that_starts_samples_and_counts_nothing_of_who_ran_before) {
    EXPECT(on_other_hart(sample_until_one_is_written), true);
    EXPECT(!!left.control && !!left.buffer && !!left.event && !!left.range, true);
    EXPECT(!!(left.pending & INTERRUPT_BIT(LCOFI)), true);
    EXPECT(on_other_hart(look), true);
    EXPECT(found.control, 0);
    EXPECT(found.buffer, 0);
    EXPECT(found.event, 0);
    EXPECT(found.value, 0);
    EXPECT(found.range, 0);
    EXPECT(found.pending & (INTERRUPT_BIT(LCOFI) | INTERRUPT_BIT(LAMBI)), 0);
}

#endif
