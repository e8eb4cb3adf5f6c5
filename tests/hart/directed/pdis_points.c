/* SPDX-License-Identifier: Apache-2.0 */
/* The record of a sample: latencies, physical address, events; an instruction that runs again for the D bit
 * stays the same sample (docs/integration.md, The points in time of a sample;
 * docs/rulings.md, Latencies, What did not happen is not reported). */
#include "pdis.h"
#include "sv39.h"

/* a0: an address, a1: a divisor. The sample is at_ROUTINE. */
#define SAMPLED(name, before, insn)                                                                          \
    ROUTINE(name,                                                                                            \
            ".option push\n.option norvc\n" before "\nat_" #name ": " insn "\n nop\n ecall\n.option pop");   \
    extern const char at_##name[]
#define DIVIDE "li t0, -1\n srli t0, t0, 1\n div t0, t0, a1"

SAMPLED(r_load, "", "ld t1, 0(a0)");
SAMPLED(r_store, "", "sd a1, 8(a0)");
SAMPLED(r_amo, "", "amoadd.d t1, zero, (a0)");
SAMPLED(r_amo_late, DIVIDE, "amoadd.d t1, zero, (a0)");
SAMPLED(r_device, "", "lw t1, 0(a0)");
SAMPLED(r_device_late, DIVIDE, "lw t1, 0(a0)");
SAMPLED(r_fence, "fence", "fence");
SAMPLED(r_fence_stores, "sd zero, 0(a0)\n li t1, 4096\n add t1, t1, a0\n sd zero, 0(t1)", "fence");
SAMPLED(r_fence_late, "fence\n" DIVIDE, "fence");
SAMPLED(r_csr, "", "csrr t1, sscratch");
SAMPLED(r_wfi, "", "wfi");
ROUTINE(r_sret, ".option push\n.option norvc\nat_r_sret: sret\nafter_sret: ecall\n.option pop");
extern const char at_r_sret[], after_sret[];
ROUTINE(r_ecall, ".option push\n.option norvc\nat_r_ecall: ecall\n.option pop");
extern const char at_r_ecall[];

/* A branch that is always taken to where the divide is zero, and jumps behind it. a0: turns, a1: 0 */
ROUTINE(r_wrong, ".option push\n.option norvc\n"
                 "1: li t0, 12345\n div t0, t0, a0\n andi t0, t0, 1\n beqz t0, 2f\n"
                 " j 3f\n nop\n"
                 "2: j 3f\n nop\n"
                 "3: addi a0, a0, -1\n bnez a0, 1b\n ecall\n.option pop");

static uint64_t memory[1024] __attribute__((aligned(4096)));

struct outcome {
    struct trap_info trap;
    struct record record;
    uint64_t issue, execution;
};

/* `number`: which decoded instruction of `select` is the sample */
static struct outcome sample(const char *routine, uint64_t select, unsigned number, uint64_t a0,
                             uint64_t a1) {
    struct outcome o;

    csr_clear(mip, BIT(TALLY_INT_LCOFI));
    csr_write(mie, 0);
    pdis_count(number, 100000);
    csr_write(TALLY_CSR_MPDISCTL, CTL_S | select | TALLY_MPDISCTL_PA_MASK | BIT(3));
    probe_from(&o.trap, status_for(PRIV_S), routine, a0, a1, 0);
    csr_write(TALLY_CSR_MPDISCTL, csr_read(TALLY_CSR_MPDISCTL) & CTL_OF);
    CHECK(csr_read(TALLY_CSR_MPDISCTL) & CTL_OF);
    o.record = pdis_registers();
    o.issue = FIELD(o.record.lat, PDISLAT_ISSUE);
    o.execution = FIELD(o.record.lat, PDISLAT_EXECUTION);
    return o;
}

static struct outcome sample_at(const char *routine, const char *at, uint64_t select, unsigned number,
                                uint64_t a0, uint64_t a1) {
    struct outcome o = sample(routine, select, number, a0, a1);

    CHECK_EQ(o.record.pc, (uintptr_t)at);
    return o;
}

#define SAMPLE(name, select, number, a0, a1) sample_at(name, at_##name, select, number, a0, a1)

static bool has(const struct outcome *o, unsigned valid_lsb) { return o->record.lat >> valid_lsb & 1; }

static void translation_belongs_to_issue(void) {
    translation_on();
    leaf[0] = pte((uintptr_t)memory, PTE_ALL);
    sfence();
    SAMPLE(r_load, TALLY_PDISSEL_LOADS, 1, WINDOW, 1); /* line and page table are in the cache now */
    sfence();
    struct outcome walk = SAMPLE(r_load, TALLY_PDISSEL_LOADS, 1, WINDOW, 1);
    struct outcome hit = SAMPLE(r_load, TALLY_PDISSEL_LOADS, 1, WINDOW, 1);

    CHECK_EQ(FIELD(walk.record.hdrev, PDISHDREV_L1TLBMISS), 1);
    CHECK_EQ(FIELD(walk.record.hdrev, PDISHDREV_LLTLBMISS), 1);
    CHECK_EQ(FIELD(hit.record.hdrev, PDISHDREV_L1TLBMISS), 0);
    CHECK(walk.issue >= hit.issue + 9); /* three levels, three cycles each */
    CHECK_EQ(walk.execution, hit.execution);
}

/* 0x7fff...f / 1 takes 32 steps */
static void waiting_to_be_the_oldest_belongs_to_issue(void) {
    struct outcome alone = SAMPLE(r_amo, TALLY_PDISSEL_MEMORY, 1, (uintptr_t)memory, 1);
    struct outcome late = SAMPLE(r_amo_late, TALLY_PDISSEL_MEMORY, 1, (uintptr_t)memory, 1);

    CHECK(alone.issue < 20);
    CHECK(late.issue >= alone.issue + 24);
    CHECK(late.execution >= 20);
    CHECK(late.execution < alone.execution + 16);
    CHECK(alone.execution < late.execution + 16);

    alone = SAMPLE(r_device, TALLY_PDISSEL_MEMORY, 1, MTIMECMP, 1);
    late = SAMPLE(r_device_late, TALLY_PDISSEL_MEMORY, 1, MTIMECMP, 1);
    CHECK(late.issue >= alone.issue + 24);
    CHECK(late.execution < alone.execution + 16);
}

/* Those with nothing to wait for are behind a fence. */
static void what_acts_at_commit_executes_as_long_as_it_takes(void) {
    struct outcome o = SAMPLE(r_fence, TALLY_PDISSEL_ALL, 2, 0, 1);
    uint64_t alone = o.execution;

    CHECK(alone >= 1 && alone < 5);
    o = SAMPLE(r_fence_late, TALLY_PDISSEL_ALL, 5, 0, 1); /* waits for the divide to be older no more */
    CHECK(o.issue >= 24);
    CHECK_EQ(o.execution, alone);
    o = SAMPLE(r_fence_stores, TALLY_PDISSEL_ALL, 5, (uintptr_t)memory, 1);
    CHECK(o.execution >= 20);
    o = SAMPLE(r_csr, TALLY_PDISSEL_ALL, 1, 0, 1);
    CHECK_EQ(o.execution, 3); /* a CSR instruction acts three cycles after its operands */

    csr_write(sepc, (uintptr_t)after_sret);
    csr_write(mstatus, csr_read(mstatus) | TALLY_MSTATUS_SPP_MASK);
    o.trap.cause = 0;
    pdis_count(1, 100000);
    csr_write(TALLY_CSR_MPDISCTL, CTL_S | TALLY_PDISSEL_TRANSFERS);
    probe_from(&o.trap, status_for(PRIV_S) | TALLY_MSTATUS_SPP_MASK, r_sret, 0, 0, 0);
    o.record = pdis_registers();
    CHECK_EQ(o.record.pc, (uintptr_t)at_r_sret);
    CHECK_EQ(FIELD(o.record.lat, PDISLAT_EXECUTION), 1);

    csr_write(mideleg, BIT(TALLY_INT_STI));
    csr_set(menvcfg, TALLY_MENVCFG_STCE_MASK);
    csr_write(stimecmp, read64(MTIME) + 100);
    csr_clear(mip, BIT(TALLY_INT_LCOFI));
    csr_write(mie, BIT(TALLY_INT_STI));
    pdis_count(1, 100000);
    csr_write(TALLY_CSR_MPDISCTL, CTL_S | TALLY_PDISSEL_ALL);
    probe_from(&o.trap, status_for(PRIV_S), r_wfi, 0, 0, 0);
    o.record = pdis_registers();
    CHECK_EQ(o.record.pc, (uintptr_t)at_r_wfi);
    CHECK(FIELD(o.record.lat, PDISLAT_EXECUTION) >= 300); /* 100 ticks, ten cycles each, less the way there */
    csr_clear(menvcfg, TALLY_MENVCFG_STCE_MASK);
    csr_write(mie, 0);
    csr_write(mideleg, 0);
}

static void an_access_that_is_not_translated_has_no_physical_address(void) {
    struct outcome o;

    translation_on();
    leaf[0] = pte((uintptr_t)memory, PTE_ALL);
    sfence();
    SAMPLE(r_load, TALLY_PDISSEL_LOADS, 1, WINDOW, 1); /* a page that the TLB could show instead */
    leaf[1] = 0;
    sfence();
    o = SAMPLE(r_load, TALLY_PDISSEL_LOADS, 1, WINDOW, 1);
    CHECK_EQ(o.record.adr2, (uintptr_t)memory);
    o = SAMPLE(r_load, TALLY_PDISSEL_LOADS, 1, WINDOW + PAGE, 1);
    CHECK_EQ(o.trap.cause, TALLY_EXC_LOAD_PAGE);
    CHECK_EQ(o.record.adr1, WINDOW + PAGE);
    CHECK_EQ(o.record.adr2, 0);
    CHECK_EQ(FIELD(o.record.hdrev, PDISHDREV_FLUSHED), 0);
    CHECK_EQ(FIELD(o.record.hdrev, PDISHDREV_L1TLBMISS), 1);
    CHECK(has(&o, TALLY_PDISLAT_DISPV_LSB));
    CHECK(!has(&o, TALLY_PDISLAT_ISSV_LSB) && !has(&o, TALLY_PDISLAT_EXECV_LSB));
    CHECK_EQ(o.issue | o.execution, 0);

    o = SAMPLE(r_load, TALLY_PDISSEL_LOADS, 1, WINDOW + 1, 1);
    CHECK_EQ(o.trap.cause, TALLY_EXC_LOAD_MISALIGNED);
    CHECK_EQ(o.record.adr1, WINDOW + 1);
    CHECK_EQ(o.record.adr2, 0);

    leaf[1] = pte(0x40000000, PTE_ALL); /* translated, to where nothing is */
    sfence();
    o = SAMPLE(r_store, TALLY_PDISSEL_STORES, 1, WINDOW + PAGE, 1);
    CHECK_EQ(o.trap.cause, TALLY_EXC_STORE_ACCESS);
    CHECK_EQ(o.record.adr2, 0x40000008);
    CHECK(has(&o, TALLY_PDISLAT_ISSV_LSB) && has(&o, TALLY_PDISLAT_EXECV_LSB));
}

static void events_of_retirement_need_retirement(void) {
    struct outcome o;

    csr_write(mhpmevent3, TALLY_EV_INST_RET);
    o = SAMPLE(r_load, TALLY_PDISSEL_ALL, 1, (uintptr_t)memory, 1);
    CHECK_EQ(FIELD(o.record.hdrev, PDISHDREV_HPM), 1);
    csr_set(mcountinhibit, BIT(3)); /* stops counting, not observing */
    o = SAMPLE(r_load, TALLY_PDISSEL_ALL, 1, (uintptr_t)memory, 1);
    CHECK_EQ(FIELD(o.record.hdrev, PDISHDREV_HPM), 1);
    csr_clear(mcountinhibit, BIT(3));
    csr_write(mhpmcounter3, 0);
    o = SAMPLE(r_ecall, TALLY_PDISSEL_ALL, 1, 0, 0);
    CHECK_EQ(o.trap.cause, TALLY_EXC_ECALL_S);
    CHECK_EQ(FIELD(o.record.hdrev, PDISHDREV_HPM), 0);
    csr_write(mhpmevent3, 0);
}

static void a_store_that_sets_d_is_one_sample_and_retires(void) {
    struct outcome o;

    translation_on();
    leaf[0] = pte((uintptr_t)memory, PTE_ALL & ~PTE_D);
    sfence();
    csr_set(menvcfg, TALLY_MENVCFG_ADUE_MASK);
    csr_write(mhpmevent4, TALLY_EV_PDIS_SAMPLES);
    csr_write(mhpmcounter4, 0);
    memory[1] = 0;
    o = SAMPLE(r_store, TALLY_PDISSEL_STORES, 1, WINDOW, 7);
    csr_clear(menvcfg, TALLY_MENVCFG_ADUE_MASK);
    CHECK_EQ(memory[1], 7);
    CHECK(leaf[0] & PTE_D);
    CHECK_EQ(FIELD(o.record.hdrev, PDISHDREV_FLUSHED), 0);
    CHECK_EQ(FIELD(o.record.hdrev, PDISHDREV_TYPE), TALLY_TYPE_STORE);
    CHECK_EQ(o.record.adr1, WINDOW + 8);
    CHECK_EQ(o.record.adr2, (uintptr_t)&memory[1]);
    CHECK_EQ(o.record.lat >> TALLY_PDISLAT_DISPV_LSB, 0xf);
    CHECK(o.issue > 20 && o.execution < 5); /* both walks and the update of the PTE */
    CHECK_EQ(csr_read(mhpmcounter4), 1);
    csr_write(mhpmevent4, 0);
    csr_write(satp, 0);
    sfence();
}

static void a_flushed_sample_tells_the_kind_of_its_transfer(void) {
    bool seen = false;

    csr_write(TALLY_CSR_SPDISEVMASK, TALLY_PDISHDREV_FLUSHED_MASK);
    csr_write(TALLY_CSR_SPDISEVMATCH, TALLY_PDISHDREV_FLUSHED_MASK);
    for (unsigned number = 1; number < 40 && !seen; number++) {
        struct trap_info t;

        context(number, 0, 0);
        pdis_count(number, 2);
        csr_write(TALLY_CSR_MPDISCTL, CTL_S | TALLY_PDISSEL_TRANSFERS);
        probe_from(&t, status_for(PRIV_S), r_wrong, 50, 0, 0);
        if (!(csr_read(TALLY_CSR_MPDISCTL) & CTL_OF))
            continue;
        struct record r = pdis_registers();
        CHECK_EQ(FIELD(r.hdrev, PDISHDREV_FLUSHED), 1);
        seen = r.hdrev & TALLY_PDISHDREV_DIRJMP_MASK;
    }
    CHECK(seen);
    csr_write(TALLY_CSR_SPDISEVMASK, 0);
    csr_write(TALLY_CSR_SPDISEVMATCH, 0);
}

void test_main(void) {
    open_memory();
    if (!is_tally())
        pass();
    waiting_to_be_the_oldest_belongs_to_issue();
    what_acts_at_commit_executes_as_long_as_it_takes();
    events_of_retirement_need_retirement();
    a_flushed_sample_tells_the_kind_of_its_transfer();
    translation_belongs_to_issue();
    an_access_that_is_not_translated_has_no_physical_address();
    a_store_that_sets_d_is_one_sample_and_retires();
    pass();
}
